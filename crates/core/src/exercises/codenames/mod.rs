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

/// The entry of Codenames in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "codenames",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::session),
};
