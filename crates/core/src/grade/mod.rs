//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission; [`check_case`] checks cases against their reference in the same way.

mod answers;
mod check;
mod checker;
mod counting;
mod error;
mod findings;
mod following;
mod grading;
mod hung;
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
mod stored;
mod umpire;
mod warnings;

pub use answers::{
    OpenReference, ReferenceAnswers, References, asks, reference_files, reference_path, reference_process,
    replay_reference,
};
pub use check::{CheckError, check_case, disagreements, reference_adapter};
pub use error::GradeError;
pub use following::Following;
pub use judge::Judge;
pub use order::{counted, counts_for};
pub use outcome::unloaded;
pub use outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases, LoadOutcome};
pub use partial::HeldShares;
use quick::agree;
pub use quick::{Isolation, QuickPass};
use repeat::combined;
pub use session::{session_line, session_line_in};
pub use settings::runtime;
pub use settings::{BUDGET, Settings, dialect_of, limits};
pub use source::source_of;
use standing::impossible;
pub use standing::{CaseAssembly, CaseStanding, info};
pub use stored::OutcomeError;
pub use umpire::Umpire;
pub use warnings::{CaseWarning, warnings};

use crate::adapter::{Fault, Launcher, Subprocess};
use crate::case::Loaded;
use crate::event::{SubmissionReport, Warning};
use crate::languages::Interpreters;
use crate::submission::{Found, Submission};
pub use checker::AskCheck;
use checker::Checker;
use grading::{Grading, GradingProgress};
use std::sync::Arc;

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

    /// Grades one submission, in processes that `launcher` starts.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files, unrelated to the submission.
    pub fn grade(
        &self,
        launcher: &mut Launcher,
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, GradeError> {
        let assembly = self.assembly();
        let graded = whole(self.once(&assembly, launcher, (name, submission), &KnownCases::new())?)?;
        Ok(assembled(&assembly, (name, submission), graded))
    }

    /// Grades one submission once with each of `launchers`, which differ in their seeds. A case passes if it passes each
    /// time; one whose verdict differs is reported as unstable.
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn grade_repeatedly(
        &self,
        launchers: &mut [Launcher],
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, GradeError> {
        let graded = whole(self.complete(launchers, (name, submission), &KnownCases::new())?)?;
        Ok(assembled(&self.assembly(), (name, submission), graded))
    }

    /// Grades the cases of a submission that are not yet known and would be run, once with each of `launchers` as
    /// [`Grader::grade_repeatedly`] does, and with them what is known and has to be graded again: see [`CaseAssembly::counting`].
    /// Reports call the submission by the name that is given with it.
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn complete(
        &self,
        launchers: &mut [Launcher],
        (name, submission): (&str, &Submission),
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        let mut graded = self.complete_once(launchers, (name, submission), known)?;
        // A call that hangs only sometimes changes the order of one grading, and which cases there is time for.
        while launchers.len() > 1 {
            let mut all = known.clone();
            all.extend(graded.known.clone());
            let all = self.assembly().counting(all);
            if launchers.iter().any(|launcher| launcher.cancel().is_cancelled())
                || self.assembly().missing(&all).is_empty()
            {
                break;
            }
            let more = self.complete_once(launchers, (name, submission), &all)?;
            graded.killed.extend(more.killed);
            if more.known.keys().all(|name| graded.known.contains_key(name)) {
                break;
            }
            graded.known.extend(more.known);
        }
        graded.killed.retain(|name| !graded.known.contains_key(name));
        let mut all = known.clone();
        all.extend(graded.known.clone());
        let standing = self.assembly().standing(&all).into_iter();
        let counts = standing
            .filter(|(_, standing)| matches!(standing, CaseStanding::Kept | CaseStanding::NotCounted));
        let is_new = |name: &String| graded.known.contains_key(name) && !known.contains_key(name);
        graded.new = counts.filter(|(case, _)| is_new(&case.name)).count();
        Ok(graded)
    }

    /// As [`Grader::complete`], where the gradings may differ in which cases they had time for.
    fn complete_once(
        &self,
        launchers: &mut [Launcher],
        (name, submission): (&str, &Submission),
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        let assembly = self.assembly();
        let watch = self.watch.filter(|_| launchers.len() == 1);
        let grader = Grader { watch, ..*self };
        let once = |launcher: &mut Launcher| {
            Ok((launcher.seed(), grader.once(&assembly, launcher, (name, submission), known)?))
        };
        let gradings: Result<Vec<_>, GradeError> = launchers.iter_mut().map(once).collect();
        let gradings = gradings?;
        if self.settings.isolation == Isolation::Both {
            let settings = Settings { isolation: Isolation::Case, ..self.settings.clone() };
            let strict = Grader { settings: &settings, watch: None, ..*self };
            let all_strict = strict.assembly();
            let report = |graded| assembled(&assembly, (name, submission), graded);
            for (launcher, (_, quick)) in launchers.iter_mut().zip(&gradings) {
                let strict = whole(strict.once(&all_strict, launcher, (name, submission), known)?)?;
                agree(&report(quick.clone()), &report(strict))?;
            }
        }
        let graded = combined(gradings, assembly.cases());
        Ok(graded.ok_or_else(|| Fault::new("a submission is graded at least once"))?)
    }

    /// Grades what is not known of a submission, once.
    fn once(
        &self,
        assembly: &CaseAssembly<'a>,
        launcher: &mut Launcher,
        (name, submission): (&str, &Submission),
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        match &submission.found {
            Ok(found) => {
                let mut beside = launcher.take_beside();
                let report =
                    SubmissionReport { exercise: Some(info(self.loaded)), ..started(name, submission) };
                let ran = self.run(assembly, (launcher, &mut beside), found, (known, report));
                launcher.keep_beside(beside);
                ran
            }
            Err(problem) => {
                let known = impossible(assembly, known, &problem.clone().into());
                Ok(GradedCases { known, ..GradedCases::default() })
            }
        }
    }

    fn run(
        &self,
        assembly: &CaseAssembly<'a>,
        (launcher, beside): (&mut Launcher, &mut Launcher),
        found: &Found,
        (known, report): (&KnownCases, SubmissionReport),
    ) -> Result<GradedCases, GradeError> {
        let exercise = &self.loaded.exercise;
        let answers = self.answers(found, beside)?;
        let source = source_of(found, self.settings.command.as_ref(), self.interpreters)?;
        let (tier, seed, cancel) = (source.tier(launcher.tier()), launcher.seed(), launcher.cancel().clone());
        let grading = Grading {
            assembly,
            exercise,
            settings: self.settings,
            found,
            answers,
            checker: Checker::new(exercise, self.interpreters, beside),
            adapter: Subprocess::new(launcher, source, exercise, &found.bundle),
            tier,
            seed,
            cancel,
            progress: GradingProgress::default(),
        };
        grading.grade(known, &report, &|report| self.tell(report))
    }

    /// The answers of the exercise's own reference for a submission, if cases ask it.
    fn answers(
        &self,
        found: &Found,
        launcher: &mut Launcher,
    ) -> Result<Option<Arc<ReferenceAnswers>>, GradeError> {
        let Some(references) = self.references else { return Ok(None) };
        references.answers(self.loaded, found.language(), launcher, self.interpreters)
    }

    /// Calls the watcher with the report so far.
    fn tell(&self, report: &SubmissionReport) {
        if let Some(watch) = self.watch {
            watch(report);
        }
    }
}

/// What was graded, if nobody else ended a case.
fn whole(graded: GradedCases) -> Result<GradedCases, GradeError> {
    if graded.killed.is_empty() { Ok(graded) } else { Err(GradeError::Killed(graded.killed.len())) }
}

/// The report of a submission before any case is graded.
fn started(name: &str, submission: &Submission) -> SubmissionReport {
    SubmissionReport {
        files: submission.found.as_ref().map(|found| found.paths()).unwrap_or_default(),
        warnings: submission.skipped.iter().cloned().map(Warning::Skipped).collect(),
        ..SubmissionReport::new(name, submission.path.display().to_string())
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
