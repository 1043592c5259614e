//! `keur check`.

use super::args::StyleArgs;
use super::exit::{RunStatus, library_error};
use super::output::{self, plural};
use crate::case::{Library, LibraryError, Loaded};
use crate::grade::{check_case, reference_adapter, warnings};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct CheckArgs {
    /// Folders of exercises, an exercise's folder, or case files; the built-in cases by default
    paths: Vec<PathBuf>,
    /// Only this exercise
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
}

pub(super) fn run(args: &CheckArgs) -> RunStatus {
    let mut exit = RunStatus::Passed;
    let (mut cases, mut exercises) = (0, 0);
    for loaded in sources(args) {
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                exit = exit.max(library_error(&error, &args.style));
                continue;
            }
        };
        exercises += 1;
        cases += loaded.cases.len();
        exit = exit.max(check(&loaded));
    }
    if cases == 0 && exit == RunStatus::Passed {
        output::err("error: no cases found; a case is a TOML file beside an exercise.toml\n");
        return RunStatus::BadCase;
    }
    if exit == RunStatus::Passed {
        let (case_word, exercise_word) = (plural(cases, "case"), plural(exercises, "exercise"));
        output::out(&format!(
            "{cases} {case_word} of {exercises} {exercise_word}: the reference agrees with each\n"
        ));
    }
    exit
}

/// The exercises to check: the built-in ones, or those in the given folders and files.
fn sources(args: &CheckArgs) -> Vec<Result<Loaded, LibraryError>> {
    let of_library = |library: Library| -> Vec<Result<Loaded, LibraryError>> {
        match (&args.exercise, library.names()) {
            (Some(name), _) => vec![library.load(name)],
            (None, Ok(names)) => names.iter().map(|name| library.load(name)).collect(),
            (None, Err(error)) => vec![Err(error)],
        }
    };
    if args.paths.is_empty() {
        return of_library(Library::BuiltIn);
    }
    args.paths
        .iter()
        .flat_map(|path: &PathBuf| {
            if path.is_dir() {
                of_library(Library::Folder(path.clone()))
            } else {
                vec![Library::load_file(path)]
            }
        })
        .collect()
}

fn check(loaded: &Loaded) -> RunStatus {
    for warning in loaded.cases.iter().flat_map(|case| warnings(&loaded.exercise, case)) {
        output::err(&warning.to_string());
    }
    let mut adapter = match reference_adapter(&loaded.exercise) {
        Ok(adapter) => adapter,
        Err(fault) => {
            output::err(&format!("error: {fault}\n"));
            return RunStatus::BadCase;
        }
    };
    let mut exit = RunStatus::Passed;
    for case in &loaded.cases {
        if let Err(error) = check_case(&loaded.exercise, case, &mut adapter) {
            output::err(&format!("{error}\n"));
            exit = RunStatus::BadCase;
        }
    }
    exit
}
