//! Finds what a path holds: the files of a submission, its language, and the exercise it answers.
//!
//! Files are read, never run. Only the files that the exercise asks for are read, and those that they import from
//! their own folder; everything else in a folder is ignored.

#[cfg(feature = "files")]
pub mod opened;
mod problem;

pub use problem::{
    BuildProblem, FileKind, FilesProblem, SkippedFile, SubmissionProblem, UnclearExercise, ZipProblem,
};

use crate::adapter::{Bundle, Command};
use crate::languages::{Language, rust};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most characters of a line for a report.
const MOST_LINE: usize = 400;

/// The most bytes of the files that a report shows: a class may have a thousand submissions.
const MOST_SHOWN: usize = 256 << 10;

/// A submission.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its path, as it was given.
    pub path: PathBuf,
    /// Its files, or the problem with them.
    pub found: Result<Found, SubmissionProblem>,
    /// The files that were not read.
    pub skipped: Vec<SkippedFile>,
}

/// The files of a submission.
#[derive(Clone, Debug)]
pub struct Found {
    /// What runs it.
    pub runs: Runs,
    /// The files that are sent to the driver.
    pub bundle: Bundle,
    /// The files on disk: the name of each in the bundle, and its path.
    pub files: Vec<(String, String)>,
}

/// A file of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedFile {
    /// The name that the places of an exception use.
    pub name: String,
    /// Its bytes, shared with the submission.
    pub bytes: Arc<[u8]>,
}

/// What runs a submission.
#[derive(Clone, Debug)]
pub enum Runs {
    /// The driver of its language.
    Language(&'static Language),
    /// The program that it was built into.
    Built(Arc<Built>),
    /// A program that the person who grades must name.
    Asked,
}

/// A program that a submission was built into.
#[derive(Debug)]
pub struct Built {
    /// How it is started.
    pub command: Command,
    /// The folder that holds it, which is deleted when it is no longer needed.
    pub home: tempfile::TempDir,
}

impl Submission {
    /// Why there is nothing to grade, if so.
    pub fn nothing(&self) -> Option<&FilesProblem> {
        let Err(SubmissionProblem::Files(problem)) = &self.found else { return None };
        problem.is_nothing_to_grade().then_some(problem)
    }
}

impl Found {
    /// Its programming language, if keur runs it.
    pub fn language(&self) -> Option<&'static Language> {
        match &self.runs {
            Runs::Language(language) => Some(language),
            Runs::Built(_) => Some(&rust::LANGUAGE),
            Runs::Asked => None,
        }
    }

    /// Replaces what runs this by the program that it was built into. Files that are no modules were only for the
    /// build.
    pub fn run_by(&mut self, built: Built) {
        self.runs = Runs::Built(Arc::new(built));
        self.bundle.files.retain(|(_, module, _)| !module.is_empty());
        self.bundle.modules.clear();
    }

    /// The files that a report may show, as many as fit.
    pub fn sources(&self) -> Vec<SubmittedFile> {
        let mut left = MOST_SHOWN;
        let sources = self.bundle.files.iter().filter(|(_, module, _)| !module.is_empty());
        let fitting = sources.filter(|(_, _, bytes)| match left.checked_sub(bytes.len()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        });
        fitting
            .map(|(name, _, bytes)| SubmittedFile { name: name.clone(), bytes: Arc::clone(bytes) })
            .collect()
    }

    /// The start of a line of one of the files, counted from 1, for a report.
    pub fn line(&self, file: &str, line: usize) -> Option<String> {
        let (_, _, bytes) = self.bundle.files.iter().find(|(name, _, _)| name == file)?;
        let line = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * MOST_LINE)]);
        Some(line.chars().take(MOST_LINE).collect::<String>().trim_end().to_owned())
    }
}

/// A submission without files: a program that speaks the protocol itself.
pub fn program(path: &Path) -> Submission {
    let found = Found { runs: Runs::Asked, bundle: Bundle::default(), files: Vec::new() };
    Submission { path: path.to_owned(), found: Ok(found), skipped: Vec::new() }
}
