//! Runs the cases of an exercise on this very program, as `cargo test` of a student's crate does.

use crate::case::Library;
use crate::grade::Settings;
use crate::sandbox::Tools;
use crate::submission::{self, Built, Runner};
use crate::testing::{Suite, Suites};
use libtest_mimic::Arguments;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the cases of the built-in exercise `name` that the arguments ask for; `serve` is the argument that
/// starts this program as the submission.
///
/// # Errors
/// There is no such exercise, or this program cannot be found.
pub(super) fn test(name: &str, serve: &str) -> Result<ExitCode, String> {
    Ok(Suites::new(vec![suite(name, serve)?], Arguments::from_args()).run(Vec::new()))
}

fn suite(name: &str, serve: &str) -> Result<Suite, String> {
    let loaded = Library::BuiltIn.load(name).map_err(|error| error.to_string())?;
    let program =
        std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    let words = vec![program.display().to_string(), serve.to_owned()];
    let submission =
        submission::program(Path::new("."), Runner::Built(Arc::new(Built { words, home: None })));
    Ok(Suite::new(name, Arc::new(loaded), submission, Settings::default(), Tools::default()))
}
