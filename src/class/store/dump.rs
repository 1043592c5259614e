//! Every row of every table: for a receipt, which must cover a column that is added later too. Checksums
//! follow from the rest.

use super::database::Store;
use super::error::StoreError;
use super::tables::{TABLES, Table};
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// A value in a row, as SQLite has it.
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number that is no integer.
    Real(f64),
    /// A text, in bytes: a damaged one need not be UTF-8.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A column of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpedCell {
    /// The name of the column.
    pub column: String,
    /// Whether it is part of what names the row.
    pub is_key: bool,
    pub value: CellValue,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpedRow {
    /// The table.
    pub table: String,
    /// The columns, in their order in the table.
    pub cells: Vec<DumpedCell>,
}

impl Store {
    /// Gives `tell` every row of every table, by table and then by what names the row.
    ///
    /// # Errors
    /// The database cannot be read, or a row is damaged.
    pub fn each_row(&self, tell: &mut dyn FnMut(DumpedRow)) -> Result<(), StoreError> {
        TABLES.iter().try_for_each(|table| {
            self.each_row_of(table, &mut |row| {
                tell(dumped(table, row).map_err(|error| self.sqlite_error(&error))?);
                Ok(())
            })
        })
    }
}

fn dumped(table: &Table, row: &Row<'_>) -> rusqlite::Result<DumpedRow> {
    let cells = table.columns.iter().enumerate().map(|(index, column)| {
        let column = column.trim_matches('"').to_owned();
        Ok(DumpedCell { column, is_key: index < table.key, value: value(row, index)? })
    });
    Ok(DumpedRow { table: table.name.to_owned(), cells: cells.collect::<rusqlite::Result<_>>()? })
}

fn value(row: &Row<'_>, index: usize) -> rusqlite::Result<CellValue> {
    Ok(match row.get_ref(index)? {
        ValueRef::Null => CellValue::Null,
        ValueRef::Integer(number) => CellValue::Integer(number),
        ValueRef::Real(number) => CellValue::Real(number),
        ValueRef::Text(bytes) => CellValue::Text(bytes.to_vec()),
        ValueRef::Blob(bytes) => CellValue::Blob(bytes.to_vec()),
    })
}
