//! The database of a class.

use super::folder::ClassFolder;
use rusqlite::{Connection, OpenFlags};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCHEMA: &str = include_str!("schema.sql");

/// The version of the schema, in the `user_version` of the database.
const VERSION: i32 = 1;

/// Marks a database as that of a class, in its `application_id`: `keur`.
const APPLICATION: i32 = 0x6b65_7572;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a process does with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it too.
    Write,
}

/// The database of a class, open.
pub struct Store {
    db: Connection,
    path: PathBuf,
}

/// Why a database cannot be used. It costs nothing of what is stored.
#[derive(Debug)]
pub struct StoreError {
    /// What, where, and what to do.
    pub message: String,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StoreError {}

impl Store {
    /// Makes the database of a class.
    ///
    /// # Errors
    /// It exists, or cannot be written.
    pub fn create(folder: &ClassFolder) -> Result<Store, StoreError> {
        let path = folder.database();
        let db = Connection::open(&path).map_err(|error| of_sqlite(&path, &error))?;
        let store = Store { db, path };
        let setting = |name, value| store.db.pragma_update(None, name, value);
        let made = setting("application_id", APPLICATION)
            .and_then(|()| store.db.execute_batch(SCHEMA))
            .and_then(|()| setting("user_version", VERSION));
        made.map_err(|error| store.failed(&error))?;
        Ok(store)
    }

    /// Opens the database of a class.
    ///
    /// # Errors
    /// There is none, it is of another version, or it cannot be read.
    pub fn open(folder: &ClassFolder, access: Access) -> Result<Store, StoreError> {
        let path = folder.database();
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        };
        let db = Connection::open_with_flags(&path, flags).map_err(|error| of_sqlite(&path, &error))?;
        let store = Store { db, path };
        store.db.busy_timeout(PATIENCE).map_err(|error| store.failed(&error))?;
        Ok(store)
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        of_sqlite(&self.path, error)
    }
}

fn of_sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError { message: format!("{}: {error}", path.display()) }
}
