//! Every command of the README does what the README says.

use crate::running::{Run, folder, grade_test, keur_command, root, run, shared_cache};
use keur_core::compare::Verdict;
use keur_core::named::Named;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// The lines of the fenced blocks of `language`.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    README.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

fn commands() -> Vec<String> {
    let lines =
        blocks("sh").into_iter().flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>());
    lines
        .map(|line| line.split(" #").next().unwrap().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

fn obey(command: &str) -> Run {
    let arguments = command.strip_prefix("keur ").or_else(|| command.strip_prefix("cargo run -- "));
    if let Some(arguments) = arguments {
        // Reports of examples are written there; cargo itself may build elsewhere.
        std::fs::create_dir_all(root().join("target")).unwrap();
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
fn every_command_of_the_readme_works() {
    // A class that another build of keur has graded is refused.
    let class = root().join("target/class");
    if class.exists() {
        std::fs::remove_dir_all(class).unwrap();
    }
    let commands = commands();
    assert!(commands.len() >= 7, "the commands were not read: {commands:?}");
    for command in commands {
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

#[test]
fn the_pictures_of_the_readme_are_what_the_commands_print() {
    let commands = [commands().remove(0), "keur test fixtures/class spec_session".to_owned()];
    let pictures = blocks("text");
    assert_eq!(pictures.len(), commands.len(), "a picture that no command is known for");
    for (picture, command) in pictures.iter().zip(commands) {
        let printed = obey(&command).out;
        let version = |line: &str| line.split("Python").next().unwrap().trim().to_owned();
        for line in picture.lines().filter(|line| line.trim() != "…") {
            let known = printed.lines().any(|printed| version(printed) == version(line));
            assert!(known, "the README shows {line:?}, which is not in\n{printed}");
        }
    }
}

#[test]
fn the_case_of_the_readme_holds_on_the_reference() {
    let folder = folder(&[("codenames/readme.toml", &blocks("toml")[0])]);
    let path = folder.path().to_str().unwrap().to_owned();
    let checked = obey(&format!("keur check {path}"));
    assert_eq!(checked.code, 0, "{}", checked.err);
}

#[test]
fn the_readme_names_every_exercise_language_verdict_and_format() {
    let exercises = keur_core::case::Library::BuiltIn.names().unwrap();
    let mut names: Vec<String> = exercises;
    names.extend(keur_core::languages::LANGUAGES.iter().map(|language| language.title.to_owned()));
    names.extend(Verdict::NAMES.iter().map(|name| (*name).to_owned()));
    names.extend(keur_core::report::formats::FORMATS.iter().map(|format| format.name.to_owned()));
    for name in names {
        assert!(README.contains(&name), "the README does not name {name}");
    }
}
