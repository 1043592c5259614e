//! Binds each game to the neutral calls of its exercise.
//!
//! A binding is one file that reads arguments into the game's types, calls the game, and says its typed errors in
//! the words of the assignment. [`GAMES`] is the registry; an exercise names an entry of it as its `reference`.

mod alquerque;
mod alquerque_oracles;
#[cfg(feature = "cli")]
mod alquerque_perfect;
mod codenames;
mod pipopipette;
mod quixo;
mod yinyang;

use crate::value::oracle::Oracle;
use crate::value::program::Program;
use crate::value::referee::Referee;

/// A built-in game that answers for an exercise.
pub struct Game {
    /// The name by which an exercise file refers to it.
    pub name: &'static str,
    /// Starts it afresh.
    pub open: fn() -> Box<dyn Program>,
    /// What judges answers of which several are right.
    pub oracles: &'static [Oracle],
    /// How it is played in matches; none where it is not.
    pub referee: Option<&'static Referee>,
}

/// Every built-in game.
pub const GAMES: &[Game] = &[codenames::GAME, quixo::GAME, yinyang::GAME, pipopipette::GAME, alquerque::GAME];

/// The game called `name`.
pub fn find(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name == name)
}
