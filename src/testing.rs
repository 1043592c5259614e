//! Test programs for instructors: `cargo test` grades a submission, and each case is a test.
//!
//! keur's own `tests/grade.rs` and the tests of a course's folder, which `keur new exercise --cargo` writes, consist
//! of one call. The environment says what to grade:
//!
//! | variable | meaning |
//! |---|---|
//! | `SUBMISSION` | a submission, or a folder of many; if it is not set, the references are graded |
//! | `CASES` | a folder of exercises, in place of the program's own |
//! | `EXERCISE` | the exercise; by default it is determined from the submission |
//! | `RULINGS` | `1`: the cases that depend on a ruling count too |
//!
//! A relative path counts from the folder in which cargo was called (`PWD`), else from that of the package.
//!
//! ```no_run
//! # #![allow(clippy::needless_doctest_main)]
//! fn main() -> std::process::ExitCode {
//!     keur::testing::cases_of(env!("CARGO_MANIFEST_DIR"))
//! }
//! ```

use crate::log;
use crate::run::{self, GradeRequest, TestReader};
use keur_core::adapter::Launcher;
use keur_core::case::{Case, ExerciseReference, Library, Loaded, near};
use keur_core::compare::diff::visible;
use keur_core::judge::{check_case, reference_adapter, reference_path};
use keur_core::languages::{Interpreters, LANGUAGES};
use keur_core::report::Audience;
use keur_core::report::words::Caller;
use keur_core::testing::{REFERENCE, Suite, Suites, Ungraded};
use keur_sandbox::Tier;
use libtest_mimic::{Arguments, Trial};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// The variables that name what to grade.
const SUBMISSION: &str = "SUBMISSION";
const CASES: &str = "CASES";
const EXERCISE: &str = "EXERCISE";
const RULINGS: &str = "RULINGS";

/// A variable that is not keur's, but that some expect to select cases.
const CASE: &str = "CASE";

/// The exit code if nothing can be graded.
const CANNOT_RUN: u8 = 2;

/// Runs the tests of a submission for a built-in exercise. The whole of a test program's `main`.
///
/// The exit code is cargo's: 0 if every test passed, 101 if one failed; 2 if nothing can be graded.
pub fn built_in_cases() -> ExitCode {
    test(Library::BuiltIn)
}

/// Runs the tests of a submission for an exercise in `folder`: a folder with one folder per exercise, or a
/// folder that is one exercise. The whole of a test program's `main`.
///
/// The exit code is that of [`built_in_cases`].
pub fn cases_of(folder: impl Into<PathBuf>) -> ExitCode {
    test(Library::Folder(folder.into()))
}

/// The reader of cargo's output.
const READER: TestReader = TestReader { audience: Audience::Instructor, caller: Caller::Cargo };

/// The tests of a run.
#[derive(Default)]
struct Tests {
    suites: Vec<Suite>,
    ungraded: Vec<Ungraded>,
    /// The tests of references that are built into keur.
    references: Vec<Trial>,
}

fn test(own: Library) -> ExitCode {
    let arguments = Arguments::from_args();
    match tests(own, &arguments) {
        Ok(tests) => {
            Suites::printed_as(log::printable, tests.suites, tests.ungraded, arguments).run(tests.references)
        }
        Err(message) => {
            tell(&format!("error: {message}"));
            ExitCode::from(CANNOT_RUN)
        }
    }
}

/// The tests that the environment and the arguments ask for.
///
/// # Errors
/// A path does not exist, a submission cannot be opened, or a case has an error.
fn tests(own: Library, arguments: &Arguments) -> Result<Tests, String> {
    let names: Vec<String> = env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    let library = cases()?.map_or(own, Library::Folder);
    let submission = submission()?;
    for (name, meant) in misspelt(&names) {
        if meant == SUBMISSION && submission.is_none() {
            return Err(format!(
                "{name} is set, but not {SUBMISSION}; a submission is named by {SUBMISSION}"
            ));
        }
        tell(&format!("note: {name} is set and means nothing here; is {meant} meant?"));
    }
    if let Some(case) = value(CASE) {
        tell(&format!(
            "note: {CASE} is set and means nothing here; cases are selected by the names of their tests: cargo test {case}"
        ));
    }
    let Some(submission) = submission else { return references(library, arguments) };
    let request = request(submission, library, value(EXERCISE));
    let found = run::suites(request, arguments, READER).map_err(|error| error.for_caller(Caller::Cargo))?;
    Ok(Tests { suites: found.suites, ungraded: found.ungraded, ..Tests::default() })
}

fn request(submission: PathBuf, library: Library, exercise: Option<String>) -> GradeRequest {
    let mut request = GradeRequest::new(submission);
    request.library = library;
    request.exercise = exercise;
    request.settings.rulings = value(RULINGS).is_some_and(|value| is_on(&value));
    request
}

