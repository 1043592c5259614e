//! One pass over the cases of a submission, which replays those that are not known.
//!
//! A pass has one account of what is known of each case. It begins with what was known before, and each replay
//! adds an outcome. How a case stands, which one is next and what a watcher hears all follow from the
//! account.
//!
//! Each verdict comes from one answer. The quick pass counts only if all of its cases pass; if not, every
//! case is replayed strictly, in an order and a number that do not depend on what failed. The same holds for
//! what is known from before. A submission may know which form it is in, and its processes may find a way to
//! speak to each other: what they can learn is that not everything passed quickly.
//!
//! The order depends on one thing that a submission does: once a call has reached its limit of time or
//! memory, the cases that make this call go last. Whether an answer is right decides nothing in it, nor
//! whether a case is run at all, and visible cases are always run before hidden ones.

use super::Grader;
use super::account::Account;
use super::counted::CountedCases;
use super::hung::hung_calls;
use super::standing::CaseStanding;
use super::watch::{InReportOrder, Watch};
use crate::adapter::{
    GETTING_READY, Launcher, NotStarted, Quick, Replayed, Replays, Subprocess, Transcript, memory_of,
};
use crate::case::{Case, Loaded, Plan, StepNo};
use crate::compare::{Mistake, StopMistake, Verdict};
use crate::event::Runtime;
use crate::hunt::SessionMaker;
use crate::judge::{
    CaseOutcome, Checker, GradeError, Isolation, Judge, KnownCase, KnownCases, OwnTexts, QuickPass,
    ReferenceAnswers, References, Umpire, limited_runs, plan_of_texts, runtime, source_of,
    step_with_own_text,
};
use crate::languages::Interpreters;
use crate::sandbox::Limits;
use crate::sandbox::clock::Instant;
use crate::submission::Found;
use crate::value::notation::Notation;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The most memory of what a quick pass answers together, in bytes.
const MOST_QUICK: usize = 64 << 20;

/// A pass over the cases of a submission.
pub(super) struct Pass<'p> {
    pub(super) counted: &'p CountedCases<'p>,
    pub(super) found: &'p Found,
    loaded: &'p Loaded,
    references: Option<&'p References>,
    interpreters: &'p Interpreters,
    /// The answers of the exercise's own reference, if cases ask it.
    answers: Option<Arc<ReferenceAnswers>>,
    pub(super) checker: Checker<'p>,
    pub(super) adapter: Subprocess<'p>,
    account: Account,
    /// The names of the cases that have no outcome because somebody else ended the process, twice.
    killed: BTreeSet<String>,
    /// The time that the submission took in all.
    took: Duration,
    /// The time in which sessions of its cases were made shorter.
    pub(super) shrinking: Duration,
}

/// The result of one grading of a submission.
pub(super) struct Grading {
    pub(super) seed: u32,
    /// The outcomes of cases that were graded now; they take the place of those that were known.
    pub(super) added: KnownCases,
    /// The interpreter or program that ran the submission; `None` if nothing was run.
    pub(super) runtime: Option<Runtime>,
    /// The cases that have no outcome because somebody else ended the process, twice.
    pub(super) killed: BTreeSet<String>,
}

impl Grading {
    /// A grading that ran nothing.
    pub(super) fn without_run(seed: u32, added: KnownCases) -> Grading {
        Grading { seed, added, runtime: None, killed: BTreeSet::new() }
    }
}

/// Of the time that a case took with getting ready for it, that of the submission. More than the limits of both
/// was not its time: the machine slept, or held keur up.
fn within_limits(took: Duration, limits: &Limits, plan: &Plan) -> Duration {
    took.min((limits.wall + GETTING_READY) * limited_runs(plan))
}

/// The result of the strict replay of a case.
pub(super) enum Strict {
    /// The case was judged; the step whose wrong value the submission itself shows better.
    Outcome(CaseOutcome, Option<StepNo>),
    /// The submission never gets ready, for this case or another.
    NeverReady(Mistake),
    /// Somebody else ended or stopped the process, twice.
    Killed,
}

