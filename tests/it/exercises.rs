//! The exercises of `fixtures/exercises`: each is accepted by `keur check` with its samples, and together
//! they use everything that the format of cases has for an exercise of one's own.
//!
//! `samples/verdicts.toml` says which cases each wrong sample fails, how and at which step. `fixtures/findings`
//! has what a student reads first of each of them. `KEUR_BLESS=1 cargo test --test it exercises::` rewrites both
//! from what was found; read the change before you commit it.

use crate::required::{self, Need, needs};
use crate::running::{Run, blesses, keur_command, root, run};
use regex::Regex;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use toml::{Table, Value};

/// The exercises with samples, and what is special about each; `adder` has submissions in folders of its own.
const EXERCISES: &[&str] = &[
    "averages", "bank", "change", "family", "generators", "matrices", "maze", "names", "neighbours",
    "numerals", "pantry", "parking", "playlist", "receipt", "recursion", "scores", "shapes", "stack",
    "survey", "trend", "visits", "words",
];

/// The programs of this machine for samples that not every machine runs.
struct Machine {
    /// For samples in Java.
    has_jdk: bool,
    /// What `.ci/run` installs: a Python with the packages of exercises, and a node that strips types.
    has_external: bool,
}

static MACHINE: LazyLock<Machine> = LazyLock::new(|| Machine {
    has_jdk: required::has(Need::Java),
    has_external: required::has(Need::External),
});

fn folder(exercise: &str) -> PathBuf {
    root().join("fixtures/exercises").join(exercise)
}

fn keur(args: &[&str]) -> Run {
    let mut command = keur_command(args);
    if MACHINE.has_external {
        command.arg("--python").arg(required::external().join("bin/python"));
        command.arg("--node").arg(required::external().join("node_modules/node/bin/node"));
    }
    run(&mut command)
}

/// A test for each exercise: `cargo test --test it exercises::bank` runs one.
macro_rules! tests_of {
    ($($exercise:ident)+) => {$(
        #[test]
        fn $exercise() {
            check(stringify!($exercise));
        }
    )+};
}
tests_of!(averages bank change family generators matrices maze names neighbours numerals pantry playlist);
tests_of!(parking receipt recursion scores shapes stack visits words);

/// A test for each exercise that uses numpy.
macro_rules! tests_with_numpy_of {
    ($($exercise:ident)+) => {$(
        #[test]
        fn $exercise() {
            needs!(External);
            check(stringify!($exercise));
        }
    )+};
}
tests_with_numpy_of!(survey trend);

#[test]
fn every_exercise_has_a_test_and_samples() {
    let folders = fs::read_dir(folder("")).unwrap().map(|entry| entry.unwrap().file_name());
    let found: BTreeSet<String> = folders.map(|name| name.into_string().unwrap()).collect();
    let known = EXERCISES.iter().copied().chain(["adder"]).map(str::to_owned).collect();
    assert_eq!(found, known);
    for exercise in EXERCISES {
        for kind in ["right", "wrong"] {
            let languages: BTreeSet<String> =
                samples(exercise, kind).iter().map(|path| ending(path)).collect();
            let both = ["js", "py"].iter().all(|ending| languages.contains(*ending));
            assert!(both, "{exercise}/samples/{kind} has no Python or no JavaScript: {languages:?}");
        }
    }
}

