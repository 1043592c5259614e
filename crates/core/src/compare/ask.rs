//! The questions that a comparison asks of the reference and of the exercise's checks.

use crate::case::{Asked, CustomCheck, Points};
use crate::value::Value;
use crate::value::oracle::{Refusal, Refused};
use std::convert::Infallible;

/// Answers what a comparison of one step cannot decide from the transcript: the reference's own answer, and
/// the judgements of its oracles and of the exercise's checks.
pub trait Ask {
    /// The reason why there is no answer, which is never a fault of the submission.
    type Error;

    /// The reference's own answer, if it has one.
    fn answer(&self) -> Option<&Value>;

    /// The reason why an oracle of the reference refuses an answer; `None` if it accepts the answer.
    ///
    /// # Errors
    /// The oracle cannot be asked.
    fn refusal(&mut self, asked: &Asked, answer: &Value) -> Result<Option<Refused>, Self::Error>;

    /// The verdict of the instructor's own check on a value, which has no part that cannot be passed on.
    ///
    /// # Errors
    /// The check does not answer.
    fn check(&mut self, check: &CustomCheck, value: &Value) -> Result<CheckAnswer, Self::Error>;
}

/// The answer of the instructor's own check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckAnswer {
    /// The share of the points that the value earns.
    pub share: Share,
    /// The message to the student about a value that does not earn all.
    pub message: Option<String>,
}

/// The stored form of a refusal: what a graded crate is built with knows no serde.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Refusal")]
pub(super) enum StoredRefusal {
    NoAnswer,
    Illegal,
    WinMissed,
    LosesTheGame,
    LosesMaterial,
}

/// A share of the points, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u32")]
pub struct Share(u32);

impl TryFrom<u32> for Share {
    type Error = String;

    fn try_from(millionths: u32) -> Result<Share, String> {
        let share = Share(millionths);
        if share <= Share::ALL { Ok(share) } else { Err(format!("a share of {millionths} millionths")) }
    }
}

impl Share {
    /// No points.
    pub const NONE: Share = Share(0);

    /// All points.
    pub const ALL: Share = Share(1_000_000);

    /// A share from 0 to 1; `None` for any other number.
    pub fn new(share: f64) -> Option<Share> {
        // Only 1 itself is all.
        let most = if share < 1.0 { Share::ALL.0 - 1 } else { Share::ALL.0 };
        (0.0..=1.0).contains(&share).then(|| Share(((share * 1e6).round() as u32).min(most)))
    }

    /// The share of `points`, rounded half up to a hundredth, and less than all unless it is [`Share::ALL`].
    pub fn of(self, points: Points) -> Points {
        let share = Points::from_hundredths(u64::from(self.0));
        let earned = share.scaled(Points::from_hundredths(u64::from(Share::ALL.0)), points);
        let below = Points::from_hundredths(points.hundredths().saturating_sub(1));
        if self == Share::ALL { earned } else { earned.min(below) }
    }
}

/// No reference and no checks: nothing is accepted.
pub struct NoOracle;

impl Ask for NoOracle {
    type Error = Infallible;

    fn answer(&self) -> Option<&Value> {
        None
    }

    fn refusal(&mut self, _: &Asked, _: &Value) -> Result<Option<Refused>, Infallible> {
        Ok(Some(Refused { why: Refusal::NoAnswer, accepted: Vec::new() }))
    }

    fn check(&mut self, _: &CustomCheck, _: &Value) -> Result<CheckAnswer, Infallible> {
        Ok(CheckAnswer { share: Share::NONE, message: None })
    }
}
