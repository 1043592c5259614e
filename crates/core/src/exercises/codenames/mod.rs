//! Codenames.

mod picture;
mod play;
mod reference;
pub mod rules;
mod sessions;
pub mod submit;
#[cfg(test)]
mod tests;

use crate::exercises::built_in::BuiltIn;
use crate::exercises::rust_trait::{Gives, Parameter, RustCall, RustTrait};

/// The entry of Codenames in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "codenames",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::SESSIONS),
    rust: &TRAIT,
};

/// The trait of `submit`, as sessions write calls of it.
const TRAIT: RustTrait = RustTrait {
    name: "Codenames",
    class: "Spelbord",
    calls: &[
        RustCall::new("Spelbord", &[Parameter::Size, Parameter::Size, Parameter::Text], Gives::Shown)
            .named("new"),
        RustCall::new("beurt", &[], Gives::Shown).failing(),
        RustCall::new("stoppen", &[], Gives::Itself).failing(),
        RustCall::new("aanduiden", &[Parameter::Index, Parameter::Index], Gives::Itself).failing(),
        RustCall::new("isafgelopen", &[], Gives::Shown),
    ],
};
