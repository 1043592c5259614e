//! Grades a submission, or a folder of many, with the tools of `cargo test`: each case is a test.
//!
//! `SUBMISSION=path/to/file cargo test --test grade` accepts filters, `--list` and `--exact` like every test,
//! and ends with cargo's exit code. `EXERCISE=name` names the exercise, if it cannot be determined, and
//! `RULINGS=1` includes the cases that depend on a ruling. Without a submission the reference is graded.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot go on fails"
)]

use keur::run::{self, GradeRequest};
use keur_core::adapter::Launcher;
use keur_core::case::{Case, Library, Loaded};
use keur_core::grade::{check_case, reference_adapter};
use keur_core::languages::Interpreters;
use keur_core::report::Audience;
use keur_core::testing::{self, Suite};
use keur_sandbox::Tier;
use libtest_mimic::{Arguments, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match std::env::var_os("SUBMISSION") {
        Some(path) if !path.is_empty() => suites(Path::new(&path)).map(|suites| {
            let trials = suites.iter().flat_map(|suite| suite.trials()).collect();
            (suites, trials)
        }),
        Some(_) | None => reference_trials().map(|trials| (Vec::new(), trials)),
    };
    match trials {
        Ok((suites, trials)) => {
            let conclusion = libtest_mimic::run(&arguments, trials);
            print!("{}", testing::totals(&suites, &arguments));
            conclusion.exit_code()
        }
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
                let (interpreters, mut launcher) =
                    (Interpreters::default(), Launcher::new(Tier::default(), 0));
                Ok(check_case(
                    &loaded.exercise, &loaded.cases[index], &mut adapter, &interpreters, &mut launcher,
                )?)
            }));
        }
    }
    Ok(trials)
}

fn suites(path: &Path) -> Result<Vec<Arc<Suite>>, String> {
    let mut request = GradeRequest::new(path.to_owned());
    request.exercise = std::env::var("EXERCISE").ok();
    request.settings.rulings = std::env::var_os("RULINGS").is_some();
    run::suites(request, Audience::Instructor).map_err(|error| error.to_string())
}

fn name(loaded: &Loaded, case: &Case) -> String {
    format!("{}::{}", loaded.exercise.name, case.name)
}
