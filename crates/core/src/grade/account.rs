//! The account of a grading: all that is known of the cases of a submission.

use super::quick::drop_outdated_passes;
use crate::case::Case;
use crate::judge::{KnownCase, KnownCases, OwnTexts};
use std::collections::BTreeSet;

/// The known outcomes of a submission's cases: those from before a grading, and those that it adds.
pub(super) struct Account {
    known: KnownCases,
    /// The names of the cases that the grading added, or put in the place of what was known.
    added: BTreeSet<String>,
}

impl Account {
    /// The account of a grading that begins with `known`.
    pub(super) fn new(known: KnownCases) -> Account {
        Account { known, added: BTreeSet::new() }
    }

    /// All that is known now.
    pub(super) fn known(&self) -> &KnownCases {
        &self.known
    }

    /// Adds outcomes of the grading.
    pub(super) fn add(&mut self, outcomes: KnownCases) {
        self.added.extend(outcomes.keys().cloned());
        self.known.extend(outcomes);
    }

    /// Shows the wrong value of a case in this form.
    pub(super) fn show(&mut self, case: &str, texts: &OwnTexts) {
        if let Some(KnownCase::Graded(outcome)) = self.known.get_mut(case)
            && let Some(finding) = &mut outcome.finding
        {
            texts.show_in(finding);
        }
    }

    /// Forgets the outcomes of an outdated quick pass: see [`drop_outdated_passes`].
    pub(super) fn drop_outdated_passes(&mut self, quick: &[&Case]) {
        drop_outdated_passes(quick, &mut self.known);
    }

    /// Forgets the outcomes of every quick pass.
    pub(super) fn drop_quick_passes(&mut self) {
        self.known.retain(|_, known| known.quick_pass().is_none());
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
