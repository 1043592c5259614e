//! Writing cases: what keur does for a person who makes an exercise.
//!
//! [`show()`] writes a case as a session.

mod show;

pub use show::show;
