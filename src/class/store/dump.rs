//! Every row of every table, whatever the tables are: for a receipt, which must cover a column that is added later too.

use super::database::Store;
use super::error::StoreError;
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// A value in a row, as SQLite has it.
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
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
    /// What is in it.
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

/// A column of a table.
struct Column {
    name: String,
    is_key: bool,
}

impl Store {
    /// Gives `tell` every row of every table, by table and then by what names the row.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn each_row(&self, tell: &mut dyn FnMut(DumpedRow)) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        for table in self.tables().map_err(failed)? {
            self.each_row_of(&table, tell).map_err(failed)?;
        }
        Ok(())
    }

    /// The names of the tables.
    pub(super) fn tables(&self) -> rusqlite::Result<Vec<String>> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        self.connection().prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    }

    fn each_row_of(&self, table: &str, tell: &mut dyn FnMut(DumpedRow)) -> rusqlite::Result<()> {
        let mut about = self.connection().prepare("SELECT name, pk > 0 FROM pragma_table_info(?)")?;
        let columns =
            about.query_map([table], |row| Ok(Column { name: row.get(0)?, is_key: row.get(1)? }))?;
        let columns: Vec<Column> = columns.collect::<rusqlite::Result<_>>()?;
        let names = |wanted: &dyn Fn(&Column) -> bool| {
            let names = columns.iter().filter(|column| wanted(column)).map(|column| quoted(&column.name));
            names.collect::<Vec<_>>().join(", ")
        };
        let (all, key) = (names(&|_| true), names(&|column| column.is_key));
        let order = if key.is_empty() { &all } else { &key };
        let sql = format!("SELECT {all} FROM {} ORDER BY {order}", quoted(table));
        let mut query = self.connection().prepare(&sql)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let cells = columns.iter().enumerate().map(|(index, column)| {
                let Column { name, is_key } = column;
                Ok(DumpedCell { column: name.clone(), is_key: *is_key, value: value(row, index)? })
            });
            tell(DumpedRow { table: table.to_owned(), cells: cells.collect::<rusqlite::Result<_>>()? });
        }
        Ok(())
    }
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

/// A name in SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
