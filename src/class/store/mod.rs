//! The database of a class.
//!
//! [`Store`] opens and makes it: `read` has what is in it, `write` what goes into it. One process at a time writes, and holds a
//! [`ClassLock`]; `schema.sql` has the tables. `guard` is what protects keur from a database that somebody else wrote, and `dump` has
//! every row, whatever the tables are.

mod database;
mod dump;
mod error;
mod guard;
mod lock;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use database::{Access, Store};
pub use dump::{CellValue, DumpedCell, DumpedRow};
pub use error::StoreError;
pub use lock::ClassLock;
pub use write::KeptCount;
