//! The command line as users see it: outputs, exit codes, and errors that say what to do.

mod audience;
#[cfg(feature = "quickjs")]
mod engine;
mod fairness;
mod fill;
mod formats;
mod greeting;
mod hidden_files;
mod import;
mod judges;
#[cfg(target_os = "linux")]
mod killed;
mod loading;
mod new;
mod opening;
mod own;
mod repeat;
mod rows;
mod show;
mod steps;
mod terminal;
#[cfg(target_os = "linux")]
mod workers;
#[cfg(unix)]
mod writing;

use crate::running::{Run, assert_says, folder, keur, keur_command, root, run, unwrapped};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXERCISE: &str = r#"
title = "Counters"
session = "python"
raises = "ValueError"

[files]
python = ["counter.py"]
javascript = ["counter.js"]

[class.Counter]
new = ["start?"]
methods = { count_up = ["by?"], value = [] }
"#;

const CASE: &str = r#"
title = "It counts"

[[step]]
do = "c = Counter(1)"

[[step]]
do = "c.count_up(by=2)"
same = "c"

[[step]]
do = "c.value()"
returns = 3
"#;

const COUNTER: &str = "class Counter:
    def __init__(self, start=0):
        self.n = start

    def count_up(self, by=1):
        self.n += by
        return self

    def value(self):
        return self.n
";

/// A folder with the exercise `counters` and its case `counts`, both with replacements.
fn library(exercise: &str, case: &str) -> tempfile::TempDir {
    folder(&[("counters/exercise.toml", exercise), ("counters/counts.toml", case)])
}

/// Grades `files` (names and contents) as one folder, as JSON.
fn grade_files(library: &Path, files: &[(&str, &str)], more: &[&str]) -> (i32, Value) {
    let folder = folder(files);
    let mut args = vec!["grade", folder.path().to_str().unwrap(), "--cases", library.to_str().unwrap()];
    args.extend(["--format", "json", "--lang", "en"]);
    args.extend(more);
    let run = keur(&args);
    (run.code, run.json())
}

/// The exit code, verdict and message of one file graded as the answer to the counters.
#[track_caller]
fn check_file(name: &str, text: &str, verdict: &str, message: &str) {
    let library = library(EXERCISE, CASE);
    let (code, json) = grade_files(library.path(), &[(name, text)], &[]);
    let case = &json["submissions"][0]["cases"][0];
    assert_eq!(case["verdict"], verdict, "{json:#}");
    assert_eq!(code, i32::from(verdict != "passed"));
    let said = case["finding"]["message"].as_str().unwrap_or_default();
    assert!(said.contains(message), "{said:?} does not say {message:?}");
}

/// Checks what `keur check` says about a wrong case.
#[track_caller]
fn check_case(case: &str, says: &[&str]) {
    let library = library(&format!("reference = \"codenames\"{EXERCISE}"), case);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}", run.err);
    for says in says {
        assert!(run.err.contains(says), "{says:?} is not in:\n{}", run.err);
    }
}

#[test]
fn a_correct_submission_passes_with_exit_0() {
    let run = keur(&["grade", "fixtures/submissions/codenames/python/correct.py"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("correct · Codenames · Python 3."), "{}", run.out);
    assert!(!run.out.contains('\u{1b}'), "colours in a pipe");
}

#[test]
fn the_hint_of_a_case_says_nothing_of_a_mistake_that_it_is_not_about() {
    let library = library(EXERCISE, &format!("hint = \"look at the sum\"\n{CASE}"));
    let adds = |code: &str| COUNTER.replace("self.n += by", code);
    let hint = Some("look at the sum");
    for (text, shown) in [
        (adds("self.n -= by"), hint),
        (adds("self.n = [][by]"), None),
        (COUNTER.replace("return self.n", "return [][self.n]"), hint),
        (adds("self.n += bye"), None),
        (COUNTER.replace("return self.n", "return str(self.n)"), None),
        (adds("while True: pass"), None),
        (COUNTER.replace("count_up", "count"), None),
        ("def f(:\n".to_owned(), None),
        ("class Other: pass\n".to_owned(), None),
    ] {
        let (_, json) = grade_files(library.path(), &[("counter.py", &text)], &[]);
        assert_eq!(json["submissions"][0]["cases"][0]["hint"].as_str(), shown, "{text}{json:#}");
    }
    let library = self::library(EXERCISE, &format!("hint = \"look at the sum\"\nhidden = true\n{CASE}"));
    let (_, json) = grade_files(library.path(), &[("counter.py", &adds("self.n += bye"))], &[]);
    assert_eq!(json["submissions"][0]["cases"][0]["hint"].as_str(), hint, "{json:#}");
}

#[test]
fn the_hint_of_a_step_is_for_its_failures_alone() {
    let of_step = |keys: &str| {
        let with = format!("same = \"c\"\nhint = {{ {keys}en = \"look at the step\" }}");
        CASE.replace("same = \"c\"", &with).replace("title", "hint = \"look at the sum\"\ntitle")
    };
    let copies = COUNTER.replace("return self\n", "return Counter(self.n)\n");
    let raises = COUNTER.replace("return self\n", "return [][9]\n");
    let (step, sum) = (Some("look at the step"), Some("look at the sum"));
    for (keys, text, shown) in [
        ("", &copies, step),
        ("", &raises, step),
        ("", &COUNTER.replace("self.n += by", "self.n -= by"), sum),
        ("when = \"wrong value\", ", &copies, step),
        ("when = \"wrong value\", ", &raises, None),
        ("when = \"raised\", ", &raises, step),
        ("got = \"Counter\", ", &copies, None),
        ("got = \"IndexError: list index out of range\", ", &raises, step),
    ] {
        let library = library(EXERCISE, &of_step(keys));
        let (_, json) = grade_files(library.path(), &[("counter.py", text)], &[]);
        assert_eq!(json["submissions"][0]["cases"][0]["hint"].as_str(), shown, "{keys}{text}{json:#}");
    }
    // In a hidden case, it would tell the kind of failure.
    let hidden = format!("hidden = true\n{}", of_step("when = \"wrong value\", "));
    let (_, json) = grade_files(library(EXERCISE, &hidden).path(), &[("counter.py", &copies)], &[]);
    assert_eq!(json["submissions"][0]["cases"][0]["hint"].as_str(), sum, "{json:#}");
    check_case(&of_step("when = \"wrong\", "), &["`when` is \"wrong\"", "wrong value"]);
    let no_text = CASE.replace("same = \"c\"", "same = \"c\"\nhint = { when = \"raised\" }");
    check_case(&no_text, &["`hint` has no text"]);
}

#[test]
fn a_failed_case_shows_the_session_and_both_sides() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", &COUNTER.replace("return self.n", "return str(self.n)"))]);
    let file = folder.path().join("counter.py");
    let args = ["grade", file.to_str().unwrap(), "--cases", library.path().to_str().unwrap(), "--lang", "en"];
    let run = keur(&args);
    assert_eq!(run.code, 1);
    let shown = "      >>> from counter import Counter
    1 >>> c = Counter(1)
    2 >>> c.count_up(by=2)
      <Counter>
    3 >>> c.value()
    step 3: right value, wrong type: expected int, got str
      expected   got
      3        ≠ '3'
";
    assert_says(&run.out, shown);
    let coloured = keur(&[args.as_slice(), &["--color", "always"]].concat());
    assert!(coloured.out.contains('\u{1b}'));
}

