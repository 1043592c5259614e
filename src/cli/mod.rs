//! The command line: the only module that knows its arguments, the environment, the terminal and exit codes.

mod check;
mod doctor;
mod dodona;
mod driver;
#[cfg(feature = "quickjs")]
mod engine;
mod grade;
mod judge;
mod kattis;
mod list;
mod output;
mod play;
mod sinks;
mod test;

use crate::adapter;
use crate::build::{BuildSettings, Skeleton};
use crate::case::LibraryError;
use crate::messages::Lang;
use crate::report::{Audience, Order};
use crate::sandbox::Tier;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;

/// How a run ended; the highest that occurred is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything passed.
    Passed = 0,
    /// Something failed.
    Failed = 1,
    /// The call is wrong.
    Usage = 2,
    /// A case or exercise file is wrong.
    BadCase = 3,
    /// Keur could not do its work.
    Fault = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

const EXIT_CODES: &str = "Exit codes:
  0  everything passed
  1  something failed
  2  the call is wrong: an unknown flag, a path that does not exist, an exercise that cannot be told
  3  a case or exercise file is wrong
  4  keur could not do its work: no interpreter, a full disk
The highest that occurred counts.";

const VALIDATOR_CODES: &str = "Exit codes:
  42  everything passed
  43  something failed
Every other one says that keur could not judge, as listed by `keur --help`.";

#[derive(Parser)]
#[command(name = "keur", version, about, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Grade submissions: files, folders or zips
    Grade(Box<GradeArgs>),
    /// Run each case as a test, with the names, filters and exit code of `cargo test`
    Test(TestArgs),
    /// Be a judge of Dodona: what to grade stands as JSON on standard input
    Dodona(DodonaArgs),
    /// Be an output validator of Kattis or DOMjudge: the submission stands on standard input
    #[command(after_help = VALIDATOR_CODES)]
    Kattis(KattisArgs),
    /// Hold cases against the reference of their exercise
    Check(CheckArgs),
    /// List the exercises, their cases, points and languages
    List(ListArgs),
    /// Play one of the games, on the terminal or in the browser
    Play(PlayArgs),
    /// Show what this machine offers: confinement, interpreters, and what to do about each lack
    Doctor(DoctorArgs),
    /// Try programs that speak the protocol of docs/protocol.md
    #[command(subcommand)]
    Driver(DriverCommand),
    /// Be the engine of submissions that keur carries; keur starts this by itself
    #[cfg(feature = "quickjs")]
    #[command(name = crate::driver::quickjs::SUBCOMMAND, hide = true)]
    Engine(EngineArgs),
}

