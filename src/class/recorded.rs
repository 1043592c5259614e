//! The content of a class's database by student, for a receipt.
//!
//! It is made from the tables as they are, not from a list of columns: whatever a report, a sheet or a page
//! may be made from is in it, also what a later keur adds. [`LEFT_OUT`] is the only exception.

use super::digest::KeyDigest;
use super::store::{CellValue, DumpedCell, DumpedRow, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The columns that a receipt does not cover: the table, the column, and why.
const LEFT_OUT: [(&str, &str, &str); 1] = [(
    "submission",
    "read_with",
    "it decides whether a run reads the files again, and what is read is covered",
)];

/// The longest text that a receipt has as it is, in bytes. Of a longer one it has the digest.
const LONGEST_TEXT: usize = 200;

/// The table whose `name` is a student.
const STUDENTS: &str = "student";

/// The column that names a student in every other table.
const STUDENT: &str = "student";

/// The column with the digest of a submission's files, in the tables about what was graded.
const FILES: &str = "files";

/// The content of a class's database, as a receipt signs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// By name.
    pub students: BTreeMap<String, RecordedStudent>,
    /// The digest of each row that is of no student, by its table and what names it.
    pub others: BTreeMap<String, String>,
}

/// The rows about a student in a class's database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedStudent {
    /// The values, such as `student email` and `submission 1 handed_in`. One that is not there is null.
    pub values: BTreeMap<String, RecordedValue>,
    /// The digest of the rows about the submissions of the student, by table.
    pub graded: BTreeMap<String, String>,
}

/// A value in the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedValue {
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// Anything else.
    Digest { digest: String },
}

impl fmt::Display for RecordedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedValue::Integer(number) => number.fmt(f),
            // Quoted and escaped, as it may be anything.
            RecordedValue::Text(text) => write!(f, "{text:?}"),
            RecordedValue::Digest { .. } => f.write_str("another value"),
        }
    }
}

impl Recorded {
    /// Reads the database of a class.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn read(store: &Store) -> Result<Recorded, StoreError> {
        let mut reading = Reading::default();
        store.each_row(&mut |row| reading.take(&row))?;
        Ok(reading.end())
    }
}

/// The rows read so far.
#[derive(Default)]
struct Reading {
    recorded: Recorded,
    /// The files of the submissions of each student, by attempt.
    handed_in: BTreeMap<String, Vec<String>>,
    /// The rows about files: the digest of those of each table, and the digest of each row by what names it.
    graded: BTreeMap<String, BTreeMap<String, RowsOfFiles>>,
}

/// The rows of a table about some files.
#[derive(Default)]
struct RowsOfFiles {
    all: KeyDigest,
    each: BTreeMap<String, String>,
}

impl Reading {
    fn take(&mut self, row: &DumpedRow) {
        let text = |column: &str| row.cells.iter().find(|cell| cell.column == column).and_then(text_of);
        let (owner, name) =
            if row.table == STUDENTS { (text("name"), "name") } else { (text(STUDENT), STUDENT) };
        if let Some(student) = owner {
            if let Some(files) = text(FILES) {
                self.handed_in.entry(student.clone()).or_default().push(files);
            }
            self.recorded.students.entry(student).or_default().take(row, name);
        } else if let Some(files) = text(FILES) {
            let rows = self.graded.entry(files).or_default().entry(row.table.clone()).or_default();
            let digest = digest_of(row);
            rows.all.add(&digest);
            rows.each.insert(label(row), digest);
        } else {
            self.recorded.others.insert(label(row), digest_of(row));
        }
    }

    fn end(mut self) -> Recorded {
        for (student, all_files) in &self.handed_in {
            let mut tables: BTreeMap<String, KeyDigest> = BTreeMap::new();
            for files in all_files {
                for (table, rows) in self.graded.get(files).into_iter().flatten() {
                    let digest = tables.entry(table.clone()).or_default();
                    digest.add(files);
                    digest.add(rows.all.clone().digits());
                }
            }
            let student = self.recorded.students.entry(student.clone()).or_default();
            student.graded = tables.into_iter().map(|(table, digest)| (table, digest.digits())).collect();
        }
        for files in self.handed_in.values().flatten() {
            self.graded.remove(files);
        }
        let nobodys = self.graded.into_values().flat_map(BTreeMap::into_values);
        self.recorded.others.extend(nobodys.flat_map(|rows| rows.each));
        self.recorded
    }
}

