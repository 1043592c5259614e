//! The starter repositories of a course: one for each exercise and language, each graded unchanged.

use crate::address::once_published;
use crate::required::needs;
use crate::running::{copy_folder, keur_command, root, run};
use keur_core::case::{Convention, Library, Naming, Parameter};
use keur_core::languages;
use keur_core::messages::Lang;
use regex::{Captures, Regex};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The languages with templates.
const LANGUAGES: [&str; 3] = ["python", "javascript", "cpp"];

fn folder() -> PathBuf {
    root().join("templates")
}

/// The names of the required parameters.
fn required(parameters: &[Parameter]) -> Vec<String> {
    parameters.iter().filter(|one| !one.optional).map(|one| one.name.clone()).collect()
}

#[test]
fn every_exercise_has_a_template_in_each_language() {
    let mut found: BTreeSet<String> =
        folder().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    // Scripts for classes on several machines, which tests/it/cluster runs.
    found.remove("cluster");
    let exercises = Library::BuiltIn.names().unwrap();
    // The Rust templates are crates, built and run in tests/library/submit.rs.
    let wanted: BTreeSet<String> = LANGUAGES
        .iter()
        .chain(&["rust"])
        .flat_map(|language| exercises.iter().map(move |exercise| format!("{language}-{exercise}")))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_template_once_copied_is_graded_as_its_readme_says_and_earns_nothing_yet() {
    earns_nothing_yet(&["python", "javascript"]);
}

#[test]
fn a_template_in_cpp_earns_nothing_yet() {
    needs!(Cpp);
    earns_nothing_yet(&["cpp"]);
}

#[track_caller]
fn earns_nothing_yet(languages: &[&str]) {
    for exercise in Library::BuiltIn.names().unwrap() {
        for &language in languages {
            let path = folder().join(format!("{language}-{exercise}"));
            let copy = tempfile::tempdir().unwrap();
            copy_folder(&path, copy.path());
            let readme =
                once_published(&Path::new("templates").join(path.file_name().unwrap()).join("README.md"));
            let (_, block) = readme.split_once("```sh\n").unwrap();
            let (commands, _) = block.split_once("\n```").unwrap();
            let launcher = if language == "javascript" { "npx" } else { "uvx" };
            let this_version = format!("{launcher} keur@{} ", env!("CARGO_PKG_VERSION"));
            let grade = commands.strip_prefix(&this_version);
            let grade = grade.unwrap_or_else(|| panic!("{}: {commands}", path.display()));
            let args = grade.split(' ').chain(["--format", "json", "--exit-zero"]);
            let run = run(keur_command(&args.collect::<Vec<_>>()).current_dir(copy.path()));
            assert_eq!(run.code, 0, "{}: {}", path.display(), run.err);
            let json = run.json();
            let graded = &json["submissions"][0];
            let facts = [&graded["exercise"], &graded["language"], &graded["points"]];
            assert_eq!(facts, [&Value::from(exercise.as_str()), &language.into(), &0.into()]);
            assert_eq!(graded["warnings"].as_array().map(Vec::len), Some(0), "{graded:#}");
            let not_yet = match Library::BuiltIn.describe(&exercise).unwrap().lang {
                Lang::Nl => "nog niet geschreven",
                Lang::Da => "ikke skrevet endnu",
                Lang::En => "not written yet",
            };
            for case in graded["cases"].as_array().unwrap() {
                // A case that needs another waits for it.
                if case["verdict"] == "not run" {
                    assert!(case["blocked_by"].is_string(), "{}: {case:#}", path.display());
                    continue;
                }
                // Each case tells the student what is missing, in the language of the course.
                assert_eq!(case["verdict"], "raised", "{}: {case:#}", path.display());
                let raised = case["finding"]["exception"]["text"].as_str().unwrap();
                assert!(raised.ends_with(not_yet), "{}: {raised}", path.display());
            }
        }
    }
}

/// A source in C++ with the names of parameters alone.
fn without_types(source: &str) -> String {
    let parameters = Regex::new(r"\(([^()]*)\)").unwrap();
    let name = |parameter: &str| -> String {
        let declared = parameter.split('=').next().unwrap().trim();
        declared.rsplit([' ', '&', '*']).next().unwrap().to_owned()
    };
    let names = |found: &Captures<'_>| found[1].split(',').map(name).collect::<Vec<_>>().join(", ");
    parameters.replace_all(source, |found: &Captures<'_>| format!("({})", names(found))).into_owned()
}

#[test]
fn a_template_has_every_function_and_method_with_its_parameters() {
    for exercise in Library::BuiltIn.names().unwrap() {
        let exercise = Library::BuiltIn.describe(&exercise).unwrap();
        for language in LANGUAGES {
            let driver = languages::find(language).unwrap();
            let naming = Naming::of(&exercise, driver);
            let path = folder().join(format!("{language}-{}", exercise.name));
            let files = exercise.files[language].iter();
            let source: String = files.map(|file| fs::read_to_string(path.join(file)).unwrap()).collect();
            let source = if language == "cpp" { without_types(&source) } else { source };
            let mut heads = Vec::new();
            for (name, class) in &exercise.classes {
                let (new, text) = match driver.convention {
                    Convention::Snake => ("__init__", "__str__"),
                    Convention::AsIs => (name.as_str(), "operator<<"),
                    Convention::Camel => ("constructor", "toString"),
                };
                heads.push(format!("class {name}"));
                let of_self = |name: &str, args: &[String]| {
                    let this = (driver.convention == Convention::Snake).then(|| "self".to_owned());
                    let all: Vec<String> = this.into_iter().chain(args.iter().cloned()).collect();
                    format!("{name}({}", all.join(", "))
                };
                heads.push(of_self(new, &required(&class.new)));
                heads.push(of_self(text, &[]));
                for (method, signature) in &class.methods {
                    heads.push(of_self(&naming.spell(method), &required(signature)));
                }
            }
            for (function, signature) in &exercise.functions {
                heads.push(format!("{}({}", naming.spell(function), required(&signature.args).join(", ")));
            }
            assert!(!heads.is_empty(), "{} names nothing that a submission has", exercise.name);
            for head in heads {
                assert!(source.contains(&head), "{}: no {head}", path.display());
            }
        }
    }
}
