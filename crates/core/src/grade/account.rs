//! The account of a grading: all that is known of the cases of a submission.

use super::outcome::KnownCases;
use std::collections::BTreeSet;

/// The known outcomes of a submission's cases: those from before a grading, and those that it adds.
pub(super) struct Account {
    pub(super) known: KnownCases,
    /// The names of the cases that the grading added, or put in the place of what was known.
    added: BTreeSet<String>,
}

impl Account {
    /// The account of a grading that begins with `known`.
    pub(super) fn new(known: KnownCases) -> Account {
        Account { known, added: BTreeSet::new() }
    }

    /// Adds what the grading comes to know.
    pub(super) fn add(&mut self, known: KnownCases) {
        self.added.extend(known.keys().cloned());
        self.known.extend(known);
    }

    /// The names of the cases that the grading added.
    pub(super) fn added(&self) -> impl Iterator<Item = &String> {
        self.added.iter()
    }

    /// Whether the grading added a case.
    pub(super) fn has_added(&self, case: &str) -> bool {
        self.added.contains(case)
    }

    /// The outcomes that the grading added.
    pub(super) fn into_added(self) -> KnownCases {
        let Account { mut known, added } = self;
        known.retain(|name, _| added.contains(name));
        known
    }
}
