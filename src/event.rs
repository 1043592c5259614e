//! The one vocabulary between grading and reporting: what happens in a run, as data.

use crate::case::{LibraryError, Points};
use crate::compare::{FilesProblem, Slip, Verdict};
use crate::messages::{Lang, LocalText};
use crate::value::syntax::Syntax;
use std::sync::Arc;
use std::time::Duration;

/// What happens in a run, in this order: the run starts; each submission, one after the other in the order in which they
/// were given, starts, has its cases finished, and finishes; the run finishes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run starts.
    RunStarted {
        /// How many submissions it has.
        submissions: usize,
    },
    /// The first news of a submission.
    SubmissionStarted {
        /// Its report so far: without cases.
        report: &'a SubmissionReport,
    },
    /// A case of the submission was graded.
    CaseFinished {
        /// The submission's report so far, with this case as its last; its points are not yet counted.
        report: &'a SubmissionReport,
        /// The case.
        case: &'a CaseReport,
    },
    /// The submission is graded, or cannot be.
    SubmissionFinished {
        /// Its whole report.
        report: &'a Arc<SubmissionReport>,
    },
    /// The run has finished: every submission has, unless it was interrupted.
    RunFinished,
}

/// The events of a run whose submissions are graded already.
pub fn replay(reports: &[Arc<SubmissionReport>], tell: &mut dyn FnMut(&Event<'_>)) {
    tell(&Event::RunStarted { submissions: reports.len() });
    for report in reports {
        finish(None, report, tell);
    }
    tell(&Event::RunFinished);
}

/// The events that are left of a submission that is graded, of which `told` was told so far.
pub(crate) fn finish(
    told: Option<SubmissionReport>,
    report: &Arc<SubmissionReport>,
    tell: &mut dyn FnMut(&Event<'_>),
) {
    let mut so_far = told.unwrap_or_else(|| {
        let start = report.without_cases();
        tell(&Event::SubmissionStarted { report: &start });
        start
    });
    for case in report.cases.iter().skip(so_far.cases.len()) {
        so_far.cases.push(case.clone());
        tell(&Event::CaseFinished { report: &so_far, case });
    }
    tell(&Event::SubmissionFinished { report });
}

/// A submission and how it came out.
#[derive(Clone, Debug)]
pub struct SubmissionReport {
    /// Its name, distinct in the run.
    pub name: String,
    /// Where it lies, as it was named.
    pub path: String,
    /// Its files: the name by which the places of an exception refer to each, and where it lies. What was read from
    /// within a zip lies nowhere.
    pub files: Vec<(String, String)>,
    /// The exercise it answers; none when that could not be told.
    pub exercise: Option<ExerciseInfo>,
    /// What it was run with; none when it was not run.
    pub runtime: Option<Runtime>,
    /// The grade.
    pub points: Points,
    /// The most that it could have been.
    pub max_points: Points,
    /// A case each, in the order of their names, hidden ones last.
    pub cases: Vec<CaseReport>,
    /// What the student or instructor should know besides.
    pub warnings: Vec<Warning>,
    /// Why it could not be graded; that is keur's own failure, or a wrong call, and costs no points.
    pub error: Option<RunError>,
}

impl SubmissionReport {
    /// The report, of which no case is graded yet.
    pub(crate) fn without_cases(&self) -> SubmissionReport {
        SubmissionReport {
            name: self.name.clone(),
            path: self.path.clone(),
            files: self.files.clone(),
            exercise: self.exercise.clone(),
            runtime: self.runtime.clone(),
            points: self.points,
            max_points: self.max_points,
            cases: Vec::new(),
            warnings: self.warnings.clone(),
            error: self.error.clone(),
        }
    }

    /// Whether every case that is worth points passed; one that is worth none is only there to tell something.
    pub fn passed(&self) -> bool {
        let failed = |case: &CaseReport| case.verdict != Verdict::Passed && case.max_points > Points::ZERO;
        self.error.is_none() && !self.cases.iter().any(failed)
    }

    /// How many of its cases passed.
    pub fn passed_cases(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict == Verdict::Passed).count()
    }
}

/// What a report says of an exercise.
#[derive(Clone, Debug)]
pub struct ExerciseInfo {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: LocalText,
    /// The language of feedback to its students.
    pub lang: Lang,
}

/// What a submission was run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The programming language, as exercise files name it.
    pub language: String,
    /// The engine that ran it, as `--engine` names it; the language where a program of its own spoke the protocol.
    pub engine: String,
    /// The version of the engine.
    pub version: String,
    /// How it writes values.
    pub syntax: Syntax,
    /// How firmly it was confined.
    pub tier: &'static str,
    /// The seed of hashes and random numbers.
    pub seed: u32,
}

