//! The order of the submissions in a report that lists all of them.

use crate::event::SubmissionReport;
use crate::named;
use std::cmp::{Ordering, Reverse};

/// An order of submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The submissions as they were given.
    #[default]
    Given,
    /// By name.
    Name,
    /// By exercise, then by name.
    Exercise,
    /// The highest grade first, by the share of the possible points, then by name; ungraded submissions last.
    Points,
}

named!(Order {
    Given = "given",
    Name = "name",
    Exercise = "exercise",
    Points = "points",
});

impl Order {
    pub(super) fn sort(self, reports: &mut [&SubmissionReport]) {
        reports.sort_by(|one, other| self.compare(one, other));
    }

    /// The order of two submissions.
    pub(super) fn compare(self, one: &SubmissionReport, other: &SubmissionReport) -> Ordering {
        match self {
            Order::Given => Ordering::Equal,
            Order::Name => one.name.cmp(&other.name),
            Order::Exercise => {
                let [first, second] =
                    [one, other].map(|report| report.exercise.as_ref().map(|exercise| &exercise.name));
                first.cmp(&second).then_with(|| one.name.cmp(&other.name))
            }
            Order::Points => {
                let [first, second] = [one, other].map(|report| {
                    let most = report.max_points.hundredths().max(1);
                    (report.error.is_some(), Reverse(report.points.hundredths() * 1_000_000 / most))
                });
                first.cmp(&second).then_with(|| one.name.cmp(&other.name))
            }
        }
    }
}
