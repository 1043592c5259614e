//! `keur man`.

use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::writing::TargetFolder;
use clap::{Args, Command};
use clap_mangen::Man;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct ManArgs {
    /// The folder for the pages
    #[arg(default_value = "man")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManArgs) -> CliResult {
    let folder = TargetFolder::make(&args.folder).map_err(CliError::write(&args.folder))?;
    let mut command = super::command().disable_help_subcommand(true);
    command.build();
    let pages = pages(&command);
    for page in &pages {
        let name = page.get_filename();
        let mut text = Vec::new();
        page.render(&mut text).expect("memory can be written");
        folder.write(&name, &text).map_err(CliError::write(&args.folder.join(&name)))?;
    }
    output::out(&format!("{}: {} {}\n", args.folder.display(), pages.len(), plural(pages.len(), "page")));
    Ok(RunStatus::Passed)
}

/// The page of a command, and those of the commands below it.
fn pages(command: &Command) -> Vec<Man> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    let below = below.flat_map(pages).collect::<Vec<_>>();
    let source = concat!("keur ", env!("CARGO_PKG_VERSION"));
    std::iter::once(Man::new(command.clone()).source(source)).chain(below).collect()
}
