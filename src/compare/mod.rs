//! Compares what was observed of a step with what is expected of it.
//!
//! Pure: an [`Expect`] and an [`Observation`] go in, a [`StepResult`] comes out. `value` says when values are
//! equal, [`Slip`] names the kind of difference, and [`diff`] lays two texts side by side.

pub mod diff;
mod oracle;
mod program;
mod slip;
mod value;
mod verdict;

pub use oracle::{NoOracle, Oracle};
pub use slip::{CompileError, FileKind, FilesProblem, Slip};
pub use value::{Equality, equal};
pub use verdict::Verdict;

use crate::adapter::{Dialect, Exception, Halt, Missing, MissingKind, Observation, Outcome};
use crate::case::{Expect, Matcher, PlanStep, RaisedType, Raises, View};
use crate::pattern::Regex;
use crate::sandbox::Stop;
use crate::value::oracle::{Refusal, Refused};
use crate::value::{Text, Value};
use std::borrow::Cow;
use std::sync::LazyLock;

/// How a step came out.
#[derive(Clone, Debug, PartialEq)]
pub enum StepResult {
    /// As expected.
    Passed,
    /// Not as expected.
    Failed(Box<Failure>),
    /// Not run.
    NotRun,
}

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The verdict.
    pub verdict: Verdict,
    /// The line of the step that it is about, from 0; of a program, the exchange.
    pub line: usize,
    /// The kind of difference.
    pub slip: Slip,
    /// What was expected, as the submission's language writes it; none where nothing in particular was.
    pub expected: Option<String>,
    /// What there was instead.
    pub got: Option<String>,
    /// What was raised.
    pub exception: Option<Exception>,
}

