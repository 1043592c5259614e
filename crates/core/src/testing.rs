//! Each case as a test in cargo's style: filters, `--list`, `--exact`, and cargo's exit code.
//!
//! The names are stable: `codenames::spec_session`, with the submission's name before it if there are
//! several. The tests of a submission share its grading: the first one that runs grades it, on the cases that
//! the arguments select.

use crate::adapter::Launcher;
use crate::cache;
use crate::case::{Case, Loaded, Points};
use crate::compare::diff::visible;
use crate::event::SubmissionReport;
use crate::grade::{GradeError, GradedSubmission, Grader, References, Selection, Settings, Worker};
use crate::grade::{counted_cases, counts_for};
use crate::languages::Interpreters;
use crate::report::words::Words;
use crate::report::{self, Audience, FailedTest, Grade, Options, Tally, failed_test};
use crate::sandbox::{Tier, Tools, keep_to_core, lock};
use crate::submission::Submission;
use libtest_mimic::{Arguments, Failed, FormatSetting, Trial};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread::available_parallelism;

/// The variable that cargo-nextest sets for the tests that it runs.
const NEXTEST: &str = "NEXTEST";

/// A submission whose cases are tests.
pub struct Suite {
    /// The name of the submission.
    pub name: String,
    /// The exercise and its cases.
    pub loaded: Arc<Loaded>,
    /// The submission to grade.
    pub submission: Submission,
    /// The settings for grading.
    pub settings: Settings,
    is_among_others: bool,
    interpreters: Interpreters,
    references: Option<Arc<References>>,
    /// The folder in which compiled drivers are kept.
    cache: Option<PathBuf>,
    audience: Audience,
    /// Locked while the submission is graded.
    graded: Mutex<Option<Arc<Graded>>>,
    progress: Mutex<SuiteProgress>,
}

/// The result of grading a submission, once for all of its tests.
type Graded = Result<GradedReport, GradeError>;

/// The report of a graded submission.
struct GradedReport {
    report: Arc<SubmissionReport>,
    killed: BTreeSet<String>,
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
    /// The suite of `submission`, which its messages call `name`, for the exercise `loaded`.
    ///
    /// It uses the tier of this system and the interpreters in `tools`. Its messages are for students.
    pub fn new(
        name: impl Into<String>,
        loaded: Arc<Loaded>,
        submission: Submission,
        settings: Settings,
        tools: Tools,
    ) -> Suite {
        Suite {
            name: name.into(),
            loaded,
            submission,
            settings,
            is_among_others: false,
            cache: cache::trusted(&tools),
            interpreters: Interpreters::among(tools),
            references: None,
            audience: Audience::Student,
            graded: Mutex::default(),
            progress: Mutex::default(),
        }
    }

    /// Puts the name of the submission before those of its tests, since there are several.
    pub fn among_others(self) -> Suite {
        Suite { is_among_others: true, ..self }
    }

    /// Asks the exercise's own reference, if it has one, among `references`.
    pub fn with_references(self, references: Arc<References>) -> Suite {
        Suite { references: Some(references), ..self }
    }

    /// Says how tests fail as `audience` may read it.
    pub fn for_audience(self, audience: Audience) -> Suite {
        Suite { audience, ..self }
    }

    /// The cases that count for the submission.
    fn cases(&self) -> impl Iterator<Item = &Case> {
        let found = self.submission.found.as_ref().ok();
        let counted = counted_cases(&self.loaded, &self.settings);
        counted.into_iter().filter(move |case| counts_for(case, found))
    }

    /// The name of the test of a case.
    fn test_name(&self, case: &Case) -> String {
        let name = format!("{}::{}", self.loaded.exercise.name, case.name);
        visible(&if self.is_among_others { format!("{}::{name}", self.name) } else { name }, false)
    }

