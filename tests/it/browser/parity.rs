//! A page grades as `keur grade` does: the whole reports of the same submissions, compared, and the known differences.
//!
//! `KEUR_PARITY=all cargo test --test it -- --nocapture browser::parity` compares every submission in Python and
//! JavaScript of the fixtures, which takes half an hour, and `KEUR_PARITY=adder,quixo` those of two exercises; otherwise
//! it is those of [`SUBMISSIONS`].

use super::firefox::Firefox;
use super::grader::{Grading, Page, fixture, text};
use super::webdriver::Browser;
use crate::required::needs;
use crate::running::{folder, keur, keur_command, root, run, write_files};
use crate::site::MODULE;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// The variable that asks for all submissions, or for all of some exercises.
const VARIABLE: &str = "KEUR_PARITY";

/// The built-in exercises.
const GAMES: [&str; 5] = ["alquerque", "codenames", "pipopipette", "quixo", "yinyang"];

/// Submissions by their exercise, in its folder of fixtures. They return, print and raise wrong things, keep some, reach
/// limits and do not load; they are single files, modules, notebooks and a zip; their cases make calls, one after
/// another, compare objects, read through views, run programs that read, and are random sessions.
const SUBMISSIONS: &[(&str, &[&str])] = &[
    ("alquerque", &["javascript/correct_modules"]),
    (
        "codenames",
        &[
            "javascript/board_kept_outside_the_class.js",
            "javascript/correct_commonjs.js",
            "python/correct_latin1_crlf.py",
            "python/debug_print_left_behind.py",
            "python/open_cards_shared_by_all_boards.py",
            "../../downloads/canvas/hansensøren_12373_900052_codenames.zip",
            "../../downloads/canvas/elamranifatima_12401_900104_codenames.ipynb",
        ],
    ),
    (
        "pipopipette",
        &[
            "javascript/correct_canvas.js",
            "javascript/does_not_parse.js",
            "javascript/errors_are_printed.js",
            "python/class_has_another_name.py",
            "python/errors_are_printed.py",
            "python/tabs_and_blanks_mixed.py",
        ],
    ),
    (
        "quixo",
        &[
            "javascript/correct_flat.js", "python/column_before_row.py", "python/correct_lists.py",
            "python/turn_returns_text.py",
        ],
    ),
    ("yinyang", &["javascript/correct_map.js", "python/correct_sets.py", "python/value_error.py"]),
    (
        "adder",
        &[
            "submissions/python/correct_stdin",
            "submissions/python/gives_up_on_a_wrong_number",
            "submissions/python/traceback_on_a_wrong_argument",
            "submissions/python/wrong_syntax",
        ],
    ),
    ("bank", &["samples/right/properties.py", "samples/wrong/amounts_are_text.js"]),
    ("change", &["samples/right/argparse_python", "samples/wrong/asks_once"]),
    ("family", &["samples/wrong/no_base_case.py"]),
    ("generators", &["samples/right/stars.js", "samples/wrong/shared_state.py"]),
    ("names", &["samples/right/notebook.ipynb", "samples/wrong/prints_the_initials.py"]),
    ("neighbours", &["samples/wrong/removes_while_it_loops.py"]),
    ("pantry", &["samples/right/maps.js", "samples/wrong/groups_of_earlier_calls.py"]),
    ("playlist", &["samples/wrong/equal_to_itself_only.js", "samples/wrong/self_forgotten.py"]),
    ("shapes", &["samples/right/abstract.py", "samples/wrong/exact_class.js"]),
    ("stack", &["samples/wrong/no_eq.py", "samples/wrong/iterates_from_the_bottom.js"]),
];

/// Exercises of the fixtures in which every case has input files, or which list a package that is not in Pyodide's npm package.
const LEFT_OUT: [&str; 6] = ["matrices", "scores", "survey", "trend", "visits", "words"];

/// The fixtures of an exercise.
fn folder_of(exercise: &str) -> PathBuf {
    let kind = if GAMES.contains(&exercise) { "submissions" } else { "exercises" };
    root().join("fixtures").join(kind).join(exercise)
}

/// The submissions to compare, by exercise.
fn submissions() -> BTreeMap<String, Vec<PathBuf>> {
    let chosen = SUBMISSIONS.iter().map(|(exercise, names)| {
        let paths = names.iter().map(|name| folder_of(exercise).join(name)).collect();
        ((*exercise).to_owned(), paths)
    });
    match std::env::var(VARIABLE) {
        Ok(all) if all == "all" => all_submissions(),
        Ok(names) => {
            let mut all = all_submissions();
            all.retain(|exercise, _| names.split(',').any(|name| name == exercise));
            all
        }
        Err(_) => chosen.collect(),
    }
}

