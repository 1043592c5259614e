//! The Common Test Report Format, whose schema is `ctrf.schema.json` (ctrf-io/ctrf).
//!
//! It requires times: they are 0 here, so that the same submission gives the same report.

use super::details::identity;
use super::json::text;
use super::json_shape::number;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::report::account::{Account, error};
use crate::report::{Format, Options, at_the_end};
use serde_json::{Value, json};

/// The version of the specification.
const SPECIFICATION: &str = "0.0.0";

pub(super) const FORMAT: Format = Format {
    name: "ctrf",
    about: "the Common Test Report Format, JSON",
    extension: "json",
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let tests: Vec<Value> =
        reports.iter().flat_map(|report| tests(report, reports.len() > 1, options)).collect();
    let count = |status: &str| tests.iter().filter(|test| test["status"] == status).count();
    let summary = json!({
        "tests": tests.len(),
        "passed": count("passed"),
        "failed": count("failed"),
        "skipped": count("skipped"),
        "pending": 0,
        "other": count("other"),
        "suites": reports.len(),
        "start": 0,
        "stop": 0,
    });
    let tool = json!({ "name": "keur", "version": env!("CARGO_PKG_VERSION") });
    text(&json!({
        "reportFormat": "CTRF",
        "specVersion": SPECIFICATION,
        "generatedBy": "keur",
        "results": { "tool": tool, "summary": summary, "tests": tests },
    }))
}

fn tests(report: &SubmissionReport, many: bool, options: &Options) -> Vec<Value> {
    let account = Account::new(report, options);
    if let Some(why) = error(report, options) {
        // The result of the submission is unknown: it neither passed nor failed.
        return vec![json!({ "name": report.name, "status": "other", "duration": 0, "message": why })];
    }
    let test = |case: &CaseReport| {
        let exercise = report.exercise.as_ref().map_or("keur", |exercise| &exercise.name);
        let group = case.group.as_ref().map(|group| account.heading(group));
        let suite: Vec<&str> = [report.name.as_str(), exercise].into_iter().chain(group).collect();
        let mut test = json!({
            "name": identity(report, case, many),
            "status": status(case.verdict),
            "rawStatus": case.verdict.name(),
            "duration": 0,
            "suite": suite,
            "extra": {
                "title": account.title(case),
                "points": number(case.points),
                "max_points": number(case.max_points),
                "hidden": case.hidden,
            },
        });
        if let Some(sentence) = account.sentence(case) {
            test["message"] = json!(sentence);
            test["trace"] = json!(account.whole(case));
        }
        if !case.tags.is_empty() {
            test["tags"] = json!(case.tags.as_ref());
        }
        if !case.trials.is_empty() {
            test["flaky"] = json!(true);
        }
        if let Some((_, path)) = report.files.first() {
            test["filePath"] = json!(path);
        }
        test
    };
    report.cases.iter().map(test).collect()
}

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
