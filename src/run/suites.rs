//! The suites of what lies at a path: one submission, or a folder of many.

use crate::adapter::Fault;
use crate::build::Builder;
use crate::case::{Library, LibraryError};
use crate::grade::Settings;
use crate::messages::Lang;
use crate::report::words::Words;
use crate::submission;
use crate::testing::Suite;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there are no suites.
#[derive(Debug)]
pub enum SuitesError {
    /// There is nothing at the path, or the exercise cannot be determined and was not named: what, and what to do.
    Usage(String),
    /// There is nothing to grade in what lies there.
    Nothing(String),
    /// Exercises or cases cannot be had.
    Library(LibraryError),
    /// The harness could not do its work.
    Fault(Fault),
}

impl fmt::Display for SuitesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuitesError::Usage(message) | SuitesError::Nothing(message) => f.write_str(message),
            SuitesError::Library(error) => error.fmt(f),
            SuitesError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for SuitesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SuitesError::Usage(_) | SuitesError::Nothing(_) => None,
            SuitesError::Library(error) => Some(error),
            SuitesError::Fault(fault) => Some(fault),
        }
    }
}

/// The suites of what lies at `path`: one submission, or a folder of many, each entry of which is one, without those that
/// hold nothing to grade. The exercises are those of `library`. A crate is built by `builder`.
///
/// # Errors
/// There is nothing, the exercise cannot be told and was not named, or a crate cannot be built.
pub fn suites(
    path: &Path,
    exercise: Option<&str>,
    library: &Library,
    settings: &Settings,
    builder: &Builder,
) -> Result<Vec<Arc<Suite>>, SuitesError> {
    let suite = |path: &Path, prefix| suite(path, exercise, library, settings, builder, prefix);
    match suite(path, None) {
        Ok(suite) => Ok(vec![suite]),
        // A folder that answers nothing itself may hold folders and files that do.
        Err(error @ (SuitesError::Usage(_) | SuitesError::Nothing(_))) if path.is_dir() => {
            let entries = submission::entries(path).map_err(SuitesError::Usage)?;
            let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
            let names = submission::distinct_names(&shown);
            let suites = entries.iter().zip(names).map(|(entry, name)| suite(entry, Some(name)));
            let something = suites.filter(|suite| !matches!(suite, Err(SuitesError::Nothing(_))));
            match something.collect::<Result<Vec<_>, _>>() {
                Ok(suites) if suites.is_empty() => Err(error),
                Err(_) if shown.len() < 2 => Err(error),
                suites => suites,
            }
        }
        Err(error) => Err(error),
    }
}

fn suite(
    path: &Path,
    exercise: Option<&str>,
    library: &Library,
    settings: &Settings,
    builder: &Builder,
    prefix: Option<String>,
) -> Result<Arc<Suite>, SuitesError> {
    let said = |error: &dyn fmt::Display| SuitesError::Usage(error.to_string());
    let mut opened = submission::open(path).map_err(|error| said(&error))?;
    let names = match exercise {
        Some(name) => vec![name.to_owned()],
        None => library.names().map_err(SuitesError::Library)?,
    };
    let exercises: Result<Vec<_>, _> = names.iter().map(|name| library.describe(name)).collect();
    let exercises = exercises.map_err(SuitesError::Library)?;
    if let Some(problem) = opened.nothing(&exercises.iter().collect::<Vec<_>>()) {
        return Err(SuitesError::Nothing(Words::new(Lang::En).files(&problem)));
    }
    let exercise = match exercises.as_slice() {
        [only] => only,
        several => builder
            .exercise(&mut opened, &several.iter().collect::<Vec<_>>())
            .map_err(|error| said(&error))?,
    };
    let loaded = library.load(&exercise.name).map_err(SuitesError::Library)?;
    let submission = builder.submission(opened, &loaded.exercise).map_err(SuitesError::Fault)?;
    Ok(Arc::new(Suite::new(loaded, submission, settings.clone(), prefix, builder.tools().clone())))
}
