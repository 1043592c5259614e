//! The shared vocabulary of grading and reporting: what happens in a run, as data.

use crate::adapter::Fault;
use crate::case::{CasePlace, LibraryError, Points, StepNo};
use crate::compare::{Mistake, Verdict};
use crate::languages::Engine;
use crate::messages::{Lang, LocalText};
use crate::named;
use crate::sandbox::Tier;
#[cfg(feature = "files")]
use crate::submission::opened::Unopened;
use crate::submission::{FileOnDisk, FilesProblem, SkippedFile, UnclearExercise};
use crate::value::SourceFile;
use crate::value::notation::Notation;
use std::sync::Arc;
use std::time::Duration;

/// An event of a run, in this order: the run starts; each submission, in the given order and one at a time,
/// starts, has its cases finished, and finishes; the run finishes.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run starts.
    RunStarted {
        /// The number of submissions.
        submissions: usize,
    },
    /// The first event of a submission.
    SubmissionStarted {
        /// The report so far, without cases.
        report: &'a SubmissionReport,
    },
    /// A case of the submission was graded.
    CaseFinished {
        /// The submission's report so far, with this case last; its points are not counted yet.
        report: &'a SubmissionReport,
        /// The case.
        case: &'a CaseReport,
    },
    /// The submission is graded, or cannot be graded.
    SubmissionFinished {
        /// The complete report.
        report: &'a Arc<SubmissionReport>,
    },
    /// The run has finished: all submissions are done, unless it was interrupted.
    RunFinished,
}

/// The events of a run whose submissions are already graded.
pub fn replay(reports: &[Arc<SubmissionReport>], tell: &mut dyn FnMut(&Event<'_>)) {
    tell(&Event::RunStarted { submissions: reports.len() });
    for report in reports {
        finish(None, report, tell);
    }
    tell(&Event::RunFinished);
}

/// The remaining events of a graded submission, of which `told` was reported so far.
pub fn finish(
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

/// A submission and its result.
#[derive(Clone, Debug)]
pub struct SubmissionReport {
    /// The name of the submission, unique in the run.
    pub name: String,
    /// The path, as given.
    pub path: String,
    /// The files on disk; there are none of a zip.
    pub files: Vec<FileOnDisk>,
    /// The text of its files, if a case did not pass.
    pub sources: Vec<SourceFile>,
    /// The exercise it answers; `None` if that could not be determined.
    pub exercise: Option<ExerciseInfo>,
    /// The interpreter or program that ran the submission; `None` if it was not run.
    pub runtime: Option<Runtime>,
    /// The grade.
    pub points: Points,
    /// The highest possible grade.
    pub max_points: Points,
    /// One result per case, in the order of the exercise: by group, after the cases that each needs, hidden
    /// ones last. They are run in this order too, except those that make a call that has reached its limit of
    /// time or memory.
    pub cases: Vec<CaseReport>,
    /// Warnings for the student or instructor.
    pub warnings: Vec<Warning>,
    /// The reason why it could not be graded: a failure of keur or a usage error, which costs no points.
    pub error: Option<RunError>,
    /// The facts of a class about the submission; `None` outside a class.
    pub hand_in: Option<Box<HandIn>>,
}

/// The facts of a class about a submission beside its grading: whose it is, and what changed its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandIn {
    /// The student's name, as the roster or the learning platform writes it.
    pub student: String,
    /// The student's last name, if the roster has it in a column of its own.
    pub last_name: Option<String>,
    /// The student's number on the learning platform or in the roster.
    pub id: Option<String>,
    /// The student's e-mail address.
    pub email: Option<String>,
    /// Which of the student's attempts this is, from 1.
    pub attempt: u32,
    /// The points that the cases earn, before a penalty and before points set by hand.
    pub earned: Points,
    /// The penalty for handing in late.
    pub late: Option<Late>,
    /// The points that an instructor set, which are the grade.
    pub by_hand: Option<ByHand>,
    /// The names of other submissions whose files are the same, byte for byte.
    pub same: Vec<String>,
}

/// A penalty for handing in late.
#[derive(Clone, Debug, PartialEq)]
pub struct Late {
    /// The time after the due date; `None` if only the learning platform's mark says that it was late.
    pub by: Option<Duration>,
    /// The points that it costs.
    pub lost: Points,
}

/// Points that an instructor set by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct ByHand {
    /// The points.
    pub points: Points,
    /// The reason.
    pub why: String,
}

