//! The audience of a report: a student's report reveals nothing of a hidden case, in any format.

use super::{COUNTER, EXERCISE};
use crate::running::{assert_says, keur};
use base64::Engine;
use keur_core::report::{Audience, formats::FORMATS};
use std::fs;
use std::path::Path;

/// A hidden case. Its inputs and expected values occur nowhere else.
const HIDDEN: &str = r#"
title = "A large step"
points = 3
hidden = true
hint = "Think of large numbers."

[[step]]
do = "c = Counter(740031)"

[[step]]
do = "c.count_up(by=5000009)"
same = "c"

[[step]]
do = "c.value()"
returns = 5740040

[[step]]
do = "c.count_up(by='zebra')"
raises = "a number of giraffes"

[[step]]
do = "Counter('okapi').value()"
returns = "okapi"
"#;

/// Texts that reveal the hidden case: inputs, expected values, and a submission's results from them.
const SECRETS: [&str; 7] = ["740031", "5000009", "5740040", "zebra", "giraffe", "okapi", "740032"];

/// Submissions that put the inputs into findings, exceptions and output in every possible way.
const SUBMISSIONS: [(&str, &str); 8] = [
    (
        "wrong",
        "class Counter:\n def __init__(self, start=0): self.n = start\n def count_up(self, by=1): return self\n def value(self): return self.n\n",
    ),
    (
        "returns_all",
        "class Counter:\n def __init__(self, start=0): self.n = [start]\n def count_up(self, by=1):\n  self.n.append(by)\n  return self.n\n def value(self): return self.n\n",
    ),
    (
        "raises",
        "class Counter:\n def __init__(self, start=0): self.n = start\n def count_up(self, by=1): raise ValueError(f'{self.n} {by}')\n def value(self): return self.n\n",
    ),
    (
        "raises_a_type_named_so",
        "class Counter:\n def __init__(self, start=0): raise type(f'E{start}', (Exception,), {})(start)\n",
    ),
    (
        "raises_in_a_place_named_so",
        "class Counter:\n def __init__(self, start=0): exec(compile(f'def f{start}(): 1/0\\nf{start}()', f'{start}.py', 'exec'))\n",
    ),
    (
        "prints",
        "class Counter:\n def __init__(self, start=0): print(start)\n def count_up(self, by=1): print(by)\n def value(self): return None\n",
    ),
    (
        "ends",
        "import os\nclass Counter:\n def __init__(self, start=0): os._exit(7 if start > 700000 else 0)\n",
    ),
    ("correct", ""),
];

fn library() -> tempfile::TempDir {
    let library = super::library(EXERCISE, super::CASE);
    fs::write(library.path().join("counters/large.toml"), HIDDEN).unwrap();
    library
}

/// Every report of one run, with encoded parts decoded.
pub(crate) fn reports(submission: &Path, library: &Path, more: &[&str]) -> Vec<(&'static str, String)> {
    let out = tempfile::tempdir().unwrap();
    let mut args: Vec<String> = ["grade", submission.to_str().unwrap(), "--cases", library.to_str().unwrap()]
        .map(str::to_owned)
        .into();
    args.extend(["--lang", "en"].map(str::to_owned));
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    for format in FORMATS {
        args.extend([
            "--format".to_owned(),
            format!("{}={}", format.name, out.path().join(format.name).display()),
        ]);
    }
    let pages = out.path().join("pages");
    args.extend(["--format".to_owned(), format!("html={}/", pages.display())]);
    let run = keur(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(run.code < 2, "{}{}", run.out, run.err);
    let pages = pages.read_dir().unwrap().map(|page| fs::read_to_string(page.unwrap().path()).unwrap());
    let read = |format: &keur_core::report::Format| {
        let text = fs::read_to_string(out.path().join(format.name)).unwrap();
        let wrapped = text.lines().find_map(|line| line.strip_prefix("result="));
        let decoded = wrapped.map(|text| base64::engine::general_purpose::STANDARD.decode(text).unwrap());
        text + &String::from_utf8(decoded.unwrap_or_default()).unwrap()
    };
    FORMATS.iter().map(|format| (format.name, read(format))).chain([("pages", pages.collect())]).collect()
}

#[test]
fn no_report_to_a_student_tells_what_a_hidden_case_holds() {
    let library = library();
    for (name, text) in SUBMISSIONS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("counter.py");
        let text = if text.is_empty() { hidden_too(COUNTER) } else { text.to_owned() };
        fs::write(&file, &text).unwrap();
        for (format, report) in reports(&file, library.path(), &["--audience", "student", "--repeat", "2"]) {
            for secret in SECRETS {
                assert!(!report.contains(secret), "{name}: {format} tells {secret:?}:\n{report}");
            }
        }
        // An instructor's report shows some of it, so that the search can find it.
        if !["correct", "ends"].contains(&name) {
            let told = reports(&file, library.path(), &["--audience", "instructor"]);
            let (_, json) = told.iter().find(|(format, _)| *format == "json").unwrap();
            assert!(SECRETS.iter().any(|secret| json.contains(secret)), "{name}:\n{json}");
        }
    }
}

