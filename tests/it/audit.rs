//! Audits as users see them: which wrong programs survive, what each case kills, and what is refused.

use crate::required::needs;
use crate::running::{folder, keur_command, root, run, unwrapped};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// An exercise without a reference: its cases, its right program, and three mutants.
const EXERCISE: &str = "title = \"The largest\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"largest.py\"]\n\
    [function]\nlargest = { args = [\"a\", \"b\"] }\n";
const RIGHT: &str = "def largest(a, b):\n    if a is None:\n        raise ValueError('none')\n    return a if a >= b else b\n";
const FIRST: &str = "title = \"The first\"\n[[step]]\ndo = \"largest(2, 1)\"\nreturns = 2\n";
const SECOND: &str =
    "title = \"The second\"\nneeds = [\"first\"]\n[[step]]\ndo = \"largest(1, 2)\"\nreturns = 2\n";
const MUTANTS: &str = r#"program = { python = ["largest.py"] }
[[mutant]]
name = "the_smallest"
what = "the smallest is returned"
find = "a >= b"
put = "a <= b"
[[mutant]]
name = "none_is_compared"
what = "None is not refused"
find = "raise ValueError('none')"
put = "pass"
[[mutant]]
name = "the_second_of_equals"
what = "the second of two equal numbers is returned"
find = ">="
put = ">"
equivalent = "Equal numbers are the same number"
"#;

/// The exercise, with these files instead of its own or beside them.
fn largest(changes: &[(&str, &str)]) -> TempDir {
    let own = [
        ("largest/exercise.toml", EXERCISE),
        ("largest/first.toml", FIRST),
        ("largest/second.toml", SECOND),
        ("largest/mutants/largest.py", RIGHT),
        ("largest/mutants/mutants.toml", MUTANTS),
    ];
    folder(&[&own, changes].concat())
}

/// Audits the exercises of a folder: the exit code, and the text.
fn audit(folder: &Path, options: &[&str]) -> (i32, String) {
    let mut command = keur_command(&["audit", "--cases"]);
    let run = run(command.arg(folder).args(options).env("COLUMNS", "80"));
    (run.code, run.all())
}

fn json(folder: &Path, options: &[&str]) -> Value {
    let (_, text) = audit(folder, &[&["--format", "json"], options].concat());
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    report["exercises"][0].clone()
}

