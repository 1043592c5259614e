//! Comparisons with an earlier report.

use super::{Comparison, EarlierReport, GradeChanges};
use keur_core::case::Points;
use keur_core::compare::Verdict;
use keur_core::event::{ByHand, CaseReport, HandIn, Late, RunError, SubmissionReport};
use keur_core::messages::LocalText;
use std::cmp::Ordering;
use std::time::Duration;

const EARLIER: &str = r#"{"version": 1, "keur": "0.1.0", "audience": "instructor", "submissions": [
    {"name": "An", "path": "", "points": 1.5, "max_points": 3, "cases": [
        {"name": "first", "verdict": "passed", "points": 1.5, "max_points": 1.5, "title": ""},
        {"name": "last", "verdict": "wrong value", "points": 0, "max_points": 1.5, "title": ""}]},
    {"name": "Bo", "points": 3, "max_points": 3, "cases": [
        {"name": "first", "verdict": "passed", "points": 1.5, "max_points": 1.5},
        {"name": "last", "verdict": "passed", "points": 1.5, "max_points": 1.5}],
        "hand_in": {"student": "Bo", "late": null}},
    {"name": "Cas", "points": 0, "max_points": 0, "cases": [], "error": {"kind": "absent", "message": ""}},
    {"name": "Dirk", "points": 3, "max_points": 3, "cases": [], "error": {"kind": "nothing", "message": ""}},
    {"name": "Els", "points": 0, "max_points": 0, "cases": [], "error": {"kind": "absent", "message": ""}}]}"#;

fn report(name: &str, passed: [bool; 2], hand_in: HandIn) -> SubmissionReport {
    let case = |(name, passed): (&str, bool)| {
        let points = Points::from_hundredths(150);
        CaseReport {
            points: if passed { points } else { Points::ZERO },
            verdict: if passed { Verdict::Passed } else { Verdict::WrongValue },
            ..CaseReport::not_run(name, LocalText::Plain(String::new()), points)
        }
    };
    let cases: Vec<CaseReport> = ["first", "last"].into_iter().zip(passed).map(case).collect();
    let earned: Points = cases.iter().map(|case| case.points).sum();
    let late = hand_in.late.as_ref().map_or(0, |late| late.lost.hundredths());
    let by_hand = hand_in.by_hand.as_ref().map(|set| set.points);
    SubmissionReport {
        name: name.to_owned(),
        path: String::new(),
        files: Vec::new(),
        sources: Vec::new(),
        exercise: None,
        runtime: None,
        points: by_hand.unwrap_or(Points::from_hundredths(earned.hundredths() - late)),
        max_points: Points::from_hundredths(300),
        cases,
        warnings: Vec::new(),
        error: None,
        hand_in: Some(Box::new(hand_in)),
    }
}

fn changes() -> GradeChanges {
    let mut comparison = Comparison::new(EarlierReport::read(EARLIER.as_bytes()).unwrap());
    let late = Late { by: Some(Duration::from_secs(60)), lost: Points::from_hundredths(100) };
    let by_hand = ByHand { points: Points::from_hundredths(300), why: "oral".to_owned() };
    comparison.add(&report("An", [true, true], HandIn::default()));
    comparison.add(&report("Bo", [true, false], HandIn { late: Some(late), ..HandIn::default() }));
    comparison.add(&report("Cas", [false, false], HandIn { by_hand: Some(by_hand), ..HandIn::default() }));
    let absent = SubmissionReport {
        error: Some(RunError::NotHandedIn),
        max_points: Points::ZERO,
        cases: Vec::new(),
        ..report("Els", [false, false], HandIn::default())
    };
    comparison.add(&absent);
    comparison.add(&report("Fien", [false, false], HandIn::default()));
    comparison.finish()
}

#[test]
fn rises_and_falls_are_shown_with_the_case() {
    let changes = changes();
    assert_eq!(changes.count(Ordering::Greater), 3);
    assert_eq!(
        changes.text("before.json"),
        "against before.json: 3 gain, 1 loses, 1 changes without gain or loss, 1 stays the same\n\
         \x20 first: 1 changes without gain or loss\n\
         \x20 last: 1 gains, 1 loses, 1 changes without gain or loss\n\n\
         \x20 + An    1.5 → 3         last: wrong value → passed\n\
         \x20 − Bo    3 → 0.5         last: passed → wrong value; late: 1 lost, was 0\n\
         \x20 + Cas   absent → 3/3    first: new, wrong value; last: new, wrong value; by hand: 3, was not set\n\
         \x20 = Dirk  unreadable → gone\n\
         \x20 + Fien  new → 0/3\n"
    );
}

#[test]
fn the_changes_are_data_too() {
    let value: serde_json::Value = serde_json::from_str(&changes().json()).unwrap();
    assert_eq!((&value["gain"], &value["lose"], &value["same"]), (&3.into(), &1.into(), &1.into()));
    assert_eq!(value["cases"]["last"], serde_json::json!({ "gain": 1, "lose": 1, "other": 1 }));
    let an = &value["students"][0];
    assert_eq!((&an["before"]["points"], &an["after"]["points"]), (&1.5.into(), &3.into()));
    assert_eq!(an["cases"][0]["after"]["verdict"], "passed");
}

#[test]
fn files_that_are_no_comparable_report_are_refused() {
    let refused = |text: &str| EarlierReport::read(text.as_bytes()).unwrap_err().to_string();
    assert!(refused("name,points\n").starts_with("is not a report in JSON: "));
    assert!(
        refused("{\"version\": 2, \"submissions\": []}").contains("version 2, and this keur reads version 1")
    );
    let negative = EARLIER.replace("1.5", "-1.5");
    assert!(refused(&negative).contains("-1.5 is not a number of points"), "{}", refused(&negative));
    let twice = EARLIER.replace("Bo", "An");
    assert!(refused(&twice).starts_with("has two submissions called `An`; "), "{}", refused(&twice));
}
