//! Exercises of TESTed: reads its suites into exercises of keur, and writes such suites.
//!
//! Text in, text out: this module knows two formats and grades nothing. A suite is read from YAML (`dsl`) or
//! from TESTed's JSON (`json`) into one tree (`suite`), whose lines are Python-like (`python`); `write` makes
//! an exercise of it. What keur cannot say is a [`Diagnostic`] at its place in the suite. `docs/tested.md`
//! has the table of what becomes what.

mod compared;
mod constants;
mod dsl;
mod dsl_returns;
mod exercise_text;
mod export;
mod export_texts;
mod export_values;
mod json;
mod languages;
mod names;
mod oracle;
mod python;
mod reading;
mod suite;
mod toml_value;
mod write;
mod yaml;
mod yaml_text;

use export::{CaseYaml, Exporter};
use keur_core::case::{Case, Diagnostic, Exercise, FileErrors, parse_cases, parse_exercise};
use keur_core::messages::{Lang, LocalText};
use keur_core::named::Named;
use reading::Reader;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::de::DeTable;

/// The settings that a suite lacks.
pub struct ImportSettings<'a> {
    /// The title of the exercise.
    pub title: &'a str,
    /// The language of feedback to students, if it is known.
    pub lang: Option<&'a str>,
    /// The only programming language of the exercise, if it has but one.
    pub only_language: Option<&'a str>,
    /// The files that TESTed copies into every working folder: path and text.
    pub workdir: &'a BTreeMap<String, String>,
}

/// An imported exercise.
#[derive(Debug)]
pub struct Imported {
    /// The files, by path.
    pub files: BTreeMap<String, String>,
    /// The parts of the suite that keur has no words for, with their places; the files lack them.
    pub problems: Option<FileErrors>,
}

/// Makes an exercise of the suite `source`, which errors call `path`. `file` is the text of a file by its
/// path in the suite's exercise: below `evaluation`, where the suite is, `workdir` or `description`.
///
/// # Errors
/// The suite is not YAML or JSON, or has nothing that keur can say.
pub fn import(
    path: &str,
    source: &str,
    settings: &ImportSettings<'_>,
    file: &dyn Fn(&str) -> Option<String>,
) -> Result<Imported, FileErrors> {
    let is_json =
        source.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(source).is_ok();
    let unreadable = |error: Diagnostic| FileErrors::new(path, source, vec![error]);
    let mut root = yaml::read(source, is_json).map_err(unreadable)?;
    root.choose_language(settings.lang.unwrap_or(Lang::En.name()));
    let mut reader = Reader { source, file, problems: Vec::new(), restrictions: Vec::new() };
    let suite =
        if json::is_advanced(&root) { json::read(&mut reader, &root) } else { dsl::read(&mut reader, &root) };
    let files = write::exercise(&mut reader, &suite, settings);
    let mut problems = reader.problems;
    // A test case without an exception may report the same place twice.
    problems.dedup();
    if files.len() < 2 && problems.is_empty() {
        problems.push(Diagnostic::new("the suite has no test case", 0..0));
    }
    let problems = (!problems.is_empty()).then(|| FileErrors::new(path, source, problems));
    match problems {
        Some(problems) if files.len() < 2 => Err(problems),
        problems => Ok(Imported { files, problems }),
    }
}

impl Reader<'_> {
    /// The exercise that its text describes, or the reasons why keur cannot read it.
    fn described(&mut self, content: &str) -> Option<Exercise> {
        match parse_exercise("exercise", "exercise.toml", &without_files(content)) {
            Ok(exercise) => Some(exercise),
            Err(errors) => {
                for error in errors.diagnostics {
                    let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
                    self.problem(format!("keur cannot say this exercise: {}{help}", error.message), &(0..0));
                }
                None
            }
        }
    }

    /// Adds the case `name` to `files` if keur reads it; otherwise reports why not, at the place of the test
    /// case.
    fn check(
        &mut self,
        exercise: &Exercise,
        name: &str,
        content: &str,
        places: &[Range<usize>],
        files: &mut BTreeMap<String, String>,
    ) {
        match parse_cases(exercise, name, name, &without_files(content)) {
            Ok(_) => {
                files.insert(format!("{name}.toml"), content.to_owned());
            }
            Err(errors) => {
                for error in errors.diagnostics {
                    let before = content.get(..error.span.start).unwrap_or(content);
                    let step = before.matches("\n[[step]]\n").count().saturating_sub(1);
                    let place = places.get(step).cloned().unwrap_or(0..0);
                    let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
                    self.problem(format!("keur cannot say this: {}{help}", error.message), &place);
                }
            }
        }
    }
}

