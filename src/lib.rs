//! Grades programming-course submissions by replaying transcript cases on them.
//!
//! [`run`] grades many submissions at once, and [`hunt`] has the result of a search for sessions on which a
//! submission differs from the reference. A run tells what happens as [`keur_core::event`]s, which
//! [`keur_core::report`] writes down in the format of your choice; [`keur_sandbox`] confines the submissions.
//!
//! This library is the program `keur` without its command line. Its other modules are for the program and its
//! tests, and may change at any time: `cli` is the command line, `class` grades a class, `author` and `audit`
//! help those who write cases, `site` writes a site that grades in a browser, `tested` reads and writes the exercises of TESTed, and `play` has the games.
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
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod log;
#[cfg(feature = "play")]
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod play;
pub mod run;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod site;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod tested;
pub mod testing;
#[doc(hidden)]
#[allow(missing_docs, reason = "hidden")]
pub mod writing;