impl SubmissionReport {
    /// The report of a submission of which nothing else is known.
    pub fn new(name: impl Into<String>, path: impl Into<String>) -> SubmissionReport {
        SubmissionReport {
            name: name.into(),
            path: path.into(),
            files: Vec::new(),
            sources: Vec::new(),
            exercise: None,
            runtime: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            cases: Vec::new(),
            warnings: Vec::new(),
            error: None,
            hand_in: None,
        }
    }

    /// The report before any case is graded.
    pub fn without_cases(&self) -> SubmissionReport {
        SubmissionReport {
            name: self.name.clone(),
            path: self.path.clone(),
            files: self.files.clone(),
            sources: self.sources.clone(),
            exercise: self.exercise.clone(),
            runtime: self.runtime.clone(),
            points: self.points,
            max_points: self.max_points,
            cases: Vec::new(),
            warnings: self.warnings.clone(),
            error: self.error.clone(),
            hand_in: self.hand_in.clone(),
        }
    }

    /// The state of the submission: only graded ones count in averages.
    pub fn state(&self) -> SubmissionState {
        self.error.as_ref().map_or(SubmissionState::Graded, RunError::state)
    }

    /// The grade; `None` if it was not graded and an instructor set no points either.
    pub fn grade(&self) -> Option<Points> {
        let by_hand = self.hand_in.as_ref().and_then(|hand_in| hand_in.by_hand.as_ref());
        (self.error.is_none() || by_hand.is_some()).then_some(self.points)
    }

    /// Whether its points say something about it: it was graded, or itself is the reason that it was not.
    #[cfg_attr(not(feature = "formats"), expect(dead_code, reason = "only some formats leave out points"))]
    pub(crate) fn is_assessed(&self) -> bool {
        match &self.error {
            // Without its exercise it is not known what is missing.
            Some(RunError::NoSuchPath(_)) => self.exercise.is_some(),
            Some(error) => error.is_nothing() || self.grade().is_some(),
            None => true,
        }
    }

    /// Whether every case that is worth points passed; one worth none is only informative. Without a case
    /// nothing did.
    pub fn passed(&self) -> bool {
        self.error.is_none() && !self.cases.is_empty() && !self.cases.iter().any(CaseReport::fails)
    }

    /// The number of its cases that passed.
    pub fn passed_cases(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict == Verdict::Passed).count()
    }
}

/// The state of a submission in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubmissionState {
    /// The submission was graded, perhaps with zero points.
    Graded,
    /// The student handed in nothing.
    Absent,
    /// There is nothing in it that could be graded.
    Unreadable,
    /// The submission was not graded, for a reason that is not its own.
    Ungraded,
}

named!(SubmissionState {
    Graded = "graded",
    Absent = "absent",
    Unreadable = "unreadable",
    Ungraded = "ungraded",
});

/// The part of an exercise that a report shows.
#[derive(Clone, Debug)]
pub struct ExerciseInfo {
    /// The name of the exercise's folder.
    pub name: String,
    /// The title for people.
    pub title: LocalText,
    /// The language of feedback to its students.
    pub lang: Lang,
    /// Whether its cases are gathered under headings.
    pub has_groups: bool,
}

