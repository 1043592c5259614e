//! Writing cases: what a reference answers becomes what a case expects.
//!
//! `looks` decides how a person would look at an answer, `answered` makes an expectation of it, and `keys` writes that down.

pub mod answered;
pub mod ask;
pub mod import;
pub mod keys;
pub mod looks;

#[cfg(test)]
mod tests;
