//! The command line: the only module that knows arguments, the environment, the terminal and exit codes.

mod args;
mod audit;
mod check;
#[cfg(feature = "class")]
mod class;
mod completions;
mod doctor;
mod dodona;
mod driver;
mod engine;
mod error;
mod examples;
mod exit;
mod export;
mod fill;
mod grade;
mod greeting;
mod hunt;
mod import;
mod judge;
mod kattis;
mod list;
mod man;
mod new;
mod output;
#[cfg(feature = "play")]
mod play;
mod schema;
mod show;
mod sinks;
mod site;
mod test;
mod underlined;

pub use exit::RunStatus;
pub use underlined::underlined;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use error::{CliError, CliResult};
use exit::ExitCodes;
use std::process::ExitCode;

/// The version, and the build: two programs with the same one grade alike.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (build ", env!("KEUR_BUILD"), ")");

const EXIT_CODES: &str = "Exit codes:
  0  everything passed
  1  something failed
  2  usage error: an unknown flag, a path that does not exist, an exercise that cannot be
     determined
  3  a case or exercise file has an error
  4  keur itself failed: no interpreter, a full disk
If several codes apply, the exit code is the highest of them.";

const HUNT_CODES: &str = "Exit codes:
  0  no session differs, and the sessions reached every call that the cases make
  1  a session differs, or the submission fails a case or cannot be loaded
  4  no session differs, but the sessions did not reach the calls that keur lists; or keur failed
`keur --help` lists the other codes.";

const IMPORT_CODES: &str = "Exit codes:
  0  everything is imported
  1  the case or exercise is written, but without the parts that keur reports
  2  usage error: an input that does not exist, or an existing file that would be overwritten
  3  the input cannot be read, or nothing of it can be imported; nothing is written
See docs/authoring.md for sessions, and docs/tested.md for test suites of TESTed.";

const VALIDATOR_CODES: &str = "Exit codes:
  42  everything passed
  43  something failed
Any other code means that keur could not judge; `keur --help` lists the other codes.";

#[derive(Parser)]
#[command(name = "keur", version = VERSION, about, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Task,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Task {
    /// Grade submissions: files, folders or zips
    Grade(Box<grade::GradeArgs>),
    /// Run each case as a test, with the names, filters and exit code of `cargo test`
    Test(test::TestArgs),
    /// Run as a judge for Dodona, with Dodona's JSON request on standard input
    Dodona(dodona::DodonaArgs),
    /// Run as an output validator for Kattis or DOMjudge, with the submission on standard input
    #[command(after_help = VALIDATOR_CODES)]
    Kattis(kattis::KattisArgs),
    /// Search for a session in which a submission differs from the reference
    #[command(after_help = HUNT_CODES)]
    Hunt(Box<hunt::HuntArgs>),
    /// Create an exercise of your own, or a case
    #[command(subcommand)]
    New(new::NewCommand),
    /// Check cases against the reference of their exercise
    Check(check::CheckArgs),
    /// Fill in the reference's answers in the steps of cases that expect nothing yet
    Fill(Box<fill::FillArgs>),
    /// Mutation-test the cases of an exercise: show which wrong programs they detect, and which survive
    Audit(Box<audit::AuditArgs>),
    /// Convert a pasted session into a case, or another tool's exercise into an exercise of keur
    #[command(after_help = IMPORT_CODES)]
    Import(import::ImportArgs),
    /// Export an exercise to another tool's format
    Export(export::ExportArgs),
    /// Print cases as sessions, with the expected answer of each step
    Show(show::ShowArgs),
    /// Write the JSON Schemas with which an editor completes, explains and checks cases and exercises
    Schema(schema::SchemaArgs),
    /// List the exercises, their cases, points and languages
    List(list::ListArgs),
    /// Write a site where students drop a file and see what `keur grade` says, graded in their browser
    Site(Box<site::SiteArgs>),
    /// Play one of the games, on the terminal or in the browser
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    /// Grade a class: import from an LMS, resume, regrade, export grades
    #[cfg(feature = "class")]
    #[command(subcommand)]
    Class(class::ClassCommand),
    /// Show which confinement and interpreters this machine has, and what to do about missing ones
    Doctor(doctor::DoctorArgs),
    /// Print the script with which a shell completes commands, files, exercises and cases
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands
    Man(man::ManArgs),
    /// Test programs that speak the protocol of docs/protocol.md
    #[command(subcommand)]
    Driver(driver::DriverCommand),
    /// Run the engine that is built into keur; keur starts this command itself
    #[command(name = keur_core::languages::ENGINE, hide = true)]
    Engine(engine::EngineArgs),
}

/// Runs the command line and returns the exit code.
pub fn main() -> ExitCode {
    let exit = match completions::answered() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => obeyed(),
        Err(error) => explained(&error),
    };
    match output::finish() {
        Some(error) => {
            let error = CliError::fault(format!("standard output: cannot be written: {error}"));
            ExitCodes::Keur.code(error.show())
        }
        None => exit,
    }
}

/// The command line as it is parsed and described.
fn command() -> clap::Command {
    examples::with_examples(Cli::command())
}

/// Runs the command that the arguments name.
fn obeyed() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        return ExitCodes::Keur.code(greeting::show());
    }
    match command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => {
            output::set_color(cli.color);
            let codes = cli.command.exit_codes();
            codes.code(cli.command.run().unwrap_or_else(|error| error.show()))
        }
        Err(error) => explained(&error),
    }
}

/// Prints an error of the arguments, or the help that they ask for.
fn explained(error: &clap::Error) -> ExitCode {
    let log = crate::log::is_log();
    match (error.use_stderr(), log) {
        (true, true) => output::err(&error.render().to_string()),
        (false, true) => output::out(&error.render().to_string()),
        (true, false) => {
            // If this fails too, the exit code remains.
            let _ = error.print();
        }
        (false, false) => output::note_lost(error.print()),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

impl Task {
    fn exit_codes(&self) -> ExitCodes {
        match self {
            Task::Test(_) => ExitCodes::Tests,
            Task::Kattis(_) => ExitCodes::Validator,
            _ => ExitCodes::Keur,
        }
    }

    fn run(self) -> CliResult {
        match self {
            Task::Grade(args) => grade::run(&args),
            Task::Test(args) => test::run(args),
            Task::Dodona(args) => dodona::run(&args),
            Task::Kattis(args) => kattis::run(&args),
            Task::Hunt(args) => hunt::run(&args),
            Task::New(command) => new::run(&command),
            Task::Check(args) => check::run(&args),
            Task::Fill(args) => fill::run(&args),
            Task::Audit(args) => audit::run(&args),
            Task::Import(args) => import::run(&args),
            Task::Export(args) => export::run(&args),
            Task::Show(args) => show::run(&args),
            Task::List(args) => list::run(&args),
            Task::Site(args) => site::run(*args),
            #[cfg(feature = "play")]
            Task::Play(args) => play::run(&args),
            #[cfg(feature = "class")]
            Task::Class(command) => class::run(&command),
            Task::Doctor(args) => Ok(doctor::run(&args)),
            Task::Completions(args) => completions::run(&args),
            Task::Man(args) => man::run(&args),
            Task::Driver(driver::DriverCommand::Test(args)) => driver::test(&args),
            Task::Schema(args) => schema::run(&args),
            Task::Engine(args) => engine::run(&args),
        }
    }
}