#[derive(Args)]
struct GradeArgs {
    /// Submissions: each path is one, a file, a folder of modules or a zip
    paths: Vec<PathBuf>,
    /// Take every entry of this folder as a submission
    #[arg(long, value_name = "DIR")]
    each: Vec<PathBuf>,
    /// The exercise; found from the submission when left out
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Take the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Only cases whose name holds this
    #[arg(long = "case", value_name = "TEXT")]
    only: Vec<String>,
    /// Count the cases that rest on a ruling too
    #[arg(long)]
    rulings: bool,
    #[arg(long, value_name = "FORMAT[=PATH]", default_value = "terminal", value_parser = sinks::asked)]
    #[arg(help = format!("A report: {}; with =PATH in that file. May be given several times", sinks::names()))]
    format: Vec<sinks::Asked>,
    /// The language of the report: nl, da or en; the exercise's when left out
    #[arg(long, value_name = "LANG", value_parser = language)]
    lang: Option<Lang>,
    /// Who reads the reports: instructor or student, who is told of hidden cases only that they failed, their points and
    /// hints; when left out student for reports that go to students by their nature, else instructor
    #[arg(long, value_name = "WHO", value_parser = audience)]
    audience: Option<Audience>,
    /// The order of tables of submissions: given, name, exercise, or points, the highest first
    #[arg(long, value_name = "ORDER", value_parser = order, default_value = "given")]
    sort: Order,
    /// Exit with 0 when grading was done, whatever the grades
    #[arg(long)]
    exit_zero: bool,
    /// Grade this program, which speaks the protocol of docs/protocol.md, instead of starting a driver; quotes and
    /// backslashes are read as in a shell, so write a Windows path with forward slashes or in single quotes
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: Option<adapter::Command>,
    /// How firmly submissions are confined: strict, standard or portable; on Linux standard when left out
    #[arg(long, value_name = "TIER", value_parser = tier)]
    confine: Option<Tier>,
    /// Submissions graded at the same time; one a processor when left out
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Grade this many times, each under another seed of hashes and random numbers; a case must pass each time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// The Python interpreter
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// The node program
    #[arg(long, value_name = "PROGRAM")]
    node: Option<PathBuf>,
    /// The java program of a JDK
    #[arg(long, value_name = "PROGRAM")]
    java: Option<PathBuf>,
    /// The engine of JavaScript; when left out node, or where there is none the one that keur carries
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// Crates of Rust
#[derive(Args)]
#[command(next_help_heading = "Crates of Rust")]
struct CrateArgs {
    /// The course's own crate: the files that its SKELETON names replace those of a submission
    #[arg(long, value_name = "DIR")]
    skeleton: Option<PathBuf>,
    /// The keur that crates are built with; the source that this one was built from, when left out
    #[arg(long, value_name = "DIR")]
    keur_source: Option<PathBuf>,
    /// Time that building a crate may take, such as 2min; 120s when left out
    #[arg(long, value_name = "TIME", value_parser = crate::case::parse_time)]
    build_time: Option<std::time::Duration>,
}

impl CrateArgs {
    /// Says how crates are built.
    ///
    /// # Errors
    /// The skeleton cannot be read, or the source is none: a message.
    fn apply(&self, settings: &mut BuildSettings) -> Result<(), String> {
        if let Some(folder) = &self.skeleton {
            settings.skeleton = Some(Skeleton::read(folder).map_err(|error| error.to_string())?);
        }
        if let Some(source) = &self.keur_source {
            let found = source.join("Cargo.toml").is_file().then(|| source.canonicalize().ok()).flatten();
            let none = || format!("{}: no source of keur; it has a Cargo.toml", source.display());
            settings.source = Some(found.ok_or_else(none)?);
        }
        settings.time = self.build_time.unwrap_or(settings.time);
        Ok(())
    }
}

/// Limits, above those of the exercise and the case
#[derive(Args)]
#[command(next_help_heading = "Limits a case, and of a submission")]
struct LimitArgs {
    /// Processor time, such as 1s
    #[arg(long, value_name = "TIME", value_parser = crate::case::parse_time)]
    cpu: Option<std::time::Duration>,
    /// Time on the clock, such as 5s
    #[arg(long, value_name = "TIME", value_parser = crate::case::parse_time)]
    wall: Option<std::time::Duration>,
    /// Memory, such as 256MB
    #[arg(long, value_name = "SIZE", value_parser = crate::case::parse_size)]
    memory: Option<u64>,
    /// Output, such as 64KB
    #[arg(long, value_name = "SIZE", value_parser = crate::case::parse_size)]
    output: Option<u64>,
    /// Time of all cases of a submission that do not pass, such as 30s; those that are left are then not run
    #[arg(long, value_name = "TIME", value_parser = crate::case::parse_time)]
    budget: Option<std::time::Duration>,
}

#[derive(Args)]
struct StyleArgs {
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "always", "never"])]
    color: String,
}

#[derive(Args)]
struct TestArgs {
    /// A submission, or a folder of many
    path: PathBuf,
    /// Only tests whose name holds this
    filter: Option<String>,
    /// The exercise; found from the submission when left out
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Take the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Count the cases that rest on a ruling, too
    #[arg(long)]
    rulings: bool,
    #[command(flatten)]
    crates: CrateArgs,
    #[command(flatten)]
    style: StyleArgs,
    /// Options of cargo's tests: --list, --exact, --format terse, …
    #[arg(last = true, value_name = "TEST OPTIONS")]
    options: Vec<String>,
}

