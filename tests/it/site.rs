//! `keur site`: what is in a site, and what is not.

use crate::running::{Run, folder, keur, keur_command, root, run, write_files};
use keur_core::case::{Case, Library};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The smallest module of WebAssembly: what a site is made of is not run here.
pub(crate) const MODULE: &[u8] = b"\0asm\x01\0\0\0";

/// Writes a site with these arguments, in a new folder.
#[track_caller]
fn site(arguments: &[&str]) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let written = write(out.path(), arguments);
    assert_eq!(written.code, 0, "{}", written.all());
    out
}

fn write(out: &Path, arguments: &[&str]) -> Run {
    let module = tempfile::tempdir().unwrap();
    let module = module.path().join("keur.wasm");
    fs::create_dir_all(module.parent().unwrap()).unwrap();
    fs::write(&module, MODULE).unwrap();
    run(keur_command(&["site"]).arg(out).arg("--module").arg(&module).args(arguments))
}

/// Lets a page grade Python.
const WITH_PYTHON: [&str; 2] = ["--pyodide-url", "https://cdn.example/npm/pyodide@314.0.7/"];

/// Every file of a folder, by its path there.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (name, String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned())
        })
        .collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// An exercise in which everything that a student may not see has SECRET in it, and all else has SHOWN.
const SECRETS: &[(&str, &str)] = &[
    (
        "bank/exercise.toml",
        r#"title = "Bank SHOWN_exercise" # SECRET_comment
session = "python"
points = 10
reference = { python = "SECRET_solution/bank.py" }
[files]
python = ["bank.py"]
[function]
pay = ["n"]
[arguments]
n = { one_of = [1, 777000111] }
"#,
    ),
    (
        "bank/files.toml",
        "title = \"SHOWN_files\"\n[input_files]\n\"rates.txt\" = { path = \"SECRET_rates.txt\" }\n[[step]]\ndo = \"pay('SECRET_read')\"\nreturns = 1\n",
    ),
    ("bank/SECRET_rates.txt", "SECRET_rates\n"),
    (
        "bank/shadow.toml",
        r#"title = "SECRET_title"
hint = "SECRET_file_hint"
tags = ["SECRET_tag"]
hidden = true
[[step]]
do = "pay(n)"
returns = 1
hint = { got = "5", en = "SECRET_step_hint" }
[[row]]
given = { n = 1 }
title = "SHOWN_row"
hint = "SHOWN_hint"
tags = ["shown"]
hidden = false
[[row]]
given = { n = 2 }
"#,
    ),
    ("bank/SECRET_solution/bank.py", "def pay(n):\n    return n # SECRET_source\n"),
    (
        "bank/plain.toml",
        r#"#:schema ./SECRET_schema.json
title = "Plain SHOWN_title" # SECRET_beside
needs = ["reference"]
[[step]]
# SECRET_above
do = "pay(1)"
returns = "SHOWN_answer # no comment"
"#,
    ),
    (
        "bank/hidden.toml",
        "title = \"Hidden SECRET_hidden\"\nhidden = true\n[[step]]\ndo = \"pay(2)\"\nreturns = \"SECRET_answer\"\n",
    ),
    (
        "bank/reference.toml",
        "title = \"SHOWN_ungraded\"\n[[step]]\ndo = \"pay('SECRET_asked')\"\nreturns = { reference = true }\n",
    ),
    (
        "bank/checked.toml",
        "title = \"SHOWN_checked\"\n[[step]]\ndo = \"pay(3)\"\nreturns = { check = \"SECRET_check.py:ok\" }\n",
    ),
    ("bank/SECRET_check.py", "def ok(value):\n    return value == 'SECRET_check'\n"),
    (
        "bank/table.toml",
        "title = \"SHOWN_table\"\n[[step]]\ndo = \"pay(4)\"\nequals = { csv = \"SECRET.csv\" }\n",
    ),
    ("bank/SECRET.csv", "SECRET_column\n1\n"),
    ("bank/random.toml", "title = \"SHOWN_random\"\n[random]\nseeds = [777000222]\n"),
    (
        "bank/ruled.toml",
        "title = \"SECRET_ruled\"\ntags = [\"ruling\"]\n[[step]]\ndo = \"pay(5)\"\nreturns = \"SECRET_ruling\"\n",
    ),
    (
        "bank/rows.toml",
        r#"title = "Rows"
[[step]]
do = "pay(n)"
returns = "SECRET_of_the_hidden_row"
[[row]]
given = { n = 10 }
returns = "SHOWN_first"
[[row]]
given = { n = "SECRET_given" }
hidden = true
hint = "SECRET_hint"
[[row]]
given = { n = 30 } # SECRET_row
returns = "SHOWN_third"
"#,
    ),
    ("bank/samples/wrong/SECRET.py", "SECRET_sample"),
    ("bank/samples/verdicts.toml", "[SECRET]\ndefect = \"SECRET_defect\"\n"),
    (
        "bank/mutants/mutants.toml",
        "[[mutant]]\nname = \"SECRET_mutant\"\nwhat = \"SECRET_what\"\nfind = \"n\"\nput = \"m\"\n",
    ),
    ("bank/notes.txt", "SECRET_notes"),
];

