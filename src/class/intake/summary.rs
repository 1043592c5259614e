//! The result of taking in downloads and a roster.

use super::attempts::is_contested;
use crate::class::data::{Student, Taken};
use crate::class::reading::problem_of;
use keur_core::event::RunError;
use keur_core::submission::FilesProblem;
use std::collections::BTreeMap;

/// The submissions that were taken in, and the entries that were not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntakeSummary {
    /// Students in the class.
    pub students: usize,
    /// First submissions of students.
    pub new: usize,
    /// Further submissions of students who had handed in before.
    pub again: usize,
    /// Submissions that the class already has.
    pub known: usize,
    /// New submissions before the one that counts, by the number or time of the platform.
    pub earlier: usize,
    /// Students who had handed in before, and whose new submission counts because it was given last: the
    /// platform does not say which is the later one.
    pub given_last: Vec<String>,
    /// Students of whom a submission was given that does not count: the roster has no later time than that of
    /// the one that does.
    pub not_later: Vec<String>,
    /// Students whose chosen file is not in what they handed in since, or needs no choice there.
    pub choice_dropped: Vec<String>,
    /// Students of whose latest submission keur cannot tell which file is meant.
    pub unclear: Vec<String>,
    /// Students whose latest submission cannot be read, those among them.
    pub unreadable: Vec<String>,
    /// Students of whose latest submission files are skipped.
    pub skipped: Vec<String>,
    /// Students on the roster who handed in nothing.
    pub nothing: Vec<String>,
    /// Students who handed in and are not on the roster, if there is one.
    pub not_on_roster: Vec<String>,
    /// Entries that belong to no student.
    pub nobodys: Vec<String>,
    /// Entries that may be several students', or several times the same: nothing of them is taken in.
    pub conflicts: Vec<EntryConflict>,
    /// Doubts about the names of a download.
    pub warnings: Vec<String>,
    /// The exercise that all submissions answer, if it is the same.
    pub exercise: Option<String>,
}

/// Entries of a download whose student is not certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryConflict {
    /// The names of the entries.
    pub entries: Vec<String>,
    /// The students who may be meant and have handed in nothing else: they are not graded until it is
    /// settled.
    pub students: Vec<String>,
    /// The students who may be meant, and whose earlier submission counts until it is settled.
    pub earlier: Vec<String>,
    /// The reason.
    pub why: String,
}

impl IntakeSummary {
    /// Adds how the students stand, with what each handed in.
    pub(super) fn conclude(&mut self, students: &[Student], attempts: &BTreeMap<String, Vec<Taken>>) {
        self.students = students.len();
        let unreadable = latest(attempts).filter(|taken| taken.problem.is_some() && !is_contested(taken));
        self.unreadable = unreadable.map(|taken| taken.student.clone()).collect();
        let unclear = latest(attempts).filter(|taken| {
            matches!(
                taken.problem.as_deref().map(problem_of),
                Some(RunError::Nothing(FilesProblem::Several { .. }))
            )
        });
        self.unclear = unclear.map(|taken| taken.student.clone()).collect();
        let skipped = latest(attempts).filter(|taken| taken.skipped.is_some());
        self.skipped = skipped.map(|taken| taken.student.clone()).collect();
        let has_roster = students.iter().any(|student| student.on_roster);
        for student in students {
            if !attempts.contains_key(&student.name) {
                self.nothing.push(student.name.clone());
            } else if has_roster && !student.on_roster {
                self.not_on_roster.push(student.name.clone());
            }
        }
        self.nothing.sort();
        self.not_on_roster.sort();
    }
}

/// The submission of each student that counts.
pub(super) fn latest(attempts: &BTreeMap<String, Vec<Taken>>) -> impl Iterator<Item = &Taken> {
    attempts.values().filter_map(|taken| taken.iter().max_by_key(|taken| taken.attempt))
}
