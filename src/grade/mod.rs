//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission; [`check_case`] checks cases against their reference in the same way.

mod answers;
mod check;
mod checker;
mod error;
mod findings;
mod following;
mod order;
mod partial;
mod quick;
mod repeat;
mod session;
mod settings;
mod source;
mod umpire;
mod warnings;

pub use answers::{OpenReference, References, must_load, reference_files, reference_path, reference_process};
pub use check::{CheckError, check_case, disagreements, reference_adapter};
pub use error::GradeError;
pub(crate) use following::Following;
use order::{Failures, in_order_of_running};
pub use order::{counted, counts_for};
use partial::Shares;
pub use quick::Isolation;
use quick::{agree, quick_pass};
use repeat::combined;
pub use session::{session_line, session_line_in};
pub use settings::{BUDGET, Settings, dialect_of, limits};
pub(crate) use settings::{budget, runtime};
pub(crate) use source::source_of;
use umpire::{LostMatch, Umpire};
pub use warnings::{CaseWarning, warnings};

use crate::adapter::{
    Adapter, Dialect, Fault, FoundFiles, Halt, Hosts, Load, Names, NoGuide, Subprocess, Transcript,
};
use crate::case::{Case, Exercise, Loaded, Naming, Points};
use crate::compare::{self, Mismatch, StepResult, Verdict};
use crate::event::{
    CaseReport, Consequence, ExceptionReport, ExerciseInfo, Finding, Place, SubmissionReport, Warning,
};
use crate::languages::{CompileError, Interpreters};
use crate::sandbox::Limits;
use crate::submission::{Found, Submission};
pub(crate) use answers::asks;
use answers::ReferenceAnswers;
use checker::{AskCheck, Checker};
use findings::Findings;
use following::{Here, asked};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

    /// The cases that count, in the order in which they are run: see [`counted`], and hidden ones last. A program that
    /// answers several cases may remember earlier ones, and must not reveal a hidden case in a visible one.
    pub fn cases(&self) -> Vec<&'a Case> {
        in_order_of_running(counted(self.loaded, self.settings))
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
        let mut report = SubmissionReport {
            name: name.to_owned(),
            path: submission.path.display().to_string(),
            files: submission.found.as_ref().map(|found| found.files.clone()).unwrap_or_default(),
            sources: Vec::new(),
            exercise: Some(info(self.loaded)),
            runtime: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            cases: Vec::new(),
            warnings: submission.skipped.iter().cloned().map(Warning::Skipped).collect(),
            error: None,
            hand_in: None,
        };
        match &submission.found {
            Ok(found) => {
                let mut beside = hosts.take_beside();
                let ran = self.run(hosts, &mut beside, found, &mut report);
                hosts.keep_beside(beside);
                ran?;
            }
            Err(problem) => report.cases = self.unloadable(problem),
        }
        // Most submissions of a class pass, and need no memory for their text.
        if let Ok(found) = &submission.found
            && report.passed_cases() < report.cases.len()
        {
            report.sources = found.sources();
        }
        self.total(&mut report);
        Ok(report)
    }

    /// Adds up the points of a report's cases.
    fn total(&self, report: &mut SubmissionReport) {
        let earned: Points = report.cases.iter().map(|case| case.points).sum();
        let most: Points = report.cases.iter().map(|case| case.max_points).sum();
        (report.points, report.max_points) = match self.loaded.exercise.points {
            Some(scale) => (earned.scaled(most, scale), scale),
            None => (earned, most),
        };
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
        let watch = self.watch.filter(|_| hosts.len() == 1);
        let grader = Grader { watch, ..*self };
        let reports: Result<Vec<_>, _> =
            hosts.iter_mut().map(|hosts| grader.grade(hosts, name, submission)).collect();
        let reports = reports?;
        if self.settings.isolation == Isolation::Both {
            let settings = Settings { isolation: Isolation::Case, ..self.settings.clone() };
            let strict = Grader { settings: &settings, watch: None, ..*self };
            for (hosts, quick) in hosts.iter_mut().zip(&reports) {
                agree(quick, &strict.grade(hosts, name, submission)?)?;
            }
        }
        let mut report = combined(reports)
            .ok_or_else(|| Fault { message: "a submission is graded at least once".to_owned() })?;
        self.total(&mut report);
        Ok(report)
    }

    fn run(
        &self,
        hosts: &mut Hosts,
        beside: &mut Hosts,
        found: &Found,
        report: &mut SubmissionReport,
    ) -> Result<(), GradeError> {
        let exercise = &self.loaded.exercise;
        let answers = self.answers(found, beside)?;
        let checker = Checker::new(exercise, self.interpreters, beside);
        let source = source_of(found, self.settings.command.as_ref(), self.interpreters)?;
        let (tier, seed) = (source.tier(hosts.tier()), hosts.seed());
        let runtime = |dialect: &Dialect| runtime(dialect, tier, seed);
        let cancel = hosts.cancel().clone();
        let mut adapter = Subprocess::new(hosts, source, exercise, &found.bundle);
        // A machine that stalls says nothing about the submission; but one that always does must not take twice as long.
        let (mut stuck, mut retried) = (false, false);
        let budget = budget(&self.settings.limits, exercise);
        let (mut spent, mut skipped) = (Duration::ZERO, 0);
        let cases: Vec<&Case> =
            self.cases().into_iter().filter(|case| counts_for(case, Some(found))).collect();
        let limits = |case: &Case| limits(&self.settings.limits, case, exercise);
        let mut passed = match self.settings.isolation {
            Isolation::Case => BTreeMap::new(),
            Isolation::Quick | Isolation::Both => {
                quick_pass(&mut adapter, &cases, &cancel, limits, |case, transcript, dialect| {
                    let judge = Judge { exercise, dialect, found: Some(found), checker: Some(&checker) };
                    let mut following = Following::new(exercise, case, answers.as_ref())?;
                    judge.case(case, transcript, following.as_mut(), None)
                })?
            }
        };
        let mut failures = Failures::default();
        for case in cases {
            if cancel.is_cancelled() {
                return Ok(());
            }
            if let Some(needed) = failures.blocking(case) {
                report.cases.push(CaseReport { blocked_by: Some(needed), ..not_run(case) });
                failures.note(case, &report.cases);
                self.tell(report);
                continue;
            }
            if stuck || spent >= budget {
                skipped += usize::from(!stuck);
                report.cases.push(not_run(case));
                continue;
            }
            if let (Some(graded), Some(dialect)) = (passed.remove(case.name.as_str()), adapter.dialect()) {
                report.runtime.get_or_insert_with(|| runtime(dialect));
                report.cases.push(graded);
                self.tell(report);
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
                report.cases = self.unloadable(&Mismatch::NotReady { why });
                return Ok(());
            };
            report.runtime.get_or_insert_with(|| runtime(dialect));
            let judge = Judge { exercise, dialect, found: Some(found), checker: Some(&checker) };
            // A submission that hits a limit while loading would hit it again in every other case.
            stuck = matches!(transcript.load.halt, Some(Halt::Stopped(_)));
            let graded = judge.case(case, &transcript, following.as_mut(), umpire.as_ref())?;
            // A passed case is charged for its answers only, not for getting ready.
            spent += if graded.verdict == Verdict::Passed { unmetered } else { took };
            report.cases.push(graded);
            failures.note(case, &report.cases);
            if let Some(raised) = &transcript.load.raised
                && report.warnings.iter().all(|warning| matches!(warning, Warning::Skipped(_)))
                && (!case.hidden || report.cases.len() == 1)
                && judge.defines_all(&transcript.load)
                && judge.load_failure(case, &transcript.load).is_none()
            {
                report.warnings.push(Warning::RaisedWhileLoading(judge.findings(case).exception(raised)));
            }
            self.tell(report);
        }
        report.warnings.extend((skipped > 0).then_some(Warning::OverBudget(skipped, budget)));
        Ok(())
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

    /// The results of all cases of a submission with a problem in its files.
    fn unloadable(&self, problem: &Mismatch) -> Vec<CaseReport> {
        self.cases()
            .into_iter()
            .filter(|case| counts_for(case, None))
            .map(|case| unloaded(case, problem))
            .collect()
    }
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

/// The part of an exercise that a report shows.
pub fn info(loaded: &Loaded) -> ExerciseInfo {
    let Exercise { name, title, lang, .. } = &loaded.exercise;
    let has_groups = loaded.cases.iter().any(|case| case.group.is_some());
    ExerciseInfo { name: name.clone(), title: title.clone(), lang: *lang, has_groups }
}

fn not_run(case: &Case) -> CaseReport {
    CaseReport {
        name: case.name.clone(),
        title: case.title.clone(),
        tags: case.tags.clone(),
        hidden: case.hidden,
        hint: case.hint.clone(),
        points: Points::ZERO,
        max_points: case.points,
        verdict: Verdict::NotRun,
        finding: None,
        consequences: Vec::new(),
        trials: Vec::new(),
        group: case.group.clone(),
        blocked_by: None,
    }
}

/// The report of a case for a submission with this problem in its files.
pub(crate) fn unloaded(case: &Case, problem: &Mismatch) -> CaseReport {
    let exception = if let Mismatch::Compile(errors) = problem { Some(compile_errors(errors)) } else { None };
    let finding = Finding::before_the_first_step(Verdict::LoadError, problem.clone(), &case.path);
    let finding = Finding { exception, ..finding };
    CaseReport { finding: Some(Box::new(finding)), ..not_loaded(case) }
}

/// The report of a case whose submission cannot be loaded; the hint does not apply.
fn not_loaded(case: &Case) -> CaseReport {
    CaseReport { verdict: Verdict::LoadError, hint: None, ..not_run(case) }
}

/// Turns the transcript of a case into its report.
pub(crate) struct Judge<'a> {
    pub(crate) exercise: &'a Exercise,
    pub(crate) dialect: &'a Dialect,
    /// The submission's files; none for a reference.
    pub(crate) found: Option<&'a Found>,
    /// The checks of the exercise.
    pub(crate) checker: Option<&'a dyn AskCheck>,
}

