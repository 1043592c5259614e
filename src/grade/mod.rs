//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission; [`check_case`] checks cases against their reference in the same way.

mod answers;
mod check;
mod checker;
mod error;
mod findings;
mod following;
mod judge;
mod order;
mod outcome;
mod partial;
mod quick;
mod repeat;
mod session;
mod settings;
mod source;
mod standing;
#[cfg(feature = "cli")]
mod stored;
mod umpire;
mod warnings;

pub use answers::{OpenReference, References, must_load, reference_files, reference_path, reference_process};
pub use check::{CheckError, check_case, disagreements, reference_adapter};
pub use error::GradeError;
pub(crate) use following::Following;
pub(crate) use judge::Judge;
pub use order::{counted, counts_for};
#[cfg(feature = "cli")]
pub(crate) use outcome::unloaded;
pub use outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases, LoadOutcome};
pub use partial::HeldShares;
pub use quick::Isolation;
use quick::{agree, quick_pass};
use repeat::combined;
pub use session::{session_line, session_line_in};
#[cfg(feature = "cli")]
pub(crate) use settings::budget;
pub(crate) use settings::runtime;
pub use settings::{BUDGET, Settings, dialect_of, limits};
pub(crate) use source::source_of;
pub use standing::{CaseAssembly, CaseStanding, info};
#[cfg(feature = "cli")]
pub use stored::OutcomeError;
use umpire::Umpire;
pub use warnings::{CaseWarning, warnings};

use crate::adapter::{Adapter, Dialect, Fault, Halt, Hosts, NoGuide, Subprocess, Transcript};
use crate::case::{Case, Exercise, Loaded, Points};
use crate::compare::{Mismatch, Verdict};
use crate::event::{SubmissionReport, Warning};
use crate::languages::Interpreters;
use crate::sandbox::Limits;
use crate::submission::{Found, Submission};
use answers::ReferenceAnswers;
#[cfg(feature = "class")]
pub(crate) use answers::asks;
use checker::Checker;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// Grades submissions of one exercise.
pub struct Grader<'a> {
    loaded: &'a Loaded,
    settings: &'a Settings,
    interpreters: &'a Interpreters,
    references: Option<&'a References>,
    watch: Option<&'a dyn Fn(&SubmissionReport)>,
}

