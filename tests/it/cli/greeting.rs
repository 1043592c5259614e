//! `keur` without arguments.

use crate::running::{assert_says, folder, keur_command, root, run};
use std::fs;

/// The commands that keur suggests, as the words after `keur`.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  keur "));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn keur_alone_says_three_things_to_do_with_the_files_of_the_folder_and_they_work() {
    let place = folder(&[("README.md", "x")]);
    fs::copy(
        root().join("fixtures/submissions/quixo/python/correct_lists.py"),
        place.path().join("quixo.py"),
    )
    .unwrap();
    let greeting = run(keur_command(&[]).current_dir(place.path()));
    assert_eq!((greeting.code, greeting.out.as_str()), (2, ""), "{}", greeting.err);
    assert_says(&greeting.err, "  keur grade quixo.py  grade this submission to Quixo\n");
    assert!(greeting.err.ends_with("\n\n`keur --help` lists every command.\n"), "{}", greeting.err);
    let commands = commands(&greeting.err);
    assert_eq!(commands.len(), 3, "{}", greeting.err);
    for words in commands {
        // The command has two words; after them comes what it does.
        let arguments: Vec<&str> = words.iter().take(2).map(String::as_str).collect();
        let ran = run(keur_command(&arguments).current_dir(place.path()));
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.all());
    }
}

#[test]
fn a_download_becomes_a_class_by_the_command_that_is_suggested_in_it() {
    let place = folder(&[]);
    let download = place.path().join("moodle");
    for student in ["An_101_assignsubmission_file_", "Bo_102_assignsubmission_file_"] {
        fs::create_dir_all(download.join(student)).unwrap();
        fs::write(download.join(student).join("quixo.py"), "class Quixo:\n    pass\n").unwrap();
    }
    let greeting = run(keur_command(&[]).current_dir(&download));
    let words = "class init ../class --each .";
    assert_says(&greeting.err, &format!("  keur {words}  make a class"));
    let made = run(keur_command(&words.split(' ').collect::<Vec<_>>()).current_dir(&download));
    assert_eq!(made.code, 0, "{}", made.all());
    assert!(place.path().join("class/class.db").is_file());
}

#[test]
fn the_help_is_still_that_of_every_command() {
    let help = run(&mut keur_command(&["--help"]));
    assert_eq!(help.code, 0);
    assert_says(&help.out, "Exit codes:");
    assert_says(&help.out, "  doctor  ");
}
