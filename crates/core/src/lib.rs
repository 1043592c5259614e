//! Replays transcript cases on a program, and compares what it answers: the core of keur, and all of it that
//! a student's crate needs.
//!
//! The way of a submission, which is also the map of the modules:
//!
//! - [`case`] reads exercises and cases, and keeps the plan of calls apart from the expectations;
//! - [`submission`] finds the files, and [`languages`] determines their language;
//! - [`sandbox`] runs a program confined, and [`adapter`] replays a plan on it, or on a reference in this
//!   process;
//! - [`compare`] compares what was observed with what is expected, and [`grade`] counts points;
//! - [`sessions`] makes random sessions of an exercise, as cases;
//! - [`event`] describes what happens, as data, and [`report`] writes it down;
//! - [`exercises`] has the built-in exercises, a folder each: rules, reference, game, pictures and trait;
//! - [`submit`] has those traits, for submissions in Rust, and [`testing`] makes a test of each case;
//! - [`value`] has the values that everything exchanges, [`messages`] texts in three languages, and [`draw`]
//!   pictures;
//! - [`mod@named`] gives the values of an enum their names.
//!
//! # Implement an exercise
//!
//! A submission in Rust implements the trait of its exercise. A test program without a harness then grades
//! it, as [`submit`] explains:
//!
//! ```no_run
//! use keur_core::submit::Codenames;
//!
//! struct Spelbord { /* … */ }
//!
//! impl Codenames for Spelbord {
//!     fn new(_rows: usize, _columns: usize, _cards: &str) -> Spelbord { Spelbord {} }
//!     fn beurt(&self) -> Result<String, String> { Ok("B".to_owned()) }
//!     fn stoppen(&mut self) -> Result<(), String> { Ok(()) }
//!     fn aanduiden(&mut self, _row: usize, _column: usize) -> Result<(), String> { Ok(()) }
//!     fn isafgelopen(&self) -> bool { false }
//! }
//!
//! impl std::fmt::Display for Spelbord {
//!     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("…") }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     keur_core::submit::codenames::<Spelbord>()
//! }
//! ```
#![warn(missing_docs)]

pub mod adapter;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod cache;
pub mod case;
pub mod compare;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod draw;
pub mod event;
#[cfg_attr(
    all(target_family = "wasm", target_os = "unknown"),
    expect(dead_code, reason = "submissions in Rust answer to tests of cargo, which a page has not")
)]
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod exercises;
pub mod grade;
pub mod languages;
pub mod messages;
pub mod named;
mod protocol;
pub mod report;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod sessions;
pub mod submission;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub mod submit;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub mod testing;
pub mod value;

pub use keur_sandbox as sandbox;

use sandbox::Tier;

named!(Tier { Strict = "strict", Standard = "standard", Portable = "portable" });
