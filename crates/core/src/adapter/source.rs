//! What a plan is replayed on: a submission's files, the program that runs them, and their language.

use super::wire::Spelling;
use crate::case::{Convention, Exercise, Naming};
use crate::languages::Engine;
use crate::sandbox::{Launch, Transport};
use crate::value::notation::Notation;
use crate::value::{Bundle, SourceFile};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Memory that an unknown program may use at start, for example for a virtual machine.
const COMMAND_BASELINE: u64 = 4 << 30;

/// How long a trusted program may take to answer `start`.
const PATIENCE: Duration = Duration::from_secs(20);

/// Memory that a built program may use at start.
const BUILT_BASELINE: u64 = 64 << 20;

/// The program or driver that answers for a submission.
#[derive(Clone, Debug)]
pub enum Source {
    /// Keur's own driver in this interpreter.
    Engine(&'static Engine, PathBuf),
    /// The executable and the arguments of a program that was built from the submission. It is confined like
    /// any submission, and speaks like keur's own drivers.
    Built(Vec<String>),
    /// A program that the person who grades names.
    Trusted(Command),
}

impl Source {
    /// The engine, if it is one of keur's own.
    pub(super) fn engine(&self) -> Option<&'static Engine> {
        if let Source::Engine(engine, _) = self { Some(engine) } else { None }
    }
}

/// A program that speaks the protocol itself. It is trusted: it is not confined, has the user's environment,
/// and speaks over standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The executable and its arguments.
    pub words: Vec<String>,
    /// How long it may take to answer `start`.
    pub patience: Duration,
    /// Why it is not started again: it did not answer `start` in time. Its copies share this.
    given_up: Arc<OnceLock<String>>,
}

impl Command {
    /// The program with these words: an executable and its arguments.
    pub fn new(words: Vec<String>) -> Command {
        Command { words, patience: PATIENCE, given_up: Arc::default() }
    }

    /// Why it is not started again, if it was given up.
    pub(super) fn given_up(&self) -> Option<&str> {
        self.given_up.get().map(String::as_str)
    }

    /// Gives it up, and its copies: it would take as long again for each case of each submission.
    pub(super) fn give_up(&self, why: &str) {
        // Another worker may have done so at the same moment, for the same reason.
        let _ = self.given_up.set(why.to_owned());
    }

    /// How it is started.
    pub(super) fn launch(&self) -> Launch {
        Launch { env: std::env::vars().collect(), baseline: COMMAND_BASELINE, ..launch_of(&self.words) }
    }
}

/// How a program that was built from a submission is started, before it is confined.
pub(super) fn launch_of_built(words: &[String]) -> Launch {
    let transport = if cfg!(unix) { Transport::Socket } else { Transport::Pipes };
    Launch { transport, baseline: BUILT_BASELINE, ..launch_of(words) }
}

fn launch_of(words: &[String]) -> Launch {
    let args = words.iter().skip(1).map(Into::into).collect();
    Launch { args, ..Launch::new(words.first().map_or("", String::as_str)) }
}

/// The properties of a submission's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The language, as exercise files name it.
    pub language: String,
    /// The version of its interpreter.
    pub version: String,
    /// The engine that runs it, if it is one of keur's own.
    pub engine: Option<&'static Engine>,
    /// How it writes values.
    pub notation: &'static dyn Notation,
    /// How it spells names.
    pub convention: Convention,
    /// Whether it takes arguments by keyword.
    pub keywords: bool,
    /// Whether it distinguishes tuples from lists; if not, a list counts as a tuple.
    pub tuples: bool,
    /// The built-in exception types of the language.
    pub exceptions: &'static [&'static str],
    /// The exception types that the language itself raises for a mistake in a program.
    pub crashes: &'static [&'static str],
    /// Whether it can run programs.
    pub programs: bool,
    /// Whether it knows operators, attributes and items.
    pub operators: bool,
    /// Whether it can run code that stands in a case.
    pub native: bool,
    /// Modules that are installed and that the exercise does not allow, where it allows packages.
    pub barred: Arc<[String]>,
}

/// A command as a user would type it.
pub(super) fn command(dialect: &Dialect, file: &str, args: &[String]) -> String {
    let interpreter = dialect.notation.syntax().interpreter;
    let quoted = |arg: &String| {
        let plain = |ch: char| ch.is_ascii_alphanumeric() || "-_./=:,".contains(ch);
        let bare = !arg.is_empty() && arg.chars().all(plain);
        if bare { arg.clone() } else { format!("'{}'", arg.replace('\'', r"'\''")) }
    };
    let words = [interpreter.to_owned(), file.to_owned()].into_iter().chain(args.iter().map(quoted));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a submission imports a library module that a fork server may have preloaded.
pub(super) fn imports_library(engine: &Engine, bundle: &Bundle) -> bool {
    let is_own = |name: &str| bundle.files.iter().any(|file| file.module.as_deref() == Some(name));
    let imports = |file: &SourceFile| {
        let scan = (engine.language.scan)(&String::from_utf8_lossy(&file.bytes));
        scan.imports.iter().any(|name| engine.preload.contains(&name.as_str()) && !is_own(name))
    };
    !engine.preload.is_empty() && bundle.files.iter().any(imports)
}

pub(super) struct Spoken<'a> {
    pub(super) naming: Naming<'a>,
    pub(super) keywords: bool,
    pub(super) language: &'a str,
}

impl<'a> Spoken<'a> {
    pub(super) fn new(exercise: &'a Exercise, dialect: &'a Dialect) -> Spoken<'a> {
        let naming = Naming::new(exercise, &dialect.language, dialect.convention);
        Spoken { naming, keywords: dialect.keywords, language: &dialect.language }
    }
}

impl Spelling for Spoken<'_> {
    fn spell(&self, name: &str) -> String {
        self.naming.spell(name)
    }

    fn keywords(&self) -> bool {
        self.keywords
    }

    fn language(&self) -> &str {
        self.language
    }
}
