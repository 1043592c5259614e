//! Plays Alquerque well, and solves it.
//!
//! [`next_move`] is the automatic player of a fixed depth and [`Searcher`] the one that can be stopped; [`Tables`] hold
//! the true value of every endgame, and [`can_force_win`] proves it of any position; [`sound_moves`] and its siblings
//! judge the moves of others.

mod engine;
mod entry;
mod evaluate;
mod hash;
mod judge;
mod memory;
mod order;
mod solve;
mod tables;

pub use engine::{SearchResult, Searcher, choose, next_move};
pub use evaluate::evaluate;
pub use judge::{perfect_moves, sound_moves, winning_moves};
pub use solve::{Forcing, Progress, can_force_win};
pub use tables::{NoTables, Tables, Worth};
