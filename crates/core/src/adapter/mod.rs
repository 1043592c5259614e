//! Replays a plan on a program in this process, or on a subprocess that speaks the wire protocol.
//!
//! An adapter sees only calls ([`Plan`]) and returns what it observed ([`Transcript`]). A misbehaving
//! submission is data in the transcript; a [`Fault`] is a failure of keur itself and is never scored.

mod bound_names;
#[doc(hidden)]
pub mod conformance;
mod dialect;
mod exchange;
mod in_process;
mod launcher;
mod live;
mod operate;
mod program;
mod sequence;
mod serving;
mod session;
mod source;
mod subprocess;
mod transcript;
#[doc(hidden)]
pub mod wire;

pub use crate::value::{Bundle, SourceFile};
pub(crate) use exchange::GETTING_READY;
pub use source::{Command, Library};
pub(crate) use subprocess::memory_of;
pub use transcript::{
    ActionResult, End, Exception, FoundFile, Frame, Halt, Load, Missing, MissingKind, Names, Observation,
    ProgramTurn, Ran, StepOutcome, StepTranscript, Syntax, Transcript,
};
#[doc(hidden)]
pub use {
    dialect::{Dialect, SpokenLanguage},
    in_process::InProcess,
    launcher::Launcher,
    serving::serve,
    source::Source,
    subprocess::{NotStarted, Quick, Replayed, Subprocess, Timing},
};
pub(crate) use {in_process::Follower, subprocess::Replays};

use crate::case::{Line, Plan, StepNo, Want};
use crate::sandbox::Limits;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A target that plans can be replayed on, each in a fresh state.
pub trait Adapter {
    /// Replays `plan` under `limits`; `guide` supplies the lines of its matches. In a match the limits apply
    /// to each line, and all lines together may use the limits times the number of games.
    ///
    /// # Errors
    /// A failure of keur itself, such as a missing interpreter; what the submission does is in the
    /// transcript.
    fn replay(&mut self, plan: &Plan, limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault>;
}

/// Supplies the lines of a match, each once the result of the one before is known.
#[doc(hidden)]
pub trait Guide {
    /// The first line of the match at a step; `None` if there is nothing to play.
    fn begin(&mut self, step: StepNo) -> Option<GuidedLine>;

    /// The line after one that gave this observation; `None` if the match is over.
    ///
    /// # Errors
    /// The match cannot be played, for no fault of the submission.
    fn after(&mut self, step: StepNo, last: &Observation) -> Result<Option<GuidedLine>, Fault>;
}

/// A line of a match, and what to observe of it.
pub struct GuidedLine {
    /// The line.
    pub line: Line,
    /// The parts of its result that are observed.
    pub want: Want,
}

/// A guide for plans without a match.
#[doc(hidden)]
pub struct NoGuide;

impl Guide for NoGuide {
    fn begin(&mut self, _: StepNo) -> Option<GuidedLine> {
        None
    }

    fn after(&mut self, _: StepNo, _: &Observation) -> Result<Option<GuidedLine>, Fault> {
        Ok(None)
    }
}

impl<G: Guide> Guide for Option<G> {
    fn begin(&mut self, step: StepNo) -> Option<GuidedLine> {
        self.as_mut()?.begin(step)
    }

    fn after(&mut self, step: StepNo, last: &Observation) -> Result<Option<GuidedLine>, Fault> {
        self.as_mut().map_or(Ok(None), |guide| guide.after(step, last))
    }
}

/// The end of a sentence on a process that somebody else ended or stopped: that it was, and what to do.
#[doc(hidden)]
pub const BY_OTHERS: &str = "killed or stopped twice, neither by keur nor by itself; look for who did it, such as the system \
    for lack of memory, and grade again";

/// The help where a file of keur's own cannot be written.
pub const CHECK_TEMPORARY: &str = "check the temporary folder";

/// A failure of the harness, unrelated to the submission.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Fault {
    what: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
    help: &'static str,
}

impl Fault {
    /// A failure: what failed, and where; without a source also what to do about it.
    pub fn new(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: None, help: "" }
    }

    /// The failure, with the error behind it.
    #[must_use]
    pub fn because(self, source: impl Error + Send + Sync + 'static) -> Fault {
        Fault { source: Some(Arc::new(source)), ..self }
    }

    /// The failure, with what to do about it.
    #[must_use]
    pub fn help(self, help: &'static str) -> Fault {
        Fault { help, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.source.iter().try_for_each(|source| write!(f, ": {source}"))?;
        if self.help.is_empty() { Ok(()) } else { write!(f, "; {}", self.help) }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;
    use std::error::Error;
    use std::io;

    #[test]
    fn a_fault_keeps_its_source_and_says_what_to_do() {
        let fault =
            Fault::new("node cannot be started").because(io::Error::other("no room")).help("make room");
        assert_eq!(fault.to_string(), "node cannot be started: no room; make room");
        assert_eq!(fault.source().map(ToString::to_string).as_deref(), Some("no room"));
    }
}
