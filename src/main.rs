//! The `keur` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    keur::cli::main()
}
