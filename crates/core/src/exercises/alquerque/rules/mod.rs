//! The rules of Alquerque.
//!
//! [`Board`] is a position and [`Board::play`] makes a move; `perft` counts games and so checks the rules as
//! a whole.
//!
//! The rules, as the course gives them: fields 1..25 row by row; odd fields have diagonals, even ones only
//! rows and columns. Black starts on 1–12, white on 14–25, white begins. A plain move goes along a line to an
//! empty neighbour, forward only. A capture jumps along a line over a neighbouring enemy to the empty field
//! behind it, in every direction; it is not compulsory and the turn passes after it. A player who captures
//! all of the opponent's pieces wins; if the player to move has no legal move, it is a draw.
//!
//! A position never repeats: plain moves go forward and captures remove pieces. Every game therefore ends,
//! and a search needs no memory of earlier positions.

pub(super) mod board;
mod lines;
pub(super) mod moves;
mod perft;

pub use board::{Board, Field, Move, Outcome, Player, SetupError};
pub use moves::IllegalMove;
pub use perft::{Leaves, perft};
