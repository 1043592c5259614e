//! The README and the pages beside it do what they say: each command that they show runs in a clone, and each page that a
//! reader starts from works as it is written, in an empty folder.

use crate::running::{Run, folder, grade_test, keur_command, root, run, shared_cache};
use keur_core::compare::Verdict;
use keur_core::named::Named;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");
const GRADE: &str = include_str!("../../docs/grade.md");

/// The heading above the commands that get a released keur, which no clone can run.
const INSTALLING: &str = "\n## From the first release on\n";

/// A page without the section on getting a released keur.
fn without_installing(page: &str) -> String {
    let (before, section) = page.split_once(INSTALLING).unwrap_or((page, ""));
    let (_, after) = section.split_once("\n## ").unwrap_or_default();
    format!("{before}\n{after}")
}

/// The fenced blocks of `language`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The commands of a page that a reader with a clone runs.
fn commands(page: &str) -> Vec<String> {
    let blocks = blocks(&without_installing(page), "sh").concat();
    let commands = blocks.lines().map(|line| line.split(" #").next().unwrap().trim().to_owned());
    commands.filter(|line| !line.is_empty()).collect()
}

fn obey(command: &str) -> Run {
    let arguments = command.strip_prefix("keur ").or_else(|| command.strip_prefix("cargo run -- "));
    if let Some(arguments) = arguments {
        // Reports of examples are written there; cargo itself may build elsewhere.
        fs::create_dir_all(root().join("target")).unwrap();
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        return run(keur_command(&arguments).env("XDG_CACHE_HOME", shared_cache()));
    }
    if let Some(arguments) = command.strip_prefix("cargo test --manifest-path ") {
        // Without the shell's quotes; its builds are shared with the tests of other crates.
        let arguments = arguments.replace('\'', "");
        let mut command = Command::new(env!("CARGO"));
        command.args(["test", "--offline", "--manifest-path"]).args(arguments.split_whitespace());
        command.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust"));
        return run(command.current_dir(root()));
    }
    // The test target, built beside this one.
    let (variable, rest) = command.split_once(' ').unwrap();
    let (name, value) = variable.split_once('=').unwrap();
    assert_eq!(rest, "cargo test --test grade", "{command}: a command that this test does not know");
    run(Command::new(grade_test()).env(name, value).current_dir(root()))
}

#[test]
fn every_command_of_the_readme_and_of_the_pages_for_a_clone_works() {
    let pages = [
        README,
        GRADE,
        include_str!("../../docs/reports.md"),
        include_str!("../../docs/rust.md"),
        include_str!("../../docs/play.md"),
    ];
    let mut done = BTreeSet::new();
    for page in pages {
        let commands = commands(page);
        assert!(!commands.is_empty(), "no commands were read of {page}");
        for command in commands.into_iter().filter(|command| done.insert(command.clone())) {
            let run = obey(&command);
            // The first command shows a failed case on purpose, and a starter crate is still empty.
            let code = match command.as_str() {
                shown if shown.contains("blue_keeps_turn") => 1,
                starter if starter.contains("--manifest-path templates/rust-") => 101,
                // Some of the class have failed cases.
                "keur test fixtures/class spec_session" => 101,
                _ => 0,
            };
            assert_eq!(run.code, code, "{command}\n{}", run.all());
        }
    }
}

#[track_caller]
fn check_picture(page: &str, command: &str) {
    let pictures = blocks(page, "text");
    assert_eq!(pictures.len(), 1, "a picture that no command is known for");
    assert!(commands(page).iter().any(|known| known == command), "{command} is not in the page");
    let printed = obey(command).out;
    let version = |line: &str| line.split("Python").next().unwrap().trim().to_owned();
    for line in pictures[0].lines().filter(|line| line.trim() != "…") {
        let known = printed.lines().any(|printed| version(printed) == version(line));
        assert!(known, "the page shows {line:?}, which is not in\n{printed}");
    }
}

#[test]
fn the_pictures_of_the_readme_and_of_grading_are_what_the_commands_print() {
    check_picture(README, &commands(README)[0]);
    check_picture(GRADE, "keur test fixtures/class spec_session");
}

#[test]
fn the_pages_that_a_reader_starts_from_work_as_they_are_written() {
    let starter = fs::read_to_string(root().join("templates/python-codenames/codenames.py")).unwrap();
    let pages = [
        (include_str!("../../docs/grade-a-class.md"), 12),
        (include_str!("../../docs/students-repositories.md"), 5),
        (include_str!("../../docs/write-cases.md"), 10),
    ];
    for (page, fewest) in pages {
        let place = folder(&[("templates/python-codenames/codenames.py", &starter)]);
        crate::walk::walk(page, place.path(), fewest);
    }
}

#[test]
fn the_case_of_the_readme_holds_on_the_reference() {
    let folder = folder(&[("codenames/readme.toml", &blocks(README, "toml")[0])]);
    let path = folder.path().to_str().unwrap().to_owned();
    let checked = obey(&format!("keur check {path}"));
    assert_eq!(checked.code, 0, "{}", checked.err);
}

#[test]
fn the_page_about_grading_names_every_exercise_language_and_verdict() {
    let mut names: Vec<String> = keur_core::case::Library::BuiltIn.names().unwrap();
    names.extend(keur_core::languages::LANGUAGES.iter().map(|language| language.title.to_owned()));
    names.extend(Verdict::NAMES.iter().map(|name| (*name).to_owned()));
    for name in names {
        assert!(GRADE.contains(&name), "docs/grade.md does not name {name}");
    }
}
