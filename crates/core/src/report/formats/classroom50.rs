//! `result.json` of Classroom 50, `classroom50/result/v1`.
//!
//! Its scores are whole numbers: points before any scaling of the grade, or hundredths if one is not whole.
//! What only the runner knows comes from its environment; the runner overwrites owner, type and time.

use super::json::text;
use super::lines::error;
use crate::case::Points;
use crate::compare::Verdict;
use crate::event::{CaseReport, SubmissionReport};
use crate::report::case_writer::{CaseWriter, adjustments, line};
use crate::report::{Audience, Format, Options, at_the_end};
use serde_json::{Value, json};

pub(super) const FORMAT: Format = Format {
    name: "classroom50",
    about: "result.json of Classroom 50",
    extension: "json",
    audience: Audience::Student,
    variables: &[
        "CLASSROOM", "ASSIGNMENT", "ASSIGNMENT_TYPE", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL",
        "REVIEW_URL",
    ],
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// Replaces a variable that is not set, as on a private machine.
const UNKNOWN: &str = "unknown";

/// The time of a submission whose tag has none.
const NO_TIME: &str = "1970-01-01T00:00:00Z";

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let variable = |name: &str| options.variables.get(name).filter(|value| !value.is_empty());
    let named = |name: &str| variable(name).map_or(UNKNOWN, String::as_str);
    let cases = || reports.iter().flat_map(|report| &report.cases);
    let is_whole = |points: Points| points.hundredths().is_multiple_of(100);
    let earned: Points = reports.iter().map(|report| earned(report)).sum();
    let whole = cases().all(|case| is_whole(case.max_points) && is_whole(case.points)) && is_whole(earned);
    let score = |points: Points| if whole { points.hundredths() / 100 } else { points.hundredths() };
    let tests: Vec<Value> =
        reports.iter().flat_map(|report| tests(report, reports.len() > 1, options, &score)).collect();
    let tag = named("SUBMISSION_TAG");
    let commit = named("COMMIT_URL");
    text(&json!({
        "schema": "classroom50/result/v1",
        "classroom": named("CLASSROOM"),
        "assignment": named("ASSIGNMENT"),
        "assignment_type": variable("ASSIGNMENT_TYPE").map_or("individual", String::as_str),
        "owner": named("OWNER"),
        "submission": tag,
        "commit": commit,
        "release": named("RELEASE_URL"),
        "review": variable("REVIEW_URL").map_or(commit, String::as_str),
        "datetime": time(tag).unwrap_or_else(|| NO_TIME.to_owned()),
        "score": score(earned),
        "max-score": score(cases().map(|case| case.max_points).sum()),
        "tests": tests,
    }))
}

/// The points of a submission before any scaling of the grade, after a penalty and what was set by hand.
fn earned(report: &SubmissionReport) -> Points {
    let is_changed = report.hand_in.as_ref().is_some_and(|hand_in| hand_in.earned != report.points);
    if is_changed {
        let most = report.cases.iter().map(|case| case.max_points).sum();
        return report.points.scaled(report.max_points, most);
    }
    report.cases.iter().map(|case| case.points).sum()
}

fn tests(
    report: &SubmissionReport,
    many: bool,
    options: &Options,
    score: &dyn Fn(Points) -> u64,
) -> Vec<Value> {
    let writer = CaseWriter::new(report, options);
    let name = |title: &str| if many { line(&format!("{}: {title}", report.name)) } else { line(title) };
    if let (Some(error), Some(why)) = (&report.error, error(report, options)) {
        let name = name(&writer.words.state(error));
        return vec![
            json!({ "test-name": name, "passed": false, "score": 0, "max-score": 0, "message": why }),
        ];
    }
    let test = |case: &CaseReport| {
        let mut test = json!({
            "test-name": name(writer.title(case)),
            "passed": case.verdict == Verdict::Passed,
            "score": score(case.points),
            "max-score": score(case.max_points),
        });
        if case.verdict != Verdict::Passed {
            test["message"] = json!(writer.whole(case));
        }
        test
    };
    let adjustments = adjustments(report, &writer.words);
    let adjustments = adjustments.iter().map(
        |text| json!({ "test-name": name(text), "passed": true, "score": 0, "max-score": 0, "message": text }),
    );
    report.cases.iter().map(test).chain(adjustments).collect()
}

/// The time in a tag such as `submit/2026-02-02T10-20-30Z-1a2b3c4`.
fn time(tag: &str) -> Option<String> {
    let stamp = tag.strip_prefix("submit/")?.get(..20)?;
    let (date, clock) = stamp.strip_suffix('Z')?.split_once('T')?;
    let digits = |text: &str, lengths: [usize; 3]| {
        let parts: Vec<&str> = text.split('-').collect();
        let whole = |(part, length): (&&str, &usize)| {
            part.len() == *length && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        parts.len() == 3 && parts.iter().zip(&lengths).all(whole)
    };
    let known = digits(date, [4, 2, 2]) && digits(clock, [2, 2, 2]);
    known.then(|| format!("{date}T{}Z", clock.replace('-', ":")))
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn the_time_is_that_of_the_tag() {
        assert_eq!(time("submit/2026-02-02T10-20-30Z-1a2b3c4").as_deref(), Some("2026-02-02T10:20:30Z"));
        for tag in ["unknown", "submit/", "submit/2026-02-02", "submit/2026-02-02T10-2x-30Z-1"] {
            assert_eq!(time(tag), None, "{tag}");
        }
    }
}
