//! The outputs of a step of GitHub Actions, as lines for `$GITHUB_OUTPUT`: the grade, and what reporters of classrooms
//! read.
//!
//! No text of a submission stands in it but within base64.

use super::words::Words;
use super::{Format, Options, syntax};
use crate::case::Points;
use crate::compare::Verdict;
use crate::compare::diff::visible;
use crate::event::{CaseReport, Finding, RunError, SubmissionReport};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

pub(super) const FORMAT: Format = Format {
    name: "github-output",
    about: "lines for $GITHUB_OUTPUT: points, max_points, passed and result",
    submission: |_, _, _| String::new(),
    end,
};

/// Characters of a name or a message.
const MOST_CHARS: usize = 500;

fn end(reports: &[SubmissionReport], options: &Options) -> String {
    let points: Points = reports.iter().map(|report| report.points).sum();
    let most: Points = reports.iter().map(|report| report.max_points).sum();
    let passed = !reports.is_empty() && reports.iter().all(SubmissionReport::passed);
    let result = STANDARD.encode(classroom(reports, most, passed, options).to_string());
    format!("points={points}\nmax_points={most}\npassed={passed}\nresult={result}\n")
}

/// What a classroom's reporter reads. It posts the sum of the tests' scores, so that sum is the grade.
fn classroom(reports: &[SubmissionReport], most: Points, passed: bool, options: &Options) -> Value {
    let failed = reports.iter().any(|report| report.error.is_some()) || reports.is_empty();
    let mut tests = Vec::new();
    for report in reports {
        let words = Words::new(options.lang(report));
        let whole = |title: &str| match reports.len() {
            1 => harmless(title),
            _ => harmless(&format!("{}: {title}", report.name)),
        };
        if let Some(RunError::Usage(why) | RunError::Fault(why)) = &report.error {
            tests.push(test(&whole(&words.say("label-error")), "error", Points::ZERO, Some(harmless(why))));
        }
        let of: Points = report.cases.iter().map(|case| case.max_points).sum();
        let mut earned = Points::ZERO;
        for case in &report.cases {
            // Rounded sums, not sums of what is rounded: they end at the grade itself.
            let before = earned.scaled(of, report.max_points);
            earned = [earned, case.points].into_iter().sum();
            let after = earned.scaled(of, report.max_points);
            let score = Points::from_hundredths(after.hundredths() - before.hundredths());
            let status = if case.verdict == Verdict::Passed { "pass" } else { "fail" };
            let said = case.finding.as_ref().map(|finding| said(report, case, finding, &words));
            tests.push(test(&whole(case.title.get(options.lang(report))), status, score, said));
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

fn said(report: &SubmissionReport, case: &CaseReport, finding: &Finding, words: &Words) -> String {
    if case.hidden {
        return words.say("label-hidden");
    }
    let mut text = words.sentence(finding, syntax(report));
    for (label, side) in [("label-expected", &finding.expected), ("label-got", &finding.got)] {
        if let Some(side) = side {
            text += &format!(" · {}: {side}", words.say(label));
        }
    }
    harmless(&text)
}

/// A text on one line that a reporter may print in the log of its own step: it begins no command there.
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
