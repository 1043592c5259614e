//! Rows that show damage. A disk that changes a bit of `class.db` must not change a grade without a word.
//!
//! Each row has a checksum of its values in the column `sum`. The table `tally` has the number of rows and
//! the exclusive or of their checksums, so that a row that is lost or that is there twice shows too. A reader
//! of a row checks it, and a reader of all rows of a table, or the verdicts of a submission, checks the
//! tally.

use super::database::Store;
use super::error::StoreError;
use super::tables::{TABLES, Table, TallyBy};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{OptionalExtension, Params, Row, ToSql, params, params_from_iter};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A number of rows, and the exclusive or of their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    rows: i64,
    sum: i64,
}

impl Tally {
    fn add(&mut self, sum: i64) {
        self.rows += 1;
        self.sum ^= sum;
    }
}

/// The checksum of a row, in the making: the first bytes of a SHA-256.
struct RowSum(Sha256);

impl RowSum {
    fn of(table: &Table) -> RowSum {
        RowSum(Sha256::new_with_prefix(table.name))
    }

    fn add(&mut self, value: ValueRef<'_>) {
        let (kind, bytes): (u8, &[u8]) = match value {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(number) => return self.number(1, number),
            // SQLite keeps no negative zero.
            ValueRef::Real(number) => return self.number(2, (number + 0.0).to_bits().cast_signed()),
            ValueRef::Text(bytes) => (3, bytes),
            ValueRef::Blob(bytes) => (4, bytes),
        };
        self.0.update([kind]);
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn number(&mut self, kind: u8, number: i64) {
        self.0.update([kind]);
        self.0.update(number.to_le_bytes());
    }

    fn end(self) -> i64 {
        let digest = self.0.finalize();
        let mut first = [0; 8];
        first.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        i64::from_le_bytes(first)
    }
}

impl Table {
    /// The checksum of a row with these values.
    fn sum_of(&self, values: &[&dyn ToSql]) -> rusqlite::Result<i64> {
        let mut sum = RowSum::of(self);
        for value in values {
            match value.to_sql()? {
                ToSqlOutput::Borrowed(value) => sum.add(value),
                ToSqlOutput::Owned(value) => sum.add(ValueRef::from(&value)),
                other => return Err(rusqlite::Error::ToSqlConversionFailure(format!("{other:?}").into())),
            }
        }
        Ok(sum.end())
    }

    /// The checksum of a row that was read, with the columns of this table.
    fn sum_of_row(&self, row: &Row<'_>) -> rusqlite::Result<i64> {
        let mut sum = RowSum::of(self);
        (0..self.columns.len()).try_for_each(|index| row.get_ref(index).map(|value| sum.add(value)))?;
        Ok(sum.end())
    }

