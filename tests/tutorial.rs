//! The tutorial works as it is written: each file is saved where the text says, and each command is run, in order.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const TUTORIAL: &str = include_str!("../docs/tutorial.md");

/// What a reader of the tutorial does.
#[derive(Debug)]
enum Action {
    /// Saves a text as a file.
    Save(String, String),
    /// Runs a command, which succeeds or fails.
    Run(String, bool),
    /// Looks for a text in what the last command printed.
    See(String),
}

/// The fenced blocks, in order; a file has the last name in backticks before its block.
fn actions() -> Vec<Action> {
    let mut actions = Vec::new();
    let mut prose = String::new();
    let mut lines = TUTORIAL.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            prose.push_str(line);
            prose.push('\n');
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "sh" => actions.extend(block.iter().map(|line| {
                let (command, comment) = line.split_once('#').unwrap_or((line, ""));
                Action::Run(command.trim().to_owned(), comment.trim() != "fails")
            })),
            "text" => actions.extend(block.iter().map(|line| Action::See((*line).to_owned()))),
            "toml" | "python" | "javascript" => {
                let name = prose.rsplit('`').nth(1).unwrap();
                assert!(name.contains('/'), "{name}: not where a file is saved");
                actions.push(Action::Save(name.to_owned(), block.join("\n") + "\n"));
            }
            _ => panic!("a block of {language}, which this test does not know"),
        }
        prose.clear();
    }
    actions
}

#[test]
fn each_step_of_the_tutorial_works() {
    let place = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_keur")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path))).unwrap();
    let mut printed = String::new();
    let actions = actions();
    assert!(actions.len() > 20, "the tutorial was not read: {actions:?}");
    for action in actions {
        match action {
            Action::Save(name, text) => {
                let file = place.path().join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            Action::Run(command, succeeds) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &command]).env("PATH", &path).current_dir(place.path());
                let output = shell.output().unwrap();
                printed =
                    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
                assert_eq!(output.status.success(), succeeds, "{command}\n{printed}");
            }
            Action::See(text) => assert!(printed.contains(&text), "{text:?} is not in\n{printed}"),
        }
    }
    let page = fs::read_to_string(place.path().join("report/index.html")).unwrap();
    assert!(page.contains("Temperatures"), "{page}");
    let points = fs::read_to_string(place.path().join("points.csv")).unwrap();
    assert!(points.lines().any(|line| line.contains("an")), "{points}");
}
