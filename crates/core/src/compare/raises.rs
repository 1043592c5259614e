//! Whether an exception is the expected one.

use super::{Ask, Compare, Compared, Failure, Mistake, RaiseMistake, Verdict, exception_text};
use crate::adapter::Exception;
use crate::case::{RaisedType, Raises};
use crate::value::Text;

impl<A: Ask> Compare<'_, A> {
    pub(super) fn raised(&self, raised: &Exception, expected: &Raises) -> Compared<A> {
        let message =
            expected.message.as_ref().is_none_or(|expected| raised.message.as_ref() == Some(expected));
        let said = message && expected.message.is_some();
        let kind = expected.kind.as_ref().is_none_or(|kind| self.is_kind(raised, kind, said));
        if message && kind {
            return Ok(());
        }
        let mistake = match (message, raised.message.as_ref(), expected.message.as_ref()) {
            (true, _, _) => Mistake::Raise(RaiseMistake::AnotherType),
            (false, _, _) if !kind => Mistake::Raise(RaiseMistake::AnotherException),
            (false, Some(got), Some(expected)) => Mistake::of_message(&expected.to_lossy(), &got.to_lossy()),
            (false, _, _) => Mistake::Raise(RaiseMistake::AnotherMessage),
        };
        let failure = self.failure(Verdict::Raised, mistake);
        let (kind, text) = self.raises_text(expected);
        // If the type does not count, the comparison does not show it.
        let message = raised.message.as_ref().map(Text::to_lossy);
        let got = if kind { exception_text(raised) } else { message.unwrap_or_default() };
        let exception = Some(raised.clone());
        Err(Failure { expected: Some(text), got: Some(got), exception, ..failure }.into())
    }

    /// The name of an expected type in this language; `None` if only other languages have it.
    fn type_here<'k>(&self, kind: &'k RaisedType) -> Option<&'k str> {
        kind.name_in(self.dialect.name(), self.dialect.exceptions())
    }

    /// Whether an exception has an expected type. A type that only other languages have matches any
    /// exception, except a crash: one that the language itself raises for a mistake. A crash matches only if
    /// it `said` what is expected.
    fn is_kind(&self, raised: &Exception, kind: &RaisedType, said: bool) -> bool {
        match self.type_here(kind) {
            Some(name) => raised.kind == name || raised.bases.iter().any(|base| base == name),
            None => said || !self.dialect.is_crash(&raised.kind),
        }
    }

    /// An expected exception as text, and whether its type is part of that.
    pub(super) fn raises_text(&self, raises: &Raises) -> (bool, String) {
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
        (kind.is_some(), text)
    }
}
