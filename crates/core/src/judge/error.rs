//! Why a submission is not graded, for no fault of its own.

use crate::adapter::{BY_OTHERS, Fault};
use crate::event::{ExerciseError, RunError};

/// A reason why a submission is not graded, for no fault of its own. It is never scored.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GradeError {
    /// Keur could not do its work.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// A file of the exercise has an error, such as its own reference or a check: the file, and what is
    /// wrong.
    #[error("{0}")]
    Exercise(String),
    /// Somebody else ended or stopped the process of this many cases, each twice.
    #[error("{} {BY_OTHERS}", if *.0 == 1 { "the process of a case was" } else { "the processes of cases were" })]
    Killed(usize),
}

impl From<GradeError> for RunError {
    fn from(error: GradeError) -> RunError {
        match error {
            GradeError::Exercise(message) => RunError::Exercise(ExerciseError::Other(message)),
            GradeError::Fault(_) | GradeError::Killed(_) => RunError::Fault(error.into()),
        }
    }
}

impl From<GradeError> for Fault {
    fn from(error: GradeError) -> Fault {
        match error {
            GradeError::Fault(fault) => fault,
            GradeError::Exercise(_) | GradeError::Killed(_) => Fault::new(error.to_string()),
        }
    }
}
