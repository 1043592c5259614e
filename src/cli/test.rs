//! `keur test`: runs each case of a submission as a test, like `cargo test`.

use super::args::{CrateArgs, one_of};
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use crate::log::printable;
use crate::run::{self, FoundSuites, GradeRequest, TestReader};
use clap::Args;
use keur_core::report::Audience;
use keur_core::report::words::Caller;
use keur_core::testing::{Earned, Suites};
use libtest_mimic::{Arguments, Conclusion};
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

const CODES: &str = "Exit codes:
  0    every test passed
  101  a test failed
  2    usage error: a path that does not exist, an exercise that cannot be determined
  3    a case or exercise file has an error
  4    a case is not graded, because something other than keur killed its process twice, or keur
       itself failed: no interpreter, a full disk";

/// The file that takes everything and keeps nothing.
const NULL_DEVICE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

#[derive(Args)]
#[command(after_help = CODES)]
pub(super) struct TestArgs {
    /// A submission, or a folder of submissions
    path: PathBuf,
    /// Run only tests whose name contains this text
    filter: Option<String>,
    /// The exercise; determined from the submission by default
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Also count the cases that depend on a ruling: an answer to a question that the assignment leaves open
    #[arg(long)]
    rulings: bool,
    /// Who reads the output: student or instructor. If a hidden case fails, a student sees only that it
    /// failed, its points and its hint
    #[arg(long, value_name = "WHO", value_parser = one_of::<Audience>(), default_value = "student")]
    audience: Audience,
    #[command(flatten)]
    crates: CrateArgs,
    /// Options that the tests of cargo accept: --list, --exact, --format terse, …
    #[arg(last = true, value_name = "TEST OPTIONS")]
    options: Vec<String>,
}

pub(super) fn run(args: TestArgs) -> CliResult {
    let options = std::iter::once("keur test".to_owned()).chain(args.options).chain(args.filter);
    let arguments = Arguments::from_iter(options);
    let mut request = GradeRequest::new(args.path);
    request.library = args.cases.into();
    request.exercise = args.exercise;
    request.settings.rulings = args.rulings;
    args.crates.apply(&mut request.build)?;
    let reader = TestReader { audience: args.audience, caller: Caller::CommandLine };
    let FoundSuites { suites, ungraded } = run::suites(request, &arguments, reader)
        .map_err(|error| CliError::from(error).seen_by(args.audience))?;
    Ok(tested(&Suites::printed_as(printable, suites, ungraded, arguments)))
}

/// Runs the tests, prints them as cargo does, and returns whether they passed.
fn tested(suites: &Arc<Suites>) -> RunStatus {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| match failed_write(&info.to_string()) {
        Some(error) => output::note_lost(Err(error)),
        None => print(info),
    }));
    let arguments = suites.arguments();
    let mut ran = run_trials(suites, arguments);
    if ran.is_none() && output::is_closed() {
        // The reader wants no more, and the exit code is still that of all tests.
        let unseen = Arguments { logfile: Some(NULL_DEVICE.to_owned()), ..arguments.clone() };
        ran = run_trials(suites, &unseen);
    }
    let Some(conclusion) = ran else { return RunStatus::Fault };
    output::out(&suites.totals());
    let earned: Vec<Earned> = suites.earned();
    if earned.iter().any(|earned| earned.not_graded > 0) {
        return RunStatus::Fault;
    }
    let failed = conclusion.has_failed() || earned.iter().any(|earned| earned.passed < earned.ran);
    if failed { RunStatus::Failed } else { RunStatus::Passed }
}

/// Runs the tests that did not run yet; `None` if what they say cannot be written.
fn run_trials(suites: &Arc<Suites>, arguments: &Arguments) -> Option<Conclusion> {
    let trials = suites.trials();
    std::panic::catch_unwind(AssertUnwindSafe(|| libtest_mimic::run(arguments, trials))).ok()
}

/// The error behind the panic of a write. That is how the printer of `libtest_mimic` ends where it cannot
/// write.
fn failed_write(panic: &str) -> Option<io::Error> {
    let (_, error) = panic.split_once("called `Result::unwrap()` on an `Err` value: Os { code: ")?;
    let (code, _) = error.split_once(',')?;
    code.parse().ok().map(io::Error::from_raw_os_error)
}
