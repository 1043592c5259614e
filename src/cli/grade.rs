//! `keur grade`: from arguments to a request, and from events to reports and an exit code.

use super::args::{EngineArgs, LimitArgs, MachineArgs, jobs, one_of, program};
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use super::sinks::{ReportSettings, Sinks};
use crate::hunt::{Length, Quest};
use crate::run::{GradeRequest, RequestError, Run, Subject, Submissions};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keur_core::adapter;
use keur_core::case::{Library, LibraryError};
use keur_core::event::{self, Event, ExerciseError, RunError, SubmissionReport};
use keur_core::judge::{Isolation, Selection, Settings};
use keur_core::submission::FilesProblem;
use keur_core::submission::opened;
use keur_sandbox::{Cancel, Tier};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Args)]
pub(super) struct GradeArgs {
    /// Submissions to grade; each path is one submission: a file, a folder of modules or a zip
    paths: Vec<PathBuf>,
    /// Grade every entry of this folder or zip as a submission
    #[arg(long, value_name = "DIR")]
    each: Vec<PathBuf>,
    /// The exercise; determined from the submission by default
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Grade only cases whose name contains this text
    #[arg(long = "case", value_name = "TEXT")]
    only: Vec<String>,
    /// Also count the cases that depend on a ruling: an answer to a question that the assignment leaves open
    #[arg(long)]
    rulings: bool,
    #[command(flatten)]
    reports: ReportSettings,
    #[command(flatten)]
    machine: MachineArgs,
    /// Grade this program, which speaks the protocol of docs/protocol.md, instead of starting a driver;
    /// quotes and backslashes are read as in a shell, so write a Windows path with forward slashes or in
    /// single quotes
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: Option<adapter::Command>,
    /// Number of submissions to grade at the same time; one per processor by default
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Number of times to grade, each with another seed for hashes and random numbers; a case must pass each
    /// time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// After the cases, also replay this many random sessions; a session that fails is shown as a case
    /// without points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    hunt: Option<u64>,
    /// How to isolate the cases of a submission: quick first tries all cases in one process, case gives each
    /// case its own process, both grades in both ways and fails if the results differ
    #[arg(long, value_name = "FORM", value_parser = one_of::<Isolation>(), default_value = "quick")]
    isolation: Isolation,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How often the progress of a single submission moves.
const TICK: Duration = Duration::from_millis(120);

/// A second Ctrl-C within this time counts as the first one.
const SECOND_THOUGHT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &GradeArgs) -> CliResult {
    graded(request(args)?, &args.reports, &mut |_| {})
}

/// Says what the weakest tier lacks, before anything is run in it.
pub(super) fn warn_if_portable(tier: Tier) {
    if tier == Tier::Portable {
        output::err(&format!(
            "warning: confinement is `portable`: {}; grade only what you would run yourself\n",
            keur_sandbox::portable_guarantees()
        ));
    }
}

/// Grades the requested submissions, writes the reports, and passes every event on to `watch`.
pub(super) fn graded(
    request: GradeRequest,
    settings: &ReportSettings,
    watch: &mut dyn FnMut(&Event<'_>),
) -> CliResult {
    end_by_keyboard(request.cancel.clone());
    warn_if_portable(request.tier);
    let mut hint = ClassHint::new(&request);
    let paths = request.subject.paths();
    let many = paths.len() > 1;
    let run = match Run::new(request) {
        Err(RequestError::Library(error @ LibraryError::Bad(_))) => Err(error),
        made => Ok(made.map_err(|error| CliError::from(error).seen_by(settings.reader()))?),
    };
    let mut sinks = Sinks::open(settings, many)?;
    let mut status = GradeStatus::new(settings);
    let mut progress = Progress::default();
    let mut tell = |event: &Event<'_>| {
        progress.event(event);
        progress.bar.suspend(|| {
            sinks.event(event);
            status.event(event);
        });
        hint.event(event);
        watch(event);
    };
    match run {
        Ok(run) => run.grade(&mut tell),
        // The reports say that the exercise has an error, as they do of a case.
        Err(error) => event::replay(&ungraded(&paths, error), &mut tell),
    }
    let written = sinks.finish();
    hint.show();
    Ok(status.finish().max(written))
}

