//! `keur driver test`: whether a program speaks the protocol.

use super::args::program;
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output::{self, plural};
use clap::{Args, Subcommand};
use keur_core::adapter;
use keur_core::adapter::SourceFile;
use keur_core::adapter::conformance::{self, Check, CheckOutcome};
use keur_core::languages;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(super) enum DriverCommand {
    /// Run a program through the conformance suite of the protocol
    Test(DriverTestArgs),
}

#[derive(Args)]
pub(super) struct DriverTestArgs {
    /// The program and its arguments; quotes and backslashes are read as in a shell, so write a Windows path
    /// with forward slashes or in single quotes
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    command: adapter::Command,
    /// The class `Conformance` of docs/new-language.md, written in the program's language
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
}

pub(super) fn test(args: &DriverTestArgs) -> CliResult {
    let bytes = std::fs::read(&args.file)
        .map_err(|error| CliError::Usage(format!("{}: cannot be read: {error}", args.file.display())))?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let module = languages::of_file(&name).map_or_else(|| name.clone(), |language| (language.module)(&name));
    let file = SourceFile { name, module: Some(module), path: None, bytes: bytes.into() };
    let (mut held, mut lacking, mut broken) = (0, 0, 0);
    conformance::check(&args.command.words, &file, &mut |check: &Check| {
        let line = match &check.outcome {
            CheckOutcome::Holds => format!("  ✓ {}\n", check.name),
            CheckOutcome::Lacks(why) => format!("  – {}: not in this language: {why}\n", check.name),
            CheckOutcome::Broken { expected, got } => {
                format!("  ✗ {}\n      expected: {expected}\n      got:      {got}\n", check.name)
            }
        };
        match check.outcome {
            CheckOutcome::Holds => held += 1,
            CheckOutcome::Lacks(_) => lacking += 1,
            CheckOutcome::Broken { .. } => broken += 1,
        }
        output::out(&line);
    })?;
    let checks = held + lacking + broken;
    output::out(&format!(
        "\n{checks} {}: {held} passed, {lacking} not in this language, {broken} failed\n",
        plural(checks, "check")
    ));
    Ok(if broken == 0 { RunStatus::Passed } else { RunStatus::Failed })
}
