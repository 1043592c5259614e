//! How a game is played against its reference: what whoever lets the two play asks of the game.

use super::Value;
use super::program::Live;
use std::num::NonZeroU32;

/// What a game that can be played in matches knows of its boards; a board is a value of the reference's own.
#[derive(Debug)]
pub struct Referee {
    /// The oracle that accepts every legal move.
    pub legal: &'static str,
    /// Where the game on a board stands; none for what is no board.
    pub standing: fn(board: &Live) -> Option<Standing>,
    /// The move of an opponent of the reference's; none when the game is over.
    pub choose: fn(board: &Live, opponent: Choice) -> Option<Value>,
    /// The line of a case that makes a move on the board of that name; the move is as the player's answer is looked at.
    pub line: fn(made: &Value, board: &str) -> Option<String>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A player is to move.
    ToMove(Side),
    /// A player has won.
    Won(Side),
    /// Nobody has won, and the game is over.
    Drawn,
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one who begins.
    First,
    /// The other one.
    Second,
}

/// How an opponent chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The legal move that this number falls on.
    Random(u64),
    /// The best move that many moves ahead.
    Depth(NonZeroU32),
}