impl<'p> Pass<'p> {
    /// A pass over the cases of a submission with these files, of which this is known before. Its processes
    /// are started by `launcher`, those of the exercise's own reference and checks by `trusted`.
    ///
    /// # Errors
    /// The reference cannot be asked, or there is no interpreter of the submission's language.
    pub(super) fn new(
        grader: &Grader<'p>,
        counted: &'p CountedCases<'p>,
        found: &'p Found,
        launcher: &'p mut Launcher,
        trusted: &'p mut Launcher,
        known: &KnownCases,
    ) -> Result<Pass<'p>, GradeError> {
        let Grader { loaded, interpreters, references, .. } = grader;
        let answers = match references {
            Some(references) => references.answers(loaded, found.language(), trusted, interpreters)?,
            None => None,
        };
        let source = source_of(found, interpreters)?;
        let adapter = Subprocess::new(launcher, source, &loaded.exercise, &found.bundle);
        Ok(Pass {
            counted,
            found,
            loaded,
            references: *references,
            interpreters,
            answers,
            checker: Checker::new(&loaded.exercise, interpreters, trusted),
            // A machine that always stalls must not take twice as long.
            adapter: adapter.retrying_stalls(1),
            account: Account::new(known.clone()),
            killed: BTreeSet::new(),
            took: Duration::ZERO,
            shrinking: Duration::ZERO,
        })
    }

    /// Grades the cases that are not known. `watch` hears of each case whose outcome is final.
    ///
    /// Cases that are known keep their outcome. But what passed quickly does not count beside what passed in
    /// another quick pass, or did not: if a case with a quick form is missing, all of them pass quickly
    /// together, or are graded strictly.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files.
    pub(super) fn run(mut self, watch: Option<&Watch<'_>>) -> Result<Grading, GradeError> {
        let left_out = self.counted.not_counted(self.found, self.account.known());
        self.account.add(left_out);
        self.pass_quickly()?;
        self.grade_strictly(watch)?;
        Ok(Grading {
            seed: self.adapter.seed(),
            runtime: runtime(&self.adapter),
            added: self.account.into_added(),
            killed: self.killed,
        })
    }

    /// Whether the submission has taken the time of all its cases.
    pub(super) fn is_over_time(&self) -> bool {
        self.took > self.counted.overall()
    }

    /// Whether cases may pass quickly.
    pub(super) fn is_quick(&self) -> bool {
        self.counted.isolation != Isolation::Case && self.adapter.loads_again()
    }

    /// Makes the sessions of cases of random sessions.
    pub(super) fn session_maker(&self) -> SessionMaker<'p> {
        let Pass { loaded, references, interpreters, .. } = self;
        SessionMaker { loaded, references: *references, interpreters }
    }

    /// Passes the cases with a quick form together, if the submission plainly passes all of them. If one of
    /// them is known strictly, so must be the others.
    fn pass_quickly(&mut self) -> Result<(), GradeError> {
        let quick = if self.adapter.loads_again() {
            self.counted.quick_cases(self.account.known())
        } else {
            Vec::new()
        };
        self.account.drop_outdated_passes(&quick);
        let is_missing = quick.iter().any(|case| !self.account.known().contains_key(&case.name));
        let is_strict = |case: &&Case| {
            self.account.known().get(&case.name).is_some_and(|known| known.quick_pass().is_none())
        };
        if !is_missing || quick.iter().any(is_strict) {
            return Ok(());
        }
        let passes = self.try_quickly(&quick)?;
        self.account.drop_quick_passes();
        if passes {
            let outcome = KnownCase::Graded(CaseOutcome::passed_in(QuickPass::of(&quick)));
            self.account.add(quick.iter().map(|case| (case.name.clone(), outcome.clone())).collect());
        }
        Ok(())
    }

    /// Whether the submission plainly passes all of these cases in one process, and leaves no trace from case
    /// to case.
    pub(super) fn try_quickly(&mut self, cases: &[&Case]) -> Result<bool, GradeError> {
        // One case alone gains nothing.
        if cases.len() < 2 {
            return Ok(false);
        }
        let transcripts = self.quick_transcripts(cases)?;
        let began = Instant::now();
        let left_nothing = self.adapter.left_nothing()?;
        self.took += began.elapsed().min(GETTING_READY);
        let Some(dialect) = self.adapter.dialect() else { return Ok(false) };
        if !left_nothing || transcripts.len() < cases.len() {
            return Ok(false);
        }
        let answers = self.answers.as_ref();
        let judge = Judge { exercise: self.counted.exercise(), dialect, found: Some(self.found), answers };
        for (case, transcript) in cases.iter().zip(&transcripts) {
            let outcome = judge.outcome(case, transcript, None, Some(&mut self.checker))?;
            if outcome.verdict != Verdict::Passed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answers of the submission to these cases in one process. None of it is judged before the last one
    /// is asked: whether another case is asked, and how soon, would tell the submission what was right. It
    /// ends early only by what the process itself does.
    fn quick_transcripts(&mut self, cases: &[&Case]) -> Result<Vec<Transcript>, GradeError> {
        let mut transcripts = Vec::with_capacity(cases.len());
        let mut room = MOST_QUICK;
        for case in cases {
            if self.adapter.is_cancelled() {
                break;
            }
            let limits = self.counted.limits(case);
            let began = Instant::now();
            let seen = self.adapter.replay_quickly(&case.plan, &limits, cases.len())?;
            let took = began.elapsed();
            let Quick::Observed(replayed) = seen else {
                self.took += within_limits(took, &limits, &case.plan);
                break;
            };
            let took = took.saturating_sub(replayed.timing.held_up);
            self.took += within_limits(took, &limits, &case.plan);
            let Some(left) = room.checked_sub(memory_of(&replayed.transcript)) else { break };
            room = left;
            transcripts.push(replayed.transcript);
        }
        Ok(transcripts)
    }

    /// Walks through the cases, and replays those that are missing.
    fn grade_strictly(&mut self, watch: Option<&Watch<'_>>) -> Result<(), GradeError> {
        let mut told = InReportOrder::new(watch);
        let mut objects = Vec::new();
        let mut walk = self.counted.walk(self.account.known());
        while let Some(turn) = walk.next_turn() {
            if self.adapter.is_cancelled() {
                break;
            }
            let standing = turn.standing(self.account.known());
            let case = turn.case;
            let mut object = None;
            if standing.is_missing() {
                let is_blocked = matches!(standing, CaseStanding::Blocked { .. });
                let replayed = match &case.random {
                    Some(random) => self.replay_sessions(case, random)?,
                    None => self.replay_strictly(case, is_blocked)?,
                };
                match replayed {
                    Strict::Outcome(outcome, of) => {
                        object = of;
                        self.account.add(KnownCases::from([(case.name.clone(), KnownCase::Graded(outcome))]));
                    }
                    Strict::NeverReady(problem) => {
                        let impossible = self.counted.impossible(&problem, self.account.known());
                        self.account.add(impossible);
                        break;
                    }
                    Strict::Killed => {
                        self.killed.insert(turn.case.name.clone());
                        told.put(turn.place, None, || runtime(&self.adapter));
                        continue;
                    }
                }
            }
            let settled = turn.settle(self.account.known());
            match object {
                Some(step) => objects.push((settled.place, settled.report(), case, step)),
                None => told.put(settled.place, Some(settled.report()), || runtime(&self.adapter)),
            }
        }
        // Earlier, it would tell the submission that an answer was wrong. All texts together may take as long as a case.
        let mut asking = Duration::ZERO;
        for (place, mut report, case, step) in objects {
            let began = Instant::now();
            let has_time = asking < self.counted.limits(case).wall;
            let texts = if has_time { self.own_texts(case, step)? } else { None };
            asking += began.elapsed();
            if let (Some(finding), Some(texts)) = (&mut report.finding, texts) {
                texts.show_in(finding);
                self.account.show(&case.name, &texts);
            }
            told.put(place, Some(report), || runtime(&self.adapter));
        }
        Ok(())
    }

    /// The notation of the submission's language.
    fn notation(&self) -> &'static dyn Notation {
        self.found.language().map_or(self.counted.exercise().session, |language| language.notation)
    }

    /// Replays a case in a process of its own. If it `is_blocked`, because it needs one that failed, a check
    /// need not bear what that leaves.
    pub(super) fn replay_strictly(&mut self, case: &Case, is_blocked: bool) -> Result<Strict, GradeError> {
        let began = Instant::now();
        let limits = self.counted.limits(case);
        let exercise = self.counted.exercise();
        let notation = self.notation();
        let umpire = Umpire::new(exercise, case, notation)?;
        let another = || Ok(Umpire::new(exercise, case, notation)?);
        let replays = match self.adapter.replay_with_retry(&case.plan, &limits, umpire, another) {
            Ok(replays) => replays,
            Err(NotStarted::NotReady(why)) => {
                return Ok(Strict::NeverReady(Mistake::Stop(StopMistake::NotReady { why })));
            }
            Err(NotStarted::Fault(fault)) => return Err(fault.into()),
        };
        if replays.stopped_by_others && !self.adapter.is_cancelled() {
            return Ok(Strict::Killed);
        }
        let took = began.elapsed();
        let timing = replays.timing();
        let Replayed { transcript, dialect, .. } = &replays.last.replayed;
        let judge = Judge { exercise, dialect, found: Some(self.found), answers: self.answers.as_ref() };
        let outcome = match judged(&judge, &mut self.checker, case, &replays) {
            Err(GradeError::Exercise(_)) if is_blocked => {
                CaseOutcome::without_judgement(judge.loading(case, &transcript.load))
            }
            judged => judged?,
        };
        let finding = outcome.finding.as_ref();
        let object = finding.and_then(|finding| step_with_own_text(&case.plan, transcript, finding));
        self.took += within_limits(took.saturating_sub(timing.held_up), &limits, &case.plan);
        // Whether an answer was right must not decide how much time is left: it would tell the submission.
        let spent = if transcript.halt().is_some() {
            took
        } else if self.is_over_time() {
            // Nothing is left for further cases.
            self.counted.budget()
        } else {
            // A case that ends in time is charged for what is not under its limits alone.
            timing.unmetered
        };
        let hung = hung_calls(&case.plan, transcript);
        Ok(Strict::Outcome(CaseOutcome { hung, ..outcome.taking(spent) }, object))
    }

    /// The value of a step as the submission itself shows it, asked in a process of its own: all verdicts stand
    /// by then. `None` if that does not show it.
    fn own_texts(&mut self, case: &Case, step: StepNo) -> Result<Option<OwnTexts>, GradeError> {
        let Some(plan) = plan_of_texts(&case.plan, step).filter(|_| !self.adapter.is_cancelled()) else {
            return Ok(None);
        };
        let limits = self.counted.limits(case);
        let mut guide = Umpire::new(self.counted.exercise(), case, self.notation())?;
        let replayed = match self.adapter.replay(&plan, &limits, &mut guide) {
            Ok(replayed) => replayed,
            Err(NotStarted::NotReady(_)) => return Ok(None),
            Err(NotStarted::Fault(fault)) => return Err(fault.into()),
        };
        Ok(OwnTexts::new(&replayed.transcript, step))
    }
}

