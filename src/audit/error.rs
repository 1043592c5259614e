//! Why an audit cannot be made.

use crate::run::{RequestError, SamplesError};
use keur_core::case::FileErrors;
use keur_core::event::RunError;
use keur_core::languages::InterpreterError;
use std::io;
use std::path::PathBuf;

/// A reason why the cases of an exercise cannot be audited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The exercise has no wrong program.
    #[error(
        "{0} has no wrong program to hold its cases against: it needs a reference in Python or JavaScript, wrong \
         samples, or a mutants/mutants.toml; or name wrong submissions"
    )]
    NoPrograms(String),
    /// A file of mutants or of verdicts has errors.
    #[error("{0}")]
    Bad(#[source] FileErrors),
    /// The samples cannot be read.
    #[error("{0}")]
    Samples(#[source] SamplesError),
    /// A file or folder cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Files(PathBuf, #[source] io::Error),
    /// A right program cannot be read, parsed or graded: where it is from, and why.
    #[error("{0}: {1}")]
    Program(String, String),
    /// A program that must be right does not pass a case.
    #[error("{program} should be right, but does not pass every case:\n  {}", fails.join("\n  "))]
    NotRight {
        /// The program.
        program: String,
        /// The cases that it does not pass, each with the verdict.
        fails: Vec<String>,
    },
    /// A mutant that a person wrote does not compile, so that every case notices it.
    #[error("the mutant {program} does not compile: {why}")]
    NotCompiled {
        /// The mutant.
        program: String,
        /// The first error of the compiler, with its place.
        why: String,
    },
    /// A program is said to be equivalent to a right one, and a case tells them apart.
    #[error(
        "{program} is said to be equivalent to the right program, but the case {case} fails it: remove `equivalent`"
    )]
    NotEquivalent {
        /// The program.
        program: String,
        /// The case.
        case: String,
    },
    /// Interpreters are missing.
    #[error("{0}")]
    Interpreter(#[source] InterpreterError),
    /// The run cannot start.
    #[error("{0}")]
    Request(#[source] RequestError),
    /// Keur failed.
    #[error("{0}")]
    Run(#[source] RunError),
}