#[test]
fn a_site_has_only_what_a_student_may_see() {
    let course = folder(SECRETS);
    let site = site(&[&["--cases", course.path().to_str().unwrap()], &WITH_PYTHON[..]].concat());
    let files = files(site.path());
    let all: String = files.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
    for secret in ["SECRET", "777000111", "777000222"] {
        for (name, text) in &files {
            let at = text.find(secret).map(|at| &text[at..]).map(|rest| rest.get(..40).unwrap_or(rest));
            assert_eq!(at, None, "{name}");
            assert!(!name.contains(secret), "{name}");
        }
    }
    for shown in [
        "exercise", "title", "answer # no comment", "ungraded", "checked", "files", "table", "random",
        "first", "third", "row", "hint",
    ] {
        assert!(all.contains(&format!("SHOWN_{shown}")), "{shown}");
    }
    let list = json(&site.path().join("exercises.json"));
    let bank = &list["exercises"][0];
    let ungraded: Vec<&str> =
        bank["ungraded"].as_array().unwrap().iter().map(|title| title["en"].as_str().unwrap()).collect();
    assert_eq!(ungraded, ["SHOWN_checked", "SHOWN_files", "SHOWN_random", "SHOWN_ungraded", "SHOWN_table"]);
    assert_eq!(bank["hidden"], 3);
}

/// The case as far as a student's report depends on it.
fn described(case: &Case) -> String {
    let steps: Vec<String> =
        case.steps().map(|step| format!("{:?} {}", step.plan, step.expect.described())).collect();
    format!(
        "{} {:?} {:?} {:?} {:?} {steps:?}",
        case.name,
        case.title,
        case.points,
        case.hint,
        case.random.is_some()
    )
}

/// Exercises of the fixtures in which every case has input files: a site leaves them out.
const OF_FILES: [&str; 3] = ["scores", "visits", "words"];

#[test]
fn the_visible_cases_of_a_site_are_those_of_the_exercise() {
    let course = folder(SECRETS);
    let own = root().join("fixtures/exercises");
    for (library, arguments) in [
        (Library::BuiltIn, Vec::new()),
        (Library::Folder(course.path().to_owned()), vec!["--cases", course.path().to_str().unwrap()]),
        (Library::Folder(own.clone()), vec!["--cases", own.to_str().unwrap()]),
    ] {
        let site = site(&[&arguments, &WITH_PYTHON[..]].concat());
        for name in library.names().unwrap().into_iter().filter(|name| !OF_FILES.contains(&name.as_str())) {
            let content = json(&site.path().join(format!("exercises/{name}.json")));
            let written = tempfile::tempdir().unwrap();
            let texts = content["files"].as_object().unwrap().iter();
            let texts: Vec<(String, &str)> =
                texts.map(|(file, text)| (format!("{name}/{file}"), text.as_str().unwrap())).collect();
            write_files(
                written.path(),
                &texts.iter().map(|(file, text)| (file.as_str(), *text)).collect::<Vec<_>>(),
            );
            let there = Library::Folder(written.path().to_owned()).load(&name).unwrap().cases;
            let there: Vec<String> = there.iter().filter(|case| !case.is_ruling()).map(described).collect();
            let before = library.load(&name).unwrap().cases;
            let titles: Vec<String> = json(&site.path().join("exercises.json"))["exercises"]
                .as_array()
                .unwrap()
                .iter()
                .find(|entry| entry["name"] == *name)
                .unwrap()["ungraded"]
                .as_array()
                .unwrap()
                .iter()
                .map(|title| title["en"].as_str().unwrap().to_owned())
                .collect();
            let is_there = |case: &&Case| {
                !case.hidden
                    && !case.is_ruling()
                    && !titles.iter().any(|title| title == case.title.get(keur_core::messages::Lang::En))
            };
            let before: Vec<String> = before.iter().filter(is_there).map(described).collect();
            assert!(!before.is_empty(), "{name}");
            for (there, before) in there.iter().zip(&before) {
                assert_eq!(there, before, "{name}");
            }
            assert_eq!(there.len(), before.len(), "{name}");
        }
    }
}

