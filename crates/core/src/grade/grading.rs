//! Grades the cases of one submission, once.
//!
//! Each verdict comes from one answer. The quick pass counts only if all of its cases pass; if not, every case is replayed
//! strictly, in an order and a number that do not depend on what failed. The same holds for what is known from before.
//! A submission may know which form it is in, and its processes may find a way to speak to each other: what they can learn is
//! that not everything passed quickly.
//!
//! The order depends on one thing that a submission does: once a call has reached its limit of time or memory, the cases that make this
//! call go last. Whether an answer is right decides nothing in it, nor whether a case is run at all, and visible cases are always run
//! before hidden ones.

use super::answers::ReferenceAnswers;
use super::checker::Checker;
use super::counting::counting;
use super::error::GradeError;
use super::following::Following;
use super::hung::hung_calls;
use super::judge::Judge;
use super::order::counts_for;
use super::outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases};
use super::quick::QuickPass;
use super::settings::{Settings, budget, limits, overall, runtime, shares};
use super::standing::{CaseAssembly, CaseStanding, impossible, not_counted};
use super::umpire::Umpire;
use crate::adapter::{
    Dialect, GETTING_READY, NoGuide, NotStarted, Quick, Replayed, Subprocess, Transcript, memory_of,
};
use crate::case::{Case, Exercise, Plan};
use crate::compare::{Mismatch, StopMistake, Verdict};
use crate::event::{Runtime, SubmissionReport};
use crate::sandbox::clock::Instant;
use crate::sandbox::{Cancel, Limits, Tier};
use crate::submission::Found;
use std::sync::Arc;
use std::time::Duration;

/// The most memory of what a quick pass answers together, in bytes.
const MOST_QUICK: usize = 64 << 20;

/// One grading of one submission.
pub(super) struct Grading<'r, 'a> {
    pub(super) assembly: &'r CaseAssembly<'a>,
    pub exercise: &'a Exercise,
    pub(super) settings: &'r Settings,
    pub found: &'r Found,
    /// What the exercise's own reference answers, if cases ask it.
    pub(super) answers: Option<Arc<ReferenceAnswers>>,
    pub checker: Checker<'r>,
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
enum Strict {
    /// The outcome of the case.
    Outcome(CaseOutcome),
    /// Nothing: the submission never gets ready, for this case or another.
    NeverReady(Mismatch),
    /// Nothing: somebody else ended or stopped the process, twice.
    Killed,
}

impl Strict {
    /// Nothing, because there is no process to load the submission into.
    fn not_started(error: NotStarted) -> Result<Strict, GradeError> {
        match error {
            NotStarted::Fault(fault) => Err(fault.into()),
            NotStarted::NotReady(why) => {
                Ok(Strict::NeverReady(Mismatch::Stop(StopMistake::NotReady { why })))
            }
        }
    }
}

/// One replay of a case.
struct Replay<'a> {
    replayed: Replayed,
    /// The umpire of its matches.
    umpire: Option<Umpire<'a>>,
}

