//! Tries cases on a submission: quickly where its language allows that, and strictly.

use super::Patience;
use keur_core::adapter::{NotStarted, Quick, Replayed, Subprocess};
use keur_core::case::{Case, Exercise};
use keur_core::compare::{Mistake, StopMistake, Verdict};
use keur_core::event::{CaseReport, Runtime};
use keur_core::judge::{GradeError, Isolation, Judge, Settings, limits, runtime, unloaded};
use keur_core::submission::Found;
use keur_sandbox::Limits;
use std::time::Instant;

/// The cases that one process may answer for; it ends with the processor time of this many.
const MOST_PLANS: usize = 10_000;

/// From this many sessions on that are too slow for a quick replay, there is none.
const MANY_STOPPED: usize = 8;

/// From this many sessions on that differ quickly and not strictly, there is no quick replay.
const MANY_UNCONFIRMED: usize = 3;

/// The result of a quick replay.
pub(super) enum Glimpse {
    /// The case passes.
    Passed,
    /// The answers differ; a strict replay must show how.
    Failed(Box<CaseReport>),
    /// The answers cannot be judged by themselves.
    Unclear,
    /// The replay does not end, or not soon.
    Stopped,
    /// The submission does not load plainly, or leaves traces: what was seen before does not count.
    Unfit,
}

/// A submission on which cases are tried.
pub(super) struct Trials<'a> {
    adapter: Subprocess<'a>,
    exercise: &'a Exercise,
    found: &'a Found,
    settings: &'a Settings,
    is_quick: bool,
    stopped: usize,
    unconfirmed: usize,
    patience: &'a mut Patience,
}

impl<'a> Trials<'a> {
    /// Tries cases of `exercise` on the submission in the processes of `adapter`.
    pub(super) fn new(
        adapter: Subprocess<'a>,
        exercise: &'a Exercise,
        found: &'a Found,
        settings: &'a Settings,
        patience: &'a mut Patience,
    ) -> Trials<'a> {
        let is_quick = settings.isolation != Isolation::Case && adapter.loads_again();
        Trials { adapter, exercise, found, settings, is_quick, stopped: 0, unconfirmed: 0, patience }
    }

    /// Whether cases are tried quickly.
    pub(super) fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// The time that trials may still take.
    pub(super) fn patience(&self) -> &Patience {
        self.patience
    }

    /// The interpreter of the submission; known after a replay.
    pub(super) fn runtime(&self) -> Option<Runtime> {
        runtime(&self.adapter)
    }

    /// Replays a case in the process of those before it.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub(super) fn quickly(&mut self, case: &Case) -> Result<Glimpse, GradeError> {
        let limits = self.limits(case);
        let began = Instant::now();
        let quick = self.adapter.replay_quickly(&case.plan, &limits, MOST_PLANS)?;
        self.patience.spend(began.elapsed());
        match quick {
            Quick::Observed(replayed) => {
                let report = self.judged(case, &replayed)?;
                Ok(if report.verdict == Verdict::Passed {
                    Glimpse::Passed
                } else if report.finding.is_some() {
                    Glimpse::Failed(Box::new(report))
                } else {
                    Glimpse::Unclear
                })
            }
            Quick::PlanUnfit => Ok(Glimpse::Unclear),
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
    pub(super) fn left_nothing(&mut self) -> Result<bool, GradeError> {
        if !self.is_quick {
            return Ok(true);
        }
        let began = Instant::now();
        let nothing = self.adapter.left_nothing()?;
        self.patience.spend(began.elapsed());
        self.is_quick = nothing;
        Ok(nothing)
    }

    /// Replays a case in a process of its own.
    ///
    /// # Errors
    /// A failure of keur itself.
    pub(super) fn strictly(&mut self, case: &Case) -> Result<CaseReport, GradeError> {
        let began = Instant::now();
        let limits = self.limits(case);
        let replayed = self.adapter.replay_unhindered(&case.plan, &limits);
        self.patience.spend(began.elapsed());
        match replayed {
            Ok(replayed) => self.judged(case, &replayed),
            Err(NotStarted::NotReady(why)) => {
                Ok(unloaded(case, &Mistake::Stop(StopMistake::NotReady { why })))
            }
            Err(NotStarted::Fault(fault)) => Err(fault.into()),
        }
    }

    /// Takes note of a case that failed quickly and passed strictly.
    pub(super) fn note_unconfirmed(&mut self) {
        self.unconfirmed += 1;
        if self.unconfirmed >= MANY_UNCONFIRMED {
            self.is_quick = false;
        }
    }

    fn judged(
        &self,
        case: &Case,
        Replayed { transcript, dialect, .. }: &Replayed,
    ) -> Result<CaseReport, GradeError> {
        let judge = Judge { exercise: self.exercise, dialect, found: Some(self.found), answers: None };
        Ok(judge.outcome(case, transcript, None, None)?.report(case))
    }

    fn limits(&self, case: &Case) -> Limits {
        limits(&self.settings.limits, case, self.exercise)
    }
}
