//! The outputs of a step of GitHub Actions, as lines for `$GITHUB_OUTPUT`: the grade. No text of a submission stands in
//! it.

use super::{Format, Options, at_the_end};
use crate::case::Points;
use crate::event::SubmissionReport;

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
    format!("points={points}\nmax_points={most}\npassed={passed}\n")
}
