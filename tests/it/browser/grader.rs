//! Grading in a web page: the module keur.wasm and the workers of `src/site/page`, in a real browser.

use super::webdriver::Browser;
use crate::required::{installed, needs};
use crate::running::{folder, keur_command, root, succeed};
use crate::site::MODULE;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long a submission may take, on a machine that runs other tests too.
const PATIENCE: Duration = Duration::from_secs(240);

/// The page of the tests: it starts the grader, and keeps what that answers.
const PAGE: &str = "<!doctype html><meta charset=utf-8><title>keur</title>\
    <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; connect-src 'self'; \
    script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:\">\
    <body><script src=frame.js></script><script type=module>\
    const script = new Blob([await (await fetch('grader.js')).text()], { type: 'text/javascript' });\
    const grader = new Worker(URL.createObjectURL(script), { type: 'module' });\
    framed(grader, await (await fetch('frame.html')).text());\
    window.heard = [];\
    grader.onmessage = ({ data }) => { window.heard.push(data); };\
    grader.onerror = ({ message }) => { window.heard.push({ failed: message }); };\
    window.ask = (request) => { window.heard = []; grader.postMessage(request); };\
    window.answer = () => window.heard.find((data) => data.ready || data.graded || data.failed || data.stopped);\
    const at = (path) => new URL(path, location).href;\
    ask({ start: { module: at('keur.wasm'), pyodide: at('pyodide/'), kept: 'python' } });\
    </script>";

/// The types of the files of the page.
const TYPES: [(&str, &str); 5] = [
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("zip", "application/zip"),
];

/// The module, built once for all of these tests.
fn module() -> &'static Path {
    static MODULE: LazyLock<PathBuf> = LazyLock::new(|| {
        let target = "wasm32-unknown-unknown";
        let args = ["build", "--quiet", "-p", "keur-page", "--profile", "page-test", "--target", target];
        let status = Command::new(env!("CARGO")).args(args).current_dir(root()).status().unwrap();
        assert!(status.success(), "the module is not built");
        let folder =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        folder.join(target).join("page-test/keur_page.wasm")
    });
    &MODULE
}

/// The only file of a package in pure Python, which an exercise may list.
const PACKAGE: (&str, &str) = ("greet.py", "def greeting(name):\n    return 'Hello, ' + name\n");

/// A folder with Pyodide, and with the wheel of that package.
fn pyodide() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pyodide");
        fs::create_dir_all(&folder).unwrap();
        for entry in installed("node_modules/pyodide").read_dir().unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
            }
        }
        let wheel = fs::File::create(folder.join("greet-1-py3-none-any.whl")).unwrap();
        let mut wheel = zip::ZipWriter::new(wheel);
        let about = "Metadata-Version: 2.1\nName: greet\nVersion: 1\n";
        let tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
        for (name, text) in [PACKAGE, ("greet-1.dist-info/METADATA", about), ("greet-1.dist-info/WHEEL", tag)]
        {
            wheel.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            wheel.write_all(text.as_bytes()).unwrap();
        }
        wheel.finish().unwrap();
        folder
    });
    &FOLDER
}

/// Serves the page until the tests end; returns its address.
fn serve() -> &'static str {
    static ADDRESS: LazyLock<String> = LazyLock::new(|| {
        module();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                std::thread::spawn(move || respond(stream));
            }
        });
        address
    });
    &ADDRESS
}

/// Answers one request.
fn respond(mut stream: TcpStream) -> Option<()> {
    let mut line = String::new();
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    reader.read_line(&mut line).ok()?;
    let mut header = String::new();
    while reader.read_line(&mut header).ok()? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1)?.trim_start_matches('/');
    let file = match path.strip_prefix("pyodide/") {
        Some(name) => pyodide().join(name),
        None if path == "keur.wasm" => module().to_owned(),
        None => root().join("src/site/page").join(path),
    };
    let (kind, body) = if path.is_empty() {
        ("text/html", PAGE.as_bytes().to_vec())
    } else {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known = TYPES.iter().find(|(known, _)| *known == ending).map_or("text/plain", |(_, kind)| kind);
        (known, fs::read(&file).unwrap_or_default())
    };
    let status = if body.is_empty() { "404 Not Found" } else { "200 OK" };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: max-age=600\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).ok()
}

