//! `keur fmt`: what it changes, what it lists, and what it refuses.

use super::{CASE, EXERCISE, keur};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const UNTIDY: &str = "title   = 'It counts'\n[[step]]\n# one\ndo='c = Counter(1)'\n";
const TIDY: &str = "title = 'It counts'\n\n[[step]]\n# one\ndo = 'c = Counter(1)'\n";

/// A folder of exercises with one that has an untidy case, a tidy one, and a sample's verdicts.
fn folder() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let own = place.path().join("counters");
    fs::create_dir_all(own.join("samples")).unwrap();
    for (name, text) in [
        ("exercise.toml", EXERCISE.trim_start()),
        ("tidy.toml", CASE.trim_start()),
        ("untidy.toml", UNTIDY),
        ("samples/verdicts.toml", "a   = 1\n"),
    ] {
        fs::write(own.join(name), text).unwrap();
    }
    place
}

fn read(place: &Path, name: &str) -> String {
    fs::read_to_string(place.join("counters").join(name)).unwrap()
}

#[test]
fn files_of_a_folder_are_laid_out_and_named() {
    let place = folder();
    let path = place.path().to_str().unwrap();
    let checked = keur(&["fmt", "--check", path]);
    let untidy = place.path().join("counters").join("untidy.toml");
    assert_eq!((checked.code, checked.out.trim()), (1, untidy.to_str().unwrap()));
    assert!(checked.err.starts_with("1 of 3 files would change"), "{}", checked.err);
    assert_eq!(read(place.path(), "untidy.toml"), UNTIDY);
    let done = keur(&["fmt", path]);
    assert_eq!((done.code, done.out.trim(), done.err.as_str()), (0, untidy.to_str().unwrap(), ""));
    assert_eq!(read(place.path(), "untidy.toml"), TIDY);
    assert_eq!(read(place.path(), "samples/verdicts.toml"), "a   = 1\n");
    let again = keur(&["fmt", "--check", path, untidy.to_str().unwrap()]);
    assert_eq!((again.code, again.out.as_str(), again.err.as_str()), (0, "", ""));
}

#[test]
fn a_broken_file_is_left_alone_and_has_its_place() {
    let place = folder();
    fs::write(place.path().join("counters/broken.toml"), "title   = 'a'\nb = \n").unwrap();
    let done = keur(&["fmt", place.path().to_str().unwrap()]);
    assert_eq!(done.code, 3);
    assert!(done.err.contains("broken.toml:2:5"), "{}", done.err);
    assert_eq!(read(place.path(), "broken.toml"), "title   = 'a'\nb = \n");
    assert_eq!(read(place.path(), "untidy.toml"), TIDY, "the others are laid out");
    for missing in ["no.toml", "src"] {
        let done = keur(&["fmt", missing]);
        assert!(done.code == 2 && done.err.starts_with("error: "), "{missing}: {}", done.err);
    }
}

#[test]
fn standard_input_is_printed() {
    for (args, code, printed) in
        [(["fmt", "-"].as_slice(), 0, TIDY), (&["fmt", "--check", "-"], 1, "standard input\n")]
    {
        let mut program = Command::new(env!("CARGO_BIN_EXE_keur"));
        let mut child = program
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(UNTIDY.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()),
            (Some(code), printed)
        );
    }
}

#[test]
fn keurs_own_cases_have_the_layout() {
    let checked = keur(&["fmt", "--check", "cases", "fixtures/exercises"]);
    assert_eq!(
        (checked.code, checked.out.as_str()),
        (0, ""),
        "run: cargo run -- fmt cases fixtures/exercises"
    );
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("mean");
    let path = path.to_str().unwrap();
    keur(&["new", "exercise", path]);
    assert_eq!(keur(&["fmt", "--check", path]).out, "");
}
