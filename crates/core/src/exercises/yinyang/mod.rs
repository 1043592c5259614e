//! Yin-Yang.

mod picture;
mod play;
mod reasons;
mod reference;
pub mod rules;
mod scripted;
mod sessions;
pub mod solver;
pub mod submit;
#[cfg(test)]
mod tests;

use crate::exercises::built_in::BuiltIn;
use crate::exercises::rust_trait::{Gives, Parameter, RustCall, RustTrait};

/// The entry of Yin-Yang in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "yinyang",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::SESSIONS),
    rust: &TRAIT,
};

/// The trait of `submit`, as sessions write calls of it.
const TRAIT: RustTrait = RustTrait {
    name: "YinYang",
    class: "YinYang",
    calls: &[
        RustCall::new(
            "YinYang",
            &[Parameter::Size, Parameter::Positions, Parameter::Positions],
            Gives::Shown,
        )
        .named("new")
        .failing(),
        RustCall::new("maak_wit", &[Parameter::Position], Gives::Itself).failing(),
        RustCall::new("maak_zwart", &[Parameter::Position], Gives::Itself).failing(),
        RustCall::new("maak_leeg", &[Parameter::Position], Gives::Itself).failing(),
        RustCall::new("aaneengesloten_gebied", &[Parameter::Position], Gives::Debugged),
        RustCall::new("isopgelost", &[], Gives::Shown),
    ],
};
