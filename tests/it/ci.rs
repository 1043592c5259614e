//! What a CI learns of a run: from reports, exit codes and points, also where nothing was graded.

use crate::running::{assert_says, folder, keur, keur_command, root, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Grades `path` as Codenames in a folder, with a report in this format; returns the exit code and the report.
fn report(at: &Path, path: &str, format: &str, more: &[&str]) -> (i32, String) {
    let file = at.join("report");
    let mut command = keur_command(&["grade", path, "--exercise", "codenames"]);
    command.arg("--format").arg(format!("{format}={}", file.display())).args(more);
    let run = run(command.current_dir(at));
    (run.code, fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}: {}", run.all())))
}

/// A folder with a correct submission, `codenames.py`, an empty folder, and a copy of the exercise without errors.
fn course() -> tempfile::TempDir {
    let course = folder(&[("empty/README.md", "# nothing\n")]);
    let correct = root().join("fixtures/submissions/codenames/python/correct.py");
    fs::copy(correct, course.path().join("codenames.py")).unwrap();
    let cases = course.path().join("cases/codenames");
    fs::create_dir_all(&cases).unwrap();
    for name in ["exercise.toml", "spec_session.toml"] {
        fs::copy(root().join("cases/codenames").join(name), cases.join(name)).unwrap();
    }
    course
}

/// Puts text at the end of a file of the exercise.
fn break_file(course: &Path, name: &str) {
    let path = course.join("cases/codenames").join(name);
    fs::write(&path, fs::read_to_string(&path).unwrap() + "\nnonsense = [\n").unwrap();
}

const CASES: [&str; 2] = ["--cases", "cases"];

/// Checks the exit code and the only run of a report in SARIF.
#[track_caller]
fn check_sarif(at: &Path, path: &str, more: &[&str], code: i32, problem: bool, why: &str) {
    let (exit, text) = report(at, path, "sarif", more);
    let sarif: Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    let told = if problem { results } else { notifications };
    assert_eq!((exit, results.len() + notifications.len(), told.len()), (code, 1, 1), "{text}");
    assert_eq!(
        (&run["invocations"][0]["executionSuccessful"], &told[0]["level"]),
        (&problem.into(), &"error".into())
    );
    assert_says(told[0]["message"]["text"].as_str().unwrap(), why);
    if problem {
        assert_eq!(told[0]["ruleId"], "nothing-to-grade");
        assert_eq!(told[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], path);
    }
}

#[test]
fn in_sarif_a_submission_that_is_missing_or_unreadable_is_a_result() {
    let course = course();
    check_sarif(course.path(), "gone.py", &[], 1, true, "bestaat niet");
    check_sarif(course.path(), "empty", &[], 1, true, "geen bronbestand");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("codenames.py", course.path().join("link.py")).unwrap();
        check_sarif(course.path(), "link.py", &[], 1, true, "codenames.py");
    }
}

#[test]
fn in_sarif_what_is_not_the_fault_of_a_submission_is_a_failed_execution() {
    let course = course();
    check_sarif(course.path(), "codenames.py", &["--python", "no/python"], 4, false, "no/python");
    break_file(course.path(), "spec_session.toml");
    check_sarif(course.path(), "codenames.py", &CASES, 3, false, "codenames");
}

#[test]
fn an_error_in_a_file_of_the_exercise_is_in_the_reports() {
    for broken in ["exercise.toml", "spec_session.toml"] {
        let course = course();
        break_file(course.path(), broken);
        let (code, junit) = report(course.path(), "codenames.py", "junit", &CASES);
        assert_eq!(code, 3);
        assert_says(&junit, "errors=\"1\"");
        assert_says(&junit, "type=\"ungraded\"");
    }
}

#[test]
fn a_student_reads_of_an_error_in_a_case_in_the_language_of_the_exercise() {
    let course = course();
    break_file(course.path(), "spec_session.toml");
    for more in [&["--exercise", "codenames"][..], &[]] {
        let mut command =
            keur_command(&["grade", "codenames.py", "--cases", "cases", "--audience", "student"]);
        let run = run(command.args(more).current_dir(course.path()));
        assert_eq!(run.code, 3, "{}", run.all());
        assert_says(&run.out, "opgave");
    }
}

#[test]
fn a_student_who_handed_in_nothing_has_no_points_and_exit_code_1() {
    let course = course();
    for path in ["gone.py", "empty"] {
        let (code, text) = report(course.path(), path, "github-output", &[]);
        assert_eq!((code, text.as_str()), (1, "points=0\nmax_points=20\npassed=false\n"));
        let (_, text) = report(course.path(), path, "gradescope", &[]);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["score"], 0.0, "{text}");
    }
    // A mistyped path is no success, and without an exercise it is a usage error.
    assert_eq!(report(course.path(), "gone.py", "json", &["--exit-zero"]).0, 1);
    assert_eq!(keur(&["grade", "gone.py"]).code, 2);
}

#[test]
fn a_fault_of_the_course_has_no_points() {
    let course = course();
    let output = |more| report(course.path(), "codenames.py", "github-output", more);
    assert_eq!(output(&["--python", "no/python"]), (4, "passed=false\n".to_owned()));
    let (_, text) = report(course.path(), "codenames.py", "classroom", &["--python", "no/python"]);
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&result["status"], &result["max_score"]), (&"error".into(), &0.into()));
    break_file(course.path(), "exercise.toml");
    assert_eq!(
        report(course.path(), "codenames.py", "github-output", &CASES),
        (3, "passed=false\n".to_owned())
    );
}

#[test]
fn a_wrong_text_is_annotated_at_the_method_that_gives_it() {
    for (file, defines) in [
        ("python/newline_at_the_end.py", "def __str__("),
        ("python/space_after_each_row.py", "def __str__("),
        ("javascript/no_spaces_between_the_cells.js", "toString("),
    ] {
        let path = format!("fixtures/submissions/codenames/{file}");
        let source = fs::read_to_string(root().join(&path)).unwrap();
        let line = source.lines().position(|line| line.trim_start().starts_with(defines)).unwrap() + 1;
        let run = keur(&["grade", &path, "--format", "github"]);
        let errors: Vec<&str> = run.out.lines().filter(|line| line.starts_with("::error ")).collect();
        let at = format!("::error file={path},line={line},");
        assert!(!errors.is_empty() && errors.iter().all(|error| error.starts_with(&at)), "{at}: {errors:?}");
    }
}

#[test]
fn a_wrong_board_is_annotated_at_the_call_that_made_it() {
    let path = "fixtures/submissions/quixo/javascript/blank_die_stays_blank.js";
    let source = fs::read_to_string(root().join(path)).unwrap();
    let line = source.lines().position(|line| line.trim_start().starts_with("beurt(")).unwrap() + 1;
    let run = keur(&["grade", path, "--case", "spec_session", "--format", "github"]);
    assert_says(&run.out, &format!("::error file={path},line={line},"));
}

#[test]
fn a_path_is_the_same_however_it_was_typed() {
    let course = folder(&[("wrong/codenames.py", "class Spelbord:\n    pass\n")]);
    let junit = |path| report(course.path(), path, "junit-rich", &[]).1;
    for path in ["./wrong/", "./wrong/codenames.py", "wrong"] {
        assert_says(&junit(path), "file=\"wrong/codenames.py\"");
    }
}

#[test]
fn a_syntax_error_has_no_session() {
    let course = folder(&[("codenames.py", "class Spelbord\n")]);
    let (_, markdown) = report(course.path(), "codenames.py", "markdown", &[]);
    assert!(markdown.contains("SyntaxError") && !markdown.contains("```pycon"), "{markdown}");
}
