//! What is in the database of a class.

use super::database::Store;
use super::dump::quoted;
use super::error::StoreError;
use crate::case::Points;
use crate::class::data::{
    Attempt, ClassJudge, Conflict, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
};
use rusqlite::types::Type;
use rusqlite::{Params, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

/// The most points in the database, in hundredths.
const MOST_POINTS: u64 = 1_000_000_000_000;

/// The columns of a submission, in the order of [`Taken`].
const TAKEN: &str = "student, attempt, folder, original, platform, platform_id, handed_in, marked_late, files, chosen, exercise, \
                     language, problem, skipped, read_with";

/// The columns of a verdict, in the order of [`KeptVerdict`].
const VERDICT: &str = r#"files, "case", judge, verdict, share, outcome, attempt"#;

impl Store {
    /// The students, by name.
    ///
    /// # Errors
    /// The database cannot be read; so for all below.
    pub fn students(&self) -> Result<Vec<Student>, StoreError> {
        self.rows(
            "SELECT name, number, email, due, on_roster, roster_ids FROM student ORDER BY name",
            [],
            |row| {
                Ok(Student {
                    name: row.get(0)?,
                    number: row.get(1)?,
                    email: row.get(2)?,
                    due: row.get(3)?,
                    on_roster: row.get(4)?,
                    roster_ids: row.get(5)?,
                })
            },
        )
    }

    /// All submissions: each attempt of each student, by name and attempt.
    pub fn taken(&self) -> Result<Vec<Taken>, StoreError> {
        self.rows(&format!("SELECT {TAKEN} FROM submission ORDER BY student, attempt"), [], taken)
    }

    /// The submissions that count: the latest attempt of each student, by name.
    pub fn latest(&self) -> Result<Vec<Taken>, StoreError> {
        self.rows(&format!("SELECT {TAKEN} FROM latest ORDER BY student"), [], taken)
    }

    /// The cases of the exercises as they were at the last run, by exercise and place.
    pub fn cases(&self) -> Result<Vec<CurrentCase>, StoreError> {
        let sql =
            "SELECT exercise, name, place, key, title, points, hidden FROM cases ORDER BY exercise, place";
        self.rows(sql, [], |row| {
            Ok(CurrentCase {
                exercise: row.get(0)?,
                name: row.get(1)?,
                place: usize::try_from(row.get::<_, i64>(2)?).unwrap_or_default(),
                key: row.get(3)?,
                title: row.get(4)?,
                points: points(row, 5)?,
                hidden: row.get(6)?,
            })
        })
    }

    /// The current judge of each language, by language.
    pub fn judges(&self) -> Result<Vec<ClassJudge>, StoreError> {
        let sql = "SELECT key, language, parts FROM judge WHERE current ORDER BY language";
        let rows = self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.into_iter()
            .map(|(key, language, parts): (String, String, String)| {
                let parts: BTreeMap<String, String> = serde_json::from_str(&parts).map_err(|error| {
                    super::error::damaged(
                        self.path(),
                        &format!("the parts of the judge {key} are not read: {error}"),
                    )
                })?;
                Ok(ClassJudge { key, language, parts })
            })
            .collect()
    }

    /// The digests of all judges that the class has or had.
    pub fn judge_keys(&self) -> Result<BTreeSet<String>, StoreError> {
        self.rows("SELECT key FROM judge", [], |row| row.get(0)).map(BTreeSet::from_iter)
    }

    /// The number of rows of each table, by name.
    pub fn sizes(&self) -> Result<BTreeMap<String, i64>, StoreError> {
        let tables = self.tables().map_err(|error| self.failed(&error))?;
        let size = |table: String| {
            let sql = format!("SELECT count(*) FROM {}", quoted(&table));
            let sizes: Vec<i64> = self.rows(&sql, [], |row| row.get(0))?;
            Ok((table, sizes.into_iter().sum()))
        };
        tables.into_iter().map(size).collect()
    }

    /// What is wrong with the pages of the database; `None` if nothing is.
    pub fn damage(&self) -> Result<Option<String>, StoreError> {
        let found: Vec<String> = self.rows("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        Ok(found.into_iter().find(|line| line != "ok"))
    }

    /// The runs, by start.
    pub fn attempts(&self) -> Result<Vec<Attempt>, StoreError> {
        self.rows("SELECT id, host, shard, started, finished FROM attempt ORDER BY started, id", [], |row| {
            Ok(Attempt {
                id: row.get(0)?,
                host: row.get(1)?,
                shard: row.get(2)?,
                started: row.get(3)?,
                finished: row.get(4)?,
            })
        })
    }

    /// The points that were set by hand, by student.
    pub fn by_hand(&self) -> Result<Vec<HandSet>, StoreError> {
        self.rows("SELECT student, points, why, at FROM by_hand ORDER BY student", [], |row| {
            Ok(HandSet { student: row.get(0)?, points: points(row, 1)?, why: row.get(2)?, at: row.get(3)? })
        })
    }

    /// The cases on which two gradings differed, with those that are settled since.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, StoreError> {
        let sql = r#"SELECT files, "case", judge, one_attempt, one_verdict, other_attempt, other_verdict, settled
                     FROM conflict ORDER BY files, "case", judge"#;
        self.rows(sql, [], |row| {
            Ok(Conflict {
                key: key(row)?,
                one_attempt: row.get(3)?,
                one_verdict: row.get(4)?,
                other_attempt: row.get(5)?,
                other_verdict: row.get(6)?,
                settled: row.get(7)?,
            })
        })
    }

    /// The verdicts of a submission with these files: of every case and judge that it was ever graded with.
    pub fn verdicts(&self, files: &str) -> Result<Vec<KeptVerdict>, StoreError> {
        self.rows(&format!("SELECT {VERDICT} FROM verdict WHERE files = ?"), [files], kept)
    }

    /// Calls `tell` with every verdict.
    ///
    /// # Errors
    /// The database cannot be read, or that of `tell`.
    pub fn each_verdict<E: From<StoreError>>(
        &self,
        tell: &mut dyn FnMut(KeptVerdict) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let mut query =
            self.connection().prepare(&format!("SELECT {VERDICT} FROM verdict")).map_err(failed)?;
        let rows = query.query_map([], kept).map_err(failed)?;
        for row in rows {
            tell(row.map_err(failed)?)?;
        }
        Ok(())
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let mut query = self.connection().prepare_cached(sql).map_err(failed)?;
        query.query_map(params, read).and_then(Iterator::collect).map_err(failed)
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
        chosen: row.get(9)?,
        exercise: row.get(10)?,
        language: row.get(11)?,
        problem: row.get(12)?,
        skipped: row.get(13)?,
        read_with: row.get(14)?,
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
        attempt: row.get(6)?,
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
