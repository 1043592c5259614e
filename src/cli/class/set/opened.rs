//! The class and the student that a command sets something of.

use crate::class::{Access, ClassFolder, ClassLock, Store, Student, find_student};
use crate::cli::class::one_line;
use crate::cli::error::CliError;
use clap::Args;
use std::path::PathBuf;

pub(super) const CODES: &str = "Exit codes:
  0  the change is made
  2  usage error: no such class or student, a name that several students have, a class with a link
     or a pipe in it, more points than possible, or a file that cannot be chosen
  3  class.toml, a case or an exercise has an error
  4  keur itself failed: another run holds the class, a damaged database";

/// A student of a class.
#[derive(Args)]
pub(in crate::cli) struct StudentArgs {
    /// The folder of the class
    pub(super) class: PathBuf,
    /// The student's number or e-mail address, or a name that only this student has
    student: String,
}

/// A class that only this process writes, and the student who is meant.
pub(super) struct OpenedClass {
    pub(super) folder: ClassFolder,
    pub(super) store: Store,
    pub(super) student: Student,
    _lock: ClassLock,
}

impl OpenedClass {
    /// Opens the class, and finds the student.
    pub(super) fn open(args: &StudentArgs) -> Result<OpenedClass, CliError> {
        let folder = ClassFolder::open(&args.class)?;
        drop(Store::open(&folder, Access::Read)?);
        let lock = ClassLock::take(&folder)?;
        let store = Store::open(&folder, Access::Write)?;
        let student = find_student(&store.students()?, &args.student)
            .cloned()
            .map_err(|error| CliError::Usage(one_line(&format!("{}: {error}", args.class.display()))))?;
        Ok(OpenedClass { folder, store, student, _lock: lock })
    }

    /// The error for a setting that the student cannot have.
    pub(super) fn refuse(&self, why: &str) -> CliError {
        CliError::Usage(one_line(&format!("{}: {why}", self.student.name)))
    }
}
