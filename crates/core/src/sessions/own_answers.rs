//! The answers of an exercise's own reference to random sessions.

use crate::adapter::{Adapter, Fault, Guide, Halt, Load, NoGuide, Quick, Subprocess, Transcript};
use crate::case::{Exercise, Plan};
use crate::judge::replay_reference;
use crate::sandbox::clock::Instant;
use crate::sandbox::{Limits, Stop};
use std::path::{Path, PathBuf};

/// The number of plans that a process may answer.
const PLANS: usize = 10_000;

/// How long the answers to a session may take.
pub(super) struct AnswerTime {
    /// The limits of a submission: what takes the reference longer is nothing to ask.
    pub(super) limits: Limits,
    /// When no more sessions are wanted: the reference is not waited for after it.
    pub(super) until: Option<Instant>,
}

impl AnswerTime {
    /// The answers of the reference to a plan; `None` if no more sessions are wanted by then.
    pub(super) fn replay(
        &self,
        plan: &Plan,
        reference: &mut dyn Adapter,
    ) -> Result<Option<Transcript>, Fault> {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(None);
        }
        let wall = left.map_or(self.limits.wall, |left| self.limits.wall.min(left));
        let seen = reference.replay(plan, &Limits { wall, ..self.limits.clone() }, &mut NoGuide)?;
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        Ok((!is_late).then_some(seen))
    }
}

/// An exercise's own reference, which answers quickly where it can.
pub(super) struct OwnAnswers<'a> {
    process: Subprocess<'a>,
    exercise: &'a Exercise,
    path: PathBuf,
    is_quick: bool,
    /// The last plan and the answers to it: the session that is made next of it has the same.
    last: Option<(Plan, Transcript)>,
}

impl<'a> OwnAnswers<'a> {
    /// The reference at `path`, in this process.
    pub(super) fn new(exercise: &'a Exercise, path: &Path, process: Subprocess<'a>) -> OwnAnswers<'a> {
        let is_quick = process.loads_again();
        OwnAnswers { process, exercise, path: path.to_owned(), is_quick, last: None }
    }

    fn answers(&mut self, plan: &Plan, limits: &Limits) -> Result<Transcript, Fault> {
        let began = Instant::now();
        if self.is_quick {
            match self.process.replay_quickly(plan, limits, PLANS)? {
                Quick::Observed(replayed) => return Ok(replayed.transcript),
                Quick::SubmissionUnfit => self.is_quick = false,
                Quick::PlanUnfit | Quick::Stopped => {}
            }
        }
        // Both replays together have this time.
        let left = Limits { wall: limits.wall.saturating_sub(began.elapsed()), ..limits.clone() };
        if left.wall.is_zero() {
            return Ok(out_of_time());
        }
        // A random session has no matches.
        match replay_reference(&mut self.process, self.exercise, plan, &left, &self.path) {
            // It may not even have started.
            Err(_) if began.elapsed() >= limits.wall => Ok(out_of_time()),
            answers => Ok(answers?),
        }
    }
}

/// The answers of a reference whose time was over before the first.
fn out_of_time() -> Transcript {
    Transcript { load: Load { halt: Some(Halt::Stopped(Stop::Wall)), ..Load::default() }, steps: Vec::new() }
}

impl Adapter for OwnAnswers<'_> {
    fn replay(&mut self, plan: &Plan, limits: &Limits, _: &mut dyn Guide) -> Result<Transcript, Fault> {
        if let Some((last, answers)) = &self.last
            && last == plan
        {
            return Ok(answers.clone());
        }
        let answers = self.answers(plan, limits)?;
        // With more time there may be more.
        if answers.halt().is_none() {
            self.last = Some((plan.clone(), answers.clone()));
        }
        Ok(answers)
    }
}
