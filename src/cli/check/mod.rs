//! `keur check`.

mod json;
mod own;
mod problem;
mod watch;

use super::args::MachineArgs;
use super::args::one_of;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::log::LogText;
use crate::run::{GradeRequest, SEED, Submissions, samples};
use clap::Args;
use keur_core::adapter::Launcher;
use keur_core::case::{ExerciseReference, Library, Loaded, text_of};
use keur_core::grade::warnings;
use keur_core::hunt::SessionMaker;
use keur_core::judge::{check_case, reference_adapter};
use keur_core::named;
use own::OwnFiles;
use problem::Problem;
use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
pub(super) struct CheckArgs {
    /// Folders of exercises, an exercise's folder, or case files; the built-in cases by default. `-` reads a
    /// case from standard input
    paths: Vec<PathBuf>,
    /// Check only this exercise; for a case on standard input, its exercise: a built-in one, or a folder
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// The format of the result: terminal, or json for an editor
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<CheckFormat>(), default_value = "terminal")]
    format: CheckFormat,
    /// Check again when a file is saved, and show what changed; Ctrl-C ends
    #[arg(long, conflicts_with = "format")]
    watch: bool,
    #[command(flatten)]
    machine: MachineArgs,
}

/// The formats of the result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckFormat {
    /// For a person.
    Terminal,
    /// For an editor or a script.
    Json,
}

named!(CheckFormat { Terminal = "terminal", Json = "json" });

/// The path that means standard input.
const STDIN: &str = "-";

/// The largest case that is read from standard input, in bytes: what a file of a case may have.
const MOST_BYTES: usize = 1 << 20;

impl CheckArgs {
    /// Whether the case comes from standard input.
    fn is_stdin(&self) -> bool {
        self.paths == [Path::new(STDIN)]
    }
}

pub(super) fn run(args: &CheckArgs) -> CliResult {
    if args.watch {
        match watch::watch(args)? {}
    }
    let checked = check_all(args);
    match args.format {
        CheckFormat::Terminal => show(&checked),
        CheckFormat::Json => {
            let text = json::text(&checked).map_err(|error| CliError::fault(error.to_string()))?;
            output::out_as(LogText::Json, &text);
        }
    }
    Ok(checked.status())
}

/// The result of a check.
#[derive(Default)]
struct Checked {
    /// The cases that were checked against a reference, and those of exercises that have none.
    with_reference: Total,
    without_reference: Total,
    right_samples: usize,
    wrong_samples: usize,
    problems: Vec<Problem>,
}

impl Checked {
    /// The exit code.
    fn status(&self) -> RunStatus {
        self.problems.iter().map(|problem| problem.status).max().unwrap_or(RunStatus::Passed)
    }

    fn cases(&self) -> usize {
        self.with_reference.cases + self.without_reference.cases
    }
}

/// Checks all that the arguments name.
fn check_all(args: &CheckArgs) -> Checked {
    let mut checked = Checked::default();
    let mut own = OwnFiles { machine: &args.machine, shown: BTreeSet::new(), problems: Vec::new() };
    for (loaded, whole) in sources(args) {
        let loaded = match loaded {
            Ok(loaded) => Arc::new(loaded),
            Err(error) => {
                own.problems.extend(Problem::of_error(&error));
                continue;
            }
        };
        let has_reference = loaded.exercise.reference.is_some();
        let total = if has_reference { &mut checked.with_reference } else { &mut checked.without_reference };
        total.exercises += 1;
        total.cases += loaded.cases.len();
        check(&loaded, &mut own);
        if !whole {
            continue;
        }
        match samples(&loaded) {
            Ok(samples) => {
                own.check_samples(&loaded, &samples);
                checked.right_samples += samples.iter().filter(|sample| sample.right).count();
                checked.wrong_samples += samples.iter().filter(|sample| !sample.right).count();
            }
            Err(error) => own.problems.extend(Problem::of_error(&error.into())),
        }
    }
    checked.problems = own.problems;
    if checked.problems.iter().all(Problem::is_warning) && checked.cases() == 0 {
        let message = "no cases found; a case is a TOML file beside an exercise.toml";
        checked.problems.extend(Problem::of_error(&CliError::BadCase(message.to_owned())));
    }
    checked
}

