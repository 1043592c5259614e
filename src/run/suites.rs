//! The test suites of a path: one submission, or a folder of many.

use super::{GradeRequest, RequestError, Run};
use keur_core::case::Exercise;
use keur_core::compare::diff::visible;
use keur_core::event::RunError;
use keur_core::report::Audience;
use keur_core::submission;
use keur_core::submission::opened::{EntriesError, Opened};
use keur_core::testing::Suite;
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
    /// The path cannot be graded.
    #[error("{0}")]
    Run(#[source] RunError),
    /// An entry of the folder cannot be graded.
    #[error("{}: {}", .0.display(), .1)]
    Entry(PathBuf, #[source] RunError),
    /// A folder of submissions cannot be read.
    #[error("{0}")]
    Folder(#[source] EntriesError),
}

/// The suites of the requested path that have tests with these arguments: one submission, or a folder with one
/// in each entry.
///
/// Entries with nothing to grade are skipped. The tests say how they fail as `audience` may read it.
///
/// # Errors
/// The run cannot start, there is nothing, the exercise cannot be determined and was not named, or a crate
/// cannot be built.
pub fn suites(
    request: GradeRequest,
    arguments: &Arguments,
    audience: Audience,
) -> Result<Vec<Suite>, SuitesError> {
    let run = Run::new(request).map_err(SuitesError::Request)?;
    let path = run.request.subject.paths().swap_remove(0);
    if !run.is_class(&path) {
        let name = submission::opened::distinct_names(&[&path]).swap_remove(0);
        return Ok(vec![run.suite(&path, name, audience).map_err(SuitesError::Run)?]);
    }
    let entries = submission::opened::entries(&path).map_err(SuitesError::Folder)?;
    let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
    let names = submission::opened::distinct_names(&shown);
    // A runner that starts a process for each test names the test in full.
    let exact = arguments.filter.as_ref().filter(|_| arguments.exact);
    let is_asked = |name: &str| exact.is_none_or(|test| is_test_of(test, name));
    let asked = entries.iter().zip(names).filter(|(_, name)| is_asked(name));
    let suites = asked.map(|(entry, name)| match run.suite(entry, name, audience) {
        Ok(suite) => Ok(suite.among_others()),
        Err(error) => Err(SuitesError::Entry(entry.clone(), error)),
    });
    suites.filter(|suite| !matches!(suite, Err(SuitesError::Entry(_, RunError::Nothing(_))))).collect()
}

impl Run {
    /// Whether a folder holds submissions rather than being one: no answer lies in the folder itself, and
    /// several of its entries are answers.
    fn is_class(&self, path: &Path) -> bool {
        if !path.is_dir() {
            return false;
        }
        let entries = submission::opened::entries(path).unwrap_or_default();
        !self.answers(path, |opened, exercise| opened.is_at_top(exercise))
            && entries
                .iter()
                .filter(|entry| self.answers(entry, |opened, exercise| opened.is_answer(exercise)))
                .nth(1)
                .is_some()
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

    fn suite(&self, path: &Path, name: String, audience: Audience) -> Result<Suite, RunError> {
        let (loaded, submission) = self.open(path, None)?;
        let tools = self.request.build.tools.clone();
        let suite = Suite::new(name, loaded, submission, self.request.settings.clone(), tools);
        Ok(suite.with_references(Arc::clone(&self.references)).for_audience(audience))
    }
}

/// Whether a test of this name is one of the submission `name`.
fn is_test_of(test: &str, name: &str) -> bool {
    let name = visible(name, false);
    test.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with("::"))
}
