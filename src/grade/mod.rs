//! Grades submissions: replays an exercise's cases on them, compares, and counts points.
//!
//! [`Grader`] grades one submission; [`check_case`] holds cases against their reference on the same road.

mod check;
mod findings;
mod repeat;
mod session;

pub use check::{CheckError, check_case, reference_adapter};
use repeat::combined;
pub use session::session_line;

use crate::adapter::{
    Adapter, Command, Dialect, Exception, Fault, Halt, Hosts, Load, Source, Subprocess, Transcript,
};
use crate::case::{Case, Convention, Exercise, LimitsPatch, Loaded, Naming, Points};
use crate::compare::{self, Slip, StepResult, Verdict};
use crate::driver::{Driver, Interpreters};
use crate::event::{CaseReport, Consequence, ExerciseInfo, Finding, Runtime, SubmissionReport, Warning};
use crate::sandbox::{Limits, Tier};
use crate::submission::{Found, Submission};
use crate::value::Value;
use findings::Findings;

/// How submissions are graded.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits that stand above those of exercise and case.
    pub limits: LimitsPatch,
    /// Whether cases that rest on a ruling count.
    pub rulings: bool,
    /// Only cases whose name holds one of these; all when there is none.
    pub only: Vec<String>,
    /// Only the case of this very name.
    pub exactly: Option<String>,
    /// A program that speaks the protocol, instead of keur's own drivers.
    pub command: Option<Command>,
}

/// Grades submissions of one exercise.
pub struct Grader<'a> {
    loaded: &'a Loaded,
    settings: &'a Settings,
    interpreters: &'a Interpreters,
}

impl<'a> Grader<'a> {
    /// A grader for `loaded`.
    pub fn new(loaded: &'a Loaded, settings: &'a Settings, interpreters: &'a Interpreters) -> Grader<'a> {
        Grader { loaded, settings, interpreters }
    }

    /// The cases that count, in the order of their names.
    pub fn cases(&self) -> Vec<&'a Case> {
        counted(self.loaded, self.settings)
    }

    /// Grades one submission, in processes that `hosts` start.
    ///
    /// # Errors
    /// A failure of keur's own, which says nothing about the submission.
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

    /// Grades one submission once in each of `hosts`, which differ in their seeds. A case passes where it passes each
    /// time; one whose verdict differs is said to be unstable.
    ///
    /// # Errors
    /// As [`Grader::grade`].
    pub fn grade_repeatedly(
        &self,
        hosts: &mut [Hosts],
        name: &str,
        submission: &Submission,
    ) -> Result<SubmissionReport, Fault> {
        let reports: Result<Vec<_>, _> =
            hosts.iter_mut().map(|hosts| self.grade(hosts, name, submission)).collect();
        let mut report = combined(reports?)
            .ok_or_else(|| Fault { message: "a submission is graded at least once".to_owned() })?;
        self.total(&mut report);
        Ok(report)
    }

    fn run(&self, hosts: &mut Hosts, found: &Found, report: &mut SubmissionReport) -> Result<(), Fault> {
        let exercise = &self.loaded.exercise;
        let source = match &self.settings.command {
            Some(command) => Source::Command(command.clone()),
            None => {
                let interpreter =
                    self.interpreters.find(found.driver).map_err(|error| Fault { message: error.message })?;
                Source::Driver(interpreter.driver, interpreter.program)
            }
        };
        let trusted = self.settings.command.as_ref().is_some_and(|command| !command.confined);
        let (tier, seed) = (hosts.tier(), hosts.seed());
        let engine = match &source {
            Source::Driver(driver, _) => Some(driver.engine),
            Source::Command(_) => None,
        };
        let mut adapter = Subprocess::new(hosts, source, exercise, &found.bundle);
        let mut stuck = false;
        for case in self.cases() {
            if stuck {
                report.cases.push(not_run(case));
                continue;
            }
            let limits = limits(&self.settings.limits, case, exercise);
            let transcript = adapter.replay(&case.plan, &limits)?;
            let reference = reference_values(exercise, case)?;
            let Some(dialect) = adapter.dialect() else { continue };
            let judge = Judge { exercise, dialect, found: Some(found), reference: &reference };
            // What hits a limit while loading would hit it again in every other case.
            stuck = matches!(transcript.load.halt, Some(Halt::Stopped(_)));
            report.cases.push(judge.case(case, &transcript));
            if let Some(raised) = &transcript.load.raised
                && report.warnings.iter().all(|warning| matches!(warning, Warning::PassedOver(_)))
                && judge.load_failure(case, &transcript.load).is_none()
            {
                report.warnings.push(Warning::RaisedWhileLoading(judge.findings(case).exception(raised)));
            }
        }
        report.runtime = adapter.dialect().map(|dialect| Runtime {
            language: dialect.language.clone(),
            engine: engine.map_or_else(|| dialect.language.clone(), str::to_owned),
            version: dialect.version.clone(),
            syntax: dialect.syntax,
            tier: if trusted { Tier::Portable.name() } else { tier.name() },
            seed,
        });
        Ok(())
    }

