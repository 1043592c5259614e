//! The calls that random sessions made, against those that the cases make.

use super::examples::{Callee, HOLE};
use std::collections::{BTreeMap, BTreeSet};

/// A call of the cases of which no random session compared an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachedCall {
    /// The call, without arguments: `Account.deposit`, or `deposit` in an exercise with one class.
    pub call: String,
    /// The reason.
    pub why: Unreached,
}

/// A reason why no session compared an answer of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreached {
    /// No session made the call.
    NeverCalled,
    /// The reference raised each time, although it answers in the cases.
    AlwaysFailed,
}

/// The calls of the sessions so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    calls: BTreeMap<Callee, Count>,
    /// The number of sessions with a call at which the reference did not end.
    pub(super) endless: u64,
}

/// The number of times that a call was made.
#[derive(Debug, Default)]
struct Count {
    /// With an answer.
    answered: u64,
    /// With an exception that some case expects.
    refused: u64,
    /// With another exception: the session goes on without the call.
    failed: u64,
}

impl Tally {
    pub(super) fn answered(&mut self, callee: Callee) {
        self.calls.entry(callee).or_default().answered += 1;
    }

    pub(super) fn refused(&mut self, callee: Callee) {
        self.calls.entry(callee).or_default().refused += 1;
    }

    pub(super) fn failed(&mut self, callee: Callee) {
        self.calls.entry(callee).or_default().failed += 1;
    }

    /// The calls among `made`, which say whether the cases expect an answer, that no session compared.
    pub(super) fn unreached(&self, made: &BTreeMap<Callee, bool>) -> Vec<UnreachedCall> {
        let nothing = Count::default();
        let classes: BTreeSet<&str> = made.keys().filter_map(Callee::class).collect();
        let why = |callee: &Callee, answers: bool| {
            let count = self.calls.get(callee).unwrap_or(&nothing);
            let is_reached = count.answered > 0 || !answers && count.refused > 0;
            match count.refused + count.failed {
                _ if is_reached => None,
                0 => Some(Unreached::NeverCalled),
                _ => Some(Unreached::AlwaysFailed),
            }
        };
        let unreached = |(callee, answers): (&Callee, &bool)| {
            let call = callee.shown(classes.len() > 1);
            Some(UnreachedCall { call, why: why(callee, *answers)? })
        };
        made.iter().filter_map(unreached).collect()
    }
}

impl Callee {
    fn class(&self) -> Option<&str> {
        match self {
            Callee::Class(class) | Callee::Method(class, _) | Callee::Attribute(class, _) => Some(class),
            Callee::Function(_) | Callee::Form(_) => None,
        }
    }

    /// The call without arguments, with the class of a method or an attribute if it `has_class`.
    fn shown(&self, has_class: bool) -> String {
        match self {
            Callee::Class(name) | Callee::Function(name) => name.clone(),
            Callee::Method(class, name) | Callee::Attribute(class, name) if has_class => {
                format!("{class}.{name}")
            }
            Callee::Method(_, name) | Callee::Attribute(_, name) => name.clone(),
            Callee::Form(form) => form.replace(HOLE, "…"),
        }
    }
}
