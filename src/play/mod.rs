//! Playing the games: on a terminal and on a page in the browser, against one another or the computer.
//!
//! Neither shell knows which games there are: [`playable`](crate::exercises::playable) is all that they see of one.
//! [`Round`] is a game being played with its moves so far, [`Terminal`] one shell, and [`Server`] with its page the other.

mod draw;
mod round;
mod server;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use round::{Round, Seat};
pub use server::Server;
pub use terminal::{Options, Terminal};
pub use words::words;
