//! Alquerque: twelve pieces a side on the 25 points of a board of lines.
//!
//! The exercise has functions, not a class, and includes a player that finds good moves. [`rules`] are the
//! rules, [`search`] plays the game, and the reference with its oracles binds both to the calls of the
//! exercise.

mod live;
mod oracles;
mod picture;
mod play;
mod reference;
pub mod rules;
pub mod search;
mod sessions;
pub mod submit;
#[cfg(test)]
mod tests;

use crate::exercises::built_in::BuiltIn;

/// The entry of Alquerque in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "alquerque",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::random),
};
