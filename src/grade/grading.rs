//! Grades the cases of one submission, once.
//!
//! Each verdict comes from one answer. The quick pass counts only if all of its cases pass; if not, every case is replayed
//! strictly, in an order and a number that do not depend on what failed. A submission may know which form it is in, and its
//! processes may find a way to speak to each other: what they can learn is that not everything passed quickly.
//!
//! The order depends on one thing that a submission does: once a call has reached its limit of time or memory, the cases that make this
//! call go last. Whether an answer is right decides nothing in it, nor whether a case is run at all, and visible cases are always run
//! before hidden ones.

use super::answers::ReferenceAnswers;
use super::checker::Checker;
use super::error::GradeError;
use super::following::Following;
use super::hung::hung_call;
use super::judge::Judge;
use super::order::counts_for;
use super::outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases};
use super::quick::{Isolation, quick_cases};
use super::settings::{Settings, budget, limits, overall, runtime, shares};
use super::standing::{CaseAssembly, CaseStanding, impossible, not_counted};
use super::umpire::Umpire;
use crate::adapter::{
    Adapter, Dialect, Fault, GETTING_READY, Halt, NoGuide, Quick, Subprocess, Transcript, is_cut_off,
    memory_of,
};
use crate::case::{Case, Exercise, Plan};
use crate::compare::{Mismatch, Verdict};
use crate::event::{Runtime, SubmissionReport};
use crate::sandbox::{Cancel, Limits, Tier};
use crate::submission::Found;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most memory of what a quick pass answers together, in bytes.
const MOST_QUICK: usize = 64 << 20;

/// One grading of one submission.
pub(super) struct Grading<'r, 'a> {
    pub(super) assembly: &'r CaseAssembly<'a>,
    pub(super) exercise: &'a Exercise,
    pub(super) settings: &'r Settings,
    pub(super) found: &'r Found,
    /// What the exercise's own reference answers, if cases ask it.
    pub(super) answers: Option<Arc<ReferenceAnswers>>,
    pub(super) checker: Checker<'r>,
    pub(super) adapter: Subprocess<'r>,
    pub(super) tier: Tier,
    pub(super) seed: u32,
    pub(super) cancel: Cancel,
    pub(super) progress: GradingProgress,
}

/// What a grading has come to know and to use up.
#[derive(Default)]
pub(super) struct GradingProgress {
    /// Whether a case was replayed twice because the machine stalled. A machine that always does must not take twice as long.
    retried: bool,
    /// The time that the submission took in all.
    took: Duration,
}

impl GradingProgress {
    /// Counts what a case took with getting ready for it. More than the limits of both was not the submission's time: the machine
    /// slept, or held keur up.
    fn count(&mut self, took: Duration, limits: &Limits, plan: &Plan) {
        self.took += took.min((limits.wall + GETTING_READY) * shares(plan));
    }
}

/// What a strict replay gives.
enum Replayed {
    /// The outcome of the case.
    Outcome(CaseOutcome),
    /// Nothing: the submission never gets ready, for this case or another.
    NeverReady(Mismatch),
    /// Nothing: somebody else ended or stopped the process, twice.
    Killed,
}