impl Judge<'_> {
    /// The report of a case; `following` is the reference alongside it, if needed, and `umpire` that of its matches.
    ///
    /// # Errors
    /// A check of the exercise does not answer.
    pub(crate) fn case(
        &self,
        case: &Case,
        transcript: &Transcript,
        mut following: Option<&mut Following>,
        umpire: Option<&Umpire<'_>>,
    ) -> Result<CaseReport, GradeError> {
        let mut report = not_run(case);
        if let Some(finding) = self.load_failure(case, &transcript.load) {
            let verdict = finding.verdict;
            return Ok(CaseReport { verdict, finding: Some(Box::new(finding)), ..not_loaded(case) });
        }
        let (nothing, no_files) = (Vec::new(), FoundFiles::new());
        let mut refused = false;
        let keeps_files = self.found.is_some() || !transcript.files.is_empty();
        let mut shares = Shares::of(case);
        for (index, (step, expect)) in case.plan.steps.iter().zip(&case.expect).enumerate() {
            let observed = transcript.steps.get(index).unwrap_or(&nothing);
            let ended = umpire.and_then(|umpire| umpire.ended(index));
            let result = match () {
                () if step.game().is_some() => match_result(ended),
                // A reference has no programs.
                () if step.run().is_some() && self.found.is_none() => StepResult::Passed,
                () if refused => StepResult::NotRun,
                () => {
                    let here = Here::at((case, index), following.as_deref_mut(), self.checker);
                    let result = match compare::step(step, expect, observed, self.dialect, &here) {
                        // A built-in reference has no files.
                        StepResult::Passed if !expect.writes.is_empty() && keeps_files => {
                            let found = transcript.files.get(index).unwrap_or(&no_files);
                            compare::written(step, expect, observed, found, &here)
                        }
                        result @ (StepResult::Passed | StepResult::Failed(_) | StepResult::NotRun) => result,
                    };
                    let accepted = here.into_accepted();
                    if let Some(following) = following.as_deref_mut() {
                        following.accept(step, accepted);
                    }
                    result
                }
            };
            if let Some(error) = self.checker.and_then(AskCheck::take_failed) {
                return Err(error);
            }
            // The reference cannot continue from an answer that it does not accept.
            refused |= asked(expect).is_some() && result != StepResult::Passed;
            shares.note(result.share());
            match (result, &report.finding) {
                (StepResult::Passed, _) => {}
                (StepResult::Failed(failure), None) => {
                    // In a hidden case, the lack of a hint would tell students the kind of failure.
                    report.hint = report.hint.filter(|_| case.hidden || failure.may_be_of_the_case());
                    let lost = ended.and_then(Option::as_ref).map(|lost| lost.lines.as_slice());
                    let finding = self.findings(case).finding(index, *failure, &transcript.steps, lost);
                    report.finding = Some(Box::new(finding));
                }
                (StepResult::Failed(failure), Some(_)) => {
                    report.consequences.push(Consequence { step: index + 1, verdict: failure.verdict });
                }
                (StepResult::NotRun, _) => {
                    report.consequences.push(Consequence { step: index + 1, verdict: Verdict::NotRun });
                }
            }
        }
        report.verdict = match &report.finding {
            Some(finding) => finding.verdict,
            None if report.consequences.is_empty() => Verdict::Passed,
            None => Verdict::NotRun,
        };
        report.points = shares.earned(case);
        Ok(report)
    }

    fn findings<'c>(&'c self, case: &'c Case) -> Findings<'c> {
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        Findings { case, naming, dialect: self.dialect, found: self.found, exercise: self.exercise }
    }

    /// Whether everything that the exercise requires was loaded.
    fn defines_all(&self, load: &Load) -> bool {
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        self.exercise.definitions().all(|name| load.defined.contains(&naming.spell(name)))
    }

    /// Why a case cannot be replayed on the loaded submission, if so.
    pub(crate) fn load_failure(&self, case: &Case, load: &Load) -> Option<Finding> {
        let findings = self.findings(case);
        if let Some(halt) = &load.halt {
            return Some(findings.halted_load(halt));
        }
        // A reference has nothing to load.
        self.found?;
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        let lacks = |name: &&str| !load.defined.contains(&naming.spell(name));
        let missing = case.plan.definitions().into_iter().find(lacks);
        match (&load.raised, missing) {
            (Some(raised), Some(_)) => Some(findings.raised_load(raised)),
            (Some(raised), None) if self.exercise.strict_load => Some(findings.raised_load(raised)),
            (None, Some(name)) => {
                let spelled = naming.spell(name);
                let Names { all, classes, functions } = &load.names;
                let is_class = self.exercise.classes.contains_key(name);
                let alike = if is_class { classes } else { functions }.as_ref().unwrap_or(all);
                let near = crate::case::near(&spelled, alike.iter().map(String::as_str)).map(str::to_owned);
                Some(findings.undefined(spelled, near))
            }
            (Some(_) | None, None) => None,
        }
    }
}

/// The result of a match, as far as it was played.
fn match_result(ended: Option<&Option<LostMatch>>) -> StepResult {
    match ended {
        Some(Some(lost)) => StepResult::Failed(Box::new(lost.failure.clone())),
        Some(None) => StepResult::Passed,
        None => StepResult::NotRun,
    }
}

/// A compiler error, in the form of an exception in a report.
fn compile_errors(errors: &[CompileError]) -> ExceptionReport {
    let text: Vec<&str> = errors.iter().map(|error| error.text.trim_end()).collect();
    let places = errors.iter().filter_map(|error| error.place.clone());
    let places = places.map(|(file, line, source)| Place { file, line, function: String::new(), source });
    ExceptionReport { text: text.join("\n\n"), places: places.take(1).collect() }
}
