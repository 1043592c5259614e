//! The definition of a language and of its engines: the rows of the registry.

use super::build::Build;
use super::version::Version;
#[cfg(target_os = "linux")]
use crate::sandbox::Jail;
use crate::sandbox::{Launch, Tier, Transport};
use crate::value::notation::Notation;
use regex::Regex;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// A programming language that submissions are written in.
#[non_exhaustive]
pub struct Language {
    /// The name in exercise files: `python`.
    pub name: &'static str,
    /// The display name: `Python`.
    pub title: &'static str,
    /// Extensions of its source files, without the dot.
    pub extensions: &'static [&'static str],
    /// The language whose code runs in it too: JavaScript, for TypeScript.
    pub extends: Option<&'static Language>,
    /// How it writes values and statements.
    pub notation: &'static dyn Notation,
    /// Whether names of functions and methods are written `like_this`; else `likeThis`.
    pub snake_case: bool,
    /// Whether arguments can be given by keyword.
    pub keywords: bool,
    /// The built-in exception types: an exercise's expected type counts only if it is listed here.
    pub exceptions: &'static [&'static str],
    /// The exception types that the language itself raises for a mistake in a program: they never count as a
    /// type that the language does not have.
    pub crashes: &'static [&'static str],
    /// Finds what a source file defines and imports, without running it.
    pub scan: fn(source: &str) -> Scan,
    /// The name by which a file's module is loaded.
    pub module: fn(file: &str) -> String,
    /// The engines: the first one is the default, unless it is missing. A language that is built needs none.
    pub engines: &'static [&'static Engine],
    /// How its submissions are built into programs, if they are.
    pub build: Option<&'static Build>,
}

/// A program that runs submissions of a language.
#[non_exhaustive]
pub struct Engine {
    /// The language.
    pub language: &'static Language,
    /// The name in `--engine` and in reports: `node`.
    pub name: &'static str,
    /// The display name: `Node`.
    pub title: &'static str,
    /// The command-line option that names its program, and the option's help.
    pub option: Option<(&'static str, &'static str)>,
    /// How long a process of it lives.
    pub lifetime: Lifetime,
    /// Whether its driver can load a submission again in the same process, and tell whether something is left
    /// of what ran before.
    pub loads_again: bool,
    /// Whether keur works fully without it.
    pub optional: bool,
    /// Library modules that a fork server preloads for submissions that import some of them. For other
    /// submissions a server loads none, and starts in a third of the time.
    pub preload: &'static [&'static str],
    /// Names of its executables; none for an engine built into keur.
    pub executables: &'static [&'static str],
    /// The oldest supported version.
    pub oldest: Version,
    /// The program to install if the engine is missing: `it`, unless that has another name.
    pub install: &'static str,
    /// Arguments that make the program print its real path, its version and its build.
    pub probe: &'static [&'static str],
    /// Reads what it prints then: its standard output, followed by its standard error.
    pub parse_probe: fn(output: &str) -> Option<ProbeResult>,
    /// The driver's text, if the program can only take it from a file, which exists as long as needed.
    pub text: Option<&'static str>,
    /// The engine itself, if it is built into keur.
    pub carried: Option<Carried>,
    /// How to start it with its driver.
    pub launch: fn(start: &Start<'_>) -> Launch,
    /// The files that the engine may read when confined. A server with [`Forks::Confining`] is not confined.
    #[cfg(target_os = "linux")]
    pub jail: fn(program: &Path) -> std::io::Result<Jail>,
    /// Syntax on a line that needs a newer version than `version`, with the version that has it.
    pub newer_syntax: fn(line: &str, version: Version) -> Option<Newer>,
}

/// An engine built into keur, which runs as a process of keur's program.
#[derive(Clone, Copy)]
pub struct Carried {
    /// The engine's version.
    pub version: fn() -> String,
    /// Serves submissions until there are no more requests: the whole life of such a process. It takes the
    /// memory for the submission, in bytes, and the seed of random numbers.
    pub serve: fn(mode: Mode, memory: u64, seed: u32) -> std::io::Result<()>,
}

/// The subcommand of keur that runs the built-in engine.
pub const ENGINE: &str = "engine";

/// How long a process of an engine lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// A case: each has its own process, forked from a server if possible.
    Case(Forks),
    /// A submission: one process answers for all its cases, with a new context for each.
    Submission {
        /// Whether the submission is first compiled, once, under its own limits and before any of it runs.
        compiles: bool,
    },
}

impl Lifetime {
    /// Whether one process answers for all cases of a submission.
    pub fn is_shared(self) -> bool {
        matches!(self, Lifetime::Submission { .. })
    }

