//! The test suites of a path: one submission, or a folder of many.

use super::{GradeRequest, RequestError, Run};
use crate::case::LibraryError;
use crate::event::RunError;
use crate::messages::Lang;
use crate::report::words::Words;
use crate::submission;
use crate::testing::Suite;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there are no suites.
#[derive(Debug)]
#[non_exhaustive]
pub enum SuitesError {
    /// The run cannot start.
    Request(RequestError),
    /// What is at the path cannot be graded.
    Run(RunError),
    /// A folder of submissions cannot be read: a sentence that names it.
    Folder(String),
}

impl SuitesError {
    /// The problem with the exercises or their cases, if that is the reason.
    pub fn library(&self) -> Option<&LibraryError> {
        match self {
            SuitesError::Request(RequestError::Library(error)) => Some(error),
            SuitesError::Run(RunError::Cases { files, .. }) => files.as_deref(),
            SuitesError::Request(_) | SuitesError::Run(_) | SuitesError::Folder(_) => None,
        }
    }

    /// Whether the fault is keur's, not in the request.
    pub fn is_fault(&self) -> bool {
        matches!(self, SuitesError::Request(RequestError::Tier(..)) | SuitesError::Run(RunError::Fault(_)))
    }
}

impl fmt::Display for SuitesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuitesError::Request(error) => error.fmt(f),
            SuitesError::Run(error) => f.write_str(&Words::new(Lang::En).error(error)),
            SuitesError::Folder(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SuitesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SuitesError::Request(error) => Some(error),
            SuitesError::Run(_) | SuitesError::Folder(_) => None,
        }
    }
}

/// The suites of the requested path: one submission, or a folder with one in each entry.
///
/// Entries with nothing to grade are skipped.
///
/// # Errors
/// The run cannot start, there is nothing, the exercise cannot be determined and was not named, or a crate cannot be
/// built.
pub fn suites(request: GradeRequest) -> Result<Vec<Arc<Suite>>, SuitesError> {
    let run = Run::new(request).map_err(SuitesError::Request)?;
    let path = run.paths().swap_remove(0);
    match run.suite(&path, None) {
        Ok(suite) => Ok(vec![suite]),
        // A folder that is not an answer itself may hold folders and files that are.
        Err(error @ (RunError::Usage(_) | RunError::Nothing(_))) if path.is_dir() => {
            let entries = submission::opened::entries(&path).map_err(SuitesError::Folder)?;
            let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
            let names = submission::opened::distinct_names(&shown);
            let suites = entries.iter().zip(names).map(|(entry, name)| run.suite(entry, Some(name)));
            let something = suites.filter(|suite| !matches!(suite, Err(RunError::Nothing(_))));
            match something.collect::<Result<Vec<_>, _>>() {
                Ok(suites) if suites.is_empty() => Err(SuitesError::Run(error)),
                Err(_) if shown.len() < 2 => Err(SuitesError::Run(error)),
                suites => suites.map_err(SuitesError::Run),
            }
        }
        Err(error) => Err(SuitesError::Run(error)),
    }
}

impl Run {
    fn suite(&self, path: &Path, prefix: Option<String>) -> Result<Arc<Suite>, RunError> {
        let (loaded, submission) = self.open(path)?;
        let tools = self.request.build.tools.clone();
        Ok(Arc::new(Suite::new(loaded, submission, self.request.settings.clone(), prefix, tools)))
    }
}
