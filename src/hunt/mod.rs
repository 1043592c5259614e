//! Looks for a session on which a submission differs from the reference of its exercise.
//!
//! Random sessions of the exercise are answered by the reference, and replayed on the submission in the
//! process of the quick pass. The first difference is replayed in a process of its own before it is believed,
//! and then made as small as possible. Start at [`Hunter`]; how many sessions are made, and from which seed,
//! is a [`Quest`].

mod counterexample;
mod search;

pub use counterexample::Counterexample;
pub use keur_core::sessions::{NoSessions, Unreached, UnreachedCall};
#[doc(hidden)]
pub use {counterexample::free_name, search::Hunter};

use keur_core::case::Exercise;
use keur_core::event::{CaseReport, Runtime};
use keur_core::hunt::Patience;
use keur_core::judge::{BUDGET, Settings};
use std::time::{Duration, Instant};

/// The number of sessions of a hunt, or its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number of sessions.
    Sessions(u64),
    /// The sessions that fit in this time.
    Time(Duration),
}

/// The extent of a hunt: the sessions that it tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quest {
    /// The number of sessions, or the time.
    pub length: Length,
    /// The seed of the sessions.
    pub seed: u64,
}

impl Quest {
    /// The default number of sessions.
    pub const SESSIONS: u64 = 1000;

    /// The patience of a hunt that begins now: the submission has its total time, or the time of the hunt if that
    /// is longer than the default.
    #[doc(hidden)]
    pub fn patience(&self, settings: &Settings, exercise: &Exercise) -> Patience {
        let (until, least) = match self.length {
            Length::Sessions(_) => (None, Duration::ZERO),
            Length::Time(time) => (Instant::now().checked_add(time), time),
        };
        let given = settings.limits.over(&exercise.limits).budget;
        Patience::new(given.unwrap_or(BUDGET.max(least)), until)
    }
}

/// The result of a hunt.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// The number of sessions that were replayed.
    pub sessions: u64,
    /// The reason why the hunt ended.
    pub end: HuntEnd,
    /// The calls of the cases of which no session compared an answer; none for a built-in exercise.
    pub unreached: Vec<UnreachedCall>,
    /// The number of sessions that right samples of the exercise too answer otherwise than its own reference, which is
    /// no difference.
    pub unsettled: u64,
    /// The number of sessions with a call at which the exercise's own reference did not end; they go on without it.
    pub endless: u64,
    /// The interpreter of the submission; `None` if it was not run.
    pub runtime: Option<Runtime>,
}

/// The end of a hunt.
#[derive(Clone, Debug)]
pub enum HuntEnd {
    /// No session differed from the reference.
    NoDifference,
    /// The submission's time ran out; no session until then differed.
    OutOfTime,
    /// The time was over in a session that may never end; no session until then differed.
    CutOff,
    /// No session differed, but the submission fails this case.
    CaseFailed(Box<CaseReport>),
    /// A session differed from the reference.
    Difference(Box<Counterexample>),
    /// The submission cannot be loaded: the report that says why.
    NotLoaded(Box<CaseReport>),
}
