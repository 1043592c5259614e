//! keur grades programming-course submissions by replaying transcript cases against them.
//!
//! The road of the data, which is also the map of the modules:
//!
//! - [`value`] is the neutral value that crosses between case, reference and submission, and [`value::program`] the
//!   shape of anything that answers calls in this process;
//! - [`exercises`] holds the built-in exercises, a folder each: rules, reference, game, pictures, and the trait of a
//!   submission in Rust; [`draw`] has what their pictures are made of;
//! - [`case`] reads exercises and cases, and keeps the plan of calls apart from what is expected of them;
//! - [`submission`] finds the files of what was handed in, and [`driver`] knows their language;
//! - `build` makes a program of a submission that is a crate of Rust;
//! - [`sandbox`] runs a program apart, and [`adapter`] replays a plan on it, or on a reference in this process;
//! - [`compare`] holds what was observed against what is expected, and [`grade`] counts points;
//! - [`event`] is what happened, as data, and [`report`] writes it down;
//! - `run` grades many submissions, and [`testing`] makes a test of each case;
//! - `play` puts the games on a terminal and on a page in the browser;
//! - [`messages`] are messages for people, in three languages, and [`pattern`] has the regular expressions;
//! - [`cli`] is the command line.
//!
//! # Examples
//!
//! Replaying a case on its reference, as `keur check` does:
//!
//! ```
//! use keur::case::Library;
//! use keur::grade::{check_case, reference_adapter};
//!
//! let quixo = Library::BuiltIn.load("quixo")?;
//! let mut reference = reference_adapter(&quixo.exercise)?;
//! for case in &quixo.cases {
//!     check_case(&quixo.exercise, case, &mut reference)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adapter;
#[cfg(feature = "cli")]
pub mod build;
pub mod cache;
pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod draw;
pub mod driver;
pub mod event;
pub mod exercises;
pub mod grade;
pub mod messages;
pub mod pattern;
#[cfg(feature = "cli")]
pub mod play;
pub mod report;
#[cfg(feature = "cli")]
pub mod run;
pub mod sandbox;
pub mod submission;
pub mod submit;
pub mod testing;
pub mod value;
