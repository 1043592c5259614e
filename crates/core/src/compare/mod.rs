//! Compares the observations of a step with its expectations.
//!
//! An [`Expect`] and a [`StepTranscript`] go in, a [`StepResult`] comes out. No input or output happens here: what
//! must be asked of the outside goes through [`Ask`]. `value` defines equality, [`Mistake`] names the
//! mistake behind a failure, and [`diff`] shows two texts side by side.

mod ask;
mod check;
#[doc(hidden)]
pub mod diff;
mod failure;
mod mistake;
mod pairing;
mod program;
mod raises;
mod returned;
mod text;
mod value;
mod verdict;
mod words;
mod written;

pub use ask::Share;
#[cfg(test)]
pub(crate) use mistake::samples::samples;
pub use mistake::{
    DeclaredMistake, JudgedMistake, LoadMistake, MatchMistake, Mistake, NameMistake, PartProblem,
    ProgramMistake, RaiseMistake, Reach, StopMistake, TextMistake, Traits, ValueMistake, WrittenProblem,
};
pub use verdict::Verdict;
#[doc(hidden)]
pub use {
    ask::{Ask, CheckAnswer, NoOracle},
    failure::{Failure, StepResult, exception_text, halted},
    text::printed,
    value::{Equality, equal},
};
pub(crate) use {failure::without_addresses, value::PLAIN_TYPES};

use crate::adapter::{
    ActionResult, Dialect, Exception, Missing, MissingKind, Observation, StepOutcome, StepTranscript,
};
use crate::case::{Action, Calls, Expect, LineInput, Matcher, PlanStep, TextMatcher, View};
use crate::value::Value;
use text::TextDifference;

/// Compares what was seen of a step with its expectations.
///
/// # Errors
/// What must be asked does not answer.
#[doc(hidden)]
pub fn step<A: Ask>(
    step: &PlanStep,
    expect: &Expect,
    seen: &StepTranscript,
    dialect: &Dialect,
    ask: &mut A,
) -> Result<StepResult, A::Error> {
    let compared = match (&step.action, &seen.result) {
        (Action::Calls(calls), ActionResult::Calls(observed)) => {
            compare_lines(calls, expect, observed, dialect, ask)
        }
        (_, ActionResult::Program(ran)) => program::compare_program(expect, ran, dialect, ask),
        (_, ActionResult::NoProgram(file)) => {
            let mistake = Mistake::Load(LoadMistake::NoProgram { file: file.clone() });
            Err(Failure::new(Verdict::LoadError, 0, mistake).into())
        }
        // The umpire of a match judges it.
        _ => Err(Unmet::NotRun),
    };
    let compared = compared.and_then(|()| match &seen.files {
        Some(found) => written::compare_files(expect, written::last_line(step, seen), found, ask),
        None => Ok(()),
    });
    match compared {
        Ok(()) => Ok(StepResult::Passed),
        Err(Unmet::Failed(failure)) => Ok(StepResult::Failed(failure)),
        Err(Unmet::NotRun) => Ok(StepResult::NotRun),
        Err(Unmet::Unanswered(error)) => Err(error),
    }
}

/// Compares the observations of lines with what is expected of their step.
fn compare_lines<A: Ask>(
    calls: &Calls,
    expect: &Expect,
    observed: &[Observation],
    dialect: &Dialect,
    ask: &mut A,
) -> Compared<A> {
    let last = calls.lines.len().saturating_sub(1);
    let output: Vec<u8> =
        observed.iter().flat_map(|observation| observation.output.iter().copied()).collect();
    let errors: Vec<u8> =
        observed.iter().flat_map(|observation| observation.errors.iter().copied()).collect();
    let view = calls.want.view.as_ref();
    let stdin = calls.lines.first().and_then(|line| line.stdin.as_ref());
    for (line, observation) in observed.iter().enumerate() {
        let mut compare =
            Compare { dialect, expect, view, ask: &mut *ask, line, output: &output, errors: &errors, stdin };
        if line == last { compare.compare_last(observation)? } else { compare.must_not_raise(observation)? }
    }
    if observed.len() == calls.lines.len() { Ok(()) } else { Err(Unmet::NotRun) }
}

