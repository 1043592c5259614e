//! `keur class run`.

use crate::cli::exit::RunStatus;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(in crate::cli) struct RunArgs {
    /// The folder of the class
    class: PathBuf,
}

pub(super) fn run(args: &RunArgs) -> RunStatus {
    let _ = &args.class;
    RunStatus::Fault
}
