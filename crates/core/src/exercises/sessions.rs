//! Random sessions of an exercise, to look for a submission's first difference from the reference.

use crate::value::random::Random;

/// A random session: it can be written down, and made smaller.
///
/// It asks only what the assignment fixes, never what depends on a ruling: every right submission answers as
/// the reference does. This holds for all sessions that [`RandomSession::simpler`] returns too.
pub trait RandomSession {
    /// The steps, in order.
    fn steps(&self) -> Vec<RandomStep>;

    /// The session without what follows its first `steps` steps. What is simpler than a session keeps its
    /// last line, which is where it should differ.
    fn until(&self, steps: usize) -> Box<dyn RandomSession>;

    /// Sessions that are a little simpler, the simplest first: without some steps, or on a smaller board. A
    /// session that differs is replaced by the first of these that differs too, again and again.
    fn simpler(&self) -> Vec<Box<dyn RandomSession>>;
}

/// Makes a random session. The same numbers make the same session.
pub type MakeSession = fn(&mut Random) -> Box<dyn RandomSession>;

/// A step of a random session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStep {
    /// The lines, as the `do` of a case has them; only the last one is compared.
    pub lines: Vec<String>,
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

/// Every session that lacks some of `steps`: first long runs of them, then shorter ones, then single steps.
pub fn without_some<S: Clone>(steps: &[S]) -> impl Iterator<Item = Vec<S>> {
    let lengths = std::iter::successors(Some(steps.len() / 2), |length| Some(length / 2));
    lengths.take_while(|length| *length > 0).flat_map(move |length| {
        // The last step is where the sessions differ.
        let starts = (0..steps.len().saturating_sub(1)).rev().step_by(length);
        starts.map(move |start| {
            let end = (start + length).min(steps.len() - 1);
            steps[..start].iter().chain(&steps[end..]).cloned().collect()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::without_some;

    #[test]
    fn long_runs_are_left_out_first() {
        let shorter: Vec<Vec<u8>> = without_some(&[1, 2, 3, 4]).collect();
        assert_eq!(shorter, [vec![1, 2, 4], vec![3, 4], vec![1, 2, 4], vec![1, 3, 4], vec![2, 3, 4]]);
        assert_eq!(without_some(&[1]).count(), 0);
    }
}