/// The reports of submissions whose run cannot start, because a file `exercise.toml` has an error.
fn ungraded(paths: &[PathBuf], error: LibraryError) -> Vec<Arc<SubmissionReport>> {
    let shown: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let folder = match &error {
        LibraryError::Bad(files) => {
            files.first().and_then(|file| Path::new(&file.path).parent()?.file_name())
        }
        LibraryError::Missing { .. } | LibraryError::Unreadable { .. } => None,
    };
    let exercise = folder.unwrap_or_default().to_string_lossy().into_owned();
    let errors = Arc::new(error);
    let report = |(path, name): (&&Path, String)| {
        let error = ExerciseError::Files { exercise: exercise.clone(), errors: Arc::clone(&errors) };
        let report = SubmissionReport::new(name, path.display().to_string());
        Arc::new(SubmissionReport { error: Some(RunError::Exercise(error)), ..report })
    };
    shown.iter().zip(opened::distinct_names(&shown)).map(report).collect()
}

/// The request that the arguments describe.
fn request(args: &GradeArgs) -> Result<GradeRequest, CliError> {
    let Some(subject) = subject(&args.paths, &args.each, args.command.as_ref())? else {
        let message = "nothing to grade; name a submission, or a folder of submissions with --each";
        return Err(CliError::Usage(message.to_owned()));
    };
    let mut request = GradeRequest::new(subject);
    request.library = Library::from(args.cases.clone());
    request.exercise = args.exercise.clone();
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    request.repeat = args.repeat;
    request.hunt = args.hunt.map(|sessions| Quest { length: Length::Sessions(sessions), seed: 0 });
    request.settings = Settings {
        limits: args.limits.patch(),
        rulings: args.rulings,
        selection: match args.only.as_slice() {
            [] => Selection::All,
            parts => Selection::Containing(parts.to_vec()),
        },
        isolation: args.isolation,
    };
    args.machine.apply(&mut request)?;
    args.engine.apply(&mut request);
    Ok(request)
}

/// The submissions at these paths and in each of these classes, which a command may run; without any, the
/// command is what is graded.
pub(super) fn subject(
    paths: &[PathBuf],
    classes: &[PathBuf],
    command: Option<&adapter::Command>,
) -> Result<Option<Subject>, CliError> {
    let mut submissions =
        Submissions { paths: paths.to_vec(), strangers: classes.to_vec(), command: command.cloned() };
    for class in classes {
        submissions.paths.extend(entries(class)?);
    }
    if submissions.paths.is_empty() {
        return Ok(submissions.command.map(Subject::Program));
    }
    Ok(Some(submissions.into()))
}

/// The submissions in a folder or a zip.
fn entries(class: &Path) -> Result<Vec<PathBuf>, CliError> {
    let path = class.display();
    let refuse = |message: &str| Err(CliError::Usage(format!("{path}: {message}")));
    if !class.exists() {
        return refuse("there is no such file or folder");
    }
    if !opened::may_be_class(class) {
        return refuse("--each takes a folder or a zip of submissions; to grade one submission, omit --each");
    }
    let entries = opened::entries(class).map_err(|error| CliError::Usage(error.to_string()))?;
    if entries.is_empty() {
        let kind = if class.is_dir() { "folder" } else { "zip" };
        return refuse(&format!("the {kind} is empty; --each takes one with a submission in each entry"));
    }
    Ok(entries)
}

/// Ends a run at Ctrl-C, or when it is asked to terminate, and keur itself at a second one.
pub(super) fn end_by_keyboard(cancel: Cancel) {
    let mut first: Option<Instant> = None;
    // Some launchers send Ctrl-C twice: only a later one counts as a second.
    at_every_signal(move || {
        cancel.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SECOND_THOUGHT {
            std::process::exit(RunStatus::Fault as i32);
        }
    });
}

/// Acts on each signal that asks keur to end. If there can be no handler, such a signal just ends keur.
#[cfg(unix)]
fn at_every_signal(mut act: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        std::thread::spawn(move || signals.forever().for_each(|_| act()));
    }
}

/// Acts on each Ctrl-C. If there can be no handler, it just ends keur.
#[cfg(not(unix))]
fn at_every_signal(act: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(act);
}

