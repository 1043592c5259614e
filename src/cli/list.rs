//! `keur list`.

use super::args::{language_of_environment, one_of};
use super::error::CliResult;
use super::exit::RunStatus;
use super::output::{self, plural};
use crate::log::visible_lines;
use clap::Args;
use keur_core::case::{Exercise, Library, Loaded, Points};
use keur_core::exercises;
use keur_core::languages::{Language, rust};
use keur_core::messages::Lang;
use keur_core::report::wrap::wrapped;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct ListArgs {
    /// The exercise whose cases are listed; by default all exercises are, without their cases
    exercise: Option<String>,
    /// List the oracles of each game and their parameters, instead of cases
    #[arg(long)]
    oracles: bool,
    /// Use the exercises of this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The language of titles: nl, da or en; that of LANG by default, else that of the exercise
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
}

pub(super) fn run(args: &ListArgs) -> CliResult {
    let library = Library::from(args.cases.clone());
    let text = match &args.exercise {
        Some(name) => {
            let loaded = library.load(name)?;
            if args.oracles { oracles(&[loaded]) } else { with_cases(&loaded, args.lang) }
        }
        None => {
            let loaded = library.load_all()?;
            if args.oracles { oracles(&loaded) } else { exercises(&loaded, args) }
        }
    };
    output::out(&visible_lines(&text));
    Ok(RunStatus::Passed)
}

/// Lists the exercises, each with the number of its cases.
fn exercises(exercises: &[Loaded], args: &ListArgs) -> String {
    let mut text: String = exercises.iter().map(|loaded| summary(loaded, args.lang) + "\n").collect();
    let cases = args.cases.iter().map(|folder| format!(" --cases {}", folder.display())).collect::<String>();
    text += &wrapped(&format!("keur list EXERCISE{cases} lists the cases of one."), output::width(), 0);
    text + "\n"
}

/// An exercise: its name and title, and below that its cases, points and languages.
fn summary(loaded: &Loaded, lang: Option<Lang>) -> String {
    let exercise = &loaded.exercise;
    let counted: Vec<_> = loaded.cases.iter().filter(|case| !case.is_ruling()).collect();
    let sum: Points = counted.iter().map(|case| case.points).sum();
    let more = match loaded.cases.len() - counted.len() {
        0 => String::new(),
        rulings => format!(", {rulings} more with --rulings"),
    };
    let languages: Vec<&str> = keur_core::languages::LANGUAGES
        .iter()
        .filter(|language| takes(exercise, language))
        .map(|language| language.title)
        .collect();
    let facts = format!(
        "    {} {}{more} · {} points · {}",
        counted.len(),
        plural(counted.len(), "case"),
        exercise.points.unwrap_or(sum),
        languages.join(", ")
    );
    let title = exercise.title.get(title_lang(exercise, lang));
    format!("{} · {title}\n{}\n", exercise.name, wrapped(&facts, output::width(), 4))
}

/// Lists an exercise with its cases.
fn with_cases(loaded: &Loaded, lang: Option<Lang>) -> String {
    let mut text = summary(loaded, lang) + "\n";
    let width = loaded.cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
    for case in &loaded.cases {
        let tags = if case.tags.is_empty() { String::new() } else { format!("  [{}]", case.tags.join(", ")) };
        let title = case.title.get(title_lang(&loaded.exercise, lang));
        let row = format!("  {:>4}  {:width$}  {title}{tags}", case.points, case.name);
        let _ = writeln!(text, "{}", wrapped(&row, output::width(), width + 10));
    }
    text
}

/// The language of titles: the one that is asked for, else that of the environment, else that of the exercise.
fn title_lang(exercise: &Exercise, lang: Option<Lang>) -> Lang {
    lang.or_else(language_of_environment).unwrap_or(exercise.lang)
}

/// Whether an exercise takes submissions in a language: by the files that it names, or as a crate that
/// implements the trait of a built-in exercise.
fn takes(exercise: &Exercise, language: &Language) -> bool {
    let has_trait = *language == rust::LANGUAGE && exercises::find(&exercise.name).is_some();
    exercise.files.is_empty() || exercise.files.contains_key(language.name) || has_trait
}

/// Lists the oracles of the references, each with the syntax in a case.
fn oracles(exercises: &[Loaded]) -> String {
    let mut text = String::new();
    for Loaded { exercise, .. } in exercises {
        let reference = exercise.built_in().and_then(exercises::reference);
        let oracles = reference.map(|reference| reference.oracles).unwrap_or_default();
        let _ = match oracles {
            [] => writeln!(text, "{} · no oracles", exercise.name),
            _ => writeln!(text, "{} · {}", exercise.name, plural(oracles.len(), "oracle")),
        };
        for oracle in oracles {
            let depth = oracle.depths.as_ref();
            let depth = depth.map(|depths| format!(", depth = {} to {}", depths.start(), depths.end()));
            let _ = writeln!(
                text,
                "  {{ oracle = \"{}\", of = \"…\"{} }}\n      {}",
                oracle.name,
                depth.unwrap_or_default(),
                oracle.doc
            );
        }
    }
    text
}