    fn progress(&self) -> MutexGuard<'_, SuiteProgress> {
        lock(&self.progress)
    }

    /// Grades the submission on the cases that are selected.
    fn grade(&self, worker: &mut Worker, selected: BTreeSet<String>) -> Graded {
        let settings = Settings { selection: Selection::Named(selected), ..self.settings.clone() };
        let mut grader = Grader::new(&self.loaded, &settings, &self.interpreters);
        if let Some(references) = &self.references {
            grader = grader.with_references(references);
        }
        let GradedSubmission { report, killed } =
            grader.grade_but_killed(worker, &self.name, &self.submission)?;
        Ok(GradedReport { report: Arc::new(report), killed })
    }

    /// The totals of the tests that ran, in the exercise's language: on the exercise's scale if every case
    /// has run. `None` if none ran.
    fn totals(&self) -> Option<String> {
        let Earned { points, most, passed, ran, .. } = self.progress().earned;
        let exercise = &self.loaded.exercise;
        let grade = match exercise.points {
            Some(scale) if ran == self.cases().count() => {
                Grade { points: points.scaled(most, scale), most: scale }
            }
            Some(_) | None => Grade { points, most },
        };
        let totals = report::totals(exercise.lang, grade, Tally { passed, ran });
        let line = if self.is_among_others {
            format!("{}: {totals}\n", visible(&self.name, false))
        } else {
            format!("{totals}\n")
        };
        (ran > 0).then_some(line)
    }
}

/// The suites of a run, and the arguments that select their tests.
pub struct Suites {
    suites: Vec<Suite>,
    arguments: Arguments,
    /// Makes a text printable: not everywhere may every text be printed as it is.
    printed: fn(&str) -> String,
    workers: Mutex<Workers>,
    /// The reasons why tests failed, a line each.
    failures: Mutex<Vec<String>>,
}

/// The workers of a run.
#[derive(Default)]
struct Workers {
    started: usize,
    /// The workers that grade nothing now, with the interpreters that they started.
    idle: Vec<TestWorker>,
}

/// A worker, and its number from 0.
struct TestWorker {
    number: usize,
    worker: Worker,
}

impl Suites {
    /// The suites of a run with these arguments.
    pub fn new(suites: Vec<Suite>, arguments: Arguments) -> Arc<Suites> {
        Suites::printed_as(str::to_owned, suites, arguments)
    }

    /// The suites of a run, whose names and messages are printed as `printed` makes them.
    pub fn printed_as(printed: fn(&str) -> String, suites: Vec<Suite>, arguments: Arguments) -> Arc<Suites> {
        Arc::new(Suites { suites, arguments, printed, workers: Mutex::default(), failures: Mutex::default() })
    }

    /// A test for each case that counts, but for those that ran already.
    pub fn trials(self: &Arc<Suites>) -> Vec<Trial> {
        let of_suite = |(index, suite): (usize, &Suite)| {
            let ran = suite.progress().cases.clone();
            let cases = suite.cases().filter(move |case| !ran.contains(&case.name));
            let trial = |case: &Case| {
                let suites = Arc::clone(self);
                let name = case.name.clone();
                Trial::test(self.test_name(suite, case), move || suites.run_test(index, name))
            };
            cases.map(trial).collect::<Vec<Trial>>()
        };
        self.suites.iter().enumerate().flat_map(of_suite).collect()
    }

    /// Runs the tests, and `others` after them, as a test program does: prints them, and the totals at the
    /// end. Returns cargo's exit code.
    pub fn run(self: &Arc<Suites>, others: Vec<Trial>) -> ExitCode {
        let trials = self.trials().into_iter().chain(others).collect();
        let conclusion = libtest_mimic::run(&self.arguments, trials);
        print(&(self.printed)(&self.totals()));
        // Nextest runs a process for each test, and takes the message of its report from this line.
        if std::env::var_os(NEXTEST).is_some() {
            lock(&self.failures).iter().for_each(|failure| print_error(&format!("Error: {failure}\n")));
        }
        conclusion.exit_code()
    }

    /// The results of the tests of each suite that ran so far.
    pub fn earned(&self) -> Vec<Earned> {
        self.suites.iter().map(|suite| suite.progress().earned).collect()
    }

    /// The totals at the end of a run: a line per suite with what its tests have earned, if any ran.
    ///
    /// Empty if the arguments ask for a list, or for machine-readable output.
    pub fn totals(&self) -> String {
        if self.arguments.list || self.arguments.format == Some(FormatSetting::Json) {
            return String::new();
        }
        self.suites.iter().filter_map(Suite::totals).collect()
    }