    /// Every case of a submission whose files are wrong.
    fn unloadable(&self, problem: &Slip) -> Vec<CaseReport> {
        self.cases()
            .into_iter()
            .map(|case| {
                let finding = Finding {
                    verdict: Verdict::LoadError,
                    step: 0,
                    slip: problem.clone(),
                    session: Vec::new(),
                    expected: None,
                    got: None,
                    exception: None,
                    printed: None,
                    case_line: (case.path.clone(), 1),
                };
                CaseReport { verdict: Verdict::LoadError, finding: Some(Box::new(finding)), ..not_run(case) }
            })
            .collect()
    }
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

/// What a report says of an exercise.
pub fn info(exercise: &Exercise) -> ExerciseInfo {
    ExerciseInfo { name: exercise.name.clone(), title: exercise.title.clone(), lang: exercise.lang }
}

/// The limits of a case: those given, over its own, over the exercise's, over the default.
pub fn limits(given: &LimitsPatch, case: &Case, exercise: &Exercise) -> Limits {
    let patch = given.over(&case.limits).over(&exercise.limits);
    let default = Limits::default();
    let cpu = patch.cpu.unwrap_or(default.cpu);
    Limits {
        cpu,
        // Time on the clock only backs processor time up, so it is never the tighter of the two.
        wall: patch.wall.unwrap_or(default.wall).max(cpu),
        memory: patch.memory.unwrap_or(default.memory),
        output: patch.output.unwrap_or(default.output),
    }
}

/// How the driver's own language says things, before it was ever started.
pub fn dialect_of(driver: &Driver) -> Dialect {
    Dialect {
        language: driver.language.to_owned(),
        version: String::new(),
        syntax: driver.syntax,
        convention: if driver.snake_case { Convention::Snake } else { Convention::Camel },
        keywords: driver.keywords,
        exceptions: driver.exceptions,
    }
}

/// What the reference answers at each step, where a case asks for it.
fn reference_values(exercise: &Exercise, case: &Case) -> Result<Vec<Option<Value>>, Fault> {
    let asks = case.expect.iter().any(|expect| {
        expect
            .value
            .as_ref()
            .is_some_and(|returns| matches!(returns.matcher, crate::case::Matcher::Reference))
    });
    if !asks {
        return Ok(Vec::new());
    }
    let mut adapter = reference_adapter(exercise)?;
    let transcript = adapter.replay(&case.plan, &Limits::default())?;
    Ok(transcript
        .steps
        .into_iter()
        .map(|lines| match lines.into_iter().next_back()?.outcome {
            crate::adapter::Outcome::Value { value, .. } => value,
            crate::adapter::Outcome::Raised(_)
            | crate::adapter::Outcome::Missing(_)
            | crate::adapter::Outcome::Halted(_)
            | crate::adapter::Outcome::Unbound(_) => None,
        })
        .collect())
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

/// Turns the transcript of a case into its report.
pub(crate) struct Judge<'a> {
    pub(crate) exercise: &'a Exercise,
    pub(crate) dialect: &'a Dialect,
    /// The submission's files; none for a reference.
    pub(crate) found: Option<&'a Found>,
    pub(crate) reference: &'a [Option<Value>],
}

impl Judge<'_> {
    pub(crate) fn case(&self, case: &Case, transcript: &Transcript) -> CaseReport {
        let mut report = not_run(case);
        if let Some(finding) = self.load_failure(case, &transcript.load) {
            report.verdict = finding.verdict;
            report.finding = Some(Box::new(finding));
            return report;
        }
        let nothing = Vec::new();
        for (index, (step, expect)) in case.plan.steps.iter().zip(&case.expect).enumerate() {
            let observed = transcript.steps.get(index).unwrap_or(&nothing);
            let reference = self.reference.get(index).and_then(Option::as_ref);
            match (compare::step(step, expect, observed, self.dialect, reference), &report.finding) {
                (StepResult::Passed, _) => {}
                (StepResult::Failed(failure), None) => {
                    report.finding = Some(Box::new(self.findings(case).finding(index, *failure, observed)));
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

    /// Why a case cannot be replayed on what was loaded, if it cannot.
    pub(crate) fn load_failure(&self, case: &Case, load: &Load) -> Option<Finding> {
        let findings = self.findings(case);
        if let Some(halt) = &load.halt {
            return Some(findings.halted_load(halt));
        }
        // A reference has nothing to load.
        self.found?;
        let naming = Naming::new(self.exercise, &self.dialect.language, self.dialect.convention);
        let lacks = |name: &str| !load.defined.contains(&naming.spell(name));
        let complete = !self.exercise.definitions().any(lacks);
        match &load.raised {
            Some(raised) if !complete || self.exercise.strict_load => Some(findings.raised_load(raised)),
            Some(_) | None => {
                let name = case.plan.definitions().into_iter().find(|name| lacks(name))?;
                let spelled = naming.spell(name);
                let near =
                    crate::case::near(&spelled, load.names.iter().map(String::as_str)).map(str::to_owned);
                Some(findings.load_error(Slip::NoDefinition { name: spelled, near }, None))
            }
        }
    }
}

/// The text of an exception for a report, with the lines of the submission that it passed through.
fn places(raised: &Exception, found: Option<&Found>) -> Vec<crate::event::Place> {
    raised
        .trace
        .iter()
        .map(|frame| crate::event::Place {
            file: frame.file.clone(),
            line: frame.line,
            function: frame.function.clone(),
            source: found.and_then(|found| found.line(&frame.file, frame.line)).unwrap_or_default(),
        })
        .collect()
}
