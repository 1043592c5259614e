//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission; [`check_case`] checks cases against their reference in the same way.

mod check;
mod findings;
mod following;
mod quick;
mod repeat;
mod session;
mod umpire;

pub use check::{CaseWarning, CheckError, check_case, reference_adapter, warnings};
pub use quick::Isolation;
use quick::{agree, quick_pass};
use repeat::combined;
pub use session::session_line;
use umpire::{LostMatch, Umpire};

use crate::adapter::{
    Adapter, Command, Dialect, Fault, Halt, Hosts, Load, NoGuide, Source, Subprocess, Transcript,
};
use crate::case::{Case, Convention, Exercise, LimitsPatch, Loaded, Naming, Points};
use crate::compare::{self, Mismatch, NoOracle, StepResult, Verdict};
use crate::event::{
    CaseReport, Consequence, ExceptionReport, ExerciseInfo, Finding, Place, Runtime, SubmissionReport,
    Warning,
};
use crate::languages::{CompileError, Interpreters, Language};
use crate::sandbox::{Limits, Tier};
use crate::submission::{Found, Runs, Submission};
use findings::Findings;
use following::{Following, asked};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Settings for grading.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits that override those of the exercise and the case.
    pub limits: LimitsPatch,
    /// Whether cases that rest on a ruling count.
    pub rulings: bool,
    /// Only cases whose name contains one of these; all if empty.
    pub only: Vec<String>,
    /// Only the case with exactly this name.
    pub exactly: Option<String>,
    /// A program that speaks the protocol, instead of keur's own drivers.
    pub command: Option<Command>,
    /// How the cases of a submission are kept apart.
    pub isolation: Isolation,
}

/// Grades submissions of one exercise.
pub struct Grader<'a> {
    loaded: &'a Loaded,
    settings: &'a Settings,
    interpreters: &'a Interpreters,
    watch: Option<&'a dyn Fn(&SubmissionReport)>,
}

