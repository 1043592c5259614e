//! `keur new`.

mod case;
mod exercise;
mod package;
mod starters;

use super::error::CliResult;
use clap::Subcommand;

/// The things that `keur new` makes.
#[derive(Subcommand)]
pub(super) enum NewCommand {
    /// Create a folder with an exercise: two cases, a solution, a right sample and a wrong sample
    Exercise(exercise::ExerciseArgs),
    /// Create a case with its title and the first calls, in which you fill in the values
    Case(case::CaseArgs),
}

pub(super) fn run(command: &NewCommand) -> CliResult {
    match command {
        NewCommand::Exercise(args) => exercise::run(args),
        NewCommand::Case(args) => case::run(args),
    }
}
