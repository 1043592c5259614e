//! Arguments that several subcommands take, and how their values are read.

use super::error::CliError;
use crate::run::GradeRequest;
use crate::run::build::{BuildSettings, Skeleton};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, FromArgMatches};
use keur_core::adapter;
use keur_core::case::{LimitsPatch, parse_size, parse_time};
use keur_core::languages::{self, Engine, Interpreters, Language};
use keur_core::messages::Lang;
use keur_core::named::Named;
use keur_sandbox::Tier;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Programs of engines and compilers that are named by an option of their own, such as `--python`.
#[derive(Default)]
pub(super) struct ProgramArgs {
    engines: Vec<(&'static Engine, PathBuf)>,
    compilers: Vec<(&'static Language, PathBuf)>,
}

impl ProgramArgs {
    /// Sets the programs of the engines and of the compilers.
    pub(super) fn apply(&self, interpreters: &mut Interpreters, build: &mut BuildSettings) {
        for (engine, program) in &self.engines {
            interpreters.name(engine, program.clone());
        }
        for (language, program) in &self.compilers {
            build.name(language, program);
        }
    }
}

impl Args for ProgramArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let compilers = languages::built().filter_map(|language| language.build?.option);
        let options: BTreeMap<&str, &str> =
            languages::engines().filter_map(|engine| engine.option).chain(compilers).collect();
        command.args(options.into_iter().map(|(option, help)| {
            let path = clap::value_parser!(PathBuf);
            clap::Arg::new(option).long(option).help(help).value_name("PROGRAM").value_parser(path)
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        ProgramArgs::augment_args(command)
    }
}

impl FromArgMatches for ProgramArgs {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<ProgramArgs, clap::Error> {
        let program = |option: Option<(&str, &str)>| matches.get_one::<PathBuf>(option?.0).cloned();
        let engine = |engine: &'static Engine| Some((engine, program(engine.option)?));
        let compiler = |language: &'static Language| Some((language, program(language.build?.option)?));
        Ok(ProgramArgs {
            engines: languages::engines().filter_map(engine).collect(),
            compilers: languages::built().filter_map(compiler).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = ProgramArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The heading of the options for programs and how they are run.
const MACHINE: &str = "How programs are run";

/// The interpreters and the confinement of this machine.
#[derive(Args)]
#[command(next_help_heading = MACHINE)]
pub(super) struct MachineArgs {
    /// How strictly submissions and references are confined: strict, standard or portable; standard by
    /// default on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    crates: CrateArgs,
}

impl MachineArgs {
    /// Sets the confinement of a request, its interpreters, and how it builds crates.
    ///
    /// # Errors
    /// The skeleton of crates cannot be read.
    pub(super) fn apply(&self, request: &mut GradeRequest) -> Result<(), CliError> {
        request.tier = self.confine.unwrap_or_default();
        self.programs.apply(&mut request.interpreters, &mut request.build);
        self.crates.apply(&mut request.build)
    }
}

/// The engine of a language that has several.
#[derive(Args)]
#[command(next_help_heading = MACHINE)]
pub(super) struct EngineArgs {
    /// The JavaScript engine; node by default, or the engine built into keur if there is no node
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
}

impl EngineArgs {
    /// The engine that is chosen.
    pub(super) fn engine(&self) -> Option<&'static Engine> {
        languages::engines().find(|engine| Some(engine.name) == self.engine.as_deref())
    }

    /// Sets the engine of a request.
    pub(super) fn apply(&self, request: &mut GradeRequest) {
        if let Some(engine) = self.engine() {
            request.interpreters.choose(engine);
        }
    }
}

fn engines() -> PossibleValuesParser {
    let choices = languages::engines().filter(|engine| engine.language.engines.len() > 1);
    PossibleValuesParser::new(choices.map(|engine| engine.name))
}

/// The heading of the options for crates.
const CRATES: &str = "Rust crates";

/// Rust crates
#[derive(Args)]
pub(super) struct CrateArgs {
    /// The course's own crate; the files listed in its SKELETON replace those of a submission
    #[arg(long, value_name = "DIR", help_heading = CRATES)]
    pub(super) skeleton: Option<PathBuf>,
    /// Time limit for building a crate, such as 2min; 120s by default
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = CRATES)]
    pub(super) build_time: Option<std::time::Duration>,
}

impl CrateArgs {
    /// Sets how crates are built.
    ///
    /// # Errors
    /// The skeleton cannot be read.
    pub(super) fn apply(&self, settings: &mut BuildSettings) -> Result<(), CliError> {
        if let Some(folder) = &self.skeleton {
            settings.skeleton = Some(Skeleton::read(folder)?);
        }
        settings.time = self.build_time.unwrap_or(settings.time);
        Ok(())
    }
}

/// Limits, above those of the exercise and the case
#[derive(Args)]
#[command(next_help_heading = "Limits per case and per submission")]
pub(super) struct LimitArgs {
    /// Processor time, such as 1s
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) cpu: Option<std::time::Duration>,
    /// Wall-clock time, such as 5s
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) wall: Option<std::time::Duration>,
    /// Memory, such as 256MB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(super) memory: Option<u64>,
    /// Output, such as 64KB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(super) output: Option<u64>,
    /// Total time for the cases of a submission that reach a limit, such as 30s; after that, the remaining
    /// cases are not run
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) budget: Option<std::time::Duration>,
}

impl LimitArgs {
    /// The limits that are set.
    pub(super) fn patch(&self) -> LimitsPatch {
        LimitsPatch {
            cpu: self.cpu,
            wall: self.wall,
            memory: self.memory,
            output: self.output,
            budget: self.budget,
        }
    }
}

/// Reads a value by its name; help and errors list the names.
pub(super) fn one_of<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::NAMES).try_map(|name| T::from_name(&name).ok_or("no such value"))
}

pub(super) fn jobs(count: &str) -> Result<usize, String> {
    count
        .parse()
        .ok()
        .filter(|count| (1..=256).contains(count))
        .ok_or_else(|| "expected a number from 1 to 256".to_owned())
}

/// A program and its arguments, written as for a POSIX shell on every system.
pub(super) fn program(command: &str) -> Result<adapter::Command, String> {
    let words =
        shlex::split(command).ok_or("a quote is not closed, or nothing follows the last backslash")?;
    if words.is_empty() {
        return Err("no program is named".to_owned());
    }
    Ok(adapter::Command::new(words))
}

/// The environment's language, read as other programs do; `None` if it has none that is supported.
pub(super) fn language_of_environment() -> Option<Lang> {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let asked = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
    asked.and_then(|value| Lang::from_name(value.get(..2)?))
}
