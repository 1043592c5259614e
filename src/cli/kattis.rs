//! `keur kattis`: an output validator for Kattis and DOMjudge, for problems where the answer is a program submitted
//! as text.
//!
//! It is called as `keur kattis INPUT ANSWER FEEDBACK_DIR [flags] < submission` and reports the result as its exit
//! code.

use super::args::tier;
use super::exit::RunStatus;
use super::grade;
use super::judge::{self, Job};
use super::output;
use super::sinks::{ReportRequest, Wanted};
use crate::writing;
use clap::Args;
use keur_core::case::Points;
use keur_core::event::Event;
use keur_core::report::{Audience, Order};
use keur_core::submission::opened::LARGEST_FILE;
use keur_sandbox::Tier;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct KattisArgs {
    /// The input of the test; not used, because keur has its own cases
    input: PathBuf,
    /// The answer of the jury; not used, because keur has its own expectations
    answer: PathBuf,
    /// The folder for judgemessage.txt, teammessage.txt and score.txt
    feedback: PathBuf,
    /// The exercise; optional if there is only one
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The programming language of the submission, as exercises name it
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    language: String,
    /// How strictly submissions are confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = tier())]
    confine: Option<Tier>,
}

/// The exit codes of a validator; any other code is a judge error.
const ACCEPTED: u8 = 42;
const WRONG: u8 = 43;

/// The feedback files, and their readers.
const JUDGE: (&str, Audience) = ("judgemessage.txt", Audience::Instructor);
const TEAM: (&str, Audience) = ("teammessage.txt", Audience::Student);
const SCORE: &str = "score.txt";

pub(super) fn run(args: &KattisArgs) -> ExitCode {
    match validate(args) {
        RunStatus::Passed => ExitCode::from(ACCEPTED),
        RunStatus::Failed => ExitCode::from(WRONG),
        exit @ (RunStatus::Usage | RunStatus::BadCase | RunStatus::Fault) => exit.into(),
    }
}

fn validate(args: &KattisArgs) -> RunStatus {
    let mut source = Vec::new();
    // One extra byte shows that a submission is too large.
    if let Err(error) = io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut source) {
        output::err(&format!("error: standard input cannot be read: {error}\n"));
        return RunStatus::Fault;
    }
    let job = match Job::new(args.cases.as_deref(), args.exercise.as_deref()) {
        Ok(job) => job,
        Err(exit) => return exit,
    };
    let (_folder, request) = match job.request(&source, &args.language, args.confine) {
        Ok(request) => request,
        Err(exit) => return exit,
    };
    // The judge names it, through whatever links there are on its disk.
    let feedback = args.feedback.canonicalize().unwrap_or_else(|_| args.feedback.clone());
    let message = |(name, audience)| ReportRequest::terminal(feedback.join(name), audience);
    let formats: Vec<_> = [JUDGE, TEAM].into_iter().filter_map(message).collect();
    let wanted = Wanted {
        formats: &formats,
        style: &judge::style(),
        lang: None,
        audience: None,
        order: Order::default(),
        findings: None,
        exit_zero: false,
    };
    let mut score = Points::ZERO;
    let exit = grade::graded(request, &wanted, &mut |event| {
        if let Event::SubmissionFinished { report } = event {
            score = score + report.points;
        }
    });
    let file = feedback.join(SCORE);
    if exit <= RunStatus::Failed
        && let Err(error) = writing::write(&file, format!("{score}\n"))
    {
        output::err(&format!("error: {}: cannot be written: {error}\n", file.display()));
        return RunStatus::Fault;
    }
    exit
}
