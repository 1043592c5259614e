//! Runs: many submissions, graded by several workers at once, and reported as events in the order of the
//! submissions.
//!
//! A [`GradeRequest`] says what to grade: the command line, the judges of other systems and tests make one.

pub mod build;
mod completing;
mod hunting;
mod in_order;
mod own;
mod pool;
mod request;
mod samples;
mod suites;

pub use request::{GradeRequest, RequestError, Subject, Submissions};

#[doc(hidden)]
pub use {
    completing::{CompletedTask, GradeTask},
    own::OwnReference,
    samples::{FailedCase, FailedCases, Sample, SamplesError, failed_cases, samples},
    suites::{FoundSuites, SuitesError, TestReader, suite, suites},
};

use build::Builder;
use in_order::{InOrder, News, Update};
use keur_core::adapter::Launcher;
use keur_core::cache;
use keur_core::case::{Exercise, Loaded};
use keur_core::event::{Event, ExerciseError, RunError, SelectionError, SubmissionReport};
use keur_core::grade::{CountedCases, FinishedCase, Grader, Worker, counted_cases, info, info_without_cases};
use keur_core::judge::{KnownCases, References, Selection, Settings};
use keur_core::languages;
use keur_core::submission::opened::ClassZips;
use keur_core::submission::{self, Runner, Submission};
use keur_sandbox::lock;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The first seed of hashes and random numbers, the same in every run so that grades are reproducible.
#[doc(hidden)]
pub const SEED: u32 = 0;

/// A run that is ready to start.
pub struct Run {
    request: GradeRequest,
    builder: Arc<Builder>,
    /// The own references of the exercises, each asked once.
    references: Arc<References>,
    exercises: Vec<Exercise>,
    /// Exercises with their cases, or why they could not be loaded.
    loaded: Mutex<BTreeMap<String, Result<Arc<Loaded>, RunError>>>,
    /// The zips that submissions are in.
    zips: ClassZips,
}

impl Run {
    /// Prepares a run.
    ///
    /// # Errors
    /// The exercises cannot be read, or this system does not have the confinement.
    pub fn new(request: GradeRequest) -> Result<Run, RequestError> {
        let names = match &request.exercise {
            Some(name) => vec![name.clone()],
            None => request.library.names().map_err(RequestError::Library)?,
        };
        let described: Result<Vec<_>, _> = names.iter().map(|name| request.library.describe(name)).collect();
        Run::assemble(request, described.map_err(RequestError::Library)?)
    }

    /// Prepares a run with an exercise that is already loaded, in place of those of the request's library.
    ///
    /// # Errors
    /// This system does not have the confinement.
    pub fn for_exercise(request: GradeRequest, loaded: Arc<Loaded>) -> Result<Run, RequestError> {
        let exercise = loaded.exercise.clone();
        let known = BTreeMap::from([(exercise.name.clone(), Ok(loaded))]);
        let run = Run::assemble(request, vec![exercise])?;
        Ok(Run { loaded: Mutex::new(known), ..run })
    }

    fn assemble(request: GradeRequest, exercises: Vec<Exercise>) -> Result<Run, RequestError> {
        request.check_tier()?;
        let builder = Builder::new(request.build.clone(), request.tier, request.cancel.clone());
        let builder = Arc::new(builder);
        let opener = Arc::clone(&builder);
        let references = References::new(move |exercise, path| own::opened(&opener, exercise, path));
        Ok(Run {
            request,
            builder,
            references: Arc::new(references),
            exercises,
            loaded: Mutex::default(),
            zips: ClassZips::default(),
        })
    }