/// The wrong samples are graded once, for their verdicts and their first findings; `keur check` has the rest.
#[track_caller]
fn check(exercise: &str) {
    let place = tempfile::tempdir().unwrap();
    let copied = place.path().join(exercise);
    copy(&folder(exercise), &copied);
    let found = graded(exercise, &copied);
    hold(&folder(exercise).join("samples/verdicts.toml"), &verdicts_text(exercise, &found));
    hold(&findings_file(exercise), &findings_text(exercise, &found));
    let samples = copied.join("samples");
    fs::remove_dir_all(samples.join("wrong")).unwrap();
    fs::remove_file(samples.join("verdicts.toml")).unwrap();
    let checked = keur(&["check", copied.to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    assert_eq!(checked.err, "", "a fixture gives no warnings");
}

/// Holds a file against what was found, or writes that into it.
#[track_caller]
fn hold(path: &Path, found: &str) {
    if blesses() {
        fs::write(path, found).unwrap();
    }
    let known = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(known, found, "{}: KEUR_BLESS=1 rewrites it", path.display());
}

fn findings_file(exercise: &str) -> PathBuf {
    root().join("fixtures/findings").join(format!("{exercise}.toml"))
}

/// What a student reads first of each wrong sample; that of samples which this machine cannot run stays.
fn findings_text(exercise: &str, found: &BTreeMap<String, Json>) -> String {
    let known: Table = fs::read_to_string(findings_file(exercise)).unwrap_or_default().parse().unwrap();
    let line = |path: PathBuf| {
        let name = name_of(&path);
        let finding = match found.get(&name) {
            Some(submission) => first_finding(submission),
            None => known.get(&name).and_then(Value::as_str).unwrap_or_default().to_owned(),
        };
        format!("{} = {}\n", Value::String(name), Value::String(finding))
    };
    samples(exercise, "wrong").into_iter().map(line).collect()
}

/// The first finding of a submission: its case, its step and its message, and the type of an exception.
fn first_finding(submission: &Json) -> String {
    let mut cases = submission["cases"].as_array().unwrap().iter();
    let case = cases.find(|case| case["verdict"] != "passed").unwrap();
    let finding = &case["finding"];
    let step = finding["step"].as_u64().map_or(String::new(), |step| format!(", step {step}"));
    let exception = finding["exception"]["text"].as_str().and_then(|text| text.split(':').next());
    let kind = exception.map_or(String::new(), |kind| format!(" ({kind})"));
    format!("{}{step}: {}{kind}", case["name"].as_str().unwrap(), finding["message"].as_str().unwrap())
}

/// The reports of the wrong samples that this machine runs, by name.
fn graded(exercise: &str, copied: &Path) -> BTreeMap<String, Json> {
    let wrong = copied.join("samples/wrong");
    let cases = copied.to_str().unwrap();
    let args =
        ["grade", "--each", wrong.to_str().unwrap(), "--cases", cases, "--format", "json", "--lang", "en"];
    let mut report = keur(&args).json();
    let found: Vec<Json> = report["submissions"].as_array_mut().unwrap().drain(..).collect();
    let paths = samples(exercise, "wrong");
    let run = paths.iter().filter(|path| runs(&ending(path)));
    run.map(|path| name_of(path)).zip(found).collect()
}

/// Copies an exercise without the samples that this machine cannot run.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let path = entry.unwrap().into_path();
        let target = to.join(path.strip_prefix(from).unwrap());
        if path.is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if runs(&ending(&path)) {
            fs::copy(&path, target).unwrap();
        }
    }
}

/// Whether samples with this ending run on every machine that runs these tests.
fn runs(ending: &str) -> bool {
    match ending {
        "java" => MACHINE.has_jdk,
        "ts" => MACHINE.has_external,
        _ => true,
    }
}

/// The ending of a sample's file, or of the files in its folder.
fn ending(path: &Path) -> String {
    let file = if path.is_dir() {
        fs::read_dir(path).unwrap().next().unwrap().unwrap().path()
    } else {
        path.to_owned()
    };
    file.extension().unwrap_or_default().to_str().unwrap().to_owned()
}

