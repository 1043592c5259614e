//! The database of a class.
//!
//! [`Store`] opens and makes it: `read` has what is in it, `write` what goes into it. One process at a time
//! writes, and holds a [`ClassLock`]; `schema.sql` has the tables. `guard` is what protects keur from a
//! database that somebody else wrote, `sealed` from one that a disk changed; `waiting` waits for other
//! programs, `migration` takes over the tables of an earlier keur, and `dump` has every row of every table.

mod database;
mod dump;
mod error;
mod guard;
mod lock;
mod migration;
mod read;
mod sealed;
mod tables;
#[cfg(test)]
mod tests;
mod waiting;
mod write;

pub use database::{Access, Store};
pub use dump::{CellValue, DumpedCell, DumpedRow};
pub use error::StoreError;
pub use lock::ClassLock;
pub(in crate::class) use tables::VERDICTS;
pub use waiting::{end_waits_by, tell_waits_by};
pub use write::KeptCount;
