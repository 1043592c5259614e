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
    // A fault of the course or of keur is no grade of 0: then there are no points to have.
    let is_graded = reports.iter().all(|report| report.is_assessed());
    let most: Points = reports.iter().filter(|_| is_graded).map(|report| report.max_points).sum();
    let passed = !reports.is_empty() && reports.iter().all(|report| report.passed());
    let failed = reports.iter().any(|report| report.error.is_some()) || reports.is_empty();
    let mut scores = Scores::new(reports.iter().map(|report| report.points).sum());
    let mut tests = Vec::new();
    for report in reports {
        let writer = CaseWriter::new(report, options);
        let whole = |title: &str| match reports.len() {
            1 => harmless(title),
            _ => harmless(&format!("{}: {title}", report.name)),
        };
        if let (Some(problem), Some(why)) = (&report.error, error(report, options)) {
            let name = whole(&writer.words.state(problem));
            tests.push(test(&name, "error", 0.0, Some(harmless(&why))));
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
            tests.push(test(&whole(adjustment), "pass", scores.add(std::mem::take(&mut more)), None));
        }
        let mut earned = Points::ZERO;
        for case in &report.cases {
            // The sums are rounded, not the parts: so the last sum is the grade itself.
            let before = scaled(earned);
            earned = earned + case.points;
            let after = scaled(earned);
            let score = Points::from_hundredths(after.hundredths() - before.hundredths());
            let status = if case.verdict == Verdict::Passed { "pass" } else { "fail" };
            let score = scores.add(score);
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

/// The scores of tests in order. The reporter adds them up as binary fractions, so each sum but the last is rounded
/// down to one that is exact, and the last one is the grade.
struct Scores {
    grade: Points,
    sum: Points,
}

impl Scores {
    /// The parts of a point that a sum is rounded to: a power of two, so that no addition rounds, and more than 100,
    /// so that no hundredth is lost.
    const PARTS: f64 = 128.0;

    fn new(grade: Points) -> Scores {
        Scores { grade, sum: Points::ZERO }
    }

    /// The score of the next test, which earns these points.
    fn add(&mut self, points: Points) -> f64 {
        let before = self.rounded();
        self.sum = self.sum + points;
        self.rounded() - before
    }

    fn rounded(&self) -> f64 {
        let sum = self.sum.to_f64();
        if self.sum == self.grade { sum } else { (sum * Scores::PARTS).floor() / Scores::PARTS }
    }
}

fn test(name: &str, status: &str, score: f64, message: Option<String>) -> Value {
    json!({
        "name": name,
        "status": status,
        "score": score,
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
    use super::{Scores, harmless};
    use crate::case::Points;

    #[test]
    fn the_scores_add_up_to_the_grade_in_binary_fractions() {
        for grade in [1, 99, 100, 690, 1931, 2000, 9999] {
            for parts in 1..=u64::min(grade, 60) {
                let cut = |part: u64| grade * part / parts;
                let mut scores = Scores::new(Points::from_hundredths(grade));
                let points = (0..parts).map(|part| Points::from_hundredths(cut(part + 1) - cut(part)));
                let scores: Vec<f64> = points.map(|points| scores.add(points)).collect();
                let sum: f64 = scores.iter().sum();
                assert!(sum == Points::from_hundredths(grade).to_f64(), "{sum}: {scores:?}");
                assert!(scores.iter().all(|score| *score > 0.0), "{scores:?}");
            }
        }
    }

    #[test]
    fn neither_a_name_nor_a_message_begins_a_command() {
        assert_eq!(harmless("::error::x\n::error::y"), "· ::error::x␊::error::y");
        assert_eq!(harmless("a ##[error]"), "a ## [error]");
    }
}
