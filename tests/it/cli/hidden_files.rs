//! Hidden cases with files: a student reads nothing that a submission found there, whatever it does with it.

use super::audience::reports;
use super::{COUNTER, EXERCISE, library};
use crate::running::keur;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A text that only the file of the hidden case has.
const SECRET: &str = "walrus7731";

/// A hidden case with a file, which a submission can read while it loads.
const HIDDEN: &str = r#"
title = "From a file"
points = 3
hidden = true
hint = "Read the file."
input_files."start.txt" = "walrus7731"

[[step]]
do = "c = Counter(1)"

[[step]]
do = "c.value()"
returns = "walrus7731"
"#;

/// Code that reads the file into `S`, which is empty where there is none.
const READ: &str = "try:\n S = open('start.txt').read()\nexcept OSError:\n S = ''\n";

/// Uses that a submission makes of `S`, after a class that answers.
const HOSTILE: [&str; 14] = [
    "if S: raise ValueError(S)",
    "if S:\n del Counter\n raise ValueError(S)",
    "if S: raise type(S, (Exception,), {})(S)",
    "if S: exec(compile(f'def {S}(): 1/0\\n{S}()', S + '.py', 'exec'))",
    "if S:\n del Counter\n raise SyntaxError(S, (S + '.py', 3, 1, S))",
    "if S:\n del Counter\n eval(S)",
    "import sys\nif S: sys.exit(S)",
    "import os\nif S: os._exit(len(S))",
    "import sys\nprint(S)\nprint(S, file=sys.stderr)",
    "import warnings\nif S: warnings.warn(S)",
    "if S: open(S, 'w').write(S)",
    "if S:\n while True: pass",
    "def said(self): raise ValueError(S)\nif S: Counter.value = said",
    "class Said(str):\n def __repr__(self): return S\ndef said(self): print(S); return Said(S + S)\nif S: Counter.value = said",
];

fn submission(folder: &Path, hostile: &str) -> String {
    let file = folder.join("counter.py");
    fs::write(&file, format!("{READ}{COUNTER}{hostile}\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_student_sees_the_same_of_a_hidden_case_whatever_a_submission_does_with_its_files() {
    let (alone, after) = (library(EXERCISE, HIDDEN), library(EXERCISE, super::CASE));
    fs::write(after.path().join("counters/from_file.toml"), HIDDEN).unwrap();
    let failed = json!({
        "name": "", "title": "From a file", "tags": [], "hidden": true, "verdict": "failed", "points": 0, "max_points": 3,
        "hint": "Read the file.", "consequences": [],
    });
    let mut shown_to_instructors = 0;
    for hostile in HOSTILE {
        for library in [&alone, &after] {
            let folder = tempfile::tempdir().unwrap();
            let file = submission(folder.path(), hostile);
            let more = ["--cpu", "1s"];
            let told =
                reports(file.as_ref(), library.path(), &[&["--audience", "student"], &more[..]].concat());
            for (format, report) in &told {
                assert!(!report.contains(SECRET), "{hostile}: {format} tells the secret:\n{report}");
            }
            let find = |told: &[(&str, String)]| -> Value {
                let (_, text) = told.iter().find(|(format, _)| *format == "json").unwrap();
                serde_json::from_str(text).unwrap()
            };
            let mut seen = find(&told)["submissions"][0].clone();
            assert_eq!(seen["warnings"], json!([]), "{hostile}");
            let case = seen["cases"].as_array_mut().unwrap().last_mut().unwrap();
            case["name"] = "".into();
            assert_eq!(*case, failed, "{hostile}");
            let told = reports(file.as_ref(), library.path(), &more);
            let (_, json) = told.iter().find(|(format, _)| *format == "json").unwrap();
            shown_to_instructors += usize::from(json.contains(SECRET));
        }
    }
    // The search would find it: all but those that end, hang, or write where nobody looks show it to an
    // instructor.
    assert!(shown_to_instructors >= 16, "{shown_to_instructors}");
}

#[test]
fn the_tests_of_a_submission_are_for_students_unless_an_instructor_asks() {
    let (library, folder) = (library(EXERCISE, HIDDEN), tempfile::tempdir().unwrap());
    let file = submission(folder.path(), HOSTILE[12]);
    let args = ["test", &file, "--cases", library.path().to_str().unwrap()];
    let student = keur(&args);
    assert_eq!(student.code, 101, "{}{}", student.out, student.err);
    assert!(
        student.out.contains("this case is hidden") && student.out.contains("Read the file."),
        "{}",
        student.out
    );
    assert!(!student.all().contains(SECRET), "{}", student.out);
    let instructor = keur(&[&args[..], &["--audience", "instructor"]].concat());
    assert!(instructor.out.contains(SECRET), "{}", instructor.out);
}

#[test]
fn an_error_in_a_file_of_the_exercise_quotes_nothing_to_a_student() {
    let checked = HIDDEN.replace("returns = \"walrus7731\"", "returns = { check = \"checks.py:odd\" }");
    let broken = HIDDEN.replace("points = 3", "points = \"walrus7731\"");
    for case in [checked, broken] {
        let (library, folder) = (library(EXERCISE, &case), tempfile::tempdir().unwrap());
        fs::write(
            library.path().join("counters/checks.py"),
            "def odd(value):\n    raise ValueError(value)\n",
        )
        .unwrap();
        let file = submission(folder.path(), "if S: Counter.value = lambda self: S");
        let cases = library.path().to_str().unwrap();
        for command in ["grade", "test"] {
            for (audience, tells) in [("student", false), ("instructor", true)] {
                let run = keur(&[command, &file, "--cases", cases, "--audience", audience]);
                assert_ne!(run.code, 0);
                let said = run.all();
                assert_eq!(said.contains(SECRET), tells, "{command} for {audience}: {said}");
            }
        }
    }
}
