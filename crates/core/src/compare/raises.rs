//! Compares an exception with the expected one.

use super::{Ask, Compare, Compared, Failure, Mistake, RaiseMistake, Verdict, exception_text};
use crate::adapter::Exception;
use crate::case::{RaisedType, Raises};
use crate::value::Text;

/// An expected exception, as a finding shows it.
pub(super) struct ExpectedException {
    /// The type, the message, or both.
    pub(super) text: String,
    /// Whether the text has the type.
    shows_type: bool,
}

impl<A: Ask> Compare<'_, A> {
    pub(super) fn compare_exception(&self, raised: &Exception, expected: &Raises) -> Compared<A> {
        let has_message =
            expected.message.as_ref().is_none_or(|expected| raised.message.as_ref() == Some(expected));
        let says_expected = has_message && expected.message.is_some();
        let has_type = expected.kind.as_ref().is_none_or(|kind| self.is_kind(raised, kind, says_expected));
        let mistake = match (has_message, has_type) {
            (true, true) => return Ok(()),
            (true, false) => Mistake::Raise(RaiseMistake::AnotherType),
            (false, false) => Mistake::Raise(RaiseMistake::AnotherException),
            (false, true) => match (&raised.message, &expected.message) {
                (Some(got), Some(expected)) => Mistake::of_message(&expected.to_lossy(), &got.to_lossy()),
                _ => Mistake::Raise(RaiseMistake::AnotherMessage),
            },
        };
        let ExpectedException { text, shows_type } = self.expected_exception(expected);
        // If the type does not count, the comparison does not show it.
        let message = || raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        let got = if shows_type { exception_text(raised) } else { message() };
        let failure = self.failure(Verdict::Raised, mistake);
        let exception = Some(raised.clone());
        Err(Failure { expected: Some(text), got: Some(got), exception, ..failure }.into())
    }

    /// The name of an expected type in this language; `None` if only other languages have it.
    fn type_here<'k>(&self, kind: &'k RaisedType) -> Option<&'k str> {
        kind.name_in(self.dialect.name(), self.dialect.exceptions())
    }

    /// Whether an exception has an expected type. A type that only other languages have matches any
    /// exception, except a crash: one that the language itself raises for a mistake. A crash matches only if
    /// its message is the expected one.
    fn is_kind(&self, raised: &Exception, kind: &RaisedType, says_expected: bool) -> bool {
        match self.type_here(kind) {
            Some(name) => raised.kind == name || raised.bases.iter().any(|base| base == name),
            None => says_expected || !self.dialect.is_crash(&raised.kind),
        }
    }

    pub(super) fn expected_exception(&self, raises: &Raises) -> ExpectedException {
        let kind = raises.kind.as_ref().and_then(|kind| match kind {
            RaisedType::Exercise(_) | RaisedType::PerLanguage(_) => self.type_here(kind),
            RaisedType::Step(name) => Some(name),
        });
        let text = match (kind, &raises.message) {
            (Some(kind), Some(message)) => format!("{kind}: {}", message.to_lossy()),
            (Some(kind), None) => kind.to_owned(),
            (None, Some(message)) => message.to_lossy(),
            (None, None) => String::new(),
        };
        ExpectedException { text, shows_type: kind.is_some() }
    }
}
