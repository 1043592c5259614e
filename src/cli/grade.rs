//! `keur grade`.

use super::sinks::Sinks;
use super::{Exit, GradeArgs, library_error, output};
use crate::adapter::Hosts;
use crate::build::{BuildSettings, Builder};
use crate::case::{Exercise, Library, LibraryError, LimitsPatch, Loaded, Points};
use crate::driver::{self, Interpreters};
use crate::event::{RunError, SubmissionReport};
use crate::grade::{Grader, Settings, counted};
use crate::sandbox::{self, Cancel, Tier, Tools};
use crate::submission;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

/// Submissions from which on a terminal shows how far the run is.
const MANY: usize = 5;

/// Time after a first Ctrl-C within which another one is taken for the same.
const SECOND_THOUGHT: Duration = Duration::from_secs(1);

/// The first seed of hashes and random numbers, the same in every run so that grades are.
const SEED: u32 = 0;

pub(super) fn run(args: &GradeArgs) -> Exit {
    graded(args).0
}

/// Grades and writes the reports; gives them too, none where nothing was graded.
pub(super) fn graded(args: &GradeArgs) -> (Exit, Vec<SubmissionReport>) {
    let paths = match paths(args) {
        Ok(paths) => paths,
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            return (Exit::Usage, Vec::new());
        }
    };
    let run = match Run::new(args, &paths) {
        Ok(run) => run,
        Err(exit) => return (exit, Vec::new()),
    };
    match Sinks::open(&args.format, &args.style, args.lang, (args.audience, args.sort), paths.len() > 1) {
        Ok(mut sinks) => run.all(&paths, &mut sinks),
        Err((exit, message)) => {
            output::err(&format!("error: {message}\n"));
            (exit, Vec::new())
        }
    }
}

/// The submissions that were asked for.
fn paths(args: &GradeArgs) -> Result<Vec<PathBuf>, String> {
    let mut paths = args.paths.clone();
    for folder in &args.each {
        let entries = submission::entries(folder)?;
        if entries.is_empty() {
            return Err(format!("{}: the folder is empty", folder.display()));
        }
        paths.extend(entries);
    }
    if paths.is_empty() && args.command.is_some() {
        // The program is the submission itself.
        paths.push(PathBuf::from("-"));
    }
    if paths.is_empty() {
        return Err("nothing to grade; name a submission, or a folder of them with --each".to_owned());
    }
    Ok(paths)
}

/// What a worker tells of the submission of an index.
enum News {
    /// It has come so far.
    SoFar(SubmissionReport),
    /// It is graded.
    Graded(usize, SubmissionReport),
}

/// What the workers of a run share.
struct Run<'a> {
    args: &'a GradeArgs,
    cases: Library,
    settings: Settings,
    interpreters: Interpreters,
    tier: Tier,
    builder: Builder,
    exercises: Vec<Exercise>,
    /// Exercises that were loaded, or have been said to be wrong.
    loaded: Mutex<BTreeMap<String, Option<Arc<Loaded>>>>,
    exit: Mutex<Exit>,
    cancel: Cancel,
}