/// Parts of a file of cases with a visible and a hidden row: the head, what its step expects, and the visible row.
const HEADS: &[[&str; 3]] = &[
    ["title = 'SECRET'", "returns = 1", "title = 'Shown'"],
    ["title = 'T'\nhint = 'SECRET'", "returns = 1", "hint = 'Shown'"],
    ["title = 'T'\ntags = ['SECRET']", "returns = 1", "tags = ['Shown']"],
    ["title = 'T'\npoints = 777.33", "returns = 1", "title = 'Shown'\npoints = 1"],
    ["title = 'T'", "returns = 'SECRET'", "returns = 'Shown'"],
    ["title = 'T'", "raises = 'SECRET'", "raises = 'Shown'"],
    ["title = 'T'", "returns = 2\nhint = { got = '3', en = 'SECRET' }", "returns = 'Shown'"],
];

#[test]
fn a_file_with_a_hidden_row_has_no_text_of_that_row_in_its_head() {
    let exercise =
        "title = 'Bank'\nsession = 'python'\n[files]\npython = ['bank.py']\n[function]\npay = ['n']\n";
    for [head, expected, visible] in HEADS {
        let case = format!(
            "{head}\n[[step]]\ndo = 'pay(n)'\n{expected}\n\
             [[row]]\ngiven = {{ n = 1 }}\n{visible}\n[[row]]\ngiven = {{ n = 2 }}\nhidden = true\n"
        );
        let course = folder(&[("bank/exercise.toml", exercise), ("bank/rows.toml", &case)]);
        let site = site(&[&["--cases", course.path().to_str().unwrap()], &WITH_PYTHON[..]].concat());
        let text = fs::read_to_string(site.path().join("exercises/bank.json")).unwrap();
        assert!(!text.contains("SECRET") && !text.contains("777.33"), "{case}\n{text}");
        assert!(text.contains("Shown"), "{case}\n{text}");
    }
}

#[test]
fn an_exercise_of_which_nothing_is_graded_is_named_and_left_out() {
    let of = |session: &str, file: &str| {
        format!(
            "title = \"T\"\nsession = \"python\"\n[files]\n{session} = [\"{file}\"]\n[function]\nadd = [\"n\"]\n"
        )
    };
    let case = "title = \"One\"\n[[step]]\ndo = \"add(1)\"\nreturns = 2\n";
    let hidden = format!("hidden = true\n{case}");
    let course = folder(&[
        ("week/sums/exercise.toml", &of("javascript", "sums.js")),
        ("week/sums/one.toml", case),
        ("week/exam/exercise.toml", &of("javascript", "exam.js")),
        ("week/exam/one.toml", &hidden),
        ("week/fast/exercise.toml", &of("java", "Fast.java")),
        ("week/fast/one.toml", case),
        ("snakes/snake/exercise.toml", &of("python", "snake.py")),
        ("snakes/snake/one.toml", case),
    ]);
    let at = |name: &str| course.path().join(name).to_str().unwrap().to_owned();
    let out = tempfile::tempdir().unwrap();
    let written = write(out.path(), &["--cases", &at("week")]);
    assert_eq!(written.code, 0, "{}", written.all());
    assert!(written.out.contains("1 exercise,"), "{}", written.out);
    for note in ["note: exam: no visible case", "note: fast: a page grades none of its languages"] {
        assert!(written.err.contains(note), "{}", written.err);
    }
    let listed = json(&out.path().join("exercises.json"));
    assert_eq!(listed["exercises"].as_array().unwrap().len(), 1);
    for (name, reason) in [("exam", "no visible case"), ("fast", "none of its languages")] {
        let refused = write(out.path(), &["--cases", &at("week"), "--exercise", name]);
        assert_eq!((refused.code, refused.err.contains(reason)), (3, true), "{}", refused.all());
    }
    let refused = write(out.path(), &["--cases", &at("snakes")]);
    assert_eq!((refused.code, refused.err.contains("needs --pyodide")), (2, true), "{}", refused.all());
    let unnamed = ["--cases", &at("snakes"), "--pyodide-url", "https://example.org/python/"];
    let written = write(out.path(), &unnamed);
    assert_eq!((written.code, written.err.contains("names no version")), (0, true), "{}", written.all());
}

