//! `keur play` as users run it: over pipes, and as a server that others on the machine or the web may attack.

mod pipes;
mod server;

use crate::running::keur_command;
use std::process::Command;

/// `keur play` with `arguments`, isolated from the caches and the language of the tests' user.
fn keur(arguments: &[&str], home: &std::path::Path) -> Command {
    let mut command = keur_command(&["play"]);
    command
        .args(arguments)
        .env("XDG_CACHE_HOME", home)
        .env("HOME", home)
        .env("COLUMNS", "80")
        .current_dir(home);
    for name in ["LANG", "LC_ALL", "LC_MESSAGES", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}
