//! Tests of cases of random sessions.

use crate::running::{Run, assert_says, folder, keur};
use serde_json::Value;
use tempfile::TempDir;

const EXERCISE: &str = r#"
title = "A counter"
session = "python"
lang = "en"
reference = { python = "right/counter.py" }
[files]
python = ["counter.py"]
javascript = ["counter.js"]
[class.Counter]
[class.Counter.methods]
up = []
down = []
value = []
"#;

const RIGHT: &str = "
class Counter:
    def __init__(self):
        self.count = 0
    def up(self):
        self.count += 1
    def down(self):
        self.count -= 1
    def value(self):
        return self.count
";

/// Counts as the reference does, but never below zero: the only ordinary case does not go there.
const NEVER_NEGATIVE: &str = "
class Counter:
    def __init__(self):
        self.count = 0
    def up(self):
        self.count += 1
    def down(self):
        self.count = max(0, self.count - 1)
    def value(self):
        return self.count
";

const CASE: &str = r#"
title = "Up twice, down once"
[[step]]
do = ["c = Counter()", "c.up()", "c.up()", "c.down()", "c.value()"]
returns = 1
"#;

/// A library of the counter, with this case of random sessions.
fn library(random: &str) -> TempDir {
    folder(&[
        ("counter/exercise.toml", EXERCISE),
        ("counter/right/counter.py", RIGHT),
        ("counter/up.toml", CASE),
        ("counter/any.toml", random),
    ])
}

/// Grades a submission with the counter's cases.
fn grade(random: &str, name: &str, source: &str, more: &[&str]) -> Run {
    let library = library(random);
    let submission = folder(&[(name, source)]);
    let path = submission.path().join(name);
    let mut args = vec!["grade", path.to_str().unwrap(), "--cases", library.path().to_str().unwrap()];
    args.extend(more);
    keur(&args)
}

/// The report of the case of random sessions.
fn any(json: &Value) -> &Value {
    report_of("any", json)
}

/// The report of the case of this name.
fn report_of<'j>(name: &str, json: &'j Value) -> &'j Value {
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    cases.iter().find(|case| case["name"] == name).unwrap()
}

const ANY: &str =
    "title = \"Random sessions\"\npoints = 3\nhint = \"Count on paper.\"\n[random]\nsessions = 30\n";

#[test]
fn a_right_program_passes_random_sessions() {
    let run = grade(ANY, "counter.py", RIGHT, &[]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert_says(&run.out, "4 of 4 points");
}

#[test]
fn a_wrong_program_that_passes_the_other_cases_is_shown_the_shortest_session() {
    for isolation in ["quick", "case", "both"] {
        let run = grade(ANY, "counter.py", NEVER_NEGATIVE, &["--isolation", isolation]);
        assert_eq!(run.code, 1, "{}", run.out);
        assert_says(&run.out, "1 of 4 points");
        assert_says(
            &run.out,
            "    1 >>> a = Counter()\n    2 >>> a.down()\n      None\n    3 >>> a.value()\n",
        );
        assert_says(&run.out, "hint: Count on paper.");
    }
}

#[test]
fn random_sessions_are_the_same_in_every_language() {
    let source = "class Counter {
        constructor() { this.count = 0; }
        up() { this.count += 1; }
        down() { this.count = Math.max(0, this.count - 1); }
        value() { return this.count; }
    }
    module.exports = { Counter };";
    let run = grade(ANY, "counter.js", source, &[]);
    assert_says(&run.out, "1 of 4 points");
    assert_says(&run.out, "> a.down()");
}

#[test]
fn random_sessions_wait_for_the_other_cases_unless_they_are_asked_for_always() {
    let wrong = NEVER_NEGATIVE.replace("self.count += 1", "self.count += 2");
    let json = grade(ANY, "counter.py", &wrong, &["--format", "json"]).json();
    assert_eq!(any(&json)["verdict"], "not run", "{json:#}");
    assert_eq!(any(&json)["blocked_by"], "up", "{json:#}");
    let always = format!("{ANY}always = true\n");
    let json = grade(&always, "counter.py", &wrong, &["--format", "json"]).json();
    assert_eq!(any(&json)["verdict"], "wrong value", "{json:#}");
}