#[test]
fn samples_are_in_a_site_right_ones_first_without_what_tools_made() {
    let given = folder(&[
        ("samples/quixo/correct.js", "let right"),
        ("samples/quixo/blank_modules/board.py", "board = 1"),
        ("samples/quixo/blank_modules/parts/dice.py", "dice = 2"),
        ("samples/quixo/blank_modules/__pycache__/dice.pyc", "made"),
        ("samples/quixo/.DS_Store", "made"),
        ("samples/tetris/right.js", "let other"),
    ]);
    let samples = given.path().join("samples");
    let out = tempfile::tempdir().unwrap();
    let arguments =
        ["--exercise", "quixo", "--exercise", "codenames", "--samples", samples.to_str().unwrap()];
    let written = write(out.path(), &arguments);
    assert_eq!(written.code, 0, "{}", written.all());
    assert!(written.err.contains("tetris: no exercise of the site has this name"), "{}", written.err);
    let expected = serde_json::json!([
        { "name": "correct.js", "files": [{ "name": "correct.js", "text": "let right" }] },
        { "name": "blank_modules", "files": [
            { "name": "board.py", "text": "board = 1" }, { "name": "parts/dice.py", "text": "dice = 2" },
        ] },
    ]);
    assert_eq!(json(&out.path().join("samples/quixo.json")), expected);
    let listed = json(&out.path().join("exercises.json"));
    let names: Vec<&Value> =
        listed["exercises"].as_array().unwrap().iter().map(|exercise| &exercise["samples"]).collect();
    assert_eq!(names, [&serde_json::json!(["correct.js", "blank_modules"]), &serde_json::json!([])]);
    let worker = fs::read_to_string(out.path().join("sw.js")).unwrap();
    assert!(worker.contains("\"samples/quixo.json\""), "the samples are not there without a network");
    fs::write(samples.join("quixo/latin.py"), b"# caf\xe9").unwrap();
    let refused = write(out.path(), &arguments);
    assert_eq!((refused.code, refused.err.contains("latin.py")), (2, true), "{}", refused.all());
}

#[test]
fn a_site_is_written_again_without_what_it_had() {
    let given = folder(&[("quixo/right.js", "")]);
    let samples = given.path().to_str().unwrap();
    let out = site(&["--exercise", "quixo", "--exercise", "codenames", "--samples", samples]);
    assert!(out.path().join("exercises/quixo.json").is_file());
    assert!(out.path().join("samples/quixo.json").is_file());
    let before = fs::read_to_string(out.path().join("sw.js")).unwrap();
    assert_eq!(write(out.path(), &["--exercise", "codenames"]).code, 0);
    assert!(!out.path().join("exercises/quixo.json").exists());
    assert!(!out.path().join("samples/quixo.json").exists());
    let after = fs::read_to_string(out.path().join("sw.js")).unwrap();
    assert!(before.contains("exercises/quixo.json") && !after.contains("quixo"), "{after}");
    let version = |text: &str| text.split("\"version\":").nth(1).unwrap().get(..20).unwrap().to_owned();
    assert_ne!(version(&before), version(&after), "a browser keeps the old site");
}

#[test]
fn a_folder_of_others_is_no_site() {
    let other = folder(&[("thesis.txt", "three years")]);
    let refused = write(other.path(), &[]);
    assert_eq!(refused.code, 2, "{}", refused.all());
    assert!(refused.err.contains("not empty, and not a site of keur"), "{}", refused.err);
    let refused = run(keur_command(&["site"]).arg(other.path()).arg("--serve"));
    assert_eq!((refused.code, refused.err.contains("not a site")), (2, true), "{}", refused.err);
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
}

#[test]
fn a_site_needs_the_module_and_says_what_it_lacks() {
    let out = tempfile::tempdir().unwrap();
    let lacking = keur(&["site", out.path().to_str().unwrap()]);
    assert!(
        lacking.code == 0 || lacking.code == 2 && lacking.err.contains("--module FILE"),
        "{}",
        lacking.all()
    );
    let other = folder(&[("keur.wasm", "text")]);
    let module = other.path().join("keur.wasm");
    let unfit = keur(&["site", out.path().to_str().unwrap(), "--module", module.to_str().unwrap()]);
    assert_eq!((unfit.code, unfit.err.contains("not WebAssembly")), (2, true), "{}", unfit.err);
    let without = write(out.path(), &["--exercise", "quixo"]);
    assert!(without.err.contains("the page grades no Python"), "{}", without.err);
}

