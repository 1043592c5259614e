//! Oracles: how a reference judges an answer if several are right.

use super::Value;
use super::program::Live;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

/// A judge of answers, defined by a game.
#[derive(Debug)]
pub struct Oracle {
    /// The name in a case.
    pub name: &'static str,
    /// The answers that it accepts; a sentence without a full stop.
    pub doc: &'static str,
    /// The depths allowed in a case, if it takes one. A case must then give one.
    pub depths: Option<RangeInclusive<u32>>,
    /// Judges an answer to a question about a value of the reference. An accepted answer is returned as a
    /// value of the reference, so that the reference can continue from it.
    #[doc(hidden)]
    pub judge: fn(of: &Live, depth: Option<NonZeroU32>, answer: &Value) -> Result<Live, Refused>,
}

/// An answer that an oracle does not accept.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The reason.
    pub why: Refusal,
    /// The answers that the oracle would have accepted; empty if they cannot be listed.
    pub accepted: Vec<Value>,
}

/// A reason why an oracle does not accept an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The answer is none to the question at all.
    NoAnswer,
    /// The answer breaks a rule of the game.
    Illegal,
    /// The answer misses a forced win.
    WinMissed,
    /// The answer loses the game by force, but another one does not.
    LosesTheGame,
    /// The answer loses material, but another one does not.
    LosesMaterial,
}