fn all_submissions() -> BTreeMap<String, Vec<PathBuf>> {
    let own = root().join("fixtures/exercises").read_dir().unwrap();
    let own = own.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = own.filter(|name| !LEFT_OUT.contains(&name.as_str())).chain(GAMES.map(str::to_owned));
    let of = |exercise: String| {
        let places = [
            "python", "javascript", "submissions/python", "submissions/javascript", "samples/right",
            "samples/wrong",
        ];
        let mut paths: Vec<PathBuf> = places
            .iter()
            .filter_map(|place| folder_of(&exercise).join(place).read_dir().ok())
            .flat_map(|entries| entries.map(|entry| entry.unwrap().path()))
            .filter(|path| !path.ends_with("verdicts.toml"))
            .collect();
        paths.sort();
        (exercise, paths)
    };
    names.map(of).collect()
}

/// Submissions of which only the verdicts are compared: how far an endless program gets before it is stopped, and the
/// order of a set.
const OTHER_TEXTS: [&str; 2] =
    ["adder/submissions/python/loops_at_the_end", "yinyang/python/region_is_a_list.py"];

/// The exercises as a site has them.
fn bundles(names: &[&String]) -> BTreeMap<String, Value> {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("keur.wasm");
    fs::write(&module, MODULE).unwrap();
    let of = |cases: &[&str], names: Vec<&&String>| {
        if names.is_empty() {
            return Vec::new();
        }
        let site = folder.path().join(names[0]);
        let mut command = keur_command(&["site"]);
        command.arg(&site).arg("--module").arg(&module).args(cases);
        command.args(["--pyodide-url", "https://example.org/pyodide@314.0.7/"]);
        command.args(names.iter().flat_map(|name| ["--exercise", name.as_str()]));
        let run = run(&mut command);
        assert_eq!(run.code, 0, "{run:?}");
        let content = |name: &String| fs::read(site.join(format!("exercises/{name}.json"))).unwrap();
        names
            .into_iter()
            .map(|name| ((*name).clone(), serde_json::from_slice(&content(name)).unwrap()))
            .collect::<Vec<_>>()
    };
    let (games, own): (Vec<_>, Vec<_>) = names.iter().partition(|name| GAMES.contains(&name.as_str()));
    let mut all = of(&[], games);
    all.extend(of(&["--cases", "fixtures/exercises"], own));
    all.into_iter().collect()
}

/// A folder with the texts of an exercise.
fn cases(exercise: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = exercise["files"].as_object().unwrap().iter();
    let files: Vec<(String, &str)> = files
        .map(|(file, text)| {
            (format!("{}/{file}", exercise["name"].as_str().unwrap()), text.as_str().unwrap())
        })
        .collect();
    write_files(folder.path(), &files.iter().map(|(file, text)| (file.as_str(), *text)).collect::<Vec<_>>());
    folder
}

/// The reports of the program keur, for the students. An exercise that is not built in has the cases of a site.
fn native(exercise: &Value, paths: &[PathBuf]) -> Vec<Value> {
    let name = exercise["name"].as_str().unwrap();
    let cases = cases(exercise);
    let mut options =
        vec!["grade", "--format", "json", "--audience", "student", "--lang", "en", "--exercise", name];
    if !GAMES.contains(&name) {
        options.extend(["--cases", cases.path().to_str().unwrap()]);
    }
    options.extend(paths.iter().map(|path| path.to_str().unwrap()));
    let run = keur(&options);
    let text = run.out.replace(cases.path().to_str().unwrap(), "cases");
    let mut report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{run:?}"));
    let Value::Array(reports) = report["submissions"].take() else { panic!("{run:?}") };
    assert_eq!(reports.len(), paths.len(), "{run:?}");
    reports
}

/// Texts of the page, and what an older Python and the engine of Node say instead.
const REWORDED: [(&str, &str); 6] = [
    ("max() iterable argument is empty", "max() arg is an empty sequence"),
    ("min() iterable argument is empty", "min() arg is an empty sequence"),
    ("list.index(x): x not in list", "4 is not in list"),
    ("ZeroDivisionError: division by zero", "ZeroDivisionError: integer modulo by zero"),
    ("Object.eval", "Object.<anonymous>"),
    ("unexpected token: keyword 'this'", "Unexpected token 'this'"),
];

