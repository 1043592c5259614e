//! `keur new case`.

use super::super::error::{CliError, CliResult};
use super::super::exit::RunStatus;
use super::super::{output, schema};
use crate::author::schemas::SchemaFolder;
use crate::author::started_case;
use crate::writing;
use clap::Args;
use keur_core::case::written::slug;
use keur_core::case::{Exercise, Library, LibraryError};
use std::io;
use std::path::{Path, PathBuf};

/// The path that means standard output.
const STDOUT: &str = "-";

#[derive(Args)]
pub(in crate::cli) struct CaseArgs {
    /// A built-in exercise, such as codenames, or the folder of an exercise
    exercise: PathBuf,
    /// The title of the case, which students read; in the language of the exercise's feedback
    #[arg(long)]
    title: String,
    /// The file to create, or `-` to print the case; by default a file in the exercise's folder, named after
    /// the title
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &CaseArgs) -> CliResult {
    let (exercise, folder) = described(&args.exercise)?;
    let title = args.title.trim();
    if title.is_empty() || title.contains(char::is_control) {
        let message = "a title is one line of text, such as --title 'A new board is empty'";
        return Err(CliError::Usage(message.to_owned()));
    }
    let path = args.output.clone().unwrap_or_else(|| folder.join(format!("{}.toml", slug(title))));
    let shown = path.display().to_string();
    if path.as_os_str() == STDOUT {
        output::out(&started_case(&exercise, title, "FILE"));
        return Ok(RunStatus::Passed);
    }
    let text = started_case(&exercise, title, &shown);
    belongs(&path, &exercise).map_err(CliError::Usage)?;
    let schemas = SchemaFolder::near(path.parent().unwrap_or(Path::new("")));
    let text = schemas.line(&file_name(&path)) + &text;
    writing::write_new(&path, &text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            CliError::Usage(format!("{shown} exists already; choose another title, or a file with -o"))
        }
        _ => CliError::write(&path)(error),
    })?;
    schema::provide(&schemas)?;
    output::out(&format!("{shown} has a case to fill in; it says how\n"));
    Ok(RunStatus::Passed)
}

/// The exercise that a path or the name of a built-in one means, and the folder of its cases.
fn described(exercise: &Path) -> Result<(Exercise, PathBuf), LibraryError> {
    if !exercise.is_dir() {
        let name = exercise.to_string_lossy();
        let described = Library::BuiltIn.describe(&name)?;
        // A folder of this name already is that of its cases.
        let here = std::env::current_dir().unwrap_or_default();
        let folder = if here.ends_with(&*name) { PathBuf::new() } else { PathBuf::from(&*name) };
        return Ok((described, folder));
    }
    let library = Library::Folder(exercise.to_owned());
    let names = library.names()?;
    match names.as_slice() {
        [name] => Ok((library.describe(name)?, exercise.to_owned())),
        _ => Err(LibraryError::Missing {
            message: format!("{} has several exercises", exercise.display()),
            help: Some(format!("name the folder of one: {}", names.join(", "))),
        }),
    }
}

/// Whether a case in this file is one of the exercise: its folder has the exercise's file or the name of a
/// built-in one.
fn belongs(path: &Path, exercise: &Exercise) -> Result<(), String> {
    let shown = path.display();
    if path.extension().is_none_or(|ending| ending != "toml") {
        return Err(format!("{shown}: the name of a case's file ends in .toml"));
    }
    let Some(own) = exercise.folder.as_deref() else {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let named = whole.parent().and_then(Path::file_name).is_some_and(|name| *name == *exercise.name);
        let described = path.with_file_name("exercise.toml").is_file();
        let help = format!(
            "a case of {0} belongs in a folder with this name, as in {0}/{1}",
            exercise.name,
            file_name(path)
        );
        return if named || described { Ok(()) } else { Err(format!("{shown}: {help}")) };
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let same =
        folder.canonicalize().ok().zip(own.canonicalize().ok()).is_some_and(|(one, other)| one == other);
    let help = format!("a case belongs in the folder of its exercise, {}", own.display());
    if same { Ok(()) } else { Err(format!("{shown}: {help}")) }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
