//! Why a confinement is not available, and how to fix that.

use std::io;
use std::path::PathBuf;

/// A feature that this machine does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {remedy}")]
pub struct MissingFeature {
    /// The missing part of the system, and how that was detected.
    pub what: String,
    /// An instruction that fixes it.
    pub remedy: &'static str,
}

impl MissingFeature {
    pub(super) fn new(what: impl Into<String>, remedy: &'static str) -> MissingFeature {
        MissingFeature { what: what.into(), remedy }
    }
}

/// A reason why a requested confinement cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// The machine lacks what the tier needs.
    #[error("{0}")]
    Feature(#[from] MissingFeature),
    /// A path of the request cannot be used.
    #[error("cannot use {}: {source}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The problem with it.
        source: io::Error,
    },
    /// The request contradicts itself.
    #[error("{0}")]
    Request(String),
    /// The system refused a step of the preparation.
    #[error("cannot {what}: {source}")]
    System {
        /// The attempted step.
        what: &'static str,
        /// The refusal.
        source: io::Error,
    },
}