/// Follows a run to its exit code, and shows the errors of exercises.
struct GradeStatus<'a> {
    settings: &'a ReportSettings,
    /// Submissions of the run, and those already graded.
    all: usize,
    graded: usize,
    /// The errors of exercises that were shown, each once for all submissions.
    shown: Vec<Arc<LibraryError>>,
    status: RunStatus,
}

impl GradeStatus<'_> {
    fn new(settings: &ReportSettings) -> GradeStatus<'_> {
        GradeStatus { settings, all: 0, graded: 0, shown: Vec::new(), status: RunStatus::Passed }
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Event::RunStarted { submissions } = event {
            self.all = *submissions;
        } else if let Event::SubmissionFinished { report } = event {
            self.graded += 1;
            self.status = self.status.max(self.status_of(report));
        }
    }

    fn status_of(&mut self, report: &SubmissionReport) -> RunStatus {
        let status = match &report.error {
            None if report.passed() => RunStatus::Passed,
            None => RunStatus::Failed,
            // Where the exercise is known, what is missing earns no points, as in an empty folder. The path may
            // be mistyped, so no option makes this pass.
            Some(RunError::NoSuchPath(_)) if report.exercise.is_some() => return RunStatus::Failed,
            Some(error) => {
                let error = CliError::of_submission(Path::new(&report.path), error.clone());
                if let CliError::Library(files) = &error
                    && !self.shown.iter().any(|shown| Arc::ptr_eq(shown, files))
                {
                    self.shown.push(Arc::clone(files));
                    error.seen_by(self.settings.reader()).show()
                } else {
                    error.status()
                }
            }
        };
        if status == RunStatus::Failed && self.settings.exit_zero { RunStatus::Passed } else { status }
    }

    fn finish(self) -> RunStatus {
        if self.graded == self.all {
            return self.status;
        }
        output::err(&format!("interrupted: {} of {} submissions were graded\n", self.graded, self.all));
        RunStatus::Fault
    }
}

/// Suggests `--each` for a single path that may be a class, if it was not clear what to grade of it.
struct ClassHint {
    path: Option<PathBuf>,
    unclear: bool,
}

impl ClassHint {
    fn new(request: &GradeRequest) -> ClassHint {
        let path = match request.subject.paths().as_slice() {
            [only] if opened::may_be_class(only) => Some(only.clone()),
            _ => None,
        };
        ClassHint { path, unclear: false }
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Event::SubmissionFinished { report } = event {
            self.unclear |= match &report.error {
                Some(RunError::UnclearExercise(unclear)) => unclear.lacks_test.is_none(),
                Some(RunError::Nothing(FilesProblem::Several { .. })) => true,
                _ => false,
            };
        }
    }

    fn show(&self) {
        if let Some(path) = self.path.as_ref().filter(|_| self.unclear) {
            let path = path.display().to_string();
            let quoted = shlex::try_quote(&path).unwrap_or_default();
            output::err(&format!(
                "help: if this is a class, grade each of its submissions: keur grade --each {quoted}\n"
            ));
        }
    }
}

pub(super) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The progress of a run on a terminal: of many submissions a bar, of a single one its cases; none in a pipe.
pub(super) struct Progress {
    pub(super) bar: ProgressBar,
    submissions: usize,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress { bar: ProgressBar::hidden(), submissions: 0 }
    }
}

impl Progress {
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted { submissions } => {
                self.submissions = *submissions;
                self.bar = progress(*submissions);
            }
            Event::CaseFinished { .. } if self.submissions == 1 => self.bar.inc(1),
            Event::SubmissionFinished { .. } if self.submissions > 1 => self.bar.inc(1),
            Event::RunFinished => self.bar.finish_and_clear(),
            _ => {}
        }
    }
}

/// The bar for so many submissions, or for the cases of a single one; hidden in a pipe.
pub(super) fn progress(submissions: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (length, template) = match submissions {
        1 => (None, "{spinner} cases graded: {pos} · {elapsed}"),
        many => (Some(many as u64), "{bar:30} {pos}/{len} · {eta} left"),
    };
    let mut bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar = bar.with_style(style);
    }
    if submissions == 1 {
        bar.enable_steady_tick(TICK);
    }
    bar
}
