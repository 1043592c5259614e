//! Alquerque: twelve pieces a side on the 25 points of a board of lines.
//!
//! [`Board`] is a position, [`Board::play`] the rules; [`perft`] counts games and so checks the rules as a whole.
//! [`next_move`] is the automatic player of a fixed depth and [`Engine`] the one who stops when told to, [`Tables`] know
//! the true value of every endgame, and [`can_force_win`] proves it of any position; [`sound_moves`] and its
//! like judge the moves of others. Nothing here knows of cases or submissions.
//!
//! The rules, as the course gives them: fields 1..25 row by row; odd fields have diagonals, even ones only rows and
//! columns. Black starts on 1–12, white on 14–25, white begins. A plain move goes along a line to an empty neighbour,
//! forward only. A capture jumps along a line over a neighbouring enemy to the empty field behind it, in every
//! direction; it is not compulsory and the turn passes after it. Capturing all of the opponent's pieces wins; a player
//! to move without a legal move makes it a draw.
//!
//! A position can never come back: plain moves go forward and captures remove. Every game therefore ends, and a search
//! needs no memory of the positions before it.

mod board;
mod entry;
mod evaluate;
mod hash;
mod judge;
mod lines;
mod memory;
mod moves;
mod order;
#[cfg(feature = "cli")]
mod perft;
mod search;
#[cfg(feature = "cli")]
mod solve;
mod tables;

pub use board::{Board, Field, Move, Outcome, Player, SetupError};
pub use evaluate::{Score, evaluate};
pub use judge::{perfect_moves, sound_moves, winning_moves};
pub use moves::IllegalMove;
#[cfg(feature = "cli")]
pub use perft::{Leaves, perft};
pub use search::{Engine, Found, choose, next_move};
#[cfg(feature = "cli")]
pub use solve::{Answer, Progress, can_force_win};
pub use tables::{NoTables, Tables, Value};