#[test]
fn json_has_the_documented_shape() {
    let library = library(EXERCISE, CASE);
    let (code, json) =
        grade_files(library.path(), &[("counter.py", &COUNTER.replace("by=1", "amount=1"))], &[]);
    assert_eq!((code, &json["version"]), (1, &Value::from(1)));
    let submission = &json["submissions"][0];
    assert_eq!(submission["exercise"], "counters");
    assert_eq!(submission["language"], "python");
    assert_eq!((&submission["points"], &submission["max_points"]), (&Value::from(0), &Value::from(1)));
    assert_eq!(submission["passed"], false);
    let finding = &submission["cases"][0]["finding"];
    assert_eq!(finding["step"], 2);
    assert_eq!(finding["session"][2], ">>> c.count_up(by=2)");
    assert!(finding["exception"]["text"].as_str().unwrap().starts_with("TypeError: "), "{finding:#}");
    let (code, _) = grade_files(library.path(), &[("counter.py", "x = 1\n")], &["--exit-zero"]);
    assert_eq!(code, 0, "--exit-zero");
}

#[test]
fn the_same_cases_grade_both_languages() {
    let javascript = "class Counter {
      constructor(start = 0) { this.n = start; }
      countUp(by = 1) { this.n += by; return this; }
      value() { return this.n; }
    }
    ";
    check_file("counter.js", javascript, "passed", "");
    check_file("counter.py", COUNTER, "passed", "");
    check_file("counter.js", &format!("{javascript}\nmodule.exports = Counter;"), "passed", "");
    check_file("counter.js", &format!("{javascript}\nmodule.exports = {{ Counter }};"), "passed", "");
    check_file("counter.mjs", &format!("export {javascript}"), "passed", "");
    check_file("counter.js", &format!("export default {javascript}"), "passed", "");
    let assert = format!("const assert = require('node:assert');\n{javascript}assert.equal(1, 1);");
    check_file("counter.js", &assert, "passed", "");
    let library = library(EXERCISE, CASE);
    let requiring =
        format!("const {{ plus }} = require('./plus');\n{javascript}").replace("+= by", "= plus(this.n, by)");
    let files = [("counter.js", requiring.as_str()), ("plus.js", "exports.plus = (a, b) => a + b;")];
    let (code, json) = grade_files(library.path(), &files, &[]);
    assert_eq!(code, 0, "a file beside it is required: {json:#}");
}

#[test]
fn files_are_taken_as_students_hand_them_in() {
    check_file("counter.py", &format!("\u{feff}{}", COUNTER.replace('\n', "\r\n")), "passed", "");
    check_file("counter.py", &format!("{COUNTER}\nprint(Counter(3).value())\n"), "passed", "");
    check_file("counter.py", &format!("{COUNTER}\nimport doctest\ndoctest.testmod()\n"), "passed", "");
    check_file("counter.py", &format!("{COUNTER}\nassert Counter(3).value() == 4, 'oops'\n"), "passed", "");
    check_file("een teller.py", COUNTER, "passed", "");
}

