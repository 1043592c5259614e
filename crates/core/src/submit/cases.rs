//! Runs the cases of an exercise on this very program, as `cargo test` of a student's crate does.

use crate::adapter::SourceFile;
use crate::case::Library;
use crate::judge::Settings;
use crate::languages::rust;
use crate::report::words::Words;
use crate::sandbox::Tools;
use crate::submission::{self, Built, Product, Runner};
use crate::testing::{Suite, Suites};
use libtest_mimic::{Arguments, FormatSetting};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The argument that also counts the cases that depend on a ruling.
const RULINGS: &str = "--rulings";

/// Runs the cases of the built-in exercise `name` that the arguments ask for; `serve` is the argument that
/// starts this program as the submission.
///
/// # Errors
/// There is no such exercise, or this program cannot be found.
pub(super) fn test(name: &str, serve: &str) -> Result<ExitCode, String> {
    let (rulings, given): (Vec<String>, Vec<String>) = std::env::args().partition(|arg| arg == RULINGS);
    let arguments = Arguments::from_iter(given);
    let settings = Settings { rulings: !rulings.is_empty(), ..Settings::default() };
    let suite = suite(name, serve, settings)?;
    let is_for_people = !arguments.list && arguments.format != Some(FormatSetting::Json);
    let uncounted = uncounted(&suite).filter(|_| is_for_people);
    let code = Suites::new(vec![suite], Vec::new(), arguments).run(Vec::new());
    uncounted.iter().for_each(|sentence| say(sentence));
    Ok(code)
}

/// The sentence about the cases that do not count because they depend on a ruling, if there are any.
fn uncounted(suite: &Suite) -> Option<String> {
    let count = suite.loaded.cases.iter().filter(|case| case.is_ruling()).count();
    let words = Words::new(suite.loaded.exercise.lang);
    (count > 0 && !suite.settings.rulings).then(|| words.count("label-rulings", count, &[]))
}

#[expect(clippy::print_stdout, reason = "a test program ends with its result on the terminal")]
fn say(sentence: &str) {
    println!("{sentence}");
}

fn suite(name: &str, serve: &str, settings: Settings) -> Result<Suite, String> {
    let loaded = Library::BuiltIn.load(name).map_err(|error| error.to_string())?;
    let program =
        std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    let words = vec![program.display().to_string(), serve.to_owned()];
    let built = Built { language: &rust::LANGUAGE, product: Product::Program(words), home: None };
    let mut submission = submission::program(Path::new("."), Runner::Built(Arc::new(built)));
    if let Ok(found) = &mut submission.found {
        found.bundle.files = tests();
    }
    Ok(Suite::new(name, Arc::new(loaded), submission, settings, Tools::default()))
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
