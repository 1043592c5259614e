//! A place of a program where a mutant is made.

use keur_core::named;
use std::ops::Range;

/// Characters of code that a sentence shows.
const MOST_SHOWN: usize = 50;

/// A place of a program that can be changed.
pub(super) struct ChangeSite {
    /// The function that it is in, or `top`.
    pub(super) function: String,
    pub(super) kind: ChangeKind,
    /// The bytes that are replaced.
    pub(super) at: Range<usize>,
    pub(super) put: String,
    /// The byte, and what to insert there, so that the program ends where the changed statement would be reached;
    /// none where that cannot be done.
    pub(super) reach: Option<(usize, String)>,
}

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChangeKind {
    /// A comparison the other way.
    Turned,
    /// A comparison with or without equality.
    Border,
    /// `and` for `or`.
    Boolean,
    /// A `not` left out.
    Negation,
    /// A constant: a number, a text or a truth value.
    Constant,
    /// The text of an exception.
    Message,
    /// Another operator, such as `+` for `-`, or a bound that is one lower.
    Arithmetic,
    /// A statement left out.
    Dropped,
    /// A value that is not returned.
    Return,
    /// Two adjacent statements in the other order.
    Swapped,
    /// A copy that is the original.
    Shared,
    /// A `return`, or the end of a loop, that comes too early.
    Early,
}

// Names that the names of mutants have.
named!(ChangeKind {
    Turned = "turned",
    Border = "border",
    Boolean = "boolean",
    Negation = "negation",
    Constant = "constant",
    Message = "message",
    Arithmetic = "arithmetic",
    Dropped = "dropped",
    Return = "return",
    Swapped = "swapped",
    Shared = "shared",
    Early = "early",
});

impl ChangeKind {
    /// The mistake that a change of `old` into `new` makes.
    pub(super) fn what(self, old: &str, new: &str) -> String {
        let (old, new) = (shown(old), shown(new));
        match self {
            ChangeKind::Turned | ChangeKind::Border => format!("compares with `{new}` instead of `{old}`"),
            ChangeKind::Boolean | ChangeKind::Arithmetic => format!("has `{new}` instead of `{old}`"),
            ChangeKind::Negation => format!("leaves out `{old}`"),
            ChangeKind::Constant if old.is_empty() => format!("has a text that ends in `{new}`"),
            ChangeKind::Constant => format!("has `{new}` instead of `{old}`"),
            ChangeKind::Message => format!("raises with a message that ends in `{new}`"),
            ChangeKind::Dropped => format!("leaves out `{old}`"),
            ChangeKind::Return => "leaves out a `return`".to_owned(),
            ChangeKind::Swapped => format!("does `{old}` after the next statement"),
            ChangeKind::Shared => format!("has `{new}` itself instead of the copy `{old}`"),
            ChangeKind::Early if new.contains("return") => "returns too early".to_owned(),
            ChangeKind::Early => "ends a loop too early".to_owned(),
        }
    }
}

/// The first line of code, for a sentence.
fn shown(code: &str) -> String {
    let line = code.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(MOST_SHOWN).collect();
    if cut == code { cut } else { cut + " …" }
}
