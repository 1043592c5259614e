//! A case that would kill a survivor.

/// What a hunt for a case that kills a survivor has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A case, as the text of its file.
    Case(String),
    /// Nothing in this many sessions: the program may be equivalent to the right one.
    NoDifference(u64),
    /// There is nothing to hunt with, and why.
    NotHunted(String),
}
