//! Finds what a path holds: the files of a submission, its language, and the exercise it answers.
//!
//! Files are read, never run. Only the files that the exercise asks for are read, and those that they import
//! from their own folder; everything else in a folder is ignored.

#[cfg(feature = "files")]
pub mod opened;
mod problem;

pub use problem::{
    BuildProblem, FileKind, FilesProblem, NearestExercise, Nearness, SkippedFile, SubmissionProblem,
    UnclearExercise, ZipProblem,
};

use crate::adapter::{Bundle, Command, Library, SourceFile};
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
    /// The path, as it was given.
    pub path: PathBuf,
    /// The files, or the problem with them.
    pub found: Result<Found, SubmissionProblem>,
    /// The files that were not read.
    pub skipped: Vec<SkippedFile>,
}

/// The files of a submission.
#[derive(Clone, Debug)]
pub struct Found {
    /// The way in which the submission is run.
    pub runner: Runner,
    /// The files that are sent to the driver.
    pub bundle: Bundle,
}

/// A file of a submission on disk, for a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOnDisk {
    /// The name that the places of an exception use for it.
    pub name: String,
    /// The path.
    pub path: String,
}

/// The ways in which a submission is run.
#[derive(Clone, Debug)]
pub enum Runner {
    /// Keur's driver for its language.
    Driver(&'static Language),
    /// Nothing yet: a Rust crate that is still to be built, which makes it [`Runner::Built`].
    Crate {
        /// The source of its test target.
        test: PathBuf,
        /// The manifests in the folders around its own, the nearest first: it may inherit from a workspace.
        around: Vec<Arc<[u8]>>,
    },
    /// The program or library that the submission was built into.
    Built(Arc<Built>),
    /// A program that the person who grades names.
    Program {
        /// The command that starts it.
        command: Command,
        /// The language of the files, if keur knows it.
        language: Option<&'static Language>,
    },
}

/// The program or library that a submission was built into.
#[derive(Debug)]
pub struct Built {
    /// The language.
    pub language: &'static Language,
    /// The form of what was built.
    pub product: Product,
    /// The folder that holds it, which is deleted when it is no longer needed; `None` if cargo keeps it.
    pub home: Option<tempfile::TempDir>,
}

/// The forms of what submissions are built into.
#[derive(Clone, Debug)]
pub enum Product {
    /// The executable of a program, and its arguments.
    Program(Vec<String>),
    /// A library, and the driver that loads it.
    Library(Library),
}

impl Submission {
    /// The reason why there is nothing to grade, if there is not.
    pub fn nothing(&self) -> Option<&FilesProblem> {
        let Err(SubmissionProblem::Files(problem)) = &self.found else { return None };
        problem.is_nothing_to_grade().then_some(problem)
    }
}

impl Found {
    /// The programming language of its files, if keur knows it.
    pub fn language(&self) -> Option<&'static Language> {
        match &self.runner {
            Runner::Driver(language) => Some(language),
            Runner::Crate { .. } => Some(&rust::LANGUAGE),
            Runner::Built(built) => Some(built.language),
            Runner::Program { language, .. } => *language,
        }
    }

    /// Replaces what runs this by the program that it was built into. Files that are no modules were only for
    /// the build.
    pub fn run_by(&mut self, built: Built) {
        self.runner = Runner::Built(Arc::new(built));
        self.bundle.files.retain(|file| file.module.is_some());
    }

    /// The files that a report may show, as many as fit.
    pub fn sources(&self) -> Vec<SourceFile> {
        let mut left = MOST_SHOWN;
        let mut fitting = Vec::new();
        for file in self.bundle.files.iter().filter(|file| file.module.is_some()) {
            if let Some(rest) = left.checked_sub(file.bytes.len()) {
                left = rest;
                fitting.push(file.clone());
            }
        }
        fitting
    }

    /// The sources that are on disk.
    pub fn on_disk(&self) -> Vec<FileOnDisk> {
        let sources = self.bundle.files.iter().filter(|file| file.module.is_some());
        let on_disk = sources.filter_map(|file| {
            let path = file.path.as_ref()?.display().to_string();
            let path = path.trim_start_matches("./").to_owned();
            Some(FileOnDisk { name: file.name.clone(), path })
        });
        on_disk.collect()
    }

    /// The start of a line of one of the files, counted from 1, for a report.
    pub fn line(&self, file: &str, line: usize) -> Option<String> {
        let file = self.bundle.files.iter().find(|own| own.name == file)?;
        let line = file.bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * MOST_LINE)]);
        Some(line.chars().take(MOST_LINE).collect::<String>().trim_end().to_owned())
    }
}

/// A submission of which there are no files, only what runs it.
pub fn program(path: &Path, runner: Runner) -> Submission {
    let found = Found { runner, bundle: Bundle::default() };
    Submission { path: path.to_owned(), found: Ok(found), skipped: Vec::new() }
}
