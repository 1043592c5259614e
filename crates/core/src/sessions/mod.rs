//! Random sessions of an exercise, as cases that expect what its reference answers.
//!
//! A built-in exercise makes its own; those of another are calls like the ones of its cases. Start at
//! [`Answerer`].

mod answered;
mod answerer;
mod arguments;
mod called;
mod examples;
mod files;
mod fixed;
mod inlined;
mod inputs;
mod looks;
mod own;
mod own_answers;
mod seen;
mod session_case;
mod tally;
mod values;
mod watches;

pub use answered::{Answers, NoExpectation, observes};
pub use answerer::{Answerer, RandomSession};
pub use looks::looks;
pub use session_case::bare;
pub use tally::{Unreached, UnreachedCall};

use crate::event::RunError;

/// An exercise without random sessions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no random sessions of the exercise {}", .exercise)]
pub struct NoSessions {
    /// The name of the exercise.
    pub exercise: String,
}

impl From<NoSessions> for RunError {
    fn from(none: NoSessions) -> RunError {
        RunError::Usage(none.to_string())
    }
}
