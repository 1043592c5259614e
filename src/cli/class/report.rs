//! `keur class report`.

use crate::cli::exit::RunStatus;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(in crate::cli) struct ReportArgs {
    /// The folder of the class
    class: PathBuf,
}

pub(super) fn run(args: &ReportArgs) -> RunStatus {
    let _ = &args.class;
    RunStatus::Fault
}