impl RecordedStudent {
    /// Takes a row of the student, whose name is in the column `name`.
    fn take(&mut self, row: &DumpedRow, name: &str) {
        let mut place = row.table.clone();
        for cell in row.cells.iter().filter(|cell| cell.is_key && cell.column != name) {
            place.push(' ');
            place.push_str(&key_text(&cell.value));
        }
        for cell in row.cells.iter().filter(|cell| cell.column != name && !is_left_out(&row.table, cell)) {
            if let Some(value) = recorded(&cell.value) {
                self.values.insert(format!("{place} {}", cell.column), value);
            }
        }
    }
}

fn is_left_out(table: &str, cell: &DumpedCell) -> bool {
    LEFT_OUT.iter().any(|(in_table, column, _)| *in_table == table && *column == cell.column)
}

/// The text in a cell, if that is what it is.
fn text_of(cell: &DumpedCell) -> Option<String> {
    let CellValue::Text(bytes) = &cell.value else { return None };
    String::from_utf8(bytes.clone()).ok()
}

/// A value as a receipt has it; `None` for null.
fn recorded(value: &CellValue) -> Option<RecordedValue> {
    match value {
        CellValue::Null => return None,
        CellValue::Integer(number) => return Some(RecordedValue::Integer(*number)),
        CellValue::Text(bytes) if bytes.len() <= LONGEST_TEXT => {
            if let Ok(text) = std::str::from_utf8(bytes) {
                return Some(RecordedValue::Text(text.to_owned()));
            }
        }
        CellValue::Text(_) | CellValue::Real(_) | CellValue::Blob(_) => {}
    }
    let mut digest = KeyDigest::new();
    add(&mut digest, value);
    Some(RecordedValue::Digest { digest: digest.digits() })
}

/// The table of a row and what names it there, such as `cases ["counters","up"]`.
fn label(row: &DumpedRow) -> String {
    let key: Vec<String> =
        row.cells.iter().filter(|cell| cell.is_key).map(|cell| key_text(&cell.value)).collect();
    format!("{} {}", row.table, key.join(" "))
}

/// The text of a key column, different for different values.
fn key_text(value: &CellValue) -> String {
    recorded(value).map_or_else(
        || "null".to_owned(),
        |value| match value {
            RecordedValue::Digest { digest } => digest,
            value @ (RecordedValue::Integer(_) | RecordedValue::Text(_)) => value.to_string(),
        },
    )
}

/// The digest of the values of a row, with the names of their columns.
fn digest_of(row: &DumpedRow) -> String {
    let mut digest = KeyDigest::new();
    for cell in row.cells.iter().filter(|cell| !is_left_out(&row.table, cell)) {
        digest.add(&cell.column);
        add(&mut digest, &cell.value);
    }
    digest.digits()
}

