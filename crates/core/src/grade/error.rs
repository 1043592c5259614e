//! Why a submission is not graded, for no fault of its own.

use crate::adapter::{BY_OTHERS, Fault};
use crate::event::RunError;
use std::fmt;

/// Why a submission is not graded, for no fault of its own. It is never scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GradeError {
    /// Keur could not do its work.
    Fault(Fault),
    /// A file of the exercise has an error, such as its own reference or a check: the file, and what is wrong.
    Exercise(String),
    /// Somebody else ended or stopped the process of this many cases, each twice.
    Killed(usize),
}

impl From<Fault> for GradeError {
    fn from(fault: Fault) -> GradeError {
        GradeError::Fault(fault)
    }
}

impl From<GradeError> for RunError {
    fn from(error: GradeError) -> RunError {
        match error {
            GradeError::Fault(fault) => RunError::Fault(fault.message),
            GradeError::Exercise(message) => RunError::Cases { message: Some(message), files: None },
            GradeError::Killed(_) => RunError::Fault(error.to_string()),
        }
    }
}

impl fmt::Display for GradeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GradeError::Fault(fault) => fault.fmt(f),
            GradeError::Exercise(message) => f.write_str(message),
            GradeError::Killed(cases) => {
                let cut_off =
                    if *cases == 1 { "the process of a case was" } else { "the processes of cases were" };
                write!(f, "{cut_off} {BY_OTHERS}")
            }
        }
    }
}

impl std::error::Error for GradeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GradeError::Fault(fault) => Some(fault),
            GradeError::Exercise(_) | GradeError::Killed(_) => None,
        }
    }
}
