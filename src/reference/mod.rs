//! Binds each game to the neutral calls of its exercise.
//!
//! A binding is one file that reads arguments into the game's types, calls the game, and says its typed errors in
//! the words of the assignment. [`GAMES`] is the registry; an exercise names an entry of it as its `reference`.

mod alquerque;
mod codenames;
mod pipopipette;
mod quixo;
mod yinyang;

use crate::value::program::Program;

/// A built-in game that answers for an exercise.
pub struct Game {
    /// The name by which an exercise file refers to it.
    pub name: &'static str,
    /// Starts it afresh.
    pub open: fn() -> Box<dyn Program>,
}

/// Every built-in game.
pub const GAMES: &[Game] = &[codenames::GAME, quixo::GAME, yinyang::GAME, pipopipette::GAME, alquerque::GAME];

/// The game called `name`.
pub fn find(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name == name)
}
