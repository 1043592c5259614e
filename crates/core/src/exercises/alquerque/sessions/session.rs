//! What a session does, as data.

use crate::exercises::alquerque::rules::Move;

/// A session, act by act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameSession {
    pub(super) acts: Vec<Act>,
}

/// The name of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardName {
    B,
    C,
}

/// A part of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Makes a board.
    Make(BoardName),
    /// Copies one.
    Copy { from: BoardName, to: BoardName },
    /// Makes a legal move.
    Play(BoardName, Move),
    /// Asks about a board.
    Ask(BoardName, BoardQuestion),
}

/// A question about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardQuestion {
    White,
    Black,
    WhitePlays,
    LegalMoves,
    IsGameOver,
    IsLegal(Move),
    NextMove(SearchTask),
}

/// A question for a good move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchTask {
    /// The number of moves that the search is to look ahead.
    pub(super) depth: u32,
    pub(super) judge: SearchJudge,
    /// Whether the search gets a copy of the board.
    pub(super) copy: bool,
}

/// The oracle that judges a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchJudge {
    Sound,
    Winning,
}

impl SearchJudge {
    /// The name of the oracle.
    pub(super) const fn oracle(self) -> &'static str {
        match self {
            SearchJudge::Sound => "sound_move",
            SearchJudge::Winning => "winning_move",
        }
    }

    /// Whether it judges searches of this depth. One that looks a move further sees other wins at an even
    /// depth.
    #[cfg(test)]
    pub(super) const fn may_ask(self, depth: u32) -> bool {
        match self {
            SearchJudge::Sound => true,
            SearchJudge::Winning => depth % 2 == 1,
        }
    }
}

impl BoardName {
    pub(super) const fn text(self) -> &'static str {
        match self {
            BoardName::B => "b",
            BoardName::C => "c",
        }
    }
}

impl GameSession {
    /// A session that begins with a board called `name`.
    pub(super) fn begun(name: BoardName) -> GameSession {
        GameSession { acts: vec![Act::Make(name)] }
    }

    pub(super) fn play(&mut self, name: BoardName, step: Move) {
        self.acts.push(Act::Play(name, step));
    }

    pub(super) fn ask(&mut self, name: BoardName, asked: BoardQuestion) {
        self.acts.push(Act::Ask(name, asked));
    }
}
