//! Reports for other readers than a terminal, and several reports of one run.

use super::{CASE, COUNTER, EXERCISE, keur, library};
use base64::Engine;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with `src/counter.py`, which raises on its sixth line.
fn raising() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let text = COUNTER.replace("return self\n", "raise ValueError('50%, a:b')\n");
    fs::write(folder.path().join("src/counter.py"), text).unwrap();
    folder
}

fn grade(submission: &Path, library: &Path, more: &[&str]) -> super::Run {
    let mut args = vec!["grade", submission.to_str().unwrap(), "--cases", library.to_str().unwrap()];
    args.extend(["--lang", "en"]);
    args.extend(more);
    keur(&args)
}

#[test]
fn an_annotation_stands_at_the_line_that_raised() {
    let (library, folder) = (library(EXERCISE, CASE), raising());
    let run = grade(folder.path(), library.path(), &["--format", "github"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let file = folder.path().join("src/counter.py");
    let error = format!(
        "::error file={},line=7,title=It counts · exception::step 2: an exception was raised where none was \
         expected%0A",
        file.display()
    );
    assert!(run.out.contains(&error), "{error}\nis not in\n{}", run.out);
    assert!(run.out.contains("ValueError: 50%25, a:b"), "{}", run.out);
    assert!(run.out.contains("· Counters::0 of 1 points · 0 of 1 cases passed\n"), "{}", run.out);
}

#[test]
fn an_annotation_of_a_wrong_value_stands_at_the_file() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return str(self.n)")).unwrap();
    let run = grade(&file, library.path(), &["--format", "github"]);
    let error = format!("::error file={},title=It counts · wrong value::step 3: ", file.display());
    assert!(run.out.contains(&error), "{error}\nis not in\n{}", run.out);
}

#[test]
fn a_summary_shows_the_cases_and_the_session_of_each_failure() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("return self.n", "return str(self.n)")).unwrap();
    let run = grade(&file, library.path(), &["--format", "markdown"]);
    let shown = "## ✗ ` counter ` · Counters

**0 of 1 points** · 0 of 1 cases passed

| | case | verdict | points |
|---|---|---|--:|
| ✗ | It counts | wrong value | 0/1 |

### ✗ It counts · wrong value

```pycon
>>> from counter import Counter
>>> c = Counter(1)
>>> c.count_up(by=2)
>>> c.value()
```

";
    assert!(run.out.starts_with(shown), "{}", run.out);
    assert!(run.out.contains("```diff\n- 3\n+ '3'\n```\n"), "{}", run.out);
}

#[test]
fn a_hidden_case_says_only_that_it_failed() {
    let library = library(EXERCISE, &CASE.replacen("\n\n[[step]]", "\nhidden = true\n\n[[step]]", 1));
    let folder = raising();
    for format in ["markdown", "github"] {
        let run = grade(folder.path(), library.path(), &["--format", format]);
        assert!(run.out.contains("this case is hidden"), "{}{}", run.out, run.err);
        assert!(!run.out.contains("count_up") && !run.out.contains("ValueError"), "{}", run.out);
    }
}

#[test]
fn the_outputs_of_a_step_hold_the_grade_and_what_a_classroom_reads() {
    let run = keur(&[
        "grade",
        "fixtures/submissions/codenames/python/blue_keeps_turn_on_red_spy.py",
        "--format",
        "github-output",
    ]);
    let lines: Vec<(&str, &str)> = run.out.lines().map(|line| line.split_once('=').unwrap()).collect();
    assert_eq!(lines[..3], [("points", "19.31"), ("max_points", "20"), ("passed", "false")]);
    let (key, result) = lines[3];
    assert_eq!((key, lines.len()), ("result", 4));
    let json = base64::engine::general_purpose::STANDARD.decode(result).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(
        (&json["version"], &json["status"], &json["max_score"]),
        (&1.into(), &"fail".into(), &20.into())
    );
    let tests = json["tests"].as_array().unwrap();
    let sum: f64 = tests.iter().map(|test| (test["score"].as_f64().unwrap() * 100.0).round()).sum();
    assert_eq!((tests.len(), sum), (25, 1931.0));
    let failed: Vec<&Value> = tests.iter().filter(|test| test["status"] != "pass").collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((&failed[0]["line_no"], &failed[0]["score"]), (&0.into(), &0.0.into()));
    assert!(failed[0]["message"].as_str().unwrap().starts_with("stap 3: "), "{}", failed[0]);
}

#[test]
fn one_run_writes_several_reports() {
    let (library, folder) = (library(EXERCISE, CASE), raising());
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let (json, summary) = (format!("json={}", path("r=1.json")), format!("markdown={}", path("r.md")));
    let run = grade(
        folder.path(),
        library.path(),
        &["--format", &json, "--format", "github", "--format", &summary],
    );
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.starts_with("::notice "), "{}", run.out);
    let alone = |format| grade(folder.path(), library.path(), &["--format", format]).out;
    assert_eq!(fs::read_to_string(path("r=1.json")).unwrap(), alone("json"));
    assert_eq!(fs::read_to_string(path("r.md")).unwrap(), alone("markdown"));
    // With files alone nothing goes to standard output.
    assert_eq!(grade(folder.path(), library.path(), &["--format", &json]).out, "");
}

#[test]
fn reports_that_cannot_be_written_are_said_before_anything_is_graded() {
    let file = "fixtures/submissions/codenames/python/correct.py";
    for (formats, code, says) in [
        (["json", "terminal"], 2, "two reports would go to standard output"),
        (["json=target/same", "terminal=target/same"], 2, "two reports would go to target/same"),
        (["json=no/such/folder/x", "terminal"], 4, "no/such/folder/x: cannot be written"),
        (["json=", "terminal"], 2, "a path follows"),
        (["xml=x", "terminal"], 2, "it is one of terminal, json, markdown, github"),
    ] {
        let run = keur(&["grade", file, "--format", formats[0], "--format", formats[1]]);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{formats:?}: {}", run.err);
        assert!(run.err.contains(says), "{formats:?}: {}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_found_no_room_is_exit_4() {
    let run = keur(&[
        "grade",
        "fixtures/submissions/codenames/python/correct.py",
        "--format",
        "json=/dev/full",
        "--format",
        "terminal",
    ]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(run.err.contains("/dev/full: cannot be written"), "{}", run.err);
    assert!(run.out.starts_with("correct · Codenames"), "{}", run.out);
}
