//! Plays Alquerque well.
//!
//! [`next_move`] is the automatic player of a fixed depth; [`sound_moves`] and [`winning_moves`] judge the
//! moves of others.

mod computer;
mod judge;

pub use computer::{choose, next_move};
pub use judge::{sound_moves, winning_moves};