/// A page in a browser.
pub(super) trait Page {
    fn visit(&self, url: &str);

    /// The result of a script of the test, not of the page.
    fn script(&self, script: &str) -> Value;
}

impl Page for Browser {
    fn visit(&self, url: &str) {
        self.of_session("POST", "/url", &json!({ "url": url }));
    }

    fn script(&self, script: &str) -> Value {
        Browser::script(self, script)
    }
}

/// A page that is ready to grade.
pub(super) struct Grading<P>(pub(super) P);

/// A file of a submission: its name and its bytes.
pub(super) type File = (String, Vec<u8>);

impl<P: Page> Grading<P> {
    pub(super) fn start(browser: P) -> Grading<P> {
        browser.visit(serve());
        let grading = Grading(browser);
        assert_eq!(grading.answer(), json!({ "ready": {} }));
        grading
    }

    /// Waits for an answer of the grader.
    pub(super) fn answer(&self) -> Value {
        let begun = Instant::now();
        loop {
            let answer = self.0.script("return window.answer?.() ?? null");
            if !answer.is_null() {
                return answer;
            }
            assert!(begun.elapsed() < PATIENCE, "no answer: {}", self.0.script("return window.heard"));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn ask(&self, exercise: &Value, files: &[File]) {
        let files: Vec<Value> = files
            .iter()
            .map(|(name, bytes)| json!({ "name": name, "data": STANDARD.encode(bytes) }))
            .collect();
        let request = json!({ "grade": { "exercise": exercise, "files": files, "lang": "en" } });
        self.0.script(&format!("window.ask({request})"));
    }

    /// The report of a submission, and its cards.
    #[track_caller]
    pub(super) fn grade(&self, exercise: &Value, files: &[File]) -> (Value, String) {
        self.ask(exercise, files);
        let mut answer = self.answer();
        assert!(answer["graded"].is_object(), "{answer}");
        (answer["graded"]["report"].take(), answer["graded"]["html"].as_str().unwrap().to_owned())
    }

    /// The verdicts of a submission in one file, by case.
    #[track_caller]
    fn verdicts(&self, exercise: &Value, name: &str, source: &str) -> BTreeMap<String, String> {
        let (report, _) = self.grade(exercise, &[(name.to_owned(), source.into())]);
        let cases = report["cases"].as_array().unwrap().iter();
        cases.map(|case| (text(&case["name"]), text(&case["verdict"]))).collect()
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The files of a fixture.
pub(super) fn fixture(path: &Path) -> Vec<File> {
    let name =
        |file: &Path| file.strip_prefix(path.parent().unwrap()).unwrap().to_string_lossy().into_owned();
    let files = walkdir::WalkDir::new(path).into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|file| file.is_file()).map(|file| (name(&file), fs::read(file).unwrap())).collect()
}

/// An exercise that is only in memory, with two cases.
fn pair() -> Value {
    let case = |name: &str, number: u32| {
        format!("title = \"{name}\"\n[[step]]\ndo = \"{name}()\"\nreturns = {number}\n")
    };
    let exercise = "title = \"Two numbers\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"pair.py\"]\n\
                    javascript = [\"pair.js\"]\n[function]\none = { args = [] }\ntwo = { args = [] }\n";
    let files = json!({ "exercise.toml": exercise, "one.toml": case("one", 1), "two.toml": case("two", 2) });
    json!({ "name": "pair", "title": "Two numbers", "files": files })
}

/// A right answer to that exercise in each language.
const RIGHT: [(&str, &str); 2] = [
    ("pair.py", "def one():\n    return 1\ndef two():\n    return 2\n"),
    ("pair.js", "function one() { return 1; }\nfunction two() { return 2; }\n"),
];

/// A program in Python that never ends.
const ENDLESS: &str = "def one():\n    while True: pass\ndef two():\n    return 2\n";

/// The beginning of a program in Python that finds the JavaScript of its worker, and calls it `evaluate`.
const REACHED: &str = "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'cell':\n        try: v = o.cell_contents\n        \
    except ValueError: continue\n        if type(v).__name__.startswith('Js'):\n            \
    evaluate = v.constructor.new('s', 'return (0,eval)(s)'); break\n";

/// Programs that do harm in `one`, or when they are loaded, with the verdict of each case.
const HOSTILE: &[(&str, &str, &str, &str)] = &[
    (
        "pair.py",
        "import asyncio\nloop = asyncio.new_event_loop()\ndef again(left=50):\n    if left: loop.call_later(0.001, again, left - 1)\n\
         async def slow(number):\n    await asyncio.sleep(0.01)\n    return number\n\
         def one():\n    again()\n    return asyncio.run(slow(1))\ndef two():\n    return asyncio.run(slow(2))\n",
        "passed",
        "passed",
    ),
    (
        "pair.py",
        "import asyncio\ndef one():\n    asyncio.get_event_loop().call_later(0.001, print)\n    return 1\ndef two():\n    return 2\n",
        "raised",
        "passed",
    ),
    ("pair.py", ENDLESS, "time limit", "passed"),
    (
        "pair.py",
        "def one():\n    while True: print('x' * 99)\ndef two():\n    return 2\n",
        "output limit",
        "passed",
    ),
    ("pair.py", "import sys\ndef one():\n    sys.exit(0)\ndef two():\n    return 2\n", "raised", "passed"),
    ("pair.py", "import js\njs.postMessage('x')\ndef one():\n    return 1\n", "load error", "load error"),
    (
        "pair.py",
        "count = 0\ndef one():\n    global count\n    count += 1\n    return count\ndef two():\n    return one() + one()\n",
        "passed",
        "wrong value",
    ),
    ("pair.js", "function one() { for (;;); }\nfunction two() { return 2; }\n", "time limit", "passed"),
    ("pair.js", "function one() { process.exit(0); }\nfunction two() { return 2; }\n", "crashed", "passed"),
    (
        "pair.js",
        "function one() { postMessage(new Uint8Array(20)); return 1; }\nfunction two() { return 2; }\n",
        "raised",
        "passed",
    ),
    (
        "pair.js",
        "function one() { fetch('/'); return 1; }\nfunction two() { return 2; }\n",
        "raised",
        "passed",
    ),
    (
        "pair.js",
        "async function one() { await eval('import(\"data:text/javascript,\")'); return 1; }\nfunction two() { return 2; }\n",
        "raised",
        "passed",
    ),
    (
        "pair.js",
        "let count = 0;\nexport function one() { return ++count; }\nexport function two() { return ++count; }\n",
        "passed",
        "wrong value",
    ),
    // The worker that looks for the line of an error in syntax has no constructor that a script could take.
    (
        "pair.js",
        "const { preventDefault } = Event.prototype;\nEvent.prototype.preventDefault = function () {\n  \
         preventDefault.call(this);\n  if (this.target.constructor.name === 'Worker') for (;;);\n};\n\
         throw Object.assign(new SyntaxError(), { stack: '' });\nfunction one() { return 1; }\nfunction two() { return 2; }\n",
        "passed",
        "passed",
    ),
    // An array of more elements than the engine can have ends its process.
    (
        "pair.js",
        "function one() { return 'x'.repeat(2 ** 28).split(''); }\nfunction two() { return 2; }\n",
        "memory limit",
        "passed",
    ),
];

/// Python that leaves another folder, other open files and, if it can, a file behind, and looks for them.
const OUTSIDE_OF_MEMORY: &str = "import os\ndef one():\n    \
    for folder in '/dev', '/dev/shm', '/proc', '/tmp':\n        \
    try: open(folder + '/left', 'w')\n        except OSError: continue\n        return folder\n    \
    os.chdir('/tmp')\n    os.dup(1)\n    os.closerange(0, 2)\n    return 1\n\
    def two():\n    os.write(1, b'')\n    return 2 if (os.getcwd(), os.dup(0)) == ('/', 3) else os.getcwd()\n";

#[test]
fn a_page_says_what_it_does_not_grade() {
    needs!(Browser, External);
    let grading = Grading::start(Browser::start());
    cannot_load(&grading);
    // An exercise that lists packages, for a submission that imports none.
    let mut exercise = pair();
    let text = format!(
        "{}[packages]\npython = [\"tabulate\"]\n",
        exercise["files"]["exercise.toml"].as_str().unwrap()
    );
    exercise["files"]["exercise.toml"] = text.into();
    let (name, right) = RIGHT[0];
    assert_eq!(grading.verdicts(&exercise, name, right), verdicts_of("passed", "passed"));
    // One that lists a package whose wheel is in the folder of Pyodide, for a submission of two modules.
    let course = folder(&[
        (
            "pair/exercise.toml",
            "title = \"Two\"\nsession = \"python\"\n[files]\npython = [\"pair.py\", \"names.py\"]\n\
             [function]\none = { args = [] }\n[packages]\npython = [\"greet\"]\n",
        ),
        ("pair/one.toml", "title = \"One\"\n[[step]]\ndo = \"one()\"\nreturns = \"Hello, Ada\"\n"),
        ("pair/again.toml", "title = \"Again\"\n[[step]]\ndo = \"one()\"\nreturns = \"Bye\"\n"),
        ("keur.wasm", ""),
    ]);
    fs::write(course.path().join("keur.wasm"), MODULE).unwrap();
    let mut command = keur_command(&["site", "--cases", "."]);
    command.current_dir(&course).args(["site", "--module", "keur.wasm", "--pyodide"]).arg(pyodide());
    succeed(&mut command);
    let content = fs::read(course.path().join("site/exercises/pair.json")).unwrap();
    let files = [
        (
            "pair.py",
            "from greet import greeting\nimport names\ndef one():\n    return greeting(names.FIRST)\n",
        ),
        ("names.py", "FIRST = 'Ada'\n"),
    ];
    let files = files.map(|(name, source)| (name.to_owned(), source.into()));
    let (report, html) = grading.grade(&serde_json::from_slice(&content).unwrap(), &files);
    let verdicts: Vec<&Value> =
        report["cases"].as_array().unwrap().iter().map(|case| &case["verdict"]).collect();
    assert_eq!(verdicts, ["wrong value", "passed"], "{report}");
    assert!(html.contains("<p>This page runs Python 3.14"), "{html}");
    // A language that no page grades.
    grading.ask(&pair(), &[("Pair.java".to_owned(), b"class Pair {}".to_vec())]);
    assert_eq!(grading.answer(), json!({ "graded": { "elsewhere": true } }));
}

/// Checks that an engine that cannot be loaded is named, and that the next submission has one if it can be.
fn cannot_load(grading: &Grading<Browser>) {
    let start = |pyodide: &str| {
        let at = |path: &str| format!("new URL('{path}', location).href");
        let start = format!("{{ module: {}, pyodide: {} }}", at("keur.wasm"), at(pyodide));
        grading.0.script(&format!("window.ask({{ start: {start} }})"));
        assert_eq!(grading.answer(), json!({ "ready": {} }));
    };
    let lacking = |(name, source): (&str, &str)| {
        grading.ask(&pair(), &[(name.to_owned(), source.into())]);
        let answer = grading.answer();
        assert!(answer["failed"].is_string(), "{answer}");
        text(&answer["lacking"])
    };
    let [python, javascript] = RIGHT;
    start("none/");
    assert_eq!(lacking(python), "Python");
    start("pyodide/");
    assert_eq!(grading.verdicts(&pair(), python.0, python.1), verdicts_of("passed", "passed"));
    // A frame outside the page never loads. Its time is shortened.
    grading.0.script(
        "const { setTimeout } = window; window.setTimeout = (task, time) => setTimeout(task, time / 100); \
         document.body.append = () => { delete document.body.append; window.setTimeout = setTimeout; }",
    );
    assert_eq!(lacking(javascript), "JavaScript");
    let (report, html) = grading.grade(&pair(), &[(javascript.0.to_owned(), javascript.1.into())]);
    assert_eq!(report["passed"], true, "{report}");
    assert!(html.contains("<p>This page runs JavaScript in your browser, version"), "{html}");
}

#[test]
fn hostile_programs_earn_nothing_and_leave_nothing_behind() {
    needs!(Browser, External);
    let grading = Grading::start(Browser::start());
    for (name, source, one, two) in HOSTILE.iter().copied() {
        let verdicts = grading.verdicts(&pair(), name, source);
        assert_eq!(verdicts, verdicts_of(one, two), "{name}: {source}");
        let (name, right) = RIGHT.iter().find(|(right, _)| *right == name).unwrap();
        assert_eq!(grading.verdicts(&pair(), name, right), verdicts_of("passed", "passed"), "after {source}");
    }
    // The first of them shows that a program does reach the worker.
    for (script, verdict) in [
        ("1", "passed"),
        ("postMessage(null)", "raised"),
        ("navigator.storage", "raised"),
        ("fetch('/')", "raised"),
    ] {
        let source =
            format!("{REACHED}def one():\n    return evaluate(\"{script}\")\ndef two():\n    return 2\n");
        let verdicts = grading.verdicts(&pair(), "pair.py", &source);
        assert_eq!(verdicts, verdicts_of(verdict, "passed"), "{script}");
    }
    // What is not in Python's memory is put back too.
    let verdicts = grading.verdicts(&pair(), "pair.py", OUTSIDE_OF_MEMORY);
    assert_eq!(verdicts, verdicts_of("passed", "passed"));
    // A grading that is stopped is over, and the next one is as any other.
    grading.ask(&pair(), &[("pair.py".to_owned(), ENDLESS.into())]);
    std::thread::sleep(Duration::from_millis(200));
    grading.0.script("window.ask({ stop: true })");
    assert_eq!(grading.answer(), json!({ "stopped": true }));
    let (name, right) = RIGHT[0];
    assert_eq!(grading.verdicts(&pair(), name, right), verdicts_of("passed", "passed"));
}

#[test]
fn python_starts_again_from_the_memory_that_the_browser_keeps() {
    needs!(Browser, External);
    let grading = Grading::start(Browser::start());
    let (name, right) = RIGHT[0];
    let cache = |script: &str| {
        grading.0.script(&format!(
            "return (async () => {{ const cache = await caches.open('python'); const place = new URL('pyodide/snapshot', location); \
             const kept = await cache.match(place); const put = (bytes, mark) => cache.put(place, new Response(bytes, {{ headers: {{ mark }} }})); \
             {script} }})()"
        ))
    };
    let wait_for_new = || {
        let begun = Instant::now();
        while cache("return kept !== undefined && !kept.headers.has('mark')") != true {
            assert!(begun.elapsed() < PATIENCE, "nothing is kept");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let visit = || {
        grading.0.visit(serve());
        assert_eq!(grading.answer(), json!({ "ready": {} }));
        assert_eq!(grading.verdicts(&pair(), name, right), verdicts_of("passed", "passed"));
    };
    visit();
    wait_for_new();
    cache("await put(await kept.arrayBuffer(), 'first')");
    visit();
    assert_eq!(cache("return kept.headers.get('mark')"), "first", "it is used, and stays");
    cache("await put(new Uint8Array(9), 'broken')");
    visit();
    wait_for_new();
}

fn verdicts_of(one: &str, two: &str) -> BTreeMap<String, String> {
    [("one", one), ("two", two)].map(|(case, verdict)| (case.to_owned(), verdict.to_owned())).into()
}
