//! Answers that an oracle or a check of the exercise does not accept.

use super::{Mistake, Reach, Traits};
use crate::compare::ask::{CheckAnswer, Share, StoredRefusal};
use crate::messages::Message;
use crate::value::oracle::Refusal;

/// An answer that an oracle or a check of the exercise does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum JudgedMistake {
    /// An oracle does not accept the answer.
    Refused(#[serde(with = "StoredRefusal")] Refusal),
    /// A check of the instructor's own does not accept the answer, or not for all points.
    Check {
        /// The message of the check.
        message: Option<String>,
        /// The share of the points that the check gives.
        share: Share,
    },
}

#[warn(clippy::wildcard_enum_match_arm)]
impl JudgedMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            JudgedMistake::Refused(why) => Message::new(match why {
                Refusal::NoAnswer => "mistake-refused-no-answer",
                Refusal::Illegal => "mistake-refused-illegal",
                Refusal::WinMissed => "mistake-refused-win-missed",
                Refusal::LosesTheGame => "mistake-refused-loses-the-game",
                Refusal::LosesMaterial => "mistake-refused-loses-material",
            }),
            JudgedMistake::Check { message: Some(message), .. } => {
                Message::new("mistake-check-says").with("message", message)
            }
            JudgedMistake::Check { message: None, share: Share::NONE } => Message::new("mistake-check"),
            JudgedMistake::Check { message: None, .. } => Message::new("mistake-check-partly"),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        Traits::plain(match self {
            JudgedMistake::Refused(_) => Reach::Result,
            JudgedMistake::Check { .. } => Reach::Function,
        })
    }
}

impl Mistake {
    /// The mistake of an answer that a check of the instructor's own has judged; `None` if the check accepts
    /// it.
    pub(in crate::compare) fn of_check(answer: CheckAnswer) -> Option<Mistake> {
        let CheckAnswer { share, message } = answer;
        (share != Share::ALL).then_some(Mistake::Judged(JudgedMistake::Check { message, share }))
    }
}
