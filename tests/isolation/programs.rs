//! Random programs, right and wrong, that keep what they know in odd places: both forms of grading agree.

use super::python::{PLACES, indented, setup};
use super::{Course, verdicts};
use keur::adapter::Hosts;
use keur::compare::Verdict;
use keur::languages::Interpreters;
use keur::sandbox::Tier;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;

const EXERCISE: &str = r#"
title = "Memory"
session = "python"
lang = "en"

[files]
python = ["memory.py"]

[class.Sum]
new = []
methods = { add = ["n"], total = [] }
"#;

/// What a program does wrong, if anything, when it adds `n`.
const MISTAKES: [&str; 6] =
    ["pass", "pass", "self.sum += n > 7", "print(n)", "n > 8 and 1 / 0", "self.sum -= 2 * kept"];

/// A program: the places in which it leaves something and where it looks, and its mistake.
fn program(leaves: &[Index], looks: &[Index], mistake: &str) -> String {
    let leave: Vec<&str> = leaves.iter().map(|place| place.get(PLACES).1).collect();
    let look: Vec<String> =
        looks.iter().map(|place| format!("100 * bool({})", place.get(PLACES).2)).collect();
    format!(
        "{}
class Sum:
    def __init__(self):
        self.sum = 0

    def add(self, n):
        {}
        {mistake}
        self.sum += n

    def total(self):
        return {}
",
        setup(),
        indented(&leave.join("\n")),
        [vec!["self.sum".to_owned()], look].concat().join(" + "),
    )
}

/// A case that adds these numbers.
fn case(name: usize, numbers: &[u8]) -> String {
    let adds: Vec<String> = numbers.iter().map(|n| format!("\"s.add({n})\"")).collect();
    let sum: u32 = numbers.iter().map(|n| u32::from(*n)).sum();
    format!(
        "title = \"Case {name}\"\n[[step]]\ndo = [\"s = Sum()\", {}, \"s.total()\"]\nreturns = {sum}\nprints = \"\"\n",
        adds.join(", ")
    )
}

#[test]
fn both_forms_agree_on_random_programs() {
    let place = || vec(any::<Index>(), 0..3);
    let programs = vec((place(), place(), 0..MISTAKES.len()), 8);
    let cases = vec(vec(0_u8..10, 1..4), 2..7);
    let interpreters = Interpreters::default();
    let counts = Cell::new((0, 0));
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let tried = runner.run(&(programs, cases), |(programs, cases)| {
        let cases: Vec<(String, String)> = cases
            .iter()
            .enumerate()
            .map(|(name, numbers)| (format!("c{name}"), case(name, numbers)))
            .collect();
        let cases: Vec<(&str, &str)> =
            cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let course = Course::new(EXERCISE, &cases);
        let mut hosts = Hosts::new(Tier::default(), 0);
        for (leaves, looks, mistake) in &programs {
            let text = program(leaves, looks, MISTAKES[*mistake]);
            let report = course.grade(("memory.py", &text), &interpreters, &mut hosts);
            let passed = verdicts(&report).iter().filter(|(_, verdict)| *verdict == Verdict::Passed).count();
            let (right, wrong) = counts.get();
            counts.set((right + passed, wrong + report.cases.len() - passed));
        }
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    let (right, wrong) = counts.get();
    assert!(right > 100 && wrong > 100, "{right} cases passed, {wrong} failed: too few to tell anything");
}