/// Checks the exit code of an audit, and what it says.
#[track_caller]
fn check(folder: &TempDir, exit: i32, says: &[&str]) {
    let (code, text) = audit(&folder.path().join("largest"), &[]);
    assert_eq!(code, exit, "{text}");
    let text = unwrapped(&text);
    for part in says {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[test]
fn a_mutant_that_no_case_fails_survives() {
    let folder = largest(&[]);
    check(
        &folder,
        1,
        &[
            "1 survives · 1 killed · 1 more is equivalent",
            "survives none_is_compared (largest.py:3)",
            "None is not refused",
            "- raise ValueError('none')",
            "no case was searched for: there are no random sessions of the exercise largest",
            "equivalent the_second_of_equals (largest.py:4): Equal numbers are the same number",
            "1 of 2 cases kill as much as all of them (found greedily)",
        ],
    );
}

#[test]
fn lines_fit_in_80_columns() {
    let (_, text) = audit(&largest(&[]).path().join("largest"), &[]);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{text}");
}

#[test]
fn with_a_case_for_each_mutant_all_are_killed() {
    let none = "title = \"None\"\n[[step]]\ndo = \"largest(None, 1)\"\nraises = \"none\"\n";
    check(&largest(&[("largest/none.toml", none)]), 0, &["all killed"]);
}

#[test]
fn a_case_kills_although_one_that_it_needs_fails() {
    let report = json(&largest(&[]).path().join("largest"), &[]);
    assert_eq!(
        (&report["killed"], &report["survived"], &report["equivalent"]),
        (&1.into(), &1.into(), &1.into())
    );
    let programs = report["programs"].as_array().unwrap();
    let fates: Vec<&str> = programs.iter().map(|program| program["fate"].as_str().unwrap()).collect();
    assert_eq!(fates, ["survived", "killed", "equivalent"]);
    assert_eq!(programs[1]["killed_by"], serde_json::json!(["first", "second"]));
    assert_eq!(programs[1]["verdicts"]["second"], "wrong value");
    assert_eq!(report["cases"][1]["kills"], 1);
    assert_eq!(report["cases"][1]["kills_alone"], 0);
}

#[test]
fn hints_that_no_wrong_program_is_shown_are_named() {
    let first = "hint = \"last\"\n".to_owned()
        + FIRST
        + "hint = \"shown\"\n[[step]]\ndo = \"largest(4, 3)\"\nreturns = 4\n";
    let folder = largest(&[("largest/first.toml", &first)]);
    check(&folder, 1, &["hints that are shown for no wrong program: first: last"]);
    let report = json(folder.path(), &[]);
    assert_eq!(report["cases"][0]["unshown_hints"], serde_json::json!(["last"]));
}

#[test]
fn the_page_has_the_survivors_and_the_matrix() {
    let folder = largest(&[]);
    let page = folder.path().join("audit.html");
    let (code, _) =
        audit(&folder.path().join("largest"), &["--format", "html", "-o", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(code, 1);
    assert!(!page.contains("<script") && !page.contains("style=\""));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not in the page"));
    assert!(place("None is not refused") < place("<table class=\"heat\">"));
    assert!(place("<code class=\"old\">-        raise ValueError(&#39;none&#39;)</code>") > 0);
    assert!(place("<td class=\"k\" title=\"first: wrong value\">×</td>") > 0);
}

#[test]
fn cases_that_rest_on_a_ruling_kill_only_what_breaks_one() {
    let none =
        "title = \"None\"\ntags = [\"ruling\"]\n[[step]]\ndo = \"largest(None, 1)\"\nraises = \"none\"\n";
    let ruling = MUTANTS.replace("put = \"pass\"", "put = \"pass\"\nruling = true");
    check(&largest(&[("largest/none.toml", none)]), 1, &["survives none_is_compared"]);
    let folder = largest(&[("largest/none.toml", none), ("largest/mutants/mutants.toml", &ruling)]);
    check(&folder, 0, &["all killed"]);
}

#[test]
fn errors_in_the_mutants_are_reported() {
    let twice = MUTANTS.replace("find = \"a >= b\"", "find = \"a\"");
    check(
        &largest(&[("largest/mutants/mutants.toml", &twice)]),
        3,
        &["`find` of the mutant `the_smallest` occurs", "mutants.toml:5:8"],
    );
    let wrong = RIGHT.replace(">=", "<");
    let mutants = MUTANTS.replace("\">=\"", "\"<\"").replace("a >= b", "a < b");
    let changes =
        [("largest/mutants/largest.py", wrong.as_str()), ("largest/mutants/mutants.toml", &mutants)];
    check(
        &largest(&changes),
        3,
        &["should be right, but does not pass every case: first: wrong value at step 1"],
    );
    let told = MUTANTS.replace("put = \"a <= b\"", "put = \"a <= b\"\nequivalent = \"It is not\"");
    check(
        &largest(&[("largest/mutants/mutants.toml", &told)]),
        3,
        &["the_smallest is said to be equivalent to the right program, but the case first fails it"],
    );
    let nothing = folder(&[("largest/exercise.toml", EXERCISE), ("largest/first.toml", FIRST)]);
    check(&nothing, 2, &["largest has no wrong program to hold its cases against"]);
}

/// An exercise whose reference is in JavaScript.
fn larger(mutants: &str) -> TempDir {
    let exercise = "title = \"The larger\"\nsession = \"javascript\"\nlang = \"en\"\n\
        reference = { javascript = \"solution/larger.js\" }\n[files]\njavascript = [\"larger.js\"]\n[function]\n\
        larger = { args = [\"a\", \"b\"] }\n";
    let solution = "function larger(a, b) {\n  if (a > b) return a;\n  return b;\n}\n";
    let case = "title = \"Both\"\n[[step]]\ndo = \"larger(2, 1)\"\nreturns = 2\n[[step]]\ndo = \"larger(1, 2)\"\nreturns = 2\n";
    folder(&[
        ("largest/exercise.toml", exercise),
        ("largest/solution/larger.js", solution),
        ("largest/both.toml", case),
        ("largest/samples/wrong/first.js", "function larger(a, b) {\n  return a;\n}\n"),
        ("largest/mutants/mutants.toml", mutants),
    ])
}

#[test]
fn keur_makes_mutants_of_a_reference() {
    let found = json(&larger("").path().join("largest"), &[]);
    let programs = found["programs"].as_array().unwrap();
    let survivors: Vec<&str> = programs
        .iter()
        .filter(|program| program["fate"] == "no difference")
        .map(|program| program["name"].as_str().unwrap())
        .collect();
    assert_eq!(survivors, ["larger_border_1"]);
    let kinds: Vec<&str> = programs.iter().map(|program| program["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"sample") && kinds.iter().filter(|kind| **kind == "generic").count() == 4);
    let says =
        ["mutants by machine: 1 equivalent as far as sessions tried · 3 killed", "random sessions tried"];
    check(&larger(""), 1, &says);
    let proof = "[equivalent]\nlarger_border_1 = \"Equal numbers are the same number\"\n";
    check(&larger(proof), 0, &["all killed · 1 more is equivalent"]);
    check(
        &larger("[equivalent]\nlarger_border_2 = \"x\"\n"),
        3,
        &["keur makes no mutant `larger_border_2` of the reference", "did you mean `larger_border_1`?"],
    );
}

/// The name, the fate and whether no case reaches it, of the mutants that keur made.
fn generic(report: &Value) -> Vec<(&str, &str, bool)> {
    let programs = report["programs"].as_array().unwrap().iter();
    programs
        .filter(|program| program["kind"] == "generic")
        .map(|program| {
            let text = |key: &str| program[key].as_str().unwrap();
            (text("name"), text("fate"), program["unreached"] == true)
        })
        .collect()
}

#[test]
fn keur_makes_mutants_of_a_right_submission() {
    let given = folder(&[("right.py", RIGHT)]);
    let right = given.path().join("right.py");
    let options = ["largest", "--mutate", right.to_str().unwrap()];
    let folder = largest(&[]);
    let report = json(folder.path(), &options);
    assert_eq!(
        generic(&report),
        [
            ("right/largest_dropped_1", "survived", true),
            ("right/largest_message_1", "survived", true),
            ("right/largest_border_1", "survived", false),
            ("right/largest_turned_1", "killed", false),
            ("right/largest_return_1", "killed", false),
            ("right/largest_turned_2", "killed", false),
        ]
    );
    let counts = serde_json::json!({
        "generic": { "killed": 3, "survived": 3 },
        "mutant": { "equivalent": 1, "killed": 1, "survived": 1 },
    });
    assert_eq!(report["kinds"], counts);
    let (code, text) = audit(folder.path(), &options);
    assert_eq!(code, 1);
    let text = unwrapped(&text);
    for part in [
        "mutants by hand: 1 survived · 1 killed · 1 equivalent",
        "mutants by machine: 3 survived · 3 killed",
        "survives right/largest_message_1 (right.py:3)",
        "no case reaches the changed statement",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    let page = audit(folder.path(), &[&options[..], &["--format", "html"]].concat()).1;
    assert!(
        page.contains("Mutants by machine") && page.contains("No case reaches the changed statement."),
        "{page}"
    );
}

#[test]
fn a_submission_that_mutants_are_made_of_must_be_right() {
    let given =
        folder(&[("wrong.py", "def largest(a, b):\n    return a\n"), ("none.java", "class Largest {}\n")]);
    let refused = |name: &str| {
        let path = given.path().join(name);
        let (code, text) = audit(largest(&[]).path(), &["largest", "--mutate", path.to_str().unwrap()]);
        assert_eq!(code, 3, "{text}");
        unwrapped(&text)
    };
    assert!(
        refused("wrong.py")
            .contains("wrong.py should be right, but does not pass every case: second: wrong value")
    );
    assert!(
        refused("none.java")
            .contains("none.java: keur makes mutants of programs in Python and JavaScript only")
    );
    assert!(refused("nothing.py").contains("nothing.py"));
}

#[test]
fn a_right_submission_may_be_in_latin_1_and_settle_rulings_in_another_way() {
    let given = tempfile::tempdir().unwrap();
    let right = given.path().join("right.py");
    let latin = [b"# -*- coding: latin-1 -*-\n# gr\xf8n\n".as_slice(), RIGHT.as_bytes()].concat();
    fs::write(&right, latin).unwrap();
    let none = "title = \"None\"\ntags = [\"ruling\"]\n[[step]]\ndo = \"largest(None, 1)\"\nreturns = 1\n";
    let mutants = ("largest/mutants/mutants.toml", "program = { python = [\"other.py\"] }\n");
    let other = RIGHT.replace("raise ValueError('none')", "return b");
    let folder = largest(&[("largest/none.toml", none), mutants, ("largest/mutants/other.py", &other)]);
    let report = json(folder.path(), &["largest", "--mutate", right.to_str().unwrap()]);
    assert_eq!(generic(&report).len(), 6);
}

#[test]
fn a_mutant_that_only_breaks_a_ruling_which_the_right_program_keeps_is_killed() {
    let given = folder(&[("right.py", RIGHT)]);
    let path = given.path().join("right.py");
    let options = ["largest", "--mutate", path.to_str().unwrap()];
    let fates = |expected: &str| {
        let none = format!(
            "title = \"None\"\ntags = [\"ruling\"]\n[[step]]\ndo = \"largest(None, 1)\"\n{expected}\n"
        );
        let mutants = ("largest/mutants/mutants.toml", "program = { python = [\"other.py\"] }\n");
        let other = if expected == "returns = 1" {
            RIGHT.replace("raise ValueError('none')", "return b")
        } else {
            RIGHT.to_owned()
        };
        let folder = largest(&[("largest/none.toml", &none), mutants, ("largest/mutants/other.py", &other)]);
        let report = json(folder.path(), &options);
        let found = generic(&report).into_iter().find(|(name, ..)| *name == "right/largest_dropped_1");
        found.unwrap().1.to_owned()
    };
    assert_eq!(fates("raises = \"none\""), "killed");
    // The right submission settles it in another way.
    assert_eq!(fates("returns = 1"), "survived");
}

/// A program for the car park in Python, with a loop, copies, and statements that can change places.
const CAR_PARK: &str = "class Parking:
    def __init__(self, places):
        self.places, self.parked = places, []
        self.queue = self.parked[:]

    def arrive(self, car):
        if car in self.parked or car in self.queue:
            raise ValueError('the car is here already')
        (self.parked if self.free() else self.queue).append(car)

    def leave(self, car):
        for cars in (self.queue, self.parked):
            if car not in cars:
                continue
            cars.remove(car)
            self.parked += self.queue[:self.free()]
            self.queue = [waits for waits in self.queue if waits not in self.parked]
            return
        raise ValueError('the car is not here')

    def free(self):
        return self.places - len(self.parked)

    def waiting(self):
        waiting = list(self.queue)
        for place in range(len(waiting)):
            waiting[place] += ''
        return waiting
";

#[test]
fn python_has_copies_that_are_shared_statements_that_swap_and_loops_that_end_early() {
    let given = folder(&[("parking.py", CAR_PARK)]);
    let path = given.path().join("parking.py");
    let options = ["parking", "--hunt", "0", "--mutate", path.to_str().unwrap()];
    let report = json(&root().join("fixtures/exercises"), &options);
    let programs = report["programs"].as_array().unwrap();
    let patch = |name: &str| {
        let name = format!("parking/{name}");
        let program = programs.iter().find(|program| program["name"] == name.as_str());
        let patch = program.unwrap_or_else(|| panic!("there is no {name}"))["patch"].as_array().unwrap();
        let added = patch.iter().filter_map(|line| line.as_str()?.strip_prefix('+'));
        added.map(str::trim).collect::<Vec<_>>().join(" / ")
    };
    assert_eq!(patch("init_shared_1"), "self.queue = self.parked");
    assert_eq!(patch("waiting_shared_1"), "waiting = self.queue");
    assert_eq!(patch("waiting_arithmetic_1"), "for place in range(len(waiting) - 1):");
    assert_eq!(patch("waiting_arithmetic_2"), "waiting[place] -= ''");
    assert_eq!(patch("waiting_early_1"), "return");
    assert_eq!(patch("waiting_early_2"), "break");
    assert_eq!(patch("leave_early_1"), "break");
    assert_eq!(
        patch("leave_swapped_1"),
        "self.queue = [waits for waits in self.queue if waits not in self.parked] / self.parked += self.queue[:self.free()]"
    );
}

/// The car park of the fixtures, with this case beside its own.
fn car_park(case: &str) -> TempDir {
    let file = |name: &str| fs::read_to_string(root().join("fixtures/exercises/parking").join(name)).unwrap();
    let (exercise, places, solution) =
        (file("exercise.toml"), file("places.toml"), file("solution/parking.py"));
    folder(&[
        ("parking/exercise.toml", &exercise),
        ("parking/places.toml", &places),
        ("parking/queue.toml", &file("queue.toml")),
        ("parking/any.toml", case),
        ("parking/solution/parking.py", &solution),
    ])
}

#[test]
fn programs_that_random_sessions_alone_kill_are_counted_apart() {
    let folder = car_park("title = \"Random sessions\"\n[random]\nseeds = [77, 125]\n");
    let report = json(folder.path(), &["parking", "--hunt", "20"]);
    let programs = generic(&report);
    // No car that waits leaves, and in no case of steps a car makes place for one that waits.
    assert!(programs.contains(&("leave_dropped_1", "survived", true)), "{programs:?}");
    assert!(programs.contains(&("leave_dropped_2", "killed", false)), "{programs:?}");
    assert!(programs.contains(&("leave_dropped_3", "killed at random", false)), "{programs:?}");
    // The caller's list is the queue itself, and no session changes it.
    assert!(programs.contains(&("waiting_shared_1", "no difference", false)), "{programs:?}");
    let cases = report["cases"].as_array().unwrap().iter();
    let random: Vec<&Value> = cases.filter(|case| case["random"] == true).collect();
    assert!(
        random.len() == 1 && random[0]["name"] == "any" && random[0]["kills"] == random[0]["kills_alone"]
    );
}

#[test]
fn a_survivor_that_no_case_reaches_is_not_said_to_be_equivalent() {
    // Nobody ever leaves.
    let folder =
        car_park("title = \"Free\"\n[[step]]\ndo = [\"p = Parking(2)\", \"p.free()\"]\nreturns = 2\n");
    fs::remove_file(folder.path().join("parking/places.toml")).unwrap();
    let (_, text) = audit(folder.path(), &["parking", "--hunt", "5"]);
    let text = unwrapped(&text);
    let dropped = text.split("survives ").find(|part| part.starts_with("leave_dropped_1 ")).unwrap();
    assert!(
        dropped.contains("no case reaches the changed statement no difference in 5 random sessions"),
        "{dropped}"
    );
    assert!(!dropped.contains("equivalent"), "{dropped}");
}

#[test]
fn a_hunt_proposes_a_case_that_kills_a_survivor() {
    let exercise = fs::read_to_string(root().join("cases/codenames/exercise.toml"));
    let right = "fixtures/submissions/codenames/python/correct.py";
    let right = fs::read_to_string(root().join(right)).unwrap();
    let begins =
        "title = \"Red begins\"\n[[step]]\ndo = \"Spelbord(1, 4, 'RRBX').beurt()\"\nreturns = \"R\"\n";
    let mutants = "program = { python = [\"codenames.py\"] }\n[[mutant]]\nname = \"the_turn_stays\"\n\
        what = \"the turn stays after any card but a bystander\"\nfind = \"        elif kleur != self.team:\"\n\
        put = \"        elif kleur == '-':\"\n";
    let folder = folder(&[
        ("largest/exercise.toml", &exercise.unwrap()),
        ("largest/begins.toml", begins),
        ("largest/mutants/codenames.py", &right),
        ("largest/mutants/mutants.toml", mutants),
    ]);
    let exercise = folder.path().join("largest");
    let (code, text) = audit(&exercise, &["--propose", exercise.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("a case that would kill it:") && text.contains("[[step]]"), "{text}");
    assert!(exercise.join("kills_the_turn_stays.toml").is_file());
    check(&folder, 0, &["all killed", "1 1 *kills_the_turn_stays"]);
}

#[test]
fn samples_beside_their_verdicts_are_known_to_be_wrong() {
    let verdicts = "[wrong]\ndefect = \"the first is returned\"\n[right]\n# another way\n";
    let folder = largest(&[
        ("given/largest/python/verdicts.toml", verdicts),
        ("given/largest/python/wrong.py", "def largest(a, b):\n    return a\n"),
        ("given/largest/python/right.py", RIGHT),
    ]);
    let given = folder.path().join("given");
    let report = json(&folder.path().join("largest"), &["--samples", given.to_str().unwrap()]);
    let samples: Vec<&Value> =
        report["programs"].as_array().unwrap().iter().filter(|program| program["kind"] == "sample").collect();
    assert_eq!(samples.len(), 1);
    assert_eq!(samples[0]["what"], "the first is returned");
    assert_eq!(samples[0]["killed_by"], serde_json::json!(["second"]));
}

/// The exercise in C++, with a reference and a wrong sample, and these mutants.
fn largest_in_cpp(mutants: &str) -> TempDir {
    let exercise = EXERCISE.replace("lang =", "reference = { cpp = \"solution/largest.cpp\" }\nlang =");
    let exercise = exercise.replace("python = [\"largest.py\"]", "cpp = [\"largest.cpp\"]");
    let exercise = exercise + "[arguments]\na = { from = -3, to = 3 }\nb = { from = -3, to = 3 }\n";
    let right = "#include <algorithm>\n\nint largest(int a, int b) {\n    return std::max(a, b);\n}\n";
    folder(&[
        ("largest/exercise.toml", &exercise),
        ("largest/first.toml", FIRST),
        ("largest/solution/largest.cpp", right),
        ("largest/mutants/largest.cpp", right),
        (
            "largest/mutants/mutants.toml",
            &format!("program = {{ cpp = [\"largest.cpp\"] }}\n[[mutant]]\n{mutants}"),
        ),
        ("wrong/sum.cpp", "int largest(int a, int b) { return a + b; }\n"),
    ])
}

#[test]
fn mutants_and_samples_in_cpp_are_audited_and_hunted() {
    needs!(Cpp);
    let folder = largest_in_cpp(
        "name = \"first\"\nwhat = \"the first number is returned\"\nfind = \"std::max(a, b)\"\nput = \"a\"\n",
    );
    let wrong = folder.path().join("wrong");
    let given = ["--samples", wrong.to_str().unwrap(), "--hunt", "20"];
    let (code, text) = audit(&folder.path().join("largest"), &given);
    let text = unwrapped(&text);
    assert_eq!(code, 1, "{text}");
    for part in [
        "1 survives · 1 killed",
        "survives first (largest.cpp:4)",
        "- return std::max(a, b);",
        "do = \"largest(",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[test]
fn a_mutant_that_does_not_compile_is_an_error() {
    needs!(Cpp);
    let folder = largest_in_cpp(
        "name = \"broken\"\nwhat = \"a name is misspelt\"\nfind = \"(a, b);\"\nput = \"(a, c);\"\n",
    );
    check(&folder, 3, &["the mutant broken does not compile: largest.cpp:4: 'c' was not declared"]);
}
