//! The order of the submissions in a report that lists all of them.

use super::{NameKey, Options};
use crate::event::SubmissionReport;
use crate::named;
use std::cmp::Reverse;

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

/// The key by which a submission sorts. What an order does not look at is the same for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OrderKey {
    exercise: Option<String>,
    is_ungraded: bool,
    /// The share of the possible points, in millionths.
    share: Reverse<u64>,
    name: Option<NameKey>,
}

impl Order {
    pub(super) fn sort(self, reports: &mut [&SubmissionReport], options: &Options) {
        reports.sort_by_cached_key(|report| self.key(report, options));
    }

    /// The key of a submission, whose name sorts as the language of the report sorts it.
    pub(super) fn key(self, report: &SubmissionReport, options: &Options) -> OrderKey {
        let last_name = report.hand_in.as_deref().and_then(|hand_in| hand_in.last_name.as_deref());
        let name = || Some(NameKey::of_person(&report.name, last_name, options.lang(report)));
        match self {
            Order::Given => OrderKey::default(),
            Order::Name => OrderKey { name: name(), ..OrderKey::default() },
            Order::Exercise => {
                let exercise = report.exercise.as_ref().map(|exercise| exercise.name.clone());
                OrderKey { exercise, name: name(), ..OrderKey::default() }
            }
            Order::Points => {
                let most = report.max_points.hundredths().max(1);
                OrderKey {
                    is_ungraded: report.error.is_some(),
                    share: Reverse(report.points.hundredths() * 1_000_000 / most),
                    name: name(),
                    ..OrderKey::default()
                }
            }
        }
    }
}
