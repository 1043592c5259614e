//! Plays Alquerque well.
//!
//! [`next_move`] is the automatic player of a fixed depth and [`Searcher`] the one that can be stopped; [`sound_moves`]
//! and [`winning_moves`] judge the moves of others.

mod engine;
mod entry;
mod evaluate;
mod hash;
mod judge;
mod memory;
mod order;

pub use engine::{SearchResult, Searcher, choose, next_move};
pub use evaluate::evaluate;
pub use judge::{sound_moves, winning_moves};