/// A function in the trace of an older Python, where a newer one has none.
const COMPREHENSION: &str = "<listcomp>";

/// A report without what differs between a machine and a page: the interpreter, its confinement, and names on disk.
fn comparable(mut report: Value) -> Value {
    for key in ["runtime", "confinement", "name", "path", "files"] {
        report.as_object_mut().unwrap().remove(key);
    }
    unversioned(&mut report);
    report
}

/// Leaves the verdicts of a report, and no texts.
fn without_findings(report: &mut Value) {
    for case in report["cases"].as_array_mut().into_iter().flatten() {
        case.as_object_mut().unwrap().remove("finding");
    }
}

/// Takes away what differs between versions of Python and engines of JavaScript.
fn unversioned(value: &mut Value) {
    match value {
        Value::String(text) => {
            REWORDED.iter().for_each(|(page, program)| *text = text.replace(page, program));
        }
        Value::Array(items) => {
            items.retain(|item| item["function"] != COMPREHENSION);
            items.iter_mut().for_each(unversioned);
        }
        Value::Object(fields) => fields.values_mut().for_each(unversioned),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What differs between the reports of the page and of the program, one line for each value.
fn differences(at: &str, page: &Value, program: &Value) -> Vec<String> {
    match (page, program) {
        _ if page == program => Vec::new(),
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.iter()
                .flat_map(|key| differences(&format!("{at}/{key}"), &page[*key], &program[*key]))
                .collect()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let both = one.iter().zip(other).enumerate();
            both.flat_map(|(index, (one, other))| differences(&format!("{at}/{index}"), one, other)).collect()
        }
        _ => vec![format!("{at}: in a page {page}, in the program {program}")],
    }
}

/// Whether a page says that it does not grade the submission.
fn is_elsewhere(answer: &Value) -> bool {
    let error = answer["graded"]["error"].as_str();
    answer["graded"]["elsewhere"] == true || error.is_some_and(|error| error.contains("cannot run programs"))
}

/// Asserts that the page reports of these submissions, by exercise, what the program does.
fn compare(grading: &Grading<impl Page>, submissions: &BTreeMap<String, Vec<PathBuf>>) {
    let bundles = bundles(&submissions.keys().collect::<Vec<_>>());
    let (mut reports, mut verdicts, mut different) = (0, 0, Vec::new());
    for (name, paths) in submissions {
        for (path, program) in paths.iter().zip(native(&bundles[name], paths)) {
            grading.ask(&bundles[name], &fixture(path));
            let answer = grading.answer();
            if is_elsewhere(&answer) {
                continue;
            }
            let page = answer["graded"]["report"].clone();
            assert!(page.is_object(), "{}: {answer}", path.display());
            reports += 1;
            verdicts += page["cases"].as_array().map_or(0, Vec::len);
            let (mut page, mut program) = (comparable(page), comparable(program));
            if OTHER_TEXTS.iter().any(|name| path.ends_with(name)) {
                without_findings(&mut page);
                without_findings(&mut program);
            }
            let found = differences("", &page, &program);
            different.extend(found.into_iter().map(|found| format!("{}{found}", path.display())));
        }
    }
    println!("{reports} reports, {verdicts} verdicts");
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn a_page_reports_what_the_program_reports() {
    needs!(Browser, External);
    compare(&Grading::start(Browser::start()), &submissions());
}

#[test]
fn a_page_in_firefox_reports_what_the_program_reports() {
    needs!(Firefox, External);
    let grading = Grading::start(Firefox::start());
    let of = |exercise: &str, names: &[&str]| {
        (exercise.to_owned(), names.iter().map(|name| folder_of(exercise).join(name)).collect())
    };
    let submissions = [
        of("codenames", &["javascript/correct_commonjs.js", "python/debug_print_left_behind.py"]),
        of("pipopipette", &["javascript/does_not_parse.js"]),
        of("quixo", &["python/turn_returns_text.py"]),
    ];
    compare(&grading, &submissions.into());
}

/// Calls of which a page and the program say something else: the body of a function in Python, what each says.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("import sys; return sys.maxsize", "2147483647", "9223372036854775807"),
    ("return ''.join({'a', 'b', 'c', 'dd', 'ee'})", "'acbeedd'", "'eecabdd'"),
    (
        "return len(bytearray(3 * 10**9))",
        "OverflowError: cannot fit 'int' into an index-sized integer",
        "MemoryError",
    ),
    (
        "open('nothing.txt')",
        "FileNotFoundError: [Errno 44] No such file or directory: 'nothing.txt'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'nothing.txt'",
    ),
    (
        "import asyncio\n    async def one(): return 1\n    return asyncio.run(one())",
        "1",
        "PermissionError: [Errno 1] Operation not permitted",
    ),
    ("import pwd", "ModuleNotFoundError: No module named 'pwd'", "None"),
    ("import os; return os.path.exists('/etc/passwd')", "False", "True"),
];

/// Calls of which both say the same: bodies of a function in Python.
const SAME: &[&str] = &[
    "exit()",
    "import pyodide",
    "import os; return dict(os.environ)",
    "import os; os.write(1, b'shown'); return os.read(0, 1)",
    "import sys; return sys.stdout.encoding, sys.stdout.fileno(), type(sys.stdout).__name__",
    "import io, sys; sys.stdout = io.StringIO(); sys.stdout = sys.__stdout__; print('shown')",
    "import sys; sys.stdout.close(); print('hidden')",
    "import time; return time.localtime(0).tm_hour, time.mktime((1970, 7, 1, 0, 0, 0, 0, 0, 0))",
    "print('\\ud800')",
    "while True: print('x' * 99)",
];

/// Such calls in JavaScript.
const SAME_IN_JAVASCRIPT: &[&str] = &[
    "for (;;) console.log('x'.repeat(99))",
    "console.log('x'); return 1",
    "let n = 0; const own = new EventTarget(); own.addEventListener('x', () => { n = 1; }); own.dispatchEvent(new Event('x')); return n",
];

/// The findings of calls of these functions, one that no case expects: what a page says and what the program says.
fn findings(grading: &Grading<impl Page>, file: &str, bodies: &[&str]) -> Vec<[Value; 2]> {
    let define = |(index, body): (usize, &&str)| match file {
        "odd.py" => format!("def call{index}():\n    {body}\n"),
        _ => format!("function call{index}() {{ {body} }}\n"),
    };
    let source: String = bodies.iter().enumerate().map(define).collect();
    let names: Vec<String> = (0..bodies.len()).map(|index| format!("call{index}")).collect();
    let functions: String = names.iter().map(|name| format!("{name} = {{ args = [] }}\n")).collect();
    let mut files: BTreeMap<String, String> = names
        .iter()
        .map(|name| {
            let case = format!("title = \"{name}\"\n[[step]]\ndo = \"{name}()\"\nreturns = \"another\"\n");
            (format!("{name}.toml"), case)
        })
        .collect();
    let about = format!(
        "title = \"Odd\"\nsession = \"python\"\n[files]\npython = [\"odd.py\"]\njavascript = [\"odd.js\"]\n\
         [function]\n{functions}"
    );
    files.insert("exercise.toml".to_owned(), about);
    let exercise = json!({ "name": "odd", "title": "Odd", "files": files });
    let folder = folder(&[(file, &source)]);
    let path = folder.path().join(file);
    let program = native(&exercise, std::slice::from_ref(&path)).remove(0);
    let (page, _) = grading.grade(&exercise, &fixture(&path));
    let finding = |report: &Value, name: &String| {
        let case = report["cases"].as_array().unwrap().iter().find(|case| case["name"] == *name).unwrap();
        case["finding"].clone()
    };
    names.iter().map(|name| [&page, &program].map(|report| finding(report, name))).collect()
}

#[test]
fn a_page_differs_from_the_program_only_in_what_is_known() {
    needs!(Browser, External);
    let grading = Grading::start(Browser::start());
    grading.0.developer("Emulation.setTimezoneOverride", &json!({ "timezoneId": "Europe/Brussels" }));
    for (file, bodies) in [("odd.py", SAME), ("odd.js", SAME_IN_JAVASCRIPT)] {
        for ([page, program], body) in findings(&grading, file, bodies).iter().zip(bodies) {
            assert_eq!(page, program, "{body}");
        }
    }
    let bodies: Vec<&str> = DIFFERENT.iter().map(|(body, ..)| *body).collect();
    for (said, (body, of_page, of_program)) in findings(&grading, "odd.py", &bodies).iter().zip(DIFFERENT) {
        assert_eq!(said.each_ref().map(|said| text(&said["got"])), [*of_page, *of_program], "{body}");
    }
}
