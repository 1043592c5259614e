//! Compares the observations of a step with its expectations.
//!
//! Pure: an [`Expect`] and an [`Observation`] go in, a [`StepResult`] comes out. `value` defines equality,
//! [`Mismatch`] names the kind of mismatch, and [`diff`] shows two texts side by side.

pub mod diff;
mod failure;
mod mismatch;
mod oracle;
mod program;
mod value;
mod verdict;

pub use failure::{Failure, StepResult, exception_text, halted};
pub use mismatch::{FileKind, FilesProblem, Mismatch};
pub use oracle::{NoOracle, StepOracle};
pub use value::{Equality, equal};
pub use verdict::Verdict;

use crate::adapter::{Dialect, Exception, Missing, MissingKind, Observation, StepOutcome};
use crate::case::{Expect, Matcher, PlanStep, RaisedType, Raises, View};
use crate::value::oracle::Refused;
use crate::value::{Text, Value};
use failure::without_addresses;
use std::borrow::Cow;

/// Compares the observations of a step, one per line, with its expectations. `oracle` is the reference at this step.
pub fn step(
    step: &PlanStep,
    expect: &Expect,
    observed: &[Observation],
    dialect: &Dialect,
    oracle: &dyn StepOracle,
) -> StepResult {
    if step.run().is_some() {
        return match observed.first().map(|observation| &observation.outcome) {
            Some(StepOutcome::Ran(ran)) => program::program(expect, ran),
            Some(StepOutcome::Missing(missing)) => {
                let mismatch = Mismatch::NoProgram { file: missing.name.clone() };
                let (expected, got, exception) = (None, None, None);
                let verdict = Verdict::LoadError;
                StepResult::Failed(Box::new(Failure { verdict, line: 0, mismatch, expected, got, exception }))
            }
            Some(
                StepOutcome::Value { .. }
                | StepOutcome::Raised(_)
                | StepOutcome::Halted(_)
                | StepOutcome::Unbound(_),
            )
            | None => StepResult::NotRun,
        };
    }
    let last = step.lines.len().saturating_sub(1);
    let output: Vec<u8> =
        observed.iter().flat_map(|observation| observation.output.iter().copied()).collect();
    for (index, observation) in observed.iter().enumerate() {
        let view = step.want.view.as_ref();
        let compared = Compare { dialect, expect, view, oracle, line: index, output: &output };
        let result = if index == last { compared.last(observation) } else { compared.earlier(observation) };
        match result {
            Ok(()) => {}
            Err(None) => return StepResult::NotRun,
            Err(Some(failure)) => return StepResult::Failed(failure),
        }
    }
    if observed.len() == step.lines.len() { StepResult::Passed } else { StepResult::NotRun }
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
        Failure { verdict, line: self.line, mismatch, expected: None, got: None, exception: None }
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
            // Only a step without lines runs a program.
            StepOutcome::Unbound(_) | StepOutcome::Ran(_) => Err(None),
        }
    }

    fn last(&self, observation: &Observation) -> Compared {
        match (&observation.outcome, &self.expect.raises) {
            (StepOutcome::Raised(raised), Some(expected)) => {
                self.raised(raised, expected)?;
            }
            (StepOutcome::Value { value, .. }, Some(expected)) => {
                let got = value.as_ref().map(|value| self.dialect.notation.literal(value));
                let failure = self.failure(Verdict::DidNotRaise, Mismatch::NotRaised);
                return self.wrong(Failure { expected: Some(self.raises_text(expected).1), got, ..failure });
            }
            (StepOutcome::Value { value, text }, None) => {
                self.identity(observation, value.as_ref())?;
                self.value(observation, value.as_ref())?;
                self.text(observation, text.as_ref())?;
            }
            (
                StepOutcome::Raised(_)
                | StepOutcome::Missing(_)
                | StepOutcome::Halted(_)
                | StepOutcome::Unbound(_)
                | StepOutcome::Ran(_),
                _,
            ) => {
                self.earlier(observation)?;
            }
        }
        self.printed()
    }

    fn unexpected(&self, raised: &Exception) -> Failure {
        let (verdict, mismatch) = match raised.kind.as_str() {
            "MemoryError" => (Verdict::MemoryLimit, Mismatch::MemoryLimit),
            _ => (Verdict::Raised, Mismatch::Unexpected),
        };
        let got = Some(exception_text(raised));
        let expected = self.expected_text();
        Failure { expected, got, exception: Some(raised.clone()), ..self.failure(verdict, mismatch) }
    }

    /// The expected result of a step that did not get that far, if there is a single one.
    fn expected_text(&self) -> Option<String> {
        let value = self.expect.value.as_ref().and_then(|returns| match &returns.matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => {
                Some(self.dialect.notation.literal(&self.own(value)))
            }
            Matcher::Reference => {
                self.oracle.answer().map(|value| self.dialect.notation.literal(&self.own(value)))
            }
            Matcher::AnyOrder(_)
            | Matcher::Oracle(_)
            | Matcher::OneOf(_)
            | Matcher::Approx { .. }
            | Matcher::Matches(_)
            | Matcher::Type(_)
            | Matcher::NotSame(_) => None,
        });
        self.expect.shows.as_ref().map(Text::to_lossy).or(value)
    }

    fn missing(&self, missing: &Missing) -> Failure {
        let near = missing.near.clone();
        let (verdict, mismatch) = match missing.kind {
            MissingKind::Definition => {
                (Verdict::LoadError, Mismatch::NoDefinition { name: missing.name.clone(), near })
            }
            MissingKind::Method if missing.on == self.dialect.notation.types().none => (
                Verdict::Raised,
                Mismatch::MethodOfNothing { class: missing.on.clone(), name: missing.name.clone() },
            ),
            MissingKind::Method => (
                Verdict::Raised,
                Mismatch::NoMethod { class: missing.on.clone(), name: missing.name.clone(), near },
            ),
            MissingKind::Program => (Verdict::LoadError, Mismatch::NoProgram { file: missing.name.clone() }),
            MissingKind::Property => (
                Verdict::Raised,
                Mismatch::Property { class: missing.on.clone(), name: missing.name.clone() },
            ),
        };
        self.failure(verdict, mismatch)
    }

    fn raised(&self, raised: &Exception, expected: &Raises) -> Compared {
        let message =
            expected.message.as_ref().is_none_or(|expected| raised.message.as_ref() == Some(expected));
        let said = message && expected.message.is_some();
        let kind = expected.kind.as_ref().is_none_or(|kind| self.is_kind(raised, kind, said));
        if message && kind {
            return Ok(());
        }
        let mismatch = match (message, raised.message.as_ref(), expected.message.as_ref()) {
            (true, _, _) => Mismatch::AnotherType,
            (false, _, _) if !kind => Mismatch::AnotherException,
            (false, Some(got), Some(expected)) => Mismatch::of_message(&expected.to_lossy(), &got.to_lossy()),
            (false, _, _) => Mismatch::AnotherMessage,
        };
        let failure = self.failure(Verdict::Raised, mismatch);
        let (kind, text) = self.raises_text(expected);
        // If the type does not count, the comparison does not show it.
        let message = raised.message.as_ref().map(Text::to_lossy);
        let got = if kind { exception_text(raised) } else { message.unwrap_or_default() };
        self.wrong(Failure {
            expected: Some(text),
            got: Some(got),
            exception: Some(raised.clone()),
            ..failure
        })
    }

    /// The name of an expected type in this language; `None` if only other languages have it.
    fn type_here<'k>(&self, kind: &'k RaisedType) -> Option<&'k str> {
        let has = |name: &str| self.dialect.exceptions.contains(&name);
        match kind {
            RaisedType::Exercise(name) => Some(name.as_str()).filter(|name| has(name)),
            RaisedType::Step(name) => {
                let known = || {
                    crate::languages::LANGUAGES
                        .iter()
                        .any(|language| language.exceptions.contains(&name.as_str()))
                };
                Some(name.as_str()).filter(|name| has(name) || !known())
            }
            RaisedType::PerLanguage(names) => names.get(&self.dialect.language).map(String::as_str),
        }
    }

    /// Whether an exception has an expected type. A type that only other languages have matches any exception,
    /// except a crash: one that the language itself raises for a mistake. A crash matches only if it `said` what is
    /// expected.
    fn is_kind(&self, raised: &Exception, kind: &RaisedType, said: bool) -> bool {
        match self.type_here(kind) {
            Some(name) => raised.kind == name || raised.bases.iter().any(|base| base == name),
            None => said || !self.dialect.crashes.contains(&raised.kind.as_str()),
        }
    }

    /// An expected exception as text, and whether its type is part of that.
    fn raises_text(&self, raises: &Raises) -> (bool, String) {
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

    fn identity(&self, observation: &Observation, value: Option<&Value>) -> Compared {
        let Some(name) = &self.expect.same else { return Ok(()) };
        if observation.is.contains(name) {
            return Ok(());
        }
        let got = value.map(|value| self.dialect.notation.literal(value));
        let none = matches!(value, Some(Value::None | Value::Undefined));
        let mismatch = if none { Mismatch::NoneForObject } else { Mismatch::AnotherObject };
        let failure = self.failure(Verdict::WrongValue, mismatch);
        self.wrong(Failure { expected: Some(name.clone()), got, ..failure })
    }

    fn value(&self, observation: &Observation, value: Option<&Value>) -> Compared {
        let Some(returns) = &self.expect.value else { return Ok(()) };
        let notation = self.dialect.notation;
        if let Matcher::NotSame(name) = &returns.matcher {
            if !observation.is.contains(name) {
                return Ok(());
            }
            let failure = self.failure(Verdict::WrongValue, Mismatch::SameObject { name: name.clone() });
            return self.wrong(failure);
        }
        let got = value.unwrap_or(&Value::Undefined);
        if let Matcher::Oracle(asked) = &returns.matcher {
            return match self.oracle.judge(asked, got) {
                Ok(()) => Ok(()),
                Err(refused) => self.refused(&refused, got),
            };
        }
        let plain = Equality { exact: false, notation, tuples: self.dialect.tuples, view: self.view };
        let exact = Equality { exact: true, ..plain };
        let any_order = View { each: false, any_order: true, parts: Vec::new() };
        let (holds, expected) = match &returns.matcher {
            Matcher::Plain(expected) => (plain.holds(expected, got), self.plain_text(expected, got)),
            Matcher::Exact(expected) => (exact.holds(expected, got), notation.literal(&self.own(expected))),
            Matcher::AnyOrder(items) => {
                let view = self.view.map_or(any_order, |view| View { any_order: true, ..view.clone() });
                let expected = Value::List(items.clone());
                let holds = Equality { view: Some(&view), ..plain }.holds(&expected, got);
                (holds, self.plain_text(&expected, got))
            }
            Matcher::OneOf(choices) => {
                let holds = choices.iter().any(|choice| plain.holds(choice, got));
                let texts: Vec<String> =
                    choices.iter().map(|choice| notation.literal(&self.own(choice))).collect();
                (holds, texts.join(" | "))
            }
            Matcher::Approx { value, within } => {
                let holds = value::number(got).is_some_and(|number| (number - value).abs() <= *within);
                (
                    holds,
                    format!(
                        "{} ± {}",
                        notation.literal(&Value::Float(*value)),
                        notation.literal(&Value::Float(*within))
                    ),
                )
            }
            Matcher::Matches(regex) => {
                let holds =
                    matches!(got, Value::Str(text) if text.as_str().is_some_and(|text| regex.is_match(text)));
                (holds, format!("/{regex}/"))
            }
            Matcher::Type(name) => (value::is_type(got, name), name.clone()),
            Matcher::Reference => match self.oracle.answer() {
                Some(expected) => (plain.holds(expected, got), notation.literal(&self.own(expected))),
                None => (false, String::new()),
            },
            // Handled above, where the object and the reference are known.
            Matcher::NotSame(_) | Matcher::Oracle(_) => (true, String::new()),
        };
        if holds {
            return Ok(());
        }
        let printed = String::from_utf8_lossy(&observation.output);
        let wanted = match &returns.matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => Some(self.own(value)),
            Matcher::Reference => self.oracle.answer().map(|value| self.own(value)),
            Matcher::AnyOrder(_)
            | Matcher::Oracle(_)
            | Matcher::OneOf(_)
            | Matcher::Approx { .. }
            | Matcher::Matches(_)
            | Matcher::Type(_)
            | Matcher::NotSame(_) => None,
        };
        // Multi-line texts are shown side by side, not as literals.
        if let (Some(Value::Str(expected)), Value::Str(got)) = (wanted.as_deref(), got)
            && (expected.to_lossy().contains('\n') || got.to_lossy().contains('\n'))
        {
            let (expected, got) = (expected.to_lossy(), got.to_lossy());
            let failure = self.failure(Verdict::WrongValue, Mismatch::of_text(&expected, &got, ""));
            return self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure });
        }
        let mismatch = Mismatch::of_value(wanted.as_deref(), got, &printed, notation);
        let failure = self.failure(Verdict::WrongValue, mismatch);
        let unordered =
            matches!(returns.matcher, Matcher::AnyOrder(_)) || self.view.is_some_and(|view| view.any_order);
        let (expected, got) = match (wanted.as_deref(), &returns.matcher) {
            (Some(wanted), _) if unordered || matches!(wanted, Value::Set(_)) => {
                (self.plain_text(&self.sorted(wanted), got), notation.literal(&self.sorted(got)))
            }
            (_, Matcher::AnyOrder(items)) => {
                let wanted = Value::List(items.clone());
                (self.plain_text(&self.sorted(&wanted), got), notation.literal(&self.sorted(got)))
            }
            _ => (expected, notation.literal(got)),
        };
        self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure })
    }

    /// Compares an answer that an oracle does not accept.
    fn refused(&self, refused: &Refused, got: &Value) -> Compared {
        let notation = self.dialect.notation;
        let failure = self.failure(Verdict::WrongValue, Mismatch::of_refusal(refused.why, got, notation));
        let accepted: Vec<String> =
            refused.accepted.iter().map(|value| self.plain_text(value, got)).collect();
        let expected = Some(accepted.join(" | ")).filter(|text| !text.is_empty());
        self.wrong(Failure { expected, got: Some(notation.literal(got)), ..failure })
    }

    /// A collection in an order that both sides share, so that only real differences show.
    fn sorted(&self, value: &Value) -> Value {
        let mut value = value.clone();
        if let Value::List(items) | Value::Tuple(items) | Value::Set(items) = &mut value {
            items.sort_by_cached_key(|item| self.dialect.notation.literal(item));
        }
        value
    }

    /// An expected value as a student reads it: a list is written as a tuple if a tuple came, because both are
    /// right.
    fn plain_text(&self, expected: &Value, got: &Value) -> String {
        let shown = match (expected, got) {
            (Value::List(items), Value::Tuple(_)) => Value::Tuple(items.clone()),
            _ => self.own(expected).into_owned(),
        };
        self.dialect.notation.literal(&shown)
    }

    /// An expected value as the submission's language has it: lists instead of tuples, if it has no tuples but
    /// writes them.
    fn own<'v>(&self, expected: &'v Value) -> Cow<'v, Value> {
        if self.dialect.notation.has_tuples() && !self.dialect.tuples {
            Cow::Owned(with_lists(expected))
        } else {
            Cow::Borrowed(expected)
        }
    }

    fn text(&self, observation: &Observation, text: Option<&Value>) -> Compared {
        let Some(expected) = &self.expect.shows else { return Ok(()) };
        let got = match text {
            Some(Value::Str(got)) if got == expected => return Ok(()),
            Some(Value::Str(got)) => Text::from(without_addresses(&got.to_lossy())),
            Some(other) => {
                let mismatch = Mismatch::NoText { kind: value::type_name(other, self.dialect.notation) };
                let failure = self.failure(Verdict::WrongText, mismatch);
                let got = Some(self.dialect.notation.literal(other));
                return self.wrong(Failure { expected: Some(expected.to_lossy()), got, ..failure });
            }
            None => Text::from(""),
        };
        let (expected, got) = (expected.to_lossy(), got.to_lossy());
        let printed = String::from_utf8_lossy(&observation.output);
        let mismatch = Mismatch::of_text(&expected, &got, &printed);
        let failure = self.failure(Verdict::WrongText, mismatch);
        self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure })
    }

    fn printed(&self) -> Compared {
        let Some(expected) = &self.expect.prints else { return Ok(()) };
        let got = String::from_utf8_lossy(self.output).into_owned();
        let trimmed = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
        let (expected, got) = (trimmed(expected), trimmed(&got.replace("\r\n", "\n")));
        if expected == got {
            return Ok(());
        }
        let mismatch =
            if expected.is_empty() { Mismatch::Output } else { Mismatch::of_text(&expected, &got, "") };
        let failure = self.failure(Verdict::WrongOutput, mismatch);
        self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure })
    }
}

/// A value with lists in the place of tuples.
fn with_lists(value: &Value) -> Value {
    let all = |items: &[Value]| items.iter().map(with_lists).collect();
    match value {
        Value::List(items) | Value::Tuple(items) => Value::List(all(items)),
        Value::Set(items) => Value::Set(all(items)),
        Value::Dict(pairs) => {
            Value::Dict(pairs.iter().map(|(key, item)| (with_lists(key), with_lists(item))).collect())
        }
        Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Opaque(_)
        | Value::Cut(_) => value.clone(),
    }
}
