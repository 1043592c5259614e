//! Gradescope's `results/results.json`.
//!
//! A student sees only that a hidden case failed. An instructor sees everything, and the tests of hidden
//! cases are marked as hidden: then Gradescope shows students neither them nor the total. No schema is
//! published; this follows Gradescope's documentation.

use super::json::text;
use super::json_shape::number;
use super::lines::ungraded;
use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::named::Named;
use crate::report::case_writer::{CaseWriter, adjustments, line};
use crate::report::{Audience, Format, Options, at_the_end, groups};
use serde_json::{Value, json};

pub(super) const FORMAT: Format = Format {
    name: "gradescope",
    about: "results.json of a Gradescope autograder",
    extension: "json",
    audience: Audience::Student,
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let summaries: Vec<String> = reports.iter().map(|report| summary(report, options)).collect();
    let mut json = json!({
        "output": summaries.join("\n\n"),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    });
    // Without a score Gradescope says that the autograder failed: a fault in keur costs nobody points.
    if reports.iter().all(|report| report.is_assessed()) {
        json["score"] = number(reports.iter().map(|report| report.points).sum());
        json["tests"] = reports
            .iter()
            .enumerate()
            .flat_map(|(index, report)| tests(report, index, reports.len(), options))
            .collect();
    }
    text(&json)
}

/// The text for a whole submission.
fn summary(report: &SubmissionReport, options: &Options) -> String {
    let writer = CaseWriter::new(report, options);
    let adjusted = adjustments(report, &writer.words);
    if let Some(why) = ungraded(report, options) {
        return std::iter::once(why).chain(adjusted).collect::<Vec<_>>().join("\n");
    }
    let mut lines = vec![format!("{} · {}", writer.words.points(report), writer.words.cases(report))];
    lines.extend(adjusted);
    lines.extend(report.warnings.iter().map(|warning| writer.warning(warning)));
    lines.join("\n")
}

fn tests(report: &SubmissionReport, index: usize, submissions: usize, options: &Options) -> Vec<Value> {
    let writer = CaseWriter::new(report, options);
    let of: Points = report.cases.iter().map(|case| case.max_points).sum();
    let mut before = Points::ZERO;
    let mut tests = Vec::new();
    let cases = groups(&report.cases).into_iter().flat_map(|group| group.cases);
    for (at, (_, case)) in cases.enumerate() {
        // The sums are rounded, not the parts: so the tests' points add up to the exercise's.
        let after = before + case.max_points;
        let share = |sum: Points| sum.scaled(of, report.max_points).hundredths();
        let most = Points::from_hundredths(share(after) - share(before));
        before = after;
        let passed = case.verdict == Verdict::Passed;
        let title = match &case.group {
            Some(group) => format!("{}: {}", writer.heading(group), writer.title(case)),
            None => writer.title(case).to_owned(),
        };
        let (name, number_) = match submissions {
            1 => (title, format!("{}", at + 1)),
            _ => (format!("{}: {title}", report.name), format!("{}.{}", index + 1, at + 1)),
        };
        tests.push(json!({
            "name": line(&name),
            "number": number_,
            "score": number(if passed { most } else { case.points.scaled(case.max_points, most) }),
            "max_score": number(most),
            "status": if passed { "passed" } else { "failed" },
            "output": writer.whole(case),
            "tags": case.tags.as_ref(),
            "visibility": visibility(case, options),
            "extra_data": { "case": case.name, "verdict": case.verdict.name() },
        }));
    }
    tests
}

fn visibility(case: &CaseReport, options: &Options) -> &'static str {
    match options.audience {
        Audience::Instructor if case.hidden => "hidden",
        Audience::Instructor | Audience::Student => "visible",
    }
}
