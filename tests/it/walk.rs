//! Does what a page of the documents says: each file is saved where the text says, and each command is run,
//! in order.

use crate::running::{path_with_keur, write_files};
use std::path::Path;
use std::process::Command;

/// Languages of blocks that are files: each has the last name in backticks before its block.
const FILES: [&str; 6] = ["csv", "toml", "python", "javascript", "pycon", "node"];

/// An action of a reader of a page.
#[derive(Debug)]
enum Action {
    /// Saves a text as a file.
    Save(String, String),
    /// Runs a command, which succeeds or fails.
    Run(String, bool),
    /// Looks for a text in what the last command printed.
    See(String),
}

/// The fenced blocks of a page, in order.
fn actions(page: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut prose = String::new();
    let mut lines = page.lines();
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
            // A workflow, which `action.rs` checks.
            "yaml" => (),
            language if FILES.contains(&language) => {
                let name = prose.rsplit('`').nth(1).unwrap();
                assert!(name.contains(['/', '.']), "{name}: not where a file is saved");
                actions.push(Action::Save(name.to_owned(), block.join("\n") + "\n"));
            }
            _ => panic!("a block of {language}, which this test does not know"),
        }
        prose.clear();
    }
    actions
}

/// Does what a page says, in the folder `place`; at least `fewest` things.
#[track_caller]
pub(crate) fn walk(page: &str, place: &Path, fewest: usize) {
    let mut printed = String::new();
    let mut last = String::new();
    let actions = actions(page);
    assert!(actions.len() >= fewest, "the page was not read: {actions:?}");
    for action in actions {
        match action {
            Action::Save(name, text) => write_files(place, &[(&name, &text)]),
            Action::Run(command, succeeds) => {
                let mut shell = Command::new("sh");
                // A reader works at a terminal, not in CI, where some commands are refused.
                shell
                    .args(["-c", &command])
                    .env("PATH", path_with_keur())
                    .env_remove("CI")
                    .current_dir(place);
                let output = shell.output().unwrap();
                printed =
                    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
                assert_eq!(output.status.success(), succeeds, "{command}\n{printed}");
                last = command;
            }
            Action::See(text) => {
                assert!(printed.contains(&text), "{text:?} is not in what {last} prints:\n{printed}")
            }
        }
    }
}
