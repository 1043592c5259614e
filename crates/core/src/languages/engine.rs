//! The definition of an engine: a program that runs submissions of a language.

use super::driver::{DriverArgs, Mode};
use super::language::Language;
use super::newer_syntax::Newer;
use super::version::Version;
#[cfg(target_os = "linux")]
use crate::sandbox::Jail;
use crate::sandbox::Launch;
use std::fmt;
use std::hash::{Hash, Hasher};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;

/// A program that runs submissions of a language.
#[non_exhaustive]
pub struct Engine {
    /// The language.
    pub language: &'static Language,
    /// The name in `--engine` and in reports: `node`.
    pub name: &'static str,
    /// The display name: `Node`.
    pub title: &'static str,
    /// The message of the HTML report about an engine of a web page, with its `version`. No tier applies there: the
    /// browser confines what a page runs.
    #[doc(hidden)]
    pub in_page: Option<&'static str>,
    /// The command-line option that names its program, and the option's help.
    #[doc(hidden)]
    pub option: Option<(&'static str, &'static str)>,
    /// The scope of one process: a case or a submission.
    pub(crate) lifetime: Lifetime,
    /// Whether the driver can load a submission again in the same process, and tell whether something is left
    /// of what ran before.
    pub(crate) loads_again: bool,
    /// Whether keur works fully without the engine.
    #[doc(hidden)]
    pub optional: bool,
    /// Library modules that a fork server preloads for submissions that import some of them. For other
    /// submissions a server loads none, and starts in a third of the time.
    pub(crate) preload: &'static [&'static str],
    /// Names of its executables; none for an engine built into keur.
    #[doc(hidden)]
    pub executables: &'static [&'static str],
    /// The oldest supported version.
    #[doc(hidden)]
    pub oldest: Version,
    /// The package to install, for the error about a missing engine; `it` if it has the engine's name.
    pub(crate) install: &'static str,
    /// Arguments that make the program print its real path, its version and its build.
    pub(crate) probe: &'static [&'static str],
    /// Reads the answer to `probe`: its standard output, followed by its standard error.
    pub(crate) parse_probe: fn(output: &str) -> Option<ProbeResult>,
    /// The driver's text, if the program can only take it from a file, which exists as long as needed.
    pub(crate) text: Option<&'static str>,
    /// The engine itself, if it is built into keur.
    #[doc(hidden)]
    pub carried: Option<Carried>,
    /// Makes the command that starts the engine with its driver.
    #[doc(hidden)]
    pub launch: fn(start: &DriverArgs<'_>) -> Launch,
    /// The files that the engine may read when confined; the strictness of the tier replaces that of the jail. A
    /// server with [`Forks::Confining`] is not confined.
    #[cfg(target_os = "linux")]
    #[doc(hidden)]
    pub jail: fn(program: &Path) -> std::io::Result<Jail>,
    /// Syntax on a line that needs a newer version than `version`, with the version that has it.
    #[doc(hidden)]
    pub newer_syntax: fn(line: &str, version: Version) -> Option<Newer>,
}

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

/// The scope of one process of an engine.
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

    /// The way in which the engine forks, as a server.
    pub fn forks(self) -> Forks {
        match self {
            Lifetime::Case(forks) => forks,
            Lifetime::Submission { .. } => Forks::No,
        }
    }
}

/// The way in which an engine forks processes, as a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forks {
    /// The engine cannot fork.
    No,
    /// The server can fork, and is itself confined: its forks add to that.
    Confined,
    /// The server can fork, and each fork confines itself.
    Confining,
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