#[test]
fn pyodide_is_copied_with_the_packages_that_exercises_list() {
    let lock = r#"{"packages": {"tools": {"file_name": "tools-1.whl", "depends": ["parts"]}, "parts": {"file_name": "parts-1.whl"},
        "other": {"file_name": "other-1.whl"}}}"#;
    let course = folder(&[
        ("py/pyodide-lock.json", lock),
        ("py/pyodide.mjs", ""),
        ("py/pyodide.asm.mjs", ""),
        ("py/pyodide.asm.wasm", ""),
        ("py/python_stdlib.zip", ""),
        ("py/tools-1.whl", ""),
        ("py/parts-1.whl", ""),
        ("py/other-1.whl", ""),
        ("py/console.html", ""),
        (
            "week/sums/exercise.toml",
            "title = \"Sums\"\nsession = \"python\"\n[files]\npython = [\"sums.py\"]\n[function]\nadd = [\"n\"]\n[packages]\npython = [\"tools\", \"absent\"]\n",
        ),
        ("week/sums/one.toml", "title = \"One\"\n[[step]]\ndo = \"add(1)\"\nreturns = 2\n"),
    ]);
    let at = |name: &str| course.path().join(name).to_str().unwrap().to_owned();
    let out = tempfile::tempdir().unwrap();
    let written = write(out.path(), &["--cases", &at("week"), "--pyodide", &at("py")]);
    assert_eq!(written.code, 0, "{}", written.all());
    assert!(written.err.contains("does not have all of `absent`"), "{}", written.err);
    let copied: Vec<String> = files(&out.path().join("pyodide")).into_iter().map(|(name, _)| name).collect();
    let wanted = [
        "parts-1.whl", "pyodide-lock.json", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs",
        "python_stdlib.zip", "tools-1.whl",
    ];
    assert_eq!(copied, wanted);
    assert_eq!(
        json(&out.path().join("exercises/sums.json"))["wheels"],
        serde_json::json!(["parts-1.whl", "tools-1.whl"])
    );
    // The same folder, for exercises without packages, and then without Python.
    let left = |arguments: &[&str]| {
        assert_eq!(write(out.path(), arguments).code, 0);
        files(&out.path().join("pyodide")).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(left(&["--exercise", "quixo", "--pyodide", &at("py")]), wanted[1..6]);
    assert_eq!(left(&["--exercise", "quixo"]), [""; 0]);
}

#[test]
fn pyodide_of_an_address_is_in_the_policy_and_has_digests() {
    let address = "https://cdn.example/npm/pyodide@314.0.7/";
    let site = site(&["--exercise", "quixo", "--pyodide-url", address]);
    let page = fs::read_to_string(site.path().join("index.html")).unwrap();
    for directive in ["script-src", "connect-src"] {
        assert!(page.contains(&format!("{directive} 'self' {address}")), "{directive}");
    }
    let worker = fs::read_to_string(site.path().join("sw.js")).unwrap();
    assert!(worker.contains("\"pyodide.asm.wasm\":\"sha256-"), "{worker}");
    let unsafe_address = write(site.path(), &["--pyodide-url", "http://cdn.example/"]);
    assert_eq!(unsafe_address.code, 2, "{}", unsafe_address.all());
}

/// A server that ends with its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The answer of a server to one request, as text.
fn ask(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("{request}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_site_is_shown_on_this_machine_and_nothing_else_of_it() {
    let site = site(&["--exercise", "quixo"]);
    fs::write(site.path().parent().unwrap().join("keur-outside.txt"), "outside").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", site.path().join("link.txt")).unwrap();
    let mut command: Command = keur_command(&["site"]);
    command.arg(site.path()).args(["--serve", "--port", "0"]);
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let host = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let get = |path: &str| ask(&host, &format!("GET {path} HTTP/1.1\r\nHost: {host}"));
    let page = get("/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    for header in
        ["content-security-policy: frame-ancestors 'none'", "x-content-type-options: nosniff", "text/html"]
    {
        assert!(page.contains(header), "{header}: {page}");
    }
    assert!(get("/keur.wasm").contains("content-type: application/wasm"));
    assert!(get("/?exercise=quixo").starts_with("HTTP/1.1 200"));
    for outside in [
        "/../keur-outside.txt", "/%2e%2e/keur-outside.txt", "//etc/hostname", "/link.txt", "/exercises",
        "/none",
    ] {
        let answer = get(outside);
        assert!(answer.starts_with("HTTP/1.1 404"), "{outside}: {answer}");
    }
    assert!(ask(&host, "GET / HTTP/1.1\r\nHost: evil.example").starts_with("HTTP/1.1 403"));
    assert!(
        ask(&host, &format!("POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0"))
            .starts_with("HTTP/1.1 405")
    );
}
