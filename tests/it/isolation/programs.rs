//! Random programs, right and wrong, that keep what they know in odd places: both forms of grading agree.

use super::{Course, javascript, python, verdicts};
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;
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
javascript = ["memory.js"]

[class.Sum]
new = []
methods = { add = ["n"], total = [] }
"#;

/// How programs are written in a language.
struct Language {
    file: &'static str,
    /// The name of a place, how something is left there, and how it is found.
    places: &'static [(&'static str, &'static str, &'static str)],
    /// The mistake of a program, if it makes one, when it adds `n`.
    mistakes: [&'static str; 6],
    /// The text of a program that leaves this, makes this mistake, and returns this sum.
    text: fn(leave: &[&str], mistake: &str, sum: &str) -> String,
    /// A number that is 100 if this is true.
    hundred: fn(look: &str) -> String,
}

const PYTHON: Language = Language {
    file: "memory.py",
    places: python::PLACES,
    mistakes: ["pass", "pass", "self.sum += n > 7", "print(n)", "n > 8 and 1 / 0", "self.sum -= 2 * kept"],
    text: |leave, mistake, sum| {
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
        return {sum}
",
            python::setup(),
            python::indented(&leave.join("\n")),
            sum = sum.replace("this.", "self."),
        )
    },
    hundred: |look| format!("100 * bool({look})"),
};

const JAVASCRIPT: Language = Language {
    file: "memory.js",
    places: javascript::PLACES,
    mistakes: [
        "", "", "this.sum += n > 7;", "console.log(n);", "if (n > 8) null.x;", "this.sum -= 2 * kept;",
    ],
    text: |leave, mistake, sum| {
        format!(
            "{}
class Sum {{
  constructor() {{ this.sum = 0; }}
  add(n) {{
    {};
    {mistake}
    this.sum += n;
  }}
  total() {{ return {sum}; }}
}}
",
            javascript::SETUP,
            leave.join(";\n    "),
        )
    },
    hundred: |look| format!("100 * !!({look})"),
};

impl Language {
    /// A program that leaves and looks in these places, and makes this mistake.
    fn program(&self, leaves: &[Index], looks: &[Index], mistake: usize) -> String {
        let leave: Vec<&str> = leaves.iter().map(|place| place.get(self.places).1).collect();
        let looks = looks.iter().map(|place| (self.hundred)(place.get(self.places).2));
        let sum: Vec<String> = std::iter::once("this.sum".to_owned()).chain(looks).collect();
        (self.text)(&leave, self.mistakes[mistake], &sum.join(" + "))
    }
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
fn both_forms_agree_on_random_programs_in_python() {
    agree(&PYTHON, 24);
}

#[test]
fn both_forms_agree_on_random_programs_in_javascript() {
    agree(&JAVASCRIPT, 8);
}

/// Tries this many times eight programs on the same cases.
fn agree(language: &Language, times: u32) {
    let place = || vec(any::<Index>(), 0..3);
    let programs = vec((place(), place(), 0..language.mistakes.len()), 8);
    let cases = vec(vec(0_u8..10, 1..4), 2..7);
    let interpreters = Interpreters::default();
    let counts = Cell::new((0, 0));
    let mut runner = TestRunner::new(Config { cases: times, failure_persistence: None, ..Config::default() });
    let tried = runner.run(&(programs, cases), |(programs, cases)| {
        let cases: Vec<(String, String)> = cases
            .iter()
            .enumerate()
            .map(|(name, numbers)| (format!("c{name}"), case(name, numbers)))
            .collect();
        let cases: Vec<(&str, &str)> =
            cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let course = Course::new(EXERCISE, &cases);
        let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
        for (leaves, looks, mistake) in &programs {
            let text = language.program(leaves, looks, *mistake);
            let report = course.grade((language.file, &text), &interpreters, &mut worker);
            let passed = verdicts(&report).iter().filter(|(_, verdict)| *verdict == Verdict::Passed).count();
            let (right, wrong) = counts.get();
            counts.set((right + passed, wrong + report.cases.len() - passed));
        }
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    let (right, wrong) = counts.get();
    assert!(right > 25 && wrong > 25, "{right} cases passed, {wrong} failed: too few to tell anything");
}
