//! The exit codes, and how errors of case files end a run.

use super::args::StyleArgs;
use super::output::{self, plural};
use super::underlined;
use keur_core::case::LibraryError;
use keur_core::report::Audience;
use std::process::ExitCode;

/// The result of a run; the highest one is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunStatus {
    /// Everything passed.
    Passed = 0,
    /// Something failed.
    Failed = 1,
    /// Usage error.
    Usage = 2,
    /// A case or exercise file has an error.
    BadCase = 3,
    /// Keur could not do its work.
    Fault = 4,
}

impl From<RunStatus> for ExitCode {
    fn from(exit: RunStatus) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// As [`library_error`], as `audience` may read it: the lines of a case file are not for students.
pub(super) fn library_error_for(audience: Audience, error: &LibraryError, style: &StyleArgs) -> RunStatus {
    match (audience, error) {
        (Audience::Student, LibraryError::Bad(files)) => {
            let places: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
            output::err(&format!("error: `keur check` shows what is wrong in {}\n", places.join(", ")));
            RunStatus::BadCase
        }
        (
            Audience::Student | Audience::Instructor,
            LibraryError::Bad(_) | LibraryError::Missing { .. } | LibraryError::Unreadable { .. },
        ) => library_error(error, style),
    }
}

/// Prints an error of the case library and returns its exit code.
pub(super) fn library_error(error: &LibraryError, style: &StyleArgs) -> RunStatus {
    match error {
        LibraryError::Bad(files) => {
            let colour = output::colour(style.color, std::io::stderr());
            for file in files {
                output::err(&underlined(file, colour));
            }
            let count: usize = files.iter().map(|file| file.diagnostics.len()).sum();
            output::err(&format!(
                "{count} {} in {} {}\n",
                plural(count, "error"),
                files.len(),
                plural(files.len(), "file")
            ));
            RunStatus::BadCase
        }
        LibraryError::Missing { .. } => {
            output::err(&format!("error: {error}\n"));
            RunStatus::Usage
        }
        LibraryError::Unreadable { source, .. } => {
            output::err(&format!("error: {error}\n"));
            if source.kind() == std::io::ErrorKind::NotFound { RunStatus::Usage } else { RunStatus::Fault }
        }
    }
}
