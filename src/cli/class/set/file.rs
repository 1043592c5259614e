//! `keur class set file`.

use super::opened::{CODES, OpenedClass, StudentArgs};
use crate::class::{ClassSettings, SetChoiceError, with_choice};
use crate::cli::class::report::loaded;
use crate::cli::error::CliError;
use clap::Args;

#[derive(Args)]
#[command(after_help = CODES)]
pub(in crate::cli) struct FileArgs {
    #[command(flatten)]
    pub(super) student: StudentArgs,
    /// A source file of the submission, with its folders, written as in reports
    #[arg(required_unless_present = "clear", conflicts_with = "clear")]
    file: Option<String>,
    /// Remove the choice
    #[arg(long)]
    clear: bool,
}

/// Chooses a file of the submission that counts, or takes that back, and says so.
pub(super) fn set(args: &FileArgs, class: &OpenedClass) -> Result<String, CliError> {
    let OpenedClass { folder, store, student, .. } = class;
    let taken = store.latest()?.into_iter().find(|taken| taken.student == student.name);
    let taken = taken.ok_or_else(|| class.refuse("handed in nothing, so there is no file to choose"))?;
    if args.file.is_none() && taken.chosen.is_none() {
        return Ok("no file was chosen".to_owned());
    }
    let settings = ClassSettings::read(folder)?;
    let (_, cases) = loaded(folder, &settings)?;
    let chosen = with_choice(folder, &cases.candidates(), &taken, args.file.as_deref());
    let chosen = chosen.map_err(|error| match (error, &args.file) {
        (error @ SetChoiceError::NotThere { .. }, Some(file)) => class.refuse(&format!("{file}: {error}")),
        (error, _) => CliError::fault(error.to_string()),
    })?;
    store.put_taken(&[chosen])?;
    Ok(match &args.file {
        Some(file) => format!("{file} counts; `keur class run` grades it"),
        None => "the file that was chosen no longer counts".to_owned(),
    })
}
