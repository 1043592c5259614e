//! Playing the games: on a terminal and on a page in the browser, against one another or the computer.
//!
//! [`PLAYABLE`] is the registry: a game is a file here and a row there, and neither shell knows which games there are.
//! [`game`] is all that the shells see of one, [`Round`] a game being played with its moves so far, [`Terminal`] the one
//! shell, and `Server` with its page the other.

mod alquerque;
mod codenames;
mod draw;
pub mod game;
mod pipopipette;
mod quixo;
mod round;
mod server;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod words;
mod yinyang;

pub use round::{Round, Seat};
pub use server::Server;
pub use terminal::{Options, Terminal};
pub use words::words;

/// The games that can be played.
pub const PLAYABLE: &[game::Playable] =
    &[alquerque::PLAYABLE, codenames::PLAYABLE, quixo::PLAYABLE, yinyang::PLAYABLE, pipopipette::PLAYABLE];

/// The game of this name.
pub fn playable(name: &str) -> Option<&'static game::Playable> {
    PLAYABLE.iter().find(|playable| playable.name == name)
}
