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

/// The entry of Yin-Yang in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "yinyang",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::session),
};
