//! Tries cases on a submission: quickly where its language allows that, and strictly.

use super::Patience;
use crate::adapter::{NoGuide, NotStarted, Quick, Replayed, Subprocess, Transcript};
use crate::case::{Case, Exercise, LimitsPatch, StepNo};
use crate::compare::{Mistake, StopMistake, Verdict};
use crate::event::Runtime;
use crate::judge::{
    CaseOutcome, GradeError, Judge, OwnTexts, limits, plan_of_texts, runtime, step_with_own_text,
};
use crate::sandbox::Limits;
use crate::sandbox::clock::Instant;
use crate::submission::Found;

/// The cases that one process may answer for; it ends with the processor time of this many.
const MOST_PLANS: usize = 10_000;

/// From this many sessions on that are too slow for a quick replay, there is none.
const MANY_STOPPED: usize = 8;

/// From this many sessions on that differ quickly and not strictly, there is no quick replay.
const MANY_UNCONFIRMED: usize = 3;

/// The result of a quick replay.
pub enum Glimpse {
    /// The case passes.
    Passed,
    /// The answers differ; a strict replay must show how.
    Failed(Box<CaseOutcome>),
    /// The answers cannot be judged by themselves.
    Unclear,
    /// The replay does not end, or not soon.
    Stopped,
    /// The submission does not load plainly, or leaves traces: what was seen before does not count.
    Unfit,
}

/// The outcome of a strict replay.
struct Tried {
    outcome: CaseOutcome,
    /// The answers; `None` if the submission never got ready.
    transcript: Option<Transcript>,
}

/// A submission on which cases are tried.
pub struct Trials<'t, 'a> {
    adapter: &'t mut Subprocess<'a>,
    exercise: &'t Exercise,
    found: &'t Found,
    limits: &'t LimitsPatch,
    is_quick: bool,
    stopped: usize,
    unconfirmed: usize,
    patience: &'t mut Patience,
}

impl<'t, 'a> Trials<'t, 'a> {
    /// Tries cases of `exercise` on the submission in the processes of `adapter`, under these limits above those
    /// of the exercise: strictly alone, unless it `is_quick`.
    pub fn new(
        adapter: &'t mut Subprocess<'a>,
        exercise: &'t Exercise,
        found: &'t Found,
        limits: &'t LimitsPatch,
        is_quick: bool,
        patience: &'t mut Patience,
    ) -> Trials<'t, 'a> {
        let is_quick = is_quick && adapter.loads_again();
        Trials { adapter, exercise, found, limits, is_quick, stopped: 0, unconfirmed: 0, patience }
    }

    /// Whether cases are tried quickly.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// The time that trials may still take.
    pub fn patience(&self) -> &Patience {
        self.patience
    }

    /// The interpreter of the submission; known after a replay.
    pub fn runtime(&self) -> Option<Runtime> {
        runtime(self.adapter)
    }

