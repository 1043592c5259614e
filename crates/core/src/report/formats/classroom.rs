//! The input of the GitHub Classroom reporter, before the action encodes it in base64: a test for each case.

use super::json::compact;
use super::lines::error;
use crate::case::Points;
use crate::compare::Verdict;
use crate::compare::diff::visible;
use crate::event::{CaseReport, SubmissionReport};
use crate::report::case_writer::{CaseWriter, adjustments};
use crate::report::{Audience, Format, Options, at_the_end};
use serde_json::{Value, json};

pub(super) const FORMAT: Format = Format {
    name: "classroom",
    about: "the JSON that GitHub Classroom's reporter reads, in base64",
    extension: "json",
    audience: Audience::Student,
    // The reporter gets it in an environment variable, where long texts do not fit.
    reporter: || at_the_end(|reports, options| compact(&result(reports, options)) + "\n"),
    ..Format::NOTHING
};

/// Characters of a name or a message.
const MOST_CHARS: usize = 500;

/// The input of the reporter. It posts the sum of the tests' scores, so that sum is the grade.
fn result(reports: &[&SubmissionReport], options: &Options) -> Value {
    let most: Points = reports.iter().map(|report| report.max_points).sum();
    let passed = !reports.is_empty() && reports.iter().all(|report| report.passed());
    let failed = reports.iter().any(|report| report.error.is_some()) || reports.is_empty();
    let mut tests = Vec::new();
    for report in reports {
        let writer = CaseWriter::new(report, options);
        let whole = |title: &str| match reports.len() {
            1 => harmless(title),
            _ => harmless(&format!("{}: {title}", report.name)),
        };
        if let (Some(problem), Some(why)) = (&report.error, error(report, options)) {
            let name = whole(&writer.words.state(problem));
            tests.push(test(&name, "error", Points::ZERO, Some(harmless(&why))));
        }
        let [of, all] = [|case: &CaseReport| case.max_points, |case: &CaseReport| case.points]
            .map(|points| report.cases.iter().map(points).sum::<Points>());
        let by_cases = all.scaled(of, report.max_points);
        // A penalty takes a share of every case.
        let scaled = |earned: Points| {
            if by_cases > report.points {
                earned.scaled(all, report.points)
            } else {
                earned.scaled(of, report.max_points)
            }
        };
        let mut more =
            Points::from_hundredths(report.points.hundredths().saturating_sub(by_cases.hundredths()));
        for adjustment in adjustments(report, &writer.words).iter().rev() {
            // What was set by hand comes last, and gives what the cases do not.
            tests.push(test(&whole(adjustment), "pass", std::mem::take(&mut more), None));
        }
        let mut earned = Points::ZERO;
        for case in &report.cases {
            // The sums are rounded, not the parts: so the last sum is the grade itself.
            let before = scaled(earned);
            earned = earned + case.points;
            let after = scaled(earned);
            let score = Points::from_hundredths(after.hundredths() - before.hundredths());
            let status = if case.verdict == Verdict::Passed { "pass" } else { "fail" };
            tests.push(test(&whole(writer.title(case)), status, score, message(&writer, case)));
        }
    }
    let status = match (failed, passed) {
        (true, _) => "error",
        (false, true) => "pass",
        (false, false) => "fail",
    };
    // The reporter takes whole points only.
    json!({ "version": 1, "status": status, "max_score": most.hundredths().div_ceil(100), "tests": tests })
}

fn test(name: &str, status: &str, score: Points, message: Option<String>) -> Value {
    json!({
        "name": name,
        "status": status,
        "score": score.to_f64(),
        "message": message,
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "execution_time": "0s",
    })
}

/// The reason why a case did not pass, both sides and the hint, on one line.
fn message(writer: &CaseWriter<'_>, case: &CaseReport) -> Option<String> {
    let mut parts = vec![writer.sentence(case)?];
    if let Some(finding) = &case.finding {
        for (label, side) in [("label-expected", &finding.expected), ("label-got", &finding.got)] {
            parts.extend(side.as_ref().map(|side| format!("{}: {side}", writer.words.say(label))));
        }
    }
    parts.extend(writer.words.partial(case));
    parts.extend(writer.hint(case));
    Some(harmless(&parts.join(" · ")))
}

/// A text on one line that a reporter may print in the log of its step: it cannot start a command there.
fn harmless(text: &str) -> String {
    let text: String = text.chars().take(MOST_CHARS).collect();
    let text = visible(&text, false).replace("##[", "## [");
    if text.trim_start().starts_with("::") { format!("· {text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn neither_a_name_nor_a_message_begins_a_command() {
        assert_eq!(harmless("::error::x\n::error::y"), "· ::error::x␊::error::y");
        assert_eq!(harmless("a ##[error]"), "a ## [error]");
    }
}
