//! Grading many submissions: finding them, loading each exercise once, and the suites of tests they make.

mod suites;

pub use suites::{SuitesError, suites};
