//! The sign and the class of a kind of failure: distinct without colours.

use crate::compare::Verdict;

/// The sign of a verdict on the pages, and its class in the style sheet.
#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn of(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Passed => ("✓", "p"),
        Verdict::WrongValue | Verdict::WrongText | Verdict::WrongOutput | Verdict::DidNotRaise => ("✗", "w"),
        Verdict::Raised => ("!", "r"),
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => ("▲", "l"),
        Verdict::Crashed | Verdict::ProtocolViolation => ("■", "c"),
        Verdict::LoadError => ("∅", "e"),
        Verdict::Failed => ("✗", "w"),
        Verdict::NotRun => ("–", "n"),
    }
}
