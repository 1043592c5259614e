//! The expectations that the cases have of a call.

use crate::case::{Expect, Matcher, TextMatcher, Tolerance};
use crate::exercises::sessions::Look;
use crate::value::Value;

/// The expectations that cases have of calls: only that is fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// Whether they expect one value.
    pub(super) value: bool,
    /// Whether they tell a tuple from a list.
    pub(super) exact: bool,
    /// Whether other values could be right too.
    pub(super) several: bool,
    /// Whether the order of the value is irrelevant.
    pub(super) any_order: bool,
    /// The most that a number may differ.
    pub(super) within: Option<f64>,
    /// Whether they expect the text of the object.
    pub(super) text: bool,
    /// Whether they expect one very object.
    pub(super) same: bool,
    /// Whether they expect what is printed.
    pub(super) prints: bool,
    /// The differences that are allowed between an answer and what is expected.
    pub(super) tolerance: Tolerance,
}

impl Fixed {
    pub(super) fn add(&mut self, expect: &Expect) {
        let shown = [&expect.shows, &expect.prints].map(|text| matches!(text, Some(TextMatcher::Plain(_))));
        self.text |= shown[0];
        self.prints |= shown[1];
        self.same |= expect.same.is_some();
        self.tolerance = expect.tolerance.over(&self.tolerance);
        match expect.value.as_ref().map(|returns| &returns.matcher) {
            None | Some(Matcher::NotSame(_)) => {}
            Some(Matcher::Plain(_)) => self.value = true,
            Some(Matcher::Exact(value)) => {
                self.value = true;
                self.exact |= value.parts().any(|part| matches!(part, Value::Tuple(_)));
            }
            Some(Matcher::Reference) => (self.value, self.exact) = (true, true),
            Some(Matcher::AnyOrder(_)) => (self.value, self.any_order) = (true, true),
            Some(Matcher::Approx { within, .. }) => {
                self.value = true;
                self.within = Some(self.within.map_or(*within, |known| known.max(*within)));
            }
            Some(
                Matcher::OneOf(_)
                | Matcher::Matches(_)
                | Matcher::Type(_)
                | Matcher::Instance(_)
                | Matcher::Oracle(_)
                | Matcher::Check(_),
            ) => self.several = true,
        }
    }

    /// The way in which a step may be looked at.
    pub(super) fn look(&self, look: Look) -> Look {
        let fixed = match &look {
            Look::Value => self.value && !self.several,
            Look::Text => self.text,
            Look::Same(_) => self.same,
            Look::Prints => self.prints,
            Look::Nothing | Look::Oracle { .. } => false,
        };
        if fixed { look } else { Look::Nothing }
    }
}

/// A value as the arrays of a case say it, for which a tuple is a list; `None` if TOML lacks something else
/// in it.
pub(super) fn as_toml(value: &Value) -> Option<Value> {
    let all = |items: &[Value]| items.iter().map(as_toml).collect::<Option<Vec<Value>>>().map(Value::List);
    match value {
        Value::List(items) | Value::Tuple(items) => all(items),
        value => value.is_toml().then(|| value.clone()),
    }
}
