//! The programming languages of submissions: one file a language, and the driver text it ships.
//!
//! A driver knows how to start its interpreter and how to read a source file without running it. It knows no game
//! and no exercise. [`DRIVERS`] is the registry; a new language is a file and a row.

mod interpreter;
mod java;
mod javascript;
mod python;

pub use interpreter::{Interpreter, InterpreterError, Interpreters};
#[cfg(feature = "quickjs")]
pub use javascript::quickjs;

use crate::pattern::Regex;
#[cfg(target_os = "linux")]
use crate::sandbox::Jail;
use crate::sandbox::{Launch, Tier, Transport};
use crate::value::syntax::Syntax;
use std::fmt;
use std::path::{Path, PathBuf};

/// A programming language that submissions are written in, as one engine runs it.
pub struct Driver {
    /// The language, as exercise files name it: `python`.
    pub language: &'static str,
    /// The language, as people do: `Python`.
    pub title: &'static str,
    /// The engine that runs it, as `--engine` and reports name it: `node`.
    pub engine: &'static str,
    /// The engine, as people call it: `Node`.
    pub engine_title: &'static str,
    /// Another engine for the same language, where this one is missing.
    pub alternative: Option<&'static Driver>,
    /// Endings of its source files, without the dot.
    pub endings: &'static [&'static str],
    /// How it writes values.
    pub syntax: Syntax,
    /// Whether names of functions and methods are written `like_this`; else `likeThis`.
    pub snake_case: bool,
    /// Whether arguments can be given by keyword.
    pub keywords: bool,
    /// Its built-in exception types: a type expected by an exercise counts where it stands here.
    pub exceptions: &'static [&'static str],
    /// Those among them that the language itself raises where a program is wrong: such a one never passes for a type that
    /// the language does not have.
    pub crashes: &'static [&'static str],
    /// Whether one process answers for all cases of a submission, with a fresh context for each.
    pub shared: bool,
    /// Whether it compiles a submission, which is then done once, under limits of its own and before anything of it
    /// runs.
    pub compiles: bool,
    /// Whether keur is complete without its interpreter.
    pub optional: bool,
    /// Whether it can run as a fork server.
    pub forks: Forks,
    /// Modules of its library that a fork server loads, all of them, before it forks anything for submissions that import
    /// some of them. For others there is a server that loads none, which starts in a third of the time.
    pub preload: &'static [&'static str],
    /// Names under which its interpreter is found.
    pub programs: &'static [&'static str],
    /// The oldest version that will do.
    pub oldest: (u32, u32),
    /// What to install when there is none: `it`, unless that has another name.
    pub install: &'static str,
    /// Arguments with which the interpreter tells where it really is and its version.
    pub probe: &'static [&'static str],
    /// Reads what it tells of that, on its output and then on its standard error.
    pub told: fn(said: &str) -> Option<Told>,
    /// The driver's text, where the interpreter takes it from a file alone: it lies there as long as it is needed.
    pub text: Option<&'static str>,
    /// How to start it with its driver.
    pub launch: fn(start: &Start<'_>) -> Launch,
    /// What it may read when it is confined, and nothing else. A server that [`Forks::Confining`] is not confined.
    #[cfg(target_os = "linux")]
    pub jail: fn(program: &Path) -> std::io::Result<Jail>,
    /// What a source file defines and imports, read without running it.
    pub scan: fn(source: &str) -> Scan,
    /// The name by which a file's module is loaded.
    pub module: fn(file: &str) -> String,
    /// Syntax that needs a newer interpreter than `(major, minor)`: what it is and the version that has it.
    pub newer_syntax: fn(line: &str, version: (u32, u32)) -> Option<Newer>,
}

/// How a driver is to be started.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The interpreter.
    pub program: &'a Path,
    /// What it is to be.
    pub mode: Mode,
    /// Memory for the submission, in bytes: for an engine that keeps a limit of its own.
    pub memory: u64,
    /// The seed of hashes and random numbers.
    pub seed: u32,
    /// Where the driver's text lies, for an engine that takes it from a file.
    pub text: Option<&'a Path>,
}

/// Where an interpreter really is, and its version.
pub type Told = (PathBuf, (u32, u32, u32));

/// What most interpreters tell when they are asked: their path and their version, on two lines.
fn two_lines(said: &str) -> Option<Told> {
    let mut lines = said.lines();
    let path = lines.next().filter(|line| !line.is_empty()).map(PathBuf::from)?;
    Some((path, numbers(lines.next()?)?))
}

/// The numbers of a version such as `20.11.1`, of which the third may be missing.
fn numbers(version: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = version.split('.').map_while(|number| number.trim().parse().ok());
    Some((numbers.next()?, numbers.next()?, numbers.next().unwrap_or(0)))
}

