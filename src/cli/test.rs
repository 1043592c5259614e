//! `keur test`: runs each case of a submission as a test, like `cargo test`.

use super::args::{CrateArgs, StyleArgs, audience};
use super::exit::{RunStatus, library_error_for};
use super::output;
use crate::case::Library;
use crate::report::Audience;
use crate::run::{self, GradeRequest};
use crate::sandbox::Tools;
use crate::testing;
use clap::Args;
use libtest_mimic::Arguments;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct TestArgs {
    /// A submission, or a folder of many
    path: PathBuf,
    /// Only tests whose name contains this text
    filter: Option<String>,
    /// The exercise; determined from the submission by default
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Also count the cases that rest on a ruling
    #[arg(long)]
    rulings: bool,
    /// Who reads the output: student, who sees of a hidden case only that it failed, its points and its hint, or instructor
    #[arg(long, value_name = "WHO", value_parser = audience, default_value = "student")]
    audience: Audience,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    crates: CrateArgs,
    /// Options of cargo's tests: --list, --exact, --format terse, …
    #[arg(last = true, value_name = "TEST OPTIONS")]
    options: Vec<String>,
}

pub(super) fn run(args: TestArgs) -> ExitCode {
    let options = std::iter::once("keur test".to_owned()).chain(args.options).chain(args.filter);
    let arguments = Arguments::from_iter(options);
    let tools = Tools::on_path(std::slice::from_ref(&args.path));
    let mut request = GradeRequest::new(vec![args.path], tools);
    request.library = args.cases.map_or(Library::BuiltIn, Library::Folder);
    request.exercise = args.exercise;
    request.settings.rulings = args.rulings;
    if let Err(message) = args.crates.apply(&mut request.build) {
        output::err(&format!("error: {message}\n"));
        return RunStatus::Usage.into();
    }
    match run::suites(request, args.audience) {
        Ok(suites) => {
            let trials = suites.iter().flat_map(|suite| suite.trials_printed_as(output::printable)).collect();
            let print = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| match failed_write(&info.to_string()) {
                Some(error) => output::note_lost(Err(error)),
                None => print(info),
            }));
            std::panic::catch_unwind(AssertUnwindSafe(|| {
                let conclusion = libtest_mimic::run(&arguments, trials);
                output::out(&testing::totals(&suites, &arguments));
                conclusion.exit_code()
            }))
            .unwrap_or_else(|_| RunStatus::Fault.into())
        }
        Err(error) => match error.library() {
            Some(error) => library_error_for(args.audience, error, &args.style).into(),
            None => {
                output::err(&format!("error: {error}\n"));
                if error.is_fault() { RunStatus::Fault.into() } else { RunStatus::Usage.into() }
            }
        },
    }
}

/// The error behind the panic of a write. That is how the printer of `libtest_mimic` ends where it cannot write.
fn failed_write(panic: &str) -> Option<io::Error> {
    let (_, error) = panic.split_once("called `Result::unwrap()` on an `Err` value: Os { code: ")?;
    let (code, _) = error.split_once(',')?;
    code.parse().ok().map(io::Error::from_raw_os_error)
}
