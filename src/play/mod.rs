//! Plays the games: on a terminal and on a web page, against another person or the computer.
//!
//! Neither shell knows which games exist: they use only [`playable`](keur_core::exercises::playable).
//! [`Round`] is a game in progress with its moves so far, [`Terminal`] one shell, and [`Server`] with its
//! page the other.

mod draw;
mod lines;
mod questions;
mod round;
mod server;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use lines::Lines;
pub use round::{Round, Seat, TOP, read_level};
pub use server::Server;
pub use terminal::{GameOptions, Terminal};
pub use words::words;

use keur_core::messages::Message;
use std::io;

/// A reason why a game is not played to its end.
#[derive(Debug)]
pub enum GameError {
    /// The setup is not valid, for this reason in the player's language.
    Setup(Message),
    /// The player cannot be reached.
    Io(io::Error),
}

impl From<io::Error> for GameError {
    fn from(error: io::Error) -> GameError {
        GameError::Io(error)
    }
}
