//! Each case as a test in cargo's style: filters, `--list`, `--exact`, and cargo's exit code.
//!
//! The names are stable: `codenames::spec_session`, with the submission's name before it if it is one of a
//! folder. The tests of a submission share its grading, on the cases that the arguments select. Threads of
//! their own grade, so that the tests are run and printed in order.

use crate::adapter::{Fault, Launcher};
use crate::cache;
use crate::case::{Case, Loaded, Points};
use crate::compare::diff::visible;
use crate::event::{CaseReport, SubmissionReport};
use crate::grade::{GradedSubmission, Grader, Worker};
use crate::grade::{counted_cases, counts_for};
use crate::judge::{GradeError, References, Selection, Settings};
use crate::languages::Interpreters;
use crate::report::words::Words;
use crate::report::{self, Audience, FailedTest, Grade, Options, Tally, failed_test};
use crate::sandbox::{Tier, Tools, keep_to_core, lock};
use crate::submission::Submission;
use libtest_mimic::{Arguments, Failed, FormatSetting, Trial};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock};
use std::thread::available_parallelism;

/// The variable that cargo-nextest sets for the tests that it runs.
const NEXTEST: &str = "NEXTEST";

/// The name before those of the tests of references.
pub const REFERENCE: &str = "reference";

/// The test of a submission that cannot be graded.
const UNGRADED_TEST: &str = "can_be_graded";

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
    role: Role,
    interpreters: Interpreters,
    references: Option<Arc<References>>,
    /// The folder in which compiled drivers are kept.
    cache: Option<PathBuf>,
    audience: Audience,
    graded: OnceLock<Graded>,
    progress: Mutex<SuiteProgress>,
}

/// The role of a suite's submission in the run.
#[derive(Clone, Copy)]
enum Role {
    /// The only submission.
    Only,
    /// One of a folder.
    AmongOthers,
    /// The exercise's own reference.
    Reference,
}

/// A submission that cannot be graded. It has one test, which fails.
#[derive(Debug)]
pub struct Ungraded {
    /// The name of the submission.
    pub name: String,
    /// The reason, as a sentence.
    pub reason: String,
    /// Whether keur could not do its work: it is no fault of the submission.
    pub is_fault: bool,
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
            role: Role::Only,
            cache: cache::trusted(&tools),
            interpreters: Interpreters::among(tools),
            references: None,
            audience: Audience::Student,
            graded: OnceLock::new(),
            progress: Mutex::default(),
        }
    }

    /// Puts the name of the submission before those of its tests, since it is one of a folder.
    pub fn among_others(self) -> Suite {
        Suite { role: Role::AmongOthers, ..self }
    }

    /// Puts [`REFERENCE`] before the names of the tests, and says of each that fails that the case may be
    /// wrong: the submission is the exercise's own reference.
    pub fn of_reference(self) -> Suite {
        Suite { role: Role::Reference, ..self }
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

    /// The name of the test of the case of this name.
    fn test_name(&self, case: &str) -> String {
        let name = format!("{}::{case}", self.loaded.exercise.name);
        let name = match self.role {
            Role::Only => name,
            Role::AmongOthers => format!("{}::{name}", self.name),
            Role::Reference => format!("{REFERENCE}::{name}"),
        };
        visible(&name, false)
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
        let line = match self.role {
            Role::Only => format!("{totals}\n"),
            Role::AmongOthers => format!("{}: {totals}\n", visible(&self.name, false)),
            Role::Reference => format!("{REFERENCE}::{}: {totals}\n", exercise.name),
        };
        (ran > 0).then_some(line)
    }
}

/// The suites of a run, and the arguments that select their tests.
pub struct Suites {
    suites: Vec<Suite>,
    ungraded: Vec<Ungraded>,
    /// The names of those whose test has run.
    told: Mutex<BTreeSet<String>>,
    arguments: Arguments,
    /// The number of threads that grade.
    threads: usize,
    /// Makes a text printable: not everywhere may every text be printed as it is.
    printed: fn(&str) -> String,
    /// Whether the threads that grade were started.
    grading: Once,
    /// The reasons why tests failed, a line each.
    failures: Mutex<Vec<String>>,
}

impl Suites {
    /// The suites of a run with these arguments, and submissions without any.
    pub fn new(suites: Vec<Suite>, ungraded: Vec<Ungraded>, arguments: Arguments) -> Arc<Suites> {
        Suites::printed_as(str::to_owned, suites, ungraded, arguments)
    }

    /// The suites of a run, whose names and messages are printed as `printed` makes them.
    pub fn printed_as(
        printed: fn(&str) -> String,
        suites: Vec<Suite>,
        ungraded: Vec<Ungraded>,
        mut arguments: Arguments,
    ) -> Arc<Suites> {
        let threads = arguments.test_threads.or_else(|| available_parallelism().ok().map(Into::into));
        let threads = threads.unwrap_or(1).min(suites.len());
        if !suites.is_empty() {
            // The tests only wait for the threads that grade, and are printed in order.
            arguments.test_threads = Some(1);
        }
        Arc::new(Suites {
            suites,
            ungraded,
            told: Mutex::default(),
            arguments,
            threads,
            printed,
            grading: Once::new(),
            failures: Mutex::default(),
        })
    }

