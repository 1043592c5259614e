//! `keur export`.

use super::args::StyleArgs;
use super::exit::{RunStatus, library_error};
use super::import::{report, write};
use super::output;
use crate::case::{Library, Loaded, path_in, read_text};
use crate::tested;
use clap::{ArgGroup, Args};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(group(ArgGroup::new("target").required(true)))]
pub(super) struct ExportArgs {
    /// Write a test suite of TESTed from the exercise in this folder
    #[arg(long, value_name = "EXERCISE", group = "target")]
    tested: Option<PathBuf>,
    /// The folder to write; by default one with the name of the exercise and `-tested`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
}

pub(super) fn run(args: &ExportArgs) -> RunStatus {
    match &args.tested {
        Some(exercise) => export(exercise, args),
        // clap asks for one of the targets.
        None => RunStatus::Usage,
    }
}

fn export(folder: &Path, args: &ExportArgs) -> RunStatus {
    let library = Library::Folder(folder.to_owned());
    let loaded = library.names().and_then(|names| match names.as_slice() {
        [only] => library.load(only).map(Some),
        _ => Ok(None),
    });
    let Loaded { exercise, cases } = match loaded {
        Ok(Some(loaded)) => loaded,
        Ok(None) => {
            output::err(&format!("error: {}: not the folder of one exercise\n", folder.display()));
            return RunStatus::Usage;
        }
        Err(error) => return library_error(&error, &args.style),
    };
    let path = folder.join("exercise.toml");
    let source = match read_text(&path) {
        Ok(source) => source,
        Err(error) => {
            output::err(&format!("error: {}: {error}\n", path.display()));
            return RunStatus::Usage;
        }
    };
    let read = |path: &str| {
        let place = path_in(folder, path).ok()?;
        fs::symlink_metadata(&place).ok().filter(fs::Metadata::is_file)?;
        fs::read_to_string(place).ok()
    };
    let exported = tested::export(&exercise, &path.display().to_string(), &source, &cases, &read);
    let target = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-tested", exercise.name)));
    if let Err(status) = write(&target, &exported.files) {
        return status;
    }
    output::out(&format!("{}\n", target.join(tested::SUITE).display()));
    report(&exported.problems, "of the exercise not exported", &args.style)
}
