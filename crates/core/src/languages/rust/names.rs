//! Names that both sides of the protocol use.

/// The name of the language.
pub(crate) const NAME: &str = "rust";

/// The type by which a panic is reported.
pub(crate) const PANIC: &str = "panic";
