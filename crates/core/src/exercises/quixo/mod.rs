//! Quixo.

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

/// The entry of Quixo in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "quixo",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::SESSIONS),
    rust: &TRAIT,
};

/// The trait of `submit`, as sessions write calls of it.
const TRAIT: RustTrait = RustTrait {
    name: "Quixo",
    class: "Quixo",
    calls: &[
        RustCall::new("Quixo", &[Parameter::Size, Parameter::OptionalText], Gives::Shown)
            .named("new")
            .failing(),
        RustCall::new("positie", &[Parameter::Text], Gives::Tuple).failing(),
        RustCall::new("beurt", &[Parameter::Text, Parameter::Text, Parameter::Text], Gives::Itself).failing(),
    ],
};
