//! The request for a run.

use crate::hunt::Quest;
use crate::run::build::BuildSettings;
use keur_core::adapter::Command;
use keur_core::case::{Library, LibraryError};
use keur_core::judge::Settings;
use keur_core::languages::Interpreters;
use keur_core::named::Named;
use keur_sandbox::{Cancel, Tier, Tools};
use std::path::PathBuf;

/// The submissions, or the program, that a request grades.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Submissions at paths.
    Submissions(Submissions),
    /// A program without files, which speaks the protocol itself.
    Program(Command),
}

/// The submissions of a request.
#[derive(Clone, Debug, Default)]
pub struct Submissions {
    /// The paths of the submissions.
    pub paths: Vec<PathBuf>,
    /// Other files and folders that come from strangers, such as the folder of a class: no program in them is
    /// a tool.
    pub strangers: Vec<PathBuf>,
    /// A program that runs them, instead of keur's own drivers.
    pub command: Option<Command>,
}

impl From<PathBuf> for Subject {
    /// The submission at a path.
    fn from(path: PathBuf) -> Subject {
        Submissions { paths: vec![path], ..Submissions::default() }.into()
    }
}

impl From<Submissions> for Subject {
    fn from(submissions: Submissions) -> Subject {
        Subject::Submissions(submissions)
    }
}

impl Subject {
    /// The paths of the submissions; that of a program is `-`.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Subject::Submissions(submissions) => submissions.paths.clone(),
            Subject::Program(_) => vec![PathBuf::from("-")],
        }
    }

    /// The paths of what comes from strangers.
    fn untrusted(&self) -> Vec<PathBuf> {
        match self {
            Subject::Submissions(Submissions { paths, strangers, .. }) => {
                [strangers.as_slice(), paths].concat()
            }
            Subject::Program(_) => Vec::new(),
        }
    }
}

/// A request to grade submissions, and the settings.
#[derive(Debug)]
#[non_exhaustive]
pub struct GradeRequest {
    /// The submissions, or the program.
    pub(crate) subject: Subject,
    /// The source of the exercises.
    pub library: Library,
    /// The exercise that all of them answer; by default it is detected for each submission.
    pub exercise: Option<String>,
    /// The settings for grading.
    pub settings: Settings,
    /// The tier of confinement.
    pub tier: Tier,
    /// The number of submissions that are graded at the same time.
    pub jobs: usize,
    /// The number of times that each is graded, each time with another seed of hashes and random numbers.
    pub repeat: u32,
    /// Random sessions that each is tried on after the cases; none by default.
    pub hunt: Option<Quest>,
    /// The interpreters that run them.
    pub interpreters: Interpreters,
    /// The settings for building Rust crates.
    pub build: BuildSettings,
    /// Cancels the run.
    pub cancel: Cancel,
}

impl GradeRequest {
    /// Grades a subject once, one submission at a time, with the built-in exercises and the tools on PATH. A
    /// program inside a submission is never one of these tools.
    pub fn new(subject: impl Into<Subject>) -> GradeRequest {
        let subject = subject.into();
        let tools = Tools::on_path(&subject.untrusted());
        GradeRequest {
            subject,
            library: Library::BuiltIn,
            exercise: None,
            settings: Settings::default(),
            tier: Tier::default(),
            jobs: 1,
            repeat: 1,
            hunt: None,
            interpreters: Interpreters::among(tools.clone()),
            build: BuildSettings::new(tools),
            cancel: Cancel::default(),
        }
    }

    /// Checks that this system has the requested confinement.
    ///
    /// # Errors
    /// It does not.
    pub(crate) fn check_tier(&self) -> Result<(), RequestError> {
        keur_sandbox::available(self.tier).map_err(|lack| RequestError::Tier(self.tier, lack))
    }
}

/// A reason why a run cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The exercises cannot be read.
    #[error("{0}")]
    Library(#[source] LibraryError),
    /// The system does not have the tier of confinement, for this reason.
    #[error("the tier `{}` of confinement is not available here: {}", .0.name(), .1)]
    Tier(Tier, String),
}
