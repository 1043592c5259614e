//! Writes the database of a class. Each method is one transaction, or a part of the one around it.

use super::database::Store;
use super::error::StoreError;
use super::tables::{ATTEMPT, BY_HAND, CASES, CONFLICT, JUDGE, STUDENT, SUBMISSION, VERDICT};
use crate::class::data::{
    Attempt, ClassJudge, Conflict, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
use keur_core::case::Points;
use keur_core::judge::{KnownCase, QuickPass};
use rusqlite::ToSql;
use std::ops::AddAssign;

/// The number of verdicts that were written, known already, or in conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptCount {
    /// New ones.
    pub new: usize,
    /// Verdicts that were already known.
    pub same: usize,
    /// Verdicts that differ from the known ones: neither counts until a run settles it.
    pub conflicts: usize,
}

impl AddAssign for KeptCount {
    fn add_assign(&mut self, more: KeptCount) {
        self.new += more.new;
        self.same += more.same;
        self.conflicts += more.conflicts;
    }
}

/// The stored verdict of a case of a submission.
enum Known {
    Nothing,
    /// A verdict that was graded less often, or an outcome that says less.
    Less,
    /// The verdict is the same.
    Same,
    /// The same verdict, of a quick pass that this one is not of.
    SameOfQuickPass,
    /// A verdict of this run that differs.
    Other {
        verdict: String,
        attempt: String,
    },
    /// Two verdicts that differ.
    Unsettled,
}

impl Store {
    /// Adds students, or replaces what is known of those who are there.
    ///
    /// # Errors
    /// The database cannot be written; so for all below.
    pub fn put_students(&self, students: &[Student]) -> Result<(), StoreError> {
        self.each(students, |student| {
            let Student { name, last_name, number, email, due, on_roster, roster_ids } = student;
            self.put(&STUDENT, &[name, last_name, number, email, due, on_roster, roster_ids])
        })
    }

    /// Adds submissions, or replaces attempts that are there.
    pub fn put_taken(&self, taken: &[Taken]) -> Result<(), StoreError> {
        self.each(taken, |taken| {
            let Taken { student, attempt, folder, original, platform, platform_id, .. } = taken;
            let Taken { handed_in, marked_late, files, received, chosen, .. } = taken;
            let Taken { exercise, language, problem, skipped, read_with, .. } = taken;
            let values: [&dyn ToSql; 16] = [
                student, attempt, folder, original, platform, platform_id, handed_in, marked_late, files,
                received, chosen, exercise, language, problem, skipped, read_with,
            ];
            self.put(&SUBMISSION, &values)
        })
    }

    /// Removes the verdicts on these files, and how they differed.
    pub fn forget(&self, files: &str) -> Result<(), StoreError> {
        self.together(|| {
            for conflict in self.conflicts()?.iter().filter(|conflict| conflict.key.files == files) {
                let VerdictKey { files, case, judge } = &conflict.key;
                self.remove(&CONFLICT, &[files, case, judge])?;
            }
            self.verdicts(files)?.iter().try_for_each(|verdict| self.remove_verdict(&verdict.key))
        })
    }

    /// Replaces the cases by these.
    pub fn put_cases(&self, cases: &[CurrentCase]) -> Result<(), StoreError> {
        self.together(|| {
            self.clear(&CASES)?;
            self.each(cases, |case| {
                let CurrentCase { exercise, name, place, key, title, points, hidden } = case;
                let place = i64::try_from(*place).unwrap_or(i64::MAX);
                self.put(&CASES, &[exercise, name, &place, key, title, &stored(*points), hidden])
            })
        })
    }

    /// Makes a judge the current one of its language. Earlier ones stay, with their verdicts.
    pub fn put_judge(&self, judge: &ClassJudge) -> Result<(), StoreError> {
        self.together(|| {
            let earlier = self.all_judges()?.into_iter().map(|(earlier, _)| earlier);
            for earlier in earlier.filter(|earlier| earlier.language == judge.language) {
                self.write_judge(&earlier, false)?;
            }
            self.write_judge(judge, true)
        })
    }

    fn write_judge(
        &self,
        ClassJudge { key, language, parts }: &ClassJudge,
        current: bool,
    ) -> Result<(), StoreError> {
        let parts = serde_json::to_string(parts).expect("a map of texts is JSON");
        self.put(&JUDGE, &[key, language, &parts, &current])
    }

    /// Adds a run, or replaces what is known of it.
    pub fn put_attempt(&self, attempt: &Attempt) -> Result<(), StoreError> {
        let Attempt { id, host, shard, started, finished } = attempt;
        self.together(|| self.put(&ATTEMPT, &[id, host, shard, started, finished]))
    }