/// The answer that also passes the hidden case.
fn hidden_too(counter: &str) -> String {
    let step =
        "        if isinstance(by, str): raise ValueError('a number of gir' + 'affes')\n        self.n += by";
    counter.replace("        self.n += by", step)
}

#[test]
fn a_student_is_told_that_a_hidden_case_failed_its_points_and_its_hint() {
    let (library, folder) = (library(), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return -self.n")).unwrap();
    let told = reports(&file, library.path(), &["--audience", "student"]);
    let find = |name: &str| &told.iter().find(|(format, _)| *format == name).unwrap().1;
    for format in ["terminal", "markdown", "github"] {
        let text = find(format).replace("\\.", ".");
        for says in ["A large step", "this case is hidden", "Think of large numbers."] {
            assert!(text.contains(says), "{format} does not say {says:?}:\n{text}");
        }
    }
    let json: serde_json::Value = serde_json::from_str(find("json")).unwrap();
    assert_eq!(json["audience"], "student");
    let case = &json["submissions"][0]["cases"][1];
    assert_eq!((&case["hidden"], &case["verdict"]), (&true.into(), &"failed".into()));
    assert_eq!((&case["points"], &case["max_points"]), (&0.into(), &3.into()));
    assert_eq!((&case["hint"], case.get("finding")), (&"Think of large numbers.".into(), None));
}

#[test]
fn gradescope_hides_what_an_instructor_is_told_of_hidden_cases() {
    let (library, folder) = (library(), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER).unwrap();
    for (audience, visibility) in [("student", "visible"), ("instructor", "hidden")] {
        let reports = reports(&file, library.path(), &["--audience", audience]);
        let (_, text) = reports.iter().find(|(format, _)| *format == "gradescope").unwrap();
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(json["tests"][0]["visibility"], "visible");
        assert_eq!(json["tests"][1]["visibility"], visibility);
    }
}

#[test]
fn hidden_cases_are_graded_after_those_that_are_shown() {
    let (library, folder) = (library(), tempfile::tempdir().unwrap());
    fs::write(
        library.path().join("counters/visible.toml"),
        super::CASE.replace("It counts", "It counts again"),
    )
    .unwrap();
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER).unwrap();
    let reports = reports(&file, library.path(), &[]);
    let (_, text) = reports.iter().find(|(format, _)| *format == "json").unwrap();
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let names: Vec<&str> = cases.iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["counts", "visible", "large"]);
}

#[test]
fn a_submission_that_cannot_be_loaded_is_told_why_even_where_every_case_is_hidden() {
    let (library, folder) = (super::library(EXERCISE, HIDDEN), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, "class Counter\n    pass\n").unwrap();
    for (format, report) in reports(&file, library.path(), &["--audience", "student"]) {
        if ["terminal", "markdown", "github", "json"].contains(&format) {
            assert!(report.contains("syntax error"), "{format}:\n{report}");
        }
    }
}

#[test]
fn formats_for_students_default_to_the_student_audience() {
    let (library, folder) = (library(), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return -self.n")).unwrap();
    let (own, instructor) =
        (reports(&file, library.path(), &[]), reports(&file, library.path(), &["--audience", "instructor"]));
    for (format, (own, instructor)) in FORMATS.iter().zip(own.into_iter().zip(instructor)) {
        let same = own == instructor;
        assert_eq!(same, format.audience == Audience::Instructor, "{own:?}\n{instructor:?}");
    }
}

#[test]
fn an_unknown_audience_is_a_wrong_call() {
    let run = keur(&["grade", "fixtures/class/an", "--audience", "parents"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert_says(&run.err, "[possible values: instructor, student]");
}
