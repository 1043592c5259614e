//! keur grades programming-course submissions by replaying transcript cases against them.
//!
//! The road of the data, which is also the map of the modules:
//!
//! - [`value`] is the neutral value that crosses between case, reference and submission, and [`value::program`]
//!   the shape of anything that answers calls in this process;
//! - [`games`] holds the rules of the built-in exercises, pure and typed;
//! - [`reference`] binds each game to the calls of its exercise;
//! - [`sandbox`] confines the processes that run submissions.

pub mod games;
pub mod reference;
pub mod sandbox;
pub mod value;
