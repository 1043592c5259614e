//! Hunts as users see them: what is found, how it is shown and saved, and that right programs have nothing to
//! fear.

use crate::required::needs;
use crate::running::{self, assert_says, folder, unwrapped};
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const FIXTURES: &str = "fixtures/submissions/codenames";

/// Runs keur: its exit code, and what it writes, with each run of white space as one space.
fn keur(args: &[&str]) -> (i32, String) {
    let run = running::keur(args);
    (run.code, unwrapped(&run.all()))
}

/// A folder with a program for Codenames in it: a right one, with `find` replaced.
fn changed(find: &str, put: &str) -> (TempDir, String) {
    let right = fs::read_to_string(format!("{FIXTURES}/python/correct.py")).unwrap();
    assert!(right.contains(find));
    let folder = folder(&[("codenames.py", &right.replacen(find, put, 1))]);
    let path = folder.path().join("codenames.py");
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[track_caller]
fn check(path: &str, options: &[&str], exit: i32, says: &[&str]) {
    let (code, text) = keur(&[&["hunt", path, "--exercise", "codenames"], options].concat());
    assert_eq!(code, exit, "{text}");
    for part in says {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[test]
fn a_wrong_program_is_shown_a_short_session() {
    let (_folder, path) = changed("        elif kleur != self.team:", "        elif kleur == '-':");
    let session = "1 >>> codenames = Spelbord(";
    check(
        &path,
        &[],
        1,
        &[session, "✗ hunted · Een tegenvoorbeeld uit een willekeurige sessie", "of seed 0"],
    );
    check(&path, &["--lang", "en"], 1, &["A counterexample from a random session"]);
    let (_, text) = keur(&["hunt", &path]);
    assert!(text.matches(">>>").count() <= 4, "{text}");
}

#[test]
fn javascript_is_hunted_too() {
    let path = format!("{FIXTURES}/javascript/commas_between_the_cells.js");
    check(&path, &[], 1, &["> codenames = new Spelbord(", "tekst"]);
}

#[test]
fn java_is_hunted_strictly() {
    needs!(Java);
    let broken = fs::read_dir(format!("{FIXTURES}/java")).unwrap().flatten().map(|entry| entry.path());
    let mut broken = broken.filter(|path| !path.to_string_lossy().contains("correct"));
    let path = broken.find(|path| path.extension().is_some_and(|found| found == "java")).unwrap();
    check(path.to_str().unwrap(), &["--sessions", "100"], 1, &["hunted"]);
}

#[test]
fn cpp_is_hunted_in_games_and_in_exercises_of_ones_own() {
    needs!(Cpp);
    let path = format!("{FIXTURES}/cpp/bystander_keeps_the_turn.cpp");
    check(&path, &["--lang", "en"], 1, &["auto codenames = Spelbord(", "✗ hunted", "of seed 0"]);
    let path = format!("{FIXTURES}/cpp/correct_arrays.cpp");
    check(&path, &["--sessions", "20"], 0, &["correct_arrays: geen verschil in 20 sessies"]);
    // A fault that only a sanitizer notices is a difference, too.
    let exercise = "title = \"Sums\"\nsession = \"python\"\nlang = \"en\"\nreference = { python = \"solution/sums.py\" }\n\
        [files]\npython = [\"sums.py\"]\ncpp = [\"sums.cpp\"]\n[function]\ntotal = { args = [\"numbers\"] }\n\
        [arguments]\nnumbers = { length = 4, list_of = { from = 0, to = 9 } }\n";
    let source = "#include <vector>\nint total(const std::vector<int> &numbers) {\n    int sum = 0;\n    \
        for (unsigned i = 0; i < numbers.size(); i++) sum += numbers[i];\n    return numbers.data()[numbers.size()] == 12345 ? 0 : sum;\n}\n";
    let own = folder(&[
        ("sums/exercise.toml", exercise),
        ("sums/one.toml", "title = \"One\"\n[[step]]\ndo = \"total([1])\"\nreturns = 1\n"),
        ("sums/solution/sums.py", "def total(numbers):\n    return sum(numbers)\n"),
        ("sums.cpp", source),
    ]);
    let path = |name: &str| own.path().join(name).to_str().unwrap().to_owned();
    let (code, text) = keur(&[
        "hunt",
        &path("sums.cpp"),
        "--exercise",
        "sums",
        "--cases",
        &path("sums"),
        "--sessions",
        "20",
    ]);
    assert_eq!(code, 1, "{text}");
    for part in ["total({})", "the program has undefined behaviour", "sums.cpp, line 5"] {
        assert_says(&text, part);
    }
}

#[test]
fn a_right_program_shows_no_difference() {
    let path = format!("{FIXTURES}/python/correct_counters.py");
    check(&path, &["--sessions", "100"], 0, &["correct_counters: geen verschil in 100 sessies"]);
    check(&path, &["--sessions", "1", "--seed", "7", "--lang", "en"], 0, &["no difference in 1 session"]);
    check(&path, &["--time", "100ms", "--lang", "da"], 0, &["ingen forskel i"]);
}

#[test]
fn all_that_a_submission_takes_counts() {
    let path = format!("{FIXTURES}/python/correct_counters.py");
    let says = ["no difference in 1 session, and then the time was up"];
    check(&path, &["--lang", "en", "--budget", "1ms"], 0, &says);
    check(&path, &["--lang", "en", "--budget", "1ms", "--time", "1min"], 0, &says);
    // A session that differs is believed, and not made smaller.
    let (_folder, path) = changed("        elif kleur != self.team:", "        elif kleur == '-':");
    let prompts = |options: &[&str]| {
        let (code, text) = keur(&[&["hunt", &path, "--exercise", "codenames"], options].concat());
        assert_eq!(code, 1, "{text}");
        assert_says(&text, "found in session 1 of seed");
        text.matches(">>>").count()
    };
    assert!(prompts(&["--seed", "26", "--budget", "1ms"]) > prompts(&["--seed", "26"]));
}

#[test]
fn the_same_seed_finds_the_same_session() {
    let path = format!("{FIXTURES}/python/isafgelopen_counts_again.py");
    let found = |seed| keur(&["hunt", &path, "--exercise", "codenames", "--seed", seed]);
    assert_eq!(found("3"), found("3"));
    assert_ne!(found("3").1, found("4").1);
}

#[test]
fn a_saved_session_is_a_case_that_the_program_fails() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("codenames");
    fs::create_dir(&cases).unwrap();
    fs::copy("cases/codenames/exercise.toml", cases.join("exercise.toml")).unwrap();
    let saved = cases.join("found.toml");
    let (saved, cases) = (saved.to_str().unwrap(), cases.to_str().unwrap());
    let path = format!("{FIXTURES}/python/rows_as_stride.py");
    check(&path, &["--save", saved], 1, &["written to"]);
    let text = fs::read_to_string(saved).unwrap();
    assert!(text.starts_with("# Session ") && text.contains("title = { nl = "), "{text}");
    let (code, said) = keur(&["check", saved]);
    assert!(code == 0 && said.contains("the reference agrees"), "{said}");
    // What a person has made of it since is not replaced, and a missing folder is named before the hunt.
    check(&path, &["--save", saved], 2, &["found.toml exists already"]);
    assert_eq!(fs::read_to_string(saved).unwrap(), text);
    check(&path, &["--save", &format!("{cases}/none/found.toml")], 2, &["there is no folder"]);
    assert_eq!(keur(&["grade", &path, "--cases", cases]).0, 1);
    assert_eq!(keur(&["grade", &format!("{FIXTURES}/python/correct.py"), "--cases", cases]).0, 0);
}

#[test]
fn a_program_that_cannot_be_loaded_is_not_hunted() {
    let (_folder, path) = changed("class Spelbord:", "class Spelbord");
    check(&path, &[], 1, &["het bestand bevat een syntaxfout"]);
    check("nothing.py", &[], 2, &["there is no such file or folder"]);
}

#[test]
fn a_time_limit_is_a_difference() {
    let (_folder, path) =
        changed("        assert not self", "        while self.open: pass\n        assert not self");
    check(&path, &["--cpu", "200ms", "--sessions", "20"], 1, &["tijdslimiet", "beurt("]);
}

#[test]
fn a_hunt_ends_on_time_where_the_submission_never_answers() {
    let (_folder, path) =
        changed("        assert not self", "        while True: pass\n        assert not self");
    let began = Instant::now();
    let says = ["no difference in 0 sessions; the time was up in a session that took long"];
    check(&path, &["--lang", "en", "--time", "3s", "--cpu", "20s", "--wall", "40s"], 4, &says);
    // Far less than a replay of the cases takes.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn a_hunt_that_has_little_time_still_shows_a_short_session() {
    let home = TempDir::new().unwrap();
    let saved = home.path().join("found.toml").display().to_string();
    let path = "fixtures/submissions/pipopipette/python/one_digit_coordinates.py";
    let hunt = ["hunt", path, "--exercise", "pipopipette", "--time", "6s", "--save", saved.as_str()];
    let (code, text) = keur(&hunt);
    assert_eq!(code, 1, "{text}");
    // The session that differs first has some eighty lines, on a board of more than ten rows.
    let steps = fs::read_to_string(saved).unwrap().matches("[[step]]").count();
    assert!(steps < 10, "{text}");
}

#[test]
fn memory_of_earlier_sessions_is_no_difference() {
    let (_folder, path) = changed(
        "class Spelbord:",
        "import math\nmath.runs = getattr(math, 'runs', 0) + 1\nassert math.runs < 3\n\n\nclass Spelbord:",
    );
    check(&path, &["--lang", "en", "--sessions", "20"], 0, &["no difference in 20 sessions"]);
}

#[test]
fn grading_adds_a_counterexample_without_points() {
    let path = format!("{FIXTURES}/python/rows_as_stride.py");
    let grade = |more: &[&str]| keur(&[&["grade", &path, "--exercise", "codenames"], more].concat());
    let hunted = ["--hunt", "50", "--format", "json"];
    let (code, text) = grade(&hunted);
    let report: Value = serde_json::from_str(&text).unwrap();
    let (_, plain) = grade(&["--format", "json"]);
    let plain: Value = serde_json::from_str(&plain).unwrap();
    let [one, without] = [&report, &plain].map(|report| &report["submissions"][0]);
    assert_eq!((code, &one["points"]), (1, &without["points"]));
    let cases = one["cases"].as_array().unwrap();
    let (last, others) = cases.split_last().unwrap();
    assert_eq!(others, without["cases"].as_array().unwrap());
    assert_eq!((&last["name"], &last["max_points"]), (&"hunted".into(), &0.into()));
    assert!(last["finding"]["session"].as_array().is_some_and(|session| session.len() > 1));
    assert_eq!(grade(&hunted), grade(&hunted));
    assert_eq!(grade(&[&hunted[..], &["--isolation", "both"]].concat()).1, text);
    let (_, text) = grade(&["--hunt", "50", "--format", "junit"]);
    assert_says(&text, "name=\"hunted");
}

#[test]
fn grading_adds_nothing_to_a_right_program_or_one_that_cannot_be_loaded() {
    let (_folder, unloadable) = changed("class Spelbord:", "class Spelbord");
    for path in [&format!("{FIXTURES}/python/correct.py"), &unloadable] {
        let (_, text) = keur(&["grade", path, "--exercise", "codenames", "--hunt", "20"]);
        assert!(!text.contains("hunted"), "{text}");
    }
}

/// The samples of an exercise in `fixtures/exercises`, right or wrong, in Python.
fn samples(exercise: &str, kind: &str) -> Vec<String> {
    let folder = format!("fixtures/exercises/{exercise}/samples/{kind}");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    let mut paths: Vec<String> = paths.filter(|path| path.ends_with(".py")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

#[test]
fn exercises_with_a_reference_of_their_own_are_hunted_with_calls_like_those_of_their_cases() {
    for exercise in ["bank", "numerals"] {
        for (kind, exit) in [("right", 0), ("wrong", 1)] {
            for path in samples(exercise, kind) {
                let cases = ["--cases", "fixtures/exercises", "--exercise", exercise];
                let (code, text) = keur(&[&["hunt", path.as_str(), "--sessions", "60"], &cases[..]].concat());
                assert_eq!(code, exit, "{path}: {text}");
            }
        }
    }
}

#[test]
fn an_item_of_an_object_that_a_case_names_is_compared_as_it_is_there() {
    // A case binds what `pop` answers, and compares it by `>=`.
    let cases = ["--cases", "fixtures/exercises", "--exercise", "stack", "--sessions", "60"];
    let path = "fixtures/exercises/stack/samples/right/linked.py";
    let (code, text) = keur(&[&["hunt", path], &cases[..]].concat());
    assert_eq!(code, 0, "{text}");
}

#[test]
fn sessions_that_right_samples_answer_otherwise_are_counted_and_do_not_end_a_hunt() {
    let cases =
        ["--cases", "fixtures/exercises", "--exercise", "receipt", "--sessions", "80", "--lang", "en"];
    let path = "fixtures/exercises/receipt/samples/right/tabs.py";
    let (code, text) = keur(&[&["hunt", path], &cases[..]].concat());
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("no difference in 80 sessions In "), "{text}");
    assert!(text.contains(" sessions, correct samples of the exercise also answer differently"), "{text}");
}

/// A folder with the exercise `logs`, whose function reads a file, beside files of its own.
fn logs(files: &[(&str, &str)]) -> TempDir {
    let exercise = "title = \"Logs\"\nsession = \"python\"\nreference = { python = \"solution/logs.py\" }\n\
         [files]\npython = [\"logs.py\"]\n[function]\nread_log = { args = [\"name\"] }\nlonger = { args = [\"n\"] }\n";
    let program =
        "def read_log(name):\n    return open(name).read().split()\n\n\ndef longer(n):\n    return n + 1\n";
    let home = folder(&[("cases/logs/exercise.toml", exercise), ("cases/logs/solution/logs.py", program)]);
    for (name, text) in files {
        let path = home.path().join(name);
        let known = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, known + text).unwrap();
    }
    fs::write(home.path().join("logs.py"), program).unwrap();
    home
}

const LONGER: &str = "title = \"One longer\"\n[[step]]\ndo = \"longer(1)\"\nreturns = 2\n";
const LOG_OF_A_CASE: &str = "title = \"A log\"\n[input_files]\n\"a.log\" = \"in out\"\n[[step]]\n\
     do = \"read_log('a.log')\"\nreturns = [\"in\", \"out\"]\n";

/// Hunts the program in a folder of [`logs`]: the exit code, and what it says.
fn hunt_logs(home: &TempDir, options: &[&str]) -> (i32, String) {
    let [path, cases] = ["logs.py", "cases"].map(|name| home.path().join(name).display().to_string());
    keur(&[&["hunt", path.as_str(), "--cases", &cases, "--sessions", "20"], options].concat())
}

#[test]
fn a_call_that_no_session_reaches_is_named() {
    // A call in one language reads the file, but says nothing of it to sessions.
    let of_code = "title = \"Of code\"\n[input_files]\n\"a.log\" = \"in out\"\n[[step]]\n\
         do = { python = \"name = 'a.log'\" }\nbinds = [\"name\"]\n\
         [[step]]\ndo = \"read_log(name)\"\nreturns = [\"in\", \"out\"]\n";
    let home = logs(&[("cases/logs/longer.toml", LONGER), ("cases/logs/of_code.toml", of_code)]);
    for (lang, said) in [
        (
            "en",
            "logs: no difference in 20 sessions; `read_log` was never called The submission may differ there: ",
        ),
        ("nl", "logs: geen verschil in 20 sessies; `read_log` werd nooit aangeroepen Daar kan "),
        ("da", "logs: ingen forskel i 20 sessioner; `read_log` blev aldrig kaldt Dér kan "),
    ] {
        let (code, text) = hunt_logs(&home, &["--lang", lang]);
        assert_eq!(code, 4, "{text}");
        assert!(text.starts_with(said), "{said}: {text}");
    }
    // No session makes a dictionary of what calls answer.
    let of_calls = "title = \"Of calls\"\n[[step]]\ndo = \"read_log({1: longer(1)})\"\nraises = true\n";
    let home = logs(&[("cases/logs/longer.toml", LONGER), ("cases/logs/of_calls.toml", of_calls)]);
    let (code, text) = hunt_logs(&home, &[]);
    assert_eq!(code, 4, "{text}");
    assert_says(&text, "no difference in 20 sessions; `read_log` was never called");
    // A value that no case has, so that the reference always raises.
    let exercise = "[arguments]\nname = { one_of = [\"b.log\"] }\n";
    let home = logs(&[
        ("cases/logs/exercise.toml", exercise),
        ("cases/logs/longer.toml", LONGER),
        ("cases/logs/log.toml", LOG_OF_A_CASE),
    ]);
    let (code, text) = hunt_logs(&home, &["--lang", "en"]);
    assert_eq!(code, 4, "{text}");
    assert_says(&text, "no difference in 20 sessions; `read_log` always failed");
}

#[test]
fn sessions_have_the_input_files_of_each_case() {
    let other = LOG_OF_A_CASE
        .replace("A log", "Another log")
        .replace("in out", "a b c")
        .replace("[\"in\", \"out\"]", "[\"a\", \"b\", \"c\"]");
    let home = logs(&[
        ("cases/logs/longer.toml", LONGER),
        ("cases/logs/log.toml", LOG_OF_A_CASE),
        ("cases/logs/other.toml", &other),
    ]);
    assert_eq!(hunt_logs(&home, &[]), (0, "logs: no difference in 20 sessions".to_owned()));
    // The files of both cases have one name, and each is read in some session.
    let wrong = "def read_log(name):\n    words = open(name).read().split()\n    return words if len(words) == 2 else []\n\n\n\
         def longer(n):\n    return n + 1\n";
    fs::write(home.path().join("logs.py"), wrong).unwrap();
    let saved = home.path().join("cases/logs/saved.toml");
    let (code, text) = hunt_logs(&home, &["--save", saved.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    assert_says(&text, "read_log('a_2.log')");
    assert_says(&fs::read_to_string(&saved).unwrap(), "[input_files]\n\"a_2.log\" = \"a b c\"\n");
    let checked = keur(&["check", home.path().join("cases").to_str().unwrap()]);
    assert_eq!(checked.0, 0, "{}", checked.1);
}

#[test]
fn files_that_calls_write_are_compared() {
    let home = folder(&[
        (
            "cases/notes/exercise.toml",
            "title = \"Notes\"\nsession = \"python\"\nreference = { python = \"solution/notes.py\" }\n\
             [files]\npython = [\"notes.py\"]\n[function]\nwrite = { args = [\"name\", \"words\"] }\n",
        ),
        (
            "cases/notes/solution/notes.py",
            "def write(name, words):\n    with open(name, 'w') as file:\n        print(*words, sep='\\n', file=file)\n",
        ),
        (
            "cases/notes/two.toml",
            "title = \"Two\"\n[[step]]\ndo = \"write('a.txt', ['x', 'y'])\"\nwrites = { \"a.txt\" = \"x\\ny\" }\n\
             [[step]]\ndo = \"write('b.txt', ['z'])\"\nwrites = { \"b.txt\" = \"z\" }\n",
        ),
        (
            "notes.py",
            "def write(name, words):\n    with open(name, 'w') as file:\n        print(*sorted(words), sep='\\n', file=file)\n",
        ),
    ]);
    let [path, cases] = ["notes.py", "cases"].map(|name| home.path().join(name).display().to_string());
    let saved = home.path().join("cases/notes/saved.toml").display().to_string();
    let (code, text) = keur(&["hunt", &path, "--cases", &cases, "--time", "20s", "--save", &saved]);
    assert_eq!(code, 1, "{text}");
    let case = fs::read_to_string(&saved).unwrap();
    // A text of several lines stands in a table of its own.
    assert!(case.contains("writes = { \"") || case.contains("[step.writes]\n\""), "{case}");
    assert_eq!(keur(&["check", &cases]).0, 0);
    let right = format!("{cases}/notes/solution/notes.py");
    let (code, text) = keur(&["hunt", &right, "--cases", &cases, "--sessions", "20"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn calls_read_the_inputs_of_the_cases_and_others_like_them() {
    let sum = "def total():\n    numbers = []\n    while (line := input()) != 'stop':\n        numbers.append(int(line))\n    return sum(numbers)\n";
    let home = folder(&[
        (
            "cases/totals/exercise.toml",
            "title = \"Totals\"\nsession = \"python\"\nreference = { python = \"solution/totals.py\" }\n\
             [files]\npython = [\"totals.py\"]\n[function]\ntotal = []\n",
        ),
        ("cases/totals/solution/totals.py", sum),
        (
            "cases/totals/two.toml",
            "title = \"Two\"\n[[step]]\ndo = \"total()\"\nstdin = \"3\\n4\\nstop\\n\"\nreturns = 7\n",
        ),
        ("totals.py", &sum.replace("sum(numbers)", "sum(numbers[:2])")),
    ]);
    let [path, cases] = ["totals.py", "cases"].map(|name| home.path().join(name).display().to_string());
    let saved = home.path().join("cases/totals/saved.toml").display().to_string();
    let (code, text) = keur(&["hunt", &path, "--cases", &cases, "--save", &saved]);
    assert_eq!(code, 1, "{text}");
    assert_says(&fs::read_to_string(&saved).unwrap(), "stdin = ");
    assert_eq!(keur(&["check", &cases]).0, 0);
}

const BEST: &str = "class P:\n    def __init__(self, n):\n        self.n = n\n\n\n\
     def best(all):\n    return max(all, key=lambda p: p.n).n\n";

/// A folder with an exercise whose function takes a list of objects, and a submission.
fn best(source: &str) -> TempDir {
    folder(&[
        (
            "cases/best/exercise.toml",
            "title = \"Best\"\nsession = \"python\"\nlang = \"en\"\nreference = { python = \"solution/best.py\" }\n\
             [files]\npython = [\"best.py\"]\n[class.P]\nnew = [\"n\"]\n[function]\nbest = { args = [\"all\"] }\n",
        ),
        ("cases/best/solution/best.py", BEST),
        ("cases/best/two.toml", "title = \"Two\"\n[[step]]\ndo = \"best([P(5), P(1)])\"\nreturns = 5\n"),
        ("best.py", source),
    ])
}

#[test]
fn lists_of_new_objects_are_drawn_too() {
    let home = best(&BEST.replace("max(all, key=lambda p: p.n).n", "5"));
    let [path, cases] = ["best.py", "cases"].map(|name| home.path().join(name).display().to_string());
    let (code, text) = keur(&["hunt", &path, "--cases", &cases, "--sessions", "40"]);
    assert_eq!(code, 1, "{text}");
}

/// The folder of an exercise whose reference does not end for a number above 3, and which may take so much time.
fn endless_above_three(cpu: &str) -> TempDir {
    let exercise = format!(
        "title = \"Counts\"\nsession = \"python\"\nlang = \"en\"\nreference = {{ python = \"solution/counts.py\" }}\n\
         [files]\npython = [\"counts.py\"]\n[limits]\ncpu = \"{cpu}\"\n[function]\ncount = {{ args = [\"n\"] }}\n"
    );
    let hangs = "def count(n):\n    while n > 3: pass\n    return n\n";
    folder(&[
        ("cases/counts/exercise.toml", &exercise),
        ("cases/counts/solution/counts.py", hangs),
        ("cases/counts/three.toml", "title = \"Three\"\n[[step]]\ndo = \"count(3)\"\nreturns = 3\n"),
        ("counts.py", "def count(n):\n    return n\n"),
    ])
}

#[test]
fn sessions_in_which_the_reference_does_not_end_are_counted() {
    let home = endless_above_three("200ms");
    let [path, cases] = ["counts.py", "cases"].map(|name| home.path().join(name).display().to_string());
    let (code, text) = keur(&["hunt", &path, "--cases", &cases, "--sessions", "1", "--seed", "1"]);
    assert_eq!(code, 0, "{text}");
    assert_says(
        &text,
        "In 1 session the reference did not finish: the call that did not return is left out.",
    );
}

#[test]
fn a_hunt_ends_on_time_where_the_reference_never_answers() {
    let home = endless_above_three("40s");
    let [path, cases] = ["counts.py", "cases"].map(|name| home.path().join(name).display().to_string());
    let began = Instant::now();
    let (_, text) = keur(&["hunt", &path, "--cases", &cases, "--time", "2s", "--seed", "1"]);
    assert_says(&text, "no difference in ");
    // Far less than the reference may take.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn sessions_have_the_input_files_of_the_exercise() {
    let files = "[input_files]\n\"a.log\" = \"in out\"\n";
    let case = LOG_OF_A_CASE.replace("[input_files]\n\"a.log\" = \"in out\"\n", "");
    let home = logs(&[
        ("cases/logs/exercise.toml", files),
        ("cases/logs/longer.toml", LONGER),
        ("cases/logs/log.toml", &case),
    ]);
    assert_eq!(hunt_logs(&home, &[]), (0, "logs: no difference in 20 sessions".to_owned()));
    let wrong = "def read_log(name):\n    return open(name).read().split()[:1]\n\n\ndef longer(n):\n    return n + 1\n";
    fs::write(home.path().join("logs.py"), wrong).unwrap();
    let (code, text) = hunt_logs(&home, &[]);
    assert_eq!(code, 1, "{text}");
    assert_says(&text, "read_log('a.log')");
}

#[test]
fn a_program_that_fails_a_case_is_not_said_to_have_no_difference() {
    let hidden = "title = \"A far one\"\nhidden = true\n[[step]]\ndo = \"longer(99)\"\nreturns = 100\n";
    let home = logs(&[("cases/logs/longer.toml", LONGER), ("cases/logs/far.toml", hidden)]);
    let wrong = "def longer(n):\n    return min(n + 1, 50)\n\n\ndef read_log(name):\n    pass\n";
    fs::write(home.path().join("logs.py"), wrong).unwrap();
    let (code, text) = hunt_logs(&home, &[]);
    assert_eq!(code, 1, "{text}");
    assert_says(
        &text,
        "no counterexample in 20 random sessions, but the submission fails the case “A far one”",
    );
}

#[test]
fn mistakes_that_thin_cases_miss_are_found_where_the_exercise_says_its_arguments() {
    let home = "fixtures/exercises/parking";
    let right = fs::read_to_string(format!("{home}/solution/parking.py")).unwrap();
    let mutants: toml::Table =
        fs::read_to_string(format!("{home}/mutants/mutants.toml")).unwrap().parse().unwrap();
    let mutants = mutants["mutant"].as_array().unwrap();
    for name in ["one_queue", "waits_twice", "waits_on", "nobody_moves_up", "waiting_takes_a_place"] {
        let mutant = mutants.iter().find(|mutant| mutant["name"].as_str() == Some(name)).unwrap();
        let [find, put] = ["find", "put"].map(|key| mutant[key].as_str().unwrap());
        let folder = folder(&[("parking.py", &right.replacen(find, put, 1))]);
        let path = folder.path().join("parking.py").display().to_string();
        let cases = ["--cases", home];
        assert_eq!(keur(&[&["grade", &path], &cases[..]].concat()).0, 0, "{name} passes the cases");
        let (code, text) = keur(&[&["hunt", &path, "--sessions", "80"], &cases[..]].concat());
        assert_eq!(code, 1, "{name}: {text}");
    }
}

#[test]
fn no_argument_of_a_hidden_case_is_hunted_with() {
    let exercise = "title = \"Lengths\"\nsession = \"python\"\nreference = { python = \"solution/lengths.py\" }\n\
         [files]\npython = [\"lengths.py\"]\n[function]\nlength = { args = [\"text\"] }\n";
    let reference = "def length(text):\n    return 98 if text == 'TOPSECRET' else len(text)\n";
    let case = |hidden: &str, text: &str, returns: usize| {
        format!(
            "title = \"It counts {returns}\"\n{hidden}[[step]]\ndo = \"length('{text}')\"\nreturns = {returns}\n"
        )
    };
    let home = folder(&[
        ("cases/lengths/exercise.toml", exercise),
        ("cases/lengths/solution/lengths.py", reference),
        ("cases/lengths/open.toml", &case("", "abc", 3)),
        ("cases/lengths/secret.toml", &case("hidden = true\n", "TOPSECRET", 98)),
        ("lengths.py", "def length(text):\n    return len(text)\n"),
    ]);
    let (submission, cases) = (home.path().join("lengths.py"), home.path().join("cases"));
    let [submission, cases] = [submission, cases].map(|path| path.to_str().unwrap().to_owned());
    let options = ["--cases", &cases, "--audience", "student", "--hunt", "100"];
    let (code, text) = keur(&[&["grade", submission.as_str()], &options[..]].concat());
    assert_eq!(code, 1, "{text}");
    assert!(!text.contains("TOPSECRET"), "{text}");
}