#[test]
fn a_call_on_nothing_or_on_a_value_asks_what_was_returned_before_it() {
    let case = "title = \"Chained\"\n[[step]]\ndo = \"c = Counter()\"\n[[step]]\ndo = \"c.count_up().value()\"\nreturns = 1\n";
    let library = library(EXERCISE, case);
    let text = COUNTER.replace("        return self\n", "");
    let (_, json) = grade_files(library.path(), &[("counter.py", &text)], &[]);
    let case = &json["submissions"][0]["cases"][0];
    assert_eq!(case["verdict"], "raised", "{json:#}");
    assert_eq!(
        case["finding"]["message"],
        "value was called on nothing (NoneType): the call before it returned nothing; is a return missing there?"
    );
    let text = COUNTER.replace("return self\n", "return self.n\n");
    let (_, json) = grade_files(library.path(), &[("counter.py", &text)], &[]);
    assert_eq!(
        json["submissions"][0]["cases"][0]["finding"]["message"],
        "count_up returned a value of type int, which has no value: should it return the object itself (return self)?"
    );
}

#[test]
fn mismatches_are_named() {
    let with = |from: &str, to: &str| COUNTER.replace(from, to);
    check_file(
        "counter.py",
        &with("        return self\n", ""),
        "wrong value",
        "end the method with return self",
    );
    check_file(
        "counter.py",
        &with("return self.n", "print(self.n)"),
        "wrong value",
        "printed instead of returned",
    );
    check_file(
        "counter.py",
        &with("count_up", "countUp"),
        "raised",
        "has no method count_up, but has countUp: the name must be exactly count_up",
    );
    check_file(
        "counter.py",
        &with("class Counter", "class counter"),
        "load error",
        "is not defined, but counter is: the name must be exactly Counter",
    );
    let property = with("    def value", "    @property\n    def value");
    check_file("counter.py", &property, "raised", "value of Counter is an attribute, not a method");
    check_file(
        "counter.py",
        &with("def value", "async def value"),
        "wrong value",
        "a coroutine was returned",
    );
    check_file("counter.py", &with("return self.n", "return (self.n"), "load error", "a syntax error");
    check_file("counter.py", &format!("n = input()\n{COUNTER}"), "load error", "asks for input");
    check_file("counter.py", &format!("import numpy\n{COUNTER}"), "load error", "module numpy was not found");
    check_file(
        "counter.js",
        "const fs = require('fs');\nclass Counter {}",
        "load error",
        "module fs was not found",
    );
    check_file("counter.py", "\n", "load error", "counter.py is empty");
}

#[test]
fn misbehaviour_costs_its_own_case_and_nothing_else() {
    let value = |body: &str| COUNTER.replace("return self.n", body);
    check_file("counter.py", &value("while True: pass"), "time limit", "the computation took too long");
    check_file("counter.py", &value("import os; os._exit(0)"), "crashed", "with exit code 0");
    check_file("counter.py", &value("import os; os.abort()"), "crashed", "(signal 6)");
    check_file("counter.py", &value("print('x' * 10**6); return 3"), "output limit", "printed too much");
    check_file("counter.py", &value("return [0] * 10**9"), "memory limit", "too much memory");
    check_file(
        "counter.py",
        &value("import os; os.write(3, b'x' * 64)"),
        "protocol violation",
        "not be read",
    );
    let a: String = value("x = []; x.append(x); return x");
    check_file("counter.py", &a, "wrong value", "too large, nested too deep");
    let forever = "class Counter { constructor() {} countUp() { return this; } value() { for (;;); } }";
    check_file("counter.js", forever, "time limit", "the computation took too long");
    let exit = "class Counter { constructor() {} countUp() { return this; } value() { process.exit(0); } }";
    check_file("counter.js", exit, "crashed", "with exit code 0");
}

