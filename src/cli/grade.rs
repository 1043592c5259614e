//! `keur grade`: from arguments to a request, and from events to reports and an exit code.

use super::args::{
    CrateArgs, LimitArgs, ProgramArgs, StyleArgs, audience, findings, isolation, jobs, language, order,
    program, set_up, tier,
};
use super::exit::{RunStatus, library_error, library_error_for};
use super::sinks::{Sinks, Wanted};
use super::{output, sinks};
use crate::hunt::{Length, Quest};
use crate::run::{GradeRequest, RequestError, Run};
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keur_core::adapter;
use keur_core::case::{Library, LibraryError};
use keur_core::event::{Event, RunError, SubmissionReport};
use keur_core::grade::{Isolation, Settings};
use keur_core::messages::Lang;
use keur_core::report::{Audience, Order, ShownFindings};
use keur_core::submission::FilesProblem;
use keur_core::submission::opened;
use keur_sandbox::{Cancel, Tier, Tools};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Args)]
pub(super) struct GradeArgs {
    /// Submissions: each path is one, a file, a folder of modules or a zip
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
    /// Only cases whose name contains this text
    #[arg(long = "case", value_name = "TEXT")]
    only: Vec<String>,
    /// Also count the cases that depend on a ruling
    #[arg(long)]
    rulings: bool,
    #[arg(long, value_name = "FORMAT[=PATH]", default_value = "terminal", value_parser = sinks::asked)]
    #[arg(help = format!("A report: {}; =PATH writes it to that file. May be given several times", sinks::names()))]
    format: Vec<sinks::ReportRequest>,
    /// The language of the report: nl, da or en; that of the exercise by default
    #[arg(long, value_name = "LANG", value_parser = language())]
    lang: Option<Lang>,
    /// Who reads the reports: instructor or student. A student sees of a hidden case only that it failed, its points and
    /// its hint. The default is student for formats that go to students, and instructor for all others
    #[arg(long, value_name = "WHO", value_parser = audience())]
    audience: Option<Audience>,
    /// The order of tables of submissions: given, name, exercise, or points (highest first)
    #[arg(long, value_name = "ORDER", value_parser = order(), default_value = "given")]
    sort: Order,
    /// The findings of each submission on the terminal: all, first or none. All of one submission and none of many by
    /// default
    #[arg(long, value_name = "WHICH", value_parser = findings())]
    findings: Option<ShownFindings>,
    /// Exit with 0 when everything was graded, whatever the grades
    #[arg(long)]
    exit_zero: bool,
    /// Grade this program, which speaks the protocol of docs/protocol.md, instead of starting a driver; quotes and
    /// backslashes are read as in a shell, so write a Windows path with forward slashes or in single quotes
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: Option<adapter::Command>,
    /// How strictly submissions are confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = tier())]
    confine: Option<Tier>,
    /// Submissions to grade at the same time; one per processor by default
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Grade this many times, each with another seed for hashes and random numbers; a case must pass each time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Replay this many random sessions too, after the cases: one that goes wrong is shown as a case without points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    hunt: Option<u64>,
    /// How the cases of a submission are kept apart: quick tries them in one process first, case gives each its own, both
    /// does both and fails if they differ
    #[arg(long, value_name = "FORM", value_parser = isolation(), default_value = "quick")]
    isolation: Isolation,
    #[command(flatten)]
    programs: ProgramArgs,
    /// The engine of JavaScript; node by default, or the one built into keur if there is no node
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn engines() -> PossibleValuesParser {
    PossibleValuesParser::new(
        keur_core::languages::engines()
            .filter(|engine| engine.language.engines.len() > 1)
            .map(|engine| engine.name),
    )
}

/// How often the progress of a single submission moves.
const TICK: Duration = Duration::from_millis(120);

/// A second Ctrl-C within this time counts as the first one.
const SECOND_THOUGHT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &GradeArgs) -> RunStatus {
    let wanted = Wanted {
        formats: &args.format,
        style: &args.style,
        lang: args.lang,
        audience: args.audience,
        order: args.sort,
        findings: args.findings,
        exit_zero: args.exit_zero,
    };
    match request(args) {
        Ok(request) => graded(request, &wanted, &mut |_| {}),
        Err(message) => {
            output::err(&format!("error: {message}\n"));
            RunStatus::Usage
        }
    }
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
    wanted: &Wanted<'_>,
    watch: &mut dyn FnMut(&Event<'_>),
) -> RunStatus {
    warn_if_portable(request.tier);
    let many = request.submissions.len() > 1;
    let only = request.submissions.first().filter(|path| !many && opened::may_be_class(path)).cloned();
    end_by_keyboard(request.cancel.clone());
    let run = match Run::new(request) {
        Ok(run) => run,
        Err(RequestError::Library(error)) => {
            return library_error_for(wanted.reader(), &error, wanted.style);
        }
        Err(error) => return refused(&error, wanted.style),
    };
    let sinks = match Sinks::open(wanted, many) {
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
        maybe_class: only,
        unclear: false,
        exit: RunStatus::Passed,
    };
    run.grade(&mut |event| {
        grading.event(event);
        watch(event);
    });
    grading.exit
}

/// Reports why a run cannot start.
pub(super) fn refused(error: &RequestError, style: &StyleArgs) -> RunStatus {
    match error {
        RequestError::Library(error) => library_error(error, style),
        RequestError::Tier(..) => {
            output::err(&format!("error: {error}\n"));
            output::err(
                "run `keur doctor` to see what is missing, or grade with limits only: --confine portable\n",
            );
            RunStatus::Fault
        }
    }
}

/// The request that the arguments describe.
fn request(args: &GradeArgs) -> Result<GradeRequest, String> {
    let mut submissions = args.paths.clone();
    for class in &args.each {
        submissions.extend(entries(class)?);
    }
    if submissions.is_empty() && args.command.is_none() {
        return Err("nothing to grade; name a submission, or a folder of submissions with --each".to_owned());
    }
    // A program inside a submission is never a tool for keur.
    let tools = Tools::on_path(&args.each.iter().chain(&submissions).cloned().collect::<Vec<_>>());
    let mut request = GradeRequest::new(submissions, tools);
    request.library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
    request.exercise = args.exercise.clone();
    request.tier = args.confine.unwrap_or_default();
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    request.repeat = args.repeat;
    request.hunt = args.hunt.map(|sessions| Quest { length: Length::Sessions(sessions), seed: 0 });
    request.settings = Settings {
        limits: args.limits.patch(),
        rulings: args.rulings,
        only: args.only.clone(),
        exactly: None,
        command: args.command.clone(),
        isolation: args.isolation,
    };
    set_up(&mut request, &args.programs, args.engine.as_deref(), &args.crates)?;
    Ok(request)
}

/// The submissions in a folder or a zip.
pub(super) fn entries(class: &Path) -> Result<Vec<PathBuf>, String> {
    let path = class.display();
    if !class.exists() {
        return Err(format!("{path}: there is no such file or folder"));
    }
    if !opened::may_be_class(class) {
        return Err(format!(
            "{path}: --each takes a folder or a zip of submissions; to grade one submission, omit --each"
        ));
    }
    let entries = opened::entries(class).map_err(|error| error.to_string())?;
    if entries.is_empty() {
        let kind = if class.is_dir() { "folder" } else { "zip" };
        return Err(format!("{path}: the {kind} is empty; --each takes one with a submission in each entry"));
    }
    Ok(entries)
}

/// Ends a run at Ctrl-C, or when it is asked to terminate, and keur itself at a second one.
pub(super) fn end_by_keyboard(cancel: Cancel) {
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C just ends the run. Some launchers send it twice: only a later one counts as a second.
    let _ = ctrlc::set_handler(move || {
        cancel.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SECOND_THOUGHT {
            std::process::exit(RunStatus::Fault as i32);
        }
    });
}

/// Turns the events of a run into reports, a progress bar and an exit code.
struct GradeOutput<'a> {
    wanted: &'a Wanted<'a>,
    sinks: Sinks,
    bar: ProgressBar,
    /// Submissions of the run, and those already graded.
    all: usize,
    graded: usize,
    /// The errors of cases reported so far, with their exit codes.
    told: Vec<(Arc<LibraryError>, RunStatus)>,
    /// The only path, if it may be a class.
    maybe_class: Option<PathBuf>,
    /// Whether it was not clear what to grade of a submission.
    unclear: bool,
    exit: RunStatus,
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
                self.unclear |= is_unclear(report);
                self.bar.inc(u64::from(self.all > 1));
            }
            Event::CaseFinished { .. } => self.bar.inc(u64::from(self.all == 1)),
            Event::RunFinished => self.bar.finish_and_clear(),
            Event::SubmissionStarted { .. } => {}
        }
        let (bar, sinks) = (&self.bar, &mut self.sinks);
        bar.suspend(|| sinks.event(event));
        if matches!(event, Event::RunFinished) {
            self.finish();
        }
    }

    /// The exit code for a submission. Errors of cases are reported once.
    fn exit_of(&mut self, report: &SubmissionReport) -> RunStatus {
        let failed = if self.wanted.exit_zero { RunStatus::Passed } else { RunStatus::Failed };
        match &report.error {
            None if report.passed() => RunStatus::Passed,
            None | Some(RunError::Nothing(_) | RunError::NotHandedIn | RunError::NotGraded { .. }) => failed,
            Some(RunError::NoSuchPath(_) | RunError::UnclearExercise(_) | RunError::Usage(_)) => {
                RunStatus::Usage
            }
            Some(RunError::Cases { files: None, .. }) => RunStatus::BadCase,
            Some(RunError::Cases { files: Some(files), .. }) => {
                let known =
                    self.told.iter().find(|(told, _)| Arc::ptr_eq(told, files)).map(|(_, exit)| *exit);
                known.unwrap_or_else(|| {
                    let wanted = self.wanted;
                    let exit = self.bar.suspend(|| library_error_for(wanted.reader(), files, wanted.style));
                    self.told.push((Arc::clone(files), exit));
                    exit.max(RunStatus::BadCase)
                })
            }
            Some(RunError::Fault(_)) => RunStatus::Fault,
        }
    }

    fn finish(&mut self) {
        for message in self.sinks.lost() {
            output::err(&format!("error: {message}\n"));
            self.exit = RunStatus::Fault;
        }
        if let Some(path) = self.maybe_class.as_ref().filter(|_| self.unclear) {
            let path = path.display().to_string();
            let quoted = shlex::try_quote(&path).unwrap_or_default();
            output::err(&format!(
                "help: if this is a class, grade each of its submissions: keur grade --each {quoted}\n"
            ));
        }
        if self.graded < self.all {
            output::err(&format!("interrupted: {} of {} submissions were graded\n", self.graded, self.all));
            self.exit = RunStatus::Fault;
        }
    }
}

/// Whether several exercises or files of a submission could be meant.
fn is_unclear(report: &SubmissionReport) -> bool {
    let unclear = report.error.as_ref().filter(|error| {
        matches!(error, RunError::UnclearExercise(_) | RunError::Nothing(FilesProblem::Several { .. }))
    });
    unclear.is_some()
}

pub(super) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The progress of a run on a terminal: of many submissions a bar, of a single one its cases; none in a pipe.
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
