//! Random bytes that nobody can predict.
//!
//! The system gives them. `wasm32-unknown-unknown` has no system: there a page supplies its own with
//! `random::supply`.

use std::io;

/// Fills `bytes` with random ones.
///
/// # Errors
/// The system gives none, or no page has supplied any.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn fill(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(io::Error::other)
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use supplied::{fill, supply};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod supplied {
    use super::io;
    use std::sync::OnceLock;

    static SOURCE: OnceLock<fn(&mut [u8])> = OnceLock::new();

    /// Supplies the random bytes for the whole life of this program; what was supplied first is kept.
    pub fn supply(source: fn(&mut [u8])) {
        let _ = SOURCE.set(source);
    }

    /// Fills `bytes` with random ones.
    ///
    /// # Errors
    /// No page has supplied any.
    pub fn fill(bytes: &mut [u8]) -> io::Result<()> {
        let source = SOURCE.get().ok_or_else(|| io::Error::other("no random numbers were supplied"))?;
        source(bytes);
        Ok(())
    }
}
