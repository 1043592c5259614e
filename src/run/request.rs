//! The request for a run.

use crate::hunt::Quest;
use crate::run::build::BuildSettings;
use keur_core::case::{Library, LibraryError};
use keur_core::grade::Settings;
use keur_core::languages::Interpreters;
use keur_core::named::Named;
use keur_sandbox::{Cancel, Tier, Tools};
use std::path::PathBuf;

/// What to grade, and how.
#[derive(Debug)]
#[non_exhaustive]
pub struct GradeRequest {
    /// The paths of the submissions. If empty, the program of the settings is the submission.
    pub submissions: Vec<PathBuf>,
    /// Where the exercises come from.
    pub library: Library,
    /// The exercise that all of them answer; by default it is detected for each submission.
    pub exercise: Option<String>,
    /// How they are graded.
    pub settings: Settings,
    /// How strictly they are confined.
    pub tier: Tier,
    /// How many are graded at the same time.
    pub jobs: usize,
    /// How often each is graded, each time with another seed of hashes and random numbers.
    pub repeat: u32,
    /// Random sessions that each is tried on after the cases; none by default.
    pub hunt: Option<Quest>,
    /// The interpreters that run them.
    pub interpreters: Interpreters,
    /// How Rust crates are built.
    pub build: BuildSettings,
    /// Cancels the run.
    pub cancel: Cancel,
}

impl GradeRequest {
    /// Grades `submissions` once, one at a time, with the built-in exercises and the programs in `tools`.
    pub fn new(submissions: Vec<PathBuf>, tools: Tools) -> GradeRequest {
        GradeRequest {
            submissions,
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
}

/// Why a run cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The exercises cannot be read.
    #[error("{0}")]
    Library(#[source] LibraryError),
    /// This system does not have the tier of confinement, and why.
    #[error("the tier `{}` of confinement is not available here: {}", .0.name(), .1)]
    Tier(Tier, String),
}