#[derive(Args)]
struct DodonaArgs {
    /// The exercise; when left out the key `exercise` of the evaluation, or the only one of its folder
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Take the exercises of this folder; when left out those in the folder of the evaluation, else the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// How firmly submissions are confined: strict, standard or portable; on Linux standard when left out
    #[arg(long, value_name = "TIER", value_parser = tier)]
    confine: Option<Tier>,
}

#[derive(Args)]
struct KattisArgs {
    /// The input of the test; keur has its own cases
    input: PathBuf,
    /// The answer of the jury; keur has its own expectations
    answer: PathBuf,
    /// The folder for judgemessage.txt, teammessage.txt and score.txt
    feedback: PathBuf,
    /// The exercise; it may be left out where there is only one
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    /// Take the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The programming language of the submission, as exercises name it
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    language: String,
    /// How firmly submissions are confined: strict, standard or portable; on Linux standard when left out
    #[arg(long, value_name = "TIER", value_parser = tier)]
    confine: Option<Tier>,
}

#[derive(Args)]
struct CheckArgs {
    /// Folders of exercises, an exercise's folder, or case files; the built-in cases when left out
    paths: Vec<PathBuf>,
    /// Only this exercise
    #[arg(long, value_name = "NAME")]
    exercise: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Args)]
struct PlayArgs {
    /// The game
    #[arg(value_parser = play::games())]
    game: String,
    /// Who plays white; asked when left out
    #[arg(long, value_name = "WHO")]
    white: Option<Player>,
    /// Who plays black; asked when left out
    #[arg(long, value_name = "WHO")]
    black: Option<Player>,
    /// Moves that the computer looks ahead, 1 to 30
    #[arg(long, value_name = "N", value_parser = depth)]
    depth: Option<NonZeroU32>,
    /// Time that the computer takes for a move, such as 2s; without --depth it plays as well as it can
    #[arg(long, value_name = "TIME", value_parser = crate::case::parse_time)]
    time: Option<std::time::Duration>,
    /// How the game begins, as `save` writes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    setup: Option<String>,
    /// Play on a page in the browser
    #[arg(long)]
    browser: bool,
    /// Only print the address of that page
    #[arg(long, requires = "browser")]
    no_open: bool,
    /// The language: nl, da or en; that of the environment when left out
    #[arg(long, value_name = "LANG", value_parser = language)]
    lang: Option<Lang>,
    #[command(flatten)]
    style: StyleArgs,
}

/// Who plays a side
#[derive(Clone, Copy, clap::ValueEnum)]
enum Player {
    /// You, or whoever sits there
    Human,
    /// The computer
    Computer,
}

impl From<Player> for crate::play::Seat {
    fn from(player: Player) -> crate::play::Seat {
        match player {
            Player::Human => crate::play::Seat::Human,
            Player::Computer => crate::play::Seat::Computer,
        }
    }
}

#[derive(Args)]
struct DoctorArgs {
    /// The tier that must be there for exit 0; on Linux standard when left out
    #[arg(long, value_name = "TIER", value_parser = tier)]
    confine: Option<Tier>,
}

#[derive(Subcommand)]
enum DriverCommand {
    /// Run a program through the conformance suite of the protocol
    Test(DriverTestArgs),
}

#[derive(Args)]
struct DriverTestArgs {
    /// The program and its arguments; quotes and backslashes are read as in a shell, so write a Windows path with
    /// forward slashes or in single quotes
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: adapter::Command,
    /// The class `Conformance` of docs/new-language.md, written in the program's language
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
}