/// A reason why a step is not as expected.
enum Unmet<E> {
    /// The step was not run.
    NotRun,
    /// Something else came.
    Failed(Box<Failure>),
    /// The result is not known: the instructor's check or the reference does not answer.
    Unanswered(E),
}

impl<E> From<Failure> for Unmet<E> {
    fn from(failure: Failure) -> Unmet<E> {
        Unmet::Failed(Box::new(failure))
    }
}

/// The result of comparing a part of a step.
type Compared<A> = Result<(), Unmet<<A as Ask>::Error>>;

struct Compare<'a, A> {
    dialect: &'a Dialect,
    expect: &'a Expect,
    view: Option<&'a View>,
    ask: &'a mut A,
    line: usize,
    /// The output of the whole step.
    output: &'a [u8],
    /// What the whole step wrote to standard error, as far as it is kept.
    errors: &'a [u8],
    /// What the step may read.
    stdin: Option<&'a LineInput>,
}

impl<A: Ask> Compare<'_, A> {
    fn failure(&self, verdict: Verdict, mistake: Mistake) -> Failure {
        Failure::new(verdict, self.line, mistake)
    }

    /// Fails unless a line gives a value, whichever it is.
    fn must_not_raise(&self, observation: &Observation) -> Compared<A> {
        match &observation.outcome {
            StepOutcome::Value { .. } => Ok(()),
            StepOutcome::Raised(raised) => Err(self.unexpected(raised).into()),
            StepOutcome::Missing(missing) => Err(self.missing(missing).into()),
            StepOutcome::Halted(halt) => Err(halted(halt, self.line).into()),
            StepOutcome::Unbound(_) => Err(Unmet::NotRun),
        }
    }

    fn compare_last(&mut self, observation: &Observation) -> Compared<A> {
        match (&observation.outcome, &self.expect.raises) {
            (StepOutcome::Raised(raised), Some(expected)) => self.compare_exception(raised, expected)?,
            (StepOutcome::Value { value, .. }, Some(expected)) => {
                let got = value.as_ref().map(|value| self.shown(value));
                let printed = String::from_utf8_lossy(&observation.output);
                return Err(self.not_raised(expected, got, &printed).into());
            }
            (StepOutcome::Value { value, text }, None) => {
                self.must_print(value.as_ref())?;
                self.compare_identity(observation, value.as_ref())?;
                self.compare_value(observation, value.as_ref())?;
                self.compare_shown(observation, text.as_ref())?;
            }
            _ => self.must_not_raise(observation)?,
        }
        self.compare_output()
    }

    fn unexpected(&self, raised: &Exception) -> Failure {
        if let Some(name) = method_of_undefined(raised) {
            let class = self.dialect.notation().types().undefined.to_owned();
            return self
                .failure(Verdict::Raised, Mistake::Name(NameMistake::MethodOfNothing { class, name }));
        }
        let of_its_own = RaiseMistake::of_its_own(raised);
        if of_its_own == Some(RaiseMistake::NotWritten) {
            // What the step expects would say nothing about it.
            let failure = self.failure(Verdict::Raised, Mistake::Raise(RaiseMistake::NotWritten));
            return Failure { exception: Some(raised.clone()), ..failure };
        }
        if program::is_past_input(raised) {
            let lines = self.stdin.map_or(0, |stdin| stdin.text.lines().count());
            let mistake = Mistake::Raise(RaiseMistake::PastInput { lines });
            let failure = self.failure(Verdict::Raised, mistake);
            return Failure { got: Some(exception_text(raised)), exception: Some(raised.clone()), ..failure };
        }
        let (verdict, mistake) = match raised.kind.as_str() {
            "MemoryError" | "std::bad_alloc" => {
                (Verdict::MemoryLimit, Mistake::Stop(StopMistake::MemoryLimit))
            }
            _ => (Verdict::Raised, Mistake::Raise(of_its_own.unwrap_or(RaiseMistake::Unexpected))),
        };
        let got = Some(exception_text(raised));
        let expected = self.expected_text();
        Failure { expected, got, exception: Some(raised.clone()), ..self.failure(verdict, mistake) }
    }

    /// The expected result of a step that did not get that far, if there is a single one.
    fn expected_text(&self) -> Option<String> {
        if let Some(TextMatcher::Plain(text)) = &self.expect.shows {
            return Some(text.clone());
        }
        match &self.expect.value.as_ref()?.matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => Some(self.shown(value)),
            Matcher::Reference => self.ask.answer().map(|value| self.shown(value)),
            _ => None,
        }
    }

    fn missing(&self, missing: &Missing) -> Failure {
        let Missing { on: class, name, near, .. } = missing.clone();
        let types = self.dialect.notation().types();
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
        self.failure(mistake.verdict(), Mistake::Name(mistake))
    }

    fn compare_shown(&mut self, observation: &Observation, text: Option<&Value>) -> Compared<A> {
        let Some(expected) = &self.expect.shows else { return Ok(()) };
        let got = match text {
            Some(Value::Str(got)) => match (got.as_str(), expected) {
                (Some(got), TextMatcher::Plain(expected)) if got == expected => return Ok(()),
                _ => without_addresses(&got.to_lossy()),
            },
            Some(other) => {
                let mistake = Mistake::Text(TextMistake::NoText {
                    kind: value::type_name(other, self.dialect.notation()),
                });
                let failure = self.failure(Verdict::WrongText, mistake);
                let got = Some(self.dialect.notation().literal(other));
                return Err(Failure { expected: self.expected_text(), got, ..failure }.into());
            }
            None => String::new(),
        };
        let printed = String::from_utf8_lossy(&observation.output);
        let notation = self.dialect.notation();
        let mistake_of = |expected: &str, got: &str| {
            if notation.is_object_text(got) {
                let method = notation.syntax().text_method.to_owned();
                Mistake::Text(TextMistake::OfObject { method })
            } else {
                Mistake::of_text(expected, got, &printed)
            }
        };
        self.compare_text(Verdict::WrongText, expected, got, &mistake_of)
    }

    fn compare_output(&mut self) -> Compared<A> {
        let Some(expected) = &self.expect.prints else { return Ok(()) };
        let got = text::printed(self.output);
        let got = got.strip_suffix('\n').unwrap_or(&got).to_owned();
        let mut compared = self.compare_text(Verdict::WrongOutput, expected, got, &Mistake::of_output);
        if let Err(Unmet::Failed(failure)) = &mut compared
            && self.is_output(expected, &text::printed(self.errors))?
        {
            failure.mistake = Mistake::Text(TextMistake::StandardError);
        }
        compared
    }

    /// Fails if the text that should be printed was returned, where nothing should be.
    fn must_print(&mut self, value: Option<&Value>) -> Compared<A> {
        let (Some(expected), Some(Value::Str(got))) = (&self.expect.prints, value) else { return Ok(()) };
        let matcher = self.expect.value.as_ref().map(|returns| &returns.matcher);
        let returns_nothing = matches!(matcher, Some(Matcher::Exact(Value::None)));
        if !returns_nothing || !self.output.is_empty() || !self.is_output(expected, &got.to_lossy())? {
            return Ok(());
        }
        let failure = self.failure(Verdict::WrongOutput, Mistake::Text(TextMistake::Returned));
        let got = Some(self.shown(&Value::Str(got.clone())));
        Err(Failure { expected: self.expected_text(), got, ..failure }.into())
    }

    /// Whether this is something that would be the right output. A check says itself what is wrong.
    fn is_output(&mut self, expected: &TextMatcher, text: &str) -> Result<bool, Unmet<A::Error>> {
        if text.is_empty() || matches!(expected, TextMatcher::Check(_)) {
            return Ok(false);
        }
        let text = text.strip_suffix('\n').unwrap_or(text);
        let tolerance = &self.expect.tolerance.text;
        let difference = text::difference(expected, tolerance, text, &Mistake::of_output, self.ask);
        difference.map(|difference| difference.is_none()).map_err(Unmet::Unanswered)
    }

    fn compare_text(
        &mut self,
        verdict: Verdict,
        expected: &TextMatcher,
        got: String,
        mistake_of: &dyn Fn(&str, &str) -> Mistake,
    ) -> Compared<A> {
        match text::difference(expected, &self.expect.tolerance.text, &got, mistake_of, self.ask) {
            Ok(None) => Ok(()),
            Ok(Some(TextDifference { mistake, expected })) => {
                Err(Failure { expected, got: Some(got), ..self.failure(verdict, mistake) }.into())
            }
            Err(error) => Err(Unmet::Unanswered(error)),
        }
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