/// The text without what is in other files, which are not on disk yet: a line that names one gets a plain
/// value.
fn without_files(content: &str) -> String {
    let plain = |line: &str| {
        if let Some((name, _)) = line.split_once(" = { path = \"data/") {
            return format!("{name} = \"\"\n");
        }
        match line.split_once(" = { check = ") {
            Some((name @ ("returns" | "prints" | "errors"), _)) => format!("{name} = \"\"\n"),
            Some(_) | None => format!("{line}\n"),
        }
    };
    content.lines().map(plain).collect()
}

/// The path of the suite in an exercise of TESTed.
pub const SUITE: &str = "evaluation/suite.yaml";

/// An exported exercise.
#[derive(Debug)]
pub struct Exported {
    /// The files of TESTed's exercise, by path: the suite is [`SUITE`].
    pub files: BTreeMap<String, String>,
    /// The parts of the cases that TESTed has no words for, with their places; the suite lacks them.
    pub problems: Vec<FileErrors>,
}

/// Makes a suite of `exercise`, whose own file has the text `source`, which errors call `path`, and of its
/// cases. `file` is the text of a file by its path in the exercise's folder.
pub fn export(
    exercise: &Exercise,
    path: &str,
    source: &str,
    cases: &[Case],
    file: &dyn Fn(&str) -> Option<String>,
) -> Exported {
    let main = |files: &BTreeMap<String, Vec<String>>| {
        let names = files.get("python").or_else(|| files.values().next());
        names.and_then(|names| names.first()).map(|name| export_values::stem(name))
    };
    let namespace = main(&exercise.programs).or_else(|| main(&exercise.files));
    let reader = Reader { source, file, problems: Vec::new(), restrictions: Vec::new() };
    let mut exporter = Exporter {
        exercise,
        reader,
        files: BTreeMap::new(),
        namespace: namespace.unwrap_or_else(|| "submission".to_owned()),
        constants: BTreeMap::new(),
    };
    let mut problems = Vec::new();
    let mut tabs: Vec<CaseYaml> = Vec::new();
    exporter.exercise(DeTable::parse_recoverable(source).0.get_ref());
    problems.extend(exporter.problems(path, source));
    let mut read = BTreeSet::new();
    // The rows of a file are cases of their own.
    for case in cases.iter().filter(|case| read.insert(&case.path)) {
        if let Some(yaml) = exporter.case(case, DeTable::parse_recoverable(&case.source).0.get_ref()) {
            match tabs.last_mut() {
                Some(tab) if tab.group == yaml.group && tab.hidden == yaml.hidden => {
                    tab.text.push_str(&yaml.text)
                }
                Some(_) | None => tabs.push(yaml),
            }
        }
        problems.extend(exporter.problems(&case.path, &case.source));
    }
    let mut suite = String::new();
    if exporter.namespace != "submission" {
        suite.push_str(&format!("namespace: {}\n", yaml_text::string(&exporter.namespace)));
    }
    suite.push_str("tabs:\n");
    for tab in &tabs {
        suite.push_str(&format!("  - tab: {}\n", yaml_text::string(&tab.group)));
        if tab.hidden {
            suite.push_str("    hidden: true\n");
        }
        suite.push_str(&format!("    contexts:\n{}", tab.text));
    }
    let mut files = exporter.files;
    files.insert(SUITE.to_owned(), suite);
    files.insert("config.json".to_owned(), config(exercise));
    Exported { files, problems }
}

/// TESTed's own description of the exercise.
fn config(exercise: &Exercise) -> String {
    let mut names = serde_json::Map::new();
    for lang in [Lang::En, Lang::Nl, Lang::Da] {
        let title = match &exercise.title {
            LocalText::Plain(_) if lang != exercise.lang => continue,
            title @ (LocalText::Plain(_) | LocalText::PerLang(_)) => title.get(lang),
        };
        names.insert(lang.name().to_owned(), title.into());
    }
    let mut config = serde_json::json!({
        "description": { "names": names },
        "evaluation": { "test_suite": "suite.yaml" },
    });
    let languages: BTreeSet<&String> = exercise.files.keys().chain(exercise.programs.keys()).collect();
    if let [only] = languages.into_iter().collect::<Vec<_>>().as_slice() {
        config["programming_language"] = only.as_str().into();
    }
    format!("{config:#}\n")
}
