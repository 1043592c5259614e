//! Compares an exception with the expected one.

use super::text::printed;
use super::{Ask, Compare, Compared, Failure, Mistake, RaiseMistake, Verdict, exception_text};
use crate::adapter::Exception;
use crate::case::{RaisedType, Raises};
use crate::value::Text;

/// An expected exception, as a finding shows it.
pub(super) struct ExpectedException {
    /// The type, the message, or both; empty if there is no message and only other languages have the type.
    pub(super) text: String,
    /// Whether the text has the type.
    shows_type: bool,
}

impl<A: Ask> Compare<'_, A> {
    /// Compares an exception with the expected one.
    pub(super) fn compare_exception(&self, raised: &Exception, expected: &Raises) -> Compared<A> {
        let message_matches =
            expected.message.as_ref().is_none_or(|expected| raised.message.as_ref() == Some(expected));
        let says_message = message_matches && expected.message.is_some();
        let type_matches = expected.kind.as_ref().is_none_or(|kind| self.is_kind(raised, kind, says_message));
        let of_its_own = RaiseMistake::of_its_own(raised);
        let mistake = match (of_its_own, message_matches, type_matches) {
            // None of these is ever expected, whatever the step says.
            (
                Some(
                    own @ (RaiseMistake::Undefined
                    | RaiseMistake::Leak
                    | RaiseMistake::Assertion
                    | RaiseMistake::Terminated
                    | RaiseMistake::ArgumentRefused
                    | RaiseMistake::NotCallable
                    | RaiseMistake::Declared(_)),
                ),
                ..,
            ) => Mistake::Raise(own),
            (_, true, true) => return Ok(()),
            (Some(RaiseMistake::NotWritten), ..) => return Err(self.unexpected(raised).into()),
            (Some(RaiseMistake::Panic), ..) => Mistake::Raise(RaiseMistake::Panic),
            (_, true, false) => Mistake::Raise(RaiseMistake::AnotherType),
            (_, false, false) => Mistake::Raise(RaiseMistake::AnotherException),
            (_, false, true) => match (&raised.message, &expected.message) {
                (Some(got), Some(expected)) => Mistake::of_message(&expected.to_lossy(), &got.to_lossy()),
                _ => Mistake::Raise(RaiseMistake::AnotherMessage),
            },
        };
        let ExpectedException { text, shows_type } = self.expected_exception(expected);
        // If the type does not count, the comparison does not show it.
        let got = if shows_type {
            exception_text(raised)
        } else {
            raised.message.as_ref().map(Text::to_lossy).unwrap_or_default()
        };
        let failure = self.failure(Verdict::Raised, mistake);
        let exception = Some(raised.clone());
        Err(Failure { expected: Some(text), got: Some(got), exception, ..failure }.into())
    }

    /// The failure of what should raise and does not; `got` is what it gives, and `output` what it prints. JavaScript's
    /// `console.assert` writes its message to standard error.
    pub(super) fn not_raised(&self, expected: &Raises, got: Option<String>, output: &str) -> Failure {
        let message = expected.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        let is_printed = output.contains(&message) || printed(self.errors).contains(&message);
        let is_returned = got.as_ref().is_some_and(|got| got.contains(&message));
        let mistake = match (is_returned, is_printed) {
            _ if message.is_empty() => RaiseMistake::NotRaised,
            (true, _) => RaiseMistake::MessageReturned,
            (false, true) => RaiseMistake::MessagePrinted,
            (false, false) => RaiseMistake::NotRaised,
        };
        let failure = self.failure(Verdict::DidNotRaise, Mistake::Raise(mistake));
        Failure { expected: Some(self.expected_exception(expected).text), got, ..failure }
    }

    /// The expected exception, as a finding shows it. A type that a step names is shown as it is written there,
    /// also where only other languages have it and any exception may do.
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

    /// The name of an expected type in this language; `None` if only other languages have it.
    fn type_here<'k>(&self, kind: &'k RaisedType) -> Option<&'k str> {
        kind.name_in(self.dialect.name(), self.dialect.exceptions())
    }

    /// Whether an exception has an expected type. A type that only other languages have matches any
    /// exception, except a crash: one that the language itself raises for a mistake. A crash matches only if
    /// its message is the expected one.
    fn is_kind(&self, raised: &Exception, kind: &RaisedType, says_message: bool) -> bool {
        match self.type_here(kind) {
            Some(name) => raised.kind == name || raised.bases.iter().any(|base| base == name),
            None => says_message || !self.dialect.is_crash(&raised.kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Compare, Mistake, RaiseMistake};
    use crate::adapter::{Dialect, Exception};
    use crate::case::{Expect, RaisedType, Raises};
    use crate::compare::{NoOracle, Unmet};
    use crate::languages;
    use crate::value::Text;
    use std::collections::BTreeMap;

    fn named(name: &str) -> Option<RaisedType> {
        Some(RaisedType::Step(name.to_owned()))
    }

    /// A type that JavaScript has and Python has not.
    fn elsewhere() -> Option<RaisedType> {
        Some(RaisedType::PerLanguage(BTreeMap::from([("javascript".to_owned(), "RangeError".to_owned())])))
    }

    /// Compares an exception of a Python program, such as `ValueError: no`. `failure` is the mistake, what is
    /// expected and what came, as the finding shows them.
    #[track_caller]
    fn check(
        raised: &str,
        kind: Option<RaisedType>,
        message: Option<&str>,
        failure: Option<(RaiseMistake, &str, &str)>,
    ) {
        let (raised_kind, raised_message) = raised.split_once(": ").unwrap();
        let raised = Exception {
            kind: raised_kind.to_owned(),
            bases: [raised_kind, "Exception"].map(str::to_owned).into(),
            message: Some(Text::from(raised_message.to_owned())),
            ..Exception::default()
        };
        let expected = Raises { kind, message: message.map(|message| Text::from(message.to_owned())) };
        let dialect = &Dialect::of(languages::find("python").unwrap());
        let expect = &Expect::default();
        let compare = Compare {
            dialect,
            expect,
            view: None,
            ask: &mut NoOracle,
            line: 0,
            output: &[],
            errors: &[],
            stdin: None,
        };
        let found = match compare.compare_exception(&raised, &expected) {
            Ok(()) => None,
            Err(Unmet::Failed(failure)) => {
                Some((failure.mistake, failure.expected.unwrap(), failure.got.unwrap()))
            }
            Err(_) => panic!("it does not fail"),
        };
        let failure = failure
            .map(|(mistake, expected, got)| (Mistake::Raise(mistake), expected.to_owned(), got.to_owned()));
        assert_eq!(found, failure);
    }

    #[test]
    fn the_type_or_a_supertype_and_the_message_are_expected() {
        check("ValueError: no", named("ValueError"), Some("no"), None);
        check("ValueError: no", named("Exception"), None, None);
        check("ValueError: no", None, Some("no"), None);
    }

    #[test]
    fn a_finding_shows_what_is_expected_and_what_came() {
        use RaiseMistake::{AnotherException, AnotherMessage, AnotherType, NearMessage};

        let error = named("ValueError");
        check(
            "ValueError: no",
            named("TypeError"),
            Some("no"),
            Some((AnotherType, "TypeError: no", "ValueError: no")),
        );
        check("ValueError: no", named("TypeError"), None, Some((AnotherType, "TypeError", "ValueError: no")));
        check(
            "ValueError: No!",
            error.clone(),
            Some("no"),
            Some((NearMessage, "ValueError: no", "ValueError: No!")),
        );
        check(
            "ValueError: yes",
            error,
            Some("no"),
            Some((AnotherMessage, "ValueError: no", "ValueError: yes")),
        );
        check(
            "ValueError: yes",
            named("TypeError"),
            Some("no"),
            Some((AnotherException, "TypeError: no", "ValueError: yes")),
        );
    }

    #[test]
    fn a_type_that_does_not_count_here_is_not_shown() {
        check("ValueError: yes", None, Some("no"), Some((RaiseMistake::AnotherMessage, "no", "yes")));
        check("ValueError: no", elsewhere(), Some("no"), None);
        check("ValueError: no", elsewhere(), None, None);
        // A crash is no exception that the program raises on purpose.
        check("TypeError: no", elsewhere(), None, Some((RaiseMistake::AnotherType, "", "no")));
    }

    #[test]
    fn a_message_may_be_returned_or_printed_instead() {
        use RaiseMistake::{MessagePrinted, MessageReturned, NotRaised};

        let dialect = &Dialect::of(languages::find("javascript").unwrap());
        for (message, got, output, errors, mistake) in [
            ("no", Some("<Error: Error: no>"), "", "", MessageReturned),
            ("no", Some("\"no\""), "no\n", "", MessageReturned),
            ("no", Some("undefined"), "no\n", "", MessagePrinted),
            ("no", Some("undefined"), "", "Assertion failed: no\n", MessagePrinted),
            ("no", Some("3"), "", "", NotRaised),
            ("no", None, "", "", NotRaised),
            ("", Some("3"), "x", "", NotRaised),
        ] {
            let compare = Compare {
                dialect,
                expect: &Expect::default(),
                view: None,
                ask: &mut NoOracle,
                line: 0,
                output: output.as_bytes(),
                errors: errors.as_bytes(),
                stdin: None,
            };
            let expected = Raises { kind: None, message: Some(Text::from(message.to_owned())) };
            let failure = compare.not_raised(&expected, got.map(str::to_owned), output);
            assert_eq!(failure.mistake, Mistake::Raise(mistake), "{message} {got:?} {output} {errors}");
        }
    }
}
