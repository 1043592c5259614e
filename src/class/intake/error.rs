//! Why a class cannot take something in.

use super::download::DownloadError;
use super::roster::RosterError;
use crate::class::error::ClassError;
use std::io;
use std::path::{Path, PathBuf};

/// A reason why a class cannot take something in. Nothing is taken in then.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The class itself: its database, settings, cases or judge.
    #[error("{0}")]
    Class(#[source] ClassError),
    /// The download.
    #[error("{0}")]
    Download(#[from] DownloadError),
    /// The roster.
    #[error("{0}")]
    Roster(#[from] RosterError),
    /// The arguments do not fit the class; the text says what to do instead.
    #[error("{0}")]
    Usage(String),
    /// Neither submissions nor a roster are named.
    #[error("nothing to take in; name the submissions, or a roster")]
    Nothing,
    /// The submissions answer several exercises.
    #[error("{0}")]
    UnclearExercise(String),
    /// A file of the class cannot be written.
    #[error("{}: cannot be written: {}{}", .0.display(), .1, make_room(.1))]
    Files(PathBuf, #[source] io::Error),
}

impl IntakeError {
    /// The error for a file of the class at `path`.
    pub(super) fn files(path: &Path) -> impl Fn(io::Error) -> IntakeError {
        let path = path.to_owned();
        move |error| IntakeError::Files(path.clone(), error)
    }
}

fn make_room(error: &io::Error) -> &'static str {
    let full = error.kind() == io::ErrorKind::StorageFull;
    if full { "; make room and give the same command again" } else { "" }
}

impl<E: Into<ClassError>> From<E> for IntakeError {
    fn from(error: E) -> IntakeError {
        IntakeError::Class(error.into())
    }
}