/// Why a submission could not be graded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RunError {
    /// There is nothing to grade in it.
    Nothing(FilesProblem),
    /// The call is wrong: no such path, an exercise that cannot be told.
    Usage(String),
    /// The exercise or its cases are wrong, or there is no case.
    Cases {
        /// What is wrong with them, in a sentence.
        message: String,
        /// What is wrong with their files.
        files: Option<Arc<LibraryError>>,
    },
    /// Keur could not do its work.
    Fault(String),
}

impl RunError {
    /// Whether there was nothing to grade, which is the submission's own problem.
    pub fn is_nothing(&self) -> bool {
        matches!(self, RunError::Nothing(_))
    }
}

/// Something to know that costs no points.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// An exception at module level, after everything needed was defined.
    RaisedWhileLoading(ExceptionReport),
    /// A file that was skipped.
    PassedOver(String),
    /// So many cases were not run, because those that did not pass had used up this time.
    OverBudget(usize, Duration),
}

/// A case and how it came out.
#[derive(Clone, Debug)]
pub struct CaseReport {
    /// Its name, unique in the exercise.
    pub name: String,
    /// Its title.
    pub title: Arc<LocalText>,
    /// Its tags.
    pub tags: Arc<[String]>,
    /// Whether a student is told only that it failed.
    pub hidden: bool,
    /// Shown when it fails.
    pub hint: Option<Arc<LocalText>>,
    /// Points earned.
    pub points: Points,
    /// Points that it is worth.
    pub max_points: Points,
    /// How it came out: the verdict of its finding.
    pub verdict: Verdict,
    /// The first step that failed.
    pub finding: Option<Box<Finding>>,
    /// Later steps that failed, or were not run.
    pub consequences: Vec<Consequence>,
    /// Every time that it was graded, where the verdicts differ: what it comes to depends on chance.
    pub trials: Vec<Trial>,
}

/// One of several gradings of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The seed of hashes and random numbers.
    pub seed: u32,
    /// How it came out.
    pub verdict: Verdict,
}

/// The first step of a case that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The verdict on the step.
    pub verdict: Verdict,
    /// The step, from 1; 0 when it failed before the first.
    pub step: usize,
    /// The kind of difference.
    pub slip: Slip,
    /// The session up to and with the failing line, in the submission's language, with its prompts.
    pub session: Vec<String>,
    /// What was expected.
    pub expected: Option<String>,
    /// What there was instead.
    pub got: Option<String>,
    /// What was raised.
    pub exception: Option<ExceptionReport>,
    /// What the failing line printed, where that is not what is compared.
    pub printed: Option<String>,
    /// The case's file, as it was named, and the line of the step in it, from 1.
    pub case_line: (String, usize),
}

/// An exception, with the submission's own lines that it passed through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionReport {
    /// Its type and message, as its language shows them.
    pub text: String,
    /// The lines, outermost first.
    pub places: Vec<Place>,
}

/// A line of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The function, where it is known.
    pub function: String,
    /// The text of the line.
    pub source: String,
}

/// A step after the finding that failed too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// The step, from 1.
    pub step: usize,
    /// Its verdict.
    pub verdict: Verdict,
}
