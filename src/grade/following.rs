//! Runs the reference alongside a case whose expectations need it.
//!
//! It sees the same calls as the submission. If an oracle accepts the submission's answer, the reference continues
//! from that answer instead of its own, so that a case can be a whole game.

use crate::adapter::{Fault, Follower};
use crate::case::{Asked, Case, Exercise, Expect, Matcher, PlanStep};
use crate::compare::StepOracle;
use crate::exercises::{self, Reference};
use crate::value::Value;
use crate::value::oracle::{self, Refusal, Refused};
use crate::value::program::Live;
use std::cell::RefCell;

/// The reference running alongside a case.
pub(crate) struct Following {
    follower: Follower,
    oracles: &'static [oracle::Oracle],
}

/// The reference at one step.
pub(crate) struct Here<'a> {
    following: &'a Following,
    answer: Option<Value>,
    /// The answer that an oracle accepted, as a value of the reference.
    accepted: RefCell<Option<Live>>,
}

impl Following {
    /// The reference of `exercise`; `None` if no step of `case` needs it.
    ///
    /// # Errors
    /// The exercise has no reference, or one that does not exist.
    pub(crate) fn new(exercise: &Exercise, case: &Case) -> Result<Option<Following>, Fault> {
        let asks = |expect: &Expect| {
            expect
                .value
                .as_ref()
                .is_some_and(|returns| matches!(returns.matcher, Matcher::Reference | Matcher::Oracle(_)))
        };
        if !case.expect.iter().any(asks) {
            return Ok(None);
        }
        let reference = reference(exercise)?;
        let follower = Follower::new((reference.open)(), exercise.session);
        Ok(Some(Following { follower, oracles: reference.oracles }))
    }

    /// Follows a step up to the answer of its last line.
    pub(crate) fn step(&mut self, step: &PlanStep, expect: &Expect) -> Here<'_> {
        let Some((last, earlier)) = step.lines.split_last() else { return self.here(None) };
        self.follower.run(earlier);
        // Where an oracle judges, the submission's answer replaces the reference's own.
        let answer = if asked(expect).is_some() { None } else { self.follower.answer(last, &step.want) };
        self.here(answer)
    }

    /// Continues from an accepted answer.
    pub(crate) fn accept(&mut self, step: &PlanStep, accepted: Option<Live>) {
        let bind = step.lines.last().and_then(|line| line.bind.as_deref());
        if let (Some(name), Some(value)) = (bind, accepted) {
            self.follower.bind(name, value);
        }
    }

    fn here(&self, answer: Option<Value>) -> Here<'_> {
        Here { following: self, answer, accepted: RefCell::default() }
    }
}

impl Here<'_> {
    /// The accepted answer, as a value of the reference.
    pub(crate) fn into_accepted(self) -> Option<Live> {
        self.accepted.into_inner()
    }
}

impl StepOracle for Here<'_> {
    fn answer(&self) -> Option<&Value> {
        self.answer.as_ref()
    }

    fn judge(&self, asked: &Asked, answer: &Value) -> Result<(), Refused> {
        let oracle = self.following.oracles.iter().find(|oracle| oracle.name == asked.oracle);
        let of = self.following.follower.bound(&asked.of);
        let (Some(oracle), Some(of)) = (oracle, of) else {
            return Err(Refused { why: Refusal::NoAnswer, accepted: Vec::new() });
        };
        let accepted = (oracle.judge)(of, asked.depth, answer)?;
        *self.accepted.borrow_mut() = Some(accepted);
        Ok(())
    }
}

/// A step's question to an oracle.
pub(crate) fn asked(expect: &Expect) -> Option<&Asked> {
    match &expect.value.as_ref()?.matcher {
        Matcher::Oracle(asked) => Some(asked),
        Matcher::Plain(_)
        | Matcher::Exact(_)
        | Matcher::AnyOrder(_)
        | Matcher::OneOf(_)
        | Matcher::Approx { .. }
        | Matcher::Matches(_)
        | Matcher::Type(_)
        | Matcher::NotSame(_)
        | Matcher::Reference => None,
    }
}

/// The reference of an exercise.
///
/// # Errors
/// The exercise has no reference, or one that does not exist.
pub(super) fn reference(exercise: &Exercise) -> Result<&'static Reference, Fault> {
    let name = exercise.reference.as_deref().ok_or_else(|| Fault {
        message: format!(
            "the exercise {} has no reference; its cases can be graded, but not checked",
            exercise.name
        ),
    })?;
    exercises::reference(name).ok_or_else(|| {
        let known: Vec<&str> = exercises::EXERCISES.iter().map(|known| known.name).collect();
        Fault {
            message: format!(
                "there is no built-in game `{name}`; the built-in games are {}",
                known.join(", ")
            ),
        }
    })
}