impl<'a> Grading<'_, 'a> {
    /// Grades the cases that are not known, in the order in which they are run. `report` is the report before the first case,
    /// and `watch` hears of it after each case whose outcome is final.
    ///
    /// Cases that are known keep their outcome, unless others are missing and not all of them pass quickly: then only the
    /// strict form counts for all of them, and those that come out otherwise than before are in the result.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files.
    pub(super) fn grade(
        mut self,
        known: &KnownCases,
        report: &SubmissionReport,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
        let counts = |case: &&Case| counts_for(case, Some(self.found));
        let (cases, others): (Vec<&Case>, Vec<&Case>) =
            self.assembly.cases().iter().copied().partition(counts);
        let mut graded = self.graded(&cases, known, report, watch)?;
        graded.known.extend(not_counted(known, &others));
        Ok(graded)
    }

    fn graded(
        &mut self,
        cases: &[&'a Case],
        known: &KnownCases,
        report: &SubmissionReport,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
        let quick = quick_cases(cases, |case| self.limits(case));
        let has_failed = |case: &&Case| match known.get(&case.name) {
            Some(KnownCase::Graded(outcome)) => outcome.verdict != Verdict::Passed,
            Some(KnownCase::NotCounted) | None => false,
        };
        let is_missing = |case: &&Case| !known.contains_key(&case.name);
        // A known case that failed was graded strictly, and so were the others.
        if quick.iter().any(has_failed) || !quick.iter().any(is_missing) || !self.has_quick_form() {
            return self.walk(cases, known, &[], report.clone(), watch);
        }
        if self.passes_quickly(&quick)? {
            return self.walk(cases, known, &quick, report.clone(), watch);
        }
        // What is known may have been graded quickly.
        let mut strict = known.clone();
        strict.retain(|name, _| quick.iter().all(|case| case.name != *name));
        let mut graded = self.walk(cases, &strict, &[], report.clone(), watch)?;
        graded.known.retain(|name, now| known.get(name).is_none_or(|before| !before.agrees_with(now)));
        Ok(graded)
    }

    fn has_quick_form(&self) -> bool {
        match self.settings.isolation {
            Isolation::Case => false,
            Isolation::Quick | Isolation::Both => self.adapter.loads_again(),
        }
    }

    /// Whether the submission plainly passes all of these cases in one process, and leaves no trace from case to case.
    fn passes_quickly(&mut self, cases: &[&'a Case]) -> Result<bool, GradeError> {
        // One case alone gains nothing.
        if cases.len() < 2 {
            return Ok(false);
        }
        let transcripts = self.quick_transcripts(cases)?;
        let began = Instant::now();
        let left_nothing = self.adapter.left_nothing()?;
        self.progress.took += began.elapsed().min(GETTING_READY);
        let Some(dialect) = self.adapter.dialect() else { return Ok(false) };
        if !left_nothing || transcripts.len() < cases.len() {
            return Ok(false);
        }
        for (case, transcript) in cases.iter().zip(&transcripts) {
            let mut following = Following::new(self.exercise, case, self.answers.as_ref())?;
            let outcome = self.judge(dialect).case(case, transcript, following.as_mut(), None)?;
            if outcome.verdict != Verdict::Passed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answers of the submission to these cases in one process. None of it is judged before the last one is asked: whether another
    /// case is asked, and how soon, would tell the submission what was right. It ends early only by what the process itself does.
    fn quick_transcripts(&mut self, cases: &[&'a Case]) -> Result<Vec<Transcript>, GradeError> {
        let mut transcripts = Vec::with_capacity(cases.len());
        let mut room = MOST_QUICK;
        for case in cases {
            if self.cancel.is_cancelled() {
                break;
            }
            let limits = self.limits(case);
            let began = Instant::now();
            let seen = self.adapter.replay_quickly(&case.plan, &limits, cases.len())?;
            let took = began.elapsed().saturating_sub(self.adapter.take_held_up());
            self.progress.count(took, &limits, &case.plan);
            let Quick::Observed(transcript) = seen else { break };
            let Some(left) = room.checked_sub(memory_of(&transcript)) else { break };
            room = left;
            transcripts.push(*transcript);
        }
        Ok(transcripts)
    }

    fn limits(&self, case: &Case) -> Limits {
        limits(&self.settings.limits, case, self.exercise)
    }

    fn judge<'j>(&'j self, dialect: &'j Dialect) -> Judge<'j> {
        Judge { exercise: self.exercise, dialect, found: Some(self.found), checker: Some(&self.checker) }
    }

    /// Takes the cases in order: those in `passed` have passed, every other one is replayed strictly.
    fn walk(
        &mut self,
        cases: &[&'a Case],
        known: &KnownCases,
        passed: &[&'a Case],
        mut report: SubmissionReport,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
        let passed: BTreeSet<&str> = passed.iter().map(|case| case.name.as_str()).collect();
        let mut graded = GradedCases::default();
        let mut standings = self.assembly.progress(cases);
        while let Some(turn) = standings.next() {
            let case = turn.case;
            if self.cancel.is_cancelled() {
                break;
            }
            let before = known.get(&case.name);
            match (standings.standing(case, before), before) {
                (CaseStanding::Skipped, _) => standings.skip((&mut report, watch), turn),
                (CaseStanding::Blocked(needed), before) => {
                    // It is run all the same: what a submission is asked must not tell it what was right.
                    if before.is_none() && !standings.is_over() {
                        self.strictly(case)?;
                    }
                    standings.block((&mut report, watch), turn, needed);
                }
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => {
                    standings.take((&mut report, watch), turn, outcome);
                }
                (CaseStanding::Kept | CaseStanding::NotCounted, _) => {
                    standings.leave_out((&mut report, watch), turn);
                }
                (CaseStanding::Missing, _) => {
                    let replayed = if passed.contains(case.name.as_str()) {
                        Replayed::Outcome(CaseOutcome::passed())
                    } else {
                        self.strictly(case)?
                    };
                    let outcome = match replayed {
                        Replayed::Outcome(outcome) => outcome,
                        Replayed::NeverReady(problem) => {
                            let known = impossible(self.assembly, known, &problem);
                            return Ok(GradedCases { known, ..GradedCases::default() });
                        }
                        Replayed::Killed => {
                            standings.leave_out((&mut report, watch), turn);
                            graded.killed.insert(case.name.clone());
                            continue;
                        }
                    };
                    if report.runtime.is_none() {
                        report.runtime = self.runtime();
                    }
                    standings.take((&mut report, watch), turn, &outcome);
                    graded.known.insert(case.name.clone(), KnownCase::Graded(outcome));
                }
            }
        }
        graded.runtime = report.runtime;
        Ok(graded)
    }

    /// Replays a case in a process of its own.
    fn strictly(&mut self, case: &'a Case) -> Result<Replayed, GradeError> {
        let began = Instant::now();
        let limits = self.limits(case);
        let (mut transcript, mut umpire) = self.replay(case, &limits)?;
        let stalled = self.adapter.was_stalled() && !self.progress.retried;
        // One that is not confined may have stopped itself, which counts as a stall.
        let is_confined = self.adapter.is_confined();
        let cut_off = is_cut_off(&transcript) && (is_confined || !self.adapter.was_stalled());
        if stalled || cut_off {
            self.progress.retried |= stalled && !cut_off;
            (transcript, umpire) = self.replay(case, &limits)?;
        }
        // A submission that is not confined may have done it itself.
        if is_cut_off(&transcript) && is_confined && !self.cancel.is_cancelled() {
            return Ok(Replayed::Killed);
        }
        let took = began.elapsed();
        let unhindered = took.saturating_sub(self.adapter.take_held_up());
        let unmetered = self.adapter.take_unmetered();
        let Some(dialect) = self.adapter.dialect() else {
            return match transcript.load.halt {
                Some(Halt::NotReady(why)) => Ok(Replayed::NeverReady(Mismatch::NotReady { why })),
                Some(Halt::Stopped(_) | Halt::Protocol(_)) | None => {
                    let message =
                        format!("the driver did not say what it runs before the case `{}`", case.name);
                    Err(Fault { message }.into())
                }
            };
        };
        let mut following = Following::new(self.exercise, case, self.answers.as_ref())?;
        let outcome = self.judge(dialect).case(case, &transcript, following.as_mut(), umpire.as_ref())?;
        self.progress.count(unhindered, &limits, &case.plan);
        // Whether an answer was right must not decide how much time is left: it would tell the submission.
        let spent = if transcript.halt().is_some() {
            took
        } else if self.progress.took > overall(self.assembly.cases(), &self.settings.limits, self.exercise) {
            budget(&self.settings.limits, self.exercise)
        } else {
            // A case that ends in time is charged for what is not under its limits alone.
            unmetered
        };
        let hung = hung_call(&case.plan, &transcript).into_iter().collect();
        Ok(Replayed::Outcome(CaseOutcome { hung, ..outcome.taking(spent) }))
    }

    /// Replays a case; also returns the umpire of its matches.
    fn replay(&mut self, case: &'a Case, limits: &Limits) -> Result<(Transcript, Option<Umpire<'a>>), Fault> {
        let mut umpire = Umpire::new(self.exercise, case)?;
        let transcript = match &mut umpire {
            Some(umpire) => self.adapter.replay(&case.plan, limits, umpire),
            None => self.adapter.replay(&case.plan, limits, &mut NoGuide),
        };
        Ok((transcript?, umpire))
    }

    /// What the submission runs in; `None` before its first process.
    fn runtime(&self) -> Option<Runtime> {
        self.adapter.dialect().map(|dialect| runtime(dialect, self.tier, self.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::GradingProgress;
    use crate::case::{Instead, Plan, PlanStep, ProgramRun};
    use crate::sandbox::Limits;
    use std::time::Duration;

    #[test]
    fn each_program_of_a_case_may_take_as_long_as_a_case() {
        let run = ProgramRun { files: Default::default(), args: Vec::new(), input: Vec::new() };
        let step = PlanStep { instead: Some(Instead::ProgramRun(run)), ..PlanStep::default() };
        let limits = Limits { wall: Duration::from_secs(3), ..Limits::default() };
        for (programs, most) in [(0, 5), (4, 25)] {
            let plan = Plan { steps: vec![step.clone(); programs], files: None };
            let mut progress = GradingProgress::default();
            progress.count(Duration::from_secs(9), &limits, &plan);
            assert_eq!(progress.took, Duration::from_secs(most.min(9)));
            // A night in which the machine slept.
            progress.count(Duration::from_hours(8), &limits, &plan);
            assert_eq!(progress.took, Duration::from_secs(most.min(9) + most));
        }
    }
}
