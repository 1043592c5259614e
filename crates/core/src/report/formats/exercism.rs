//! `results.json` of an Exercism test runner, version 3.

use super::details::session;
use super::json::text;
use super::lines::{error, ungraded};
use crate::compare::Verdict;
use crate::compare::diff::visible;
use crate::event::{CaseReport, Finding, SubmissionReport};
use crate::messages::shortened;
use crate::report::case_writer::{CaseWriter, line};
use crate::report::{Audience, Format, Options, at_the_end, causes};
use serde_json::{Value, json};
use std::borrow::Cow;

pub(super) const FORMAT: Format = Format {
    name: "exercism",
    about: "results.json of an Exercism test runner, version 3",
    extension: "json",
    audience: Audience::Student,
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// Characters of a message and of an output that Exercism takes.
const MOST_MESSAGE: usize = 65_535;
const MOST_OUTPUT: usize = 500;

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let failed: Vec<String> = reports.iter().filter_map(|report| nothing_ran(report, options)).collect();
    if failed.len() == reports.len() {
        let why = failed.join("\n\n");
        let message = fitted(&why, MOST_MESSAGE);
        return text(&json!({ "version": 3, "status": "error", "message": message, "tests": [] }));
    }
    let passed =
        |report: &SubmissionReport| report.error.is_none() && report.passed_cases() == report.cases.len();
    let passed = reports.iter().copied().all(passed);
    let tests: Vec<Value> =
        reports.iter().flat_map(|report| tests(report, reports.len() > 1, options)).collect();
    text(&json!({ "version": 3, "status": if passed { "pass" } else { "fail" }, "tests": tests }))
}

/// The reason why no case of a submission was run; `None` if one was.
fn nothing_ran(report: &SubmissionReport, options: &Options) -> Option<String> {
    let writer = CaseWriter::new(report, options);
    if report.error.is_some() {
        return ungraded(report, options);
    }
    let ran = |case: &CaseReport| match case.finding.as_deref() {
        Some(finding) => finding.step.is_some(),
        None => case.verdict != Verdict::NotRun,
    };
    if report.cases.iter().any(ran) {
        return None;
    }
    let failures: Vec<String> = causes(report).iter().map(|cause| writer.cause(cause)).collect();
    Some(failures.join("\n\n"))
}

fn tests(report: &SubmissionReport, many: bool, options: &Options) -> Vec<Value> {
    let writer = CaseWriter::new(report, options);
    if let Some(why) = error(report, options) {
        return vec![
            json!({ "name": line(&report.name), "status": "error", "test_code": "", "message": why }),
        ];
    }
    let test = |case: &CaseReport| {
        let title = writer.title(case);
        let finding = case.finding.as_deref();
        let mut test = json!({
            "name": if many { line(&format!("{}: {title}", report.name)) } else { line(title) },
            "status": status(case, finding),
            "test_code": finding.map(session).unwrap_or_default().join("\n"),
        });
        if case.verdict != Verdict::Passed {
            test["message"] = json!(fitted(&writer.whole(case), MOST_MESSAGE));
        }
        let written = finding.into_iter().flat_map(|finding| finding.printed.iter().chain(&finding.errors));
        let lines: Vec<String> =
            written.flat_map(|text| text.lines()).map(|line| visible(line, false)).collect();
        if !lines.is_empty() {
            test["output"] = json!(fitted(&lines.join("\n"), MOST_OUTPUT));
        }
        test
    };
    report.cases.iter().map(test).collect()
}

/// The status of a test: a wrong answer is a failure, no answer an error.
fn status(case: &CaseReport, finding: Option<&Finding>) -> &'static str {
    match (case.verdict, finding) {
        (Verdict::Passed, _) => "pass",
        (Verdict::NotRun, _) | (_, Some(Finding { step: None, .. })) => "error",
        (_, _) => "fail",
    }
}

/// A text of at most `most` characters, the mark of a cut included.
fn fitted(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_some() { shortened(text, most - 1) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn a_text_is_cut_at_what_exercism_takes() {
        assert_eq!(fitted("äöü", 3), "äöü");
        assert_eq!(fitted("äöüx", 3), "äö…");
    }
}