    /// Whether a submission is compiled first.
    pub fn compiles(self) -> bool {
        matches!(self, Lifetime::Submission { compiles: true })
    }

    /// Whether it can run as a server that forks.
    pub fn forks(self) -> Forks {
        match self {
            Lifetime::Case(forks) => forks,
            Lifetime::Submission { .. } => Forks::No,
        }
    }
}

/// How to start a driver.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The interpreter.
    pub program: &'a Path,
    /// The process's role.
    pub mode: Mode,
    /// Memory for the submission, in bytes, for an engine that enforces its own limit.
    pub memory: u64,
    /// The seed of hashes and random numbers.
    pub seed: u32,
    /// The path of the driver's text, for an engine that takes it from a file.
    pub text: Option<&'a Path>,
    /// Whether it works in a folder of its own, whose files the submission may use.
    pub has_folder: bool,
}

/// The answer of an interpreter to the question for its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The real path of the program.
    pub program: PathBuf,
    /// The version of the interpreter.
    pub version: Version,
    /// The mark that tells the interpreter from another build of that version.
    pub build: String,
}

/// The usual answer of an interpreter: its path, its version and its build, each on a line.
pub(super) fn parse_three_lines(output: &str) -> Option<ProbeResult> {
    let mut lines = output.lines();
    let program = lines.next().filter(|line| !line.is_empty()).map(PathBuf::from)?;
    let version = Version::parse(lines.next()?)?;
    Some(ProbeResult { program, version, build: lines.next().unwrap_or_default().trim().to_owned() })
}

/// Whether an engine can run as a server that forks processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forks {
    /// The engine cannot fork.
    No,
    /// The server can fork, and is itself confined: its forks add to that.
    Confined,
    /// The server can fork, and each fork confines itself.
    Confining,
}

/// The role of a driver process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A process that answers.
    Process(Transport),
    /// A server that forks a process for each case, confined as this tier asks.
    Server(Tier),
}

impl Mode {
    /// The word for it in a driver's text.
    pub(super) fn word(self) -> &'static str {
        match self {
            Mode::Process(Transport::Socket) => "socket",
            Mode::Process(Transport::Pipes) => "pipes",
            Mode::Server(_) => "server",
        }
    }

    /// The channel to the process.
    pub(super) fn transport(self) -> Transport {
        match self {
            Mode::Process(transport) => transport,
            Mode::Server(_) => Transport::Socket,
        }
    }
}

/// The most characters of a driver's text in one variable. Windows limits a variable, and a whole command
/// line, to 32,767 units of 16 bits; a character takes at most two.
const MOST_TEXT: usize = 15_000;

/// A driver's text as environment variables, `KEUR_0` and so on, if a command line is too short for it. The
/// driver removes them before it does anything else.
pub(super) fn in_variables(text: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        variables.push((format!("KEUR_{}", variables.len()), chars.by_ref().take(MOST_TEXT).collect()));
    }
    variables
}

impl Language {
    /// Whether keur works fully without it.
    pub fn is_optional(&self) -> bool {
        self.engines.first().is_none_or(|engine| engine.optional)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}

impl PartialEq for Engine {
    fn eq(&self, other: &Engine) -> bool {
        self.name == other.name && self.language.name == other.language.name
    }
}

impl Eq for Engine {}

impl Hash for Engine {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.language.name, self.name).hash(state);
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The definitions and imports of a source file, found by reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Names it defines at the top level.
    pub defines: Vec<String>,
    /// Imported modules that may be files next to it.
    pub imports: Vec<String>,
}

/// Syntax that only newer interpreters take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newer {
    /// The syntax, in English.
    pub what: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// A pattern that recognises newer syntax on a line.
pub(super) type NewerPattern = (Regex, Newer);

/// A letter of a name: matching exactly Unicode's letters would take long to compile.
const LETTER: &str = r"[0-9A-Za-z_\x{80}-\x{10FFFF}]";

/// The end of a name, as far as ASCII goes.
const BOUNDARY: &str = r"(?-u:\b)";

/// A driver's pattern, in which `\w` is a letter of a name.
#[expect(clippy::unwrap_used, reason = "the patterns are constants of the drivers, each run by a test")]
pub fn pattern(regex: &str) -> Regex {
    Regex::new(&regex.replace(r"\w", LETTER).replace(r"\b", BOUNDARY)).unwrap()
}

/// The newer syntax on a line, for an interpreter of `version`.
pub(super) fn newer(patterns: &[NewerPattern], line: &str, version: Version) -> Option<Newer> {
    let found = patterns.iter().find(|(regex, newer)| version < newer.since && regex.is_match(line));
    found.map(|(_, newer)| *newer)
}