#[cfg(feature = "quickjs")]
#[derive(Args)]
struct EngineArgs {
    /// What to be: server, socket, pipes; or version
    mode: String,
    /// How a server confines what it forks
    #[arg(default_value = "portable", value_parser = tier)]
    tier: Tier,
    /// Memory for the submission, in bytes
    #[arg(default_value = "0")]
    memory: u64,
    /// The seed of random numbers
    #[arg(default_value = "0")]
    seed: u32,
}

#[derive(Args)]
struct ListArgs {
    /// Only this exercise
    exercise: Option<String>,
    /// The oracles of each game and what they take, instead of cases
    #[arg(long)]
    oracles: bool,
    /// Take the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The language of titles: nl, da or en; each exercise's when left out
    #[arg(long, value_name = "LANG", value_parser = language)]
    lang: Option<Lang>,
}

/// Runs the command line and gives the exit code.
pub fn main() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Grade(args) => grade::run(&args),
        Command::Test(args) => return test::run(args),
        Command::Dodona(args) => dodona::run(&args),
        Command::Kattis(args) => return kattis::run(&args),
        Command::Check(args) => check::run(&args),
        Command::List(args) => list::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Driver(DriverCommand::Test(args)) => driver::test(&args),
        #[cfg(feature = "quickjs")]
        Command::Engine(args) => engine::run(&args),
    };
    exit.into()
}

fn engines() -> PossibleValuesParser {
    PossibleValuesParser::new(
        crate::driver::engines().filter(|engine| engine.language == "javascript").map(|engine| engine.engine),
    )
}

fn tier(name: &str) -> Result<Tier, String> {
    let tiers = [Tier::Strict, Tier::Standard, Tier::Portable];
    tiers
        .into_iter()
        .find(|tier| tier.name() == name)
        .ok_or_else(|| "it is one of strict, standard, portable".to_owned())
}

fn audience(name: &str) -> Result<Audience, String> {
    Audience::from_name(name).ok_or_else(|| "it is one of instructor, student".to_owned())
}

fn order(name: &str) -> Result<Order, String> {
    Order::from_name(name).ok_or_else(|| "it is one of given, name, exercise, points".to_owned())
}

fn jobs(count: &str) -> Result<usize, String> {
    count
        .parse()
        .ok()
        .filter(|count| (1..=256).contains(count))
        .ok_or_else(|| "it is a number from 1 to 256".to_owned())
}

/// A program and its arguments, written as for a POSIX shell on every system.
fn program(command: &str) -> Result<adapter::Command, String> {
    let words =
        shlex::split(command).ok_or("a quote is not closed, or nothing follows the last backslash")?;
    if words.is_empty() {
        return Err("it names no program".to_owned());
    }
    Ok(adapter::Command { words, confined: false })
}

fn depth(text: &str) -> Result<NonZeroU32, String> {
    let level = crate::exercises::playable::Level::read(text).and_then(|level| level.depth);
    level.ok_or_else(|| "it is a number from 1 to 30".to_owned())
}

fn language(code: &str) -> Result<Lang, String> {
    Lang::from_code(code).ok_or_else(|| "it is one of nl, da, en".to_owned())
}

/// Says an error of the library of cases, and gives its exit code.
fn library_error(error: &LibraryError, style: &StyleArgs) -> Exit {
    match error {
        LibraryError::Bad(files) => {
            let colour = output::colour(&style.color, &std::io::stderr());
            for file in files {
                output::err(&file.render(colour));
            }
            let count: usize = files.iter().map(|file| file.diagnostics.len()).sum();
            output::err(&format!(
                "{count} {} in {} {}\n",
                plural(count, "error"),
                files.len(),
                plural(files.len(), "file")
            ));
            Exit::BadCase
        }
        LibraryError::Missing { .. } => {
            output::err(&format!("error: {error}\n"));
            Exit::Usage
        }
        LibraryError::Unreadable { source, .. } => {
            output::err(&format!("error: {error}\n"));
            if source.kind() == std::io::ErrorKind::NotFound { Exit::Usage } else { Exit::Fault }
        }
    }
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}
