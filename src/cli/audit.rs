//! `keur audit`.

use super::args::{MachineArgs, jobs};
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::grade::{Progress, default_jobs};
use super::output;
use crate::audit::terminal::TerminalStyle;
use crate::audit::{AuditReport, Given, Proposal, audit, html, json, pick, terminal};
use crate::hunt::{Length, Quest};
use crate::run::{GradeRequest, Submissions};
use crate::writing;
use clap::{Args, ValueEnum, value_parser};
use keur_core::case::{Library, Loaded};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct AuditArgs {
    /// Audit only this exercise
    exercise: Option<String>,
    /// Audit the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Also grade the wrong submissions in this folder, or in its subfolder with the name of the exercise. If
    /// a verdicts.toml is beside the submissions, it says which are wrong. May be given several times
    #[arg(long, value_name = "DIR")]
    samples: Vec<PathBuf>,
    /// Also make mutants of this right submission in Python or JavaScript. It must pass every case that does not depend
    /// on a ruling. May be given several times
    #[arg(long, value_name = "PATH", requires = "exercise")]
    mutate: Vec<PathBuf>,
    /// Search this many random sessions for a case that kills a surviving program, as `keur hunt` does; 0 for
    /// no search
    #[arg(long, value_name = "SESSIONS", default_value_t = Quest::SESSIONS)]
    hunt: u64,
    /// The seed of the random sessions; the same seed gives the same sessions
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Instead of the audit, pick this many seeds for a case of random sessions: of the first `--hunt`, those that
    /// notice most wrong programs
    #[arg(long, value_name = "SEEDS", value_parser = value_parser!(u32).range(1..=1000), conflicts_with_all = ["propose", "format", "output", "seed"])]
    pick: Option<u32>,
    /// Write the cases that the search finds to this folder
    #[arg(long, value_name = "DIR")]
    propose: Option<PathBuf>,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AuditFormat::Terminal)]
    format: AuditFormat,
    /// Write the report to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of programs to grade at the same time; one per core by default
    #[arg(short, long, value_name = "NUMBER", value_parser = jobs)]
    jobs: Option<usize>,
    #[command(flatten)]
    machine: MachineArgs,
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

pub(super) fn run(args: &AuditArgs) -> CliResult {
    let library = Library::from(args.cases.clone());
    let exercises = match &args.exercise {
        Some(name) => vec![library.load(name)?],
        None => library.load_all()?,
    };
    let mut status = RunStatus::Passed;
    if let Some(count) = args.pick {
        for loaded in &exercises {
            match pick(loaded, given(args), request(args)?, count as usize, args.hunt) {
                Ok(picked) => output::out(&picked.to_string()),
                Err(error) => status = status.max(CliError::from(error).show()),
            }
        }
        return Ok(status);
    }
    let mut reports = Vec::new();
    for loaded in &exercises {
        match audited(args, loaded) {
            Ok(report) => {
                if report.survivors().next().is_some() {
                    status = status.max(RunStatus::Failed);
                }
                if !report.ungraded.is_empty() {
                    status = status.max(RunStatus::Fault);
                }
                reports.push(report);
            }
            Err(error) => status = status.max(error.show()),
        }
    }
    if reports.is_empty() {
        return Ok(status);
    }
    if let Err(error) = write(args, &reports) {
        status = status.max(error.show());
    }
    if let Some(folder) = &args.propose {
        status = status.max(propose(folder, &reports));
    }
    Ok(status)
}

/// Writes the cases that would kill survivors to a folder; files that exist stay as they are.
fn propose(folder: &Path, reports: &[AuditReport]) -> RunStatus {
    let mut status = RunStatus::Passed;
    for survivor in reports.iter().flat_map(AuditReport::survivors) {
        let Some(Proposal::Case(text)) = &survivor.proposal else { continue };
        let name = survivor.program.name.replace(|ch: char| !ch.is_ascii_alphanumeric(), "_");
        let path = folder.join(format!("kills_{name}.toml"));
        match writing::write_new(&path, text) {
            Ok(()) => output::err(&format!("written to {}\n", path.display())),
            Err(error) => status = CliError::write(&path)(error).show(),
        }
    }
    status
}

/// The submissions that are given.
fn given(args: &AuditArgs) -> Given<'_> {
    Given { samples: &args.samples, mutated: &args.mutate }
}

/// How the programs are run.
fn request(args: &AuditArgs) -> Result<GradeRequest, CliError> {
    let strangers = [args.samples.as_slice(), &args.mutate].concat();
    let mut request = GradeRequest::new(Submissions { strangers, ..Submissions::default() });
    request.jobs = args.jobs.unwrap_or_else(default_jobs);
    args.machine.apply(&mut request)?;
    Ok(request)
}

/// Audits an exercise.
fn audited(args: &AuditArgs, loaded: &Loaded) -> Result<AuditReport, CliError> {
    let quest = Quest { length: Length::Sessions(args.hunt), seed: args.seed };
    let quest = Some(&quest).filter(|_| args.hunt > 0);
    let mut progress = Progress::default();
    Ok(audit(loaded, given(args), request(args)?, quest, &mut |event| progress.event(event))?)
}

/// Writes the report where it belongs.
fn write(args: &AuditArgs, reports: &[AuditReport]) -> Result<(), CliError> {
    let text: String = match args.format {
        AuditFormat::Json => json::text(reports),
        AuditFormat::Html => html::text(reports),
        AuditFormat::Terminal => {
            let style = match args.output {
                Some(_) => TerminalStyle { colour: output::colour_in_files(), width: output::WIDTH },
                None => TerminalStyle { colour: output::colour(io::stdout()), width: output::width() },
            };
            reports.iter().map(|report| terminal::text(report, style)).collect()
        }
    };
    match &args.output {
        None => output::out(&text),
        Some(path) => writing::write(path, text).map_err(CliError::write(path))?,
    }
    Ok(())
}
