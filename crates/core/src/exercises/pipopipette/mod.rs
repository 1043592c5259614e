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

/// The entry of Game of dots in the registry.
pub(super) const EXERCISE: BuiltIn = BuiltIn {
    name: "pipopipette",
    reference: reference::REFERENCE,
    playable: Some(play::PLAYABLE),
    picture: Some(picture::PICTURE),
    sessions: Some(sessions::session),
};