    /// Replays a case in the process of those before it.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn quickly(&mut self, case: &Case) -> Result<Glimpse, GradeError> {
        let limits = self.limits_until_the_end(case);
        let began = Instant::now();
        let quick = self.adapter.replay_quickly(&case.plan, &limits, MOST_PLANS)?;
        self.patience.spend(began.elapsed());
        match quick {
            Quick::Observed(replayed) => {
                let outcome = self.judged(case, &replayed)?;
                Ok(if outcome.verdict == Verdict::Passed {
                    Glimpse::Passed
                } else if outcome.finding.is_some() {
                    Glimpse::Failed(Box::new(outcome))
                } else {
                    Glimpse::Unclear
                })
            }
            Quick::PlanUnfit => Ok(Glimpse::Unclear),
            // The hunt is over, which says nothing of the submission.
            Quick::Stopped if self.patience.is_over() => Ok(Glimpse::Unclear),
            Quick::Stopped => {
                self.stopped += 1;
                if self.stopped >= MANY_STOPPED {
                    self.is_quick = false;
                }
                Ok(Glimpse::Stopped)
            }
            Quick::SubmissionUnfit => {
                self.is_quick = false;
                Ok(Glimpse::Unfit)
            }
        }
    }

    /// Whether the cases that were tried quickly, if any were, left no trace; if they did, none is tried
    /// quickly from now on.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn left_nothing(&mut self) -> Result<bool, GradeError> {
        if !self.is_quick {
            return Ok(true);
        }
        let began = Instant::now();
        let nothing = self.adapter.left_nothing()?;
        self.patience.spend(began.elapsed());
        self.is_quick = nothing;
        Ok(nothing)
    }

    /// Replays a case in a process of its own; `None` if the hunt was over before that ended.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn strictly(&mut self, case: &Case) -> Result<Option<CaseOutcome>, GradeError> {
        Ok(self.replay(case)?.map(|tried| tried.outcome))
    }

    /// Replays a case as [`Trials::strictly`] does; a wrong value in its finding is as the submission itself shows it,
    /// asked in one more process.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub fn strictly_shown(&mut self, case: &Case) -> Result<Option<CaseOutcome>, GradeError> {
        let Some(Tried { mut outcome, transcript }) = self.replay(case)? else { return Ok(None) };
        if let (Some(finding), Some(transcript)) = (&mut outcome.finding, transcript)
            && let Some(step) = step_with_own_text(&case.plan, &transcript, finding)
            && let Some(texts) = self.own_texts(case, step)?
        {
            texts.show_in(finding);
        }
        Ok(Some(outcome))
    }

    /// The value of a step as the submission itself shows it; `None` if that does not show it, or there is no time.
    fn own_texts(&mut self, case: &Case, step: StepNo) -> Result<Option<OwnTexts>, GradeError> {
        let Some(plan) = plan_of_texts(&case.plan, step).filter(|_| !self.patience.is_at_an_end()) else {
            return Ok(None);
        };
        let limits = self.limits_until_the_end(case);
        let began = Instant::now();
        let replayed = self.adapter.replay_unhindered(&plan, &limits);
        self.patience.spend(began.elapsed());
        match replayed {
            Ok(replayed) => Ok(OwnTexts::new(&replayed.transcript, step)),
            Err(NotStarted::NotReady(_)) => Ok(None),
            Err(NotStarted::Fault(fault)) => Err(fault.into()),
        }
    }

    fn replay(&mut self, case: &Case) -> Result<Option<Tried>, GradeError> {
        if self.patience.is_over() {
            return Ok(None);
        }
        let began = Instant::now();
        let limits = self.limits_until_the_end(case);
        // There is no time for a second replay where the hunt ends the first.
        let is_last = limits.wall < self.limits(case).wall;
        let replayed = if is_last {
            self.adapter.replay(&case.plan, &limits, &mut NoGuide)
        } else {
            self.adapter.replay_unhindered(&case.plan, &limits)
        };
        self.patience.spend(began.elapsed());
        let tried = match replayed {
            Ok(replayed) if is_last && replayed.stopped_by_others() => return Ok(None),
            Ok(replayed) => {
                Tried { outcome: self.judged(case, &replayed)?, transcript: Some(replayed.transcript) }
            }
            Err(NotStarted::NotReady(why)) => {
                let stop = Mistake::Stop(StopMistake::NotReady { why });
                Tried { outcome: CaseOutcome::impossible(&stop), transcript: None }
            }
            Err(NotStarted::Fault(fault)) => return Err(fault.into()),
        };
        let was_cut_off = self.patience.is_over() && tried.outcome.verdict.is_an_end();
        Ok((!was_cut_off).then_some(tried))
    }

    /// Takes note of a case that failed quickly and passed strictly.
    pub fn note_unconfirmed(&mut self) {
        self.unconfirmed += 1;
        if self.unconfirmed >= MANY_UNCONFIRMED {
            self.is_quick = false;
        }
    }

    fn judged(
        &self,
        case: &Case,
        Replayed { transcript, dialect, .. }: &Replayed,
    ) -> Result<CaseOutcome, GradeError> {
        let judge = Judge { exercise: self.exercise, dialect, found: Some(self.found), answers: None };
        judge.outcome(case, transcript, None, None)
    }

    fn limits(&self, case: &Case) -> Limits {
        limits(self.limits, case, self.exercise)
    }

    /// The limits of a case whose replay ends with the hunt.
    fn limits_until_the_end(&self, case: &Case) -> Limits {
        let limits = self.limits(case);
        let left = self.patience.until_the_end();
        Limits { wall: left.map_or(limits.wall, |left| limits.wall.min(left)), ..limits }
    }
}
