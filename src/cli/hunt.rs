//! `keur hunt`.

use super::args::{EngineArgs, LimitArgs, MachineArgs, one_of, program};
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::grade::subject;
use super::output;
use crate::hunt::{HuntEnd, Hunted, Length, Quest, Unreached, UnreachedCall};
use crate::run::{GradeRequest, Run};
use crate::writing;
use clap::Args;
use keur_core::adapter;
use keur_core::case::{Library, parse_time};
use keur_core::event::SubmissionReport;
use keur_core::judge::Settings;
use keur_core::messages::Lang;
use keur_core::report::words::Words;
use keur_core::report::{Options, Scope, TERMINAL};
use keur_core::submission::opened;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Args)]
pub(super) struct HuntArgs {
    /// Submissions to hunt; each path is one submission: a file, a folder of modules, a zip or a crate
    paths: Vec<PathBuf>,
    /// Hunt every entry of this folder or zip as a submission
    #[arg(long, value_name = "DIR")]
    each: Vec<PathBuf>,
    /// The exercise; determined from the submission by default
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Give up after this many random sessions without a difference; 1000 by default
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    sessions: Option<u64>,
    /// Give up after this time, such as 10s, instead of after a number of sessions
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// The seed of the random sessions; the same seed gives the same sessions
    #[arg(long, value_name = "SEED", default_value = "0")]
    seed: u64,
    /// Save the session that differs as a case in this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The language of the finding: nl, da or en; that of the exercise by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
    /// Hunt this program, which speaks the protocol of docs/protocol.md, instead of starting a driver
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: Option<adapter::Command>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &HuntArgs) -> CliResult {
    let request = request(args)?;
    let paths = request.subject.paths();
    let run = Run::new(request)?;
    let shown: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let names = opened::distinct_names(&shown);
    let quest = Quest { length: length(args), seed: args.seed };
    let mut status = RunStatus::Passed;
    for (path, name) in paths.iter().zip(&names) {
        let hunted = match run.hunt(path, name, &quest) {
            Ok((report, hunted)) => print_result(args, report, &hunted),
            Err(error) => Err(CliError::of_submission(path, error)),
        };
        status = status.max(hunted.unwrap_or_else(|error| error.show()));
    }
    Ok(status)
}

fn length(args: &HuntArgs) -> Length {
    match args.time {
        Some(time) => Length::Time(time),
        None => Length::Sessions(args.sessions.unwrap_or(Quest::SESSIONS)),
    }
}

/// Prints how a hunt ended.
fn print_result(args: &HuntArgs, report: SubmissionReport, hunted: &Hunted) -> CliResult {
    let lang = args.lang.or(report.exercise.as_ref().map(|exercise| exercise.lang)).unwrap_or(Lang::En);
    let words = Words::new(lang);
    let sessions = usize::try_from(hunted.sessions).unwrap_or(usize::MAX);
    let options = Options {
        colour: output::colour(io::stdout()),
        width: output::width(),
        lang: args.lang,
        scope: Scope::OneTest,
        ..Options::default()
    };
    match &hunted.end {
        HuntEnd::NoDifference => Ok(print_none("hunt-none", &report.name, hunted, &words)),
        HuntEnd::OutOfTime => Ok(print_none("hunt-none-out-of-time", &report.name, hunted, &words)),
        HuntEnd::CutOff => {
            Ok(print_none("hunt-none-cut-off", &report.name, hunted, &words).max(RunStatus::Fault))
        }
        HuntEnd::CaseFailed(case) => {
            let failed = words.count("hunt-case-failed", sessions, &[("case", case.title.get(lang))]);
            output::out(&TERMINAL.write(&[Arc::new(report)], &options));
            output::out(&format!("{failed}\n"));
            Ok(RunStatus::Failed)
        }
        HuntEnd::NotLoaded(_) => {
            output::out(&TERMINAL.write(&[Arc::new(report)], &options));
            Ok(RunStatus::Failed)
        }
        HuntEnd::Difference(found) => {
            output::out(&TERMINAL.write(&[Arc::new(report)], &options));
            output::out(&format!("found in session {} of seed {}\n", found.session, args.seed));
            if let Some(path) = &args.save {
                writing::write_new(path, &found.text).map_err(CliError::write(path))?;
                output::out(&format!("written to {}\n", path.display()));
            }
            Ok(RunStatus::Failed)
        }
    }
}

/// Prints that no session differed, with this message.
fn print_none(message: &str, name: &str, hunted: &Hunted, words: &Words) -> RunStatus {
    let sessions = usize::try_from(hunted.sessions).unwrap_or(usize::MAX);
    let none = words.count(message, sessions, &[]);
    output::out(&format!("{name}: {none}{}\n", unreached(hunted, words)));
    for (message, sessions) in [("hunt-unsettled", hunted.unsettled), ("hunt-endless", hunted.endless)] {
        if let Some(sessions) = usize::try_from(sessions).ok().filter(|sessions| *sessions > 0) {
            output::out(&format!("{}\n", words.count(message, sessions, &[])));
        }
    }
    // What was not tried may differ.
    if hunted.unreached.is_empty() { RunStatus::Passed } else { RunStatus::Fault }
}

/// The calls of the cases that no session reached, as the end of the sentence that there is no difference.
fn unreached(hunted: &Hunted, words: &Words) -> String {
    let gap = |UnreachedCall { call, why }: &UnreachedCall| {
        let message = match why {
            Unreached::NeverCalled => "hunt-never-called",
            Unreached::AlwaysFailed => "hunt-always-failed",
        };
        words.with(message, &[("call", call)])
    };
    let gaps: Vec<String> = hunted.unreached.iter().map(gap).collect();
    if gaps.is_empty() {
        String::new()
    } else {
        format!("; {}\n{}", gaps.join(", "), words.say("hunt-unreached"))
    }
}

/// Checks, before anything is hunted, that a new file can have this path.
fn can_be_saved(path: &Path) -> Result<(), CliError> {
    let shown = path.display();
    if path.symlink_metadata().is_ok() {
        let help = "choose another name for --save, or remove it first";
        return Err(CliError::Usage(format!("{shown} exists already; {help}")));
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => {
            Err(CliError::Usage(format!("{shown}: there is no folder {}; make it first", folder.display())))
        }
        None => Ok(()),
    }
}

/// The request that the arguments describe.
fn request(args: &HuntArgs) -> Result<GradeRequest, CliError> {
    let Some(subject) = subject(&args.paths, &args.each, args.command.as_ref())? else {
        let message = "nothing to hunt; name a submission, or a folder of submissions with --each";
        return Err(CliError::Usage(message.to_owned()));
    };
    if subject.paths().len() > 1 && args.save.is_some() {
        return Err(CliError::Usage("--save writes the session of one submission; name one".to_owned()));
    }
    if let Some(path) = &args.save {
        can_be_saved(path)?;
    }
    let mut request = GradeRequest::new(subject);
    request.library = Library::from(args.cases.clone());
    request.exercise = args.exercise.clone();
    request.settings = Settings { limits: args.limits.patch(), ..Settings::default() };
    args.machine.apply(&mut request)?;
    args.engine.apply(&mut request);
    Ok(request)
}