    /// A test for each case that counts, and for each submission that cannot be graded, but for those that
    /// ran already.
    pub fn trials(self: &Arc<Suites>) -> Vec<Trial> {
        let of_suite = |(index, suite): (usize, &Suite)| {
            let ran = suite.progress().cases.clone();
            let cases = suite.cases().filter(move |case| !ran.contains(&case.name));
            let trial = |case: &Case| {
                let suites = Arc::clone(self);
                let name = case.name.clone();
                Trial::test(self.test_name(suite, &case.name), move || suites.run_test(index, name))
            };
            cases.map(trial).collect::<Vec<Trial>>()
        };
        let told = lock(&self.told).clone();
        let waiting = self.ungraded.iter().filter(move |ungraded| !told.contains(&ungraded.name));
        let ungraded = waiting.map(|ungraded| {
            let name = visible(&format!("{}::{UNGRADED_TEST}", ungraded.name), false);
            let suites = Arc::clone(self);
            let of = ungraded.name.clone();
            let reason = (self.printed)(&ungraded.reason);
            Trial::test((self.printed)(&name), move || {
                lock(&suites.told).insert(of);
                lock(&suites.failures).push(reason.clone());
                Err(reason.into())
            })
        });
        self.suites.iter().enumerate().flat_map(of_suite).chain(ungraded).collect()
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
        let told = lock(&self.told);
        let is_fault = |ungraded: &&Ungraded| ungraded.is_fault && told.contains(&ungraded.name);
        let faults = self.ungraded.iter().filter(is_fault);
        let earned = self.suites.iter().map(|suite| suite.progress().earned);
        earned.chain(faults.map(|_| Earned { not_graded: 1, ..Earned::default() })).collect()
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

    fn test_name(&self, suite: &Suite, case: &str) -> String {
        (self.printed)(&suite.test_name(case))
    }

    /// The names of the cases of a suite whose tests the arguments select.
    fn selected(&self, suite: &Suite) -> BTreeSet<String> {
        let is_selected = |case: &&Case| {
            !self.arguments.is_filtered_out(&Trial::test(self.test_name(suite, &case.name), || Ok(())))
        };
        suite.cases().filter(is_selected).map(|case| case.name.clone()).collect()
    }

    /// The result of the suite at this index. The first test that runs begins to grade all suites.
    fn graded(self: &Arc<Suites>, index: usize) -> &Graded {
        self.grading.call_once(|| {
            let next = Arc::new(AtomicUsize::new(0));
            for number in 0..self.threads {
                let (suites, next) = (Arc::clone(self), Arc::clone(&next));
                std::thread::spawn(move || suites.grade_all(number, &next));
            }
        });
        self.suites[index].graded.wait()
    }

    /// Grades the suites that have tests to run, one after the other, on the thread of this number.
    fn grade_all(&self, number: usize, next: &AtomicUsize) {
        keep_to_core(number, self.threads);
        let mut idle = None;
        while let Some(suite) = self.suites.get(next.fetch_add(1, Ordering::Relaxed)) {
            let selected = self.selected(suite);
            if selected.is_empty() {
                continue;
            }
            let mut worker = idle.take().unwrap_or_else(|| {
                let launcher = Launcher::new(Tier::default(), 0).caching_in(suite.cache.clone());
                let mut worker = Worker::new(launcher);
                worker.expect_more(self.suites.len() > 1);
                worker
            });
            let graded = catch_unwind(AssertUnwindSafe(|| suite.grade(&mut worker, selected)));
            // After a panic, nobody knows in what state the worker is.
            idle = graded.is_ok().then_some(worker);
            let panicked = || Err(Fault::new("keur panicked while it graded this submission").into());
            let _ = suite.graded.set(graded.unwrap_or_else(|_| panicked()));
        }
    }

    /// Runs the test of a case.
    fn run_test(self: &Arc<Suites>, index: usize, case: String) -> Result<(), Failed> {
        let suite = &self.suites[index];
        let graded = self.graded(index);
        let mut progress = suite.progress();
        progress.cases.insert(case.clone());
        let earned = &mut progress.earned;
        let graded = match graded {
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
                fails.then(|| {
                    let mut failed = failed_test(report, &case, |case| suite.test_name(case), &options);
                    if let Role::Reference = suite.role {
                        failed.text += &reference_advice(graded);
                    }
                    failed
                })
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

/// The advice for a case that the exercise's own reference fails.
fn reference_advice(case: Option<&CaseReport>) -> String {
    let finding = case.and_then(|case| case.finding.as_deref());
    let place = finding.map(|finding| format!(": {}", finding.place)).unwrap_or_default();
    format!("\n\nthis is the reference of the exercise: either it or the case is wrong{place}")
}

#[expect(clippy::print_stdout, reason = "a test program ends with its result on the terminal")]
fn print(text: &str) {
    print!("{text}");
}

#[expect(clippy::print_stderr, reason = "the runner reads why a test failed from standard error")]
fn print_error(text: &str) {
    eprint!("{text}");
}
