//! The built-in exercises: a folder and an entry each.
//!
//! [`EXERCISES`] is the registry. In the folder of an exercise, `rules` are its rules, pure and typed;
//! `reference` binds them to the calls of the exercise; `play` makes them playable; `picture` draws their
//! boards; `sessions` makes random sessions to hunt with; and `submit` is the trait for a submission in Rust.

pub mod alquerque;
mod built_in;
pub mod codenames;
pub mod grid;
mod list;
pub mod picture;
pub mod pipopipette;
pub mod playable;
pub mod quixo;
pub mod rust_trait;
pub mod score;
mod script;
mod search;
#[cfg(test)]
mod session_checks;
pub mod sessions;
pub(crate) mod submit;
pub mod yinyang;

pub use built_in::{BuiltIn, Reference};
pub(crate) use list::for_each_exercise;

use playable::Playable;

macro_rules! registry {
    ($($name:ident: $trait:ident,)+) => {
        /// Every built-in exercise.
        pub const EXERCISES: &[BuiltIn] = &[$($name::EXERCISE),+];
    };
}
for_each_exercise!(registry);

/// The reference called `name`.
pub fn reference(name: &str) -> Option<&'static Reference> {
    find(name).map(|exercise| &exercise.reference)
}

/// The exercise called `name`.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    EXERCISES.iter().find(|exercise| exercise.name == name)
}

/// The exercises that people can play, as games.
pub fn games() -> impl Iterator<Item = &'static Playable> {
    EXERCISES.iter().filter_map(|exercise| exercise.playable.as_ref())
}

/// The game called `name`.
pub fn game(name: &str) -> Option<&'static Playable> {
    games().find(|game| game.name == name)
}
