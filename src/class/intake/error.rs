//! Why a class cannot take something in.

use super::download::DownloadError;
use super::roster::RosterError;
use crate::class::error::ClassError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a class cannot take something in. Nothing is taken in then.
#[derive(Debug)]
pub enum IntakeError {
    /// The class itself: its database, settings, cases or judge.
    Class(ClassError),
    /// The download.
    Download(DownloadError),
    /// The roster.
    Roster(RosterError),
    /// The arguments do not fit the class; the text says what to do instead.
    Usage(String),
    /// A file of the class cannot be written.
    Files(PathBuf, io::Error),
}

impl IntakeError {
    /// The error for a file of the class at `path`.
    pub(super) fn files(path: &Path) -> impl Fn(io::Error) -> IntakeError {
        let path = path.to_owned();
        move |error| IntakeError::Files(path.clone(), error)
    }
}

impl fmt::Display for IntakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntakeError::Class(error) => error.fmt(f),
            IntakeError::Download(error) => error.fmt(f),
            IntakeError::Roster(error) => error.fmt(f),
            IntakeError::Usage(message) => f.write_str(message),
            IntakeError::Files(path, error) => {
                let full = error.kind() == io::ErrorKind::StorageFull;
                let help = if full { "; make room and give the same command again" } else { "" };
                write!(f, "{}: cannot be written: {error}{help}", path.display())
            }
        }
    }
}

impl std::error::Error for IntakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            IntakeError::Class(error) => Some(error),
            IntakeError::Download(error) => Some(error),
            IntakeError::Roster(error) => Some(error),
            IntakeError::Usage(_) => None,
            IntakeError::Files(_, error) => Some(error),
        }
    }
}

impl<E: Into<ClassError>> From<E> for IntakeError {
    fn from(error: E) -> IntakeError {
        IntakeError::Class(error.into())
    }
}

impl From<DownloadError> for IntakeError {
    fn from(error: DownloadError) -> IntakeError {
        IntakeError::Download(error)
    }
}

impl From<RosterError> for IntakeError {
    fn from(error: RosterError) -> IntakeError {
        IntakeError::Roster(error)
    }
}
