//! `keur new exercise`.

use super::super::error::{CliError, CliResult};
use super::super::exit::RunStatus;
use super::super::{output, schema};
use super::package::CoursePackage;
use super::starters::{ExerciseKind, ExerciseStart, SolutionStart};
use crate::author::schemas::SchemaFolder;
use crate::writing::{self, TargetFolder};
use clap::{Args, ValueEnum};
use keur_core::languages::{java, python};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(in crate::cli) struct ExerciseArgs {
    /// The folder to create; the last part of the path is the exercise's name, such as bank_account
    name: PathBuf,
    /// What students write
    #[arg(long, value_name = "KIND", value_enum, default_value_t = ExerciseKind::Functions)]
    kind: ExerciseKind,
    /// The language of the solution and the samples
    #[arg(long, value_name = "LANGUAGE", default_value = python::LANGUAGE.name, value_parser = names())]
    language: String,
    /// Also create a Cargo.toml and tests/grade.rs beside the exercise: `cargo test` then grades a submission
    #[arg(long)]
    cargo: bool,
}

/// The part of `exercise.toml` that all kinds have.
const EXERCISE: &str = include_str!("exercise.toml");

/// The longest name of an exercise, in bytes.
const LONGEST_NAME: usize = 60;

/// The languages in which there is an exercise of any kind.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for kind in ExerciseKind::value_variants() {
        for name in kind.languages() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Makes the folder of an exercise, and says what to do with it.
pub(super) fn run(args: &ExerciseArgs) -> CliResult {
    let name = name_of(&args.name)?;
    let starts = args.kind.starts();
    let found = starts.iter().find_map(|start| {
        let is_chosen = |solution: &&SolutionStart| solution.language.name == args.language;
        Some((*start, start.solutions.iter().find(is_chosen)?))
    });
    let (start, solution) = found.ok_or_else(|| lacks(args.kind, &args.language))?;
    let folder = args.name.display();
    make(&args.name).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            CliError::Usage(format!("{folder} exists already; choose another name, or remove it first"))
        }
        _ => CliError::fault(format!("cannot make {folder}: {error}")),
    })?;
    let schemas = SchemaFolder::near(&args.name);
    let files = files(name, start, solution, &schemas);
    for StarterFile { path, text, .. } in &files {
        let path = args.name.join(path);
        writing::write_new(&path, text).map_err(CliError::write(&path))?;
    }
    schema::provide(&schemas)?;
    let mut text = format!("{folder} has an exercise:\n");
    for StarterFile { path, about, .. } in &files {
        let _ = writeln!(text, "  {path:35} {about}");
    }
    let wrong = format!("{folder}/samples/wrong/{}.{}", solution.wrong.0, solution.extension());
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

/// The error that there is no exercise of this kind in this language, with what there is.
fn lacks(kind: ExerciseKind, language: &str) -> CliError {
    let lacks = match kind {
        ExerciseKind::Program => format!("keur runs no programs in {language}"),
        ExerciseKind::Functions | ExerciseKind::Class => {
            format!("there is no new exercise of this kind in {language}")
        }
    };
    let kinds: Vec<String> = ExerciseKind::value_variants()
        .iter()
        .filter(|kind| kind.languages().any(|name| name == language))
        .filter_map(|kind| Some(kind.to_possible_value()?.get_name().to_owned()))
        .collect();
    let languages: Vec<&str> = kind.languages().collect();
    let (kinds, languages) = (kinds.join(" or "), languages.join(" or "));
    CliError::Usage(format!("{lacks}; choose --kind {kinds}, or --language {languages}"))
}

/// A file of a new exercise.
struct StarterFile {
    /// Its path in the folder of the exercise.
    path: String,
    text: String,
    /// A phrase about it.
    about: &'static str,
}

/// The files of an exercise.
fn files(
    name: &str,
    start: &ExerciseStart,
    solution: &SolutionStart,
    schemas: &SchemaFolder,
) -> Vec<StarterFile> {
    let class = start.class.map_or_else(|| class_name(name), str::to_owned);
    let extension = solution.extension();
    let class_names_file = solution.language.name == java::LANGUAGE.name;
    let file = format!("{}.{extension}", if class_names_file { &class } else { name });
    let filled = |text: &str| {
        let values = [
            ("@title@", title(name)),
            ("@session@", solution.session().name.to_owned()),
            ("@language@", solution.language.name.to_owned()),
            ("@file@", file.clone()),
            ("@class@", class.clone()),
        ];
        values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
    };
    let toml = |path: String, text: &str, about| {
        let text = schemas.line(&path) + &filled(text);
        StarterFile { path, text, about }
    };
    let code = |path: String, text: &str, about| StarterFile { path, text: filled(text), about };
    let sample = |(name, text): (&str, &str), kind: &str, about| {
        code(format!("samples/{kind}/{name}.{extension}"), text, about)
    };
    let mut files =
        vec![toml("exercise.toml".to_owned(), &format!("{EXERCISE}{}", start.describes), start.about)];
    files.extend(start.cases.iter().map(|case| toml(format!("{}.toml", case.name), case.text, case.about)));
    files.extend([
        code(format!("solution/{file}"), solution.solution, "the reference: a submission that is right"),
        sample(solution.right, "right", "a sample that must pass"),
        sample(solution.wrong, "wrong", "a sample that must not pass"),
    ]);
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
