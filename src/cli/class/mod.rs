//! `keur class`.

mod back;
mod backup;
mod init;
mod report;
mod run;
mod set;
mod signed;
mod status;
mod verify;

use super::error::CliResult;
use super::output;
use crate::class::tell_waits_by;
use clap::Subcommand;
use keur_core::compare::diff::visible;

/// The commands of `keur class`.
#[derive(Subcommand)]
pub(super) enum ClassCommand {
    /// Import the submissions and the roster of a class; run it again to add new submissions
    Init(Box<init::InitArgs>),
    /// Grade what is not yet graded: everything, the rest of an interrupted run, or a case that you fixed
    Run(Box<run::RunArgs>),
    /// Report the grades, and whose grade rises or falls since an earlier report
    Report(Box<report::ReportArgs>),
    /// Set the points of a student, or the file that counts, by hand
    #[command(subcommand)]
    Set(set::SetCommand),
    /// Copy the database of a class to a new file, even while a run writes to it
    Backup(backup::BackupArgs),
    /// Check a class against a signed receipt
    Verify(verify::VerifyArgs),
}

pub(super) fn run(command: &ClassCommand) -> CliResult {
    tell_waits_by(|whom| output::err(&format!("{whom}\n")));
    match command {
        ClassCommand::Init(args) => init::run(args),
        ClassCommand::Run(args) => run::run(args),
        ClassCommand::Report(args) => report::run(args),
        ClassCommand::Set(command) => set::run(command),
        ClassCommand::Backup(args) => backup::run(args),
        ClassCommand::Verify(args) => verify::run(args),
    }
}

/// A text with names that students chose, on one line: they move no cursor, and start no command in the log
/// of a CI job.
pub(super) fn one_line(text: &str) -> String {
    visible(text, false).replace("##[", "## [")
}
