//! Writing cases: what keur does for a person who makes an exercise.
//!
//! [`show()`] writes a case as a session. `looks` decides how a person would look at an answer of the
//! reference, `answered` makes an expectation of it, and `keys` writes that down. `ask` does this for each
//! step of a case, and `fill` puts the answers into the text of its file. [`started_case`] begins one. `schemas` has
//! what editors know of these files.

pub mod ask;
pub mod fill;
pub mod import;
pub mod keys;
pub mod schemas;
mod show;
mod start;
#[cfg(test)]
mod tests;

pub use show::show;
pub use start::started_case;
