//! Grades the cases of one submission, once.
//!
//! Each verdict comes from one answer. A submission may know which form of grading it is in, and answer each differently, so
//! it earns either no more than its answers in the quick pass earn, or exactly what the strict form gives: see
//! [`Grading::grade`].

use super::answers::ReferenceAnswers;
use super::checker::Checker;
use super::error::GradeError;
use super::following::Following;
use super::judge::Judge;
use super::order::counts_for;
use super::outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases};
use super::quick::{Isolation, QuickAnswers, quick_pass};
use super::settings::{Settings, budget, limits, overall, runtime};
use super::standing::{CaseAssembly, CaseStanding, impossible, not_counted};
use super::umpire::Umpire;
use crate::adapter::{Adapter, Fault, Halt, NoGuide, Subprocess, Transcript};
use crate::case::{Case, Exercise};
use crate::compare::{Mismatch, Verdict};
use crate::event::{Runtime, SubmissionReport};
use crate::sandbox::{Cancel, Limits, Tier};
use crate::submission::Found;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    pub(super) progress: GradingProgress<'a>,
}

/// What a grading has come to know and to use up.
#[derive(Default)]
pub(super) struct GradingProgress<'a> {
    /// The outcomes of cases that were replayed strictly, by name.
    replayed: BTreeMap<&'a str, CaseOutcome>,
    /// Whether a case was replayed twice because the machine stalled. A machine that always does must not take twice as long.
    retried: bool,
    /// The time that the submission took in all.
    took: Duration,
}

/// What a walk through the cases gives.
struct Walk {
    graded: GradedCases,
    /// Whether it ended at a case that earns more strictly than in the quick pass.
    earns_more: bool,
}

/// What a strict replay gives.
enum Replayed {
    /// The outcome of the case.
    Outcome(CaseOutcome),
    /// Nothing: the submission never gets ready, for this case or another.
    NeverReady(Mismatch),
}

