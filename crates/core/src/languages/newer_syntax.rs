//! Syntax of a language that older versions of its interpreter refuse.

use super::pattern::pattern;
use super::version::Version;
use regex::Regex;

/// Syntax that only newer interpreters take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newer {
    /// The syntax, in English.
    pub what: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// The syntax that versions of a language added, each with the pattern of a line that has it.
pub(super) struct NewerSyntax(Vec<(Regex, Newer)>);

impl NewerSyntax {
    /// The syntax of this table: the pattern, the syntax, and the first version that has it.
    pub(super) fn new(table: &[(&str, &'static str, Version)]) -> NewerSyntax {
        NewerSyntax(
            table.iter().map(|&(regex, what, since)| (pattern(regex), Newer { what, since })).collect(),
        )
    }

    /// The syntax on a line that an interpreter of `version` does not know.
    pub(super) fn on(&self, line: &str, version: Version) -> Option<Newer> {
        let found = self.0.iter().find(|(regex, newer)| version < newer.since && regex.is_match(line));
        found.map(|(_, newer)| *newer)
    }
}
