//! The arguments of `keur import`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(in crate::cli) struct ImportArgs {
    /// A text file with sessions of Python, of node or of a shell that runs programs, as pasted from a terminal, a docstring or an assignment;
    /// `-` is standard input, and the default
    #[arg(value_name = "SESSION", conflicts_with = "tested")]
    pub(super) session: Option<PathBuf>,
    /// A test suite of TESTed, in YAML or JSON
    #[arg(long, value_name = "SUITE")]
    pub(super) tested: Option<PathBuf>,
    /// For a session, the file of the new case; standard output by default. For a suite, the folder of the
    /// new exercise; the name of the suite's exercise by default
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) of_session: SessionArgs,
}

/// The options that apply to sessions only.
#[derive(Args)]
#[command(next_help_heading = "Only for sessions")]
pub(super) struct SessionArgs {
    /// The exercise; by default that of the folder of the new case, else the one whose classes and functions
    /// the session calls
    #[arg(long, value_name = "NAME", conflicts_with = "tested")]
    pub(super) exercise: Option<String>,
    /// Look for the exercise in this folder instead of the built-in ones
    #[arg(long, value_name = "DIR", conflicts_with = "tested")]
    pub(super) cases: Option<PathBuf>,
    /// The title of the case; by default made from the name of its file
    #[arg(long, value_name = "TEXT", conflicts_with = "tested")]
    pub(super) title: Option<String>,
    /// Write a line that the language of cases lacks, such as a loop, as code of Python
    #[arg(long, conflicts_with = "tested")]
    pub(super) native: bool,
    /// In a session of a shell, a text that the program prints before it reads a line, such as 'Number? ': the
    /// rest of the line is typed
    #[arg(long, value_name = "TEXT", conflicts_with = "tested")]
    pub(super) typed_after: Vec<String>,
    /// Replace the file of the case if it exists
    #[arg(long, conflicts_with = "tested")]
    pub(super) force: bool,
}
