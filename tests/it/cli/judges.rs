//! Keur as the judge of other systems: Dodona, Kattis and DOMjudge.

use super::{CASE, COUNTER, EXERCISE, library};
use crate::running::{Run, keur, keur_command, keur_with_input, root};
use keur_core::report;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const CORRECT: &str = "fixtures/submissions/codenames/python/correct.py";
const WRONG: &str = "fixtures/submissions/codenames/python/blue_keeps_turn_on_red_spy.py";

/// Dodona's input for a judge, with replaced or additional keys.
fn asked(source: &str, more: Value) -> String {
    let mut asked = json!({
        "memory_limit": 500_000_000, "time_limit": 10, "programming_language": "python",
        "natural_language": "nl", "resources": "/mnt/resources", "source": source,
        "judge": "/mnt/judge", "workdir": "/tmp", "exercise": "codenames",
    });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked.to_string()
}

/// The commands of a judge and their required fields, as documented by Dodona.
const COMMANDS: [(&str, &[&str]); 13] = [
    ("start-judgement", &[]),
    ("start-tab", &["title"]),
    ("start-context", &[]),
    ("start-testcase", &["description"]),
    ("start-test", &["expected"]),
    ("append-message", &["message"]),
    ("annotate-code", &["row", "text"]),
    ("escalate-status", &["status"]),
    ("close-test", &["generated", "status"]),
    ("close-testcase", &[]),
    ("close-context", &[]),
    ("close-tab", &[]),
    ("close-judgement", &[]),
];

/// The valid statuses.
const STATUSES: [&str; 8] = [
    "internal error", "compilation error", "memory limit exceeded", "time limit exceeded",
    "output limit exceeded", "runtime error", "wrong", "correct",
];