impl<'a> Grading<'_, 'a> {
    /// Grades the cases that are not known, in the order in which they are run. `report` is the report before the first case,
    /// and `watch` hears of it after each case whose outcome is final.
    ///
    /// Cases that are known keep their outcome. But what passed quickly does not count beside what passed in another quick pass,
    /// or did not: if a case with a quick form is missing, all of them pass quickly together, or are graded strictly.
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
        let quick = if self.adapter.loads_again() { self.assembly.quick_cases(cases) } else { Vec::new() };
        let mut known = counting(&quick, known.clone());
        let is_strict =
            |case: &&Case| known.get(&case.name).is_some_and(|known| known.quick_pass().is_none());
        let is_missing = |case: &&Case| !known.contains_key(&case.name);
        let mut passed = KnownCases::new();
        if quick.iter().any(is_missing) && !quick.iter().any(is_strict) {
            if self.passes_quickly(&quick)? {
                let outcome = KnownCase::Graded(CaseOutcome::passed_in(QuickPass::of(&quick)));
                passed = quick.iter().map(|case| (case.name.clone(), outcome.clone())).collect();
            }
            known.retain(|_, known| known.quick_pass().is_none());
            known.extend(passed.clone());
        }
        let report = SubmissionReport { runtime: self.runtime(), ..report.clone() };
        let mut graded = self.walk(cases, &known, report, watch)?;
        graded.known.extend(passed);
        Ok(graded)
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
            let mut took = began.elapsed();
            if let Quick::Observed(replayed) = &seen {
                took = took.saturating_sub(replayed.held_up);
            }
            self.progress.count(took, &limits, &case.plan);
            let Quick::Observed(replayed) = seen else { break };
            let Some(left) = room.checked_sub(memory_of(&replayed.transcript)) else { break };
            room = left;
            transcripts.push(replayed.transcript);
        }
        Ok(transcripts)
    }

    fn limits(&self, case: &Case) -> Limits {
        limits(&self.settings.limits, case, self.exercise)
    }

    fn judge<'j>(&'j self, dialect: &'j Dialect) -> Judge<'j> {
        Judge { exercise: self.exercise, dialect, found: Some(self.found), checker: Some(&self.checker) }
    }

    /// Takes the cases in order, and replays strictly what is not known.
    fn walk(
        &mut self,
        cases: &[&'a Case],
        known: &KnownCases,
        mut report: SubmissionReport,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
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
                (CaseStanding::Blocked { needed, is_missing: false }, before) => {
                    let outcome = before.and_then(KnownCase::outcome);
                    standings.block((&mut report, watch), turn, (outcome, needed));
                }
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => {
                    standings.take((&mut report, watch), turn, outcome);
                }
                (CaseStanding::Kept | CaseStanding::NotCounted, _) => {
                    standings.leave_out((&mut report, watch), turn);
                }
                (standing @ (CaseStanding::Missing | CaseStanding::Blocked { .. }), _) => {
                    let blocked_by =
                        if let CaseStanding::Blocked { needed, .. } = standing { Some(needed) } else { None };
                    let outcome = match self.strictly(case, blocked_by.is_none())? {
                        Strict::Outcome(outcome) => outcome,
                        Strict::NeverReady(problem) => {
                            let known = impossible(self.assembly, known, &problem);
                            return Ok(GradedCases { known, ..GradedCases::default() });
                        }
                        Strict::Killed => {
                            standings.leave_out((&mut report, watch), turn);
                            graded.killed.insert(case.name.clone());
                            continue;
                        }
                    };
                    if report.runtime.is_none() {
                        report.runtime = self.runtime();
                    }
                    match blocked_by {
                        Some(needed) => {
                            standings.block((&mut report, watch), turn, (Some(&outcome), needed));
                        }
                        None => standings.take((&mut report, watch), turn, &outcome),
                    }
                    graded.known.insert(case.name.clone(), KnownCase::Graded(outcome));
                }
            }
        }
        graded.runtime = report.runtime;
        Ok(graded)
    }

    /// Replays a case in a process of its own. If it does not `count`, because it needs one that failed, a check need not bear what
    /// that leaves.
    fn strictly(&mut self, case: &'a Case, counts: bool) -> Result<Strict, GradeError> {
        let began = Instant::now();
        let limits = self.limits(case);
        let mut replay = match self.replay(case, &limits) {
            Ok(replay) => replay,
            Err(error) => return Strict::not_started(error),
        };
        let stalled = replay.replayed.stalled && !self.progress.retried;
        // One that is not confined may have stopped itself, which counts as a stall.
        let is_confined = self.adapter.is_confined();
        let cut_off = replay.replayed.is_cut_off() && (is_confined || !replay.replayed.stalled);
        let mut interrupted = None;
        if stalled || cut_off {
            self.progress.retried |= stalled && !cut_off;
            let again = match self.replay(case, &limits) {
                Ok(again) => again,
                Err(error) => return Strict::not_started(error),
            };
            interrupted = Some(std::mem::replace(&mut replay, again));
        }
        let Replayed { transcript, dialect, .. } = &replay.replayed;
        // A submission that is not confined may have done it itself.
        if replay.replayed.is_cut_off() && is_confined && !self.cancel.is_cancelled() {
            return Ok(Strict::Killed);
        }
        let took = began.elapsed();
        let replays = || [Some(&replay), interrupted.as_ref()].into_iter().flatten();
        let held_up: Duration = replays().map(|replay| replay.replayed.held_up).sum();
        let unmetered = replays().map(|replay| replay.replayed.unmetered).sum();
        let judge = self.judge(dialect);
        let outcome = match self.judged(&judge, case, &replay, interrupted.as_ref()) {
            Err(GradeError::Exercise(_)) if !counts => {
                CaseOutcome::without_judgement(judge.loading(case, &transcript.load))
            }
            judged => judged?,
        };
        self.progress.count(took.saturating_sub(held_up), &limits, &case.plan);
        // Whether an answer was right must not decide how much time is left: it would tell the submission.
        let spent = if transcript.halt().is_some() {
            took
        } else if self.progress.took > overall(self.assembly.cases(), &self.settings.limits, self.exercise) {
            budget(&self.settings.limits, self.exercise)
        } else {
            // A case that ends in time is charged for what is not under its limits alone.
            unmetered
        };
        let hung = hung_calls(&case.plan, transcript);
        Ok(Strict::Outcome(CaseOutcome { hung, ..outcome.taking(spent) }))
    }

    /// The outcome of a replay, of which an earlier one was interrupted. What was wrong before that stays wrong: it may be that the
    /// submission brought the interruption about, and knew the second time what is asked later.
    fn judged(
        &self,
        judge: &Judge<'_>,
        case: &'a Case,
        replay: &Replay<'a>,
        interrupted: Option<&Replay<'a>>,
    ) -> Result<CaseOutcome, GradeError> {
        let outcome = |replay: &Replay<'a>| {
            let mut following = Following::new(self.exercise, case, self.answers.as_ref())?;
            judge.case(case, &replay.replayed.transcript, following.as_mut(), replay.umpire.as_ref())
        };
        let earlier = interrupted.map(outcome).transpose()?;
        let is_wrong = |outcome: &CaseOutcome| outcome.finding.is_some() && !outcome.verdict.is_an_end();
        earlier.filter(is_wrong).map_or_else(|| outcome(replay), Ok)
    }

    /// Replays a case.
    fn replay(&mut self, case: &'a Case, limits: &Limits) -> Result<Replay<'a>, NotStarted> {
        let mut umpire = Umpire::new(self.exercise, case)?;
        let replayed = match &mut umpire {
            Some(umpire) => self.adapter.replay(&case.plan, limits, umpire),
            None => self.adapter.replay(&case.plan, limits, &mut NoGuide),
        };
        Ok(Replay { replayed: replayed?, umpire })
    }

    /// What the submission runs in; `None` before its first process.
    fn runtime(&self) -> Option<Runtime> {
        self.adapter.dialect().map(|dialect| runtime(dialect, self.tier, self.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::GradingProgress;
    use crate::case::{Action, Plan, PlanStep, ProgramRun};
    use crate::sandbox::Limits;
    use std::time::Duration;

    #[test]
    fn each_program_of_a_case_may_take_as_long_as_a_case() {
        let run = ProgramRun { files: Default::default(), args: Vec::new(), input: Vec::new() };
        let step = PlanStep { action: Action::Program(run), reads: Vec::new() };
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
