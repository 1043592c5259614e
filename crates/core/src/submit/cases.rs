//! Runs the cases of an exercise on this very program, as `cargo test` of a student's crate does.

use crate::adapter::SourceFile;
use crate::case::Library;
use crate::grade::Settings;
use crate::sandbox::Tools;
use crate::submission::{self, Built, Runner};
use crate::testing::{Suite, Suites};
use libtest_mimic::Arguments;
use std::fs;
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
    let mut submission =
        submission::program(Path::new("."), Runner::Built(Arc::new(Built { words, home: None })));
    if let Ok(found) = &mut submission.found {
        found.bundle.files = tests();
    }
    Ok(Suite::new(name, Arc::new(loaded), submission, Settings::default(), Tools::default()))
}

/// The sources of the test targets, which name the type of the submission: cargo starts this program in the
/// folder of its crate. Without them, sessions do not import that type.
fn tests() -> Vec<SourceFile> {
    let entries = fs::read_dir("tests").into_iter().flatten().flatten();
    let rust = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "rs"));
    let read = rust.filter_map(|entry| {
        let name = entry.path().display().to_string();
        let bytes = fs::read(entry.path()).ok()?.into();
        Some(SourceFile { module: Some(name.clone()), path: Some(entry.path()), name, bytes })
    });
    let mut files: Vec<SourceFile> = read.collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}