#[test]
fn random_sessions_do_not_wait_for_what_depends_on_a_ruling() {
    let library = library(ANY);
    let ruling = "title = \"A ruling\"\ntags = [\"ruling\"]\n[[step]]\ndo = [\"c = Counter()\", \"c.value()\"]\nreturns = 1\n";
    std::fs::write(library.path().join("counter/ruling.toml"), ruling).unwrap();
    let submission = folder(&[("counter.py", RIGHT)]);
    let path = submission.path().join("counter.py");
    let cases = ["--cases", library.path().to_str().unwrap(), "--rulings", "--format", "json"];
    let json = keur(&[&["grade", path.to_str().unwrap()], &cases[..]].concat()).json();
    assert_eq!(report_of("ruling", &json)["verdict"], "wrong value", "{json:#}");
    assert_eq!(any(&json)["verdict"], "passed", "{json:#}");
}

#[test]
fn hidden_random_sessions_show_students_nothing_of_themselves() {
    let hidden = ANY.replace("points = 3", "hidden = true");
    let run = grade(&hidden, "counter.py", NEVER_NEGATIVE, &["--audience", "student"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(!run.out.contains("Counter()"), "{}", run.out);
    assert_says(&run.out, "hint: Count on paper.");
}

#[test]
fn seeds_and_the_length_of_sessions_can_be_chosen() {
    let seeds = "title = \"Random sessions\"\n[random]\nseeds = [3, 17, 4, 5, 6, 7, 8, 9]\n";
    assert_says(&grade(seeds, "counter.py", NEVER_NEGATIVE, &[]).out, "1 of 2 points");
    // One call shows nothing of it.
    let short = format!("{ANY}steps = 2\n");
    assert_says(&grade(&short, "counter.py", NEVER_NEGATIVE, &[]).out, "4 of 4 points");
}

#[test]
fn a_case_may_name_the_calls_of_its_sessions() {
    // Without `down`, nothing goes below zero.
    let up = format!("{ANY}calls = [\"up\", \"value\"]\n");
    assert_says(&grade(&up, "counter.py", NEVER_NEGATIVE, &[]).out, "4 of 4 points");
    let down = format!("{ANY}calls = [\"Counter.down\", \"value\"]\n");
    let run = grade(&down, "counter.py", NEVER_NEGATIVE, &[]);
    assert_says(&run.out, "1 of 4 points");
    assert!(!run.out.contains(".up()"), "{}", run.out);
    check(
        &format!("{ANY}calls = [\"dwon\"]\n"),
        &["any.toml:6:10", "the exercise has no function, method or class `dwon`", "did you mean `down`?"],
    );
    check(&format!("{ANY}calls = []\n"), &["any.toml:6:9", "`calls` is empty"]);
}

#[test]
fn a_case_of_a_game_cannot_name_the_calls_of_its_sessions() {
    let library = folder(&[("codenames/any.toml", &format!("{ANY}calls = [\"beurt\"]\n"))]);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert_says(&run.err, "any.toml:6:9");
    assert_says(&run.err, "`calls` in random sessions of a built-in game");
}

#[test]
fn a_finding_shows_objects_as_the_submission_itself_does() {
    let own = NEVER_NEGATIVE.replace("return self.count", "return Odd() if self.count == 3 else self.count")
        + "\nclass Odd:\n    def __repr__(self):\n        return 'an odd three'\n";
    assert_says(
        &grade(ANY, "counter.py", &own.replace("max(0, self.count - 1)", "self.count - 1"), &[]).out,
        "an odd three",
    );
}

#[test]
fn a_submission_that_hangs_in_a_session_costs_that_case_alone() {
    let hanging = NEVER_NEGATIVE
        .replace("max(0, self.count - 1)", "self.count - 1\n        while self.count < 0: pass");
    let run = grade(ANY, "counter.py", &hanging, &[]);
    assert_says(&run.out, "1 of 4 points");
    assert_says(&run.out, "time limit");
}

#[test]
fn a_submission_that_waits_while_it_is_loaded_has_the_time_of_all_its_cases_in_its_sessions() {
    let waiting = format!("import time\n{RIGHT}\ntime.sleep(0.3)\n");
    let limits = "title = \"Random sessions\"\n[random]\nsessions = 30\n[limits]\ncpu = \"80ms\"\n";
    let run = grade(limits, "counter.py", &waiting, &["--isolation", "case", "--budget", "100ms"]);
    assert_says(&run.out, "1 of 2 points");
    assert_says(&run.out, "time limit");
}

#[test]
fn built_in_games_have_random_sessions_too() {
    let library = folder(&[("codenames/any.toml", ANY)]);
    let checked = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let cases = ["--cases", library.path().to_str().unwrap(), "--lang", "en"];
    for (name, points) in [("correct.py", "20 of 20"), ("assassin_opens_the_board.py", "0 of 20")] {
        let path = format!("fixtures/submissions/codenames/python/{name}");
        let run = keur(&[&["grade", path.as_str()], cases.as_slice()].concat());
        assert_says(&run.out, &format!("{points} points"));
    }
}

#[test]
fn an_audit_picks_the_seeds_that_notice_most_mutants() {
    let library = library(ANY);
    let cases = ["--cases", library.path().to_str().unwrap()];
    let run = keur(&[["audit", "counter"].as_slice(), &cases, &["--pick", "3", "--hunt", "40"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_says(
        &run.out,
        "# counter: of 9 wrong programs, 9 are noticed with 3 seeds,\n# and 9 with the first 40.\n[random]\nseeds = [",
    );
}

/// Checks the errors of a case of random sessions.
#[track_caller]
fn check(random: &str, says: &[&str]) {
    let library = library(random);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    says.iter().for_each(|said| assert_says(&run.err, said));
}

#[test]
fn a_case_of_random_sessions_has_nothing_else() {
    let with = |key: &str| format!("title = \"t\"\n{key}\n[random]\n");
    check(&with("partial = true"), &["any.toml:2", "`partial` in a case of random sessions"]);
    check(
        &format!("{}[[step]]\ndo = \"c = Counter()\"\n", with("")),
        &["`step` in a case of random sessions"],
    );
    let row = "[[row]]\ngiven = { n = 1 }\nreturns = 2\n";
    check(&format!("{}sessions = 5\n{row}", with("")), &["`row` in a case of random sessions"]);
    check(&format!("{}sessions = 5\nseeds = [1]\n", with("")), &["`sessions` beside `seeds`"]);
    check(&format!("{}seeds = [1, 2, 1]\n", with("")), &["the seed 1 twice"]);
    for seed in ["-1", "4294967296"] {
        let seeds = format!("{}seeds = [3, {seed}]\n", with(""));
        check(&seeds, &["any.toml:4:13", "a seed is a whole number, 0 to 4294967295"]);
    }
    check(&format!("{}sessions = 0\n", with("")), &["`sessions` is a whole number, 1 to 10000"]);
    check(&format!("{}session = 5\n", with("")), &["did you mean `sessions`?"]);
}

#[test]
fn random_sessions_need_a_reference() {
    let library = folder(&[
        ("counter/exercise.toml", &EXERCISE.replace("reference = ", "# ")),
        ("counter/any.toml", "title = \"t\"\n[random]\n"),
    ]);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3);
    assert_says(&run.err, "random sessions of an exercise without a reference");
}

#[test]
fn an_exercise_of_programs_alone_has_no_random_sessions() {
    let exercise = EXERCISE.split("[class").next().unwrap().replace("[files]", "[programs]");
    let library = folder(&[
        ("counter/exercise.toml", &exercise),
        ("counter/right/counter.py", "print(1)\n"),
        ("counter/any.toml", "title = \"t\"\n[random]\n"),
    ]);
    let run = keur(&["check", library.path().to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert_says(&run.err, "random sessions of an exercise that has only programs");
    assert_says(&run.err, "any.toml:2:1");
}
