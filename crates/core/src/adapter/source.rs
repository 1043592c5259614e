//! The program that runs a submission: a driver, a program built from it, or one that is named.

use crate::languages::{Engine, Language};
use crate::sandbox::{Launch, Transport};
use crate::value::{Bundle, SourceFile};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Memory that an unknown program may use at start, for example for a virtual machine.
const COMMAND_BASELINE: u64 = 4 << 30;

/// The time that a trusted program has to answer `start`.
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
    /// A library that was built from the submission, with the driver that loads it.
    Library(Library),
    /// A program that the person who grades names.
    Trusted(Command),
}

impl Source {
    /// The engine, if it is one of keur's own.
    pub(super) fn engine(&self) -> Option<&'static Engine> {
        if let Source::Engine(engine, _) = self { Some(engine) } else { None }
    }
}

/// The libraries that were built from a submission. Only the copy of their driver that answers for a case loads one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The language of the submission.
    pub language: &'static Language,
    /// The program of keur's driver.
    pub driver: PathBuf,
    /// The library for calls, if the submission answers any.
    pub calls: Option<PathBuf>,
    /// The libraries of its programs, by the names of their files.
    pub programs: BTreeMap<String, PathBuf>,
    /// Whether the memory limit is one on resident memory: with sanitizers they reserve much more than they use.
    pub resident: bool,
    /// Whether memory that is lost is a fault.
    pub leaks: bool,
}

/// A program that speaks the protocol itself. It is trusted: it is not confined, has the user's environment,
/// and speaks over standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The executable and its arguments.
    pub words: Vec<String>,
    /// The time that the program has to answer `start`.
    pub patience: Duration,
    /// The reason not to start the program again: it did not answer `start` in time. All copies of the
    /// command share it.
    given_up: Arc<OnceLock<String>>,
}

impl Command {
    /// The program with these words: an executable and its arguments.
    pub fn new(words: Vec<String>) -> Command {
        Command { words, patience: PATIENCE, given_up: Arc::default() }
    }

    /// The reason not to start the program again, if it was given up.
    pub(super) fn given_up(&self) -> Option<&str> {
        self.given_up.get().map(String::as_str)
    }

    /// Gives it up, and its copies: it would take as long again for each case of each submission.
    pub(super) fn give_up(&self, why: &str) {
        // Another worker may have done so at the same moment, for the same reason.
        let _ = self.given_up.set(why.to_owned());
    }

    /// The command that starts it.
    pub(super) fn launch(&self) -> Launch {
        Launch {
            env: std::env::vars().collect(),
            transport: Transport::Pipes,
            baseline: COMMAND_BASELINE,
            ..launch_of(&self.words)
        }
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

/// Whether a submission imports a library module that a fork server may have preloaded.
pub(super) fn imports_library(engine: &Engine, bundle: &Bundle) -> bool {
    let is_own = |name: &str| bundle.files.iter().any(|file| file.module.as_deref() == Some(name));
    let imports = |file: &SourceFile| {
        let scan = (engine.language.scan)(&String::from_utf8_lossy(&file.bytes));
        scan.imports.iter().any(|name| engine.preload.contains(&name.as_str()) && !is_own(name))
    };
    !engine.preload.is_empty() && bundle.files.iter().any(imports)
}
