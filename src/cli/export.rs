//! `keur export`.

use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::import::{read_source, report, write};
use super::output;
use crate::tested;
use clap::{ArgGroup, Args};
use keur_core::case::{Library, Loaded, path_in};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(group(ArgGroup::new("target").required(true)))]
pub(super) struct ExportArgs {
    /// Write a test suite of TESTed from the exercise in this folder
    #[arg(long, value_name = "EXERCISE", group = "target")]
    tested: Option<PathBuf>,
    /// The folder to write; by default the name of the exercise followed by `-tested`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &ExportArgs) -> CliResult {
    match &args.tested {
        Some(exercise) => export(exercise, args),
        // clap asks for one of the targets.
        None => Ok(RunStatus::Usage),
    }
}

fn export(folder: &Path, args: &ExportArgs) -> CliResult {
    let library = Library::Folder(folder.to_owned());
    let names = library.names()?;
    let [name] = names.as_slice() else {
        return Err(CliError::Usage(format!("{}: not the folder of one exercise", folder.display())));
    };
    let Loaded { exercise, cases } = library.load(name)?;
    let path = folder.join("exercise.toml");
    let source = read_source(&path)?;
    let read = |path: &str| {
        let place = path_in(folder, path).ok()?;
        fs::symlink_metadata(&place).ok().filter(fs::Metadata::is_file)?;
        fs::read_to_string(place).ok()
    };
    let exported = tested::export(&exercise, &path.display().to_string(), &source, &cases, &read);
    let target = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-tested", exercise.name)));
    write(&target, &exported.files)?;
    output::out(&format!("{}\n", target.join(tested::SUITE).display()));
    Ok(report(&exported.problems, "of the exercise not exported"))
}