/// The tests of the references of the exercises in `library`.
fn references(library: Library, arguments: &Arguments) -> Result<Tests, String> {
    let loaded = match value(EXERCISE) {
        Some(name) => library.load(&name).map(|loaded| vec![loaded]),
        None => library.load_all(),
    };
    let mut tests = Tests::default();
    for loaded in loaded.map_err(|error| error.to_string())? {
        let name = loaded.exercise.name.clone();
        match &loaded.exercise.reference {
            Some(ExerciseReference::BuiltIn(_)) => tests.references.extend(reference_trials(loaded)),
            Some(ExerciseReference::Own(paths)) => {
                let language = LANGUAGES.iter().find(|language| paths.contains_key(language.name));
                let language = language.map_or("", |language| language.name);
                let path = reference_path(&loaded.exercise, language).map_err(|error| error.to_string())?;
                let suite = run::suite(request(path, library.clone(), Some(name)), READER)
                    .map_err(|error| error.for_caller(Caller::Cargo))?;
                tests.suites.push(suite.of_reference());
            }
            None => tell(&format!(
                "note: {name} has no reference, so its cases are tested with a submission only"
            )),
        }
    }
    if tests.suites.is_empty() && tests.references.is_empty() {
        return Err(format!("there is nothing to grade; name a submission: {SUBMISSION}=path/to/file"));
    }
    if !arguments.list {
        tell(&format!(
            "note: {SUBMISSION} is not set, so the references are graded; to grade a submission: \
             {SUBMISSION}=path/to/file cargo test"
        ));
    }
    Ok(tests)
}

/// A test for each case of an exercise on its reference, which is built into keur.
fn reference_trials(loaded: Loaded) -> impl Iterator<Item = Trial> {
    let loaded = Arc::new(loaded);
    (0..loaded.cases.len()).map(move |index| {
        let loaded = Arc::clone(&loaded);
        Trial::test(test_name(&loaded, &loaded.cases[index]), move || {
            let mut adapter = reference_adapter(&loaded.exercise)?;
            let mut launcher = Launcher::new(Tier::default(), 0);
            let case = &loaded.cases[index];
            Ok(check_case(&loaded.exercise, case, &mut adapter, &Interpreters::default(), &mut launcher)?)
        })
    })
}

fn test_name(loaded: &Loaded, case: &Case) -> String {
    format!("{REFERENCE}::{}::{}", loaded.exercise.name, case.name)
}

/// Whether the value of a variable turns something on.
fn is_on(value: &str) -> bool {
    !["", "0", "false", "no", "off"].contains(&value.to_lowercase().as_str())
}

/// The value of a variable; `None` if it is not set, or empty.
fn value(variable: &str) -> Option<String> {
    let value = env::var_os(variable)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.is_empty())
}

/// The path of the submission; `None` if the variable is not set.
///
/// # Errors
/// There is nothing at the path, or the variable is empty.
fn submission() -> Result<Option<PathBuf>, String> {
    if env::var_os(SUBMISSION).is_some_and(|value| value.is_empty()) {
        return Err(format!(
            "{SUBMISSION} is set, but empty; name a submission: {SUBMISSION}=path/to/file, or unset it to grade the references"
        ));
    }
    path(SUBMISSION)
}

/// The folder of exercises.
///
/// # Errors
/// There is no folder at the path.
fn cases() -> Result<Option<PathBuf>, String> {
    match path(CASES)? {
        Some(file) if !file.is_dir() => {
            Err(format!("{CASES}: {} is not a folder; name a folder of exercises", file.display()))
        }
        folder => Ok(folder),
    }
}

/// The path that a variable names; `None` if it is not set, or empty.
///
/// # Errors
/// There is nothing at the path.
fn path(variable: &str) -> Result<Option<PathBuf>, String> {
    let Some(path) = env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from) else {
        return Ok(None);
    };
    // Cargo runs tests in the folder of their package.
    let called_in = env::var_os("PWD").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let package = env::current_dir().ok();
    let mut folders: Vec<PathBuf> = called_in.into_iter().chain(package).collect();
    folders.dedup();
    let Some(folder) = folders.iter().find(|folder| folder.join(&path).exists()) else {
        return Err(not_found(variable, &path, &folders));
    };
    let found = folder.join(&path);
    if folders.first() != Some(folder) {
        let place = not_found(variable, &path, &folders[..1]);
        tell(&format!("note: {place}, so {} is taken", found.display()));
    }
    Ok(Some(found))
}

fn not_found(variable: &str, path: &Path, folders: &[PathBuf]) -> String {
    let message = format!("{variable}: {} does not exist", visible(&path.display().to_string(), false));
    if path.is_absolute() {
        return message;
    }
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("{message} in {}", folders.join(" or in "))
}

/// The variables of these names that are nearly one of keur's, each with the one that is probably meant.
fn misspelt(names: &[String]) -> Vec<(&str, &'static str)> {
    let known = [SUBMISSION, CASES, EXERCISE, RULINGS];
    // Other programs have variables such as SUBMISSION_ID.
    let is_longer = |name: &str| {
        let rest = known.iter().find_map(|known| name.strip_prefix(known));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let unknown = names.iter().filter(|name| *name != CASE && !is_longer(name));
    unknown.filter_map(|name| Some((name.as_str(), near(name, known)?))).collect()
}

#[expect(clippy::print_stderr, reason = "a test program tells on the terminal what it grades")]
fn tell(message: &str) {
    eprintln!("{}", log::printable(&log::visible_lines(message)));
}