/// The commands of a judgement with their fields; checks that each closes what was opened last.
#[track_caller]
fn commands(out: &str) -> Vec<Value> {
    let commands: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut open: Vec<&str> = Vec::new();
    for command in &commands {
        let (_, fields) = COMMANDS.iter().find(|(name, _)| command["command"] == *name).unwrap();
        assert!(fields.iter().all(|field| !command[field].is_null()), "{command}");
        let status = &command["status"];
        assert!(status.is_null() || STATUSES.iter().any(|known| status["enum"] == *known), "{command}");
        for text in [&command["description"], &command["message"]] {
            let formatted = text["format"].is_string() && text["description"].is_string();
            assert!(text.is_null() || text.is_string() || formatted, "{command}");
        }
        match command["command"].as_str().unwrap().split_once('-').unwrap() {
            ("start", what) => open.push(what),
            ("close", what) => assert_eq!(open.pop(), Some(what), "{out}"),
            _ => assert!(!open.is_empty(), "{out}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    commands
}

#[test]
fn dodona_is_told_how_each_case_came_out() {
    for (source, accepted, status) in [(CORRECT, true, "correct"), (WRONG, false, "wrong")] {
        let Run { code, out, err } = keur_with_input(&["dodona"], asked(source, json!({})));
        assert_eq!(code, 0, "{err}");
        let commands = commands(&out);
        let last = commands.last().unwrap();
        assert_eq!((&last["accepted"], &last["status"]["enum"]), (&accepted.into(), &status.into()));
        let contexts = commands.iter().filter(|command| command["command"] == "start-context").count();
        assert_eq!(contexts, 26);
        let tests: Vec<&Value> =
            commands.iter().filter(|command| command["command"] == "start-test").collect();
        // The case that fails, and the random sessions, which wait for all others.
        let expected: Vec<&Value> = tests.iter().map(|test| &test["expected"]).collect();
        assert_eq!(expected, if accepted { vec![] } else { vec!["'R'", ""] });
    }
}

#[test]
fn each_case_is_reported_when_it_is_graded() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    fs::write(
        library.path().join("counters/waits.toml"),
        CASE.replace("It counts", "It waits").replace("(1)", "(9)"),
    )
    .unwrap();
    let file = folder.path().join("counter.py");
    fs::write(&file, COUNTER.replace("self.n = start", "self.n = start\n        while start == 9: pass"))
        .unwrap();
    // The second case would compute for a minute.
    let mut child = keur_command(&["grade", file.to_str().unwrap()])
        .args(["--cases", library.path().to_str().unwrap()])
        .args(["--format", "dodona", "--cpu", "1min", "--wall", "1min"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || lines.map(|line| sender.send(line)).all(|sent| sent.is_ok()));
    let mut out: Vec<String> = Vec::new();
    while !out.last().is_some_and(|line| line.contains("close-context")) {
        out.push(
            receiver
                .recv_timeout(Duration::from_secs(30))
                .expect("the first case is reported before the second ends"),
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(out.iter().filter(|line| line.contains("start-context")).count(), 1, "{out:?}");
}

#[test]
fn an_exercise_of_dodona_brings_its_own_cases() {
    let (library, folder) = (library(EXERCISE, CASE), tempfile::tempdir().unwrap());
    // Dodona chooses the file's name.
    let source = folder.path().join("source");
    fs::write(&source, COUNTER.replace("return self\n", "raise ValueError('x')\n")).unwrap();
    let more = json!({ "resources": library.path(), "exercise": null, "natural_language": "en" });
    let Run { code, out, err } = keur_with_input(&["dodona"], asked(source.to_str().unwrap(), more));
    assert_eq!(code, 0, "{err}");
    let commands = commands(&out);
    let annotation = commands.iter().find(|command| command["command"] == "annotate-code").unwrap();
    assert_eq!((&annotation["row"], &annotation["type"]), (&6.into(), &"error".into()));
    assert_eq!(commands.last().unwrap()["status"]["enum"], "runtime error");
}

#[test]
fn a_judge_of_dodona_that_cannot_judge_says_so() {
    for (input, says) in [
        ("nonsense".to_owned(), "not the configuration that Dodona sends"),
        (asked("no/such/file", json!({})), "no/such/file: cannot be read"),
        (asked(CORRECT, json!({ "exercise": "chess" })), "chess"),
        (asked(CORRECT, json!({ "exercise": null })), "it is not clear which exercise to grade"),
        (asked(CORRECT, json!({ "programming_language": "cobol" })), "does not take submissions in cobol"),
    ] {
        let Run { code, out, err } = keur_with_input(&["dodona"], input);
        assert!(code >= 2 && err.contains(says), "{code}: {err}");
        let last = commands(&out).pop().unwrap();
        assert_eq!((&last["accepted"], &last["status"]["enum"]), (&false.into(), &"internal error".into()));
    }
}

#[test]
fn a_limit_of_dodona_that_is_tighter_than_the_exercises_holds() {
    let source = "fixtures/submissions/codenames/python/correct.py";
    let Run { out, .. } = keur_with_input(&["dodona"], asked(source, json!({ "time_limit": 0.000_001 })));
    assert_eq!(commands(&out).last().unwrap()["status"]["enum"], "time limit exceeded");
}

fn kattis(source: &[u8], feedback: &Path, more: &[&str]) -> Run {
    let mut args = vec!["kattis", "1.in", "1.ans", feedback.to_str().unwrap(), "--exercise", "codenames"];
    args.extend(more);
    keur_with_input(&args, source)
}

#[test]
fn a_validator_says_42_or_43_and_leaves_its_feedback() {
    for (file, code, score) in [(CORRECT, 42, "20\n"), (WRONG, 43, "18.67\n")] {
        let feedback = tempfile::tempdir().unwrap();
        let source = fs::read(root().join(file)).unwrap();
        let run = kattis(&source, feedback.path(), &[]);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{}", run.err);
        let read = |name: &str| fs::read_to_string(feedback.path().join(name)).unwrap();
        assert_eq!(read("score.txt"), score);
        assert!(read("judgemessage.txt").starts_with("codenames · Codenames"));
        assert!(read("teammessage.txt").starts_with("codenames · Codenames"));
    }
}

#[test]
fn a_team_is_told_less_than_its_judge() {
    let hidden = CASE.replacen("\n\n[[step]]", "\nhidden = true\n\n[[step]]", 1);
    let (library, feedback) = (library(EXERCISE, &hidden), tempfile::tempdir().unwrap());
    let source = COUNTER.replace("return self.n", "return 0");
    let args =
        ["kattis", "i", "a", feedback.path().to_str().unwrap(), "--cases", library.path().to_str().unwrap()];
    assert_eq!(keur_with_input(&args, source).code, 43);
    let tells = |name: &str| fs::read_to_string(feedback.path().join(name)).unwrap().contains("count_up");
    assert_eq!((tells("judgemessage.txt"), tells("teammessage.txt")), (true, false));
}

#[test]
fn a_validator_that_cannot_judge_says_neither() {
    let feedback = tempfile::tempdir().unwrap();
    for (more, folder) in [
        (vec!["--language", "cobol"], feedback.path().to_owned()),
        (vec!["--cases", "no/such"], feedback.path().to_owned()),
        (vec![], feedback.path().join("no/such")),
    ] {
        let Run { code, err, .. } = kattis(b"x = 1", &folder, &more);
        assert!(![0, 1, 42, 43].contains(&code), "{more:?}: {code} {err}");
    }
}

#[test]
fn faults_of_keur_cost_no_points() {
    for format in report::formats::FORMATS.iter().filter(|format| format.name != "html") {
        let run = keur(&["grade", "no/such.py", "--lang", "en", "--format", format.name]);
        assert_eq!(run.code, 2);
        match format.name {
            "gradescope" => assert_eq!((run.json().get("score"), run.json().get("tests")), (None, None)),
            "exercism" | "classroom" => assert_eq!(run.json()["status"], "error"),
            "ctrf" => assert_eq!(run.json()["results"]["tests"][0]["status"], "other"),
            "junit" | "junit-rich" => {
                assert!(run.out.contains("errors=\"1\"") && run.out.contains("<error "))
            }
            "csv" => assert!(
                run.out.lines().nth(1).unwrap().starts_with("such,no/such.py,,,,,0,0,"),
                "{}",
                run.out
            ),
            "dodona" => assert!(run.out.contains("internal error")),
            "tap" => assert!(run.out.contains("not ok 1 - such\n")),
            _ => {}
        }
    }
}
