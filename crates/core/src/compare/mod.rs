//! Compares the observations of a step with its expectations.
//!
//! Pure: an [`Expect`] and an [`Observation`] go in, a [`StepResult`] comes out. `value` defines equality,
//! [`Mismatch`] names the kind of mismatch, and [`diff`] shows two texts side by side.

mod check;
pub mod diff;
mod failure;
mod mismatch;
mod oracle;
mod pairing;
mod program;
mod raises;
mod returned;
mod text;
mod value;
mod verdict;
mod words;
mod written;

pub use failure::{Failure, StepResult, exception_text, halted, without_addresses};
#[cfg(test)]
pub(crate) use mismatch::samples::samples;
pub use mismatch::{
    JudgedMistake, LoadMistake, MatchMistake, Mismatch, NameMistake, PartProblem, ProgramMistake,
    RaiseMistake, Scope, StopMistake, TextMistake, Traits, ValueMistake, WrittenProblem,
};
pub use oracle::{CheckAnswer, NoOracle, Share, StepOracle};
pub use text::printed;
pub use value::{Equality, PLAIN_TYPES, equal};
pub use verdict::Verdict;

use crate::adapter::{Dialect, Exception, Missing, MissingKind, Observation, Seen, StepOutcome, StepSeen};
use crate::case::{Action, Calls, Expect, Matcher, PlanStep, TextMatcher, View};
use crate::value::{Text, Value};
use text::TextDifference;

/// Compares what was seen of a step with its expectations. `oracle` is the reference at this step.
pub fn step(
    step: &PlanStep,
    expect: &Expect,
    seen: &StepSeen,
    dialect: &Dialect,
    oracle: &dyn StepOracle,
) -> StepResult {
    let result = match (&step.action, &seen.seen) {
        (Action::Calls(calls), Seen::Calls(observed)) => lines(calls, expect, observed, dialect, oracle),
        (_, Seen::Program(ran)) => program::program(expect, ran, oracle),
        (_, Seen::NoProgram(file)) => {
            let mismatch = Mismatch::Load(LoadMistake::NoProgram { file: file.clone() });
            StepResult::Failed(Box::new(Failure::new(Verdict::LoadError, 0, mismatch)))
        }
        // The umpire of a match judges it.
        _ => StepResult::NotRun,
    };
    match &seen.files {
        Some(found) if result == StepResult::Passed => {
            written::written(expect, written::last_line(step, seen), found, oracle)
        }
        _ => result,
    }
}

/// Compares the observations of lines with what is expected of their step.
fn lines(
    calls: &Calls,
    expect: &Expect,
    observed: &[Observation],
    dialect: &Dialect,
    oracle: &dyn StepOracle,
) -> StepResult {
    let last = calls.lines.len().saturating_sub(1);
    let output: Vec<u8> =
        observed.iter().flat_map(|observation| observation.output.iter().copied()).collect();
    for (index, observation) in observed.iter().enumerate() {
        let view = calls.want.view.as_ref();
        let compared = Compare { dialect, expect, view, oracle, line: index, output: &output };
        let result = if index == last { compared.last(observation) } else { compared.earlier(observation) };
        match result {
            Ok(()) => {}
            Err(None) => return StepResult::NotRun,
            Err(Some(failure)) => return StepResult::Failed(failure),
        }
    }
    if observed.len() == calls.lines.len() { StepResult::Passed } else { StepResult::NotRun }
}

/// The result of one line: correct, not run (`None`), or wrong.
type Compared = Result<(), Option<Box<Failure>>>;

struct Compare<'a> {
    dialect: &'a Dialect,
    expect: &'a Expect,
    view: Option<&'a View>,
    oracle: &'a dyn StepOracle,
    line: usize,
    /// The output of the whole step.
    output: &'a [u8],
}

