//! `keur class set file`.

use super::opened::{CODES, OpenedClass, SetOutcome, StudentArgs};
use crate::class::{ClassError, ClassSettings, SetChoiceError, with_choice};
use crate::cli::class::report::loaded;
use clap::Args;

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct FileArgs {
    #[command(flatten)]
    pub(super) student: StudentArgs,
    /// A source file of the submission, with its folders, as reports write its name
    #[arg(required_unless_present = "clear", conflicts_with = "clear")]
    file: Option<String>,
    /// Take back what was chosen
    #[arg(long)]
    clear: bool,
}

/// Chooses a file of the submission that counts, or takes that back.
pub(super) fn set(args: &FileArgs, class: &OpenedClass) -> Result<SetOutcome, ClassError> {
    let OpenedClass { folder, store, student, .. } = class;
    let Some(taken) = store.latest()?.into_iter().find(|taken| taken.student == student.name) else {
        return Ok(SetOutcome::Refused("handed in nothing, so there is no file to choose".to_owned()));
    };
    if args.file.is_none() && taken.chosen.is_none() {
        return Ok(SetOutcome::Done("no file was chosen".to_owned()));
    }
    let settings = ClassSettings::read(folder)?;
    let (_, cases) = loaded(folder, &settings)?;
    match with_choice(folder, &cases.described(), &taken, args.file.as_deref()) {
        Ok(chosen) => {
            store.put_taken(&[chosen])?;
            Ok(SetOutcome::Done(match &args.file {
                Some(file) => format!("{file} counts; `keur class run` grades it"),
                None => "the file that was chosen no longer counts".to_owned(),
            }))
        }
        Err(error @ SetChoiceError::NotThere { .. }) => {
            let file = args.file.iter().map(|file| format!("{file}: "));
            Ok(SetOutcome::Refused(file.chain([error.to_string()]).collect()))
        }
        Err(error @ (SetChoiceError::Edited(_) | SetChoiceError::Unreadable(..))) => {
            Err(ClassError::Fault(error.to_string()))
        }
    }
}
