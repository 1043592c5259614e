//! `keur schema`.

use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use crate::author::schemas::{SCHEMAS, SchemaFolder, write_schemas};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct SchemaArgs {
    /// The folder to write them to
    #[arg(default_value = "schema")]
    folder: PathBuf,
}

pub(super) fn run(args: &SchemaArgs) -> CliResult {
    write_schemas(&args.folder).map_err(|(path, error)| CliError::write(&path)(error))?;
    output::out(&format!("{}: {} schemas\n", args.folder.display(), SCHEMAS.len()));
    Ok(RunStatus::Passed)
}

/// Writes the schemas for the files of an exercise, unless they are there, and tells where.
///
/// # Errors
/// A schema cannot be written.
pub(super) fn provide(place: &SchemaFolder) -> Result<(), CliError> {
    let made = place.provide().map_err(|(path, error)| CliError::write(&path)(error))?;
    if let Some(made) = made {
        output::out(&format!(
            "{}: schemas, with which an editor completes and explains cases\n",
            made.display()
        ));
    }
    Ok(())
}
