//! `keur audit`.

use super::args::{CrateArgs, ProgramArgs, StyleArgs, jobs, set_up, tier};
use super::exit::{RunStatus, library_error};
use super::grade::{default_jobs, progress, refused};
use super::output;
use crate::audit::terminal::TerminalStyle;
use crate::audit::{AuditError, AuditReport, Fate, Proposal, audit, html, json, terminal};
use crate::hunt::{Length, Quest};
use crate::run::{GradeRequest, SamplesError};
use crate::writing;
use clap::ColorChoice;
use clap::{Args, ValueEnum};
use keur_core::case::{Library, LibraryError, Loaded};
use keur_core::event::Event;
use keur_sandbox::{Tier, Tools};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct AuditArgs {
    /// Only this exercise
    exercise: Option<String>,
    /// Audit the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Also grade the wrong submissions in this folder, or in its folder with the name of the exercise. Where a
    /// verdicts.toml lies beside them, it says which are wrong. May be given several times
    #[arg(long, value_name = "DIR")]
    samples: Vec<PathBuf>,
    /// Look for a case that would kill a survivor in this many random sessions, as `keur hunt` does; 0 for none
    #[arg(long, value_name = "SESSIONS", default_value_t = Quest::SESSIONS)]
    hunt: u64,
    /// The seed of the random sessions: with the same one they are the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Write the cases that were found to this folder
    #[arg(long, value_name = "DIR")]
    propose: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AuditFormat::Terminal)]
    format: AuditFormat,
    /// Write the report to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many programs to grade at the same time; one for each core by default
    #[arg(short, long, value_name = "NUMBER", value_parser = jobs)]
    jobs: Option<usize>,
    /// How strictly programs are confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = tier())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AuditFormat {
    /// For people, in a terminal
    Terminal,
    /// For other programs
    Json,
    /// A page for a browser
    Html,
}

pub(super) fn run(args: &AuditArgs) -> RunStatus {
    let library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
    let loaded = match &args.exercise {
        Some(name) => library.load(name).map(|loaded| vec![loaded]),
        None => library.load_all(),
    };
    let exercises = match loaded {
        Ok(exercises) => exercises,
        Err(error) => return library_error(&error, &args.style),
    };
    let mut exit = RunStatus::Passed;
    let mut reports = Vec::new();
    for loaded in &exercises {
        match audited(args, loaded) {
            Ok(report) => {
                if report.count(Fate::Survived) > 0 {
                    exit = exit.max(RunStatus::Failed);
                }
                if !report.ungraded.is_empty() {
                    exit = exit.max(RunStatus::Fault);
                }
                reports.push(report);
            }
            Err(status) => exit = exit.max(status),
        }
    }
    if reports.is_empty() {
        return exit;
    }
    exit = exit.max(written(args, &reports));
    match &args.propose {
        Some(folder) => exit.max(proposed(folder, &reports)),
        None => exit,
    }
}

/// Writes the cases that would kill survivors to a folder; files that exist stay as they are.
fn proposed(folder: &Path, reports: &[AuditReport]) -> RunStatus {
    let mut exit = RunStatus::Passed;
    let survivors = reports.iter().flat_map(|report| report.of(Fate::Survived));
    for survivor in survivors {
        let Some(Proposal::Case(text)) = &survivor.proposal else { continue };
        let name = survivor.program.name.replace(|ch: char| !ch.is_ascii_alphanumeric(), "_");
        let path = folder.join(format!("kills_{name}.toml"));
        match writing::write_new(&path, text) {
            Ok(()) => output::err(&format!("written to {}\n", path.display())),
            Err(error) => {
                output::err(&format!("error: {}: cannot be written: {error}\n", path.display()));
                exit = RunStatus::Fault;
            }
        }
    }
    exit
}

/// Audits an exercise.
fn audited(args: &AuditArgs, loaded: &Loaded) -> Result<AuditReport, RunStatus> {
    let mut request = GradeRequest::new(Vec::new(), Tools::on_path(&args.samples));
    request.tier = args.confine.unwrap_or_default();
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    if let Err(message) = set_up(&mut request, &args.programs, None, &args.crates) {
        output::err(&format!("error: {message}\n"));
        return Err(RunStatus::Usage);
    }
    let quest = Quest { length: Length::Sessions(args.hunt), seed: args.seed };
    let quest = Some(&quest).filter(|_| args.hunt > 0);
    let mut bar = None;
    let report = audit(loaded, &args.samples, request, quest, &mut |event| match event {
        Event::RunStarted { submissions } => bar = Some(progress(*submissions)),
        Event::SubmissionFinished { .. } => bar.iter().for_each(|bar| bar.inc(1)),
        Event::RunFinished => bar.iter().for_each(indicatif::ProgressBar::finish_and_clear),
        Event::SubmissionStarted { .. } | Event::CaseFinished { .. } => {}
    });
    report.map_err(|error| impossible(error, &args.style))
}

/// Prints why there is no audit, and returns the exit code.
fn impossible(error: AuditError, style: &StyleArgs) -> RunStatus {
    let status = match () {
        () if error.is_fault() => RunStatus::Fault,
        () if matches!(error, AuditError::NoPrograms(_)) => RunStatus::Usage,
        () => RunStatus::BadCase,
    };
    match error {
        AuditError::Bad(errors) | AuditError::Samples(SamplesError::Bad(errors)) => {
            library_error(&LibraryError::Bad(vec![errors]), style)
        }
        AuditError::Request(error) => refused(&error, style),
        AuditError::NoPrograms(_)
        | AuditError::Samples(_)
        | AuditError::Files(..)
        | AuditError::Program(..)
        | AuditError::NotRight { .. }
        | AuditError::NotEquivalent { .. }
        | AuditError::Interpreter(_)
        | AuditError::Run(_) => {
            output::err(&format!("error: {error}\n"));
            status
        }
    }
}

/// Writes the report where it belongs.
fn written(args: &AuditArgs, reports: &[AuditReport]) -> RunStatus {
    let text = match args.format {
        AuditFormat::Json => json::text(reports),
        AuditFormat::Html => html::text(reports),
        AuditFormat::Terminal => {
            let (colour, width) = match args.output {
                Some(_) => (args.style.color == ColorChoice::Always, output::WIDTH),
                None => (output::colour(args.style.color, std::io::stdout()), output::width()),
            };
            reports.iter().map(|report| terminal::text(report, TerminalStyle { colour, width })).collect()
        }
    };
    match &args.output {
        None => output::out(&text),
        Some(path) => {
            if let Err(error) = writing::write(path, text) {
                output::err(&format!("error: {}: cannot be written: {error}\n", path.display()));
                return RunStatus::Fault;
            }
        }
    }
    RunStatus::Passed
}