impl<'a> Run<'a> {
    fn new(args: &'a GradeArgs, paths: &[PathBuf]) -> Result<Run<'a>, Exit> {
        let library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
        let fail = |error: LibraryError| library_error(&error, &args.style);
        let names = match &args.exercise {
            Some(name) => vec![name.clone()],
            None => library.names().map_err(fail)?,
        };
        let exercises =
            names.iter().map(|name| library.describe(name)).collect::<Result<Vec<_>, _>>().map_err(fail)?;
        let tier = args.confine.unwrap_or_default();
        if let Err(lack) = sandbox::available(tier) {
            output::err(&format!(
                "error: the tier `{}` of confinement cannot be had here: {lack}\n",
                tier.name()
            ));
            output::err("`keur doctor` shows what this machine has; --confine portable grades without it\n");
            return Err(Exit::Fault);
        }
        if tier == Tier::Portable {
            output::err(sandbox::PORTABLE_WARNING);
        }
        let cancel = Cancel::default();
        // What a submission brings along is no tool of keur's.
        let tools = Tools::on_path(&args.each.iter().chain(paths).cloned().collect::<Vec<_>>());
        let builder = args.crates.settings(tools.clone()).map_err(|message| {
            output::err(&format!("error: {message}\n"));
            Exit::Usage
        })?;
        let builder = BuildSettings { cancel: cancel.clone(), ..builder };
        let builder = Builder::new(builder, tier);
        let mut interpreters = Interpreters::among(tools);
        let named = [("python", &args.python), ("javascript", &args.node), ("java", &args.java)];
        for (language, program) in named {
            if let (Some(driver), Some(program)) = (driver::find(language), program) {
                interpreters.name(driver, program.clone());
            }
        }
        let chosen = args.engine.as_deref();
        if let Some(engine) = driver::engines().find(|engine| Some(engine.engine) == chosen) {
            interpreters.choose(engine);
        }
        let limits = &args.limits;
        let limits = LimitsPatch {
            cpu: limits.cpu,
            wall: limits.wall,
            memory: limits.memory,
            output: limits.output,
            submission: limits.budget,
        };
        let (only, command) = (args.only.clone(), args.command.clone());
        let settings = Settings { limits, rulings: args.rulings, only, exactly: None, command };
        let asked = cancel.clone();
        let mut first: Option<Instant> = None;
        // Without a handler Ctrl-C just ends the run. Some launchers pass one on twice: only a later one is a second.
        let _ = ctrlc::set_handler(move || {
            asked.cancel();
            if first.get_or_insert_with(Instant::now).elapsed() > SECOND_THOUGHT {
                std::process::exit(Exit::Fault as i32);
            }
        });
        Ok(Run {
            args,
            cases: library,
            settings,
            interpreters,
            tier,
            builder,
            exercises,
            loaded: Mutex::default(),
            exit: Mutex::new(Exit::Passed),
            cancel,
        })
    }

    /// Grades every path on as many workers as were asked for, and reports in the order of the paths.
    fn all(&self, paths: &[PathBuf], sinks: &mut Sinks) -> (Exit, Vec<SubmissionReport>) {
        let shown: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let names = submission::distinct_names(&shown);
        let workers = self.args.jobs.unwrap_or_else(default_jobs).clamp(1, paths.len());
        let next = AtomicUsize::new(0);
        let bar = progress(paths.len());
        let (sender, receiver) = mpsc::channel();
        let mut reports = Vec::with_capacity(paths.len());
        // What is told of several at once could not be told in their order.
        let live = sinks.are_live() && paths.len() == 1;
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let sender = sender.clone();
                let (next, names) = (&next, &names);
                scope.spawn(move || {
                    #[cfg(target_os = "linux")]
                    sandbox::keep_to_core(worker, workers);
                    #[cfg(not(target_os = "linux"))]
                    let _ = worker;
                    let seeds = SEED..SEED + self.args.repeat;
                    let host = |seed| Hosts::new(self.tier, seed).cancelled_by(self.cancel.clone());
                    let mut hosts: Vec<Hosts> = seeds.map(host).collect();
                    while !self.cancel.is_cancelled() {
                        let index = next.fetch_add(1, Ordering::SeqCst);
                        let (Some(path), Some(name)) = (paths.get(index), names.get(index)) else { break };
                        let more = next.load(Ordering::SeqCst) < paths.len();
                        hosts.iter_mut().for_each(|hosts| hosts.expect_more(more));
                        // Whoever reads the news is there until the last worker ends.
                        let watch = |report: &SubmissionReport| {
                            let _ = if live { sender.send(News::SoFar(report.clone())) } else { Ok(()) };
                        };
                        let report = self.grade(&mut hosts, path, name, &watch);
                        // What was cut off says nothing.
                        if self.cancel.is_cancelled() {
                            break;
                        }
                        if sender.send(News::Graded(index, report)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // What is graded early waits for what was given before it.
            let mut waiting = BTreeMap::new();
            for news in receiver {
                match news {
                    News::SoFar(report) => sinks.so_far(&report, reports.len()),
                    News::Graded(index, report) => {
                        bar.inc(1);
                        waiting.insert(index, report);
                    }
                }
                while let Some(report) = waiting.remove(&reports.len()) {
                    bar.suspend(|| sinks.submission(&report, reports.len()));
                    reports.push(report);
                }
            }
            reports.extend(waiting.into_values());
        });
        bar.finish_and_clear();
        let lost = sinks.end(&reports);
        for message in &lost {
            output::err(&format!("error: {message}\n"));
            self.raise(Exit::Fault);
        }
        let exit = *lock(&self.exit);
        if reports.len() < paths.len() {
            output::err(&format!(
                "interrupted: {} of {} submissions were graded\n",
                reports.len(),
                paths.len()
            ));
            return (exit.max(Exit::Fault), reports);
        }
        (exit, reports)
    }

    fn grade(
        &self,
        hosts: &mut [Hosts],
        path: &Path,
        name: &str,
        watch: &dyn Fn(&SubmissionReport),
    ) -> SubmissionReport {
        // An interpreter takes as long to start as the cases take to read: the file's name tells which it will be.
        let ending = path.file_name().and_then(|name| driver::of_file(&name.to_string_lossy()));
        if let Some(driver) = ending
            && self.settings.command.is_none()
            && let Ok(interpreter) = self.interpreters.find(driver)
        {
            hosts.iter_mut().for_each(|hosts| hosts.prepare(interpreter.driver, &interpreter.program));
        }
        match self.try_grade(hosts, path, name, watch) {
            Ok(report) => {
                if !report.passed() && !self.args.exit_zero {
                    self.raise(Exit::Failed);
                }
                report
            }
            Err((exit, error)) => {
                if !(exit == Exit::Failed && self.args.exit_zero) {
                    self.raise(exit);
                }
                ungraded(path, name, error)
            }
        }
    }

    fn try_grade(
        &self,
        hosts: &mut [Hosts],
        path: &Path,
        name: &str,
        watch: &dyn Fn(&SubmissionReport),
    ) -> Result<SubmissionReport, (Exit, RunError)> {
        let usage = |message: String| (Exit::Usage, RunError::Usage(message));
        let alone =
            self.settings.command.is_some() && self.args.paths.is_empty() && self.args.each.is_empty();
        let exercises: Vec<&Exercise> = self.exercises.iter().collect();
        let mut opened = if alone {
            None
        } else {
            Some(submission::open(path).map_err(|error| usage(error.to_string()))?)
        };
        if let Some(opened) = &mut opened
            && self.settings.command.is_none()
            && let Some(problem) = opened.nothing(&exercises)
        {
            return Err((Exit::Failed, RunError::Nothing(problem)));
        }
        let exercise = match (exercises.as_slice(), &mut opened) {
            ([only], _) => *only,
            (several, Some(opened)) => {
                self.builder.exercise(opened, several).map_err(|error| usage(error.to_string()))?
            }
            (_, None) => return Err(usage("--command needs --exercise".to_owned())),
        };
        let submission = match opened {
            Some(opened) if self.settings.command.is_some() => opened.submission_of_program(exercise),
            Some(opened) => self
                .builder
                .submission(opened, exercise)
                .map_err(|fault| (Exit::Fault, RunError::Fault(fault.message)))?,
            None => submission::program(path),
        };
        if let Some(problem) = submission.nothing() {
            return Err((Exit::Failed, RunError::Nothing(problem.clone())));
        }
        let loaded = self.load(&exercise.name)?;
        if counted(&loaded, &self.settings).is_empty() {
            let message =
                format!("no case of {} is graded: there is none, or --case leaves none", exercise.name);
            let exit = if self.settings.only.is_empty() { Exit::BadCase } else { Exit::Usage };
            return Err((exit, RunError::Usage(message)));
        }
        Grader::new(&loaded, &self.settings, &self.interpreters)
            .watched(watch)
            .grade_repeatedly(hosts, name, &submission)
            .map_err(|fault| (Exit::Fault, RunError::Fault(fault.message)))
    }

    /// An exercise with its cases, loaded once; what is wrong with them is said once too.
    fn load(&self, name: &str) -> Result<Arc<Loaded>, (Exit, RunError)> {
        let mut loaded = lock(&self.loaded);
        let found = loaded.entry(name.to_owned()).or_insert_with(|| match self.cases.load(name) {
            Ok(loaded) => Some(Arc::new(loaded)),
            Err(error) => {
                self.raise(library_error(&error, &self.args.style));
                None
            }
        });
        found.clone().ok_or_else(|| {
            let message = format!("the cases of {name} are wrong; see the errors above");
            (Exit::BadCase, RunError::Fault(message))
        })
    }

    /// Ends the run with `exit`, unless something worse happened.
    fn raise(&self, exit: Exit) {
        let mut worst = lock(&self.exit);
        *worst = exit.max(*worst);
    }
}

/// What a panicking worker left is as good as before: each value is replaced whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A bar on a terminal, for more than a few submissions; in a pipe there is none.
fn progress(count: usize) -> ProgressBar {
    if count < MANY || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:30} {pos}/{len} · {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn ungraded(path: &Path, name: &str, error: RunError) -> SubmissionReport {
    SubmissionReport {
        name: name.to_owned(),
        path: path.display().to_string(),
        files: Vec::new(),
        exercise: None,
        runtime: None,
        points: Points::ZERO,
        max_points: Points::ZERO,
        cases: Vec::new(),
        warnings: Vec::new(),
        error: Some(error),
    }
}
