//! The name of a file while it is written.

/// How the name of a file begins while it is written, and how it ends.
pub(super) const PREFIX: &str = ".keur-";
pub(super) const SUFFIX: &str = ".part";

/// Whether a file of this name is one that a killed process left unfinished.
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}
