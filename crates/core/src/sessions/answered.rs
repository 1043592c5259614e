//! What a reference answered, as what a case expects.

use crate::adapter::{Bundle, Dialect, Exception, Halt, Missing, Observation, StepOutcome};
use crate::case::{
    Asked, Exercise, Expect, Matcher, PlanStep, RaisedType, Raises, Returns, TextMatcher, Tolerance, literal,
};
use crate::compare::{self, exception_text, halted, without_addresses};
use crate::exercises::sessions::Look;
use crate::languages::python;
use crate::value::Value;
use crate::value::notation::Notation;
use std::num::NonZeroU32;

/// Types of exceptions that say nothing: every message could come with them.
const ANY_TYPE: &[&str] = &["BaseException", "Error", "Exception", "RuntimeException", "Throwable"];

/// The largest integer that is written out, in bits.
const WRITTEN_BITS: u64 = 1 << 12;

/// A reason why the answer to a step cannot be expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoExpectation {
    /// A line before the last one raised.
    #[error("the reference raises {0} before the last line")]
    Earlier(String),
    /// The reference does not define a name.
    #[error("the reference does not define `{0}`")]
    Missing(String),
    /// A name is not bound, because an earlier line raised.
    #[error("`{0}` is not bound: the step that binds it raises")]
    Unbound(String),
    /// The reference was stopped, or stopped itself.
    #[error("the reference has no answer: {0}")]
    Halted(String),
    /// The reference did not get to the step.
    #[error("the reference did not get to this step")]
    NotReached,
    /// An object of this type has neither a view nor a text.
    #[error(
        "the reference answers with an object of the type `{0}`, which has no text; say in [view] how to look at it"
    )]
    Opaque(String),
    /// The value is too large, or contains itself.
    #[error("the reference's answer is too large, or contains itself")]
    TooLarge,
    /// Neither TOML nor a literal can say it.
    #[error("the reference's answer cannot be written in a case")]
    Unwritable,
    /// Two replays gave different answers.
    #[error("the reference does not always give the same answer")]
    Varies,
}

/// The observations that a look needs of a value: the value itself, and its text.
pub fn observes(look: &Look) -> (bool, bool) {
    match look {
        Look::Value | Look::Same(_) | Look::Oracle { .. } => (true, false),
        Look::Text => (false, true),
        Look::Prints | Look::Nothing => (false, false),
    }
}

/// The reference that answers, and the way its language writes values.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    /// The exercise.
    pub exercise: &'a Exercise,
    /// The language of the reference.
    pub dialect: &'a Dialect,
    /// The files of the exercise's own reference; none for a built-in one.
    pub bundle: Option<&'a Bundle>,
}

