//! Why an audit cannot be made.

use crate::run::{RequestError, SamplesError};
use keur_core::case::{FileErrors, tame};
use keur_core::event::RunError;
use keur_core::languages::InterpreterError;
use keur_core::messages::Lang;
use keur_core::report::words::Words;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the cases of an exercise cannot be audited.
#[derive(Debug)]
#[non_exhaustive]
pub enum AuditError {
    /// There is no wrong program.
    NoPrograms(String),
    /// A file of mutants or of verdicts has errors.
    Bad(FileErrors),
    /// The samples cannot be read.
    Samples(SamplesError),
    /// A file or folder cannot be read or written.
    Files(PathBuf, io::Error),
    /// A right program cannot be read, parsed or graded: where it is from, and why.
    Program(String, String),
    /// A program that must be right does not pass a case.
    NotRight {
        /// The program.
        program: String,
        /// The cases that it does not pass, each with the verdict.
        fails: Vec<String>,
    },
    /// A program is said to be equivalent to a right one, and a case tells them apart.
    NotEquivalent {
        /// The program.
        program: String,
        /// The case.
        case: String,
    },
    /// Interpreters are missing.
    Interpreter(InterpreterError),
    /// The run cannot start.
    Request(RequestError),
    /// Keur failed.
    Run(RunError),
}

impl AuditError {
    /// Whether the fault is keur's or the machine's, not in the exercise or the request.
    pub fn is_fault(&self) -> bool {
        match self {
            AuditError::Files(..) | AuditError::Interpreter(_) => true,
            AuditError::Request(error) => matches!(error, RequestError::Tier(..)),
            AuditError::Run(error) => matches!(error, RunError::Fault(_)),
            AuditError::NoPrograms(_)
            | AuditError::Bad(_)
            | AuditError::Samples(_)
            | AuditError::Program(..)
            | AuditError::NotRight { .. }
            | AuditError::NotEquivalent { .. } => false,
        }
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::NoPrograms(exercise) => write!(
                f,
                "{exercise} has no wrong program to hold its cases against: it needs a reference in Python or \
                 JavaScript, wrong samples, or a mutants/mutants.toml; or name wrong submissions with --samples"
            ),
            AuditError::Bad(errors) => errors.fmt(f),
            AuditError::Samples(error) => error.fmt(f),
            AuditError::Files(path, error) => write!(f, "{}: {error}", path.display()),
            AuditError::Program(program, why) => f.write_str(&tame(&format!("{program}: {why}"))),
            AuditError::NotRight { program, fails } => {
                let fails = fails.join("\n  ");
                f.write_str(&tame(&format!(
                    "{program} should be right, but does not pass every case:\n  {fails}"
                )))
            }
            AuditError::NotEquivalent { program, case } => write!(
                f,
                "{program} is said to be equivalent to the right program, but the case {case} fails it: remove \
                 `equivalent`"
            ),
            AuditError::Interpreter(error) => error.fmt(f),
            AuditError::Request(error) => error.fmt(f),
            AuditError::Run(error) => f.write_str(&Words::new(Lang::En).error(error)),
        }
    }
}

impl std::error::Error for AuditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AuditError::Bad(error) => Some(error),
            AuditError::Samples(error) => Some(error),
            AuditError::Files(_, error) => Some(error),
            AuditError::Interpreter(error) => Some(error),
            AuditError::Request(error) => Some(error),
            AuditError::NoPrograms(_)
            | AuditError::Program(..)
            | AuditError::NotRight { .. }
            | AuditError::NotEquivalent { .. }
            | AuditError::Run(_) => None,
        }
    }
}
