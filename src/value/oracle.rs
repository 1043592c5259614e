//! How a reference judges an answer where several are right: an oracle of its game.

use super::Value;
use super::program::Live;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

/// A judge of answers that a game has.
#[derive(Debug)]
pub struct Oracle {
    /// Its name in a case.
    pub name: &'static str,
    /// What it accepts; a sentence without a full stop.
    pub doc: &'static str,
    /// The depths that a case may give, where it takes one. A case must then give one.
    pub depths: Option<RangeInclusive<u32>>,
    /// Makes ready what its judgement needs and what takes long the first time, so that no submission waits for it.
    pub ready: fn(),
    /// Judges an answer to a question about a value of the reference's own. What it accepts is handed back as a value of
    /// the reference, so that the reference can go on from it.
    pub judge: fn(of: &Live, depth: Option<NonZeroU32>, answer: &Value) -> Result<Live, Refused>,
}

/// An answer that an oracle does not accept.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Why.
    pub why: Refusal,
    /// What it would have accepted; none where that cannot be listed.
    pub accepted: Vec<Value>,
}

/// Why an oracle does not accept an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no answer to the question at all.
    NoAnswer,
    /// It breaks a rule of the game.
    Illegal,
    /// There is a forced win, and it is not taken.
    WinMissed,
    /// It loses the game by force, where another answer does not.
    LosesTheGame,
    /// It loses material, where another answer does not.
    LosesMaterial,
    /// It is worth less than the position is under perfect play.
    WorthLess,
}
