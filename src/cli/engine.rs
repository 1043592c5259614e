//! `keur engine`, started by keur itself: runs the built-in JavaScript engine.

use super::args::one_of;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use clap::Args;
use keur_core::languages::{self, Mode};
use keur_sandbox::{Tier, Transport};

#[derive(Args)]
pub(super) struct EngineArgs {
    /// The mode: server, socket, pipes or version
    mode: String,
    /// How a server confines the processes that it forks
    #[arg(default_value = "portable", value_parser = one_of::<Tier>())]
    tier: Tier,
    /// Memory for the submission, in bytes
    #[arg(default_value = "0")]
    memory: u64,
    /// The seed of random numbers
    #[arg(default_value = "0")]
    seed: u32,
}

pub(super) fn run(args: &EngineArgs) -> CliResult {
    let Some(carried) = languages::engines().find_map(|engine| engine.carried) else {
        return Err(CliError::Usage("this keur was built without an engine of its own".to_owned()));
    };
    let mode = match args.mode.as_str() {
        "version" => {
            let program = std::env::current_exe().unwrap_or_default();
            output::out(&format!("{}\n{}\n", program.display(), (carried.version)()));
            return Ok(RunStatus::Passed);
        }
        "server" => Mode::Server(args.tier),
        "socket" => Mode::Process(Transport::Socket),
        "pipes" => Mode::Process(Transport::Pipes),
        _ => {
            let message = "keur starts its engine itself; choose it with `keur grade --engine quickjs`";
            return Err(CliError::Usage(message.to_owned()));
        }
    };
    (carried.serve)(mode, args.memory, args.seed).map_err(|error| CliError::fault(error.to_string()))?;
    Ok(RunStatus::Passed)
}
