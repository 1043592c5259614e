//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission, in one pass over its cases (`pass`) or in several under different seeds
//! (`repeat`). What is known of each case ([`KnownCases`]) is its outcome from an earlier grading, or from
//! this one: a pass begins with what is known, replays the cases that are not, and adds their outcomes
//! (`account`). How the cases stand (`standing`), which one is run next, and what a report says
//! ([`CountedCases::report`]) are derived from what is known.

mod account;
mod counted;
mod hung;
mod order;
mod pass;
mod quick;
mod random;
mod repeat;
mod standing;
mod stored;
mod warnings;
mod watch;
mod worker;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use order::counts_for;
#[doc(hidden)]
pub use {
    counted::{CaseReports, CountedCases, info, info_without_cases},
    order::counted_cases,
    stored::OutcomeError,
    warnings::{CaseWarning, warnings},
    watch::FinishedCase,
    worker::Worker,
};

use crate::adapter::Launcher;
use crate::case::Loaded;
use crate::event::{Runtime, SubmissionReport, Warning};
use crate::judge::{GradeError, Isolation, KnownCases, References, Settings};
use crate::languages::Interpreters;
use crate::submission::Submission;
use pass::{Grading, Pass};
use quick::agree;
use std::collections::BTreeSet;
use watch::Watch;

/// The outcomes that grading adds to the known ones of a submission.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradedCases {
    /// The outcomes of cases that were graded now; they take the place of those that were known.
    pub added: KnownCases,
    /// The number of them that had no outcome before and are reported as run.
    pub new: usize,
    /// The interpreter or program that ran the submission; `None` if nothing was run.
    pub runtime: Option<Runtime>,
    /// The cases that have no outcome because somebody else ended the process, twice.
    pub killed: BTreeSet<String>,
}

/// A submission that was graded.
#[doc(hidden)]
#[derive(Debug)]
pub struct GradedSubmission {
    /// Its report.
    pub report: SubmissionReport,
    /// The names of the cases that have no outcome, because somebody else ended their process twice.
    pub killed: BTreeSet<String>,
}

/// Grades submissions of one exercise.
#[doc(hidden)]
pub struct Grader<'a> {
    loaded: &'a Loaded,
    counted: CountedCases<'a>,
    interpreters: &'a Interpreters,
    references: Option<&'a References>,
    repeat: u32,
    watch: Option<&'a Watch<'a>>,
}

impl<'a> Grader<'a> {
    /// A grader for `loaded`.
    pub fn new(loaded: &'a Loaded, settings: &'a Settings, interpreters: &'a Interpreters) -> Grader<'a> {
        let counted = CountedCases::new(loaded, settings);
        Grader { loaded, counted, interpreters, references: None, repeat: 1, watch: None }
    }

    /// Asks the exercise's own reference, if it has one, among `references`.
    pub fn with_references(self, references: &'a References) -> Grader<'a> {
        Grader { references: Some(references), ..self }
    }

    /// Grades each submission so often, each time with another seed. A case passes if it passes each time;
    /// one whose verdict differs is reported as unstable.
    pub fn repeated(self, repeat: u32) -> Grader<'a> {
        Grader { repeat, ..self }
    }

    /// Calls `watch` after each case of a submission, in the order of its report. Repeated grading is not
    /// watched: a case is finished when all its gradings are.
    pub fn watched(self, watch: &'a dyn Fn(FinishedCase)) -> Grader<'a> {
        Grader { watch: Some(watch), ..self }
    }

    /// The cases that it grades, which also make the report of what is known of them.
    pub fn counted(&self) -> &CountedCases<'a> {
        &self.counted
    }

    /// Grades one submission, in processes that `worker` starts. Its report calls it by this name.
    ///
    /// # Errors
    /// A failure of keur itself or of the exercise's own files, unrelated to the submission.
    pub fn grade(
        &self,
        worker: &mut Worker,
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, GradeError> {
        let GradedSubmission { report, killed } = self.grade_but_killed(worker, name, submission)?;
        if killed.is_empty() { Ok(report) } else { Err(GradeError::Killed(killed.len())) }
    }

    /// Grades one submission as [`Grader::grade`] does, also if somebody else ended the process of a case
    /// twice: the report says of such a case that it was not run.
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn grade_but_killed(
        &self,
        worker: &mut Worker,
        name: &str,
        submission: &Submission,
    ) -> Result<GradedSubmission, GradeError> {
        let graded = self.complete(worker, submission, &KnownCases::new())?;
        let mut report = SubmissionReport { runtime: graded.runtime, ..self.head(name, submission) };
        self.counted.report(&graded.added).write_to(&mut report);
        // Most submissions of a class pass, and need no memory for their text.
        if let Ok(found) = &submission.found
            && report.passed_cases() < report.cases.len()
        {
            report.sources = found.sources();
        }
        Ok(GradedSubmission { report, killed: graded.killed })
    }

    /// The report of a submission before any case is graded.
    pub fn head(&self, name: &str, submission: &Submission) -> SubmissionReport {
        SubmissionReport {
            files: submission.found.as_ref().map(|found| found.on_disk()).unwrap_or_default(),
            exercise: Some(info(self.loaded)),
            warnings: submission.skipped.iter().cloned().map(Warning::Skipped).collect(),
            ..SubmissionReport::new(name, submission.path.display().to_string())
        }
    }

    /// Grades the cases of a submission that are not yet known and would be run, and with them what is known
    /// and has to be graded again: see [`CountedCases::still_valid`].
    ///
    /// # Errors
    /// See [`Grader::grade`].
    pub fn complete(
        &self,
        worker: &mut Worker,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        let Grading { added, runtime, killed, .. } = if self.repeat > 1 {
            self.grade_repeatedly(worker, submission, known)?
        } else {
            self.grade_once(&mut worker.first, &mut worker.trusted, submission, known, self.watch)?
        };
        let new = self.counted.number_of_new(known, &added);
        Ok(GradedCases { added, new, runtime, killed })
    }

    /// Grades what is not known of a submission once; in both forms, if that is asked, which must agree.
    fn grade_once(
        &self,
        launcher: &mut Launcher,
        trusted: &mut Launcher,
        submission: &Submission,
        known: &KnownCases,
        watch: Option<&Watch<'_>>,
    ) -> Result<Grading, GradeError> {
        let found = match &submission.found {
            Ok(found) => found,
            Err(problem) => {
                let outcomes = self.counted.impossible(&problem.clone().into(), known);
                return Ok(Grading::without_run(launcher.seed(), outcomes));
            }
        };
        let grading = Pass::new(self, &self.counted, found, launcher, trusted, known)?.run(watch)?;
        if self.counted.isolation == Isolation::Both {
            let counted = self.counted.without_quick_form();
            let strict = Pass::new(self, &counted, found, launcher, trusted, known)?.run(None)?;
            let killed = grading.killed.union(&strict.killed).count();
            if killed > 0 {
                return Err(GradeError::Killed(killed));
            }
            agree(&self.counted, &grading, &strict)?;
        }
        Ok(grading)
    }
}
