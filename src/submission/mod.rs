//! Finds what a path holds: the files of a submission, its language, and the exercise it answers.
//!
//! Files are read, never run. Only what the exercise asks for is read, and what those files import of their own
//! folder; everything else in a folder is noise.

#[cfg(feature = "cli")]
mod opened;

#[cfg(feature = "cli")]
pub use opened::{
    DetectError, LARGEST_FILE, Opened, Package, TreeError, distinct_names, entries, exercises_named, open,
};

use crate::adapter::{Bundle, Command};
use crate::compare::{FilesProblem, Slip};
use crate::driver::Driver;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most characters of a line for a report.
const MOST_LINE: usize = 400;

/// Something handed in.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Where it lies, as it was named.
    pub path: PathBuf,
    /// Its files, or what is wrong with them.
    pub found: Result<Found, Slip>,
    /// What was passed over: links, devices, what cannot be read.
    pub warnings: Vec<String>,
}

/// The files of a submission.
#[derive(Clone, Debug)]
pub struct Found {
    /// What runs it.
    pub runs: Runs,
    /// What goes to the driver.
    pub bundle: Bundle,
    /// The files that lie somewhere: the name of each in the bundle, and its path.
    pub files: Vec<(String, String)>,
}

/// What runs a submission.
#[derive(Clone, Debug)]
pub enum Runs {
    /// The driver of its language.
    Driver(&'static Driver),
    /// A program that it was built into.
    Built(Arc<Built>),
    /// A program that whoever grades must name.
    Asked,
}

/// A program that a submission was built into.
#[derive(Debug)]
pub struct Built {
    /// How it is started.
    pub command: Command,
    /// The folder that it lies in, which goes when it is no longer needed.
    pub home: tempfile::TempDir,
}

impl Submission {
    /// Why there is nothing to grade, if there is not.
    pub fn nothing(&self) -> Option<&FilesProblem> {
        match &self.found {
            Err(Slip::Files(problem)) if problem.is_nothing_to_grade() => Some(problem),
            Err(_) | Ok(_) => None,
        }
    }
}

impl Found {
    /// The beginning of a line of one of the files, from 1, for a report.
    pub fn line(&self, file: &str, line: usize) -> Option<String> {
        let (_, _, bytes) = self.bundle.files.iter().find(|(name, _, _)| name == file)?;
        let line = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * MOST_LINE)]);
        Some(line.chars().take(MOST_LINE).collect::<String>().trim_end().to_owned())
    }
}

/// A submission without files: a program that speaks the protocol by itself.
pub fn program(path: &Path) -> Submission {
    let found = Found { runs: Runs::Asked, bundle: Bundle::default(), files: Vec::new() };
    Submission { path: path.to_owned(), found: Ok(found), warnings: Vec::new() }
}
