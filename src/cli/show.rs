//! `keur show`.

use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use crate::author;
use crate::log::visible_lines;
use clap::Args;
use keur_core::case::{Library, LibraryError, Loaded};
use keur_core::languages::{self, Language};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct ShowArgs {
    /// Case files, or folders of exercises
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// The language of the sessions: python, javascript, typescript, java, cpp, c or rust; by default that of the
    /// exercise's own sessions
    #[arg(long = "in", value_name = "LANGUAGE", value_parser = known)]
    language: Option<&'static Language>,
}

fn known(name: &str) -> Result<&'static Language, String> {
    let names = || languages::LANGUAGES.iter().map(|language| language.name).collect::<Vec<_>>();
    languages::find(name).ok_or_else(|| format!("expected one of: {}", names().join(", ")))
}

pub(super) fn run(args: &ShowArgs) -> CliResult {
    let mut status = RunStatus::Passed;
    let mut texts = Vec::new();
    for loaded in args.paths.iter().flat_map(|path| exercises(path)) {
        match loaded.map_err(CliError::from).and_then(|loaded| session(args, &loaded)) {
            Ok(text) => texts.push(text),
            Err(error) => status = status.max(error.show()),
        }
    }
    output::out(&visible_lines(&texts.join("\n")));
    Ok(status)
}

/// The cases of an exercise as sessions.
fn session(args: &ShowArgs, loaded: &Loaded) -> Result<String, CliError> {
    let Loaded { exercise, cases } = loaded;
    let language = match args.language {
        Some(language) => language,
        None => language_of(exercise.session.language(), &exercise.name)?,
    };
    Ok(author::show(exercise, cases, language))
}

/// The language of an exercise's own sessions.
fn language_of(name: &str, exercise: &str) -> Result<&'static Language, CliError> {
    languages::find(name).ok_or_else(|| {
        let help = "choose a language with --in";
        CliError::fault(format!("{exercise}: keur shows no sessions in {name}, as its own are; {help}"))
    })
}

/// The cases of a path: those of one file, or of each exercise in a folder.
fn exercises(path: &Path) -> Vec<Result<Loaded, LibraryError>> {
    if !path.is_dir() {
        return vec![Library::load_file(path)];
    }
    let library = Library::Folder(path.to_owned());
    match library.names() {
        Ok(names) => names.iter().map(|name| library.load(name)).collect(),
        Err(error) => vec![Err(error)],
    }
}

#[cfg(test)]
mod tests {
    use super::language_of;
    use crate::cli::exit::RunStatus;

    #[test]
    fn a_session_without_a_notation_is_an_error_that_says_so() {
        assert!(language_of("python", "bank").is_ok());
        let error = language_of("cobol", "bank").unwrap_err();
        assert_eq!(error.status(), RunStatus::Fault);
        assert_eq!(
            error.to_string(),
            "bank: keur shows no sessions in cobol, as its own are; choose a language with --in"
        );
    }
}