/// The environment that a submission was run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The programming language, as exercise files name it.
    pub language: String,
    /// The engine that ran it; `None` if the submission's own program spoke the protocol.
    pub engine: Option<&'static Engine>,
    /// The version of the engine.
    pub version: String,
    /// The notation of its values.
    pub notation: &'static dyn Notation,
    /// The confinement tier.
    pub tier: Tier,
    /// The seed of hashes and random numbers.
    pub seed: u32,
}

impl Runtime {
    /// The engine and its version by the names of `--engine`: `node 22.1.0`.
    pub fn name(&self) -> String {
        format!("{} {}", self.engine.map_or(self.language.as_str(), |engine| engine.name), self.version)
    }

    /// The engine and its version as people write them: `Node 22.1.0`.
    pub fn title(&self) -> String {
        format!("{} {}", self.engine.map_or(self.language.as_str(), |engine| engine.title), self.version)
    }
}

/// The grade of a submission of a class before a case was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierGrade {
    /// The points.
    pub points: Points,
    /// The highest possible grade.
    pub max_points: Points,
}

/// A reason why a submission could not be graded. `report/words` has its sentence.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// The student handed in nothing.
    NotHandedIn,
    /// The submission is in a class and not yet graded, or not by all cases.
    NotGraded {
        /// The number of cases that have no verdict yet.
        missing: usize,
        /// The number of cases.
        cases: usize,
        /// The grade by the cases as they were at the last run, if all of them had a verdict.
        earlier: Option<EarlierGrade>,
    },
    /// The path contains nothing to grade.
    Nothing(FilesProblem),
    /// Usage error: there is nothing at the path.
    NoSuchPath(String),
    /// Usage error: the exercise cannot be determined.
    UnclearExercise(UnclearExercise),
    /// Usage error: the request selects nothing that can be graded.
    Selection(SelectionError),
    /// A usage error of another kind, as a sentence.
    Usage(String),
    /// The exercise cannot be used.
    Exercise(#[source] ExerciseError),
    /// Keur could not do its work.
    Fault(#[source] Fault),
}

/// A reason why an exercise cannot be used, whatever the submission.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ExerciseError {
    /// The files of the exercise have errors.
    #[error("the cases of {exercise} have errors")]
    Files {
        /// The name of the exercise.
        exercise: String,
        /// The errors.
        #[source]
        errors: Arc<LibraryError>,
    },
    /// Another problem, as a sentence: there is no case, or a reference or a check of its own is wrong.
    #[error("{0}")]
    Other(String),
    /// The problem is kept from the reader.
    #[error("the exercise has an error")]
    Withheld,
}

/// A reason why a request selects nothing that can be graded.
#[derive(Clone, Debug)]
pub enum SelectionError {
    /// A program is the submission, which shows no exercise, and none is named.
    NoExercise,
    /// All selected cases of this exercise depend on a ruling, and such cases do not count.
    OnlyRulings(String),
    /// No case of this exercise is selected.
    NoCase(String),
}

impl RunError {
    /// Whether what the student should have handed in is missing: nothing is at the path, or nothing that can
    /// be graded.
    pub fn is_missing(&self) -> bool {
        matches!(self, RunError::Nothing(_) | RunError::NoSuchPath(_))
    }
}

#[cfg(feature = "files")]
impl From<Unopened> for RunError {
    fn from(error: Unopened) -> RunError {
        match error {
            Unopened::Problem(problem) => RunError::Nothing(problem),
            Unopened::Unreachable { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                RunError::NoSuchPath(path.display().to_string())
            }
            Unopened::Unreachable { .. } => RunError::Usage(error.to_string()),
        }
    }
}

impl From<UnclearExercise> for RunError {
    fn from(unclear: UnclearExercise) -> RunError {
        RunError::UnclearExercise(unclear)
    }
}

