//! `keur class set`.

mod file;
mod opened;
mod points;

use crate::cli::class::one_line;
use crate::cli::error::CliResult;
use crate::cli::exit::RunStatus;
use crate::cli::output;
use clap::Subcommand;
use opened::OpenedClass;

/// The settings that are made by hand.
#[derive(Subcommand)]
pub(in crate::cli) enum SetCommand {
    /// Set the points of a student, whatever the cases earn
    Points(points::PointsArgs),
    /// Choose the file that counts in a submission: one of several candidates, or another file than keur
    /// found
    File(file::FileArgs),
}

pub(super) fn run(command: &SetCommand) -> CliResult {
    let (class, set) = match command {
        SetCommand::Points(args) => {
            let class = OpenedClass::open(&args.student)?;
            let set = points::set(args, &class)?;
            (class, set)
        }
        SetCommand::File(args) => {
            let class = OpenedClass::open(&args.student)?;
            let set = file::set(args, &class)?;
            (class, set)
        }
    };
    output::out(&format!("{}\n", one_line(&format!("{}: {set}", class.student.name))));
    Ok(RunStatus::Passed)
}