/// Shows the problems, or what was found to be right.
fn show(checked: &Checked) {
    checked.problems.iter().for_each(|problem| output::err(&problem.text));
    if checked.status() != RunStatus::Passed {
        let in_files = checked.problems.iter().filter(|problem| !problem.is_warning());
        let files: Vec<&str> = in_files.filter_map(|problem| problem.file.as_deref()).collect();
        let count = files.len();
        let distinct = files.into_iter().collect::<BTreeSet<_>>().len();
        if count > 0 {
            let errors = plural(count, "error");
            output::err(&format!("{count} {errors} in {distinct} {}\n", plural(distinct, "file")));
        }
        return;
    }
    let Checked { with_reference, without_reference, right_samples, wrong_samples, .. } = checked;
    if with_reference.cases > 0 {
        output::out(&format!("{with_reference}: the reference agrees with each\n"));
    }
    if without_reference.cases > 0 {
        output::out(&format!(
            "{without_reference}: well formed; without a reference, what they expect is not checked\n"
        ));
    }
    let all = right_samples + wrong_samples;
    if all > 0 {
        let word = plural(all, "sample");
        output::out(&format!(
            "{all} {word}: {right_samples} right and {wrong_samples} wrong, as each should be\n"
        ));
    }
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
type CheckedExercise = (Result<Loaded, CliError>, bool);

/// The exercises to check: the built-in ones, or those in the given folders and files.
fn sources(args: &CheckArgs) -> Vec<CheckedExercise> {
    let of_library = |library: Library| -> Vec<CheckedExercise> {
        let found = match (&args.exercise, library.names()) {
            (Some(name), _) => vec![library.load(name)],
            (None, Ok(names)) => names.iter().map(|name| library.load(name)).collect(),
            (None, Err(error)) => vec![Err(error)],
        };
        found.into_iter().map(|loaded| (loaded.map_err(CliError::from), true)).collect()
    };
    if args.is_stdin() {
        return vec![(from_stdin(args), false)];
    }
    if args.paths.is_empty() {
        return of_library(Library::BuiltIn);
    }
    if args.paths.iter().any(|path| path == Path::new(STDIN)) {
        let message = "`-` reads one case from standard input, and takes no other path; name its exercise with \
                       --exercise: keur check - --exercise codenames";
        return vec![(Err(CliError::Usage(message.to_owned())), false)];
    }
    args.paths
        .iter()
        .flat_map(|path: &PathBuf| {
            if path.is_dir() {
                of_library(Library::Folder(path.clone()))
            } else {
                vec![(Library::load_file(path).map_err(CliError::from), false)]
            }
        })
        .collect()
}

/// The case on standard input, with its exercise.
///
/// # Errors
/// No exercise is named, there is none, or the text cannot be read or has errors.
fn from_stdin(args: &CheckArgs) -> Result<Loaded, CliError> {
    let Some(exercise) = &args.exercise else {
        let message = "name the exercise of the case on standard input: --exercise codenames, or its folder";
        return Err(CliError::Usage(message.to_owned()));
    };
    let text = text_of(io::stdin().lock(), MOST_BYTES)
        .map_err(|error| CliError::Usage(format!("standard input: {error}")))?;
    Ok(Library::load_text(Path::new(exercise), STDIN, text)?)
}

fn check(loaded: &Arc<Loaded>, own: &mut OwnFiles<'_>) {
    // The rows of a file share their steps.
    let mut seen = BTreeSet::new();
    for warning in loaded.cases.iter().flat_map(|case| warnings(&loaded.exercise, case)) {
        if seen.insert(warning.to_string()) {
            own.problems.push(Problem::of_warning(&warning));
        }
    }
    match &loaded.exercise.reference {
        None => {}
        Some(ExerciseReference::Own(paths)) => own.check_references(loaded, paths),
        Some(ExerciseReference::BuiltIn(_)) => match check_built_in(loaded, own.machine) {
            Ok(problems) => own.problems.extend(problems),
            Err(error) => own.problems.extend(Problem::of_error(&error)),
        },
    }
}

/// Checks the cases of an exercise against a built-in game. Its own checks run as `machine` says.
fn check_built_in(loaded: &Loaded, machine: &MachineArgs) -> Result<Vec<Problem>, CliError> {
    let exercise = &loaded.exercise;
    let mut adapter = reference_adapter(exercise).map_err(|fault| CliError::BadCase(fault.to_string()))?;
    let mut request = GradeRequest::new(Submissions::default());
    machine.apply(&mut request)?;
    request.check_tier()?;
    let mut launcher = Launcher::new(request.tier, SEED);
    let mut problems = Vec::new();
    let maker = SessionMaker { loaded, references: None, interpreters: &request.interpreters };
    for case in &loaded.cases {
        if let Some(random) = &case.random
            && let Err(error) = maker.cases(case, random, &mut launcher)
        {
            problems.extend(Problem::of_error(&CliError::BadCase(error.to_string())));
        }
        if let Err(error) = check_case(exercise, case, &mut adapter, &request.interpreters, &mut launcher) {
            problems.push(Problem::of_disagreement(&error, None));
        }
    }
    Ok(problems)
}