impl<'a> Grading<'_, 'a> {
    /// Grades the cases that are not known, in the order in which they are run. `report` is the report before the first case,
    /// and `watch` hears of it after each case whose outcome is final.
    ///
    /// A case that passed quickly has passed if no other case earns more strictly than in the quick pass. If one does, only
    /// the strict form counts, for the known cases too; those that come out otherwise than before are in the result.
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
        let is_missing = cases.iter().any(|case| !known.contains_key(&case.name));
        let quick = if is_missing { self.quick_pass(cases)? } else { QuickAnswers::default() };
        let earns_more = |case: &&Case| match known.get(&case.name) {
            Some(KnownCase::Graded(outcome)) => outcome.share(case) > quick.share(case),
            Some(KnownCase::NotCounted) | None => false,
        };
        // What is known was graded in one form. Where it earns more than the quick pass, that was the strict one.
        if !quick.has_passes() || cases.iter().any(earns_more) {
            return Ok(self.walk(cases, known, None, report.clone(), watch)?.graded);
        }
        // No outcome is final before the walk ends, so the watcher does not hear of it.
        let Walk { graded, earns_more } = self.walk(cases, known, Some(&quick), report.clone(), &|_| {})?;
        if !earns_more {
            return Ok(graded);
        }
        if self.adapter.shares_process() {
            // A process that has seen the quick pass is not one of the strict form.
            self.adapter.end_idle();
            self.progress.replayed.clear();
        }
        let Walk { mut graded, .. } = self.walk(cases, &KnownCases::new(), None, report.clone(), watch)?;
        graded.known.retain(|name, now| known.get(name).is_none_or(|before| !before.agrees_with(now)));
        Ok(graded)
    }

    /// What the submission answers in the quick pass; nothing if there is none.
    fn quick_pass(&mut self, cases: &[&'a Case]) -> Result<QuickAnswers<'a>, GradeError> {
        let began = Instant::now();
        let Grading { exercise, settings, found, answers, checker, adapter, cancel, .. } = self;
        let quick = match settings.isolation {
            Isolation::Case => QuickAnswers::default(),
            Isolation::Quick | Isolation::Both => {
                let limits = |case: &Case| limits(&settings.limits, case, exercise);
                quick_pass(adapter, cases, cancel, limits, |case, transcript, dialect| {
                    let judge = Judge { exercise, dialect, found: Some(*found), checker: Some(checker) };
                    let mut following = Following::new(exercise, case, answers.as_ref())?;
                    judge.case(case, transcript, following.as_mut(), None)
                })?
            }
        };
        self.progress.took += began.elapsed();
        Ok(quick)
    }

    /// Takes the cases in order: one that passed the quick pass has passed, every other one is replayed strictly.
    fn walk(
        &mut self,
        cases: &[&'a Case],
        known: &KnownCases,
        quick: Option<&QuickAnswers<'a>>,
        mut report: SubmissionReport,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<Walk, GradeError> {
        let mut graded = GradedCases::default();
        let mut standings = self.assembly.progress();
        for &case in cases {
            if self.cancel.is_cancelled() {
                break;
            }
            let before = known.get(&case.name);
            match (standings.standing(case, before), before) {
                (CaseStanding::Blocked(needed), _) => {
                    standings.block(&mut report, case, needed);
                    watch(&report);
                    continue;
                }
                (CaseStanding::Skipped, _) => {
                    standings.skip(&mut report, case);
                    continue;
                }
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => {
                    standings.take(&mut report, case, outcome);
                    continue;
                }
                (CaseStanding::Kept | CaseStanding::NotCounted, _) => continue,
                (CaseStanding::Missing, _) => {}
            }
            let outcome = match quick {
                Some(quick) if quick.passed(case) => CaseOutcome::passed(),
                Some(_) | None => match self.strictly(case)? {
                    Replayed::Outcome(outcome) => outcome,
                    Replayed::NeverReady(problem) => {
                        let known = impossible(self.assembly, known, &problem);
                        let graded = GradedCases { known, runtime: None };
                        return Ok(Walk { graded, earns_more: false });
                    }
                },
            };
            if quick.is_some_and(|quick| outcome.share(case) > quick.share(case)) {
                return Ok(Walk { graded, earns_more: true });
            }
            if report.runtime.is_none() {
                report.runtime = self.runtime();
            }
            standings.take(&mut report, case, &outcome);
            graded.known.insert(case.name.clone(), KnownCase::Graded(outcome));
            watch(&report);
        }
        graded.runtime = report.runtime;
        Ok(Walk { graded, earns_more: false })
    }

    /// Replays a case in a process of its own, or takes what an earlier replay of it gave.
    fn strictly(&mut self, case: &'a Case) -> Result<Replayed, GradeError> {
        if let Some(outcome) = self.progress.replayed.get(case.name.as_str()) {
            return Ok(Replayed::Outcome(outcome.clone()));
        }
        let began = Instant::now();
        let limits = limits(&self.settings.limits, case, self.exercise);
        let (mut transcript, mut umpire) = self.replay(case, &limits)?;
        if self.adapter.was_stalled() && !self.progress.retried {
            self.progress.retried = true;
            (transcript, umpire) = self.replay(case, &limits)?;
        }
        let took = began.elapsed();
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
        let judge =
            Judge { exercise: self.exercise, dialect, found: Some(self.found), checker: Some(&self.checker) };
        let mut following = Following::new(self.exercise, case, self.answers.as_ref())?;
        let outcome = judge.case(case, &transcript, following.as_mut(), umpire.as_ref())?;
        self.progress.took += took;
        let spent = if outcome.verdict != Verdict::Passed {
            took
        } else if self.progress.took > overall(self.assembly.cases(), &self.settings.limits, self.exercise) {
            budget(&self.settings.limits, self.exercise)
        } else {
            // A passed case is charged for its answers only, not for getting ready.
            unmetered
        };
        let outcome = outcome.taking(spent);
        self.progress.replayed.insert(case.name.as_str(), outcome.clone());
        Ok(Replayed::Outcome(outcome))
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