/// The outcome of a case that was replayed, perhaps again. What was wrong before an interruption stays wrong:
/// it may be that the submission brought it about, and knew the second time what is asked later.
fn judged(
    judge: &Judge<'_>,
    checker: &mut Checker<'_>,
    case: &Case,
    replays: &Replays<Option<Umpire<'_>>>,
) -> Result<CaseOutcome, GradeError> {
    if let Some(interrupted) = &replays.interrupted {
        let transcript = &interrupted.replayed.transcript;
        let outcome = judge.outcome(case, transcript, interrupted.guide.as_ref(), Some(&mut *checker))?;
        if outcome.finding.is_some() && !outcome.verdict.is_an_end() {
            return Ok(outcome);
        }
    }
    let last = &replays.last;
    judge.outcome(case, &last.replayed.transcript, last.guide.as_ref(), Some(checker))
}

#[cfg(test)]
mod tests {
    use super::within_limits;
    use crate::case::{Action, Plan, PlanStep, ProgramRun};
    use crate::sandbox::Limits;
    use std::time::Duration;

    #[test]
    fn each_program_of_a_case_may_take_as_long_as_a_case() {
        let run =
            ProgramRun { files: Default::default(), args: Vec::new(), input: Vec::new(), is_silent: false };
        let step = PlanStep { action: Action::Program(run), reads: Vec::new() };
        let limits = Limits { wall: Duration::from_secs(3), ..Limits::default() };
        for (programs, most) in [(0, 5), (4, 25)] {
            let plan = Plan { steps: vec![step.clone(); programs], files: None };
            let took = within_limits(Duration::from_secs(9), &limits, &plan);
            assert_eq!(took, Duration::from_secs(most.min(9)));
            // A night in which the machine slept.
            let took = within_limits(Duration::from_hours(8), &limits, &plan);
            assert_eq!(took, Duration::from_secs(most));
        }
    }
}
