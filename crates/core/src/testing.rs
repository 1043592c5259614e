//! Each case as a test in cargo's style: filters, `--list`, `--exact`, and cargo's exit code.
//!
//! The names are stable: `codenames::spec_session`, with the submission's name before it if there are
//! several.

use crate::adapter::Launcher;
use crate::case::{Loaded, Points};
use crate::compare::diff::visible;
use crate::event::SubmissionReport;
use crate::grade::{GradeError, Grader, References, Selection, Settings, Worker, counted_cases, counts_for};
use crate::languages::Interpreters;
use crate::report::words::Words;
use crate::report::{self, Audience, Grade, Options, Scope, Tally};
use crate::sandbox::lock;
use crate::sandbox::{Tier, Tools};
use crate::submission::Submission;
use libtest_mimic::{Arguments, Failed, FormatSetting, Trial};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

/// The totals at the end of a run: a line per suite with what its tests have earned.
///
/// Empty if the arguments ask for a list, or for machine-readable output.
pub fn totals(suites: &[Arc<Suite>], arguments: &Arguments) -> String {
    if arguments.list || arguments.format == Some(FormatSetting::Json) {
        return String::new();
    }
    let prefix =
        |suite: &Suite| suite.prefix.as_ref().map(|prefix| format!("{prefix}: ")).unwrap_or_default();
    suites.iter().map(|suite| format!("{}{}\n", prefix(suite), suite.totals())).collect()
}

/// The part that the tests of one submission share.
pub struct Suite {
    /// The exercise and its cases.
    pub loaded: Arc<Loaded>,
    /// The submission to grade.
    pub submission: Submission,
    /// The settings for grading.
    pub settings: Settings,
    /// The prefix of the names of its tests; `None` for a single submission.
    pub prefix: Option<String>,
    interpreters: Interpreters,
    references: Option<Arc<References>>,
    tier: Tier,
    audience: Audience,
    progress: Mutex<SuiteProgress>,
}

/// The tests of a suite that ran until now.
#[derive(Debug, Default)]
struct SuiteProgress {
    earned: Earned,
    /// The names of the cases of all tests that ran, also of those that were not graded.
    cases: BTreeSet<String>,
}

/// The results of the tests that ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct Earned {
    /// Points earned, before any scaling to the exercise's grade.
    pub points: Points,
    /// Points possible for those tests.
    pub most: Points,
    /// Tests that passed.
    pub passed: usize,
    /// Tests that ran.
    pub ran: usize,
    /// Tests whose case was not graded, for no fault of the submission: somebody else ended its process
    /// twice, or keur failed.
    pub not_graded: usize,
}

impl Suite {
    /// The suite of `submission` for the exercise `loaded`.
    ///
    /// It uses the tier of this system and the interpreters in `tools`. Its messages are for students.
    pub fn new(
        loaded: Arc<Loaded>,
        submission: Submission,
        settings: Settings,
        prefix: Option<String>,
        tools: Tools,
    ) -> Suite {
        let (interpreters, tier) = (Interpreters::among(tools), Tier::default());
        let (references, audience, progress) = (None, Audience::Student, Mutex::default());
        Suite { loaded, submission, settings, prefix, interpreters, references, tier, audience, progress }
    }

    /// Asks the exercise's own reference, if it has one, among `references`.
    pub fn with_references(self, references: Arc<References>) -> Suite {
        Suite { references: Some(references), ..self }
    }

    /// Says how tests fail as `audience` may read it.
    pub fn for_audience(self, audience: Audience) -> Suite {
        Suite { audience, ..self }
    }

    /// A test for each case that counts, but for those that ran already.
    pub fn trials(self: &Arc<Suite>) -> Vec<Trial> {
        self.trials_printed_as(str::to_owned)
    }

    /// The tests of [`trials`](Suite::trials), whose names and messages are printed as `shown` makes them:
    /// not everywhere may every text be printed as it is.
    pub fn trials_printed_as(self: &Arc<Suite>, shown: fn(&str) -> String) -> Vec<Trial> {
        let cases = counted_cases(&self.loaded, &self.settings);
        let found = self.submission.found.as_ref().ok();
        let cases = cases.into_iter().filter(|case| counts_for(case, found));
        let cases: Vec<String> = cases.map(|case| case.name.clone()).collect();
        let names = cases.into_iter().filter(|case| !self.progress().cases.contains(case));
        names
            .map(|case| {
                let title = format!("{}::{case}", self.loaded.exercise.name);
                let title = self.prefix.iter().fold(title, |title, prefix| format!("{prefix}::{title}"));
                let suite = Arc::clone(self);
                Trial::test(shown(&visible(&title, false)), move || suite.run(case, shown))
            })
            .collect()
    }

    /// The results of the tests that ran so far.
    pub fn earned(&self) -> Earned {
        self.progress().earned
    }

    fn progress(&self) -> MutexGuard<'_, SuiteProgress> {
        lock(&self.progress)
    }

    /// The totals of the tests that ran, in the exercise's language: on the exercise's scale if every case
    /// has run.
    fn totals(&self) -> String {
        let Earned { points, most, passed, ran, .. } = self.earned();
        let found = self.submission.found.as_ref().ok();
        let counted = counted_cases(&self.loaded, &self.settings);
        let all = counted.into_iter().filter(|case| counts_for(case, found)).count();
        let exercise = &self.loaded.exercise;
        let grade = match exercise.points {
            Some(scale) if ran == all => Grade { points: points.scaled(most, scale), most: scale },
            Some(_) | None => Grade { points, most },
        };
        report::totals(exercise.lang, grade, Tally { passed, ran })
    }

    fn run(&self, case: String, shown: fn(&str) -> String) -> Result<(), Failed> {
        let graded = self.grade(case.clone());
        let mut progress = self.progress();
        progress.cases.insert(case);
        let earned = &mut progress.earned;
        let report = match graded {
            Ok(report) => report,
            Err(error) => {
                earned.not_graded +=
                    usize::from(matches!(error, GradeError::Fault(_) | GradeError::Killed(_)));
                return Err(shown(&self.not_graded(error)).into());
            }
        };
        for case in &report.cases {
            earned.points = earned.points + case.points;
            earned.most = earned.most + case.max_points;
        }
        earned.ran += 1;
        earned.passed += usize::from(report.passed());
        drop(progress);
        if report.passed() {
            return Ok(());
        }
        let options = Options { scope: Scope::OneTest, audience: self.audience, ..Options::default() };
        let terminal = &report::TERMINAL;
        Err(Failed::from(shown(&terminal.write(&[Arc::new(report)], &options))))
    }

    /// The reason why a case was not graded, as the audience may read it.
    fn not_graded(&self, error: GradeError) -> String {
        Words::new(self.loaded.exercise.lang).error(&self.audience.sees_error(&error.into()))
    }

    fn grade(&self, case: String) -> Result<SubmissionReport, GradeError> {
        let settings = Settings { selection: Selection::Only(case), ..self.settings.clone() };
        let mut grader = Grader::new(&self.loaded, &settings, &self.interpreters);
        if let Some(references) = &self.references {
            grader = grader.with_references(references);
        }
        let name = self.prefix.as_deref().unwrap_or("submission");
        grader.grade(&mut Worker::new(Launcher::new(self.tier, 0)), name, &self.submission)
    }
}