#[test]
fn a_folder_may_hold_noise() {
    let library = library(EXERCISE, CASE);
    let files = [
        ("work/counter.py", COUNTER),
        ("work/__pycache__/counter.py", "junk"),
        ("__MACOSX/work/counter.py", "junk"),
        ("work/test_counter.py", "import nothing_there"),
        ("work/.git/counter.py", "junk"),
        ("work/report.pdf", "%PDF"),
    ];
    let (code, json) = grade_files(library.path(), &files, &[]);
    assert_eq!(code, 0, "{json:#}");
    let importing = COUNTER.replace("return self.n", "return helper.same(self.n)");
    let files = [
        ("counter.py", format!("import helper\n{importing}")),
        ("helper.py", "def same(x):\n    return x\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert_eq!(grade_files(library.path(), &files, &[]).0, 0);
    let (code, json) = grade_files(library.path(), &[("a.py", COUNTER), ("b.py", COUNTER)], &[]);
    assert_eq!(code, 1);
    // Which one is meant is no question of points.
    let error = &json["submissions"][0]["error"];
    assert_eq!(
        (&error["kind"], json["submissions"][0]["cases"].as_array().map(Vec::len)),
        (&"nothing".into(), Some(0))
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("several files could be the answer: a.py, b.py"), "{message}");
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_skipped_with_a_warning() {
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.py"), COUNTER).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("counter.py")).unwrap();
    let path = folder.path().to_str().unwrap();
    let run = keur(&["grade", path, "--cases", library.path().to_str().unwrap(), "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert_says(&run.out, "skipped: counter.py is a link");
}

#[test]
fn a_zip_is_read_in_memory() {
    use std::io::Write;
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("work.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in
        [("work/counter.py", COUNTER), ("../escape.py", COUNTER), ("__MACOSX/counter.py", "junk")]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let args = ["grade", path.to_str().unwrap(), "--cases", library.path().to_str().unwrap(), "--lang", "en"];
    let run = keur(&args);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_says(&run.out, "leads out of the zip");
    fs::write(&path, "PK\u{3}\u{4}broken").unwrap();
    let run = keur(&args);
    assert_eq!(run.code, 1, "{}", run.out);
    assert_says(&run.out, "work.zip is damaged, or is not a zip");
}

#[test]
fn many_are_graded_at_once_and_the_highest_exit_code_counts() {
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("jan", COUNTER), ("piet", "class Counter: pass\n")] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("counter.py"), text).unwrap();
    }
    let (folder, library) = (folder.path().to_str().unwrap(), library.path().to_str().unwrap());
    let run = keur(&["grade", "--each", folder, "--cases", library, "--lang", "en"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("✓ jan            1/1\n✗ piet           0/1  exception  TypeError was raised, "),
        "{}",
        run.out
    );
    let (jan, piet) = (format!("{folder}/jan/counter.py"), format!("{folder}/piet/counter.py"));
    let (exercise, case) = (EXERCISE.replace("ounter", "lock"), CASE.replace("Counter", "Clock"));
    crate::running::write_files(
        Path::new(library),
        &[("clocks/exercise.toml", &exercise), ("clocks/counts.toml", &case)],
    );
    let run = keur(&["grade", &jan, &piet, "no/such/file.py", "--cases", library, "--format", "json"]);
    assert_eq!(run.code, 2);
    let json = run.json();
    let names: Vec<&str> =
        json["submissions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["jan/counter", "piet/counter", "file"]);
    assert_eq!(json["submissions"][0]["passed"], true, "the others are graded still");
    assert_eq!(json["submissions"][2]["error"]["kind"], "usage");
}

#[test]
fn the_exercise_is_found_from_the_submission() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        keur(&["grade", path.to_str().unwrap(), "--format", "json"])
    };
    let exercise = |run: &Run| {
        let json = run.json();
        json["submissions"][0]["exercise"].clone()
    };
    assert_eq!(exercise(&ask("mine.js", "class Quixo {}")), "quixo");
    assert_eq!(exercise(&ask("quixo.js", "let x = 1;")), "quixo");
}

#[test]
fn wrong_calls_exit_with_2_and_say_what_to_do() {
    const CORRECT: &str = "fixtures/submissions/codenames/python/correct.py";
    const QUIXO: &str = "fixtures/submissions/quixo/python/correct_dict.py";
    for (args, says) in [
        (["grade", "--exercise", "codenams", "x.py"].as_slice(), "did you mean `codenames`?"),
        (&["grade"], "nothing to grade"),
        (&["grade", "no/such.py"], ""),
        (&["grade", "x.py", "--cpu", "1h"], "write it like"),
        (&["grade", "x.py", "--format", "xml"], "terminal"),
        (&["grade", CORRECT, "--case", "zzz"], "--case selects no case of codenames"),
        (&["grade", QUIXO, "--case", "only_two_symbols"], "such cases count only with --rulings"),
        (&["check", "no/such.toml"], "no/such.toml"),
        (&["list", "chess"], "no exercise `chess`"),
        (&["frobnicate"], "unrecognized"),
    ] {
        let run = keur(args);
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.out, run.err);
        let said = run.all();
        let said = unwrapped(&said);
        assert!(said.contains(says), "{args:?}: {said}");
    }
}

#[test]
fn a_missing_interpreter_is_exit_4() {
    let run = keur(&[
        "grade",
        "fixtures/submissions/codenames/python/correct.py",
        "--python",
        "/nonexistent/python3",
    ]);
    assert_eq!(run.code, 4);
    assert_says(&run.out, "/nonexistent/python3 does not work as a Python interpreter");
}

#[test]
fn an_error_of_the_exercise_is_a_fault_for_each_reader() {
    let library = library(EXERCISE, &CASE.replace("title", "titel"));
    for audience in ["instructor", "student"] {
        let (code, json) = grade_files(library.path(), &[("counter.py", COUNTER)], &["--audience", audience]);
        assert_eq!((code, &json["submissions"][0]["error"]["kind"]), (3, &"fault".into()), "{audience}");
    }
}

#[test]
fn the_checks_of_a_built_in_exercise_run_on_the_python_that_is_named() {
    let case = "title = \"t\"\n[[step]]\ndo = \"1\"\nreturns = { check = \"checks.py:is_one\" }\n";
    let folder = folder(&[
        ("counters/exercise.toml", &format!("reference = \"codenames\"{EXERCISE}")),
        ("counters/ones.toml", case),
        ("counters/checks.py", "def is_one(value):\n    return value == 1\n"),
    ]);
    let check = ["check", folder.path().to_str().unwrap()];
    let run = keur(&check);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = keur(&[check.as_slice(), &["--python", "/bin/false"]].concat());
    assert_eq!(run.code, 3, "{}", run.out);
    assert_says(&run.err, "/bin/false does not work as a Python interpreter");
}

#[test]
fn a_program_that_speaks_the_protocol_is_graded() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", COUNTER)]);
    let file = folder.path().join("counter.py");
    let driver = root().join("crates/core/src/languages/python/driver.py");
    let command = format!("python3 '{}' pipes", driver.display());
    let args = ["grade", file.to_str().unwrap(), "--cases", library.path().to_str().unwrap(), "--command"];
    let run = keur(&[args.as_slice(), &[&command]].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = keur(&[args.as_slice(), &["false"]].concat());
    assert_eq!(run.code, 4);
    assert!(
        run.out.contains("false is not ready to load a submission: it ended with status 1"),
        "{}",
        run.out
    );
    let run = keur(&["grade", "--command", "true"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_command_is_split_as_a_shell_splits_it() {
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    let (file, driver) = (folder.path().join("counter.py"), folder.path().join("my driver.py"));
    fs::write(&file, COUNTER).unwrap();
    fs::copy(root().join("crates/core/src/languages/python/driver.py"), &driver).unwrap();
    let args = ["grade", file.to_str().unwrap(), "--cases", library.path().to_str().unwrap(), "--command"];
    let path = driver.to_str().unwrap();
    for written in [format!("'{path}'"), format!("\"{path}\""), path.replace(' ', "\\ ")] {
        let run = keur(&[args.as_slice(), &[&format!("python3 {written} pipes")]].concat());
        assert_eq!(run.code, 0, "{written}: {}{}", run.out, run.err);
    }
    for (command, says) in [
        ("python3 'my driver.py pipes", "a quote is not closed"),
        ("python3 \"my driver.py pipes", "a quote is not closed"),
        ("python3 driver.py \\", "nothing follows the last backslash"),
        ("  ", "no program is named"),
    ] {
        let run = keur(&[args.as_slice(), &[command]].concat());
        assert_eq!(run.code, 2, "{command}: {}", run.err);
        assert!(run.err.contains("--command") && run.err.contains(says), "{command}: {}", run.err);
    }
}

#[test]
fn the_built_in_cases_hold_on_their_reference() {
    let run = keur(&["check"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let all = keur_core::case::Library::BuiltIn.names().unwrap().len();
    let says = format!("cases of {all} exercises: the reference agrees with each");
    assert_says(&run.out, &says);
}

#[test]
fn cases_without_a_reference_are_checked_for_their_form() {
    let folder = library(EXERCISE, CASE);
    fs::write(folder.path().join("counters/more.toml"), CASE.replace("It counts", "More")).unwrap();
    let path = folder.path().to_str().unwrap();
    let formed = "2 cases of 1 exercise: well formed; without a reference, what they expect is not checked\n";
    let run = keur(&["check", path]);
    assert_eq!((run.code, run.out.as_str()), (0, formed), "{}", run.err);
    let run = keur(&["check", path, "cases/quixo"]);
    let (quixo, counters) = run.out.split_once('\n').unwrap();
    assert_eq!((run.code, counters), (0, formed), "{}", run.err);
    assert!(quixo.ends_with("cases of 1 exercise: the reference agrees with each"), "{quixo}");
    fs::write(folder.path().join("counters/more.toml"), "titel = 1\n").unwrap();
    assert_eq!(keur(&["check", path]).code, 3);
}

#[test]
fn files_beside_a_built_in_name_need_no_exercise_file() {
    let folder = tempfile::tempdir().unwrap();
    let quixo = folder.path().join("quixo");
    fs::create_dir(&quixo).unwrap();
    let case = "title = \"t\"\n[[step]]\ndo = \"q = Quixo(2)\"\nshows = \"--\\n--\"\n";
    fs::write(quixo.join("one.toml"), case).unwrap();
    for path in [folder.path(), &quixo, &quixo.join("one.toml")] {
        let run = keur(&["check", path.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}: {}", path.display(), run.err);
    }
    fs::write(quixo.join("one.toml"), case.replace("--\\n--", "--\\n-X")).unwrap();
    let run = keur(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 3);
    assert_says(&run.err, "one.toml:4:9");
    assert_says(&run.err, "- the case      -X\n  + the reference --\n");
}

#[test]
fn all_errors_of_a_file_are_told_with_their_place() {
    let case = r#"titel = "It counts"
[[step]]
do = "c = Countr(1)"
points = 2

[[step]]
do = "c.count_down()"
retruns = 3
"#;
    check_case(
        case,
        &[
            "counts.toml:1:1",
            "unknown key `titel`",
            "did you mean `title`?",
            "`title` is missing",
            "counts.toml:3:11",
            "did you mean `Counter`?",
            "counts.toml:4:1",
            "move it up, above the first [[step]]",
            "counts.toml:7:9",
            "unknown key `retruns`",
            "did you mean `returns`?",
            "6 errors in 1 file",
        ],
    );
}

#[test]
fn calls_that_a_case_lacks_are_refused() {
    let step = |line: &str| format!("title = \"t\"\n[[step]]\ndo = \"c = Counter()\"\n[[step]]\n{line}\n");
    for (line, says) in [
        ("do = \"c.value(1)\"", "`value` takes no arguments, not 1"),
        ("do = \"c.count_up(wy=1)\"", "did you mean `by`?"),
        ("do = \"d.value()\"", "`d` is used before it is bound"),
        ("do = \"c.valeu()\"", "did you mean `value`?"),
        ("do = \"c.value()\"\nreturns = 1\nraises = \"x\"", "a step that raises has nothing for `returns`"),
        ("do = \"c.value()\"\nreturns = 1\nequals = \"1\"", "both expect the value"),
        ("do = \"c.value()\"\nreturns = { any = 1 }", "a table here is a matcher, and this is none"),
        ("do = \"c.value()\"\nreturns = { approx = 1.5 }", "`approx` needs `within`"),
        ("do = \"c.value()\"\nreturns = { matches = \"(\" }", "not a regular expression"),
        ("do = \"c.value()\"\nequals = \"c\"", "`equals` takes a literal"),
        ("do = \"c.value()\"\nsame = \"d\"", "`d` is used before it is bound"),
        ("do = []", "the step does nothing"),
        ("do = 3", "it should be a string or a list of strings"),
        ("run = \"x.py\"", "the exercise has no program `x.py`"),
        ("do = \"c.value(\"", "expected an expression"),
        ("do = \"c.value()\nreturns = 1", "counts.toml:5"),
    ] {
        check_case(&step(line), &[says]);
    }
    check_case("title = \"t\"\n", &["`step` is missing"]);
    let order = |value: &str| CASE.replacen("\n", &format!("\norder = {value}\n"), 1);
    check_case(&order("\"first\""), &["it should be a number"]);
    check_case(&order("1.5"), &["`order` is a whole number"]);
}

#[test]
fn cases_come_in_their_order_then_by_name_with_numbers_by_value() {
    let folder = library(EXERCISE, CASE);
    for (name, order) in [("size_10", ""), ("size_2", ""), ("zero", "order = 2"), ("basic", "order = 1")] {
        let case = format!("title = \"{name}\"\n{order}\n[[step]]\ndo = \"Counter()\"\n");
        fs::write(folder.path().join("counters").join(format!("{name}.toml")), case).unwrap();
    }
    let (_, json) = grade_files(folder.path(), &[("counter.py", COUNTER)], &[]);
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let names: Vec<&str> = cases.iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["basic", "zero", "counts", "size_2", "size_10"]);
}

#[test]
fn titles_are_unique_and_an_exercise_has_cases() {
    let folder = library(EXERCISE, CASE);
    fs::write(folder.path().join("counters/again.toml"), CASE).unwrap();
    let path = folder.path().to_str().unwrap();
    let run = keur(&["check", path]);
    assert_eq!(run.code, 3);
    assert_says(&run.err, "has the same title");
    fs::remove_file(folder.path().join("counters/again.toml")).unwrap();
    fs::remove_file(folder.path().join("counters/counts.toml")).unwrap();
    assert_eq!(keur(&["check", path]).code, 3, "no case, and no reference");
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER).unwrap();
    assert_eq!(keur(&["grade", file.to_str().unwrap(), "--cases", path]).code, 3, "zero cases");
}

#[test]
fn an_exercise_file_is_read_as_strictly() {
    for (text, says) in [
        (EXERCISE.replace("session = \"python\"", "session = \"pyhton\""), "did you mean `python`?"),
        (EXERCISE.replace("\"by?\"", "\"by?\", \"x\""), "parameter `x` follows an optional one"),
        (EXERCISE.replace("counter.py", "../counter.py"), "is not a file name"),
        (format!("{EXERCISE}\n[names.javascript]\ncount_upp = \"x\"\n"), "did you mean `count_up`?"),
        (
            format!("{EXERCISE}\n[function]\nf = {{ args = [], returns = \"Move\" }}\n"),
            "there is no [view] for",
        ),
        (format!("{EXERCISE}\n[limits]\ncpu = \"fast\"\n"), "is not a time"),
        ("title = \"x\"\nsession = \"python\"\n".to_owned(), "defines neither a class nor a function"),
    ] {
        let folder = library(&text, CASE);
        let run = keur(&["check", folder.path().to_str().unwrap()]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(run.err.contains(says), "{says:?} is not in:\n{}", run.err);
    }
}

#[test]
fn list_names_exercises_cases_points_and_languages() {
    let run = keur(&["list", "--lang", "en"]);
    assert_eq!(run.code, 0);
    let codenames = "codenames · Codenames
    26 cases, 6 more with --rulings · 20 points · Python, JavaScript, Java, C++, Rust
";
    for says in [codenames, "yinyang · Yin-Yang", "keur list EXERCISE"] {
        assert!(run.out.contains(says), "{says:?} is not in:\n{}", run.out);
    }
    assert!(!run.out.contains("spec_session"), "{}", run.out);
    // A built-in exercise has a trait for crates, though no file in Rust is asked for.
    let quixo = keur(&["list", "quixo"]).out;
    assert!(quixo.lines().nth(1).unwrap().ends_with(", TypeScript, Java, C++, Rust"), "{quixo}");
    assert!(quixo.contains("  spec_session ") && quixo.contains("[ruling]"), "{quixo}");
    let own = keur(&["list", "bank", "--cases", "fixtures/exercises"]).out;
    assert!(own.starts_with("bank ") && !own.contains("Rust"), "{own}");
    let all = keur(&["list", "--cases", "fixtures/exercises"]).out;
    assert_says(&all, "keur list EXERCISE --cases fixtures/exercises lists the cases of one.");
}

#[test]
fn doctor_looks_at_the_program_that_is_named() {
    let run = keur(&["doctor", "--python", "/nonexistent"]);
    assert_eq!(run.code, 4, "{}", run.all());
    assert_says(&run.out, "✗ Python: /nonexistent does not work");
}

#[test]
fn titles_are_listed_in_the_language_of_the_environment() {
    let title = |lang: &str, args: &[&str]| {
        let mut command = keur_command(&[&["list", "codenames"], args].concat());
        command.env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", lang);
        let out = run(&mut command).out;
        out.lines().find(|line| line.contains(" blue_begins ")).unwrap().to_owned()
    };
    for (lang, args, says) in [
        ("nl_BE.UTF-8", &[][..], "Blauw"),
        ("da_DK.UTF-8", &[], "Blå"),
        ("en_GB.UTF-8", &[], "Blue"),
        ("C.UTF-8", &[], "Blauw"),
        ("nl_BE.UTF-8", &["--lang", "da"], "Blå"),
    ] {
        let title = title(lang, args);
        assert!(title.contains(says), "{lang} {args:?}: {title}");
    }
}

#[test]
fn options_stand_under_their_own_heading() {
    let help = keur(&["grade", "-h"]).out;
    let under = |heading: &str| -> Vec<&str> {
        let (_, options) = help.split_once(&format!("\n{heading}:\n")).unwrap();
        let options = options.split("\n\n").next().unwrap().lines();
        let options = options.filter_map(|line| line.trim().strip_prefix("--"));
        options.map(|line| line.split(' ').next().unwrap()).collect()
    };
    assert_eq!(under("Reports"), ["format", "lang", "audience", "sort", "findings"], "{help}");
    assert_eq!(under("Rust crates"), ["skeleton", "build-time"], "{help}");
    assert_eq!(
        under("Limits per case and per submission"),
        ["cpu", "wall", "memory", "output", "budget"],
        "{help}"
    );
}

#[test]
fn limits_can_be_set_for_a_run() {
    let library = library(EXERCISE, CASE);
    let sleepy = COUNTER.replace("return self.n", "import time; time.sleep(30)");
    let (_, json) =
        grade_files(library.path(), &[("counter.py", &sleepy)], &["--wall", "300ms", "--cpu", "200ms"]);
    let case = &json["submissions"][0]["cases"][0];
    assert_eq!(case["verdict"], "time limit");
    assert_eq!(case["finding"]["message"], "the program waited too long: for input, or in a pause (sleep)?");
}

#[test]
fn keur_works_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = root().join("fixtures/submissions/codenames/python/correct.py");
    let run = run(keur_command(&["grade", file.to_str().unwrap()]).current_dir(folder.path()));
    assert_eq!(run.code, 0);
}

#[test]
fn doctor_shows_confinement_and_interpreters() {
    let run = keur(&["doctor"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let portable = "✓ tier portable: available: submissions are held to limits (time, memory, output and open files), \
                    but can read your files and use the network";
    assert!(!cfg!(target_os = "linux") || unwrapped(&run.out).contains(portable), "{}", run.out);
    for says in [
        "Confinement", "tier standard", "Interpreters", "✓ Python: 3.", "✓ JavaScript (Node): 2",
        "✓ Rust: rustc 1.",
    ] {
        assert!(run.out.contains(says), "{says:?} is not in:\n{}", run.out);
    }
}

#[test]
fn every_report_names_its_tier_and_the_portable_one_is_said_aloud() {
    let library = library(EXERCISE, CASE);
    let (_, json) = grade_files(library.path(), &[("counter.py", COUNTER)], &[]);
    let standard = if cfg!(target_os = "linux") { "standard" } else { "portable" };
    assert_eq!(json["submissions"][0]["confinement"], standard);
    assert_eq!(json["submissions"][0]["seed"], 0);
    let file = "fixtures/class/an";
    let run = keur(&["grade", file, "--confine", "portable", "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert_says(&run.out, "confinement: portable");
    assert_says(&run.err, "grade only what you would run yourself");
    assert_says(&run.err, "held to limits (time, ");
    assert_eq!(keur(&["grade", file, "--confine", "firm"]).code, 2);
    // The strict tier is available or refused; it is never replaced by a weaker one.
    let strict = keur(&["grade", file, "--confine", "strict", "--format", "json"]);
    match strict.code {
        4 => assert!(
            strict.err.contains("the tier `strict` of confinement is not available here"),
            "{}",
            strict.err
        ),
        _ => assert!(strict.out.contains("\"confinement\": \"strict\""), "{}", strict.out),
    }
}

#[test]
fn workers_change_neither_the_order_nor_a_byte() {
    let grade = |jobs: &str| {
        let run =
            keur(&["grade", "--each", "fixtures/class", "--format", "json", "--exit-zero", "--jobs", jobs]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let alone = grade("1");
    assert_eq!(grade("3"), alone);
    let json: Value = serde_json::from_str(&alone).unwrap();
    let names: Vec<&Value> = json["submissions"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["an", "bo", "cem"]);
}

#[test]
fn a_busy_machine_fails_nobody() {
    let mut burners: Vec<std::process::Child> =
        (0..4).map(|_| Command::new("python3").args(["-c", "while True: pass"]).spawn().unwrap()).collect();
    let run = keur(&["grade", "fixtures/class/an", "fixtures/class/cem"]);
    burners.iter_mut().for_each(|burner| {
        burner.kill().unwrap();
        burner.wait().unwrap();
    });
    assert_eq!(run.code, 0, "{}", run.out);
}

#[cfg(target_os = "linux")]
#[test]
fn a_confined_submission_reads_writes_and_reaches_nothing() {
    let value = |body: &str| COUNTER.replace("return self.n", body);
    for attempt in [
        "open('/etc/passwd')",
        "open('/tmp/keur-was-here', 'w')",
        "__import__('socket').socket()",
        "__import__('os').fork()",
        "__import__('subprocess').run(['true'])",
        "__import__('os').kill(__import__('os').getppid(), 9)",
    ] {
        check_file(
            "counter.py",
            &value(&format!("{attempt}; return 3")),
            "raised",
            "was raised, but no exception is expected here",
        );
    }
    let read = "class Counter {
      constructor() {}
      countUp() { return this; }
      value() { return console.constructor.constructor('return process')().getBuiltinModule('fs').readFileSync('/etc/passwd'); }
    }";
    check_file("counter.js", read, "raised", "was raised, but no exception is expected here");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_what_is_done_reported() {
    let library = library(EXERCISE, CASE);
    let folder = tempfile::tempdir().unwrap();
    let slow = COUNTER.replace("return self.n", "import time; time.sleep(0.5); return self.n");
    for index in 0..40 {
        fs::write(folder.path().join(format!("counter{index:02}.py")), &slow).unwrap();
    }
    let (folder, cases) = (folder.path().to_str().unwrap(), library.path().to_str().unwrap());
    let child = keur_command(&["grade", "--each", folder, "--cases", cases, "--lang", "en", "--jobs", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    std::thread::sleep(std::time::Duration::from_secs(3));
    for _ in 0..2 {
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    }
    let Run { code, out, err } = Run::of(child.wait_with_output().unwrap());
    assert_eq!(code, 4, "{out}{err}");
    assert!(err.contains("interrupted: ") && err.contains(" of 40 submissions were graded"), "{err}");
    assert_says(&out, "✓ counter00      1/1\n");
}

#[test]
fn each_case_is_a_test_with_stable_names() {
    let one = keur(&["test", "fixtures/class/an", "--", "--list"]);
    assert!(one.code == 0 && one.out.contains("codenames::spec_session: test"), "{}", one.out);
    let many = keur(&["test", "fixtures/class", "spec_session"]);
    assert_says(&many.out, "test an::codenames::spec_session");
    assert_says(&many.out, "3 tests");
    let failing = keur(&["test", "fixtures/class/bo"]);
    assert_eq!(failing.code, 101, "{}", failing.out);
    assert!(failing.out.contains(">>> "), "the session is shown: {}", failing.out);
    // The total points are reported once, at the end, and only to people.
    let told = |out: &str| out.lines().filter(|line| line.contains(" van 20 punten · ")).count();
    let last = failing.out.trim_end().lines().last().unwrap_or_default();
    assert_eq!((told(&failing.out), told(last)), (1, 1), "{}", failing.out);
    assert!(
        many.out.contains("\nan: ") && many.out.contains(" punten · 1 van 1 testgevallen"),
        "{}",
        many.out
    );
    let json = keur(&["test", "fixtures/class/an", "--", "--format", "json", "-Zunstable-options"]);
    assert!(
        json.code == 0 && !(one.out.clone() + &json.out).contains(" punten · "),
        "{}{}",
        json.out,
        json.err
    );
    let missing = keur(&["test", "fixtures/nowhere"]);
    assert!(missing.code == 2 && missing.err.contains("fixtures/nowhere"), "{}", missing.err);
}

#[test]
fn the_tests_may_be_those_of_a_folders_own_cases() {
    let described = "title = \"Counters\"\nsession = \"python\"\nfiles = { python = [\"counter.py\"] }\n\
                     [class.Counter]\nnew = []\nmethods = { count = [] }\n";
    let folder = folder(&[
        ("counters/exercise.toml", described),
        (
            "counters/counts.toml",
            "title = \"It counts\"\n[[step]]\ndo = \"Counter().count()\"\nreturns = 1\n",
        ),
        ("counter.py", "class Counter:\n    def count(self):\n        return 1\n"),
    ]);
    let case = folder.path().join("counters/counts.toml");
    let submission = folder.path().join("counter.py");
    let (path, cases) = (submission.display().to_string(), folder.path().display().to_string());
    let own = keur(&["test", &path, "--cases", &cases]);
    assert!(own.code == 0 && own.out.contains("test counters::counts ... ok"), "{}{}", own.out, own.err);
    let built_in = keur(&["test", &path]);
    assert_eq!(built_in.code, 2, "{}", built_in.out);
    fs::write(&case, "titel = 1\n").unwrap();
    let wrong = keur(&["test", &path, "--cases", &cases]);
    assert!(wrong.code == 3 && wrong.err.contains("counts.toml"), "{}", wrong.err);
    let nowhere = keur(&["test", &path, "--cases", "fixtures/nowhere"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("fixtures/nowhere"), "{}", nowhere.err);
}

#[test]
fn keur_can_do_without_java_and_says_what_to_install() {
    let submission = "fixtures/submissions/codenames/java/correct.java";
    let graded = run(keur_command(&["grade", submission]).env("PATH", "/nonexistent"));
    assert_eq!(graded.code, 4);
    let why = "no Java 17.0 or newer found on PATH; install a JDK";
    assert_says(&graded.out, why);
    // A folder with only the other interpreters.
    let folder = tempfile::tempdir().unwrap();
    for line in keur(&["doctor"]).out.lines() {
        let Some((_, program)) = line.rsplit_once(", ").filter(|_| line.contains("✓")) else { continue };
        let Some(name) = ["python3", "node"].into_iter().find(|name| program.contains(name)) else {
            continue;
        };
        #[cfg(unix)]
        std::os::unix::fs::symlink(program, folder.path().join(name)).unwrap();
        #[cfg(windows)]
        fs::copy(program, folder.path().join(format!("{name}.exe"))).unwrap();
    }
    let Run { code, out, .. } = run(keur_command(&["doctor"]).env("PATH", folder.path()));
    assert_eq!(code, 0, "{out}");
    assert_says(&out, "– Java (optional): no Java 17.0 or newer");
    assert_says(&out, "– C++ (optional): no g++ or clang++ found on PATH; install one to grade C++, or");
}
