//! Tests of the library from outside: what it says it needs, the sandbox, and students' crates.
//!
//! Some start this program again, so it stands alone.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../common/required.rs"]
mod required;
mod requirements;
#[path = "../common/running.rs"]
mod running;
#[cfg(target_os = "linux")]
mod sandbox;
mod submit;
