//! The sign and the class of a kind of failure: distinct without colours.

use crate::compare::Verdict;

/// A kind of verdict, as the pages show it: its sign, its class in the style sheet, and a verdict of that kind.
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
