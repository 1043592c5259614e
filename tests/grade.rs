//! Grades a submission with the tools of `cargo test`: each case is a test.
//!
//! `SUBMISSION=path/to/hand-in cargo test --test grade` takes filters, `--list` and `--exact` as every test does, and
//! ends with cargo's exit code. `EXERCISE=name` says which exercise it answers, where that cannot be told, and
//! `RULINGS=1` takes in the cases that rest on a ruling. Without a submission the reference is graded.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on fails")]

use keur::adapter::Hosts;
use keur::case::{Case, Library, Loaded};
use keur::driver::Interpreters;
use keur::event::SubmissionReport;
use keur::grade::{Grader, Settings, check_case, counted, reference_adapter};
use keur::report::{self, Options};
use keur::sandbox::Tier;
use keur::submission::{self, Submission};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match std::env::var_os("SUBMISSION") {
        Some(path) if !path.is_empty() => submission_trials(PathBuf::from(path)),
        Some(_) | None => reference_trials(),
    };
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn reference_trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for loaded in Library::BuiltIn.load_all().map_err(|error| error.to_string())? {
        let loaded = Arc::new(loaded);
        for index in 0..loaded.cases.len() {
            let (name, loaded) = (name(&loaded, &loaded.cases[index]), Arc::clone(&loaded));
            trials.push(Trial::test(name, move || {
                let mut adapter = reference_adapter(&loaded.exercise)?;
                Ok(check_case(&loaded.exercise, &loaded.cases[index], &mut adapter)?)
            }));
        }
    }
    Ok(trials)
}

/// What the tests of one submission share.
struct Graded {
    loaded: Loaded,
    submission: Submission,
    interpreters: Interpreters,
}

fn submission_trials(path: PathBuf) -> Result<Vec<Trial>, String> {
    let mut opened = submission::open(&path).map_err(|error| error.to_string())?;
    let exercise = match std::env::var("EXERCISE") {
        Ok(name) => name,
        Err(_) => {
            let names = Library::BuiltIn.names().map_err(|error| error.to_string())?;
            let exercises =
                names.iter().map(|name| Library::BuiltIn.describe(name)).collect::<Result<Vec<_>, _>>();
            let exercises = exercises.map_err(|error| error.to_string())?;
            let choices: Vec<_> = exercises.iter().collect();
            opened.exercise(&choices).map_err(|error| error.to_string())?.name.clone()
        }
    };
    let loaded = Library::BuiltIn.load(&exercise).map_err(|error| error.to_string())?;
    let submission = opened.submission(&loaded.exercise);
    let rulings = std::env::var_os("RULINGS").is_some();
    let graded = Arc::new(Graded { loaded, submission, interpreters: Interpreters::default() });
    let settings = Settings { rulings, ..Settings::default() };
    let names: Vec<String> =
        counted(&graded.loaded, &settings).iter().map(|case| case.name.clone()).collect();
    let trial = |case: String| {
        let (graded, settings) =
            (Arc::clone(&graded), Settings { exactly: Some(case.clone()), ..settings.clone() });
        let title = format!("{}::{case}", graded.loaded.exercise.name);
        Trial::test(title, move || grade(&graded, &settings))
    };
    Ok(names.into_iter().map(trial).collect())
}

fn grade(graded: &Graded, settings: &Settings) -> Result<(), Failed> {
    let grader = Grader::new(&graded.loaded, settings, &graded.interpreters);
    let report: SubmissionReport =
        grader.grade(&mut Hosts::new(Tier::default(), 0), "submission", &graded.submission)?;
    if report.passed() {
        return Ok(());
    }
    let options = Options { colour: false, width: 100, lang: None, many: true };
    let terminal = report::find("terminal").ok_or("there is no terminal report")?;
    Err(Failed::from((terminal.submission)(&report, 0, &options)))
}

fn name(loaded: &Loaded, case: &Case) -> String {
    format!("{}::{}", loaded.exercise.name, case.name)
}