/// Compares the observations of a step, one a line, with what is expected of it. `oracle` is the reference at this step.
pub fn step(
    step: &PlanStep,
    expect: &Expect,
    observed: &[Observation],
    dialect: &Dialect,
    oracle: &dyn Oracle,
) -> StepResult {
    if step.run().is_some() {
        return match observed.first().map(|observation| &observation.outcome) {
            Some(Outcome::Ran(ran)) => program::program(expect, ran),
            Some(Outcome::Missing(missing)) => {
                let slip = Slip::NoProgram { file: missing.name.clone() };
                let (expected, got, exception) = (None, None, None);
                let verdict = Verdict::LoadError;
                StepResult::Failed(Box::new(Failure { verdict, line: 0, slip, expected, got, exception }))
            }
            Some(Outcome::Value { .. } | Outcome::Raised(_) | Outcome::Halted(_) | Outcome::Unbound(_))
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

/// The failure of a halted submission, at `line` of a step.
pub fn halted(halt: &Halt, line: usize) -> Failure {
    let (verdict, slip) = match halt {
        Halt::Stopped(Stop::Cpu) => (Verdict::TimeLimit, Slip::CpuLimit),
        Halt::Stopped(Stop::Wall) => (Verdict::TimeLimit, Slip::WallLimit),
        Halt::Stopped(Stop::Memory) => (Verdict::MemoryLimit, Slip::MemoryLimit),
        Halt::Stopped(Stop::Output) => (Verdict::OutputLimit, Slip::OutputLimit),
        Halt::Stopped(Stop::Exited(exit)) => (Verdict::Crashed, Slip::Ended(*exit)),
        Halt::Protocol(why) => (Verdict::ProtocolViolation, Slip::Protocol(why.clone())),
        Halt::NotReady(why) => (Verdict::LoadError, Slip::NotReady { why: why.clone() }),
    };
    Failure { verdict, line, slip, expected: None, got: None, exception: None }
}

/// The result of one line: right, not run (`None`), or wrong.
type Compared = Result<(), Option<Box<Failure>>>;

struct Compare<'a> {
    dialect: &'a Dialect,
    expect: &'a Expect,
    view: Option<&'a View>,
    oracle: &'a dyn Oracle,
    line: usize,
    /// What the whole step printed.
    output: &'a [u8],
}

impl Compare<'_> {
    fn failure(&self, verdict: Verdict, slip: Slip) -> Failure {
        Failure { verdict, line: self.line, slip, expected: None, got: None, exception: None }
    }

    fn wrong<T>(&self, failure: Failure) -> Result<T, Option<Box<Failure>>> {
        Err(Some(Box::new(failure)))
    }

    /// A line that nothing is expected of but that it does not raise.
    fn earlier(&self, observation: &Observation) -> Compared {
        match &observation.outcome {
            Outcome::Value { .. } => Ok(()),
            Outcome::Raised(raised) => self.wrong(self.unexpected(raised)),
            Outcome::Missing(missing) => self.wrong(self.missing(missing)),
            Outcome::Halted(halt) => self.wrong(halted(halt, self.line)),
            // Only a step without lines runs a program.
            Outcome::Unbound(_) | Outcome::Ran(_) => Err(None),
        }
    }

    fn last(&self, observation: &Observation) -> Compared {
        match (&observation.outcome, &self.expect.raises) {
            (Outcome::Raised(raised), Some(expected)) => {
                self.raised(raised, expected)?;
            }
            (Outcome::Value { value, .. }, Some(expected)) => {
                let got = value.as_ref().map(|value| self.dialect.syntax.literal(value));
                let failure = self.failure(Verdict::DidNotRaise, Slip::NotRaised);
                return self.wrong(Failure { expected: Some(self.raises_text(expected).1), got, ..failure });
            }
            (Outcome::Value { value, text }, None) => {
                self.identity(observation, value.as_ref())?;
                self.value(observation, value.as_ref())?;
                self.text(observation, text.as_ref())?;
            }
            (
                Outcome::Raised(_)
                | Outcome::Missing(_)
                | Outcome::Halted(_)
                | Outcome::Unbound(_)
                | Outcome::Ran(_),
                _,
            ) => {
                self.earlier(observation)?;
            }
        }
        self.printed()
    }

    fn unexpected(&self, raised: &Exception) -> Failure {
        let (verdict, slip) = match raised.kind.as_str() {
            "MemoryError" => (Verdict::MemoryLimit, Slip::MemoryLimit),
            _ => (Verdict::Raised, Slip::Unexpected),
        };
        let got = Some(exception_text(raised));
        let expected = self.expected_text();
        Failure { expected, got, exception: Some(raised.clone()), ..self.failure(verdict, slip) }
    }

    /// What a step that did not come so far was expected to give, where that is one thing.
    fn expected_text(&self) -> Option<String> {
        let value = self.expect.value.as_ref().and_then(|returns| match &returns.matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => {
                Some(self.dialect.syntax.literal(&self.own(value)))
            }
            Matcher::Reference => {
                self.oracle.answer().map(|value| self.dialect.syntax.literal(&self.own(value)))
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
        let (verdict, slip) = match missing.kind {
            MissingKind::Definition => {
                (Verdict::LoadError, Slip::NoDefinition { name: missing.name.clone(), near })
            }
            MissingKind::Method => (
                Verdict::Raised,
                Slip::NoMethod { class: missing.on.clone(), name: missing.name.clone(), near },
            ),
            MissingKind::Program => (Verdict::LoadError, Slip::NoProgram { file: missing.name.clone() }),
            MissingKind::Property => {
                (Verdict::Raised, Slip::Property { class: missing.on.clone(), name: missing.name.clone() })
            }
        };
        self.failure(verdict, slip)
    }

    fn raised(&self, raised: &Exception, expected: &Raises) -> Compared {
        let message =
            expected.message.as_ref().is_none_or(|expected| raised.message.as_ref() == Some(expected));
        let said = message && expected.message.is_some();
        let kind = expected.kind.as_ref().is_none_or(|kind| self.is_kind(raised, kind, said));
        if message && kind {
            return Ok(());
        }
        let slip = match (message, raised.message.as_ref(), expected.message.as_ref()) {
            (true, _, _) => Slip::AnotherType,
            (false, _, _) if !kind => Slip::AnotherException,
            (false, Some(got), Some(expected)) => Slip::of_message(&expected.to_lossy(), &got.to_lossy()),
            (false, _, _) => Slip::AnotherMessage,
        };
        let failure = self.failure(Verdict::Raised, slip);
        let (kind, text) = self.raises_text(expected);
        // Where the type does not count, it is no part of the comparison that is shown.
        let message = raised.message.as_ref().map(Text::to_lossy);
        let got = if kind { exception_text(raised) } else { message.unwrap_or_default() };
        self.wrong(Failure {
            expected: Some(text),
            got: Some(got),
            exception: Some(raised.clone()),
            ..failure
        })
    }

    /// The name that an expected type has in this language; none where only other languages have it.
    fn type_here<'k>(&self, kind: &'k RaisedType) -> Option<&'k str> {
        let has = |name: &str| self.dialect.exceptions.contains(&name);
        match kind {
            RaisedType::Exercise(name) => Some(name.as_str()).filter(|name| has(name)),
            RaisedType::Step(name) => {
                let known =
                    || crate::driver::DRIVERS.iter().any(|driver| driver.exceptions.contains(&name.as_str()));
                Some(name.as_str()).filter(|name| has(name) || !known())
            }
            RaisedType::PerLanguage(names) => names.get(&self.dialect.language).map(String::as_str),
        }
    }

    /// Whether an exception is of an expected type. A type that only other languages have says little here: a crash, which
    /// the language itself raises where a program is wrong, is not meant by it, unless it says what is `said`.
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
        let got = value.map(|value| self.dialect.syntax.literal(value));
        let none = matches!(value, Some(Value::None | Value::Undefined));
        let slip = if none { Slip::NoneForObject } else { Slip::AnotherObject };
        let failure = self.failure(Verdict::WrongValue, slip);
        self.wrong(Failure { expected: Some(name.clone()), got, ..failure })
    }

    fn value(&self, observation: &Observation, value: Option<&Value>) -> Compared {
        let Some(returns) = &self.expect.value else { return Ok(()) };
        let syntax = self.dialect.syntax;
        if let Matcher::NotSame(name) = &returns.matcher {
            if !observation.is.contains(name) {
                return Ok(());
            }
            let failure = self.failure(Verdict::WrongValue, Slip::SameObject { name: name.clone() });
            return self.wrong(failure);
        }
        let got = value.unwrap_or(&Value::Undefined);
        if let Matcher::Oracle(asked) = &returns.matcher {
            return match self.oracle.judge(asked, got) {
                Ok(()) => Ok(()),
                Err(refused) => self.refused(&refused, got),
            };
        }
        let plain = Equality { exact: false, syntax, tuples: self.dialect.tuples, view: self.view };
        let exact = Equality { exact: true, ..plain };
        let any_order = View { each: false, any_order: true, parts: Vec::new() };
        let (holds, expected) = match &returns.matcher {
            Matcher::Plain(expected) => (plain.holds(expected, got), self.plain_text(expected, got)),
            Matcher::Exact(expected) => (exact.holds(expected, got), syntax.literal(&self.own(expected))),
            Matcher::AnyOrder(items) => {
                let view = self.view.map_or(any_order, |view| View { any_order: true, ..view.clone() });
                let expected = Value::List(items.clone());
                let holds = Equality { view: Some(&view), ..plain }.holds(&expected, got);
                (holds, self.plain_text(&expected, got))
            }
            Matcher::OneOf(choices) => {
                let holds = choices.iter().any(|choice| plain.holds(choice, got));
                let texts: Vec<String> =
                    choices.iter().map(|choice| syntax.literal(&self.own(choice))).collect();
                (holds, texts.join(" | "))
            }
            Matcher::Approx { value, within } => {
                let holds = value::number(got).is_some_and(|number| (number - value).abs() <= *within);
                (
                    holds,
                    format!(
                        "{} ± {}",
                        syntax.literal(&Value::Float(*value)),
                        syntax.literal(&Value::Float(*within))
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
                Some(expected) => (plain.holds(expected, got), syntax.literal(&self.own(expected))),
                None => (false, String::new()),
            },
            // Answered above, where the object and the reference are at hand.
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
        // Texts of several lines are laid side by side line by line, not as literals.
        if let (Some(Value::Str(expected)), Value::Str(got)) = (wanted.as_deref(), got)
            && (expected.to_lossy().contains('\n') || got.to_lossy().contains('\n'))
        {
            let (expected, got) = (expected.to_lossy(), got.to_lossy());
            let failure = self.failure(Verdict::WrongValue, Slip::of_text(&expected, &got, ""));
            return self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure });
        }
        let slip = Slip::of_value(wanted.as_deref(), got, &printed, syntax);
        let failure = self.failure(Verdict::WrongValue, slip);
        let unordered =
            matches!(returns.matcher, Matcher::AnyOrder(_)) || self.view.is_some_and(|view| view.any_order);
        let (expected, got) = match (wanted.as_deref(), &returns.matcher) {
            (Some(wanted), _) if unordered || matches!(wanted, Value::Set(_)) => {
                (self.plain_text(&self.sorted(wanted), got), syntax.literal(&self.sorted(got)))
            }
            (_, Matcher::AnyOrder(items)) => {
                let wanted = Value::List(items.clone());
                (self.plain_text(&self.sorted(&wanted), got), syntax.literal(&self.sorted(got)))
            }
            _ => (expected, syntax.literal(got)),
        };
        self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure })
    }

    /// An answer that an oracle does not accept.
    fn refused(&self, refused: &Refused, got: &Value) -> Compared {
        let syntax = self.dialect.syntax;
        let slip = match (refused.why, Slip::of_value(None, got, "", syntax)) {
            // What is no answer at all may be so in a way of its own: nothing was returned, a generator came.
            (Refusal::NoAnswer, slip) if slip != Slip::Value => slip,
            (why, _) => Slip::Refused(why),
        };
        let failure = self.failure(Verdict::WrongValue, slip);
        let accepted: Vec<String> =
            refused.accepted.iter().map(|value| self.plain_text(value, got)).collect();
        let expected = Some(accepted.join(" | ")).filter(|text| !text.is_empty());
        self.wrong(Failure { expected, got: Some(syntax.literal(got)), ..failure })
    }

    /// A collection in an order that both sides share, so that only what differs is seen to differ.
    fn sorted(&self, value: &Value) -> Value {
        let mut value = value.clone();
        if let Value::List(items) | Value::Tuple(items) | Value::Set(items) = &mut value {
            items.sort_by_cached_key(|item| self.dialect.syntax.literal(item));
        }
        value
    }

    /// An expected value as a student reads it: a list written as a tuple where a tuple came, for both are right.
    fn plain_text(&self, expected: &Value, got: &Value) -> String {
        let shown = match (expected, got) {
            (Value::List(items), Value::Tuple(_)) => Value::Tuple(items.clone()),
            _ => self.own(expected).into_owned(),
        };
        self.dialect.syntax.literal(&shown)
    }

    /// An expected value as the submission's language would have it: with lists for tuples where it has none, but is
    /// written as a language that does.
    fn own<'v>(&self, expected: &'v Value) -> Cow<'v, Value> {
        if self.dialect.syntax.tells_tuples() && !self.dialect.tuples {
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
                let slip = Slip::NoText { kind: value::type_name(other, self.dialect.syntax) };
                let failure = self.failure(Verdict::WrongText, slip);
                let got = Some(self.dialect.syntax.literal(other));
                return self.wrong(Failure { expected: Some(expected.to_lossy()), got, ..failure });
            }
            None => Text::from(""),
        };
        let (expected, got) = (expected.to_lossy(), got.to_lossy());
        let printed = String::from_utf8_lossy(&observation.output);
        let slip = Slip::of_text(&expected, &got, &printed);
        let failure = self.failure(Verdict::WrongText, slip);
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
        let slip = if expected.is_empty() { Slip::Output } else { Slip::of_text(&expected, &got, "") };
        let failure = self.failure(Verdict::WrongOutput, slip);
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

/// A text without the addresses that an interpreter puts into the text of an object, which differ from run to run.
fn without_addresses(text: &str) -> String {
    static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b0x[0-9a-f]{6,16}\b").ok());
    match ADDRESS.as_ref() {
        Some(address) => address.replace_all(text, "0x…").into_owned(),
        None => text.to_owned(),
    }
}

/// An exception as its language shows it in a last line.
pub fn exception_text(raised: &Exception) -> String {
    match raised.message.as_ref().map(Text::to_lossy) {
        Some(message) if !message.is_empty() => format!("{}: {}", raised.kind, without_addresses(&message)),
        Some(_) | None => raised.kind.clone(),
    }
}