fn samples(exercise: &str, kind: &str) -> Vec<PathBuf> {
    let found = fs::read_dir(folder(exercise).join("samples").join(kind)).unwrap();
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// What each wrong sample fails; that of samples which this machine cannot run stays.
fn verdicts_text(exercise: &str, found: &BTreeMap<String, Json>) -> String {
    let before = verdicts(exercise);
    let mut text = String::new();
    for name in samples(exercise, "wrong").iter().map(|path| name_of(path)) {
        let fails: Vec<(String, String)> = match found.get(&name) {
            Some(submission) => failed(submission),
            None => before.get(&name).cloned().unwrap_or_default().into_iter().collect(),
        };
        let _ = writeln!(text, "[\"{name}\"]");
        for (case, outcome) in fails {
            let key = if case.contains('[') { format!("\"{case}\"") } else { case };
            let _ = writeln!(text, "fails.{key} = \"{outcome}\"");
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

/// The cases that a submission failed, with the verdict and the step.
fn failed(submission: &Json) -> Vec<(String, String)> {
    let cases = submission["cases"].as_array().unwrap().iter();
    cases
        .filter(|case| case["verdict"] != "passed")
        .map(|case| {
            let step = case["finding"]["step"].as_u64().filter(|step| *step > 0);
            let at = step.map_or(String::new(), |step| format!(" at step {step}"));
            (case["name"].as_str().unwrap().to_owned(), format!("{}{at}", case["verdict"].as_str().unwrap()))
        })
        .collect()
}

/// The cases that each wrong sample fails, as its file lists them.
fn verdicts(exercise: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = fs::read_to_string(folder(exercise).join("samples/verdicts.toml")).unwrap_or_default();
    let table: Table = text.parse().unwrap();
    let entry = |(name, entry): (String, Value)| {
        let fails = entry.get("fails").and_then(Value::as_table).cloned().unwrap_or_default();
        let fails = fails.into_iter().map(|(case, said)| (case, said.as_str().unwrap().to_owned()));
        (name, fails.collect())
    };
    table.into_iter().map(entry).collect()
}

/// A step, and what is said above it.
struct Scene {
    exercise: Table,
    case: Table,
    step: Table,
    /// The rows of the case, if this is its last step.
    rows: Vec<Table>,
    /// Whether a wrong sample fails here.
    tells: bool,
    /// Whether a wrong sample fails the case, at whichever step, or is not given it.
    case_tells: bool,
    /// The verdicts on the case.
    outcomes: Vec<String>,
}

fn scenes() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for exercise in EXERCISES {
        let read = |path: &Path| -> Table { fs::read_to_string(path).unwrap().parse().unwrap() };
        let verdicts: Vec<(String, String)> = verdicts(exercise).into_values().flatten().collect();
        let about = read(&folder(exercise).join("exercise.toml"));
        let files = fs::read_dir(folder(exercise)).unwrap().map(|entry| entry.unwrap().path());
        for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if name == "exercise" {
                continue;
            }
            let case = read(&path);
            let of_case = |said: &str| said == name || said.starts_with(&format!("{name}["));
            let outcomes: Vec<String> =
                verdicts.iter().filter(|(case, _)| of_case(case)).map(|(_, said)| said.clone()).collect();
            let steps = tables(&case, "step");
            for (index, step) in steps.iter().enumerate() {
                let here = format!(" at step {}", index + 1);
                scenes.push(Scene {
                    exercise: about.clone(),
                    case: case.clone(),
                    step: step.clone(),
                    rows: if index + 1 == steps.len() { tables(&case, "row") } else { Vec::new() },
                    tells: outcomes.iter().any(|said| said.ends_with(&here)),
                    case_tells: !outcomes.is_empty(),
                    outcomes: outcomes.clone(),
                });
            }
        }
    }
    scenes
}

fn tables(table: &Table, key: &str) -> Vec<Table> {
    let list = table.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    list.iter().filter_map(|entry| entry.as_table().cloned()).collect()
}

/// The value at a path such as `compare.text.blanks`.
fn at<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let value = table.get(first)?;
    rest.map_or(Some(value), |rest| at(value.as_table()?, rest))
}

impl Scene {
    /// The neutral lines of the step.
    fn lines(&self) -> Vec<&str> {
        match self.step.get("do") {
            Some(Value::String(line)) => vec![line],
            Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a neutral line of the step has this pattern.
    fn plays(&self, pattern: &str) -> bool {
        let pattern = Regex::new(pattern).unwrap();
        self.lines().iter().any(|line| pattern.is_match(line))
    }

    /// Whether the step or a row expects this.
    fn expects(&self, path: &str) -> bool {
        at(&self.step, path).is_some() || self.rows.iter().any(|row| at(row, path).is_some())
    }

    /// Whether one of the files that the step writes is said with this key; all of it, for "".
    fn writes(&self, key: &str) -> bool {
        let files = self.step.get("writes").and_then(Value::as_table);
        files.is_some_and(|files| {
            files.values().any(|said| said.get(key).is_some() || key.is_empty() && said.is_str())
        })
    }

    /// Whether numbers or texts are compared with this setting, whoever says so.
    fn compares(&self, path: &str) -> bool {
        let path = format!("compare.{path}");
        [&self.exercise, &self.case, &self.step].into_iter().any(|table| at(table, &path).is_some())
    }
}

/// A feature, and whether a step uses it where a wrong sample fails.
type Feature = (&'static str, fn(&Scene) -> bool);

/// The features of a case, each with the text that shows its use.
const FEATURES: &[Feature] = &[
    // 1: a reference of one's own
    ("a reference in Python", |s| s.case_tells && at(&s.exercise, "reference.python").is_some()),
    ("a reference in JavaScript", |s| s.case_tells && at(&s.exercise, "reference.javascript").is_some()),
    ("{ reference = true }", |s| s.tells && s.expects("returns.reference")),
    // 2: what `do` says
    ("an attribute", |s| s.tells && s.plays(r"^\w+\.\w+$")),
    ("an attribute that is set", |s| s.case_tells && s.plays(r"^\w+\.\w+ = ")),
    ("x[0]", |s| s.tells && s.plays(r"\[-?\d\]")),
    ("x[\"k\"]", |s| s.tells && s.plays(r"\w\['\w+'\]")),
    ("x[1:3]", |s| s.tells && s.plays(r"\[\d:\d\]")),
    ("x[0] = 1", |s| s.case_tells && s.plays(r"\w\[0\] = ")),
    ("x[0][1] = 1", |s| s.case_tells && s.plays(r"\w\[0\]\[1\] = ")),
    ("+", |s| s.tells && s.plays(r" \+ ")),
    ("-", |s| s.tells && s.plays(r" - ")),
    ("unary -", |s| s.tells && s.plays(r"[ \[]-\w+\]")),
    ("*", |s| s.tells && s.plays(r" \* ")),
    ("/", |s| s.tells && s.plays(r" / ")),
    ("//", |s| s.tells && s.plays(r" // ")),
    ("%", |s| s.tells && s.plays(r" % ")),
    ("**", |s| s.tells && s.plays(r" \*\* ")),
    ("==", |s| s.tells && s.plays(r"\) == ")),
    ("!=", |s| s.tells && s.plays(r"\) != ")),
    ("<", |s| s.tells && s.plays(r" < ")),
    (">", |s| s.tells && s.plays(r" > ")),
    ("<=", |s| s.tells && s.plays(r" <= ")),
    (">=", |s| s.tells && s.plays(r" >= ")),
    ("in", |s| s.tells && s.plays(r" in \w")),
    ("not", |s| s.tells && s.plays(r"\bnot ")),
    ("len", |s| s.tells && s.plays(r"\blen\(")),
    ("str", |s| s.tells && s.plays(r"\bstr\(")),
    ("repr", |s| s.tells && s.plays(r"\brepr\(")),
    ("list", |s| s.tells && s.plays(r"\blist\(")),
    ("sorted", |s| s.tells && s.plays(r"\bsorted\(")),
    ("isinstance", |s| s.tells && s.plays(r"\bisinstance\(")),
    ("a, b = f()", |s| s.case_tells && s.plays(r"^\w+, \w+ = ")),
    ("a class as a value", |s| s.tells && s.plays(r", Rectangle\)\)")),
    ("native Python", |s| s.tells && s.expects("do.python")),
    ("native JavaScript", |s| s.tells && s.expects("do.javascript")),
    ("binds", |s| s.tells && s.expects("binds")),
    // 3: tolerance
    ("numbers = \"loose\"", |s| s.tells && s.compares("numbers")),
    ("within, for an exercise", |s| s.tells && at(&s.exercise, "compare.within").is_some()),
    ("within, for a case", |s| s.tells && at(&s.case, "compare.within").is_some()),
    ("within, for a step", |s| s.tells && at(&s.step, "compare.within").is_some()),
    ("relative", |s| s.tells && s.compares("relative")),
    ("text without case", |s| s.tells && s.compares("text.case")),
    ("text with other blanks", |s| s.tells && s.compares("text.blanks")),
    ("text with other ends of lines", |s| s.tells && s.compares("text.line_ends")),
    ("text with other numbers", |s| s.tells && s.compares("text.numbers_within")),
    ("prints that contains", |s| s.tells && s.expects("prints.contains")),
    ("prints that matches", |s| s.tells && s.expects("prints.matches")),
    ("prints in any order", |s| s.tells && s.expects("prints.any_order")),
    ("shows that matches", |s| s.tells && s.expects("shows.matches")),
    ("errors that contains", |s| s.tells && s.expects("errors.contains")),
    ("instance", |s| s.tells && s.expects("returns.instance")),
    ("type", |s| s.tells && s.expects("returns.type")),
    ("raises with types by language", |s| s.tells && s.expects("raises.type.java")),
    // 4: files
    ("an input file in the exercise", |s| s.tells && at(&s.exercise, "input_files").is_some()),
    ("an input file in a case", |s| s.tells && at(&s.case, "input_files").is_some()),
    ("an input file by its path", |s| s.tells && s.input_file_by_path()),
    ("an input file of a program", |s| s.tells && s.expects("run") && at(&s.case, "input_files").is_some()),
    ("a file written", |s| s.tells && s.writes("")),
    ("a file written by a program", |s| s.tells && s.expects("run") && s.writes("")),
    ("a file that contains", |s| s.tells && s.writes("contains")),
    ("a file that matches", |s| s.tells && s.writes("matches")),
    ("a file in any order", |s| s.tells && s.writes("any_order")),
    // 5: rows, parts, order
    ("rows", |s| s.tells && !s.rows.is_empty()),
    ("a row with a literal", |s| s.tells && s.rows.iter().any(Scene::has_literal)),
    ("a row that raises", |s| s.tells && s.rows.iter().any(|row| row.contains_key("raises"))),
    ("the points of a row", |s| s.tells && s.rows.iter().any(|row| row.contains_key("points"))),
    ("partial", |s| s.tells && at(&s.case, "partial").is_some()),
    ("needs", |s| at(&s.case, "needs").is_some() && s.outcomes.iter().any(|said| said == "not run")),
    ("group", |s| s.tells && at(&s.case, "group").is_some()),
    ("order", |s| s.tells && at(&s.case, "order").is_some()),
    ("limits", |s| {
        at(&s.case, "limits").is_some() && s.outcomes.iter().any(|said| said.starts_with("time limit"))
    }),
    // 6: checks
    ("a check of a value", |s| s.tells && s.expects("returns.check")),
    ("a check of what is printed", |s| s.tells && s.expects("prints.check")),
    ("a check of a file", |s| s.tells && s.writes("check")),
    // 7: libraries
    ("packages", |s| {
        at(&s.exercise, "packages.python").is_some() && s.outcomes.iter().any(|said| said == "load error")
    }),
];

impl Scene {
    fn input_file_by_path(&self) -> bool {
        let files = self.case.get("input_files").and_then(Value::as_table);
        files.is_some_and(|files| files.values().any(|file| file.get("path").is_some()))
    }

    fn has_literal(row: &Table) -> bool {
        let given = row.get("given").and_then(Value::as_table);
        given.is_some_and(|given| given.values().any(|value| value.get("literal").is_some()))
    }
}

/// A right sample passes every case, and `keur check` holds `verdicts.toml` against each wrong one: so a step
/// that a verdict names tells right from wrong.
#[test]
fn every_feature_is_used_where_a_wrong_sample_fails() {
    let scenes = scenes();
    let unused: Vec<&str> =
        FEATURES.iter().filter(|(_, used)| !scenes.iter().any(used)).map(|(name, _)| *name).collect();
    assert!(unused.is_empty(), "no wrong sample fails at a step with: {}", unused.join(" · "));
}
