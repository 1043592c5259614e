//! keur grades programming-course submissions by replaying transcript cases against them.
//!
//! The way of a submission, which is also the map of the modules:
//!
//! - [`case`] reads exercises and cases, and keeps the plan of calls apart from the expectations;
//! - `submission` finds the files, and `languages` determines their language;
//! - [`sandbox`] runs a program confined, and `adapter` replays a plan on it, or on a reference in this process;
//! - `compare` compares what was observed with what is expected, and [`grade`] counts points;
//! - [`event`] describes what happens, as data, and [`report`] writes it down;
//! - `run` grades many submissions, and `testing` makes a test of each case;
//! - `exercises` has the built-in exercises, a folder each: rules, reference, game, pictures and trait;
//! - [`submit`] has those traits, for submissions in Rust; [`value`] the values that everything exchanges;
//! - `tested` reads and writes the exercises of TESTed;
//! - `draw` makes pictures, `play` games, `messages` texts in three languages, and `cli` the command line.
//!
//! The modules with links are for other crates. The others are for this one and its tests, and may change at any time.
//!
//! # Implement an exercise
//!
//! A submission in Rust implements the trait of its exercise. A test program without a harness then grades it, as
//! [`submit`] explains:
//!
//! ```no_run
//! use keur::submit::Codenames;
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
//!     keur::submit::codenames::<Spelbord>()
//! }
//! ```
#![cfg_attr(feature = "cli", doc = include_str!("run/example.md"))]

#[doc(hidden)]
pub mod adapter;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod audit;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod author;
#[doc(hidden)]
pub mod cache;
pub mod case;
#[cfg(feature = "class")]
#[doc(hidden)]
pub mod class;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod draw;
pub mod event;
#[doc(hidden)]
pub mod exercises;
pub mod grade;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod hunt;
#[doc(hidden)]
pub mod languages;
#[doc(hidden)]
pub mod messages;
#[cfg(feature = "play")]
#[doc(hidden)]
pub mod play;
pub mod report;
#[cfg(feature = "cli")]
pub mod run;
pub mod sandbox;
#[doc(hidden)]
pub mod submission;
pub mod submit;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tested;
#[doc(hidden)]
pub mod testing;
pub mod value;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod writing;