/// Adds a value and its type, as two parts.
fn add(digest: &mut KeyDigest, value: &CellValue) {
    let mut both = |kind: &str, bytes: &[u8]| {
        digest.add(kind);
        digest.add(bytes);
    };
    match value {
        CellValue::Null => both("null", &[]),
        CellValue::Integer(number) => both("integer", &number.to_le_bytes()),
        CellValue::Real(number) => both("real", &number.to_bits().to_le_bytes()),
        CellValue::Text(bytes) => both("text", bytes),
        CellValue::Blob(bytes) => both("blob", bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::{LEFT_OUT, Recorded};
    use crate::class::data::{
        Attempt, ClassJudge, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey,
    };
    use crate::class::store::Store;
    use keur_core::case::Points;
    use std::collections::{BTreeMap, BTreeSet};

    /// A class with a row in each table.
    fn store(folder: &tempfile::TempDir) -> Store {
        let store = Store::create_at(&folder.path().join("class.db")).unwrap();
        let text = str::to_owned;
        let student = |name: &str| Student { name: text(name), ..Student::default() };
        store.put_students(&[student("An"), student("Bo")]).unwrap();
        let taken = |name: &str| Taken {
            student: text(name),
            attempt: 1,
            folder: format!("{name}#1"),
            files: text("f"),
            ..Taken::default()
        };
        store.put_taken(&[taken("An"), taken("Bo")]).unwrap();
        let case = CurrentCase {
            exercise: text("e"),
            name: text("c"),
            place: 1,
            key: text("k"),
            title: text("t"),
            points: Points::ZERO,
            hidden: false,
        };
        store.put_cases(&[case]).unwrap();
        let parts = BTreeMap::new();
        store.put_judge(&ClassJudge { key: text("j"), language: text("python"), parts }).unwrap();
        let run = Attempt { id: text("a"), host: text("h"), shard: None, started: 1, finished: None };
        store.put_attempt(&run).unwrap();
        let set = HandSet { student: text("An"), points: Points::ZERO, why: text("w"), at: 1 };
        store.set_points(&set).unwrap();
        let key =
            |case: &str, files: &str| VerdictKey { files: text(files), case: text(case), judge: text("j") };
        let kept = |files: &str| KeptVerdict {
            key: key("k", files),
            verdict: text("passed"),
            share: 1.0,
            outcome: None,
            gradings: 1,
            attempt: text("a"),
        };
        store.keep(&[kept("f"), kept("unclaimed")]).unwrap();
        for (attempt, verdict) in [("a", "passed"), ("b", "raised")] {
            let key = key("other", "f");
            let kept = KeptVerdict { key, verdict: text(verdict), attempt: text(attempt), ..kept("f") };
            store.keep(&[kept]).unwrap();
        }
        store
    }

    /// Every column of every table: the table and the column.
    fn columns(store: &Store) -> Vec<(String, String)> {
        let mut columns = Vec::new();
        store
            .each_row(&mut |row| {
                columns.extend(row.cells.iter().map(|cell| (row.table.clone(), cell.column.clone())));
            })
            .unwrap();
        columns.sort();
        columns.dedup();
        columns
    }

    #[test]
    fn a_change_of_any_column_of_any_table_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        store
            .connection()
            .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            .unwrap();
        let before = Recorded::read(&store).unwrap();
        let all = columns(&store);
        let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name <> 'tally'";
        let tables = store.connection().query_row(tables, [], |row| row.get::<_, i64>(0)).unwrap();
        let with_rows: BTreeSet<&str> = all.iter().map(|(table, _)| table.as_str()).collect();
        assert_eq!(with_rows.len() as i64, tables, "a table without a row here is not tried");
        for (table, column) in &all {
            let value = format!(
                "CASE typeof(\"{column}\") WHEN 'text' THEN \"{column}\" || 'x' WHEN 'null' THEN 0 ELSE \"{column}\" + 1 END"
            );
            store.connection().execute_batch("SAVEPOINT change").unwrap();
            let changed =
                store.connection().execute(&format!("UPDATE \"{table}\" SET \"{column}\" = {value}"), []);
            assert!(changed.unwrap() > 0, "{table}.{column}");
            assert!(Recorded::read(&store).unwrap_err().to_string().contains("damaged"), "{table}.{column}");
            store.seal().unwrap();
            let is_seen = Recorded::read(&store).unwrap() != before;
            store.connection().execute_batch("ROLLBACK TO change; RELEASE change").unwrap();
            let left_out = LEFT_OUT.iter().any(|(in_table, out, _)| in_table == table && out == column);
            assert_eq!(is_seen, !left_out, "{table}.{column}");
        }
        assert_eq!(Recorded::read(&store).unwrap(), before);
    }

    #[test]
    fn swapped_added_and_removed_rows_are_seen_with_their_student() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        let before = Recorded::read(&store).unwrap();
        let changed = |sql: &str| {
            store.connection().execute_batch(&format!("SAVEPOINT change; {sql}")).unwrap();
            store.seal().unwrap();
            let after = Recorded::read(&store).unwrap();
            store.connection().execute_batch("ROLLBACK TO change; RELEASE change").unwrap();
            let students =
                before.students.keys().filter(|name| before.students.get(*name) != after.students.get(*name));
            (students.cloned().collect::<Vec<_>>().join(" "), before.others != after.others)
        };
        for (sql, students, others) in [
            ("UPDATE student SET email = 'x' WHERE name = 'An'", "An", false),
            ("UPDATE verdict SET outcome = '{}' WHERE files = 'f'", "An Bo", false),
            ("UPDATE verdict SET outcome = '{}' WHERE files <> 'f'", "", true),
            ("DELETE FROM conflict", "An Bo", false),
            ("DELETE FROM by_hand", "An", false),
            ("DELETE FROM attempt", "", true),
            ("INSERT INTO judge VALUES ('k', 'java', '{}', 0, 0)", "", true),
        ] {
            assert_eq!(changed(sql), (students.to_owned(), others), "{sql}");
        }
    }
}
