//! `keur play` as its users run it: over pipes, and as a server that others on the machine or the web may try.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod pipes;
mod server;

use std::process::Command;

/// `keur play` with `arguments`, away from the caches and the language of whoever runs the tests.
fn keur(arguments: &[&str], home: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keur"));
    command.arg("play").args(arguments);
    command.env("XDG_CACHE_HOME", home).env("HOME", home).current_dir(home);
    for name in ["LANG", "LC_ALL", "LC_MESSAGES", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}
