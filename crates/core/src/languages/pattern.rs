//! The patterns that scan source files.

use regex::Regex;

/// A letter of a name: matching exactly Unicode's letters would take long to compile.
const LETTER: &str = r"[0-9A-Za-z_\x{80}-\x{10FFFF}]";

/// The end of a name, as far as ASCII goes.
const BOUNDARY: &str = r"(?-u:\b)";

/// A driver's pattern, in which `\w` is a letter of a name.
#[expect(clippy::unwrap_used, reason = "the patterns are constants of the drivers, each run by a test")]
pub fn pattern(regex: &str) -> Regex {
    Regex::new(&regex.replace(r"\w", LETTER).replace(r"\b", BOUNDARY)).unwrap()
}
