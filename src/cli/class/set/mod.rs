//! `keur class set`.

mod file;
mod opened;
mod points;

use super::ending::failed;
use crate::class::ClassError;
use crate::cli::exit::RunStatus;
use crate::cli::output;
use clap::Subcommand;
use opened::{OpenedClass, SetOutcome, StudentArgs};

/// What is set by hand.
#[derive(Subcommand)]
pub(in crate::cli) enum SetCommand {
    /// The points of a student, whatever the cases earn
    Points(points::PointsArgs),
    /// The file that counts in a submission: one of several that may be meant, or another one than was found
    File(file::FileArgs),
}

pub(super) fn run(command: &SetCommand) -> RunStatus {
    let args = match command {
        SetCommand::Points(args) => &args.student,
        SetCommand::File(args) => &args.student,
    };
    let refused = |message: &str| {
        output::err(&format!("error: {}\n", crate::cli::class::one_line(message)));
        RunStatus::Usage
    };
    match set(command, args) {
        Ok(SetOutcome::Done(said)) => {
            output::out(&format!("{}\n", crate::cli::class::one_line(&said)));
            RunStatus::Passed
        }
        Ok(SetOutcome::Refused(message)) => refused(&message),
        Err(error) => failed(&error, &args.style),
    }
}

fn set(command: &SetCommand, args: &StudentArgs) -> Result<SetOutcome, ClassError> {
    let class = match OpenedClass::open(args)? {
        Ok(class) => class,
        Err(error) => {
            return Ok(SetOutcome::Refused(format!("{}: {error}", args.class.display())));
        }
    };
    let outcome = match command {
        SetCommand::Points(args) => points::set(args, &class),
        SetCommand::File(args) => file::set(args, &class),
    };
    let named = |said: String| format!("{}: {said}", class.student.name);
    Ok(match outcome? {
        SetOutcome::Done(said) => SetOutcome::Done(named(said)),
        SetOutcome::Refused(why) => SetOutcome::Refused(named(why)),
    })
}
