//! Random sessions of the games that are a class: scripts of typed actions on a few boards.
//!
//! A game implements [`Scripted`]; everything else is here: which scripts are fixed, and how they are written.
//! A script is played on the game's own rules while a [`Scribe`] writes it.

use super::sessions::Look;
use std::collections::BTreeSet;

mod scribe;
mod short;
mod watched;

pub(super) use scribe::Scribe;
pub(super) use short::short;
pub(super) use watched::watched;

/// A game whose random sessions are scripts.
pub(super) trait Scripted: Sized + 'static {
    /// The arguments of the constructor.
    type Board: Clone;
    /// A call on a board.
    type Action: Clone;
    /// A board in play.
    type State: Clone;
    /// The name of an only board, then those of several.
    const NAMES: &'static [&'static str];
    /// Whether all changes of a board are called in one chain.
    const CHAINED: bool = false;

    /// The call of the constructor.
    fn creation(board: &Self::Board) -> String;

    /// The result of the constructor.
    fn create(board: &Self::Board) -> Created<Self::State>;

    /// The call, without the board it is on.
    fn call(action: &Self::Action) -> String;

    /// Plays `action`; `after` is whether it is called on what an action before it returned.
    fn play(state: &mut Self::State, action: &Self::Action, after: bool) -> CallResult;

    /// The simplest boards, for sessions of `calls` calls.
    fn small(calls: usize) -> Vec<Self::Board>;

    /// The calls that change `board`, or are refused.
    fn changes(board: &Self::Board) -> Vec<Self::Action>;

    /// The calls that ask about `board`.
    fn questions(board: &Self::Board) -> Vec<Self::Action>;

    /// The values that have names before the constructor is given them.
    fn bound(_board: &Self::Board) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether the assignment fixes the text that the board has now.
    fn has_text(_state: &Self::State) -> bool {
        true
    }
}

/// The result of a constructor.
pub(super) enum Created<S> {
    /// A new board.
    Board(S),
    /// An exception.
    Refused,
    /// The assignment does not say.
    Unfixed,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallResult {
    /// The board itself, as the assignment fixes.
    Itself,
    /// A board of which only the text is fixed.
    Board,
    /// A value that is no board.
    Value,
    /// An exception.
    Refused,
    /// The assignment does not say.
    Unfixed,
}

/// A step of a script.
pub(super) enum ScriptStep<G: Scripted> {
    /// A board is made.
    New {
        /// The number of the board in the script.
        id: usize,
        /// The arguments of the constructor.
        board: G::Board,
    },
    /// Calls on a board, each on what the one before it returns.
    Ask {
        /// The number of the board.
        on: usize,
        /// The calls; none for the board itself.
        calls: Vec<G::Action>,
        /// The part of the last call that is compared.
        seen: Seen,
        /// The name that the value gets.
        name: Option<&'static str>,
    },
    /// A named value is looked at again.
    Recall {
        /// The name.
        name: &'static str,
    },
}

/// The part of the last call that is compared. An exception always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The returned value.
    Value,
    /// The text of its value.
    Text,
    /// Whether it is the board itself.
    Same,
    /// The printed text.
    Prints,
    /// Nothing.
    Nothing,
}

/// The boards and names while a script is played.
struct Stage<G: Scripted> {
    boards: Vec<(usize, G::State)>,
    names: BTreeSet<&'static str>,
}

impl<G: Scripted> Stage<G> {
    fn new() -> Stage<G> {
        Stage { boards: Vec::new(), names: BTreeSet::new() }
    }

    fn board(&mut self, id: usize) -> Option<&mut G::State> {
        self.boards.iter_mut().find(|(other, _)| *other == id).map(|(_, state)| state)
    }

    /// Plays `step`, and makes what it looks at fit what happens. `None` if the assignment does not fix that:
    /// then nothing has happened.
    fn play(&mut self, step: &mut ScriptStep<G>) -> Option<CallResult> {
        match step {
            ScriptStep::New { id, board } => {
                let new = self.board(*id).is_none();
                match G::create(board) {
                    Created::Board(state) if new => {
                        self.boards.push((*id, state));
                        self.names.extend(G::bound(board).iter().map(|(name, _)| *name));
                        Some(CallResult::Board)
                    }
                    Created::Refused if G::bound(board).is_empty() => Some(CallResult::Refused),
                    Created::Board(_) | Created::Refused | Created::Unfixed => None,
                }
            }
            ScriptStep::Ask { on, calls, seen, name } => {
                let mut state = self.board(*on)?.clone();
                let Some((last, before)) = calls.split_last() else {
                    let fixed = *seen == Seen::Text && name.is_none() && G::has_text(&state);
                    return fixed.then_some(CallResult::Board);
                };
                for (place, call) in before.iter().enumerate() {
                    let played = G::play(&mut state, call, place > 0);
                    matches!(played, CallResult::Itself | CallResult::Board).then_some(())?;
                }
                let played = G::play(&mut state, last, !before.is_empty());
                match (played, *seen) {
                    (CallResult::Unfixed, _) => return None,
                    (CallResult::Refused, _) => {
                        *seen = Seen::Value;
                        *name = None;
                    }
                    (CallResult::Value, Seen::Text | Seen::Same) => *seen = Seen::Value,
                    (CallResult::Board, Seen::Same) => *seen = Seen::Text,
                    (CallResult::Itself | CallResult::Board, Seen::Value) => *seen = Seen::Nothing,
                    (CallResult::Itself | CallResult::Board | CallResult::Value, _) => {}
                }
                self.names.extend(name.iter());
                if let Some(board) = self.board(*on) {
                    *board = state;
                }
                Some(played)
            }
            ScriptStep::Recall { name } => self.names.contains(name).then_some(CallResult::Value),
        }
    }
}

impl Seen {
    fn look(self, board: &str) -> Look {
        match self {
            Seen::Value => Look::Value,
            Seen::Text => Look::Text,
            Seen::Same => Look::Same(board.to_owned()),
            Seen::Prints => Look::Prints,
            Seen::Nothing => Look::Nothing,
        }
    }
}
