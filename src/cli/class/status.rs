//! How a class stands: how many are graded, and what is left to do.

use super::one_line;
use crate::class::ClassEntry;
use crate::cli::output::plural;
use keur_core::event::{RunError, SubmissionState};
use keur_core::named::Named;
use keur_core::submission::FilesProblem;

/// Counts the students of a class.
#[derive(Default)]
pub(super) struct ClassStatus {
    students: usize,
    /// By state, as [`SubmissionState::ALL`] orders them; without those that are not graded yet.
    states: [usize; SubmissionState::ALL.len()],
    /// Submissions that lack verdicts.
    pub(super) missing: usize,
    by_hand: usize,
    /// Submissions of which several files may be meant.
    unclear: usize,
    late: usize,
    /// Those of which only the platform's mark says so.
    late_marked: usize,
}

impl ClassStatus {
    /// Counts a student.
    pub(super) fn add(&mut self, entry: &ClassEntry) {
        let ClassEntry { report, .. } = entry;
        self.students += 1;
        if matches!(report.error, Some(RunError::NotGraded { .. })) {
            self.missing += 1;
        } else {
            let state = report.state();
            let place = SubmissionState::ALL.iter().position(|known| *known == state).unwrap_or_default();
            self.states[place] += 1;
        }
        let unclear = matches!(report.error, Some(RunError::Nothing(FilesProblem::Several { .. })));
        self.unclear += usize::from(unclear);
        let hand_in = report.hand_in.as_deref();
        self.by_hand += usize::from(hand_in.is_some_and(|hand_in| hand_in.by_hand.is_some()));
        let late = hand_in.and_then(|hand_in| hand_in.late.as_ref());
        self.late += usize::from(late.is_some());
        self.late_marked += usize::from(late.is_some_and(|late| late.by.is_none()));
    }

    /// The status in a few lines, for the class called `title` in the folder `class`.
    pub(super) fn text(&self, title: &str, class: &str) -> String {
        let [graded, absent, unreadable, ungraded] = self.states;
        let mut counts = vec![format!("{graded} graded")];
        let others = [
            (self.missing, "not graded yet"),
            (absent, "handed in nothing"),
            (unreadable, "unreadable"),
            (ungraded, "could not be graded"),
        ];
        counts.extend(
            others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
        );
        let students = plural(self.students, "student");
        let mut text = format!("{}: {} {students}: {}\n", one_line(title), self.students, counts.join(", "));
        if self.missing > 0 {
            text.push_str(&format!("  `keur class run {class}` grades those that are not graded yet\n"));
        }
        let notes = [
            (
                self.unclear,
                format!(
                    "unreadable since several files may be meant: `keur class set file {class} STUDENT FILE` chooses one"
                ),
            ),
            (self.late, "handed in late".to_owned()),
            (
                self.late_marked,
                "of these marked as late by the platform, without a time: with `[late]` that counts as one day late"
                    .to_owned(),
            ),
            (self.by_hand, "with points set by hand".to_owned()),
        ];
        for (count, what) in notes.iter().filter(|(count, _)| *count > 0) {
            text.push_str(&format!("  {count} {what}\n"));
        }
        text
    }
}
