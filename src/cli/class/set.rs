//! `keur class set`.

use crate::cli::exit::RunStatus;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What is set by hand.
#[derive(Subcommand)]
pub(in crate::cli) enum SetCommand {
    /// The points of a student, whatever the cases earn
    Points(PointsArgs),
}

#[derive(Args)]
pub(in crate::cli) struct PointsArgs {
    /// The folder of the class
    class: PathBuf,
}

pub(super) fn run(command: &SetCommand) -> RunStatus {
    let SetCommand::Points(PointsArgs { class: _ }) = command;
    RunStatus::Fault
}