impl RunError {
    /// The state that the error gives a submission.
    pub fn state(&self) -> SubmissionState {
        match self {
            RunError::NotHandedIn => SubmissionState::Absent,
            RunError::Nothing(_) => SubmissionState::Unreadable,
            RunError::NotGraded { .. }
            | RunError::NoSuchPath(_)
            | RunError::UnclearExercise(_)
            | RunError::Selection(_)
            | RunError::Usage(_)
            | RunError::Exercise(_)
            | RunError::Fault(_) => SubmissionState::Ungraded,
        }
    }

    /// Whether the submission itself is the reason: nothing was handed in, or nothing that can be graded.
    #[cfg_attr(not(feature = "formats"), expect(dead_code, reason = "the terminal shows the reason"))]
    pub(crate) fn is_submissions_own(&self) -> bool {
        self.is_missing() || self.is_nothing()
    }

    /// Whether there was nothing to grade, which is the submission's own problem.
    pub fn is_nothing(&self) -> bool {
        matches!(self, RunError::Nothing(_) | RunError::NotHandedIn)
    }
}

/// A warning that costs no points.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// An exception at module level, after everything required was defined.
    RaisedWhileLoading {
        /// The exception.
        raised: ExceptionReport,
        /// Whether it was raised in a hidden case, whose files it may repeat.
        hidden: bool,
    },
    /// Output at module level, which no case looks at.
    PrintedWhileLoading {
        /// The output.
        text: String,
        /// Whether it was printed in a hidden case, whose files it may repeat.
        hidden: bool,
    },
    /// A file that was skipped.
    Skipped(SkippedFile),
    /// Cases that were not run, because those that reached a limit had used up the time for them.
    OverBudget {
        /// The number of cases.
        cases: usize,
        /// The time.
        time: Duration,
    },
    /// Cases that were not run, because the submission had used up its time although not all cases that took
    /// it reached a limit.
    OverTime(usize),
}

/// A case and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseReport {
    /// The name of the case, unique in the exercise.
    pub name: String,
    /// The title for people.
    pub title: Arc<LocalText>,
    /// The tags of the case file.
    pub tags: Arc<[String]>,
    /// Whether a student sees only that it failed, and the hint.
    pub hidden: bool,
    /// Shown when it fails.
    pub hint: Option<Arc<LocalText>>,
    /// Points earned: all or nothing, or the shares of the steps that hold.
    pub points: Points,
    /// Points that it is worth.
    pub max_points: Points,
    /// The result: the verdict of the finding.
    pub verdict: Verdict,
    /// The first step that failed.
    pub finding: Option<Box<Finding>>,
    /// Later steps that failed, or were not run.
    pub consequences: Vec<Consequence>,
    /// All of its gradings, if the verdicts differ: its result depends on chance.
    pub trials: Vec<Trial>,
    /// The heading under which reports gather it with others.
    pub group: Option<Arc<LocalText>>,
    /// The case that failed and that this one needs: that is why it was not run.
    pub blocked_by: Option<NeededCase>,
    /// Whether a submission sees something of the case before its first step: files, or what a program is
    /// started with.
    pub seen_at_load: bool,
}

impl CaseReport {
    /// The report of a visible case that was not run and of which nothing else is known.
    pub fn not_run(
        name: impl Into<String>,
        title: impl Into<Arc<LocalText>>,
        max_points: Points,
    ) -> CaseReport {
        CaseReport {
            name: name.into(),
            title: title.into(),
            tags: Arc::default(),
            hidden: false,
            hint: None,
            points: Points::ZERO,
            max_points,
            verdict: Verdict::NotRun,
            finding: None,
            consequences: Vec::new(),
            trials: Vec::new(),
            group: None,
            blocked_by: None,
            seen_at_load: false,
        }
    }

    /// Whether the case did not pass, and is worth points.
    pub fn fails(&self) -> bool {
        self.verdict != Verdict::Passed && self.max_points > Points::ZERO
    }
}

/// A case that failed, for one that needs it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NeededCase {
    /// The name of the case that is needed.
    pub name: String,
    /// The title of the case that is needed.
    pub title: Arc<LocalText>,
}

