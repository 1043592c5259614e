//! keur grades programming-course submissions by replaying transcript cases against them.
//!
//! This library is the program `keur` without its command line. What replays, compares and reports is
//! [`keur_core`], and what confines a submission is [`keur_sandbox`]; here is what works on many submissions,
//! and what helps those who write cases:
//!
//! - [`run`] grades many submissions, and [`hunt`] looks for sessions that differ;
//! - `author` is for those who write cases, and `tested` reads and writes the exercises of TESTed;
//! - `audit` tells which wrong programs the cases of an exercise notice;
//! - `class` grades a class, `play` has the games, and `cli` is the command line.
//!
//! The modules with links are for other crates. The others are for the program and its tests, and may change
//! at any time.
#![doc = include_str!("run/example.md")]
#![warn(missing_docs)]

#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod audit;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod author;
#[cfg(feature = "class")]
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod class;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod cli;
pub mod hunt;
#[cfg(feature = "play")]
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod play;
pub mod run;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod tested;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod writing;
