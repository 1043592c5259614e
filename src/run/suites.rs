//! The test suites of a path: one submission, or a folder of many.

use super::{GradeRequest, RequestError, Run};
use keur_core::case::Exercise;
use keur_core::event::RunError;
use keur_core::report::Audience;
use keur_core::submission;
use keur_core::submission::opened::{EntriesError, Opened};
use keur_core::testing::Suite;
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

/// The suites of the requested path: one submission, or a folder with one in each entry.
///
/// Entries with nothing to grade are skipped. The tests say how they fail as `audience` may read it.
///
/// # Errors
/// The run cannot start, there is nothing, the exercise cannot be determined and was not named, or a crate
/// cannot be built.
pub fn suites(request: GradeRequest, audience: Audience) -> Result<Vec<Arc<Suite>>, SuitesError> {
    let run = Run::new(request).map_err(SuitesError::Request)?;
    let path = run.request.subject.paths().swap_remove(0);
    if !run.is_class(&path) {
        return Ok(vec![run.suite(&path, None, audience).map_err(SuitesError::Run)?]);
    }
    let entries = submission::opened::entries(&path).map_err(SuitesError::Folder)?;
    let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
    let names = submission::opened::distinct_names(&shown);
    let suites = entries.iter().zip(names).map(|(entry, name)| {
        run.suite(entry, Some(name), audience).map_err(|error| SuitesError::Entry(entry.clone(), error))
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

    fn suite(&self, path: &Path, prefix: Option<String>, audience: Audience) -> Result<Arc<Suite>, RunError> {
        let (loaded, submission) = self.open(path, None)?;
        let tools = self.request.build.tools.clone();
        let suite = Suite::new(loaded, submission, self.request.settings.clone(), prefix, tools);
        Ok(Arc::new(suite.with_references(Arc::clone(&self.references)).for_audience(audience)))
    }
}
