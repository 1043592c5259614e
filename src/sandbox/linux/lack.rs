//! Why a confinement cannot be had, and what to do about it.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A feature that this machine does not offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is missing and how that showed.
    pub what: String,
    /// What to do about it, as an instruction.
    pub remedy: &'static str,
}

impl Missing {
    pub(super) fn new(what: impl Into<String>, remedy: &'static str) -> Missing {
        Missing { what: what.into(), remedy }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl Error for Missing {}

/// Why a requested confinement cannot be prepared.
#[derive(Debug)]
pub enum Lack {
    /// The machine lacks what the tier needs.
    Feature(Missing),
    /// A path of the request cannot be used.
    Path {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The request contradicts itself.
    Request(String),
    /// The system refused a step of the preparation.
    System {
        /// What was tried.
        what: &'static str,
        /// The refusal.
        source: io::Error,
    },
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Feature(missing) => write!(f, "{missing}"),
            Lack::Path { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            Lack::Request(why) => f.write_str(why),
            Lack::System { what, source } => write!(f, "cannot {what}: {source}"),
        }
    }
}

impl Error for Lack {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Lack::Feature(missing) => Some(missing),
            Lack::Path { source, .. } | Lack::System { source, .. } => Some(source),
            Lack::Request(_) => None,
        }
    }
}

impl From<Missing> for Lack {
    fn from(missing: Missing) -> Lack {
        Lack::Feature(missing)
    }
}
