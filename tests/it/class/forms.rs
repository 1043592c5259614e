//! A program that answers by the form in which it is graded gains nothing where the cases of a class change.

use super::{Class, RIGHT};
use crate::running::assert_says;
use serde_json::Value;
use std::fs;

/// Answers the cases that a class begins with in the quick pass alone, and all others in the strict form
/// alone.
const BY_FORM: &str = "QUICK = __loader__.note is not None

class Counter:
    def __init__(self, start=0):
        self.start = start

    def count_up(self, by=1):
        self.start += by

    def value(self):
        return self.start if QUICK == (self.start in (3, 7)) else None
";

/// A class that was graded once: both students passed both cases quickly.
fn graded() -> Class {
    let class = Class::of(&[("An", BY_FORM.to_owned()), ("Bo", RIGHT.to_owned())]);
    class.run(&[], 0);
    assert_eq!(points(&class), [5, 5]);
    class
}

/// The points of An and Bo.
#[track_caller]
fn points(class: &Class) -> [u64; 2] {
    let report: Value = serde_json::from_str(&class.report()).unwrap();
    ["An", "Bo"].map(|name| {
        let entry = report["submissions"].as_array().unwrap().iter().find(|entry| entry["name"] == name);
        assert!(entry.unwrap()["error"].is_null(), "{entry:?}");
        entry.unwrap()["points"].as_u64().unwrap()
    })
}

/// Adds a case with these settings.
fn add(class: &Class, name: &str, settings: &str) {
    let step = "[[step]]\ndo = \"Counter(20).value()\"\nreturns = 20\n";
    let path = class.path("cases/counters").join(name);
    fs::write(path, format!("title = \"It starts at 20 ({name})\"\n{settings}\n{step}")).unwrap();
}

/// The points of An and Bo when nothing is left to grade: one run settles what differs for An, and nothing
/// does for Bo.
#[track_caller]
fn settled(class: &Class) -> [u64; 2] {
    let run = class.keur(&["run", "class"]);
    assert!(run.code < 2, "{run:?}");
    assert!(class.run(&[], 0).ends_with("graded 2 cases of 1 submission"));
    assert_eq!(class.run(&[], 0), "2 submissions: all graded");
    points(class)
}

#[test]
fn a_first_case_with_other_limits_takes_the_quick_form_from_the_others() {
    let class = graded();
    add(&class, "first.toml", "order = 1\nlimits = { memory = \"200MB\" }");
    assert_eq!(settled(&class), [1, 6]);
}

#[test]
fn cases_that_are_hidden_later_are_graded_strictly() {
    let class = graded();
    for name in ["starts.toml", "counts.toml"] {
        class.replace(name, "points", "hidden = true\npoints");
    }
    ["late.toml", "twin.toml"].iter().for_each(|name| add(&class, name, ""));
    assert_eq!(settled(&class), [2, 7]);
}

#[test]
fn cases_that_were_away_count_only_with_the_others() {
    let class = graded();
    let cases = class.path("cases/counters");
    let away = class.home.path().join("away");
    fs::create_dir(&away).unwrap();
    let first = ["starts.toml", "counts.toml"];
    first.iter().for_each(|name| fs::rename(cases.join(name), away.join(name)).unwrap());
    let twins = ["late.toml", "twin.toml"];
    twins.iter().for_each(|name| add(&class, name, ""));
    class.run(&[], 0);
    assert_eq!(points(&class), [2, 2]);
    first.iter().for_each(|name| fs::rename(away.join(name), cases.join(name)).unwrap());
    assert_eq!(settled(&class), [2, 7]);
    // Each case has a verdict of its own, twins too, and all of Bo's are of one quick pass.
    let found = "SELECT count(*), count(outcome), count(DISTINCT outcome) FROM verdict
                 JOIN submission USING (files) WHERE student = 'Bo'";
    let found = class.database().query_row(found, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    assert_eq!(found.unwrap(), (4, 4, 1));
}

/// What passed in a quick pass counts no more beside a strict verdict; the case that needs the failed one is
/// run strictly too.
#[test]
fn a_case_that_is_edited_and_fails_leaves_nothing_to_grade() {
    let class = Class::of(&[("An", RIGHT.to_owned()), ("Bo", RIGHT.replace("+=", "-="))]);
    class.replace("starts.toml", "points = 2", "points = 2\nneeds = [\"counts\"]");
    class.run(&[], 0);
    assert_eq!(points(&class), [5, 0]);
    class.replace("counts.toml", "returns = 3", "returns = 4");
    assert!(class.run(&[], 0).contains("graded"));
    assert!(class.run(&[], 0).ends_with(": all graded"));
    assert_eq!(points(&class), [0, 0]);
    class.run(&["--repeat", "2"], 0);
    assert!(class.run(&["--repeat", "2"], 0).ends_with(": all graded"));
}

/// A check that cannot be used on what a failed case leaves is asked again only when that case passes.
#[test]
fn a_case_that_was_not_judged_is_known_until_the_needed_case_passes() {
    let class = Class::of(&[("An", RIGHT.to_owned()), ("Bo", RIGHT.to_owned())]);
    let counters = class.path("cases/counters");
    fs::write(counters.join("checks.py"), "def small(value):\n    return 1 // (value - 3) < 9\n").unwrap();
    class.replace("starts.toml", "points = 2", "points = 2\nneeds = [\"counts\"]");
    class.run(&[], 0);
    class.replace("counts.toml", "returns = 3", "returns = 4");
    let checked = "title = \"It is small\"\nneeds = [\"counts\"]\n[[step]]\ndo = \"Counter(3).value()\"\nreturns = { check = \"checks.py:small\" }\n";
    fs::write(counters.join("small.toml"), checked).unwrap();
    class.run(&[], 0);
    assert!(class.run(&[], 0).ends_with(": all graded"));
    assert_eq!(points(&class), [0, 0]);
    // Now it must be usable.
    class.replace("counts.toml", "returns = 4", "returns = 3");
    let said = class.run(&[], 3);
    assert_says(&said, "the check checks.py:small cannot be used");
}
