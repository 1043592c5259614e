//! The Common Test Report Format, whose schema is `ctrf.schema.json` (ctrf-io/ctrf).
//!
//! It requires times: they are 0 here, so that the same submission gives the same report.

use super::details::identity;
use super::json::{put_item, text};
use super::json_shape::number;
use super::lines::error;
use crate::compare::Verdict;
use crate::event::{CaseReport, Event, SubmissionReport};
use crate::named::Named;
use crate::report::case_writer::CaseWriter;
use crate::report::{Format, Options, Reporter};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the specification.
const SPECIFICATION: &str = "0.0.0";

pub(super) const FORMAT: Format = Format {
    name: "ctrf",
    about: "the Common Test Report Format, JSON",
    extension: "json",
    reporter: || Box::new(Ctrf::default()),
    ..Format::NOTHING
};

/// Writes the tests of a submission as soon as it is graded; the summary comes after them.
#[derive(Default)]
struct Ctrf {
    /// Whether the run has several submissions.
    many: bool,
    /// The number of submissions written.
    suites: usize,
    /// The number of tests written, and that of each status.
    tests: usize,
    by_status: BTreeMap<String, usize>,
}

impl Reporter for Ctrf {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::RunStarted { submissions } => {
                self.many = submissions > 1;
                *out += &format!(
                    "{{\n  \"reportFormat\": \"CTRF\",\n  \"specVersion\": \"{SPECIFICATION}\",\n  \"generatedBy\": \"keur\",\n  \"results\": {{\n    \"tests\": [\n"
                );
            }
            Event::SubmissionFinished { report } => {
                for test in tests(report, self.many, options) {
                    put_item(&test, self.tests, 6, out);
                    self.tests += 1;
                    *self
                        .by_status
                        .entry(test["status"].as_str().unwrap_or_default().to_owned())
                        .or_default() += 1;
                }
                self.suites += 1;
            }
            Event::RunFinished => *out += &self.rest(options),
            _ => {}
        }
    }
}

impl Ctrf {
    /// The end of the report, after the last test.
    fn rest(&self, options: &Options) -> String {
        let count = |status: &str| self.by_status.get(status).copied().unwrap_or_default();
        let tool = json!({ "name": "keur", "version": env!("CARGO_PKG_VERSION") });
        let summary = json!({
            "tests": self.tests,
            "passed": count("passed"),
            "failed": count("failed"),
            "skipped": count("skipped"),
            "pending": 0,
            "other": count("other"),
            "suites": self.suites,
            "start": 0,
            "stop": 0,
        });
        let below = |value: &Value| text(value).trim_end().replace('\n', "\n    ");
        let named = |title: &String| {
            let environment = json!({ "reportName": title });
            format!(",\n    \"environment\": {}", below(&environment))
        };
        let environment = options.title.as_ref().map(named).unwrap_or_default();
        let line_end = if self.tests == 0 { "" } else { "\n" };
        format!(
            "{line_end}    ],\n    \"tool\": {},\n    \"summary\": {}{environment}\n  }}\n}}\n",
            below(&tool),
            below(&summary)
        )
    }
}

fn tests(report: &SubmissionReport, many: bool, options: &Options) -> Vec<Value> {
    let writer = CaseWriter::new(report, options);
    if let Some(why) = error(report, options) {
        // The result of the submission is unknown: it neither passed nor failed.
        return vec![json!({ "name": report.name, "status": "other", "duration": 0, "message": why })];
    }
    let test = |case: &CaseReport| {
        let exercise = report.exercise.as_ref().map_or("keur", |exercise| &exercise.name);
        let group = case.group.as_ref().map(|group| writer.heading(group));
        let suite: Vec<&str> = [report.name.as_str(), exercise].into_iter().chain(group).collect();
        let mut test = json!({
            "name": identity(report, case, many),
            "status": status(case.verdict),
            "rawStatus": case.verdict.name(),
            "duration": 0,
            "suite": suite,
            "extra": {
                "title": writer.title(case),
                "points": number(case.points),
                "max_points": number(case.max_points),
                "hidden": case.hidden,
            },
        });
        if let Some(sentence) = writer.sentence(case) {
            test["message"] = json!(sentence);
            test["trace"] = json!(writer.whole(case));
        }
        if !case.tags.is_empty() {
            test["tags"] = json!(case.tags.as_ref());
        }
        if !case.trials.is_empty() {
            test["flaky"] = json!(true);
        }
        if let Some(file) = report.files.first() {
            test["filePath"] = json!(file.path);
        }
        test
    };
    report.cases.iter().map(test).collect()
}

#[warn(clippy::wildcard_enum_match_arm)]
fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::NotRun => "skipped",
        Verdict::WrongValue
        | Verdict::WrongText
        | Verdict::WrongOutput
        | Verdict::Raised
        | Verdict::DidNotRaise
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::Crashed
        | Verdict::ProtocolViolation
        | Verdict::LoadError
        | Verdict::Failed => "failed",
    }
}