    /// Keeps verdicts. One that was graded more often takes the place of the known one, one that could be
    /// judged that of one that could not, and one that is the same takes that of a quick pass. Any other that
    /// differs from the known one counts as little as that: the case has no verdict until [`Store::settle`].
    /// One that was settled stays, unless that was a quick pass.
    pub fn keep(&self, verdicts: &[KeptVerdict]) -> Result<KeptCount, StoreError> {
        let mut count = KeptCount::default();
        self.each(verdicts, |verdict| match self.find_known(verdict)? {
            Known::Nothing => {
                count.new += 1;
                self.insert_verdict(verdict)
            }
            Known::Less => {
                count.new += 1;
                self.replace_verdict(verdict)
            }
            Known::Same => {
                count.same += 1;
                Ok(())
            }
            Known::SameOfQuickPass => {
                count.same += 1;
                self.replace_verdict(verdict)
            }
            Known::Unsettled => {
                count.conflicts += 1;
                Ok(())
            }
            Known::Other { verdict: one_verdict, attempt: one_attempt } => {
                count.conflicts += 1;
                self.write_conflict(&Conflict {
                    key: verdict.key.clone(),
                    one_attempt,
                    one_verdict,
                    other_attempt: verdict.attempt.clone(),
                    other_verdict: verdict.verdict.clone(),
                    settled: None,
                })?;
                self.remove_verdict(&verdict.key)
            }
        })?;
        Ok(count)
    }

    /// Keeps verdicts that settle what earlier ones said.
    pub fn settle(&self, verdicts: &[KeptVerdict]) -> Result<(), StoreError> {
        self.each(verdicts, |verdict| self.replace_verdict(verdict))
    }

    /// Sets a student's points by hand, in place of those set before.
    pub fn set_points(&self, set: &HandSet) -> Result<(), StoreError> {
        let HandSet { student, points, why, at } = set;
        self.together(|| self.put(&BY_HAND, &[student, &stored(*points), why, at]))
    }

    /// Removes the points that were set by hand; returns whether there were any.
    pub fn clear_points(&self, student: &str) -> Result<bool, StoreError> {
        self.together(|| self.remove(&BY_HAND, &[&student]))
    }

    /// Forgets verdicts that are damaged, and returns the students who lose some: a run grades those again.
    pub fn forget_damaged_verdicts(&self) -> Result<Vec<String>, StoreError> {
        self.keep_sound_rows(&VERDICT)
    }

    /// The stored verdict that `new` meets.
    fn find_known(&self, new: &KeptVerdict) -> Result<Known, StoreError> {
        let conflict = self.conflict(&new.key)?;
        if conflict.as_ref().is_some_and(|conflict| conflict.settled.is_none()) {
            return Ok(Known::Unsettled);
        }
        let Some(known) = self.verdict(&new.key)? else { return Ok(Known::Nothing) };
        if known.attempt == new.attempt {
            return Ok(Known::Same);
        }
        if known.gradings < new.gradings {
            return Ok(Known::Less);
        }
        let pass = quick_pass(&known);
        match (is_judged(&known), is_judged(new)) {
            (true, true) => {}
            (false, true) => return Ok(Known::Less),
            (true, false) if pass.is_some() => return Ok(Known::Less),
            (_, false) => return Ok(Known::Same),
        }
        Ok(match (known.verdict == new.verdict && known.share == new.share, pass) {
            (true, Some(_)) if pass != quick_pass(new) => Known::SameOfQuickPass,
            (true, _) => Known::Same,
            (false, None) if conflict.is_some() => Known::Same,
            (false, _) => Known::Other { verdict: known.verdict, attempt: known.attempt },
        })
    }

    /// Puts a verdict in the place of the known one. If two differed before, it is the one that counts.
    fn replace_verdict(&self, verdict: &KeptVerdict) -> Result<(), StoreError> {
        if let Some(conflict) = self.conflict(&verdict.key)? {
            let settled = Some(verdict.attempt.clone());
            self.write_conflict(&Conflict { settled, ..conflict })?;
        }
        self.remove_verdict(&verdict.key)?;
        self.insert_verdict(verdict)
    }

    fn insert_verdict(&self, kept: &KeptVerdict) -> Result<(), StoreError> {
        let KeptVerdict { key: VerdictKey { files, case, judge }, .. } = kept;
        let KeptVerdict { verdict, share, outcome, gradings, attempt, .. } = kept;
        self.insert(&VERDICT, &[files, case, judge, verdict, share, outcome, gradings, attempt])
    }

    fn remove_verdict(&self, VerdictKey { files, case, judge }: &VerdictKey) -> Result<(), StoreError> {
        self.remove(&VERDICT, &[files, case, judge]).map(|_| ())
    }

    fn write_conflict(&self, conflict: &Conflict) -> Result<(), StoreError> {
        let Conflict { key, one_attempt, one_verdict, other_attempt, other_verdict, settled } = conflict;
        let VerdictKey { files, case, judge } = key;
        let values: [&dyn ToSql; 8] =
            [files, case, judge, one_attempt, one_verdict, other_attempt, other_verdict, settled];
        self.put(&CONFLICT, &values)
    }

    /// Writes `all` in one transaction.
    fn each<T>(
        &self,
        all: &[T],
        mut write: impl FnMut(&T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.together(|| all.iter().try_for_each(&mut write))
    }
}

/// Whether an outcome was judged; also one that cannot be read.
fn is_judged(kept: &KeptVerdict) -> bool {
    KnownCase::from_stored(&kept.verdict, kept.outcome.as_deref()).map_or(true, |known| known.is_judged())
}

/// The quick pass that a verdict is of; `None` for one that cannot be read too.
fn quick_pass(kept: &KeptVerdict) -> Option<QuickPass> {
    KnownCase::from_stored(&kept.verdict, kept.outcome.as_deref()).ok()?.quick_pass()
}

/// The hundredths of points, the form of the database.
fn stored(points: Points) -> i64 {
    i64::try_from(points.hundredths()).unwrap_or(i64::MAX)
}
