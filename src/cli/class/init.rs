//! `keur class init`.

use crate::cli::exit::RunStatus;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(in crate::cli) struct InitArgs {
    /// The folder of the class
    class: PathBuf,
}

pub(super) fn run(args: &InitArgs) -> RunStatus {
    let _ = &args.class;
    RunStatus::Fault
}
