//! The outputs of a GitHub Actions step, as lines for `$GITHUB_OUTPUT`: the grade. They hold no text of a
//! submission.

use crate::case::Points;
use crate::event::SubmissionReport;
use crate::report::{Format, Options, at_the_end};

pub(super) const FORMAT: Format = Format {
    name: "github-output",
    about: "lines for $GITHUB_OUTPUT: points, max_points and passed",
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

fn end(reports: &[&SubmissionReport], _: &Options) -> String {
    let points: Points = reports.iter().map(|report| report.points).sum();
    let most: Points = reports.iter().map(|report| report.max_points).sum();
    let passed = !reports.is_empty() && reports.iter().all(|report| report.passed());
    // A fault of the course or of keur is no grade of 0.
    let earned = match reports.iter().all(|report| report.is_assessed()) {
        true => format!("points={points}\nmax_points={most}\n"),
        false => String::new(),
    };
    format!("{earned}passed={passed}\n")
}
