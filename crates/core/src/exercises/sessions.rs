//! Random sessions of an exercise, to look for a submission's first difference from the reference.

use crate::value::random::Random;

/// Makes a random session: its steps, in order. The same choices make the same session, and smaller choices a
/// simpler one.
///
/// It asks only what the assignment fixes, never what depends on a ruling: every right submission answers as
/// the reference does.
pub type MakeSession = fn(&mut Random) -> Vec<RandomStep>;

/// Makes every session of so many calls besides the one that makes a small board, each with questions at its
/// end. It asks only what is fixed, as random sessions do.
pub type ShortSessions = fn(usize) -> Box<dyn Iterator<Item = Vec<RandomStep>>>;

/// The sessions of an exercise.
#[derive(Clone, Copy)]
pub struct Sessions {
    /// Makes a random one.
    pub random: MakeSession,
    /// Makes all short ones.
    pub short: ShortSessions,
}

/// A step of a random session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStep {
    /// The lines, as the `do` of a case has them; only the last one is compared.
    pub lines: Vec<String>,
    /// The text that the lines may read from standard input.
    pub stdin: Option<String>,
    /// The part of the last line that is compared.
    pub look: Look,
}

/// The part of a step's last line that is compared with the reference. If the reference raises there, it is
/// always the exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// The value.
    Value,
    /// The text of its value.
    Text,
    /// Whether it is the very object bound to this name.
    Same(String),
    /// The printed text.
    Prints,
    /// Only that it does not raise.
    Nothing,
    /// Whether an oracle of the reference accepts its value.
    Oracle {
        /// The oracle.
        oracle: &'static str,
        /// The name bound to the value in question.
        of: String,
        /// The search depth, if the oracle takes one.
        depth: Option<u32>,
    },
}
