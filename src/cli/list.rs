//! `keur list`.

use super::{Exit, ListArgs, StyleArgs, library_error, output};
use crate::case::{Library, Points};
use std::fmt::Write;

pub(super) fn run(args: &ListArgs) -> Exit {
    let library = args.cases.clone().map_or(Library::BuiltIn, Library::Folder);
    let loaded = match &args.exercise {
        Some(name) => library.load(name).map(|loaded| vec![loaded]),
        None => library.load_all(),
    };
    let exercises = match loaded {
        Ok(exercises) => exercises,
        Err(error) => return library_error(&error, &StyleArgs { color: "auto".to_owned() }),
    };
    let mut text = String::new();
    for loaded in &exercises {
        let exercise = &loaded.exercise;
        let lang = args.lang.unwrap_or(exercise.lang);
        let graded = loaded.cases.iter().filter(|case| !case.is_ruling());
        let sum: Points = graded.map(|case| case.points).sum();
        let languages: Vec<&str> = crate::driver::DRIVERS
            .iter()
            .filter(|driver| exercise.files.is_empty() || exercise.files.contains_key(driver.language))
            .map(|driver| driver.title)
            .collect();
        let points = exercise.points.unwrap_or(sum);
        let _ = writeln!(
            text,
            "{} · {} · {} cases · {points} points · {}",
            exercise.name,
            exercise.title.get(lang),
            loaded.cases.len(),
            languages.join(", ")
        );
        let width = loaded.cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
        for case in &loaded.cases {
            let tags =
                if case.tags.is_empty() { String::new() } else { format!("  [{}]", case.tags.join(", ")) };
            let title = case.title.get(lang);
            let _ = writeln!(text, "  {:>4}  {:width$}  {title}{tags}", case.points, case.name);
        }
        text.push('\n');
    }
    output::out(&text);
    Exit::Passed
}
