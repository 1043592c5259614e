//! The core of keur: reads transcript cases, replays them on a program, compares what it answers, and counts
//! points.
//!
//! With this crate one can
//!
//! - implement an exercise in Rust, and have each of its cases as a test: [`submit`];
//! - read exercises and their cases: [`case`];
//! - write a format of reports: [`report`].
//!
//! The crate [`keur`](https://docs.rs/keur) grades submissions in all languages with it.
//!
//! ```
//! use keur_core::case::Library;
//!
//! let loaded = Library::BuiltIn.load("quixo")?;
//! for case in &loaded.cases {
//!     println!("{}: {} points", case.name, case.points);
//! }
//! assert_eq!(loaded.exercise.name, "quixo");
//! # Ok::<(), keur_core::case::LibraryError>(())
//! ```
//!
//! `examples/quixo.rs` is a complete submission in Rust.
//!
//! # Modules
//!
//! In the order in which a submission goes through them:
//!
//! - [`case`] reads exercises and cases, and keeps the plan of calls apart from the expectations;
//! - [`submission`] finds the files, and [`languages`] determines their language;
//! - [`sandbox`] runs a program confined, and [`adapter`] replays a plan on it, or on a reference in this
//!   process;
//! - [`compare`] compares what was observed with what is expected, [`judge`] makes findings of it, and [`grade`] counts
//!   points;
//! - [`event`] describes what happens, as data, and [`report`] writes it down.
//!
//! Beside them are [`value`], the values that all exchange; [`messages`], texts in three languages;
//! [`mod@named`], the names of the values of an enum; and [`submit`] and [`testing`], the traits and tests of
//! submissions in Rust.
//!
//! The rest is hidden from these pages: it is for the program keur, and may change at any time. `exercises`
//! has the built-in exercises, a folder each with rules, reference, game, pictures and trait; `sessions` makes
//! random sessions of them, `hunt` tries those, and `draw` makes their pictures.
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
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod hunt;
pub mod judge;
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
