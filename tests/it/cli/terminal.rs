//! The report on a terminal: findings, tables, and how they fit its width.

use crate::running::{assert_says, keur, keur_command, run};

/// The report on a submission of the fixtures, in English.
fn shown(submission: &str, more: &[&str]) -> String {
    let path = format!("fixtures/{submission}");
    let mut args = vec!["grade", &path, "--lang", "en", "--exit-zero"];
    args.extend(more);
    let run = keur(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

/// The lines of a report that begin a finding.
fn findings(report: &str) -> usize {
    let (_, after) = report.split_once("\n\n").unwrap();
    after.lines().filter(|line| line.starts_with("  ✗ ") && !line.contains(" points · ")).count()
}

#[test]
fn a_cause_is_told_once_with_the_cases_that_it_explains() {
    let report = shown("class/bo", &[]);
    assert_eq!(findings(&report), 1, "{report}");
    let cases = "probably also in 13 other cases: ";
    assert!(report.replace("\n     ", "").contains(cases), "{report}");
    let report = shown("class/bo", &["--format", "markdown"]);
    assert_eq!(report.matches("### ✗").count(), 1, "{report}");
    assert_says(&report, "probably also in 13 other cases\\: ");
}

#[test]
fn load_errors_stand_once_for_all_cases() {
    let report = shown("submissions/pipopipette/javascript/does_not_parse.js", &[]);
    assert_says(&report, "    in all 30 cases\n");
    assert_eq!(report.lines().filter(|line| line.starts_with("  ✗   0/")).count(), 0, "{report}");
}

#[test]
fn findings_of_many_are_shown_when_asked() {
    let class = |more: &[&str]| shown("class/bo", &[&["fixtures/class/an"], more].concat());
    let blocks = |report: &str| report.matches("step ").count();
    let how = "to see the errors: --findings first (one of each submission) or --findings all\n";
    let table = class(&[]);
    assert_eq!((blocks(&table), table.ends_with(how)), (0, true), "{table}");
    assert!(table.starts_with("  Codenames\n  submission  "), "{table}");
    let first = class(&["--findings", "first"]);
    assert_eq!((blocks(&first), first.contains(how)), (1, false), "{first}");
    assert!(!first.contains("✗   0/1"), "the cases have no rows: {first}");
    let all = class(&["--findings", "all"]);
    assert_says(&all, "✗   0/1  blue_reveals_a_red_spy");
    assert!(!all.contains("an · Codenames"), "what passed is in the table only: {all}");
    let one = shown("class/bo", &["--findings", "none"]);
    assert_eq!((blocks(&one), one.contains("✗   0/1  blue_reveals_a_red_spy")), (0, true), "{one}");
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let submissions = ["codenames/python/beurt_prints_the_team.py", "quixo/python/other_message.py"];
    let shown =
        |more: &[&str]| run(keur_command(&["grade", "--lang", "nl"]).args(more).env("COLUMNS", "80")).out;
    let paths = submissions.map(|name| format!("fixtures/submissions/{name}"));
    let [one, other] = [0, 1].map(|index| paths[index].as_str());
    for report in [shown(&[one]), shown(&[one, other]), shown(&[one, other, "--findings=all"])] {
        let wide: Vec<&str> = report.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{wide:#?}");
    }
}

#[test]
fn the_session_shows_the_number_of_each_step() {
    let report = shown("submissions/quixo/python/column_before_row.py", &["--case", "spec_session"]);
    let session = "
      >>> from column_before_row import Quixo
    1 >>> quixo01 = Quixo(5, 'X-XXX-XO-OO-OOOOXOX-OOOO-')
    2 >>> str(quixo01)
      'X-XXX\\n-XO-O\\nO-OOO\\nOXOX-\\nOOOO-'
    3 >>> quixo01.positie('B1')
    step 3: ";
    assert_says(&report, session);
    let report = shown("submissions/quixo/python/column_before_row.py", &["--format", "exercism"]);
    assert!(report.contains(r"\n1 >>> "), "a message has the numbers: {report}");
    assert!(report.contains(r#""test_code": ">>> from"#), "code has none: {report}");
}

#[test]
fn a_missing_text_of_an_object_is_named_and_has_no_carets() {
    let report = shown("submissions/pipopipette/python/to_string_instead_of_str.py", &[]);
    assert_eq!(findings(&report), 1, "{report}");
    assert_says(&report, "the object has no text of its own: define the method __str__ in its class");
    assert_says(&report, "≠ <to_string_instead_of_str.Pipopipette object at 0x…>\n");
    assert!(!report.contains('^'), "{report}");
    let report = shown("submissions/quixo/python/column_before_row.py", &["--case", "distant_columns"]);
    assert!(report.contains('^'), "what is alike has them: {report}");
}

#[test]
fn a_message_that_is_printed_and_a_return_that_is_missing_are_told_once() {
    let report = shown("submissions/pipopipette/python/errors_are_printed.py", &[]);
    assert_says(&report, "the message was printed, but should be raised");
    assert_eq!(findings(&report), 1, "{report}");
    let report = shown("submissions/codenames/javascript/stoppen_returns_nothing.js", &[]);
    let sentence = "nothing was returned, so there is nothing to show; is a return missing?";
    assert!(report.replace("\n    ", " ").contains(sentence), "{report}");
    assert_eq!(findings(&report), 1, "{report}");
}

#[test]
fn neither_a_submission_nor_a_title_commands_a_log_or_a_terminal() {
    let case = super::CASE.replace("It counts", "t\\u001b]0;PWN\\u0007\\u202e");
    let library = super::library(super::EXERCISE, &case);
    let cases = library.path().to_str().unwrap();
    let submission = library.path().join("counter.py");
    let told = "##[error]x\\n::error::PWNED\\n##vso[task.setvariable variable=x]y";
    let source = super::COUNTER.replace("return self.n", &format!("raise ValueError('{told}')"));
    std::fs::write(&submission, source).unwrap();
    let submission = submission.to_str().unwrap();
    let shown = |args: &[&str]| {
        let mut command = keur_command(args);
        command.args(["--cases", cases]).env_remove("TF_BUILD").env("GITHUB_ACTIONS", "true");
        run(&mut command).out
    };
    let graded = |format: &str| shown(&["grade", submission, "--exercise", "counters", "--format", format]);
    let mut texts: Vec<String> = ["terminal", "markdown", "tap", "junit", "json"].map(graded).into();
    texts.push(shown(&["test", submission, "--exercise", "counters"]));
    texts.push(shown(&["list", "counters"]));
    for text in texts {
        assert_says(&text, "PWN");
        assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    }
}

/// What the terminal shows of a submission with these cases, each with its steps.
fn graded(cases: &[(&str, String)], source: &str, more: &[&str]) -> String {
    let exercise = "title = \"Sums\"\nsession = \"python\"\n[files]\npython = [\"sums.py\"]\n\
                    [function]\na = []\nb = []\nc = []\nd = []\n";
    let mut files = vec![("sums/exercise.toml".to_owned(), exercise.to_owned())];
    for (name, steps) in cases {
        files.push((format!("sums/{name}.toml"), format!("title = \"{name}\"\n{steps}")));
    }
    files.push(("sums.py".to_owned(), source.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = crate::running::folder(&files);
    let (submission, cases) = (folder.path().join("sums.py"), folder.path().to_str().unwrap());
    let args = ["grade", submission.to_str().unwrap(), "--cases", cases, "--lang", "en"];
    crate::running::keur(&[&args, more].concat()).out
}

#[test]
fn three_causes_are_shown_unless_all_are_asked_for() {
    let cases =
        ["a", "b", "c", "d"].map(|name| (name, format!("[[step]]\ndo = \"{name}()\"\nreturns = 1\n")));
    let source = "def a(): return 2\ndef b(): return 3\ndef c(): return 4\ndef d(): return 5\n";
    let few = graded(&cases, source, &[]);
    assert_eq!(findings(&few), 3, "{few}");
    assert_says(&few, "1 more error may have another cause: see it with --findings all\n");
    let all = graded(&cases, source, &["--findings", "all"]);
    assert_eq!((findings(&all), all.contains("more error")), (4, false), "{all}");
}

#[test]
fn the_middle_of_a_long_session_and_of_a_long_output_is_left_out() {
    let steps = "[[step]]\ndo = \"a()\"\n".repeat(14) + "[[step]]\ndo = \"b()\"\nreturns = 1\n";
    let source = "def a(): return 7\ndef c(): pass\nd = c\ndef b():\n    for n in range(30): print('line', n)\n    return 2\n";
    let report = graded(&[("long", steps)], source, &[]);
    for says in [
        "… 6 more lines", " 2 >>> a()", "14 >>> a()", "15 >>> b()", "line 6\n", "… 20 more lines",
        "line 29\n",
    ] {
        assert!(report.contains(says), "{says:?} is not in\n{report}");
    }
    for hides in [" 5 >>> a()", "line 7\n", "line 26\n"] {
        assert!(!report.contains(hides), "{hides:?} is in\n{report}");
    }
}