impl Answers<'_> {
    /// The expectation of a step that a reference has answered, looked at in one way: that answer, or the
    /// exception that it raised. `tolerance` is that of the step: most often the exercise's.
    ///
    /// # Errors
    /// Nothing can be expected, and why.
    pub fn expected(
        &self,
        step: &PlanStep,
        look: &Look,
        observed: &[Observation],
        tolerance: &Tolerance,
    ) -> Result<Expect, NoExpectation> {
        let mut expect = Expect { tolerance: tolerance.clone(), ..Expect::default() };
        let (last, earlier) = observed.split_last().ok_or(NoExpectation::NotReached)?;
        for observation in earlier {
            went_on(observation)?;
        }
        if observed.len() < step.lines().len() {
            went_on(last)?;
            return Err(NoExpectation::NotReached);
        }
        if let StepOutcome::Raised(raised) = &last.outcome {
            expect.raises = Some(self.raises(raised));
        } else {
            went_on(last)?;
        }
        let printed: Vec<u8> =
            observed.iter().flat_map(|observation| observation.output.iter().copied()).collect();
        if !printed.is_empty() {
            let printed = compare::printed(&printed);
            let printed = printed.strip_suffix('\n').unwrap_or(&printed).to_owned();
            if without_addresses(&printed) != printed {
                return Err(NoExpectation::Varies);
            }
            expect.prints = Some(TextMatcher::Plain(printed));
        } else if *look == Look::Prints {
            expect.prints = Some(TextMatcher::Plain(String::new()));
        }
        let StepOutcome::Value { value, text } = &last.outcome else { return Ok(expect) };
        match look {
            Look::Value => {
                let value = value.clone().unwrap_or(Value::Undefined);
                expect.value = Some(Returns { matcher: value_matcher(&value)?, span: 0..0 });
            }
            Look::Text => {
                expect.shows = Some(TextMatcher::Plain(object_text(text.as_ref(), self.dialect.notation())?))
            }
            Look::Same(name) if last.is.contains(name) => expect.same = Some(name.clone()),
            Look::Same(name) => {
                expect.value = Some(Returns { matcher: Matcher::NotSame(name.clone()), span: 0..0 });
            }
            Look::Prints | Look::Nothing => {}
            Look::Oracle { oracle, of, depth } => {
                let asked = Asked {
                    oracle: (*oracle).to_owned(),
                    of: of.clone(),
                    depth: depth.and_then(NonZeroU32::new),
                };
                expect.value = Some(Returns { matcher: Matcher::Oracle(asked), span: 0..0 });
            }
        }
        Ok(expect)
    }

    /// The exception that a case expects: its message, and its type unless the exercise implies it or any
    /// would do.
    fn raises(&self, raised: &Exception) -> Raises {
        let Answers { exercise, dialect, .. } = self;
        let message =
            raised.message.clone().filter(|message| message.as_str().is_some_and(|text| !text.is_empty()));
        let is = |name: &str| raised.kind == name || raised.bases.iter().any(|base| base == name);
        let implied = exercise.raises.as_ref().map(|name| RaisedType::Exercise(name.clone()));
        if message.is_some()
            && let Some(name) = &exercise.raises
            && (is(name) || !dialect.exceptions().contains(&name.as_str()) && is_plain(&raised.kind))
        {
            return Raises { kind: implied, message };
        }
        if exercise.built_in().is_some() {
            // What the assignment settles has its exception; anything else may be any.
            let settled = exercise.raises.is_none() && is_plain(&raised.kind) && message.is_some();
            return if settled { Raises { kind: None, message } } else { Raises::default() };
        }
        if is_plain(&raised.kind) && (message.is_none() || exercise.raises.is_none()) {
            return Raises { kind: None, message };
        }
        let known = |name: &&String| {
            exercise.classes.contains_key(*name) || dialect.exceptions().contains(&name.as_str())
        };
        let kind = std::iter::once(&raised.kind).chain(&raised.bases).find(known);
        let Some(kind) = kind.filter(|kind| !is_plain(kind) || exercise.raises.is_some()) else {
            return Raises { kind: implied.filter(|_| message.is_some()), message };
        };
        let everywhere = exercise.classes.contains_key(kind) || exercise.languages().count() < 2;
        let kind_here = if everywhere {
            RaisedType::Step(kind.clone())
        } else {
            RaisedType::PerLanguage([(dialect.name().to_owned(), kind.clone())].into())
        };
        // The language words the message of a crash.
        let is_crash = dialect.is_crash(&raised.kind) && !self.is_thrown(raised);
        let message = message.filter(|_| !is_crash);
        Raises { kind: Some(kind_here), message }
    }

    /// Whether a line of the reference raises this itself, so that its author wrote the message.
    fn is_thrown(&self, raised: &Exception) -> bool {
        let Some((bundle, frame)) = self.bundle.zip(raised.trace.last()) else { return false };
        let Some(file) = bundle.named(&frame.file) else { return false };
        let text = String::from_utf8_lossy(&file.bytes);
        text.lines().nth(frame.line.saturating_sub(1)).is_some_and(|line| {
            line.split(|ch: char| !ch.is_alphanumeric()).any(|word| ["raise", "throw"].contains(&word))
        })
    }
}

/// Whether a line gave a value, so that the step goes on.
fn went_on(observation: &Observation) -> Result<(), NoExpectation> {
    match &observation.outcome {
        StepOutcome::Value { .. } => Ok(()),
        StepOutcome::Raised(raised) => Err(NoExpectation::Earlier(exception_text(raised))),
        StepOutcome::Missing(Missing { name, .. }) => Err(NoExpectation::Missing(name.clone())),
        StepOutcome::Halted(halt) => Err(NoExpectation::Halted(why_halted(halt))),
        StepOutcome::Unbound(name) => Err(NoExpectation::Unbound(name.clone())),
    }
}

fn why_halted(halt: &Halt) -> String {
    halted(halt, 0).verdict.to_string()
}

/// The text of an object, if its class has one.
fn object_text(text: Option<&Value>, notation: &dyn Notation) -> Result<String, NoExpectation> {
    let Some(Value::Str(text)) = text else { return Err(NoExpectation::Unwritable) };
    let Some(text) = text.as_str() else { return Err(NoExpectation::Unwritable) };
    if notation.is_object_text(text) || without_addresses(text) != text {
        let class = text.trim_matches(['<', '>']).split(['@', ' ']).next().unwrap_or_default();
        return Err(NoExpectation::Opaque(class.rsplit('.').next().unwrap_or_default().to_owned()));
    }
    Ok(text.to_owned())
}

fn is_plain(kind: &str) -> bool {
    ANY_TYPE.contains(&kind)
}

/// The matcher for a value: the value itself, as TOML writes it, or else a literal.
fn value_matcher(value: &Value) -> Result<Matcher, NoExpectation> {
    let value = value.neutral().with_sorted_sets();
    match value.incomparable() {
        None => {}
        Some(Value::Opaque(kind)) => return Err(NoExpectation::Opaque(kind.clone())),
        Some(_) => return Err(NoExpectation::TooLarge),
    }
    if value.parts().any(|part| matches!(part, Value::Int(int) if int.bits() > WRITTEN_BITS)) {
        return Err(NoExpectation::TooLarge);
    }
    if value.is_toml() {
        return Ok(Matcher::Plain(value));
    }
    match literal(&python::LANGUAGE.notation.literal(&value)) {
        Some(read) if read == value => Ok(Matcher::Exact(value)),
        Some(_) | None => Err(NoExpectation::Unwritable),
    }
}
