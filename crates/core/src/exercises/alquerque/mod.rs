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
use crate::exercises::rust_trait::{Gives, Parameter, RustCall, RustTrait};

/// The entry of Alquerque in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "alquerque",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::SESSIONS),
    rust: &TRAIT,
};

/// The trait of `submit`, as sessions write calls of it.
const TRAIT: RustTrait = RustTrait {
    name: "Alquerque",
    class: "Alquerque",
    calls: &[
        RustCall::new("make_move", &[Parameter::Field, Parameter::Field], Gives::Debugged),
        RustCall::new("source", &[Parameter::Object], Gives::Shown),
        RustCall::new("target", &[Parameter::Object], Gives::Shown),
        RustCall::new("make_board", &[], Gives::Debugged),
        RustCall::new("white_plays", &[Parameter::Object], Gives::Shown),
        RustCall::new("white", &[Parameter::Object], Gives::Debugged),
        RustCall::new("black", &[Parameter::Object], Gives::Debugged),
        RustCall::new("is_legal", &[Parameter::Object, Parameter::Object], Gives::Shown),
        RustCall::new("legal_moves", &[Parameter::Object], Gives::Debugged),
        RustCall::new("move", &[Parameter::Object, Parameter::Changed], Gives::Debugged).named("play"),
        RustCall::new("is_game_over", &[Parameter::Object], Gives::Shown),
        RustCall::new("copy", &[Parameter::Object], Gives::Debugged),
        RustCall::new("next_move", &[Parameter::Object, Parameter::OptionalSize], Gives::Debugged),
    ],
};
