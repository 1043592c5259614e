//! `keur check`.

mod own;

use super::args::MachineArgs;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::run::{GradeRequest, SEED, Submissions, samples};
use clap::Args;
use keur_core::adapter::Launcher;
use keur_core::case::{ExerciseReference, Library, LibraryError, Loaded};
use keur_core::grade::{check_case, reference_adapter, warnings};
use own::OwnFiles;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args)]
pub(super) struct CheckArgs {
    /// Folders of exercises, an exercise's folder, or case files; the built-in cases by default
    paths: Vec<PathBuf>,
    /// Check only this exercise
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    #[command(flatten)]
    machine: MachineArgs,
}

pub(super) fn run(args: &CheckArgs) -> CliResult {
    let mut status = RunStatus::Passed;
    // Checked against a reference, and those that have none.
    let (mut checked, mut formed) = (Total::default(), Total::default());
    let (mut right, mut wrong) = (0, 0);
    let mut own = OwnFiles { machine: &args.machine, shown: BTreeSet::new() };
    for (loaded, whole) in sources(args) {
        let loaded = match loaded {
            Ok(loaded) => Arc::new(loaded),
            Err(error) => {
                status = status.max(CliError::from(error).show());
                continue;
            }
        };
        let total = if loaded.exercise.reference.is_some() { &mut checked } else { &mut formed };
        total.exercises += 1;
        total.cases += loaded.cases.len();
        status = status.max(check(&loaded, &mut own));
        if !whole {
            continue;
        }
        match samples(&loaded) {
            Ok(samples) => {
                status = status.max(own.check_samples(&loaded, &samples));
                right += samples.iter().filter(|sample| sample.right).count();
                wrong += samples.iter().filter(|sample| !sample.right).count();
            }
            Err(error) => status = status.max(CliError::from(error).show()),
        }
    }
    if status != RunStatus::Passed {
        return Ok(status);
    }
    if checked.cases + formed.cases == 0 {
        let message = "no cases found; a case is a TOML file beside an exercise.toml";
        return Err(CliError::BadCase(message.to_owned()));
    }
    if checked.cases > 0 {
        output::out(&format!("{checked}: the reference agrees with each\n"));
    }
    if formed.cases > 0 {
        output::out(&format!(
            "{formed}: well formed; without a reference, what they expect is not checked\n"
        ));
    }
    let all = right + wrong;
    if all > 0 {
        let word = plural(all, "sample");
        output::out(&format!("{all} {word}: {right} right and {wrong} wrong, as each should be\n"));
    }
    Ok(status)
}

/// Cases, and the exercises that they belong to.
#[derive(Default)]
struct Total {
    cases: usize,
    exercises: usize,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { cases, exercises } = self;
        let (case_word, exercise_word) = (plural(*cases, "case"), plural(*exercises, "exercise"));
        write!(f, "{cases} {case_word} of {exercises} {exercise_word}")
    }
}

/// An exercise, and whether with all its cases.
type CheckedExercise = (Result<Loaded, LibraryError>, bool);

/// The exercises to check: the built-in ones, or those in the given folders and files.
fn sources(args: &CheckArgs) -> Vec<CheckedExercise> {
    let of_library = |library: Library| -> Vec<CheckedExercise> {
        let found = match (&args.exercise, library.names()) {
            (Some(name), _) => vec![library.load(name)],
            (None, Ok(names)) => names.iter().map(|name| library.load(name)).collect(),
            (None, Err(error)) => vec![Err(error)],
        };
        found.into_iter().map(|loaded| (loaded, true)).collect()
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
                vec![(Library::load_file(path), false)]
            }
        })
        .collect()
}

fn check(loaded: &Arc<Loaded>, own: &mut OwnFiles<'_>) -> RunStatus {
    // The rows of a file share their steps.
    let mut said = BTreeSet::new();
    for warning in loaded.cases.iter().flat_map(|case| warnings(&loaded.exercise, case)) {
        let warning = warning.to_string();
        if said.insert(warning.clone()) {
            output::err(&warning);
        }
    }
    match &loaded.exercise.reference {
        None => RunStatus::Passed,
        Some(ExerciseReference::Own(paths)) => own.check_references(loaded, paths),
        Some(ExerciseReference::BuiltIn(_)) => {
            check_built_in(loaded, own.machine).unwrap_or_else(|error| error.show())
        }
    }
}

/// Checks the cases of an exercise against a built-in game. Its own checks run as `machine` says.
fn check_built_in(loaded: &Loaded, machine: &MachineArgs) -> CliResult {
    let exercise = &loaded.exercise;
    let mut adapter = reference_adapter(exercise).map_err(|fault| CliError::BadCase(fault.to_string()))?;
    let mut request = GradeRequest::new(Submissions::default());
    machine.apply(&mut request)?;
    request.check_tier()?;
    let mut launcher = Launcher::new(request.tier, SEED);
    let mut exit = RunStatus::Passed;
    for case in &loaded.cases {
        if let Err(error) = check_case(exercise, case, &mut adapter, &request.interpreters, &mut launcher) {
            output::err(&format!("{error}\n"));
            exit = RunStatus::BadCase;
        }
    }
    Ok(exit)
}
