//! `keur kattis`: an output validator of Kattis and DOMjudge, for problems whose answer is a program handed in as text.
//!
//! It is called `keur kattis INPUT ANSWER FEEDBACK_DIR [flags] < submission` and says how it came out by its exit code.

use super::grade::{self, Wanted};
use super::judge::{self, Job};
use super::sinks::Asked;
use super::{Exit, KattisArgs, output};
use crate::case::Points;
use crate::event::Event;
use crate::report::{Audience, Order};
use crate::submission::LARGEST_FILE;
use std::io::{self, Read};
use std::process::ExitCode;

/// The exit codes of a validator; every other one is an error of the judge.
const ACCEPTED: u8 = 42;
const WRONG: u8 = 43;

/// Files of the feedback, and who reads them.
const JUDGE: (&str, Audience) = ("judgemessage.txt", Audience::Instructor);
const TEAM: (&str, Audience) = ("teammessage.txt", Audience::Student);
const SCORE: &str = "score.txt";

pub(super) fn run(args: &KattisArgs) -> ExitCode {
    match validate(args) {
        Exit::Passed => ExitCode::from(ACCEPTED),
        Exit::Failed => ExitCode::from(WRONG),
        exit @ (Exit::Usage | Exit::BadCase | Exit::Fault) => exit.into(),
    }
}

fn validate(args: &KattisArgs) -> Exit {
    let mut source = Vec::new();
    // One that is larger than a submission may be is recognised as such by a byte too many.
    if let Err(error) = io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut source) {
        output::err(&format!("error: standard input cannot be read: {error}\n"));
        return Exit::Fault;
    }
    let job = match Job::new(args.cases.as_deref(), args.exercise.as_deref()) {
        Ok(job) => job,
        Err(exit) => return exit,
    };
    let (_folder, request) = match job.request(&source, &args.language, args.confine) {
        Ok(request) => request,
        Err(exit) => return exit,
    };
    let message = |(name, audience)| Asked::terminal(args.feedback.join(name), audience);
    let formats: Vec<_> = [JUDGE, TEAM].into_iter().filter_map(message).collect();
    let wanted = Wanted {
        formats: &formats,
        style: &judge::style(),
        lang: None,
        audience: None,
        order: Order::default(),
        exit_zero: false,
    };
    let mut score = Points::ZERO;
    let exit = grade::graded(request, &wanted, &mut |event| {
        if let Event::SubmissionFinished { report } = event {
            score = score + report.points;
        }
    });
    let file = args.feedback.join(SCORE);
    if exit <= Exit::Failed
        && let Err(error) = std::fs::write(&file, format!("{score}\n"))
    {
        output::err(&format!("error: {}: cannot be written: {error}\n", file.display()));
        return Exit::Fault;
    }
    exit
}
