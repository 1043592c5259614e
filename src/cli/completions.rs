//! `keur completions`, and the answers to a shell that completes a command line of keur.

use super::error::CliResult;
use super::exit::RunStatus;
use super::output;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate};
use keur_core::case::{Library, LibraryError};
use keur_core::report::formats::FORMATS;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable by which a shell asks keur to complete the command line after `--`; its value names the shell.
const VARIABLE: &str = "KEUR_COMPLETE";

#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

pub(super) fn run(args: &CompletionsArgs) -> CliResult {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&args.shell) {
        let written = shell.write_registration(VARIABLE, "keur", "keur", "keur", &mut script);
        written.expect("memory can be written");
    }
    output::out(&String::from_utf8_lossy(&script));
    Ok(RunStatus::Passed)
}

/// Answers a shell that completes a command line, if one asks.
///
/// # Errors
/// The shell is unknown, or standard output cannot be written.
pub(super) fn answered() -> clap::error::Result<bool> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(|| with_names(super::command()))
        .var(VARIABLE)
        .try_complete(std::env::args_os(), folder.as_deref())
}

/// The command line, which completes the names of exercises and cases in every command.
fn with_names(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "exercise" | "game" => arg.add(ArgValueCompleter::new(exercises)),
        "format" if arg.get_possible_values().is_empty() => arg.add(ArgValueCompleter::new(formats)),
        "only" | "filter" => arg.add(ArgValueCompleter::new(cases)),
        _ => arg,
    });
    command.mut_subcommands(with_names)
}

/// The exercises whose names begin with what is typed.
fn exercises(typed: &OsStr) -> Vec<CompletionCandidate> {
    candidates(Typed::now().library().names(), typed)
}

/// The formats of reports whose names begin with what is typed.
fn formats(typed: &OsStr) -> Vec<CompletionCandidate> {
    candidates(Ok(FORMATS.iter().map(|format| format.name.to_owned()).collect()), typed)
}

/// The cases whose names begin with what is typed: those of the exercise that is named, else of all.
fn cases(typed: &OsStr) -> Vec<CompletionCandidate> {
    let line = Typed::now();
    let library = line.library();
    let named = line.value("--exercise").and_then(OsStr::to_str);
    let loaded = match named {
        Some(name) => library.load(name).map(|loaded| vec![loaded]),
        None => library.load_all(),
    };
    let names = loaded.map(|loaded| {
        loaded.into_iter().flat_map(|loaded| loaded.cases).map(|case| case.name).collect::<Vec<_>>()
    });
    candidates(names, typed)
}

/// The names that begin with what is typed. Where files cannot be read there are none: a shell has no place for errors.
fn candidates(names: Result<Vec<String>, LibraryError>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    // Several exercises may have a case of one name.
    let names = BTreeSet::from_iter(names.unwrap_or_default());
    names.into_iter().filter(|name| name.starts_with(&*typed)).map(CompletionCandidate::new).collect()
}

/// The words of the command line that is completed.
struct Typed(Vec<OsString>);

impl Typed {
    /// The words after `--` among keur's own arguments.
    fn now() -> Typed {
        Typed(std::env::args_os().skip_while(|word| word != "--").skip(1).collect())
    }

    /// The value of an option, in the word after it or behind an `=`.
    fn value(&self, option: &str) -> Option<&OsStr> {
        let next = self.0.windows(2).find(|words| words[0] == option).map(|words| words[1].as_os_str());
        let within = || self.0.iter().find_map(|word| word.to_str()?.strip_prefix(option)?.strip_prefix('='));
        next.or_else(|| within().map(OsStr::new))
    }

    /// The exercises that the command line is about.
    fn library(&self) -> Library {
        Library::from(self.value("--cases").map(PathBuf::from))
    }
}
