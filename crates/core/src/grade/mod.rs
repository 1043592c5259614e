//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission, in one pass over its cases (`pass`) or in several under different seeds
//! (`repeat`). A pass keeps one account, of what is known of each case ([`KnownCases`]). How the cases stand
//! (`standing`), which one is run next, and what a report says ([`CountedCases::report`]) are derived from
//! it.
//!
//! [`check_case`] checks cases against their reference in the same way.

mod account;
mod answers;
mod check;
mod checker;
mod counted;
mod error;
mod findings;
mod following;
mod hung;
mod judge;
mod order;
mod outcome;
mod partial;
mod pass;
mod quick;
mod repeat;
mod session;
mod settings;
mod source;
mod standing;
mod stored;
mod umpire;
mod warnings;
mod watch;
mod worker;

pub use answers::{
    ReferenceAnswers, References, asks, reference_files, reference_path, reference_process, replay_reference,
};
pub use check::{CheckError, check_case, disagreements, reference_adapter};
pub use checker::Checker;
pub use counted::{CaseReports, CountedCases, info};
pub use error::GradeError;
pub use judge::Judge;
pub use order::{counted_cases, counts_for};
pub use outcome::{CaseOutcome, GradedCases, KnownCase, KnownCases, LoadOutcome, unloaded};
pub use partial::EarnedShares;
pub use quick::{Isolation, QuickPass};
pub use session::SessionWriter;
pub use settings::{BUDGET, Selection, Settings, limits, runtime};
pub use source::source_of;
pub use stored::OutcomeError;
pub use umpire::Umpire;
pub use warnings::{CaseWarning, warnings};
pub use watch::FinishedCase;
pub use worker::Worker;

use crate::adapter::{Launcher, Subprocess};
use crate::case::Loaded;
use crate::event::{SubmissionReport, Warning};
use crate::languages::Interpreters;
use crate::submission::Submission;
use account::Account;
use pass::{Grading, Pass};
use quick::agree;
use repeat::combined;
use standing::CaseStanding;
use std::collections::BTreeSet;
use watch::Watch;

/// Grades submissions of one exercise.
#[derive(Clone, Copy)]
pub struct Grader<'a> {
    loaded: &'a Loaded,
    settings: &'a Settings,
    interpreters: &'a Interpreters,
    references: Option<&'a References>,
    repeat: u32,
    watch: Option<&'a Watch<'a>>,
}

impl<'a> Grader<'a> {
    /// A grader for `loaded`.
    pub fn new(loaded: &'a Loaded, settings: &'a Settings, interpreters: &'a Interpreters) -> Grader<'a> {
        Grader { loaded, settings, interpreters, references: None, repeat: 1, watch: None }
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

    /// Makes reports of what is known of the cases that count.
    pub fn counted(&self) -> CountedCases<'a> {
        CountedCases::new(self.loaded, self.settings)
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
        let graded = self.complete(worker, submission, &KnownCases::new())?;
        if !graded.killed.is_empty() {
            return Err(GradeError::Killed(graded.killed.len()));
        }
        let mut report = SubmissionReport { runtime: graded.runtime, ..self.head(name, submission) };
        self.counted().report(&graded.added).write_to(&mut report);
        // Most submissions of a class pass, and need no memory for their text.
        if let Ok(found) = &submission.found
            && report.passed_cases() < report.cases.len()
        {
            report.sources = found.sources();
        }
        Ok(report)
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
        let counted = self.counted();
        worker.provide(self.repeat);
        let GradedCases { added: first, runtime, mut killed, .. } =
            self.grade_each_time(worker, submission, known)?;
        let mut account = Account::new(known.clone());
        account.add(first);
        // A call that hangs only sometimes changes the order of one grading, and so the cases that there was
        // time for in all of them.
        while self.repeat > 1 && !worker.first.cancel().is_cancelled() {
            let valid = counted.still_valid(account.known().clone());
            if counted.missing(&valid).is_empty() {
                break;
            }
            let more = self.grade_each_time(worker, submission, &valid)?;
            killed.extend(more.killed);
            if more.added.keys().all(|name| account.has_added(name)) {
                break;
            }
            account.add(more.added);
        }
        killed.retain(|name| !account.has_added(name));
        let new = new_cases(&counted, known, &account);
        Ok(GradedCases { added: account.into_added(), new, runtime, killed })
    }

    /// Grades what is not known of a submission as often as is asked, and merges the outcomes. The gradings
    /// may differ in which cases they had time for.
    fn grade_each_time(
        &self,
        worker: &mut Worker,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<GradedCases, GradeError> {
        let Worker { first, others, trusted } = worker;
        let first = self.grade_once(first, trusted, submission, known)?;
        let others = others.iter_mut().take(self.repeat.saturating_sub(1) as usize);
        let others: Result<Vec<Grading>, GradeError> =
            others.map(|launcher| self.grade_once(launcher, trusted, submission, known)).collect();
        Ok(combined(first, &others?, self.counted().cases()))
    }

    /// Grades what is not known of a submission once; in both forms, if that is asked, which must agree.
    fn grade_once(
        &self,
        launcher: &mut Launcher,
        trusted: &mut Launcher,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<Grading, GradeError> {
        let watch = self.watch.filter(|_| self.repeat <= 1);
        let grading = Grader { watch, ..*self }.pass(launcher, trusted, submission, known)?;
        if self.settings.isolation == Isolation::Both {
            let settings = Settings { isolation: Isolation::Case, ..self.settings.clone() };
            let strict = Grader { settings: &settings, watch: None, ..*self };
            let strict = strict.pass(launcher, trusted, submission, known)?;
            if !strict.killed.is_empty() {
                return Err(GradeError::Killed(strict.killed.len()));
            }
            agree(&self.counted(), &grading, &strict)?;
        }
        Ok(grading)
    }

    /// Makes one pass over the cases of a submission.
    fn pass(
        &self,
        launcher: &mut Launcher,
        trusted: &mut Launcher,
        submission: &Submission,
        known: &KnownCases,
    ) -> Result<Grading, GradeError> {
        let counted = self.counted();
        let found = match &submission.found {
            Ok(found) => found,
            Err(problem) => {
                let outcomes = counted.impossible(&problem.clone().into(), known);
                return Ok(Grading::without_run(launcher.seed(), outcomes));
            }
        };
        let exercise = &self.loaded.exercise;
        let answers = match self.references {
            Some(references) => {
                references.answers(self.loaded, found.language(), trusted, self.interpreters)?
            }
            None => None,
        };
        let source = source_of(found, self.interpreters)?;
        let checker = Checker::new(exercise, self.interpreters, trusted);
        let adapter = Subprocess::new(launcher, source, exercise, &found.bundle);
        Pass::new(&counted, found, answers, checker, adapter, known.clone()).run(self.watch)
    }
}

/// The number of cases that were not known before and count as run.
fn new_cases(counted: &CountedCases<'_>, before: &KnownCases, account: &Account) -> usize {
    let standings = counted.standings(account.known());
    let not_run = standings.iter().filter(|(_, standing)| !matches!(standing, CaseStanding::Graded(_)));
    let not_run: BTreeSet<&String> = not_run.map(|(turn, _)| &turn.case.name).collect();
    let new = account.added().filter(|name| !before.contains_key(*name));
    new.filter(|name| !not_run.contains(name)).count()
}