impl Compare<'_> {
    fn failure(&self, verdict: Verdict, mismatch: Mismatch) -> Failure {
        Failure::new(verdict, self.line, mismatch)
    }

    fn wrong<T>(&self, failure: Failure) -> Result<T, Option<Box<Failure>>> {
        Err(Some(Box::new(failure)))
    }

    /// Compares a line that must only not raise.
    fn earlier(&self, observation: &Observation) -> Compared {
        match &observation.outcome {
            StepOutcome::Value { .. } => Ok(()),
            StepOutcome::Raised(raised) => self.wrong(self.unexpected(raised)),
            StepOutcome::Missing(missing) => self.wrong(self.missing(missing)),
            StepOutcome::Halted(halt) => self.wrong(halted(halt, self.line)),
            StepOutcome::Unbound(_) => Err(None),
        }
    }

    fn last(&self, observation: &Observation) -> Compared {
        match (&observation.outcome, &self.expect.raises) {
            (StepOutcome::Raised(raised), Some(expected)) => {
                self.raised(raised, expected)?;
            }
            (StepOutcome::Value { value, .. }, Some(expected)) => {
                let got = value.as_ref().map(|value| self.shown(value));
                let message = expected.message.as_ref().map(Text::to_lossy).unwrap_or_default();
                let printed = String::from_utf8_lossy(&observation.output);
                let told = !message.is_empty() && printed.contains(&message);
                let mismatch = if told {
                    Mismatch::Raise(RaiseMistake::MessagePrinted)
                } else {
                    Mismatch::Raise(RaiseMistake::NotRaised)
                };
                let failure = self.failure(Verdict::DidNotRaise, mismatch);
                return self.wrong(Failure { expected: Some(self.raises_text(expected).1), got, ..failure });
            }
            (StepOutcome::Value { value, text }, None) => {
                self.identity(observation, value.as_ref())?;
                self.value(observation, value.as_ref())?;
                self.text(observation, text.as_ref())?;
            }
            _ => self.earlier(observation)?,
        }
        self.printed()
    }

    fn unexpected(&self, raised: &Exception) -> Failure {
        if let Some(name) = method_of_undefined(raised) {
            let class = self.dialect.notation.types().undefined.to_owned();
            return self
                .failure(Verdict::Raised, Mismatch::Name(NameMistake::MethodOfNothing { class, name }));
        }
        let (verdict, mismatch) = match raised.kind.as_str() {
            "MemoryError" => (Verdict::MemoryLimit, Mismatch::Stop(StopMistake::MemoryLimit)),
            _ => (Verdict::Raised, Mismatch::Raise(RaiseMistake::Unexpected)),
        };
        let got = Some(exception_text(raised));
        let expected = self.expected_text();
        Failure { expected, got, exception: Some(raised.clone()), ..self.failure(verdict, mismatch) }
    }

    /// The expected result of a step that did not get that far, if there is a single one.
    fn expected_text(&self) -> Option<String> {
        let value = self.expect.value.as_ref().and_then(|returns| match &returns.matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => Some(self.shown(value)),
            Matcher::Reference => self.oracle.answer().map(|value| self.shown(value)),
            _ => None,
        });
        match &self.expect.shows {
            Some(TextMatcher::Plain(text)) => Some(text.clone()),
            _ => value,
        }
    }

    fn missing(&self, missing: &Missing) -> Failure {
        let (class, name, near) = (missing.on.clone(), missing.name.clone(), missing.near.clone());
        let types = self.dialect.notation.types();
        let is_nothing = class == types.none;
        let mistake = match missing.kind {
            MissingKind::Definition => NameMistake::NoDefinition { name, near },
            MissingKind::Method if is_nothing => NameMistake::MethodOfNothing { class, name },
            MissingKind::Method if types.has(&class) => NameMistake::MethodOfValue { class, name },
            MissingKind::Method => NameMistake::NoMethod { class, name, near },
            MissingKind::Property => NameMistake::Property { class, name },
            MissingKind::Attribute if is_nothing || class == types.undefined => {
                NameMistake::AttributeOfNothing { class, name }
            }
            MissingKind::Attribute if types.has(&class) => NameMistake::AttributeOfValue { class, name },
            MissingKind::Attribute => NameMistake::NoAttribute { class, name, near },
            MissingKind::Called => NameMistake::NotAttribute { class, name },
        };
        self.failure(mistake.verdict(), Mismatch::Name(mistake))
    }

    fn text(&self, observation: &Observation, text: Option<&Value>) -> Compared {
        let Some(expected) = &self.expect.shows else { return Ok(()) };
        let got = match text {
            Some(Value::Str(got)) => match (got.as_str(), expected) {
                (Some(got), TextMatcher::Plain(expected)) if got == expected => return Ok(()),
                _ => without_addresses(&got.to_lossy()),
            },
            Some(other) => {
                let mismatch = Mismatch::Text(TextMistake::NoText {
                    kind: value::type_name(other, self.dialect.notation),
                });
                let failure = self.failure(Verdict::WrongText, mismatch);
                let got = Some(self.dialect.notation.literal(other));
                return self.wrong(Failure { expected: self.expected_text(), got, ..failure });
            }
            None => String::new(),
        };
        let printed = String::from_utf8_lossy(&observation.output);
        let notation = self.dialect.notation;
        let plainly = |expected: &str, got: &str| match notation.is_object_text(got) {
            true => {
                Mismatch::Text(TextMistake::OfObject { method: notation.syntax().text_method.to_owned() })
            }
            false => Mismatch::of_text(expected, got, &printed),
        };
        self.differs(
            Verdict::WrongText,
            text::difference(expected, &self.expect.tolerance.text, &got, &plainly, self.oracle),
            got,
        )
    }

    fn printed(&self) -> Compared {
        let Some(expected) = &self.expect.prints else { return Ok(()) };
        let got = text::printed(self.output);
        let got = got.strip_suffix('\n').unwrap_or(&got).to_owned();
        let tolerance = &self.expect.tolerance.text;
        let difference = text::difference(expected, tolerance, &got, &Mismatch::of_output, self.oracle);
        self.differs(Verdict::WrongOutput, difference, got)
    }

    fn differs(&self, verdict: Verdict, difference: Option<TextDifference>, got: String) -> Compared {
        let Some(TextDifference { mismatch, expected }) = difference else { return Ok(()) };
        let failure = self.failure(verdict, mismatch);
        self.wrong(Failure { expected, got: Some(got), ..failure })
    }
}

/// The method that the line of a session calls on undefined, as Node and QuickJS say it.
fn method_of_undefined(raised: &Exception) -> Option<String> {
    if raised.kind != "TypeError" || !raised.trace.is_empty() {
        return None;
    }
    let message = raised.message.as_ref()?.to_lossy();
    let name = message
        .strip_prefix("Cannot read properties of undefined (reading '")
        .and_then(|rest| rest.strip_suffix("')"))
        .or_else(|| message.strip_prefix("cannot read property '")?.strip_suffix("' of undefined"))?;
    Some(name.to_owned())
}
