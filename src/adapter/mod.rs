//! Replays a plan on something that answers: a program in this process, or a subprocess that speaks the wire
//! protocol.
//!
//! An adapter sees calls only ([`Plan`]), and gives back what it observed ([`Transcript`]). A misbehaving submission
//! is data in the transcript; a [`Fault`] is keur's own failure and is never scored.

#[cfg(feature = "cli")]
pub mod conformance;
mod hosts;
mod in_process;
mod serving;
mod subprocess;
mod transcript;
pub mod wire;

pub use hosts::Hosts;
pub use in_process::{Follower, InProcess};
pub use serving::serve;
pub use subprocess::{Bundle, Command, Dialect, Source, Subprocess};
pub use transcript::{
    End, Exception, Exchange, Frame, Halt, Load, Missing, MissingKind, Observation, Outcome, Ran, Syntax,
    Transcript,
};

use crate::case::{Line, Plan, Want};
use crate::sandbox::Limits;
use std::fmt;

/// Something that plans can be replayed on, each in a fresh state.
pub trait Adapter {
    /// Replays `plan` under `limits`; `guide` gives the lines of its matches. In a match the limits hold for each line,
    /// and so many times the limits as there are games for all together.
    ///
    /// # Errors
    /// A failure of keur's own, such as a missing interpreter; whatever the submission does is in the transcript.
    fn replay(&mut self, plan: &Plan, limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault>;
}

/// What gives the lines of a match, each once it is known what came of the one before.
pub trait Guide {
    /// The next line of the match that is step `step` (from 0), and what to observe of it; none when it is over. `last`
    /// is what was observed of the line before.
    fn next(&mut self, step: usize, last: Option<&Observation>) -> Option<(Line, Want)>;
}

/// A guide of plans without a match.
pub struct NoGuide;

impl Guide for NoGuide {
    fn next(&mut self, _: usize, _: Option<&Observation>) -> Option<(Line, Want)> {
        None
    }
}

/// A failure of the harness, which says nothing about a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What failed, where, and what to do about it.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
