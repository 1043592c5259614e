//! The test suites of a path: one submission, or a folder of many.

use super::{GradeRequest, RequestError, Run};
use keur_core::case::Exercise;
use keur_core::compare::diff::visible;
use keur_core::event::{ExerciseError, RunError};
use keur_core::messages::Lang;
use keur_core::report::Audience;
use keur_core::report::words::{Caller, Words};
use keur_core::submission;
use keur_core::submission::opened::{EntriesError, Opened};
use keur_core::testing::{Suite, Ungraded};
use libtest_mimic::Arguments;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A reason why there are no suites.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuitesError {
    /// The run cannot start.
    #[error("{0}")]
    Request(#[source] RequestError),
    /// The path, or an entry of it, cannot be graded.
    #[error("{}", unsuitable(.0, .1, Caller::CommandLine))]
    Run(PathBuf, #[source] RunError),
    /// A folder of submissions cannot be read.
    #[error("{0}")]
    Folder(#[source] EntriesError),
}

impl SuitesError {
    /// The error for `caller`.
    pub(crate) fn for_caller(&self, caller: Caller) -> String {
        match self {
            // The errors are not withheld: cargo is a tool of instructors.
            SuitesError::Run(_, RunError::Exercise(ExerciseError::Files { errors, .. })) => {
                errors.to_string()
            }
            SuitesError::Run(path, error) => unsuitable(path, error, caller),
            SuitesError::Request(_) | SuitesError::Folder(_) => self.to_string(),
        }
    }
}

/// Why the submission at `path` cannot be graded, with the path if the error does not name it.
fn unsuitable(path: &Path, error: &RunError, caller: Caller) -> String {
    let sentence = Words::new(Lang::En).error_for(caller, error);
    match error {
        RunError::Nothing(_) | RunError::UnclearExercise(_) => format!("{}: {sentence}", path.display()),
        _ => sentence,
    }
}

/// The reader of what tests print.
#[derive(Clone, Copy, Debug)]
pub struct TestReader {
    /// Who may read what of a test that fails.
    pub audience: Audience,
    /// The caller, whose names of options messages use.
    pub caller: Caller,
}

/// The suites of a path.
#[derive(Default)]
pub struct FoundSuites {
    /// A suite for each submission.
    pub suites: Vec<Suite>,
    /// The entries of a folder that cannot be graded.
    pub ungraded: Vec<Ungraded>,
}

/// The suites of the requested path that have tests with these arguments: one submission, or a folder with one
/// in each entry.
///
/// # Errors
/// The run cannot start, an exercise has an error, or the only submission cannot be graded.
pub fn suites(
    request: GradeRequest,
    arguments: &Arguments,
    reader: TestReader,
) -> Result<FoundSuites, SuitesError> {
    let run = Run::new(request).map_err(SuitesError::Request)?;
    let path = run.request.subject.paths().swap_remove(0);
    if !path.is_dir() {
        return Ok(FoundSuites { suites: vec![run.only_suite(&path, reader)?], ..FoundSuites::default() });
    }
    let entries = submission::opened::entries(&path).map_err(SuitesError::Folder)?;
    if !run.is_class(&path, &entries) {
        return Ok(FoundSuites { suites: vec![run.only_suite(&path, reader)?], ..FoundSuites::default() });
    }
    let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
    let names = submission::opened::distinct_names(&shown);
    // A runner that starts a process for each test names the test in full.
    let exact = arguments.filter.as_ref().filter(|_| arguments.exact);
    let is_asked = |name: &str| exact.is_none_or(|test| is_test_of(test, name));
    let mut found = FoundSuites::default();
    for (entry, name) in entries.iter().zip(names).filter(|(_, name)| is_asked(name)) {
        match run.suite(entry, &name, reader) {
            Ok(suite) => found.suites.push(suite.among_others()),
            // No other submission would be graded either.
            Err(error @ (RunError::Exercise(_) | RunError::Selection(_))) => {
                return Err(SuitesError::Run(entry.clone(), error));
            }
            Err(error) => found.ungraded.push(run.ungraded_test(name, &error, reader)),
        }
    }
    Ok(found)
}

/// The suite of the requested path, which is one submission.
///
/// # Errors
/// The run cannot start, the exercise has an error, or the submission cannot be graded.
pub fn suite(request: GradeRequest, reader: TestReader) -> Result<Suite, SuitesError> {
    let run = Run::new(request).map_err(SuitesError::Request)?;
    let path = run.request.subject.paths().swap_remove(0);
    run.only_suite(&path, reader)
}

impl Run {
    /// Whether a folder with these entries holds submissions rather than being one: it is not one by the files
    /// that lie in it, and entries are answers.
    fn is_class(&self, path: &Path, entries: &[PathBuf]) -> bool {
        if self.answers(path, |opened, exercise| opened.is_one(exercise)) {
            return false;
        }
        let is_answer = |entry: &&PathBuf| self.answers(entry, |opened, exercise| opened.is_answer(exercise));
        let mut answers = entries.iter().filter(is_answer);
        match (answers.next(), answers.next()) {
            (None, _) => false,
            // The files of one submission may be in a folder beside others.
            (Some(only), None) if only.is_dir() => entries.len() == 1,
            (Some(_), _) => true,
        }
    }

    /// Whether there is something at `path` that answers an exercise, in this `way`.
    fn answers(&self, path: &Path, way: impl Fn(&Opened, &Exercise) -> bool) -> bool {
        let exercises: Vec<&Exercise> = self.exercises.iter().collect();
        let Ok(opened) = submission::opened::open(path) else { return false };
        let exercise = match exercises.as_slice() {
            [only] => Ok(*only),
            several => self.builder.exercise(&opened, several),
        };
        exercise.is_ok_and(|exercise| way(&opened, exercise))
    }

    fn only_suite(&self, path: &Path, reader: TestReader) -> Result<Suite, SuitesError> {
        let name = submission::opened::distinct_names(&[path]).swap_remove(0);
        self.suite(path, &name, reader).map_err(|error| SuitesError::Run(path.to_owned(), error))
    }

    fn suite(&self, path: &Path, name: &str, reader: TestReader) -> Result<Suite, RunError> {
        let (loaded, submission) = self.open(path, None)?;
        let tools = self.request.build.tools.clone();
        let suite = Suite::new(name, loaded, submission, self.request.settings.clone(), tools);
        Ok(suite.with_references(Arc::clone(&self.references)).for_audience(reader.audience))
    }

    /// The test of an entry that cannot be graded, in the language of the exercise if there is only one.
    fn ungraded_test(&self, name: String, error: &RunError, reader: TestReader) -> Ungraded {
        let lang = match self.exercises.as_slice() {
            [only] => only.lang,
            _ => Lang::En,
        };
        let reason = Words::new(lang).error_for(reader.caller, error);
        Ungraded { name, reason, is_fault: matches!(error, RunError::Fault(_)) }
    }
}

/// Whether a test of this name is one of the submission `name`.
fn is_test_of(test: &str, name: &str) -> bool {
    let name = visible(name, false);
    test.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with("::"))
}
