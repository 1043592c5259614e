//! Writing cases: what keur does for a person who makes an exercise.
//!
//! [`show()`] writes a case as a session. `looks` decides how a person would look at an answer of the reference,
//! `answered` makes an expectation of it, and `keys` writes that down.

pub mod answered;
pub mod ask;
pub mod keys;
pub mod looks;
mod show;
#[cfg(test)]
mod tests;

pub use show::show;