impl<'a> Grader<'a> {
    /// A grader for `loaded`.
    pub fn new(loaded: &'a Loaded, settings: &'a Settings, interpreters: &'a Interpreters) -> Grader<'a> {
        Grader { loaded, settings, interpreters, references: None, watch: None }
    }

    /// Asks the exercise's own reference, if it has one, among `references`.
    pub fn with_references(self, references: &'a References) -> Grader<'a> {
        Grader { references: Some(references), ..self }
    }

    /// Calls `watch` after each case with the report so far, whose points are not counted yet. In repeated grading,
    /// only the last repetition is reported.
    pub fn watched(self, watch: &'a dyn Fn(&SubmissionReport)) -> Grader<'a> {
        Grader { watch: Some(watch), ..self }
    }

    /// Makes reports of what is known of the cases that count.
    pub fn assembly(&self) -> CaseAssembly<'a> {
        CaseAssembly::new(self.loaded, self.settings)
    }

    /// Grades one submission, in processes that `hosts` start.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files, unrelated to the submission.
    pub fn grade(
        &self,
        hosts: &mut Hosts,
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, GradeError> {
        let assembly = self.assembly();
        let graded = self.once(&assembly, hosts, (name, submission), &KnownCases::new())?;
        Ok(assembled(&assembly, (name, submission), graded))
    }

    /// Grades one submission once in each of `hosts`, which differ in their seeds. A case passes if it passes each
    /// time; one whose verdict differs is reported as unstable.
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn grade_repeatedly(
        &self,
        hosts: &mut [Hosts],
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, GradeError> {
        let graded = self.complete(hosts, (name, submission), &KnownCases::new())?;
        Ok(assembled(&self.assembly(), (name, submission), graded))
    }

    /// Grades the cases of a submission that are not yet known and would be run, once in each of `hosts` as
    /// [`Grader::grade_repeatedly`] does. Reports call the submission by the name that is given with it.
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn complete(
        &self,
        hosts: &mut [Hosts],
        (name, submission): (&str, &Submission),
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        let assembly = self.assembly();
        let watch = self.watch.filter(|_| hosts.len() == 1);
        let grader = Grader { watch, ..*self };
        let once =
            |hosts: &mut Hosts| Ok((hosts.seed(), grader.once(&assembly, hosts, (name, submission), known)?));
        let gradings: Result<Vec<_>, GradeError> = hosts.iter_mut().map(once).collect();
        let gradings = gradings?;
        if self.settings.isolation == Isolation::Both {
            let settings = Settings { isolation: Isolation::Case, ..self.settings.clone() };
            let strict = Grader { settings: &settings, watch: None, ..*self };
            let report = |graded| assembled(&assembly, (name, submission), graded);
            for (hosts, (_, quick)) in hosts.iter_mut().zip(&gradings) {
                let strict = strict.once(&assembly, hosts, (name, submission), known)?;
                agree(&report(quick.clone()), &report(strict))?;
            }
        }
        let graded = combined(gradings, assembly.cases());
        Ok(graded.ok_or_else(|| Fault { message: "a submission is graded at least once".to_owned() })?)
    }

    /// Grades what is not known of a submission, once.
    fn once(
        &self,
        assembly: &CaseAssembly<'a>,
        hosts: &mut Hosts,
        (name, submission): (&str, &Submission),
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        match &submission.found {
            Ok(found) => {
                let mut beside = hosts.take_beside();
                let report =
                    SubmissionReport { exercise: Some(info(self.loaded)), ..started(name, submission) };
                let ran = self.run(assembly, (hosts, &mut beside), found, (known, report));
                hosts.keep_beside(beside);
                ran
            }
            Err(problem) => {
                let known = impossible(assembly, known, problem);
                Ok(GradedCases { known, runtime: None })
            }
        }
    }

    fn run(
        &self,
        assembly: &CaseAssembly<'a>,
        (hosts, beside): (&mut Hosts, &mut Hosts),
        found: &Found,
        (known, mut report): (&KnownCases, SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
        let exercise = &self.loaded.exercise;
        let answers = self.answers(found, beside)?;
        let checker = Checker::new(exercise, self.interpreters, beside);
        let source = source_of(found, self.settings.command.as_ref(), self.interpreters)?;
        let (tier, seed) = (source.tier(hosts.tier()), hosts.seed());
        let runtime = |dialect: &Dialect| runtime(dialect, tier, seed);
        let cancel = hosts.cancel().clone();
        let mut adapter = Subprocess::new(hosts, source, exercise, &found.bundle);
        // A machine that stalls says nothing about the submission; but one that always does must not take twice as long.
        let mut retried = false;
        let limits = |case: &Case| limits(&self.settings.limits, case, exercise);
        let counts = |case: &&Case| counts_for(case, Some(found));
        let (cases, others): (Vec<&Case>, Vec<&Case>) = assembly.cases().iter().copied().partition(counts);
        let mut graded = GradedCases { known: not_counted(known, &others), runtime: None };
        let wanted: Vec<&Case> =
            cases.iter().copied().filter(|case| !known.contains_key(&case.name)).collect();
        let mut passed = match self.settings.isolation {
            Isolation::Case => BTreeSet::new(),
            Isolation::Quick | Isolation::Both => {
                quick_pass(&mut adapter, &wanted, &cancel, limits, |case, transcript, dialect| {
                    let judge = Judge { exercise, dialect, found: Some(found), checker: Some(&checker) };
                    let mut following = Following::new(exercise, case, answers.as_ref())?;
                    Ok(judge.case(case, transcript, following.as_mut(), None)?.verdict)
                })?
            }
        };
        let mut progress = assembly.progress();
        for case in cases {
            if cancel.is_cancelled() {
                break;
            }
            let before = known.get(&case.name);
            match (progress.standing(case, before), before) {
                (CaseStanding::Blocked(needed), _) => {
                    progress.block(&mut report, case, needed);
                    self.tell(&report);
                    continue;
                }
                (CaseStanding::Skipped, _) => {
                    progress.skip(&mut report, case);
                    continue;
                }
                (CaseStanding::Kept, Some(KnownCase::Graded(outcome))) => {
                    progress.take(&mut report, case, outcome);
                    continue;
                }
                (CaseStanding::Kept | CaseStanding::NotCounted, _) => continue,
                (CaseStanding::Missing, _) => {}
            }
            if let Some(dialect) = adapter.dialect().filter(|_| passed.remove(case.name.as_str())) {
                report.runtime.get_or_insert_with(|| runtime(dialect));
                let outcome = CaseOutcome::passed();
                progress.take(&mut report, case, &outcome);
                graded.known.insert(case.name.clone(), KnownCase::Graded(outcome));
                self.tell(&report);
                continue;
            }
            let began = Instant::now();
            let limits = limits(case);
            let (mut transcript, mut umpire) = replay(&mut adapter, exercise, case, &limits)?;
            if adapter.was_stalled() && !retried {
                retried = true;
                (transcript, umpire) = replay(&mut adapter, exercise, case, &limits)?;
            }
            let took = began.elapsed();
            let unmetered = adapter.take_unmetered();
            let mut following = Following::new(exercise, case, answers.as_ref())?;
            let Some(dialect) = adapter.dialect() else {
                let Some(Halt::NotReady(why)) = transcript.load.halt else { continue };
                // Another case would have the same result.
                let known = impossible(assembly, known, &Mismatch::NotReady { why });
                return Ok(GradedCases { known, runtime: None });
            };
            report.runtime.get_or_insert_with(|| runtime(dialect));
            let judge = Judge { exercise, dialect, found: Some(found), checker: Some(&checker) };
            let outcome = judge.case(case, &transcript, following.as_mut(), umpire.as_ref())?;
            // A passed case is charged for its answers only, not for getting ready.
            let spent = if outcome.verdict == Verdict::Passed { unmetered } else { took };
            let outcome = outcome.taking(spent);
            progress.take(&mut report, case, &outcome);
            graded.known.insert(case.name.clone(), KnownCase::Graded(outcome));
            self.tell(&report);
        }
        graded.runtime = report.runtime;
        Ok(graded)
    }

    /// The answers of the exercise's own reference for a submission, if cases ask it.
    fn answers(&self, found: &Found, hosts: &mut Hosts) -> Result<Option<Arc<ReferenceAnswers>>, GradeError> {
        let Some(references) = self.references else { return Ok(None) };
        references.answers(self.loaded, found.language(), hosts, self.interpreters)
    }

    /// Calls the watcher with the report so far.
    fn tell(&self, report: &SubmissionReport) {
        if let Some(watch) = self.watch {
            watch(report);
        }
    }
}

/// The report of a submission before any case is graded.
fn started(name: &str, submission: &Submission) -> SubmissionReport {
    SubmissionReport {
        name: name.to_owned(),
        path: submission.path.display().to_string(),
        files: submission.found.as_ref().map(|found| found.files.clone()).unwrap_or_default(),
        sources: Vec::new(),
        exercise: None,
        runtime: None,
        points: Points::ZERO,
        max_points: Points::ZERO,
        cases: Vec::new(),
        warnings: submission.skipped.iter().cloned().map(Warning::Skipped).collect(),
        error: None,
        hand_in: None,
    }
}

/// The report of a submission all of whose cases were graded.
fn assembled(
    assembly: &CaseAssembly<'_>,
    (name, submission): (&str, &Submission),
    graded: GradedCases,
) -> SubmissionReport {
    let mut report = SubmissionReport { runtime: graded.runtime, ..started(name, submission) };
    assembly.complete(&mut report, &graded.known);
    // Most submissions of a class pass, and need no memory for their text.
    if let Ok(found) = &submission.found
        && report.passed_cases() < report.cases.len()
    {
        report.sources = found.sources();
    }
    report
}

/// The outcomes of the cases that are not known, of a submission with a problem in its files.
fn impossible(assembly: &CaseAssembly<'_>, known: &KnownCases, problem: &Mismatch) -> KnownCases {
    let (cases, others): (Vec<&Case>, Vec<&Case>) =
        assembly.cases().iter().copied().partition(|case| counts_for(case, None));
    let mut graded = not_counted(known, &others);
    for case in cases.into_iter().filter(|case| !known.contains_key(&case.name)) {
        graded.insert(case.name.clone(), KnownCase::Graded(CaseOutcome::impossible(problem)));
    }
    graded
}

/// Those of `cases` that are not known, as cases that do not count.
fn not_counted(known: &KnownCases, cases: &[&Case]) -> KnownCases {
    let cases = cases.iter().filter(|case| !known.contains_key(&case.name));
    cases.map(|case| (case.name.clone(), KnownCase::NotCounted)).collect()
}

/// Replays a case; also returns the umpire of its matches.
fn replay<'a>(
    adapter: &mut Subprocess<'_>,
    exercise: &'a Exercise,
    case: &'a Case,
    limits: &Limits,
) -> Result<(Transcript, Option<Umpire<'a>>), Fault> {
    let mut umpire = Umpire::new(exercise, case)?;
    let transcript = match &mut umpire {
        Some(umpire) => adapter.replay(&case.plan, limits, umpire),
        None => adapter.replay(&case.plan, limits, &mut NoGuide),
    };
    Ok((transcript?, umpire))
}
