//! How tests run keur and other programs, and the folders of files that they run in.

#![allow(dead_code, reason = "not every target uses all of it")]

use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs keur in the folder of the project.
#[track_caller]
pub(crate) fn keur(args: &[&str]) -> Run {
    run(&mut keur_command(args))
}

/// Runs keur in the folder of the project, with this on its standard input.
#[track_caller]
pub(crate) fn keur_with_input(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_with_input(&mut keur_command(args), input)
}

/// The command that runs keur in the folder of the project.
pub(crate) fn keur_command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keur"));
    command.args(args).current_dir(root());
    command
}

/// The `PATH` of these tests, with keur's folder before all others.
pub(crate) fn path_with_keur() -> OsString {
    let keur = Path::new(env!("CARGO_BIN_EXE_keur")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(keur).chain(std::env::split_paths(&path))).unwrap()
}

/// A cache of keur that tests share, since what crates depend on is built in it.
pub(crate) fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// Fails, and shows both, unless `text` contains `part`.
#[track_caller]
pub(crate) fn assert_says(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in:\n{text}");
}

/// How a program ended, and its output.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    /// The standard output.
    pub(crate) out: String,
    /// The standard error.
    pub(crate) err: String,
}

/// Runs a program to its end.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Run {
    Run::of(command.output().unwrap())
}

/// Runs a program with this on its standard input.
#[track_caller]
pub(crate) fn run_with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments ends without reading it.
    let written = child.stdin.take().unwrap().write_all(input.as_ref());
    assert!(written.is_ok() || written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
    Run::of(child.wait_with_output().unwrap())
}

impl Run {
    /// The run that ended with this output.
    #[track_caller]
    pub(crate) fn of(output: Output) -> Run {
        let code = output.status.code().unwrap_or_else(|| panic!("a signal ended it: {output:?}"));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code, out: text(output.stdout), err: text(output.stderr) }
    }

    /// The standard output, and then the standard error.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// The JSON of the standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.all()))
    }
}

/// The newest program of the test target `grade`, which cargo builds together with this one.
pub(crate) fn grade_test() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let programs = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("grade-") && path.extension().is_none_or(|ending| ending == "exe")
    });
    let newest = programs.max_by_key(|path| path.metadata().unwrap().modified().unwrap());
    newest.expect("the test target `grade` is built by `cargo test`")
}

/// A text with one space for each run of white space: what fits a terminal is broken into lines.
pub(crate) fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a program that must succeed, and returns its output.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// A new folder with these files, by path.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path(), files);
    folder
}

/// Writes files, by their paths in `folder`.
pub(crate) fn write_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let to = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Whether files that tests compare with are to be written anew.
pub(crate) fn blesses() -> bool {
    let blesses = std::env::var_os("KEUR_BLESS").is_some();
    assert!(!blesses || std::env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
    blesses
}
