//! Tests of what the library has without features, as it is built for a student's crate: `cargo test --no-default-features`
//! runs them too.
//!
//! Some start this program again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../common/required.rs"]
mod required;
mod requirements;
#[cfg(target_os = "linux")]
mod sandbox;
mod submit;
