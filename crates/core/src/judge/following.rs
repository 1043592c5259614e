//! Runs the reference alongside a case whose expectations need it.
//!
//! It sees the same calls as the submission. If an oracle accepts the submission's answer, the reference
//! continues from that answer instead of its own, so that a case can be a whole game.

use super::answers::ReferenceAnswers;
use super::checker::Checker;
use super::error::GradeError;
use crate::adapter::{Fault, Follower};
use crate::case::{Asked, Case, CaseStep, CustomCheck, Exercise, Expect, Matcher, StepNo};
use crate::compare::{Ask, CheckAnswer, Share};
use crate::exercises::{self, Reference};
use crate::value::Value;
use crate::value::oracle::{Oracle, Refusal, Refused};
use std::sync::Arc;

/// The reference running alongside a case: the program that answers for it.
pub(super) enum Following {
    /// A built-in game, which sees the same calls.
    BuiltIn(Follower, &'static [Oracle]),
    /// The exercise's own reference, which was asked before; and the name of the case.
    Own(Arc<ReferenceAnswers>, String),
}

impl Following {
    /// The reference of `exercise`; `None` if no step of `case` needs it. `own` are the answers of the
    /// exercise's own reference, if it has one.
    ///
    /// # Errors
    /// The exercise has no reference, or one that does not exist.
    pub(super) fn new(
        exercise: &Exercise,
        case: &Case,
        own: Option<&Arc<ReferenceAnswers>>,
    ) -> Result<Option<Following>, Fault> {
        let follows = |expect: &Expect| {
            expect
                .value
                .as_ref()
                .is_some_and(|returns| matches!(returns.matcher, Matcher::Reference | Matcher::Oracle(_)))
        };
        if !case.expect.iter().any(follows) {
            return Ok(None);
        }
        if let Some(answers) = own {
            return Ok(Some(Following::Own(Arc::clone(answers), case.name.clone())));
        }
        let reference = reference(exercise)?;
        let follower = Follower::new((reference.open)(), exercise.session);
        Ok(Some(Following::BuiltIn(follower, reference.oracles)))
    }

    /// Follows a step up to the answer of its last line.
    fn answer(&mut self, step: CaseStep<'_>) -> Option<Value> {
        match self {
            Following::Own(answers, case) => answers.at(case, step.number).cloned(),
            Following::BuiltIn(follower, _) => {
                let calls = step.plan.calls()?;
                let (last, earlier) = calls.lines.split_last()?;
                follower.run(earlier);
                // Where an oracle judges, the submission's answer replaces the reference's own.
                if oracle_question(step.expect).is_some() { None } else { follower.answer(last, &calls.want) }
            }
        }
    }
}

/// The reference and the checks of the exercise, at one step of a case.
pub(super) struct StepAnswers<'a, 'c> {
    case: &'a Case,
    step: CaseStep<'a>,
    following: Option<&'a mut Following>,
    checker: Option<&'a mut Checker<'c>>,
    /// The reference's own answer.
    answer: Option<Value>,
}

impl<'a, 'c> StepAnswers<'a, 'c> {
    /// Lets the reference follow a step.
    pub(super) fn at(
        case: &'a Case,
        step: CaseStep<'a>,
        mut following: Option<&'a mut Following>,
        checker: Option<&'a mut Checker<'c>>,
    ) -> StepAnswers<'a, 'c> {
        let answer = following.as_mut().and_then(|following| following.answer(step));
        StepAnswers { case, step, following, checker, answer }
    }
}

impl Ask for StepAnswers<'_, '_> {
    type Error = GradeError;

    fn answer(&self) -> Option<&Value> {
        self.answer.as_ref()
    }

    fn refusal(&mut self, asked: &Asked, answer: &Value) -> Result<Option<Refused>, GradeError> {
        let Some(Following::BuiltIn(follower, oracles)) = self.following.as_deref_mut() else {
            return Err(no_oracle(self.case, self.step.number, &asked.oracle));
        };
        let oracle = find_oracle(oracles, self.case, self.step.number, &asked.oracle)?;
        let Some(of) = follower.bound(&asked.of) else {
            return Ok(Some(Refused { why: Refusal::NoAnswer, accepted: Vec::new() }));
        };
        let accepted = match (oracle.judge)(of, asked.depth, answer) {
            Ok(accepted) => accepted,
            Err(refused) => return Ok(Some(refused)),
        };
        // The reference continues from the accepted answer.
        let last = self.step.plan.lines().last();
        if let Some(name) = last.and_then(|line| line.bind.name()) {
            follower.bind(name, accepted);
        }
        Ok(None)
    }

    fn check(&mut self, check: &CustomCheck, value: &Value) -> Result<CheckAnswer, GradeError> {
        match &mut self.checker {
            Some(checker) => checker.ask(check, value, self.case, self.step.number),
            None => Ok(CheckAnswer { share: Share::NONE, message: None }),
        }
    }
}

/// The oracle that a step of `case` asks, among those of the reference.
///
/// # Errors
/// The reference has no such oracle.
pub(super) fn find_oracle(
    oracles: &'static [Oracle],
    case: &Case,
    step: StepNo,
    name: &str,
) -> Result<&'static Oracle, GradeError> {
    oracles.iter().find(|oracle| oracle.name == name).ok_or_else(|| no_oracle(case, step, name))
}

fn no_oracle(case: &Case, step: StepNo, oracle: &str) -> GradeError {
    let place = case.place(Some(step));
    GradeError::Exercise(format!("{place}: the reference has no oracle `{oracle}`"))
}

/// A step's question to an oracle.
pub(super) fn oracle_question(expect: &Expect) -> Option<&Asked> {
    if let Matcher::Oracle(asked) = &expect.value.as_ref()?.matcher { Some(asked) } else { None }
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
