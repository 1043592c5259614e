//! Runs the reference alongside a case whose expectations need it.
//!
//! It sees the same calls as the submission. If an oracle accepts the submission's answer, the reference continues
//! from that answer instead of its own, so that a case can be a whole game.

use super::answers::ReferenceAnswers;
use super::checker::AskCheck;
use crate::adapter::{Fault, Follower};
use crate::case::{Asked, Case, CustomCheck, Exercise, Expect, Matcher, PlanStep};
use crate::compare::{CheckAnswer, NoOracle, StepOracle};
use crate::exercises::{self, Reference};
use crate::value::Value;
use crate::value::oracle::{self, Refusal, Refused};
use crate::value::program::Live;
use std::cell::RefCell;
use std::sync::Arc;

/// The reference running alongside a case.
pub struct Following {
    running: Running,
}

/// What answers for the reference.
enum Running {
    /// A built-in game, which sees the same calls.
    BuiltIn(Follower, &'static [oracle::Oracle]),
    /// The exercise's own reference, which was asked before; and the name of the case.
    Own(Arc<ReferenceAnswers>, String),
}

/// The reference at one step, and the checks of the exercise.
pub(crate) struct Here<'a> {
    following: Option<&'a Following>,
    checker: Option<&'a dyn AskCheck>,
    /// The case, and the zero-based index of the step.
    at: (&'a Case, usize),
    answer: Option<Value>,
    /// The answer that an oracle accepted, as a value of the reference.
    accepted: RefCell<Option<Live>>,
}

impl Following {
    /// The reference of `exercise`; `None` if no step of `case` needs it. `own` are the answers of the exercise's own
    /// reference, if it has one.
    ///
    /// # Errors
    /// The exercise has no reference, or one that does not exist.
    pub fn new(
        exercise: &Exercise,
        case: &Case,
        own: Option<&Arc<ReferenceAnswers>>,
    ) -> Result<Option<Following>, Fault> {
        let asks = |expect: &Expect| {
            expect
                .value
                .as_ref()
                .is_some_and(|returns| matches!(returns.matcher, Matcher::Reference | Matcher::Oracle(_)))
        };
        if !case.expect.iter().any(asks) {
            return Ok(None);
        }
        if let Some(answers) = own {
            return Ok(Some(Following { running: Running::Own(Arc::clone(answers), case.name.clone()) }));
        }
        let reference = reference(exercise)?;
        let follower = Follower::new((reference.open)(), exercise.session);
        Ok(Some(Following { running: Running::BuiltIn(follower, reference.oracles) }))
    }

    /// Follows the step with this zero-based index up to the answer of its last line.
    fn step(&mut self, index: usize, step: &PlanStep, expect: &Expect) -> Option<Value> {
        match &mut self.running {
            Running::Own(answers, case) => answers.at(case, index).cloned(),
            Running::BuiltIn(follower, _) => {
                let calls = step.calls()?;
                let (last, earlier) = calls.lines.split_last()?;
                follower.run(earlier);
                // Where an oracle judges, the submission's answer replaces the reference's own.
                if asked(expect).is_some() { None } else { follower.answer(last, &calls.want) }
            }
        }
    }

    /// Continues from an accepted answer.
    pub(crate) fn accept(&mut self, step: &PlanStep, accepted: Option<Live>) {
        let bind = step.lines().last().and_then(|line| line.bind.name());
        if let (Running::BuiltIn(follower, _), Some(name), Some(value)) = (&mut self.running, bind, accepted)
        {
            follower.bind(name, value);
        }
    }
}

impl<'a> Here<'a> {
    /// The step of a case with a zero-based index.
    pub(crate) fn at(
        at: (&'a Case, usize),
        following: Option<&'a mut Following>,
        checker: Option<&'a dyn AskCheck>,
    ) -> Here<'a> {
        let mut answer = None;
        let (case, index) = at;
        let following = following.map(|following| {
            if let (Some(step), Some(expect)) = (case.plan.steps.get(index), case.expect.get(index)) {
                answer = following.step(index, step, expect);
            }
            &*following
        });
        Here { following, checker, at, answer, accepted: RefCell::default() }
    }

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
        let refused = Refused { why: Refusal::NoAnswer, accepted: Vec::new() };
        let Some(Running::BuiltIn(follower, oracles)) = self.following.map(|following| &following.running)
        else {
            return Err(refused);
        };
        let oracle = oracles.iter().find(|oracle| oracle.name == asked.oracle);
        let (Some(oracle), Some(of)) = (oracle, follower.bound(&asked.of)) else { return Err(refused) };
        let accepted = (oracle.judge)(of, asked.depth, answer)?;
        *self.accepted.borrow_mut() = Some(accepted);
        Ok(())
    }

    fn check(&self, check: &CustomCheck, value: &Value) -> CheckAnswer {
        match self.checker {
            Some(checker) => checker.ask(check, value, self.at),
            None => NoOracle.check(check, value),
        }
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
        | Matcher::Instance(_)
        | Matcher::NotSame(_)
        | Matcher::Check(_)
        | Matcher::Reference => None,
    }
}

/// The reference of an exercise.
///
/// # Errors
/// The exercise has no reference, or one that does not exist.
pub(super) fn reference(exercise: &Exercise) -> Result<&'static Reference, Fault> {
    let name = exercise
        .built_in()
        .ok_or_else(|| Fault::new(format!("the exercise {} has no reference", exercise.name)))?;
    exercises::reference(name).ok_or_else(|| {
        let known: Vec<&str> = exercises::EXERCISES.iter().map(|known| known.name).collect();
        Fault::new(format!("there is no built-in game `{name}`; the built-in games are {}", known.join(", ")))
    })
}
