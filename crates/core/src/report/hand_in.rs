//! The words for how a submission was handed in: its state, its lateness, and points set by hand.

use super::words::Words;
use crate::case::Points;
use crate::event::{EarlierGrade, HandIn, Late, RunError, SubmissionReport, SubmissionState};

/// Minutes of an hour.
const HOUR: u64 = 60;

/// Minutes of a day.
const DAY: u64 = 24 * HOUR;

impl Words {
    /// The state of a submission that was not graded, in a few words.
    pub fn state(&self, error: &RunError) -> String {
        if matches!(error, RunError::NotGraded { .. }) {
            return self.say("label-not-graded");
        }
        self.say(match error.state() {
            SubmissionState::Absent => "label-absent",
            SubmissionState::Unreadable => "label-unreadable",
            SubmissionState::Graded | SubmissionState::Ungraded => "label-error",
        })
    }

    /// The reason why a submission was not graded, if its state does not say it. It may have several lines.
    pub fn why(&self, error: &RunError) -> Option<String> {
        match error {
            RunError::NotHandedIn => None,
            RunError::NotGraded { earlier, .. } => earlier.as_ref().map(|earlier| self.earlier(earlier)),
            RunError::Nothing(_)
            | RunError::NoSuchPath(_)
            | RunError::UnclearExercise(_)
            | RunError::Selection(_)
            | RunError::Usage(_)
            | RunError::Exercise(_)
            | RunError::Fault(_) => Some(self.error(error)),
        }
    }

    /// The grade before a case was changed.
    pub(super) fn earlier(&self, grade: &EarlierGrade) -> String {
        self.with("label-earlier-grade", &[("points", &self.points_of(grade.points, grade.max_points))])
    }

    /// The state of a submission that was not graded, and why.
    pub fn state_and_reason(&self, error: &RunError) -> String {
        let state = self.state(error);
        self.why(error).map_or_else(|| state.clone(), |why| format!("{state}: {why}"))
    }

    /// A sentence on each thing that changed the points; empty if the cases alone decide them.
    pub fn adjustments(&self, report: &SubmissionReport) -> Vec<String> {
        let Some(hand_in) = report.hand_in.as_deref() else { return Vec::new() };
        let of = |points: Points| self.points_of(points, report.max_points);
        let mut sentences = Vec::new();
        if report.error.is_none() && is_adjusted(hand_in) {
            sentences.push(self.with("label-earned", &[("points", &of(hand_in.earned))]));
        }
        sentences.extend(hand_in.late.as_ref().map(|Late { by, lost }| {
            let by = by.map(|by| self.time(by.as_secs()));
            match (by, *lost) {
                (Some(by), Points::ZERO) => self.with("label-late-free", &[("by", &by)]),
                (Some(by), lost) => self.with("label-late", &[("by", &by), ("points", &of(lost))]),
                (None, Points::ZERO) => self.say("label-late-marked-free"),
                (None, lost) => self.with("label-late-marked", &[("points", &of(lost))]),
            }
        }));
        sentences.extend(hand_in.by_hand.as_ref().map(|by_hand| {
            self.with("label-by-hand", &[("points", &of(by_hand.points)), ("why", &by_hand.why)])
        }));
        sentences
    }

    /// The changes of the points in a few words, for a table; empty if there are none.
    pub fn short_adjustments(&self, report: &SubmissionReport) -> String {
        let Some(hand_in) = report.hand_in.as_deref() else { return String::new() };
        let late = hand_in.late.as_ref().map(|late| match late.lost {
            Points::ZERO => self.say("label-late-only"),
            lost => self.with("label-late-short", &[("points", &self.number(lost))]),
        });
        let by_hand = hand_in.by_hand.as_ref().map(|_| self.say("label-by-hand-short"));
        late.into_iter().chain(by_hand).collect::<Vec<_>>().join(", ")
    }

    /// The number of graded submissions that passed, then the number in each other state.
    pub fn tally(&self, reports: &[&SubmissionReport]) -> Vec<String> {
        let is_waiting = |report: &SubmissionReport| matches!(report.error, Some(RunError::NotGraded { .. }));
        let count =
            |state| reports.iter().filter(|report| report.state() == state && !is_waiting(report)).count();
        let passed = reports.iter().filter(|report| report.passed()).count().to_string();
        let graded = count(SubmissionState::Graded).to_string();
        let others = [
            ("tally-waiting", reports.iter().filter(|report| is_waiting(report)).count()),
            ("tally-absent", count(SubmissionState::Absent)),
            ("tally-unreadable", count(SubmissionState::Unreadable)),
            ("tally-ungraded", count(SubmissionState::Ungraded)),
        ];
        let others = others.into_iter().filter(|(_, count)| *count > 0);
        let total = self.with("label-total", &[("passed", &passed), ("total", &graded)]);
        std::iter::once(total).chain(others.map(|(id, count)| self.count(id, count, &[]))).collect()
    }

    /// A time in its two largest units, rounded up to a minute.
    fn time(&self, seconds: u64) -> String {
        let minutes = seconds.div_ceil(60);
        let [days, hours, rest] = [minutes / DAY, minutes % DAY / HOUR, minutes % HOUR];
        let units = [("label-days", days), ("label-hours", hours), ("label-minutes", rest)];
        let largest = units.iter().position(|(_, count)| *count > 0).unwrap_or(units.len());
        let shown = units[largest..].iter().take(2).filter(|(_, count)| *count > 0);
        let words =
            shown.map(|(id, count)| self.count(id, usize::try_from(*count).unwrap_or(usize::MAX), &[]));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Returns true if something changed the points that the cases earned.
fn is_adjusted(hand_in: &HandIn) -> bool {
    hand_in.by_hand.is_some() || hand_in.late.as_ref().is_some_and(|late| late.lost > Points::ZERO)
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::messages::Lang;

    #[test]
    fn a_time_has_its_two_largest_units() {
        let time = |seconds| Words::new(Lang::En).time(seconds);
        assert_eq!(time(1), "1 minute");
        assert_eq!(time(3541), "1 hour");
        assert_eq!(time(2 * 3600 + 61), "2 hours 2 minutes");
        assert_eq!(time(86_400), "1 day");
        assert_eq!(time(3 * 86_400 + 3600 + 60), "3 days 1 hour");
    }
}
