//! The time that passes, and waiting.
//!
//! Time is the standard library's, but on `wasm32-unknown-unknown`, where that has no clock and panics: there
//! a page supplies its own with `clock::supplied::supply`.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
pub mod supplied;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::{thread::sleep, time::Instant};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use supplied::{Instant, sleep};
