//! The errors of a class's database, each with its remedy.

use super::tables::{CASES, VERDICTS};
use keur_core::compare::diff::visible;
use rusqlite::{ErrorCode, ffi};
use std::path::Path;

/// A reason why the database of a class cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder has no class, or has one where there should be none: a usage error.
    #[error("{0}")]
    NoClass(String),
    /// The database is in use by another process.
    #[error("{0}")]
    Busy(String),
    /// The database cannot be read or written.
    #[error("{0}")]
    Failed(String),
    /// Rows of it are damaged.
    #[error("{what}; {help}")]
    DamagedRows {
        /// The table that they are in.
        table: &'static str,
        /// The problem, and the path.
        what: String,
        /// The remedy for an owner of the database.
        help: String,
    },
    /// The database is damaged, or not one that this version of keur wrote.
    #[error("{what}; {help}")]
    Foreign {
        /// The problem, and the path.
        what: String,
        /// The remedy for an owner of the database.
        help: String,
    },
}

impl StoreError {
    /// The problem, and the path; without the remedy for an owner of the database.
    pub fn problem(&self) -> &str {
        match self {
            StoreError::NoClass(message) | StoreError::Busy(message) | StoreError::Failed(message) => message,
            StoreError::Foreign { what, .. } | StoreError::DamagedRows { what, .. } => what,
        }
    }

    /// The error for a file system without locks.
    pub(super) fn no_locks(path: &Path) -> StoreError {
        StoreError::Failed(format!(
            "{}: this file system has no locks, without which two programs could write the class at once; copy the class to a \
             disk of this machine, or let a file system with locks have it (a shard of a run needs none)",
            path.display()
        ))
    }

    /// The error for rows of a table of the database at `path`. They are about these students.
    pub(super) fn damaged_rows(
        path: &Path,
        table: &'static str,
        students: &[String],
        damage: &str,
    ) -> StoreError {
        let (shown, folder) = (path.display(), path.parent().unwrap_or(path).display());
        let whose = match students {
            [] => String::new(),
            [student] => format!(" of {}", visible(student, false)),
            [student, rest @ ..] => format!(" of {} and {} more", visible(student, false), rest.len()),
        };
        let help = if table == VERDICTS {
            format!("`keur class run {folder}` grades again what is damaged")
        } else if table == CASES.name {
            format!("`keur class run {folder}` writes the rows of the cases again")
        } else {
            BACK.to_owned()
        };
        let what =
            format!("{shown}: damaged: a row{whose} in the table {table} {damage} after keur wrote it");
        StoreError::DamagedRows { table, what, help }
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
            Some(ErrorCode::SystemIoFailure) if is_about_locks(error) => StoreError::no_locks(path),
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
            // The statements of keur are right, so it is the tables or the values that are not.
            Some(_) | None => damaged(path, &format!("the database is damaged ({error})")),
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
            "keur leaves it as it is: {BACK}, or save what can still be read with `sqlite3 {shown} .recover`"
        ),
    }
}

/// How to get a sound database.
pub(super) const BACK: &str = "put back a copy, which `keur class backup` makes";

/// Whether it is locking that failed, and not reading or writing.
fn is_about_locks(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| {
        matches!(
            code,
            ffi::SQLITE_IOERR_LOCK
                | ffi::SQLITE_IOERR_RDLOCK
                | ffi::SQLITE_IOERR_UNLOCK
                | ffi::SQLITE_IOERR_CHECKRESERVEDLOCK
        )
    })
}