/// Whether an engine can run as a server that forks a process for each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forks {
    /// It cannot.
    No,
    /// It can, and is confined itself: what it forks adds to that.
    Confined,
    /// It can, and confines what it forks.
    Confining,
}

/// What a driver is started as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A process that answers.
    Process(Transport),
    /// A server that forks a process for each case, confined as this tier asks.
    Server(Tier),
}

impl Mode {
    /// The word by which a driver's text knows it.
    fn word(self) -> &'static str {
        match self {
            Mode::Process(Transport::Socket) => "socket",
            Mode::Process(Transport::Pipes) => "pipes",
            Mode::Server(_) => "server",
        }
    }

    /// How the process is spoken to.
    fn transport(self) -> Transport {
        match self {
            Mode::Process(transport) => transport,
            Mode::Server(_) => Transport::Socket,
        }
    }
}

/// Characters of a driver's text in one variable. Windows holds a variable, and a whole command line, to 32,767 units
/// of 16 bits, of which a character takes two at the most.
const MOST_TEXT: usize = 15_000;

/// A driver's text as variables of the environment, `KEUR_0` and so on: for where a command line is too short for it.
/// The driver takes them out before it does anything else.
fn in_variables(text: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        variables.push((format!("KEUR_{}", variables.len()), chars.by_ref().take(MOST_TEXT).collect()));
    }
    variables
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.language)
    }
}

/// What a source file holds, as far as reading tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Names it defines at the top level.
    pub defines: Vec<String>,
    /// Names of modules that it imports and that may be files beside it.
    pub imports: Vec<String>,
}

/// Syntax that only newer interpreters take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newer {
    /// What it is, in English.
    pub what: &'static str,
    /// The first version that has it.
    pub since: (u32, u32),
}

/// A pattern by which newer syntax is known on a line.
type NewerPattern = (Regex, Newer);

/// A letter of a name: all of Unicode's letters, and only those, would take long to compile.
const LETTER: &str = r"[0-9A-Za-z_\x{80}-\x{10FFFF}]";

/// The end of a name, as far as ASCII goes.
const BOUNDARY: &str = if cfg!(feature = "cli") { r"(?-u:\b)" } else { r"\b" };

/// A pattern of a driver's, in which `\w` is a letter of a name.
#[expect(clippy::unwrap_used, reason = "the patterns are constants of the drivers, each run by a test")]
pub(crate) fn pattern(regex: &str) -> Regex {
    Regex::new(&regex.replace(r"\w", LETTER).replace(r"\b", BOUNDARY)).unwrap()
}

/// The newer syntax on a line, for an interpreter of `version`.
fn newer(patterns: &[NewerPattern], line: &str, version: (u32, u32)) -> Option<Newer> {
    let found = patterns.iter().find(|(regex, newer)| version < newer.since && regex.is_match(line));
    found.map(|(_, newer)| *newer)
}

/// Every language.
pub const DRIVERS: &[&Driver] = &[&python::DRIVER, &javascript::DRIVER, &java::DRIVER];

/// Every engine, those that run the same language next to each other.
pub fn engines() -> impl Iterator<Item = &'static Driver> {
    DRIVERS.iter().flat_map(|driver| std::iter::successors(Some(*driver), |driver| driver.alternative))
}

/// The driver of a language.
pub fn find(language: &str) -> Option<&'static Driver> {
    DRIVERS.iter().copied().find(|driver| driver.language == language)
}

/// The driver of a source file, by its ending.
pub fn of_file(name: &str) -> Option<&'static Driver> {
    let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    DRIVERS.iter().copied().find(|driver| driver.endings.contains(&ending.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{DRIVERS, Mode, Start};
    use crate::sandbox::Transport;
    use std::path::Path;

    /// Units of 16 bits that Windows takes in a command line, and in a variable.
    const MOST_UNITS: usize = 32_767;

    #[test]
    fn a_driver_fits_the_command_line_and_the_environment_of_windows() {
        for driver in DRIVERS {
            let mode = Mode::Process(Transport::Pipes);
            let start = Start { program: Path::new("program"), mode, memory: 1 << 28, seed: 0, text: None };
            let launch = (driver.launch)(&start);
            // A quote or a backslash takes two.
            let line: usize = launch.args.iter().map(|arg| 2 * arg.to_string_lossy().len() + 3).sum();
            assert!(line < MOST_UNITS, "{driver:?}: a command line of {line} units");
            for (key, value) in &launch.env {
                let units = key.len() + value.encode_utf16().count() + 2;
                assert!(units < MOST_UNITS, "{driver:?}: {key} has {units} units");
            }
        }
    }
}
