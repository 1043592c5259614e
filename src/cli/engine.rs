//! `keur engine`, which keur starts by itself: the process of the engine that it carries.

use super::{EngineArgs, Exit, output};
use crate::driver::{Mode, quickjs};
use crate::sandbox::Transport;

pub(super) fn run(args: &EngineArgs) -> Exit {
    let mode = match args.mode.as_str() {
        "version" => {
            let program = std::env::current_exe().unwrap_or_default();
            output::out(&format!("{}\n{}\n", program.display(), quickjs::version()));
            return Exit::Passed;
        }
        "server" => Mode::Server(args.tier),
        "socket" => Mode::Process(Transport::Socket),
        "pipes" => Mode::Process(Transport::Pipes),
        _ => {
            output::err(
                "error: keur starts its engine by itself; choose it with `keur grade --engine quickjs`\n",
            );
            return Exit::Usage;
        }
    };
    match quickjs::serve(mode, args.memory, args.seed) {
        Ok(()) => Exit::Passed,
        Err(error) => {
            output::err(&format!("error: {error}\n"));
            Exit::Fault
        }
    }
}
