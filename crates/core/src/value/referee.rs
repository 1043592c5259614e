//! Referees: how a game is played against its reference.

use super::Value;
use super::program::Live;
use std::num::NonZeroU32;

/// The rules of a game that can be played in matches; a board is a value of the reference.
#[derive(Debug)]
pub struct Referee {
    /// The oracle that accepts every legal move.
    pub legal: &'static str,
    /// The state of the game on a board; `None` if the value is not a board.
    pub standing: fn(board: &Live) -> Option<Standing>,
    /// An opponent's move by the reference; `None` when the game is over.
    pub choose: fn(board: &Live, opponent: Choice) -> Option<Value>,
    /// The line of a case that makes a move on the board with this name; the move has the form of the viewed
    /// answer.
    pub line: fn(made: &Value, board: &str) -> Option<String>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A player's turn.
    ToMove(Side),
    /// A player has won.
    Won(Side),
    /// A draw.
    Drawn,
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first player.
    First,
    /// The second player.
    Second,
}

/// The way in which an opponent chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The legal move that this number selects.
    Random(u64),
    /// The best move at this search depth.
    Depth(NonZeroU32),
}