impl<'a> Grader<'a> {
    /// A grader for `loaded`.
    pub fn new(loaded: &'a Loaded, settings: &'a Settings, interpreters: &'a Interpreters) -> Grader<'a> {
        Grader { loaded, settings, interpreters, watch: None }
    }

    /// Calls `watch` after each case with the report so far, whose points are not counted yet. In repeated grading,
    /// only the last repetition is reported.
    pub fn watched(self, watch: &'a dyn Fn(&SubmissionReport)) -> Grader<'a> {
        Grader { watch: Some(watch), ..self }
    }

    /// The cases that count, sorted by name, hidden ones last. A program that answers several cases may remember
    /// earlier ones, and must not reveal a hidden case in a visible one.
    pub fn cases(&self) -> Vec<&'a Case> {
        let mut cases = counted(self.loaded, self.settings);
        cases.sort_by_key(|case| case.hidden);
        cases
    }

    /// Grades one submission, in processes that `hosts` start.
    ///
    /// # Errors
    /// A failure of keur itself, unrelated to the submission.
    pub fn grade(
        &self,
        hosts: &mut Hosts,
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, Fault> {
        let exercise = &self.loaded.exercise;
        let mut report = SubmissionReport {
            name: name.to_owned(),
            path: submission.path.display().to_string(),
            files: submission.found.as_ref().map(|found| found.files.clone()).unwrap_or_default(),
            exercise: Some(info(exercise)),
            runtime: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            cases: Vec::new(),
            warnings: submission.warnings.iter().cloned().map(Warning::PassedOver).collect(),
            error: None,
        };
        match &submission.found {
            Ok(found) => self.run(hosts, found, &mut report)?,
            Err(problem) => report.cases = self.unloadable(problem),
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
    ) -> Result<SubmissionReport, Fault> {
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

    fn run(&self, hosts: &mut Hosts, found: &Found, report: &mut SubmissionReport) -> Result<(), Fault> {
        let exercise = &self.loaded.exercise;
        let source = match (&self.settings.command, &found.runs) {
            (Some(command), _) => Source::Command(command.clone()),
            (None, Runs::Built(built)) => Source::Command(built.command.clone()),
            (None, Runs::Language(language)) => {
                let interpreter =
                    self.interpreters.find(language).map_err(|error| Fault { message: error.message })?;
                Source::Engine(interpreter.engine, interpreter.program)
            }
            (None, Runs::Asked) => {
                return Err(Fault { message: "no program was named that runs the submission".to_owned() });
            }
        };
        let trusted = matches!(&source, Source::Command(command) if !command.confined);
        let (tier, seed) = (hosts.tier(), hosts.seed());
        let runtime = |dialect: &Dialect| Runtime {
            language: dialect.language.clone(),
            engine: dialect.engine.map_or(dialect.language.as_str(), |engine| engine.name).to_owned(),
            version: dialect.version.clone(),
            notation: dialect.notation,
            tier: if trusted { Tier::Portable.name() } else { tier.name() },
            seed,
        };
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
                    let judge = Judge { exercise, dialect, found: Some(found) };
                    Ok(judge.case(case, transcript, Following::new(exercise, case)?.as_mut(), None))
                })?
            }
        };
        for case in cases {
            if cancel.is_cancelled() {
                return Ok(());
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
            let mut following = Following::new(exercise, case)?;
            let Some(dialect) = adapter.dialect() else {
                let Some(Halt::NotReady(why)) = transcript.load.halt else { continue };
                // Another case would have the same result.
                report.cases = self.unloadable(&Mismatch::NotReady { why });
                return Ok(());
            };
            report.runtime.get_or_insert_with(|| runtime(dialect));
            let judge = Judge { exercise, dialect, found: Some(found) };
            // A submission that hits a limit while loading would hit it again in every other case.
            stuck = matches!(transcript.load.halt, Some(Halt::Stopped(_)));
            let graded = judge.case(case, &transcript, following.as_mut(), umpire.as_ref());
            // A passed case is charged for its answers only, not for getting ready.
            spent += if graded.verdict == Verdict::Passed { unmetered } else { took };
            report.cases.push(graded);
            if let Some(raised) = &transcript.load.raised
                && report.warnings.iter().all(|warning| matches!(warning, Warning::PassedOver(_)))
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
            .map(|case| {
                let exception =
                    if let Mismatch::Compile(errors) = problem { Some(compile_errors(errors)) } else { None };
                let finding = Finding {
                    verdict: Verdict::LoadError,
                    step: 0,
                    mismatch: problem.clone(),
                    session: Vec::new(),
                    expected: None,
                    got: None,
                    exception,
                    printed: None,
                    case_line: (case.path.clone(), 1),
                };
                CaseReport { finding: Some(Box::new(finding)), ..not_loaded(case) }
            })
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

/// The cases of an exercise that count.
pub fn counted<'a>(loaded: &'a Loaded, settings: &Settings) -> Vec<&'a Case> {
    let wanted = |case: &&Case| {
        let named =
            settings.only.is_empty() || settings.only.iter().any(|part| case.name.contains(part.as_str()));
        let exactly = settings.exactly.as_ref().is_none_or(|name| *name == case.name);
        named && exactly && (settings.rulings || !case.is_ruling())
    };
    loaded.cases.iter().filter(wanted).collect()
}

/// Whether a case counts for a submission with these files: one about a program counts only if they include it.
pub fn counts_for(case: &Case, found: Option<&Found>) -> bool {
    let has = |file: &String| found.is_some_and(|found| found.bundle.named(file).is_some());
    case.only_with.as_ref().is_none_or(|files| files.values().any(has))
}

/// The part of an exercise that a report shows.
pub fn info(exercise: &Exercise) -> ExerciseInfo {
    ExerciseInfo { name: exercise.name.clone(), title: exercise.title.clone(), lang: exercise.lang }
}

/// The limits of a case, by priority: those given, its own, the exercise's, the default.
pub fn limits(given: &LimitsPatch, case: &Case, exercise: &Exercise) -> Limits {
    let patch = given.over(&case.limits).over(&exercise.limits);
    let default = Limits::default();
    let cpu = patch.cpu.unwrap_or(default.cpu);
    Limits {
        cpu,
        // Wall-clock time only backs up processor time, so it is never the stricter one.
        wall: patch.wall.unwrap_or(default.wall).max(cpu),
        memory: patch.memory.unwrap_or(default.memory),
        output: patch.output.unwrap_or(default.output),
    }
}

/// Default total time for the cases of a submission that do not pass.
pub const BUDGET: Duration = Duration::from_secs(30);

/// Total time for the cases of a submission that do not pass: as given, else the exercise's, else the default.
fn budget(given: &LimitsPatch, exercise: &Exercise) -> Duration {
    given.over(&exercise.limits).submission.unwrap_or(BUDGET)
}

/// The properties of a language before it was ever started.
pub fn dialect_of(language: &Language) -> Dialect {
    Dialect {
        language: language.name.to_owned(),
        version: String::new(),
        engine: None,
        notation: language.notation,
        convention: if language.snake_case { Convention::Snake } else { Convention::Camel },
        keywords: language.keywords,
        tuples: language.notation.has_tuples(),
        exceptions: language.exceptions,
        crashes: language.crashes,
        programs: false,
    }
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
    }
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
}

impl Judge<'_> {
    /// The report of a case; `following` is the reference alongside it, if needed, and `umpire` that of its matches.
    pub(crate) fn case(
        &self,
        case: &Case,
        transcript: &Transcript,
        mut following: Option<&mut Following>,
        umpire: Option<&Umpire<'_>>,
    ) -> CaseReport {
        let mut report = not_run(case);
        if let Some(finding) = self.load_failure(case, &transcript.load) {
            let verdict = finding.verdict;
            return CaseReport { verdict, finding: Some(Box::new(finding)), ..not_loaded(case) };
        }
        let nothing = Vec::new();
        let mut refused = false;
        for (index, (step, expect)) in case.plan.steps.iter().zip(&case.expect).enumerate() {
            let observed = transcript.steps.get(index).unwrap_or(&nothing);
            let ended = umpire.and_then(|umpire| umpire.ended(index));
            let result = match following.as_deref_mut() {
                _ if step.game().is_some() => match_result(ended),
                // A reference has no programs.
                _ if step.run().is_some() && self.found.is_none() => StepResult::Passed,
                _ if refused => StepResult::NotRun,
                None => compare::step(step, expect, observed, self.dialect, &NoOracle),
                Some(following) => {
                    let here = following.step(step, expect);
                    let result = compare::step(step, expect, observed, self.dialect, &here);
                    let accepted = here.into_accepted();
                    following.accept(step, accepted);
                    result
                }
            };
            // The reference cannot continue from an answer that it does not accept.
            refused |= asked(expect).is_some() && result != StepResult::Passed;
            match (result, &report.finding) {
                (StepResult::Passed, _) => {}
                (StepResult::Failed(failure), None) => {
                    let lost = ended.and_then(Option::as_ref).map(|lost| lost.lines.as_slice());
                    let finding = self.findings(case).finding(index, *failure, observed, lost);
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
        if report.verdict == Verdict::Passed {
            report.points = case.points;
        }
        report
    }

    fn findings<'c>(&'c self, case: &'c Case) -> Findings<'c> {
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        Findings { case, naming, dialect: self.dialect, found: self.found }
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
                let near =
                    crate::case::near(&spelled, load.names.iter().map(String::as_str)).map(str::to_owned);
                Some(findings.load_error(Mismatch::NoDefinition { name: spelled, near }, None))
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
