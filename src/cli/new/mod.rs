//! `keur new`.

mod case;
mod package;

use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::{output, schema};
use crate::author::schemas::SchemaFolder;
use crate::writing::{self, TargetFolder};
use clap::{Args, Subcommand};
use keur_core::languages::{Language, java, javascript, python, typescript};
use package::CoursePackage;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// The things that `keur new` makes.
#[derive(Subcommand)]
pub(super) enum NewCommand {
    /// Create a folder with an exercise: two cases, a solution, a right sample and a wrong sample
    Exercise(ExerciseArgs),
    /// Create a case with its title and the first calls, in which you fill in the values
    Case(case::CaseArgs),
}

#[derive(Args)]
pub(super) struct ExerciseArgs {
    /// The folder to create; the last part of the path is the exercise's name, such as bank_account
    name: PathBuf,
    /// The language of the solution and the samples
    #[arg(long, value_name = "LANGUAGE", default_value = python::LANGUAGE.name, value_parser = names())]
    language: String,
    /// Also create a Cargo.toml and tests/grade.rs beside the exercise: `cargo test` then grades a submission
    #[arg(long)]
    cargo: bool,
}

/// The files of a new exercise that depend on the language.
struct Starter {
    language: &'static Language,
    /// The language of sessions that its students read best.
    session: &'static Language,
    /// Whether the file of the solution is called like its class.
    class_names_file: bool,
    solution: &'static str,
    /// The name of the right sample without its extension, and its text.
    right: (&'static str, &'static str),
    /// The same of the wrong sample.
    wrong: (&'static str, &'static str),
}

static STARTERS: &[Starter] = &[
    Starter {
        language: &python::LANGUAGE,
        session: &python::LANGUAGE,
        class_names_file: false,
        solution: include_str!("python/solution.py"),
        right: ("with_a_loop", include_str!("python/with_a_loop.py")),
        wrong: ("rounds_down", include_str!("python/rounds_down.py")),
    },
    Starter {
        language: &javascript::LANGUAGE,
        session: &javascript::LANGUAGE,
        class_names_file: false,
        solution: include_str!("javascript/solution.js"),
        right: ("with_a_loop", include_str!("javascript/with_a_loop.js")),
        wrong: ("rounds_down", include_str!("javascript/rounds_down.js")),
    },
    Starter {
        language: &typescript::LANGUAGE,
        session: &javascript::LANGUAGE,
        class_names_file: false,
        solution: include_str!("typescript/solution.ts"),
        right: ("with_a_loop", include_str!("typescript/with_a_loop.ts")),
        wrong: ("rounds_down", include_str!("typescript/rounds_down.ts")),
    },
    Starter {
        language: &java::LANGUAGE,
        session: &python::LANGUAGE,
        class_names_file: true,
        solution: include_str!("java/solution.java"),
        right: ("with_a_stream", include_str!("java/with_a_stream.java")),
        wrong: ("rounds_down", include_str!("java/rounds_down.java")),
    },
];

impl Starter {
    fn extension(&self) -> &'static str {
        self.language.extensions.first().copied().unwrap_or_default()
    }
}

const EXERCISE: &str = include_str!("exercise.toml");

/// The cases: their names and texts.
const CASES: [(&str, &str); 2] = [
    ("average_of_numbers", include_str!("average_of_numbers.toml")),
    ("no_numbers", include_str!("no_numbers.toml")),
];

/// The longest name of an exercise, in bytes.
const LONGEST_NAME: usize = 60;

fn names() -> Vec<&'static str> {
    STARTERS.iter().map(|starter| starter.language.name).collect()
}

pub(super) fn run(command: &NewCommand) -> CliResult {
    match command {
        NewCommand::Exercise(args) => start(args),
        NewCommand::Case(args) => case::run(args),
    }
}

/// Makes the folder of an exercise, and says what to do with it.
fn start(args: &ExerciseArgs) -> CliResult {
    let name = name_of(&args.name)?;
    let starter = STARTERS.iter().find(|starter| starter.language.name == args.language);
    let starter = starter.ok_or_else(|| CliError::Usage(format!("no language `{}`", args.language)))?;
    let folder = args.name.display();
    make(&args.name).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            CliError::Usage(format!("{folder} exists already; choose another name, or remove it first"))
        }
        _ => CliError::fault(format!("cannot make {folder}: {error}")),
    })?;
    let schemas = SchemaFolder::near(&args.name);
    let files = files(name, starter, &schemas);
    for (path, text) in &files {
        let path = args.name.join(path);
        writing::write_new(&path, text).map_err(CliError::write(&path))?;
    }
    schema::provide(&schemas)?;
    let mut text = format!("{folder} has an exercise:\n");
    for (path, what) in files.iter().map(|(path, _)| path).zip(ABOUT) {
        let _ = writeln!(text, "  {path:35} {what}");
    }
    let wrong = format!("{folder}/samples/wrong/{}.{}", starter.wrong.0, starter.extension());
    let _ = write!(
        text,
        "\nCheck it, then grade the wrong sample as a student's submission:\n  \
         keur check {folder}\n  keur grade {wrong} --cases {folder}\n"
    );
    if args.cargo {
        text += &CoursePackage::around(&args.name).write()?;
    }
    output::out(&text);
    Ok(RunStatus::Passed)
}

/// A sentence about each of [`files`].
const ABOUT: [&str; 6] = [
    "its title, files and functions",
    "a case",
    "a case with an exception",
    "the reference: a submission that is right",
    "a sample that must pass",
    "a sample that must not pass",
];

/// The files of an exercise: paths in its folder, and texts.
fn files(name: &str, starter: &Starter, schemas: &SchemaFolder) -> Vec<(String, String)> {
    let class = class_name(name);
    let extension = starter.extension();
    let file = format!("{}.{extension}", if starter.class_names_file { &class } else { name });
    let filled = |text: &str| {
        let values = [
            ("@title@", title(name)),
            ("@session@", starter.session.name.to_owned()),
            ("@language@", starter.language.name.to_owned()),
            ("@file@", file.clone()),
            ("@class@", class.clone()),
        ];
        values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
    };
    let toml = |name: String, text: &str| {
        let text = schemas.line(&name) + &filled(text);
        (name, text)
    };
    let mut files = vec![toml("exercise.toml".to_owned(), EXERCISE)];
    files.extend(CASES.map(|(case, text)| toml(format!("{case}.toml"), text)));
    files.push((format!("solution/{file}"), filled(starter.solution)));
    for (kind, (sample, text)) in [("right", starter.right), ("wrong", starter.wrong)] {
        files.push((format!("samples/{kind}/{sample}.{extension}"), filled(text)));
    }
    files
}

/// Makes an empty folder, and the folders above it.
fn make(folder: &Path) -> io::Result<()> {
    match folder.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => TargetFolder::make(folder).map(drop),
    }
}

/// The name of the exercise in the folder `path`.
fn name_of(path: &Path) -> Result<&str, CliError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let letters = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|ch| ch.is_ascii_lowercase() || ch.is_ascii_digit() || ch == '_');
    if letters && name.len() <= LONGEST_NAME {
        return Ok(name);
    }
    Err(CliError::Usage(format!(
        "`{}` is not a name for an exercise; use at most {LONGEST_NAME} lower-case letters, digits and `_`, and begin \
         with a letter, as in bank_account",
        path.display()
    )))
}

/// The words of a name as a title: `bank_account` is "Bank account".
fn title(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

/// The name as the name of a class: `bank_account` is `BankAccount`.
fn class_name(name: &str) -> String {
    name.split('_').map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
