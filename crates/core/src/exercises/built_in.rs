//! The entry of an exercise in the registry.

use super::picture::Picture;
use super::playable::Playable;
use super::rust_trait::RustTrait;
use super::sessions::Sessions;
use crate::value::oracle::Oracle;
use crate::value::program::Program;
use crate::value::referee::Referee;

/// The built-in parts of an exercise.
pub struct BuiltIn {
    /// The name by which an exercise file refers to it as its `reference`; also the name of the built-in
    /// exercise.
    pub name: &'static str,
    /// The reference, in this process.
    pub reference: Reference,
    /// The game that people play, if there is one.
    pub playable: Option<Playable>,
    /// The picture of its boards, if it has any.
    pub picture: Option<Picture>,
    /// The sessions to hunt with, if there are any.
    pub sessions: Option<Sessions>,
    /// The trait for submissions in Rust, as sessions write calls of it.
    pub rust: &'static RustTrait,
}

/// A program that answers correctly, and judges the answers of others.
pub struct Reference {
    /// Starts it.
    pub open: fn() -> Box<dyn Program>,
    /// The judges of answers of which several are right.
    pub oracles: &'static [Oracle],
    /// The referee of its matches, if it has any.
    pub referee: Option<&'static Referee>,
}