    /// Grades every submission on the requested number of workers, and reports the events to `tell`.
    pub fn grade(&self, tell: &mut dyn FnMut(&Event<'_>)) {
        let paths = self.request.subject.paths();
        let shown: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let names = submission::opened::distinct_names(&shown);
        tell(&Event::RunStarted { submissions: paths.len() });
        let mut in_order = InOrder::new(tell);
        self.pool(
            self.request.jobs.min(paths.len()).max(1),
            paths.iter().zip(&names).enumerate(),
            &|worker, (index, (path, name)), send| {
                let update = |news| Update { submission: index, news };
                let report = self.grade_one(worker, path, name, &|news| send(update(news)));
                update(News::Graded(Arc::new(report)))
            },
            |update| in_order.take(update),
        );
        tell(&Event::RunFinished);
    }

    fn grade_one(
        &self,
        worker: &mut Worker,
        path: &Path,
        name: &str,
        tell: &dyn Fn(News),
    ) -> SubmissionReport {
        self.prepare(worker, self.request.repeat, path);
        let graded = self.open(path, None).and_then(|(loaded, submission)| {
            let grader = Grader::new(&loaded, &self.request.settings, &self.request.interpreters)
                .with_references(&self.references)
                .repeated(self.request.repeat);
            let head = grader.head(name, &submission);
            let watch = |FinishedCase { index, report, runtime }: FinishedCase| {
                // The runtime is known once the first case has run.
                if index == 0 {
                    tell(News::Started(Box::new(SubmissionReport { runtime, ..head.clone() })));
                }
                tell(News::Case(index, Box::new(report)));
            };
            let mut report = grader.watched(&watch).grade(worker, name, &submission)?;
            self.add_hunted(worker.launcher(), &loaded, &submission, &mut report)?;
            Ok(report)
        });
        graded.unwrap_or_else(|error| self.ungraded(path, name, error))
    }

    /// Starts the interpreter of the submission at `path`, if its name shows which one it will be: that takes
    /// as long as the cases take to read.
    fn prepare(&self, worker: &mut Worker, gradings: u32, path: &Path) {
        let ending = path.file_name().and_then(|name| languages::of_file(&name.to_string_lossy()));
        if let Some(language) = ending
            && matches!(&self.request.subject, Subject::Submissions(Submissions { command: None, .. }))
            && let Ok(interpreter) = self.request.interpreters.find(language)
        {
            worker.prepare(gradings, interpreter.engine, &interpreter.program);
        }
    }

    /// Starts the processes of submissions in their first grading.
    fn launcher(&self) -> Launcher {
        let cache = cache::trusted(&self.request.build.tools);
        Launcher::new(self.request.tier, SEED).cancelled_by(self.request.cancel.clone()).caching_in(cache)
    }

    /// Opens the submission at `path`, with its exercise and the cases; a crate is built. If a file of it is
    /// chosen, that one counts.
    ///
    /// # Errors
    /// There is nothing to grade, the exercise cannot be determined, its cases are wrong, or it cannot be
    /// built.
    pub(crate) fn open(
        &self,
        path: &Path,
        chosen: Option<&str>,
    ) -> Result<(Arc<Loaded>, Submission), RunError> {
        let (exercise, submission) = self.submission(path, chosen)?;
        Ok((self.load(&exercise.name)?, submission))
    }

    /// Opens the submission at `path`, with its exercise; a crate is built.
    fn submission(&self, path: &Path, chosen: Option<&str>) -> Result<(&Exercise, Submission), RunError> {
        let exercises: Vec<&Exercise> = self.exercises.iter().collect();
        let command = match &self.request.subject {
            Subject::Submissions(submissions) => submissions.command.as_ref(),
            Subject::Program(command) => {
                let [exercise] = exercises.as_slice() else {
                    return Err(RunError::Selection(SelectionError::NoExercise));
                };
                let runner = Runner::Program { command: command.clone(), language: None };
                return Ok((exercise, submission::program(path, runner)));
            }
        };
        let opened = submission::opened::open_among(path, &self.zips)?.choosing(chosen);
        // Asked before the exercise: that would be unclear too, but only because there is no file.
        if command.is_none()
            && let Some(problem) = opened.nothing(&exercises)
        {
            return Err(RunError::Nothing(problem));
        }
        let exercise = match exercises.as_slice() {
            [only] => *only,
            several => self.builder.exercise(&opened, several)?,
        };
        let submission = match command {
            Some(command) => opened.run_by_program(exercise, command.clone()),
            None => self.builder.submission(opened, exercise).map_err(RunError::Fault)?,
        };
        if let Some(problem) = submission.nothing() {
            return Err(RunError::Nothing(problem.clone()));
        }
        Ok((exercise, submission))
    }

    /// An exercise with its cases, loaded once.
    fn load(&self, name: &str) -> Result<Arc<Loaded>, RunError> {
        // A worker that panicked leaves valid data: each value is replaced whole.
        let mut loaded = lock(&self.loaded);
        loaded.entry(name.to_owned()).or_insert_with(|| self.read(name)).clone()
    }

    /// The report of a submission that cannot be graded. If its exercise is known, the report has that one's
    /// language and, unless the cases have errors, its points.
    fn ungraded(&self, path: &Path, name: &str, error: RunError) -> SubmissionReport {
        let mut report = SubmissionReport::new(name, path.display().to_string());
        let exercise = match (&error, self.exercises.as_slice()) {
            (_, [only]) => Some(only),
            (RunError::Exercise(ExerciseError::Files { exercise, .. }), several) => {
                several.iter().find(|known| known.name == *exercise)
            }
            _ => None,
        };
        report.exercise = exercise.map(info_without_cases);
        if let Some(Ok(loaded)) = exercise.map(|exercise| self.load(&exercise.name)) {
            let counted = CountedCases::new(&loaded, &self.request.settings);
            report.max_points = counted.report(&KnownCases::new()).max_points;
            report.exercise = Some(info(&loaded));
        }
        SubmissionReport { error: Some(error), ..report }
    }

    fn read(&self, name: &str) -> Result<Arc<Loaded>, RunError> {
        let loaded = self.request.library.load(name).map_err(|error| {
            let errors = Arc::new(error);
            RunError::Exercise(ExerciseError::Files { exercise: name.to_owned(), errors })
        })?;
        if counted_cases(&loaded, &self.request.settings).is_empty() {
            let settings = &self.request.settings;
            let with_rulings = Settings { rulings: true, ..settings.clone() };
            return Err(if !counted_cases(&loaded, &with_rulings).is_empty() {
                RunError::Selection(SelectionError::OnlyRulings(name.to_owned()))
            } else if settings.selection != Selection::All {
                RunError::Selection(SelectionError::NoCase(name.to_owned()))
            } else {
                RunError::Exercise(ExerciseError::Other(format!("{name} has no case")))
            });
        }
        Ok(Arc::new(loaded))
    }
}
