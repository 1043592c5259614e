//! Reads the database of a class.

use super::database::Store;
use super::error::StoreError;
use super::tables::{ATTEMPT, BY_HAND, CASES, CONFLICT, JUDGE, STUDENT, SUBMISSION, TABLES, Table, VERDICT};
use crate::class::data::{
    Attempt, ClassJudge, Conflict, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
use keur_core::case::Points;
use rusqlite::types::{FromSql, Type};
use rusqlite::{OptionalExtension, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

/// The most points in the database, in hundredths.
const MOST_POINTS: u64 = 1_000_000_000_000;

impl Store {
    /// The students, by name.
    ///
    /// # Errors
    /// The database cannot be read, or a row is damaged; so for all below.
    pub fn students(&self) -> Result<Vec<Student>, StoreError> {
        self.rows(&STUDENT, |row| {
            Ok(Student {
                name: row.get(0)?,
                last_name: row.get(1)?,
                number: row.get(2)?,
                email: row.get(3)?,
                due: row.get(4)?,
                on_roster: row.get(5)?,
                roster_ids: row.get(6)?,
            })
        })
    }

    /// All submissions: each attempt of each student, by name and attempt.
    pub fn taken(&self) -> Result<Vec<Taken>, StoreError> {
        self.rows(&SUBMISSION, taken)
    }

    /// The submissions that count: the latest attempt of each student, by name.
    pub fn latest(&self) -> Result<Vec<Taken>, StoreError> {
        let mut latest: Vec<Taken> = Vec::new();
        for taken in self.taken()? {
            match latest.last_mut() {
                Some(last) if last.student == taken.student => *last = taken,
                Some(_) | None => latest.push(taken),
            }
        }
        Ok(latest)
    }

    /// The cases of the exercises as they were at the last run, by exercise and place.
    pub fn cases(&self) -> Result<Vec<CurrentCase>, StoreError> {
        let mut cases = self.rows(&CASES, |row| {
            Ok(CurrentCase {
                exercise: row.get(0)?,
                name: row.get(1)?,
                place: usize::try_from(row.get::<_, i64>(2)?).unwrap_or_default(),
                key: row.get(3)?,
                title: row.get(4)?,
                points: points(row, 5)?,
                hidden: row.get(6)?,
            })
        })?;
        cases.sort_by(|one, other| (&one.exercise, one.place).cmp(&(&other.exercise, other.place)));
        Ok(cases)
    }

    /// The current judge of each language, by language.
    pub fn judges(&self) -> Result<Vec<ClassJudge>, StoreError> {
        let all = self.all_judges()?.into_iter().filter(|(_, current)| *current);
        let mut judges: Vec<ClassJudge> = all.map(|(judge, _)| judge).collect();
        judges.sort_by(|one, other| one.language.cmp(&other.language));
        Ok(judges)
    }

    /// Each judge that the class has or had, and whether it is the current one of its language.
    pub(super) fn all_judges(&self) -> Result<Vec<(ClassJudge, bool)>, StoreError> {
        let rows = self.rows(&JUDGE, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        rows.into_iter()
            .map(|(key, language, parts, current): (String, String, String, bool)| {
                let parts: BTreeMap<String, String> = serde_json::from_str(&parts).map_err(|error| {
                    super::error::damaged(
                        self.path(),
                        &format!("the parts of the judge {key} are not read: {error}"),
                    )
                })?;
                Ok((ClassJudge { key, language, parts }, current))
            })
            .collect()
    }

    /// The digests of all judges that the class has or had.
    pub fn judge_keys(&self) -> Result<BTreeSet<String>, StoreError> {
        self.rows(&JUDGE, |row| row.get(0)).map(BTreeSet::from_iter)
    }

    /// The number of rows of each table, by name.
    pub fn sizes(&self) -> Result<BTreeMap<&'static str, i64>, StoreError> {
        let size = |table: &&Table| {
            let sql = format!("SELECT count(*) FROM {}", table.name);
            Ok((table.name, self.first_value(&sql)?.unwrap_or_default()))
        };
        TABLES.iter().map(size).collect()
    }

    /// The damage of the database's pages; `None` if there is none.
    pub fn damage(&self) -> Result<Option<String>, StoreError> {
        Ok(self.first_value("PRAGMA integrity_check(1)")?.filter(|line: &String| line != "ok"))
    }

    /// A table with a row that names another row that is not there.
    pub(super) fn foreign_row(&self) -> Result<Option<String>, StoreError> {
        self.first_value("PRAGMA foreign_key_check")
    }

    /// The first value of a query; `None` if it has no row.
    fn first_value<T: FromSql>(&self, sql: &str) -> Result<Option<T>, StoreError> {
        let found = self.connection().query_row(sql, [], |row| row.get(0)).optional();
        found.map_err(|error| self.sqlite_error(&error))
    }

    /// The runs, by start.
    pub fn attempts(&self) -> Result<Vec<Attempt>, StoreError> {
        let mut attempts = self.rows(&ATTEMPT, |row| {
            Ok(Attempt {
                id: row.get(0)?,
                host: row.get(1)?,
                shard: row.get(2)?,
                started: row.get(3)?,
                finished: row.get(4)?,
            })
        })?;
        attempts.sort_by(|one, other| (one.started, &one.id).cmp(&(other.started, &other.id)));
        Ok(attempts)
    }

    /// The points that were set by hand, by student.
    pub fn by_hand(&self) -> Result<Vec<HandSet>, StoreError> {
        self.rows(&BY_HAND, |row| {
            Ok(HandSet { student: row.get(0)?, points: points(row, 1)?, why: row.get(2)?, at: row.get(3)? })
        })
    }

    /// The cases on which two gradings differed, with those that are settled since.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, StoreError> {
        self.rows(&CONFLICT, conflict)
    }

    /// The two outcomes of a case on which gradings differed.
    pub(super) fn conflict(&self, key: &VerdictKey) -> Result<Option<Conflict>, StoreError> {
        self.row(&CONFLICT, &[&key.files, &key.case, &key.judge], conflict)
    }

    /// The verdicts of a submission with these files: of every case and judge that it was ever graded with.
    pub fn verdicts(&self, files: &str) -> Result<Vec<KeptVerdict>, StoreError> {
        self.rows_of(&VERDICT, files, kept)
    }

    /// The verdict on a case of a submission.
    pub(super) fn verdict(&self, key: &VerdictKey) -> Result<Option<KeptVerdict>, StoreError> {
        self.row(&VERDICT, &[&key.files, &key.case, &key.judge], kept)
    }

    /// Calls `tell` with every verdict.
    ///
    /// # Errors
    /// The database cannot be read, a row is damaged, or that of `tell`.
    pub fn each_verdict<E: From<StoreError>>(
        &self,
        tell: &mut dyn FnMut(KeptVerdict) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_row_of(&VERDICT, &mut |row| tell(kept(row).map_err(|error| self.sqlite_error(&error))?))
    }
}

fn taken(row: &Row<'_>) -> rusqlite::Result<Taken> {
    Ok(Taken {
        student: row.get(0)?,
        attempt: row.get(1)?,
        folder: folder(row, 2)?,
        original: row.get(3)?,
        platform: row.get(4)?,
        platform_id: row.get(5)?,
        handed_in: row.get(6)?,
        marked_late: row.get(7)?,
        files: row.get(8)?,
        received: row.get(9)?,
        chosen: row.get(10)?,
        exercise: row.get(11)?,
        language: row.get(12)?,
        problem: row.get(13)?,
        skipped: row.get(14)?,
        read_with: row.get(15)?,
    })
}

fn key(row: &Row<'_>) -> rusqlite::Result<VerdictKey> {
    Ok(VerdictKey { files: row.get(0)?, case: row.get(1)?, judge: row.get(2)? })
}

fn kept(row: &Row<'_>) -> rusqlite::Result<KeptVerdict> {
    Ok(KeptVerdict {
        key: key(row)?,
        verdict: row.get(3)?,
        share: row.get(4)?,
        outcome: row.get(5)?,
        gradings: row.get(6)?,
        attempt: row.get(7)?,
    })
}

fn conflict(row: &Row<'_>) -> rusqlite::Result<Conflict> {
    Ok(Conflict {
        key: key(row)?,
        one_attempt: row.get(3)?,
        one_verdict: row.get(4)?,
        other_attempt: row.get(5)?,
        other_verdict: row.get(6)?,
        settled: row.get(7)?,
    })
}

/// Points that can be added up, whatever the size of a class.
fn points(row: &Row<'_>, column: usize) -> rusqlite::Result<Points> {
    let hundredths: i64 = row.get(column)?;
    let points = u64::try_from(hundredths).ok().filter(|hundredths| *hundredths <= MOST_POINTS);
    points.map(Points::from_hundredths).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, hundredths))
}

/// The name of a folder that lies in the folder of submissions: it leads nowhere else.
fn folder(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    let name: String = row.get(column)?;
    let mut parts = Path::new(&name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name.as_str() => Ok(name),
        _ => {
            let problem = format!("{name:?} is not a folder of submissions");
            Err(rusqlite::Error::FromSqlConversionFailure(column, Type::Text, problem.into()))
        }
    }
}
