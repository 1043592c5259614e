//! What goes into the database of a class. Each method is one transaction, or a part of the one around it.

use super::database::Store;
use super::error::StoreError;
use crate::case::Points;
use crate::class::data::{
    Attempt, ClassJudge, Conflict, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
use rusqlite::{OptionalExtension, Params, named_params, params};
use std::ops::AddAssign;

/// What became of verdicts that were to be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptCount {
    /// New ones.
    pub new: usize,
    /// Those that were already known.
    pub same: usize,
    /// Those that differ from what was known: neither counts until a run settles it.
    pub conflicts: usize,
}

impl AddAssign for KeptCount {
    fn add_assign(&mut self, more: KeptCount) {
        self.new += more.new;
        self.same += more.same;
        self.conflicts += more.conflicts;
    }
}

/// What the database has of a case of a submission.
enum Known {
    Nothing,
    /// The same verdict.
    Same,
    /// Another verdict, of this run.
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
        let sql = "INSERT INTO student (name, number, email, due, on_roster, roster_ids) VALUES (?, ?, ?, ?, ?, ?)
                   ON CONFLICT DO UPDATE SET number = excluded.number, email = excluded.email, due = excluded.due,
                   on_roster = excluded.on_roster, roster_ids = excluded.roster_ids";
        self.each(students, |student| {
            let Student { name, number, email, due, on_roster, roster_ids } = student;
            self.execute(sql, params![name, number, email, due, on_roster, roster_ids])
        })
    }

    /// Adds submissions, or replaces attempts that are there.
    pub fn put_taken(&self, taken: &[Taken]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO submission (student, attempt, folder, original, platform,
                   platform_id, handed_in, marked_late, files, exercise, language, problem, skipped, read_with)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        self.each(taken, |taken| {
            let Taken { student, attempt, folder, original, platform, platform_id, .. } = taken;
            let Taken { handed_in, marked_late, files, .. } = taken;
            let Taken { exercise, language, problem, skipped, read_with, .. } = taken;
            let values = params![
                student,
                attempt,
                folder,
                original,
                platform,
                platform_id,
                handed_in,
                marked_late,
                files,
                exercise,
                language,
                problem,
                skipped,
                read_with
            ];
            self.execute(sql, values)
        })
    }

    /// Removes the verdicts on these files, and how they differed.
    pub fn forget(&self, files: &str) -> Result<(), StoreError> {
        self.together(|| {
            self.execute("DELETE FROM conflict WHERE files = ?", [files])?;
            self.execute("DELETE FROM verdict WHERE files = ?", [files])
        })
    }

    /// Replaces the cases by these.
    pub fn put_cases(&self, cases: &[CurrentCase]) -> Result<(), StoreError> {
        let sql = "INSERT INTO cases (exercise, name, place, key, title, points, hidden) VALUES (?, ?, ?, ?, ?, ?, ?)";
        self.together(|| {
            self.execute("DELETE FROM cases", [])?;
            self.each(cases, |case| {
                let CurrentCase { exercise, name, place, key, title, points, hidden } = case;
                let place = i64::try_from(*place).unwrap_or(i64::MAX);
                self.execute(sql, params![exercise, name, place, key, title, stored(*points), hidden])
            })
        })
    }

    /// Makes a judge the current one of its language. Earlier ones stay, with their verdicts.
    pub fn put_judge(&self, judge: &ClassJudge) -> Result<(), StoreError> {
        let ClassJudge { key, language, parts } = judge;
        let parts = serde_json::to_string(parts).unwrap_or_default();
        self.together(|| {
            self.execute("UPDATE judge SET current = 0 WHERE language = ?", [language])?;
            let sql = "INSERT INTO judge (key, language, parts, current) VALUES (?, ?, ?, 1)
                       ON CONFLICT DO UPDATE SET current = 1";
            self.execute(sql, params![key, language, parts])
        })
    }

    /// Adds a run, or replaces what is known of it.
    pub fn put_attempt(&self, attempt: &Attempt) -> Result<(), StoreError> {
        let Attempt { id, host, shard, started, finished } = attempt;
        let sql =
            "INSERT OR REPLACE INTO attempt (id, host, shard, started, finished) VALUES (?, ?, ?, ?, ?)";
        self.together(|| self.execute(sql, params![id, host, shard, started, finished]))
    }

    /// Keeps verdicts. One that differs from what is known counts as little as the known one: the case has no verdict
    /// until [`Store::settle`]. One that was settled stays.
    pub fn keep(&self, verdicts: &[KeptVerdict]) -> Result<KeptCount, StoreError> {
        let mut count = KeptCount::default();
        self.each(verdicts, |verdict| match self.known(verdict)? {
            Known::Nothing => {
                count.new += 1;
                self.insert(verdict)
            }
            Known::Same => {
                count.same += 1;
                Ok(())
            }
            Known::Unsettled => {
                count.conflicts += 1;
                Ok(())
            }
            Known::Other { verdict: one_verdict, attempt: one_attempt } => {
                count.conflicts += 1;
                self.put_conflict(&Conflict {
                    key: verdict.key.clone(),
                    one_attempt,
                    one_verdict,
                    other_attempt: verdict.attempt.clone(),
                    other_verdict: verdict.verdict.clone(),
                    settled: None,
                })
            }
        })?;
        Ok(count)
    }

    /// Keeps verdicts that settle what earlier ones said.
    pub fn settle(&self, verdicts: &[KeptVerdict]) -> Result<(), StoreError> {
        let sql = r#"UPDATE conflict SET settled = ? WHERE files = ? AND "case" = ? AND judge = ?"#;
        self.each(verdicts, |verdict| {
            let VerdictKey { files, case, judge } = &verdict.key;
            self.execute(sql, params![verdict.attempt, files, case, judge])?;
            self.execute(REMOVE, params![files, case, judge])?;
            self.insert(verdict)
        })
    }

    /// Adds a conflict; its case has no verdict from then on. One that is known stays as it is.
    pub fn put_conflict(&self, conflict: &Conflict) -> Result<(), StoreError> {
        let Conflict { key, one_attempt, one_verdict, other_attempt, other_verdict, settled } = conflict;
        let VerdictKey { files, case, judge } = key;
        let sql = r#"INSERT OR IGNORE INTO conflict
                     (files, "case", judge, one_attempt, one_verdict, other_attempt, other_verdict, settled)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?)"#;
        self.together(|| {
            let values =
                params![files, case, judge, one_attempt, one_verdict, other_attempt, other_verdict, settled];
            if self.changed(sql, values)? > 0 && settled.is_none() {
                self.execute(REMOVE, params![files, case, judge])?;
            }
            Ok(())
        })
    }

    /// Sets a student's points by hand, in place of those set before.
    pub fn set_points(&self, set: &HandSet) -> Result<(), StoreError> {
        let HandSet { student, points, why, at } = set;
        let sql = "INSERT OR REPLACE INTO by_hand (student, points, why, at) VALUES (?, ?, ?, ?)";
        self.together(|| self.execute(sql, params![student, stored(*points), why, at]))
    }

    /// Removes the points that were set by hand; whether there were any.
    pub fn clear_points(&self, student: &str) -> Result<bool, StoreError> {
        self.together(|| Ok(self.changed("DELETE FROM by_hand WHERE student = ?", [student])? > 0))
    }

    fn known(&self, new: &KeptVerdict) -> Result<Known, StoreError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let VerdictKey { files, case, judge } = &new.key;
        let place = named_params! { ":files": files, ":case": case, ":judge": judge };
        let sql =
            r#"SELECT settled FROM conflict WHERE files = :files AND "case" = :case AND judge = :judge"#;
        let mut query = self.connection().prepare_cached(sql).map_err(failed)?;
        let settled = query.query_row(place, |row| row.get::<_, Option<String>>(0)).optional();
        match settled.map_err(failed)? {
            Some(Some(_)) => return Ok(Known::Same),
            Some(None) => return Ok(Known::Unsettled),
            None => {}
        }
        let sql = r#"SELECT verdict, share, attempt FROM verdict
                     WHERE files = :files AND "case" = :case AND judge = :judge"#;
        let mut query = self.connection().prepare_cached(sql).map_err(failed)?;
        let found = query.query_row(place, |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?, row.get::<_, String>(2)?))
        });
        Ok(match found.optional().map_err(failed)? {
            None => Known::Nothing,
            Some((verdict, share, attempt))
                if (verdict == new.verdict && share == new.share) || attempt == new.attempt =>
            {
                Known::Same
            }
            Some((verdict, _, attempt)) => Known::Other { verdict, attempt },
        })
    }

    fn insert(&self, kept: &KeptVerdict) -> Result<(), StoreError> {
        let KeptVerdict { key: VerdictKey { files, case, judge }, verdict, share, outcome, attempt } = kept;
        let sql = r#"INSERT INTO verdict (files, "case", judge, verdict, share, outcome, attempt)
                     VALUES (?, ?, ?, ?, ?, ?, ?)"#;
        self.execute(sql, params![files, case, judge, verdict, share, outcome, attempt])
    }

    /// Writes one after the other, in one transaction.
    fn each<T>(
        &self,
        all: &[T],
        mut write: impl FnMut(&T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.together(|| all.iter().try_for_each(&mut write))
    }

    fn execute(&self, sql: &str, params: impl Params) -> Result<(), StoreError> {
        self.changed(sql, params).map(|_| ())
    }

    /// The number of rows that the statement changed.
    fn changed(&self, sql: &str, params: impl Params) -> Result<usize, StoreError> {
        let prepared = self.connection().prepare_cached(sql);
        prepared.and_then(|mut statement| statement.execute(params)).map_err(|error| self.failed(&error))
    }
}

/// Removes a verdict.
const REMOVE: &str = r#"DELETE FROM verdict WHERE files = ? AND "case" = ? AND judge = ?"#;

/// Points as the database has them.
fn stored(points: Points) -> i64 {
    i64::try_from(points.hundredths()).unwrap_or(i64::MAX)
}
