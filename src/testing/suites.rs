//! The suites of what lies at a path: one submission, or a folder of many.

use super::Suite;
use crate::build::Builder;
use crate::case::Library;
use crate::grade::Settings;
use crate::submission;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The suites of what lies at `path`: one submission, or a folder of many, each entry of which is one. A crate is built
/// by `builder`.
///
/// # Errors
/// There is nothing, or the exercise cannot be told and was not named: what, and what to do.
pub fn suites(
    path: &Path,
    exercise: Option<&str>,
    settings: &Settings,
    builder: &Builder,
) -> Result<Vec<Arc<Suite>>, String> {
    match suite(path, exercise, settings, builder, None) {
        Ok(suite) => Ok(vec![suite]),
        // A folder that answers nothing itself may hold folders and files that do.
        Err(error) if path.is_dir() => {
            let entries = submission::entries(path)?;
            let shown: Vec<&Path> = entries.iter().map(PathBuf::as_path).collect();
            let names = submission::distinct_names(&shown);
            let suites: Result<Vec<_>, String> = entries
                .iter()
                .zip(names)
                .map(|(entry, name)| suite(entry, exercise, settings, builder, Some(name)))
                .collect();
            suites.map_err(|inner| if shown.len() > 1 { inner } else { error })
        }
        Err(error) => Err(error),
    }
}

fn suite(
    path: &Path,
    exercise: Option<&str>,
    settings: &Settings,
    builder: &Builder,
    prefix: Option<String>,
) -> Result<Arc<Suite>, String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let mut opened = submission::open(path).map_err(|error| said(&error))?;
    let names = match exercise {
        Some(name) => vec![name.to_owned()],
        None => Library::BuiltIn.names().map_err(|error| said(&error))?,
    };
    let exercises: Result<Vec<_>, _> = names.iter().map(|name| Library::BuiltIn.describe(name)).collect();
    let exercises = exercises.map_err(|error| said(&error))?;
    let exercise = match exercises.as_slice() {
        [only] => only,
        several => opened.exercise(&several.iter().collect::<Vec<_>>()).map_err(|error| said(&error))?,
    };
    let loaded = Library::BuiltIn.load(&exercise.name).map_err(|error| said(&error))?;
    let submission = builder.submission(opened, &loaded.exercise).map_err(|fault| fault.message)?;
    Ok(Arc::new(Suite::new(loaded, submission, settings.clone(), prefix)))
}
