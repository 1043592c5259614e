//! Why a confinement is not available, and how to fix that.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A feature that this machine does not offer.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl fmt::Display for MissingFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl Error for MissingFeature {}

/// A reason why a requested confinement cannot be prepared.
#[derive(Debug)]
pub enum Unavailable {
    /// The machine lacks what the tier needs.
    Feature(MissingFeature),
    /// A path of the request cannot be used.
    Path {
        /// The path.
        path: PathBuf,
        /// The problem with it.
        source: io::Error,
    },
    /// The request contradicts itself.
    Request(String),
    /// The system refused a step of the preparation.
    System {
        /// The attempted step.
        what: &'static str,
        /// The refusal.
        source: io::Error,
    },
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::Feature(missing) => write!(f, "{missing}"),
            Unavailable::Path { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            Unavailable::Request(why) => f.write_str(why),
            Unavailable::System { what, source } => write!(f, "cannot {what}: {source}"),
        }
    }
}

impl Error for Unavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Unavailable::Feature(missing) => Some(missing),
            Unavailable::Path { source, .. } | Unavailable::System { source, .. } => Some(source),
            Unavailable::Request(_) => None,
        }
    }
}

impl From<MissingFeature> for Unavailable {
    fn from(missing: MissingFeature) -> Unavailable {
        Unavailable::Feature(missing)
    }
}
