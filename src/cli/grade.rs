//! `keur grade`: from arguments to a request, and from events to reports and an exit code.

use super::sinks::{Asked, Sinks};
use super::{Exit, GradeArgs, StyleArgs, library_error, output};
use crate::case::{Library, LibraryError, LimitsPatch};
use crate::driver;
use crate::event::{Event, RunError, SubmissionReport};
use crate::grade::Settings;
use crate::messages::Lang;
use crate::report::{Audience, Order};
use crate::run::{GradeRequest, RequestError, Run};
use crate::sandbox::{self, Cancel, Tier, Tools};
use crate::submission;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Submissions from which on a terminal shows how far the run is.
const MANY: usize = 5;

/// Time after a first Ctrl-C within which another one is taken for the same.
const SECOND_THOUGHT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &GradeArgs) -> Exit {
    let wanted = Wanted {
        formats: &args.format,
        style: &args.style,
        lang: args.lang,
        audience: args.audience,
        order: args.sort,
        exit_zero: args.exit_zero,
    };
    match request(args) {
        Ok(request) => graded(request, &wanted, &mut |_| {}),
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            Exit::Usage
        }
    }
}

/// The reports that are wanted of a run.
pub(super) struct Wanted<'a> {
    pub(super) formats: &'a [Asked],
    pub(super) style: &'a StyleArgs,
    pub(super) lang: Option<Lang>,
    pub(super) audience: Option<Audience>,
    pub(super) order: Order,
    /// Whether failed cases leave the exit code as it is.
    pub(super) exit_zero: bool,
}

/// Grades what is asked for, writes the reports, and passes every event on to `watch`.
pub(super) fn graded(request: GradeRequest, wanted: &Wanted<'_>, watch: &mut dyn FnMut(&Event<'_>)) -> Exit {
    if request.tier == Tier::Portable {
        output::err(sandbox::PORTABLE_WARNING);
    }
    let many = request.submissions.len() > 1;
    end_by_keyboard(request.cancel.clone());
    let run = match Run::new(request) {
        Ok(run) => run,
        Err(error) => return refused(&error, wanted.style),
    };
    let sinks = Sinks::open(wanted.formats, wanted.style, wanted.lang, (wanted.audience, wanted.order), many);
    let sinks = match sinks {
        Ok(sinks) => sinks,
        Err((exit, message)) => {
            output::err(&format!("error: {message}\n"));
            return exit;
        }
    };
    let mut grading = GradeOutput {
        wanted,
        sinks,
        bar: ProgressBar::hidden(),
        all: 0,
        graded: 0,
        told: Vec::new(),
        exit: Exit::Passed,
    };
    run.grade(&mut |event| {
        grading.event(event);
        watch(event);
    });
    grading.exit
}

/// Says why a run cannot start.
fn refused(error: &RequestError, style: &StyleArgs) -> Exit {
    match error {
        RequestError::Library(error) => library_error(error, style),
        RequestError::Tier(..) => {
            output::err(&format!("error: {error}\n"));
            output::err("`keur doctor` shows what this machine has; --confine portable grades without it\n");
            Exit::Fault
        }
    }
}

/// What the arguments ask for.
fn request(args: &GradeArgs) -> Result<GradeRequest, String> {
    let mut submissions = args.paths.clone();
    for folder in &args.each {
        let entries = submission::entries(folder)?;
        if entries.is_empty() {
            return Err(format!("{}: the folder is empty", folder.display()));
        }
        submissions.extend(entries);
    }
    if submissions.is_empty() && args.command.is_none() {
        return Err("nothing to grade; name a submission, or a folder of them with --each".to_owned());
    }
    // What a submission brings along is no tool of keur's.
    let tools = Tools::on_path(&args.each.iter().chain(&submissions).cloned().collect::<Vec<_>>());
    let mut request = GradeRequest::new(submissions, tools);
    request.library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
    request.exercise = args.exercise.clone();
    request.tier = args.confine.unwrap_or_default();
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    request.repeat = args.repeat;
    request.settings = Settings {
        limits: LimitsPatch {
            cpu: args.limits.cpu,
            wall: args.limits.wall,
            memory: args.limits.memory,
            output: args.limits.output,
            submission: args.limits.budget,
        },
        rulings: args.rulings,
        only: args.only.clone(),
        exactly: None,
        command: args.command.clone(),
    };
    args.crates.apply(&mut request.build)?;
    let named = [("python", &args.python), ("javascript", &args.node), ("java", &args.java)];
    for (language, program) in named {
        if let (Some(driver), Some(program)) = (driver::find(language), program) {
            request.interpreters.name(driver, program.clone());
        }
    }
    let chosen = args.engine.as_deref();
    if let Some(engine) = driver::engines().find(|engine| Some(engine.engine) == chosen) {
        request.interpreters.choose(engine);
    }
    Ok(request)
}

/// Ends a run at Ctrl-C, keur itself at a second one.
fn end_by_keyboard(cancel: Cancel) {
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C just ends the run. Some launchers pass one on twice: only a later one is a second.
    let _ = ctrlc::set_handler(move || {
        cancel.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SECOND_THOUGHT {
            std::process::exit(Exit::Fault as i32);
        }
    });
}

/// What turns the events of a run into reports, a bar of progress, and an exit code.
struct GradeOutput<'a> {
    wanted: &'a Wanted<'a>,
    sinks: Sinks,
    bar: ProgressBar,
    /// Submissions of the run, and those that are graded.
    all: usize,
    graded: usize,
    /// What was said of wrong cases, and the exit code of each.
    told: Vec<(Arc<LibraryError>, Exit)>,
    exit: Exit,
}

impl GradeOutput<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted { submissions } => {
                self.all = *submissions;
                self.bar = progress(*submissions);
            }
            Event::SubmissionFinished { report } => {
                let exit = self.exit_of(report);
                self.exit = exit.max(self.exit);
                self.graded += 1;
                self.bar.inc(1);
            }
            Event::RunFinished => self.bar.finish_and_clear(),
            Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
        }
        let (bar, sinks) = (&self.bar, &mut self.sinks);
        bar.suspend(|| sinks.event(event));
        if matches!(event, Event::RunFinished) {
            self.finish();
        }
    }

    /// The exit code that a submission asks for. What is wrong with cases is said once.
    fn exit_of(&mut self, report: &SubmissionReport) -> Exit {
        let failed = if self.wanted.exit_zero { Exit::Passed } else { Exit::Failed };
        match &report.error {
            None if report.passed() => Exit::Passed,
            None | Some(RunError::Nothing(_)) => failed,
            Some(RunError::Usage(_)) => Exit::Usage,
            Some(RunError::Cases { files: None, .. }) => Exit::BadCase,
            Some(RunError::Cases { files: Some(files), .. }) => {
                let known =
                    self.told.iter().find(|(told, _)| Arc::ptr_eq(told, files)).map(|(_, exit)| *exit);
                known.unwrap_or_else(|| {
                    let exit = self.bar.suspend(|| library_error(files, self.wanted.style));
                    self.told.push((Arc::clone(files), exit));
                    exit.max(Exit::BadCase)
                })
            }
            Some(RunError::Fault(_)) => Exit::Fault,
        }
    }

    fn finish(&mut self) {
        for message in self.sinks.lost() {
            output::err(&format!("error: {message}\n"));
            self.exit = Exit::Fault;
        }
        if self.graded < self.all {
            output::err(&format!("interrupted: {} of {} submissions were graded\n", self.graded, self.all));
            self.exit = Exit::Fault;
        }
    }
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
