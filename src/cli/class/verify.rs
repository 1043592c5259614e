//! `keur class verify`.

use crate::cli::exit::RunStatus;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
    /// The folder of the class
    class: PathBuf,
}

pub(super) fn run(args: &VerifyArgs) -> RunStatus {
    let _ = &args.class;
    RunStatus::Fault
}
