//! `keur fmt`.

use super::args::StyleArgs;
use super::exit::{RunStatus, library_error};
use super::output::{self, plural};
use crate::author::{FormatError, formatted};
use crate::writing;
use clap::Args;
use keur_core::case::{Library, LibraryError, MOST_TEXT, read_text, text_of};
use std::io;
use std::path::{Path, PathBuf};

/// What stands for standard input among the paths.
const STDIN: &str = "-";

#[derive(Args)]
pub(super) struct FmtArgs {
    /// Case and exercise files, or folders of exercises; `-` lays out standard input and prints it
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Only list the files that would change; exit code 1 if there are any
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    style: StyleArgs,
}

pub(super) fn run(args: &FmtArgs) -> RunStatus {
    let mut exit = RunStatus::Passed;
    let (mut seen, mut changed) = (0, 0);
    for path in &args.paths {
        let files = if path.is_dir() { Library::files(path) } else { Ok(vec![path.clone()]) };
        let files = match files {
            Ok(files) => files,
            Err(error) => {
                exit = exit.max(library_error(&error, &args.style));
                continue;
            }
        };
        seen += files.len();
        for file in files {
            match lay_out(&file, args.check) {
                Ok(changes) => changed += usize::from(changes),
                Err(FmtProblem::Library(error)) => exit = exit.max(library_error(&error, &args.style)),
                Err(FmtProblem::Keur(message)) => {
                    output::err(&format!("error: {message}\n"));
                    exit = exit.max(RunStatus::Fault);
                }
            }
        }
    }
    if changed > 0 && args.check {
        exit = exit.max(RunStatus::Failed);
        let word = plural(seen, "file");
        output::err(&format!(
            "{changed} of {seen} {word} would change; `keur fmt` without --check changes them\n"
        ));
    }
    exit
}

/// Why a file was not laid out.
enum FmtProblem {
    /// It cannot be read, or has an error.
    Library(LibraryError),
    /// keur failed.
    Keur(String),
}

/// Lays out a file and names it if it changes; `check` leaves it as it is.
fn lay_out(path: &Path, check: bool) -> Result<bool, FmtProblem> {
    let from_stdin = path.as_os_str() == STDIN;
    let shown = if from_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let read = if from_stdin { text_of(io::stdin().lock(), MOST_TEXT) } else { read_text(path) };
    let text = read.map_err(|source| FmtProblem::Library(LibraryError::unread(&shown, source)))?;
    let laid_out = formatted(&shown, &text).map_err(|error| match error {
        FormatError::Broken(errors) => FmtProblem::Library(LibraryError::Bad(vec![errors])),
        FormatError::Changed(_) => FmtProblem::Keur(error.to_string()),
    })?;
    let changes = laid_out != text;
    if from_stdin && !check {
        output::out(&laid_out);
        return Ok(changes);
    }
    if changes && !check {
        let unwritable = |error: io::Error| FmtProblem::Keur(format!("cannot write {shown}: {error}"));
        writing::write(path, laid_out).map_err(unwritable)?;
    }
    if changes {
        output::out(&format!("{shown}\n"));
    }
    Ok(changes)
}
