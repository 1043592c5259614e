//! What can be wrong with the database of a class, and what to do about it.

use rusqlite::ErrorCode;
use std::fmt;
use std::path::Path;

/// Why the database of a class cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// There is no class, or one where there should be none: a usage error.
    NoClass(String),
    /// Another process uses it.
    Busy(String),
    /// It cannot be read or written.
    Failed(String),
    /// It is damaged, or not what this version of keur wrote.
    Foreign {
        /// What is wrong, and where.
        what: String,
        /// What to do if it is one's own.
        help: String,
    },
}

impl StoreError {
    /// What is wrong, and where; without what to do if it is one's own database.
    pub fn problem(&self) -> &str {
        match self {
            StoreError::NoClass(message) | StoreError::Busy(message) | StoreError::Failed(message) => message,
            StoreError::Foreign { what, .. } => what,
        }
    }

    /// The error of SQLite on the database at `path`, with advice.
    pub(super) fn of_sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
        let shown = path.display();
        let code = error.sqlite_error_code();
        let failed = |what: &str| StoreError::Failed(format!("{shown}: {what}"));
        match code {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(format!(
                "{shown}: another program holds the database locked; close it, such as a viewer with changes that are \
                 not yet saved, and try again"
            )),
            Some(ErrorCode::DiskFull) => {
                failed("the disk is full; what is stored stays, so make room and give the same command again")
            }
            // SQLite calls it read-only.
            Some(ErrorCode::ReadOnly) if is_moved(error) => failed(
                "the database was removed, or another one was put in its place, while keur used it; what was stored until then is \
                 in that one: put it back, or a copy, and give the same command again",
            ),
            Some(ErrorCode::ReadOnly) => failed(
                "the database, or its folder, is read-only; allow writing, or copy the class to where that is allowed",
            ),
            Some(ErrorCode::DatabaseCorrupt) => damaged(path, "the database is damaged"),
            Some(ErrorCode::NotADatabase) => {
                damaged(path, "this is not a database, or its start was overwritten")
            }
            Some(ErrorCode::SystemIoFailure) => failed(&format!(
                "the disk does not work ({error}); what is stored stays, so try again elsewhere"
            )),
            Some(ErrorCode::CannotOpen) => {
                failed("the database cannot be opened; check that you may read and write it and its folder")
            }
            Some(ErrorCode::PermissionDenied) => {
                failed("the database may not be read; check its permissions")
            }
            Some(ErrorCode::OperationInterrupted) => {
                failed("it takes too long to read; is it what keur wrote?")
            }
            Some(ErrorCode::TooBig) => failed("a row of it is longer than keur writes"),
            Some(ErrorCode::OutOfMemory) => {
                failed("it takes more memory to read than any database of a class")
            }
            Some(_) | None => failed(&error.to_string()),
        }
    }
}

/// Whether the file of a database that is open is no longer the one under its name.
fn is_moved(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_READONLY_DBMOVED)
}

/// The error for a database that is damaged.
pub(super) fn damaged(path: &Path, what: &str) -> StoreError {
    let shown = path.display();
    StoreError::Foreign {
        what: format!("{shown}: {what}"),
        help: format!(
            "keur leaves it as it is: put back a copy, or save what can still be read with `sqlite3 {shown} .recover`"
        ),
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.problem())?;
        match self {
            StoreError::Foreign { help, .. } => write!(f, "; {help}"),
            StoreError::NoClass(_) | StoreError::Busy(_) | StoreError::Failed(_) => Ok(()),
        }
    }
}

impl std::error::Error for StoreError {}