    /// The part of the table in whose tally a row is.
    fn part(&self, first: &ValueRef<'_>) -> String {
        match (self.tally, first) {
            (TallyBy::First, ValueRef::Text(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            (TallyBy::First | TallyBy::Table, _) => String::new(),
        }
    }
}

impl Store {
    /// Writes a row, in place of one with the same key.
    pub(super) fn put(&self, table: &Table, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        let before = self.stored_sum(table, values)?;
        let rest: Vec<String> =
            table.columns.iter().skip(table.key).map(|name| format!("{name} = excluded.{name}, ")).collect();
        let or = format!(" ON CONFLICT DO UPDATE SET {}sum = excluded.sum", rest.concat());
        self.write(table, values, &or, before)
    }

    /// Writes a row whose key no other row has.
    pub(super) fn insert(&self, table: &Table, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        self.write(table, values, "", None)
    }

    fn write(
        &self,
        table: &Table,
        values: &[&dyn ToSql],
        or: &str,
        before: Option<i64>,
    ) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.sqlite_error(&error);
        let sum = table.sum_of(values).map_err(failed)?;
        let places = "?, ".repeat(values.len());
        let sql = format!("INSERT INTO {} ({}, sum) VALUES ({places}?){or}", table.name, table.all());
        let all = values.iter().copied().chain([&sum as &dyn ToSql]);
        self.execute(&sql, params_from_iter(all))?;
        let change = Tally { rows: i64::from(before.is_none()), sum: before.unwrap_or_default() ^ sum };
        self.count(table, values, change)
    }

    /// Removes the row with a key; whether there was one.
    pub(super) fn remove(&self, table: &Table, key: &[&dyn ToSql]) -> Result<bool, StoreError> {
        let Some(sum) = self.stored_sum(table, key)? else { return Ok(false) };
        let sql = format!("DELETE FROM {} WHERE {}", table.name, table.has_key());
        self.execute(&sql, params_from_iter(key))?;
        self.count(table, key, Tally { rows: -1, sum })?;
        Ok(true)
    }

    /// Removes all rows.
    pub(super) fn clear(&self, table: &Table) -> Result<(), StoreError> {
        self.execute(&format!("DELETE FROM {}", table.name), [])?;
        self.execute("DELETE FROM tally WHERE name = ?", [table.name])
    }

    /// Gives `tell` the rows of a table, in the order of their keys.
    ///
    /// # Errors
    /// The database cannot be read, a row is damaged, or that of `tell`.
    pub(super) fn each_row_of<E: From<StoreError>>(
        &self,
        table: &Table,
        tell: &mut dyn FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let order: Vec<&str> = table.columns.iter().copied().take(table.key).collect();
        self.reading(|| {
            let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
            self.each_checked(table, &format!("ORDER BY {}", order.join(", ")), [], &mut |row, sum| {
                let first = row.get_ref(0).map_err(|error| self.sqlite_error(&error))?;
                tallies.entry(table.part(&first)).or_default().add(sum);
                tell(row)
            })?;
            let stored = self.tallies(table)?;
            match different(&tallies, &stored).next() {
                Some(part) => Err(self.lost(table, part).into()),
                None => Ok(()),
            }
        })
    }

    /// The rows of a table, in the order of their keys.
    pub(super) fn rows<T>(
        &self,
        table: &Table,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.each_row_of(table, &mut |row| -> Result<(), StoreError> {
            rows.push(read(row).map_err(|error| self.sqlite_error(&error))?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The rows of one part of a table.
    pub(super) fn rows_of<T>(
        &self,
        table: &Table,
        part: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let first = table.columns.first().copied().unwrap_or_default();
        self.reading(|| {
            let mut rows = Vec::new();
            let mut tally = Tally::default();
            self.each_checked(table, &format!("WHERE {first} = ?"), [part], &mut |row, sum| {
                tally.add(sum);
                rows.push(read(row).map_err(|error| self.sqlite_error(&error))?);
                Ok::<_, StoreError>(())
            })?;
            let sql = "SELECT rows, sum FROM tally WHERE name = ? AND part = ?";
            let stored = self.one(sql, params![table.name, part], |row| {
                Ok(Tally { rows: row.get(0)?, sum: row.get(1)? })
            })?;
            if tally == stored.unwrap_or_default() { Ok(rows) } else { Err(self.lost(table, part)) }
        })
    }

    /// The row with a key, if there is one.
    pub(super) fn row<T>(
        &self,
        table: &Table,
        key: &[&dyn ToSql],
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        let clause = format!("WHERE {}", table.has_key());
        self.each_checked(table, &clause, params_from_iter(key), &mut |row, _| {
            found = Some(read(row).map_err(|error| self.sqlite_error(&error))?);
            Ok::<_, StoreError>(())
        })?;
        Ok(found)
    }

    /// Gives `tell` each row that a clause selects, with its checksum, which is right.
    fn each_checked<E: From<StoreError>>(
        &self,
        table: &Table,
        clause: &str,
        params: impl Params,
        tell: &mut dyn FnMut(&Row<'_>, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error: rusqlite::Error| E::from(self.sqlite_error(&error));
        let sql = format!("SELECT {}, sum FROM {} {clause}", table.all(), table.name);
        let mut query = self.connection().prepare_cached(&sql).map_err(failed)?;
        let mut rows = query.query(params).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let sum = table.sum_of_row(row).map_err(failed)?;
            // A value of another type is damage too.
            if row.get_ref(table.columns.len()).map_err(failed)? != ValueRef::Integer(sum) {
                let first = row.get_ref(0).map_err(failed)?;
                return Err(self.changed_row(table, &first).into());
            }
            tell(row, sum)?;
        }
        Ok(())
    }

    /// Checks every row of every table, the verdicts last.
    ///
    /// # Errors
    /// The database cannot be read, or a row is damaged.
    pub fn check_rows(&self) -> Result<(), StoreError> {
        TABLES.iter().try_for_each(|table| self.each_row_of(table, &mut |_| Ok(())))
    }

    /// Keeps the rows of a table that are as they were written, and forgets the others. Returns the students
    /// whom those are about.
    pub(super) fn keep_sound_rows(&self, table: &Table) -> Result<Vec<String>, StoreError> {
        let (name, all) = (table.name, table.all());
        self.together(|| {
            let before = self.tallies(table)?;
            self.batch(&format!("CREATE TEMP TABLE sound AS SELECT {all} FROM {name} LIMIT 0"))?;
            let copied = self.each_sound(table, &mut |values| {
                let places = vec!["?"; values.len()].join(", ");
                let sql = format!("INSERT INTO sound VALUES ({places})");
                self.execute(&sql, params_from_iter(values.iter().map(|value| value as &dyn ToSql)))
            });
            copied?;
            self.clear(table)?;
            let mut query = self
                .connection()
                .prepare(&format!("SELECT {all} FROM sound"))
                .map_err(|error| self.sqlite_error(&error))?;
            let mut rows = query.query([]).map_err(|error| self.sqlite_error(&error))?;
            while let Some(row) = rows.next().map_err(|error| self.sqlite_error(&error))? {
                let values = values(table, row).map_err(|error| self.sqlite_error(&error))?;
                self.put(table, &values.iter().map(|value| value as &dyn ToSql).collect::<Vec<_>>())?;
            }
            drop(rows);
            drop(query);
            self.batch("DROP TABLE sound")?;
            let after = self.tallies(table)?;
            let mut students: Vec<String> =
                different(&before, &after).flat_map(|part| self.whose(table, part)).collect();
            students.sort();
            students.dedup();
            Ok(students)
        })
    }

    fn each_sound(
        &self,
        table: &Table,
        tell: &mut dyn FnMut(&[Value]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.sqlite_error(&error);
        let sql = format!("SELECT {}, sum FROM {}", table.all(), table.name);
        let mut query = self.connection().prepare(&sql).map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let sum = table.sum_of_row(row).map_err(failed)?;
            if row.get_ref(table.columns.len()).map_err(failed)? == ValueRef::Integer(sum) {
                tell(&values(table, row).map_err(failed)?)?;
            }
        }
        Ok(())
    }

    /// Gives every row the checksum of what it has now, and counts all of them: for rows that were changed on
    /// purpose, without keur.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn seal(&self) -> Result<(), StoreError> {
        self.together(|| TABLES.iter().try_for_each(|table| self.seal_table(table)))
    }

    fn seal_table(&self, table: &Table) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.sqlite_error(&error);
        let update = format!("UPDATE {} SET sum = ? WHERE {}", table.name, table.has_key());
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        let sql = format!("SELECT {} FROM {}", table.all(), table.name);
        let mut query = self.connection().prepare(&sql).map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let sum = table.sum_of_row(row).map_err(failed)?;
            let values = values(table, row).map_err(failed)?;
            let key = values.iter().take(table.key).map(|value| value as &dyn ToSql);
            self.execute(&update, params_from_iter([&sum as &dyn ToSql].into_iter().chain(key)))?;
            let first = row.get_ref(0).map_err(failed)?;
            tallies.entry(table.part(&first)).or_default().add(sum);
        }
        self.execute("DELETE FROM tally WHERE name = ?", [table.name])?;
        let sql = "INSERT INTO tally (name, part, rows, sum) VALUES (?, ?, ?, ?)";
        tallies
            .iter()
            .try_for_each(|(part, tally)| self.execute(sql, params![table.name, part, tally.rows, tally.sum]))
    }

    /// The checksum that is stored with the row of a key, which the values begin with.
    fn stored_sum(&self, table: &Table, values: &[&dyn ToSql]) -> Result<Option<i64>, StoreError> {
        let sql = format!("SELECT sum FROM {} WHERE {}", table.name, table.has_key());
        let key = values.iter().take(table.key);
        self.one(&sql, params_from_iter(key), |row| row.get(0))
    }

    /// Adds a change to the tally of the part that these values are in.
    fn count(&self, table: &Table, values: &[&dyn ToSql], change: Tally) -> Result<(), StoreError> {
        let first = values.first().map(|value| value.to_sql()).transpose();
        let part = match first.map_err(|error| self.sqlite_error(&error))? {
            Some(ToSqlOutput::Borrowed(value)) => table.part(&value),
            Some(ToSqlOutput::Owned(value)) => table.part(&ValueRef::from(&value)),
            Some(_) | None => String::new(),
        };
        // SQLite has no exclusive or.
        let sql = "INSERT INTO tally (name, part, rows, sum) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT DO UPDATE SET rows = rows + ?3, sum = (sum | ?4) - (sum & ?4)";
        self.execute(sql, params![table.name, part, change.rows, change.sum])
    }

    fn tallies(&self, table: &Table) -> Result<BTreeMap<String, Tally>, StoreError> {
        let failed = |error: rusqlite::Error| self.sqlite_error(&error);
        let sql = "SELECT part, rows, sum FROM tally WHERE name = ?";
        let mut query = self.connection().prepare_cached(sql).map_err(failed)?;
        let rows = query
            .query_map([table.name], |row| Ok((row.get(0)?, Tally { rows: row.get(1)?, sum: row.get(2)? })));
        rows.and_then(Iterator::collect).map_err(failed)
    }

    fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let prepared = self.connection().prepare_cached(sql);
        let found = prepared.and_then(|mut query| query.query_row(params, read).optional());
        found.map_err(|error| self.sqlite_error(&error))
    }

    /// The error for a row that was changed; its first column is `first`.
    fn changed_row(&self, table: &Table, first: &ValueRef<'_>) -> StoreError {
        let first = match first {
            ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => String::new(),
        };
        StoreError::damaged_rows(self.path(), table.name, &self.whose(table, &first), "was changed")
    }

    /// The error for a part of a table that lacks rows, or has one twice.
    fn lost(&self, table: &Table, part: &str) -> StoreError {
        StoreError::damaged_rows(self.path(), table.name, &self.whose(table, part), "was lost")
    }

    /// The students whom a row is about that has this in its first column.
    fn whose(&self, table: &Table, first: &str) -> Vec<String> {
        match table.columns.first() {
            Some(&"files") => {
                let sql = "SELECT DISTINCT student FROM submission WHERE files = ? ORDER BY student";
                let found = self.connection().prepare(sql).and_then(|mut query| {
                    query.query_map([first], |row| row.get(0)).and_then(Iterator::collect)
                });
                // The message is about a greater problem.
                found.unwrap_or_default()
            }
            Some(&("student" | "name")) if !first.is_empty() => vec![first.to_owned()],
            Some(_) | None => Vec::new(),
        }
    }
}

/// The values of a row that was read, with the columns of a table.
fn values(table: &Table, row: &Row<'_>) -> rusqlite::Result<Vec<Value>> {
    (0..table.columns.len()).map(|index| row.get(index)).collect()
}

/// The parts whose tallies differ. One of no rows is as good as none.
fn different<'a>(
    one: &'a BTreeMap<String, Tally>,
    other: &'a BTreeMap<String, Tally>,
) -> impl Iterator<Item = &'a str> {
    let of = |tallies: &BTreeMap<String, Tally>, part: &str| tallies.get(part).copied().unwrap_or_default();
    let parts = one.keys().chain(other.keys());
    parts.filter(move |part| of(one, part) != of(other, part)).map(String::as_str)
}
