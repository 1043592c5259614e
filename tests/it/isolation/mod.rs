//! The quick pass reports what the strict form reports, whatever a submission leaves behind.
//!
//! Each program here remembers an earlier call in another place, and answers a case about it. In a process of
//! its own a case finds nothing to remember; in the process of the cases before it, a trace must be found.

mod forms;
mod javascript;
mod meaning;
mod operators;
mod programs;
mod python;
mod takeover;

use crate::running::{folder, write_files};
use keur_core::adapter::Launcher;
use keur_core::case::{Library, Loaded};
use keur_core::compare::Verdict;
use keur_core::event::SubmissionReport;
use keur_core::grade::{Grader, Worker};
use keur_core::judge::{Isolation, Settings};
use keur_core::languages::Interpreters;
use keur_core::submission;
use keur_sandbox::Tier;
use std::fs;
use tempfile::TempDir;

const EXERCISE: &str = r#"
title = "Memory"
session = "python"
lang = "en"

[files]
python = ["memory.py"]
javascript = ["memory.js"]

[function]
leave = { args = [] }
look = { args = [] }
"#;

/// Two cases that ask what the same process would have to remember, after one that leaves nothing.
const CASES: [(&str, &str); 3] = [
    ("0", "title = \"It only looks\"\n[[step]]\ndo = \"look()\"\n"),
    ("a", "title = \"It leaves it\"\n[[step]]\ndo = \"leave()\"\nreturns = \"left\"\n"),
    ("b", "title = \"It finds it\"\n[[step]]\ndo = \"look()\"\nreturns = true\n"),
];

/// An exercise in a folder of its own, where submissions have room too.
struct Course {
    folder: TempDir,
    loaded: Loaded,
}

impl Course {
    fn new(exercise: &str, cases: &[(&str, &str)]) -> Course {
        let folder = folder(&[("cases/memory/exercise.toml", exercise)]);
        for (name, text) in cases {
            write_files(folder.path(), &[(&format!("cases/memory/{name}.toml"), text)]);
        }
        let loaded = Library::Folder(folder.path().join("cases")).load("memory");
        Course { loaded: loaded.unwrap_or_else(|error| panic!("{error}")), folder }
    }

    /// Grades a program in both forms.
    ///
    /// # Panics
    /// The two forms do not agree.
    fn grade(
        &self,
        (file, text): (&str, &str),
        interpreters: &Interpreters,
        worker: &mut Worker,
    ) -> SubmissionReport {
        let path = self.folder.path().join(file);
        fs::write(&path, text).unwrap();
        let settings = Settings { isolation: Isolation::Both, ..Settings::default() };
        let submission = submission::opened::open(&path).unwrap().submission(&self.loaded.exercise);
        let grader = Grader::new(&self.loaded, &settings, interpreters);
        let report = grader.grade(worker, "program", &submission);
        report.unwrap_or_else(|fault| panic!("{fault}:\n{text}"))
    }
}

/// The verdicts of a report, by case.
fn verdicts(report: &SubmissionReport) -> Vec<(&str, Verdict)> {
    report.cases.iter().map(|case| (case.name.as_str(), case.verdict)).collect()
}

/// Every program leaves what only a process with an earlier case could find, and must not profit from it.
fn leaves_traces(file: &str, programs: &[(&str, String)], interpreters: &Interpreters) {
    let found = only_agrees(file, programs, interpreters);
    let expected = [("0", Verdict::Passed), ("a", Verdict::Passed), ("b", Verdict::WrongValue)];
    let wrong = programs.iter().zip(&found).filter(|(_, report)| verdicts(report) != expected);
    let problems: Vec<String> =
        wrong.map(|((name, _), report)| format!("{name}: {:?}", verdicts(report))).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Grades programs in both forms, which must agree.
fn only_agrees(
    file: &str,
    programs: &[(&str, String)],
    interpreters: &Interpreters,
) -> Vec<SubmissionReport> {
    let course = Course::new(EXERCISE, &CASES);
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    programs.iter().map(|(_, text)| course.grade((file, text), interpreters, &mut worker)).collect()
}
