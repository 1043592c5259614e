//! Tests that need more than Rust, Python and Node: here, a validator of JSON Schema that nobody of us wrote.
//!
//! `.ci/run` installs it (`check-jsonschema` from PyPI, into `target/external`) and turns the feature on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn validator() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/external/bin/check-jsonschema");
    assert!(path.exists(), "{} is missing: install it as .ci/run does", path.display());
    path
}

fn cases(exercise_files: bool) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let files = walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap().into_path());
    let wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap();
        path.extension().is_some_and(|ending| ending == "toml") && (name == "exercise.toml") == exercise_files
    };
    files.filter(wanted).collect()
}

#[track_caller]
fn check(schema: &str, files: &[PathBuf]) {
    assert!(files.len() >= 5, "the files were not found");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(schema);
    let output = Command::new(validator()).arg("--schemafile").arg(schema).args(files).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_built_in_case_is_valid_by_its_schema() {
    check("case.schema.json", &cases(false));
}

#[test]
fn every_built_in_exercise_is_valid_by_its_schema() {
    check("exercise.schema.json", &cases(true));
}
