//! Reports of submissions that cannot be loaded: the cause, and the lines that led there.

use super::{CASE, COUNTER, EXERCISE, grade_files, library};
use crate::running::{folder, keur};
use serde_json::Value;

/// The finding of the first case, for files that cannot be loaded.
#[track_caller]
fn finding(files: &[(&str, &str)], more: &[&str]) -> Value {
    let library = library(EXERCISE, CASE);
    let (code, json) = grade_files(library.path(), files, more);
    let case = &json["submissions"][0]["cases"][0];
    assert_eq!((code, &case["verdict"]), (1, &Value::from("load error")), "{json:#}");
    case["finding"].clone()
}

/// Checks the message for one file with `text`.
#[track_caller]
fn check(name: &str, text: &str, message: &str) {
    let found = finding(&[(name, text)], &[]);
    assert_eq!(found["message"], message, "{found:#}");
}

#[test]
fn a_missing_class_is_not_taken_for_a_function_or_a_variable() {
    let near = "Counter is not defined, but Countr is: the name must be exactly Counter";
    let none = "Counter is not defined";
    check("counter.py", "class Countr: pass\n", near);
    check("counter.py", "def counter(): pass\ncountr = 1\n", none);
    check("counter.js", "class Countr {}\n", near);
    check("counter.js", "const Countr = class {};\n", near);
    check("counter.js", "function counter() {}\nlet countr = 1;\nconst Countr = () => 1;\n", none);
}

#[test]
fn a_missing_method_is_not_taken_for_an_attribute() {
    let python = "class Counter:
    counts_up = 1
    def __init__(self, start=0): self.countup = 0
    @property
    def count_upp(self): return 1
    def METHOD(self): pass
";
    let javascript = "class Counter {
      get countUpp() { return 1; }
      METHOD() {}
    }
    Counter.prototype.countUps = 1;
    ";
    for (name, text, missing, near) in
        [("counter.py", python, "count_up", "count_ups"), ("counter.js", javascript, "countUp", "countUpss")]
    {
        let found = |text: &str| {
            let library = library(EXERCISE, CASE);
            let (_, json) = grade_files(library.path(), &[(name, text)], &[]);
            json["submissions"][0]["cases"][0]["finding"]["message"].as_str().unwrap().to_owned()
        };
        assert_eq!(found(text), format!("Counter has no method {missing}"));
        let says = format!("has no method {missing}, but has {near}: the name must be exactly {missing}");
        assert!(
            found(&text.replace("METHOD", near)).ends_with(&says),
            "{}",
            found(&text.replace("METHOD", near))
        );
    }
}

#[test]
fn the_lines_that_led_to_a_load_error_are_shown() {
    let python = [
        ("counter.py", "import a\n\nCOUNTER = a.setup()\n"),
        ("a.py", "# A comment.\nimport b\n\ndef setup():\n    return b.NONE\n"),
        ("b.py", "SOME = 1\n"),
    ];
    let javascript = [
        ("counter.js", "const a = require('./a');\n\nconst COUNTER = a.setup();\n"),
        ("a.js", "// A comment.\nconst b = require('./b');\n\nexports.setup = () =>\n    b.none();\n"),
        ("b.js", "exports.SOME = 1;\n"),
    ];
    for (files, broken, deepest) in [(python, "SOME = (\n", 2), (javascript, "exports.SOME = (;\n", 1)] {
        let places = |files: &[(&str, &str)]| {
            let found = finding(files, &[]);
            let places = found["exception"]["places"].as_array().unwrap();
            let place = |place: &Value| {
                (
                    place["file"].as_str().unwrap().split('.').next().unwrap().to_owned(),
                    place["line"].as_u64().unwrap(),
                )
            };
            places.iter().map(place).collect::<Vec<_>>()
        };
        let at = |file: &str, line| (file.to_owned(), line);
        assert_eq!(places(&files), [at("counter", 3), at("a", 5)]);
        let mut files = files;
        files[deepest].1 = broken;
        let all = [at("counter", 1), at("a", 2), at("b", 1)];
        let led = all[..deepest].iter().cloned().chain([at(files[deepest].0.split('.').next().unwrap(), 1)]);
        assert_eq!(places(&files), led.collect::<Vec<_>>());
    }
}

#[test]
fn a_person_reads_all_lines_that_led_to_a_load_error() {
    let library = library(EXERCISE, CASE);
    let folder = folder(&[("counter.py", "import a\n"), ("a.py", "A = (\n")]);
    let (path, cases) = (folder.path().to_str().unwrap(), library.path().to_str().unwrap());
    for format in ["terminal", "markdown", "gradescope", "dodona", "html"] {
        let run = keur(&["grade", path, "--cases", cases, "--lang", "en", "--format", format]);
        let (first, last) = (run.out.find("import a"), run.out.find("A = ("));
        assert!(first.is_some() && first < last, "{format}: {}", run.out);
    }
}

#[test]
fn a_missing_file_of_the_submission_is_named() {
    let two = EXERCISE.replace("[\"counter.py\"]", "[\"counter.py\", \"step.py\"]");
    let two = two + "[class.Step]\nnew = []\nmethods = {}\n";
    let case = format!("{CASE}\n[[step]]\ndo = \"s = Step()\"\n");
    let library = library(&two, &case);
    let said = |counter: &str| {
        let (_, json) = grade_files(library.path(), &[("counter.py", counter)], &["--exercise", "counters"]);
        json["submissions"][0]["cases"][0]["finding"]["message"].clone()
    };
    let missing = "the file step.py is missing: hand it in together with the others";
    assert_eq!(said(COUNTER), missing);
    assert_eq!(said(&format!("from step import Step\n{COUNTER}")), missing);
    let near = "Step is not defined, but Stap is: the name must be exactly Step";
    assert_eq!(said(&format!("{COUNTER}\nclass Stap: pass\n")), near);
    let js = "the file step.js is missing: hand it in together with the others";
    check("counter.js", "const { Step } = require('./step');\n", js);
    check("counter.js", "import { Step } from './step.js';\n", js);
    let other =
        "module lodash was not found: hand in your own files together; otherwise use only standard modules";
    check("counter.js", "const _ = require('lodash');\n", other);
}

#[test]
fn an_import_of_what_is_not_there_has_its_line() {
    let helper = ("helper.js", "export const SOME = 1;\n");
    let engines: &[&str] = if cfg!(feature = "quickjs") { &["node", "quickjs"] } else { &["node"] };
    for engine in engines {
        for import in
            ["{\n  SOME,\n  none } from './helper.js'", "{ none } from './no.js'", "none from 'lodash'"]
        {
            let counter = format!("// It counts.\nimport {import};\nexport class Other {{}}\n");
            let found = finding(&[("counter.js", &counter), helper], &["--engine", engine]);
            let place = &found["exception"]["places"][0];
            assert_eq!(
                (&place["file"], &place["line"]),
                (&"counter.js".into(), &2.into()),
                "{engine}: {found:#}"
            );
        }
    }
}
