//! `keur class`.

mod back;
mod init;
mod report;
mod run;
mod set;
mod signed;
mod status;
mod verify;

use super::args::StyleArgs;
use super::exit::{RunStatus, library_error};
use super::{grade, output, underlined};
use crate::class::{ClassError, SettingsError, StoreError};
use clap::Subcommand;
use std::io;

/// What `keur class` does with a class.
#[derive(Subcommand)]
pub(super) enum ClassCommand {
    /// Take in the submissions of a class, and its roster; again adds what is new
    Init(Box<init::InitArgs>),
    /// Grade what is not yet graded: all of it, the rest of an interrupted run, or what a mended case asks for
    Run(Box<run::RunArgs>),
    /// Report the grades, and who would gain or lose against an earlier report
    Report(Box<report::ReportArgs>),
    /// Set something of a submission by hand, with the reason
    #[command(subcommand)]
    Set(set::SetCommand),
    /// Check a class against a signed report
    Verify(verify::VerifyArgs),
}

pub(super) fn run(command: &ClassCommand) -> RunStatus {
    match command {
        ClassCommand::Init(args) => init::run(args),
        ClassCommand::Run(args) => run::run(args),
        ClassCommand::Report(args) => report::run(args),
        ClassCommand::Set(command) => set::run(command),
        ClassCommand::Verify(args) => verify::run(args),
    }
}

/// Prints why something cannot be done with a class, and returns the exit code.
fn failed(error: &ClassError, style: &StyleArgs) -> RunStatus {
    let exit = match error {
        ClassError::Store(StoreError::NoClass(_)) => RunStatus::Usage,
        ClassError::Settings(SettingsError::Bad(errors)) => {
            output::err(&underlined(errors, output::colour(&style.color, &io::stderr())));
            return RunStatus::BadCase;
        }
        ClassError::Cases(error) => return library_error(error, style),
        ClassError::Request(error) => return grade::refused(error, style),
        ClassError::Store(StoreError::Busy(_) | StoreError::Failed(_))
        | ClassError::Settings(SettingsError::Unreadable(_))
        | ClassError::Fault(_) => RunStatus::Fault,
    };
    output::err(&format!("error: {error}\n"));
    exit
}
