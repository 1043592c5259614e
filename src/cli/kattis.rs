//! `keur kattis`: an output validator for Kattis and DOMjudge, for problems where the answer is a program
//! submitted as text.
//!
//! It is called as `keur kattis INPUT ANSWER FEEDBACK_DIR [flags] < submission` and reports the result as its
//! exit code.

use super::args::one_of;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::grade;
use super::judge::Job;
use super::sinks::{ReportRequest, ReportSettings};
use crate::writing;
use clap::Args;
use keur_core::case::Points;
use keur_core::event::Event;
use keur_core::languages::python;
use keur_core::report::Audience;
use keur_core::submission::opened::LARGEST_FILE;
use keur_sandbox::Tier;
use std::io::{self, Read};
use std::path::PathBuf;

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
    #[arg(long, value_name = "LANGUAGE", default_value = python::LANGUAGE.name)]
    language: String,
    /// How strictly submissions are confined: strict, standard or portable; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
}

/// The feedback files, and their readers.
const JUDGE: (&str, Audience) = ("judgemessage.txt", Audience::Instructor);
const TEAM: (&str, Audience) = ("teammessage.txt", Audience::Student);
const SCORE: &str = "score.txt";

pub(super) fn run(args: &KattisArgs) -> CliResult {
    let mut source = Vec::new();
    // One extra byte shows that a submission is too large.
    let read = io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut source);
    read.map_err(|error| CliError::fault(format!("standard input cannot be read: {error}")))?;
    let job = Job::new(args.cases.as_deref(), args.exercise.as_deref())?;
    let (_folder, request) = job.request(&source, &args.language, args.confine)?;
    // The judge names it, through whatever links there are on its disk.
    let feedback = args.feedback.canonicalize().map_err(CliError::write(&args.feedback))?;
    let message = |(name, audience)| ReportRequest::terminal(feedback.join(name), audience);
    let reports = ReportSettings {
        format: [JUDGE, TEAM].into_iter().filter_map(message).collect(),
        ..ReportSettings::default()
    };
    let mut score = Points::ZERO;
    let status = grade::graded(request, &reports, &mut |event| {
        if let Event::SubmissionFinished { report } = event {
            score = score + report.points;
        }
    })?;
    if status <= RunStatus::Failed {
        let file = feedback.join(SCORE);
        writing::write(&file, format!("{score}\n")).map_err(CliError::write(&file))?;
    }
    Ok(status)
}
