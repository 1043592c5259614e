//! Writing cases: what a reference answers becomes what a case expects.
//!
//! `looks` decides how a person would look at an answer, `answered` makes an expectation of it, and `keys` writes that
//! down. `ask` does this for each step of a case, and `fill` puts the answers into the text of its file.

pub mod answered;
pub mod ask;
pub mod fill;
pub mod keys;
pub mod looks;

#[cfg(test)]
mod tests;
