//! Game of dots (Pipopipette).

mod picture;
mod play;
mod reference;
pub mod rules;
mod search;
mod sessions;
pub mod submit;
#[cfg(test)]
mod tests;

use crate::exercises::built_in::BuiltIn;
use crate::exercises::rust_trait::{Gives, Parameter, RustCall, RustTrait};

/// The entry of Game of dots in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "pipopipette",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::SESSIONS),
    rust: &TRAIT,
};

/// The trait of `submit`, as sessions write calls of it.
const TRAIT: RustTrait = RustTrait {
    name: "Pipopipette",
    class: "Pipopipette",
    calls: &[
        RustCall::new("Pipopipette", &[Parameter::Size, Parameter::OptionalSize], Gives::Shown)
            .named("new")
            .failing(),
        RustCall::new("score", &[], Gives::Debugged),
        RustCall::new("player", &[], Gives::Shown),
        RustCall::new("claim", &[Parameter::Text], Gives::Itself).failing(),
    ],
};
