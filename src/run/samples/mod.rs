//! Samples of an exercise: submissions beside its cases that must pass, and others that must not.
//!
//! `samples/right` and `samples/wrong` have one in each entry, and `samples/verdicts.toml` may say which
//! cases each of them fails, and how.

mod verdicts;

pub use verdicts::{FailedCase, FailedCases, failed_cases};

use keur_core::case::{FileErrors, Loaded, path_in, read_text};
use keur_core::event::SubmissionReport;
use keur_core::submission::opened::{self, EntriesError};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the samples, in that of the exercise.
const FOLDER: &str = "samples";

/// The file that lists the cases that each sample fails.
const VERDICTS: &str = "verdicts.toml";

/// Folders that an interpreter or its tools leave beside what they run.
const LEFT_OVER: [&str; 2] = ["__pycache__", "node_modules"];

/// A submission beside the cases, with the result that grading it must have.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file or folder of the submission.
    pub path: PathBuf,
    /// Whether it is right: it must earn all points.
    pub right: bool,
    /// The defect, if the file of verdicts names it.
    pub defect: Option<String>,
    /// Exactly the cases that it must fail; `None` if the file of verdicts does not list them.
    pub fails: Option<FailedCases>,
}

/// A reason why samples cannot be graded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplesError {
    /// The folder has something else in it.
    #[error("{}: samples are in {FOLDER}/right and {FOLDER}/wrong, and what they fail in {FOLDER}/{VERDICTS}", .0.display())]
    Unexpected(PathBuf),
    /// A folder cannot be listed.
    #[error(transparent)]
    Folder(#[from] EntriesError),
    /// The folder of samples or the file of verdicts cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// The file of verdicts has errors.
    #[error(transparent)]
    Bad(#[from] FileErrors),
}

/// The samples of an exercise, the right ones first, each kind by name; none for an exercise without a
/// folder.
///
/// # Errors
/// They, or the file of their verdicts, cannot be read.
pub fn samples(loaded: &Loaded) -> Result<Vec<Sample>, SamplesError> {
    let Some(folder) = &loaded.exercise.folder else { return Ok(Vec::new()) };
    let folder = match path_in(folder, FOLDER) {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(SamplesError::Unreadable(folder.join(FOLDER), error)),
    };
    let mut samples = Vec::new();
    let mut verdicts = None;
    for path in opened::entries(&folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| !path.is_symlink());
        let right = match name {
            Some("right") => true,
            Some("wrong") => false,
            Some(VERDICTS) => {
                verdicts = Some(path);
                continue;
            }
            Some(_) | None => return Err(SamplesError::Unexpected(path)),
        };
        let found = opened::entries(&path)?;
        let found = found.into_iter().filter(|path| !LEFT_OVER.contains(&file_name(path).as_str()));
        samples.extend(found.map(|path| Sample { path, right, defect: None, fails: None }));
    }
    if let Some(path) = verdicts {
        let text = read_text(&path).map_err(|error| SamplesError::Unreadable(path.clone(), error))?;
        verdicts::add_verdicts(&path.display().to_string(), &text, &loaded.cases, &mut samples)?;
    }
    Ok(samples)
}

impl Sample {
    /// The differences between the cases that the sample must fail and those that it fails, a sentence each.
    ///
    /// A case that another one keeps from being run may be listed as not run, or not at all.
    pub fn differences(&self, report: &SubmissionReport) -> Vec<String> {
        let Some(expected) = &self.fails else { return Vec::new() };
        let mut found = failed_cases(&report.cases);
        let blocked = report.cases.iter().filter(|case| case.blocked_by.is_some());
        let listed = blocked.filter(|case| expected.contains_key(&case.name));
        found
            .extend(listed.map(|case| (case.name.clone(), FailedCase { verdict: case.verdict, step: None })));
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        let result =
            |case: Option<&FailedCase>| case.map_or_else(|| "passed".to_owned(), ToString::to_string);
        names
            .into_iter()
            .map(|name| (name, expected.get(name), found.get(name)))
            .filter(|(_, expected, found)| expected != found)
            .map(|(name, expected, found)| {
                format!("{name}: expected {}, found {}", result(expected), result(found))
            })
            .collect()
    }

    /// Whether the sample is called `name`, with or without its extension.
    fn is_named(&self, name: &str) -> bool {
        file_name(&self.path) == name
            || self.path.file_stem().is_some_and(|stem| stem.to_string_lossy() == name)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