    /// The arguments.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    fn test_name(&self, suite: &Suite, case: &Case) -> String {
        (self.printed)(&suite.test_name(case))
    }

    /// The names of the cases of a suite whose tests the arguments select.
    fn selected(&self, suite: &Suite) -> BTreeSet<String> {
        let is_selected = |case: &&Case| {
            !self.arguments.is_filtered_out(&Trial::test(self.test_name(suite, case), || Ok(())))
        };
        suite.cases().filter(is_selected).map(|case| case.name.clone()).collect()
    }

    /// The result of the suite at this index, which is graded unless it is already.
    fn graded(&self, index: usize) -> Arc<Graded> {
        // While another thread grades this suite, this one grades those that wait.
        let waiting = self.suites.iter().skip(index + 1);
        for suite in std::iter::once(&self.suites[index]).chain(waiting) {
            match suite.graded.try_lock() {
                Ok(mut graded) => self.grade(suite, &mut graded),
                Err(TryLockError::Poisoned(poisoned)) => self.grade(suite, &mut poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => continue,
            };
            if let Ok(graded) = self.suites[index].graded.try_lock()
                && let Some(graded) = graded.as_ref()
            {
                return Arc::clone(graded);
            }
        }
        let suite = &self.suites[index];
        self.grade(suite, &mut lock(&suite.graded))
    }

    /// Grades a suite, unless it is graded.
    fn grade(&self, suite: &Suite, graded: &mut Option<Arc<Graded>>) -> Arc<Graded> {
        let grade = || {
            let mut worker = self.take_worker(suite);
            let graded = suite.grade(&mut worker.worker, self.selected(suite));
            lock(&self.workers).idle.push(worker);
            Arc::new(graded)
        };
        Arc::clone(graded.get_or_insert_with(grade))
    }

    /// An idle worker, or a new one, for a suite. This thread keeps to its core from now on, as the processes do that it
    /// takes turns with.
    fn take_worker(&self, suite: &Suite) -> TestWorker {
        let mut workers = lock(&self.workers);
        let worker = workers.idle.pop().unwrap_or_else(|| {
            let launcher = Launcher::new(Tier::default(), 0).caching_in(suite.cache.clone());
            let mut worker = Worker::new(launcher);
            worker.expect_more(self.suites.len() > 1);
            workers.started += 1;
            TestWorker { number: workers.started - 1, worker }
        });
        let threads = self.arguments.test_threads.or_else(|| available_parallelism().ok().map(Into::into));
        keep_to_core(worker.number, threads.unwrap_or(1).min(self.suites.len()));
        worker
    }

    /// Runs the test of a case.
    fn run_test(&self, index: usize, case: String) -> Result<(), Failed> {
        let suite = &self.suites[index];
        let graded = self.graded(index);
        let mut progress = suite.progress();
        progress.cases.insert(case.clone());
        let earned = &mut progress.earned;
        let graded = match graded.as_ref() {
            Ok(graded) if graded.killed.contains(&case) => Err(GradeError::Killed(1)),
            Ok(graded) => Ok(&graded.report),
            Err(error) => Err(error.clone()),
        };
        let failed = match graded {
            Ok(report) => {
                let graded = report.cases.iter().find(|graded| graded.name == case);
                let fails = graded.is_none_or(|graded| graded.fails());
                if let Some(graded) = graded {
                    earned.points = earned.points + graded.points;
                    earned.most = earned.most + graded.max_points;
                }
                earned.ran += 1;
                earned.passed += usize::from(!fails);
                let options = Options { audience: suite.audience, ..Options::default() };
                fails.then(|| failed_test(report, &case, &options))
            }
            Err(error) => {
                earned.not_graded +=
                    usize::from(matches!(error, GradeError::Fault(_) | GradeError::Killed(_)));
                let words = Words::new(suite.loaded.exercise.lang);
                let message = words.error(&suite.audience.sees_error(&error.into()));
                Some(FailedTest { summary: message.clone(), text: message })
            }
        };
        let Some(FailedTest { summary, text }) = failed else { return Ok(()) };
        lock(&self.failures).push((self.printed)(&summary));
        Err((self.printed)(&text).into())
    }
}

#[expect(clippy::print_stdout, reason = "a test program ends with its result on the terminal")]
fn print(text: &str) {
    print!("{text}");
}

#[expect(clippy::print_stderr, reason = "the runner reads why a test failed from standard error")]
fn print_error(text: &str) {
    eprint!("{text}");
}