/// One of several gradings of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Trial {
    /// The seed of hashes and random numbers.
    pub seed: u32,
    /// The verdict of this grading.
    pub verdict: Verdict,
}

/// The first step of a case that failed.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The verdict on the step.
    pub verdict: Verdict,
    /// The step; `None` when it failed before the first.
    #[serde(with = "zero_before")]
    pub step: Option<StepNo>,
    /// The mistake behind the failure.
    #[serde(rename = "mismatch")]
    pub mistake: Mistake,
    /// The session up to and including the failing line, which is the last one.
    #[serde(flatten, with = "session_columns")]
    pub session: Vec<SessionLine>,
    /// The expected value.
    pub expected: Option<String>,
    /// The actual value.
    pub got: Option<String>,
    /// The exception.
    pub exception: Option<ExceptionReport>,
    /// The output of the failing line, if that is not what is compared.
    pub printed: Option<String>,
    /// Standard error of the case up to and including the failing line, as far as it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<String>,
    /// The step's line in the case's file as it is now: set by the report of a case, and not stored.
    #[serde(skip)]
    pub place: CasePlace,
    /// The function or method that is at fault, as far as the failing line shows: the one it calls, or the
    /// one whose result it calls.
    pub call: Option<String>,
    /// Whether the submission's language returns errors and does not raise them, as Rust does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns_errors: bool,
}

impl Finding {
    /// A finding from before the first step of a case.
    pub fn before_the_first_step(verdict: Verdict, mistake: Mistake) -> Finding {
        Finding {
            verdict,
            step: None,
            mistake,
            session: Vec::new(),
            expected: None,
            got: None,
            exception: None,
            printed: None,
            errors: None,
            place: CasePlace::default(),
            call: None,
            returns_errors: false,
        }
    }
}

/// The stored form of the step of a finding: its number, and 0 before the first.
mod zero_before {
    use crate::case::StepNo;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(step: &Option<StepNo>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(step.map_or(0, |step| step.get() as u64))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<StepNo>, D::Error> {
        usize::deserialize(from).map(StepNo::new)
    }
}

/// A line of a session, in the submission's language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionLine {
    /// The step that begins with this line.
    pub step: Option<StepNo>,
    /// The line, with its prompt.
    pub text: String,
    /// The output of the line, then its value or exception, as a terminal shows them. Empty for a line that
    /// gave nothing to show, for the failing one, and for the conversation with a program.
    pub gave: String,
}

/// The stored form of a session: three lists, one for each field of its lines.
mod session_columns {
    use super::SessionLine;
    use crate::case::StepNo;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Columns {
        session: Vec<String>,
        gave: Vec<String>,
        steps: Vec<Option<StepNo>>,
    }

    pub(super) fn serialize<S: Serializer>(lines: &[SessionLine], to: S) -> Result<S::Ok, S::Error> {
        Columns {
            session: lines.iter().map(|line| line.text.clone()).collect(),
            gave: lines.iter().map(|line| line.gave.clone()).collect(),
            steps: lines.iter().map(|line| line.step).collect(),
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<SessionLine>, D::Error> {
        let Columns { session, gave, steps } = Columns::deserialize(from)?;
        let lines = session.into_iter().zip(gave).zip(steps);
        Ok(lines.map(|((text, gave), step)| SessionLine { step, text, gave }).collect())
    }
}

/// An exception, with the submission's own lines in its trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ExceptionReport {
    /// The type and message, as the language shows them.
    pub text: String,
    /// The lines, outermost first.
    pub places: Vec<Place>,
}

/// A line of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The function, if known.
    pub function: String,
    /// The text of the line.
    pub source: String,
    /// The cell of a notebook, from 1, in which the line counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
}

/// A later step that failed too.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Consequence {
    /// The step.
    pub step: StepNo,
    /// The verdict on the step.
    pub verdict: Verdict,
}
