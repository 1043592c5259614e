//! The house rules that a machine can hold: what may import what, what a registry row needs, and what does not belong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use keur::messages::{Lang, LocalText};
use keur::{case, driver, exercises, report};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that a source file may have, its tests left out.
const MOST_LINES: usize = 800;

/// Cases that an exercise has at the least.
const FEWEST_CASES: usize = 15;

/// The layers of the house, from the bottom: a module imports only modules of earlier rows.
const LAYERS: &[&[&str]] = &[
    &["value", "messages", "draw", "sandbox", "pattern", "cache"],
    &["exercises", "driver"],
    &["case"],
    &["adapter"],
    &["compare"],
    &["event"],
    &["submission"],
    &["grade", "report"],
    &["testing", "play"],
    &["submit"],
    &["build"],
    &["run"],
    &["cli"],
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let walk = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let paths = walk.into_iter().map(|entry| entry.unwrap().into_path());
    let wanted = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
    wanted.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

/// The source without its unit tests.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// The files that a rust source names after `crate::`, or with `super::`.
fn code(source: &str) -> impl Iterator<Item = &str> {
    without_tests(source).lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let rows =
        LAYERS.iter().enumerate().flat_map(|(row, modules)| modules.iter().map(move |name| (*name, row)));
    let rows: BTreeMap<&str, usize> = rows.collect();
    let mut problems = Vec::new();
    for (path, source) in files("src", "rs") {
        let inside = path.strip_prefix(root().join("src")).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(row) = rows.get(module) else {
            assert!(["lib", "main"].contains(&module), "{module} is in no layer");
            continue;
        };
        for rest in code(&source).flat_map(|line| line.split("crate::").skip(1)) {
            let other: String = rest.chars().take_while(|ch| ch.is_alphanumeric() || *ch == '_').collect();
            if other != module && rows.get(other.as_str()).is_some_and(|other| other >= row) {
                problems.push(format!("{}: {module} imports {other}", inside.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_pure_layers_do_no_input_and_read_no_clock() {
    for (path, source) in files("src", "rs") {
        let pure = ["src/compare", "src/draw", "src/messages", "src/report"]
            .iter()
            .any(|folder| path.starts_with(root().join(folder)));
        for word in ["std::fs", "std::io", "std::time", "std::env", "Instant::", "SystemTime"] {
            assert!(!pure || !without_tests(&source).contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn every_exercise_has_its_cases_and_fixtures() {
    for built_in in exercises::EXERCISES {
        let name = built_in.name;
        let loaded = case::Library::BuiltIn.load(name).unwrap();
        assert_eq!(loaded.exercise.reference.as_deref(), Some(name));
        assert!(loaded.cases.len() >= FEWEST_CASES, "{name}: {} cases", loaded.cases.len());
        // An assignment of functions (Alquerque) shows no session.
        let session = loaded.cases.iter().any(|case| case.name == "spec_session");
        assert!(session || loaded.exercise.classes.is_empty(), "{name}: no spec_session");
        for driver in driver::DRIVERS {
            let folder = root().join("fixtures/submissions").join(name).join(driver.language);
            assert!(folder.is_dir(), "{}", folder.display());
            let files = loaded.exercise.files.get(driver.language);
            assert!(files.is_some_and(|files| !files.is_empty()), "{name}: no {} files", driver.language);
        }
        assert!(built_in.playable.as_ref().is_none_or(|game| game.name == name), "{name}");
    }
}

#[test]
fn no_built_in_case_asks_for_what_a_students_crate_builds_without() {
    for loaded in case::Library::BuiltIn.load_all().unwrap() {
        // What is about a program does not count for a crate.
        for found in loaded.cases.iter().filter(|case| case.only_with.is_none()) {
            for expect in &found.expect {
                let matcher = expect.value.as_ref().map(|returns| &returns.matcher);
                let path = &found.path;
                assert!(expect.program.turns.iter().all(Option::is_none), "{path}: a regular expression");
                assert!(!matches!(matcher, Some(case::Matcher::Matches(_))), "{path}: a regular expression");
                let asked = match matcher {
                    Some(case::Matcher::Oracle(asked)) => Some(asked.oracle.as_str()),
                    _ => expect.games.moves.as_ref().map(|(oracle, _)| oracle.as_str()),
                };
                assert_ne!(asked, Some("perfect_move"), "{path}: endgame tables");
            }
        }
    }
}

#[test]
fn names_in_the_registries_are_distinct() {
    let distinct = |names: Vec<&str>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    assert!(distinct(exercises::EXERCISES.iter().map(|exercise| exercise.name).collect()));
    assert!(distinct(driver::DRIVERS.iter().map(|driver| driver.language).collect()));
    assert!(distinct(report::FORMATS.iter().map(|format| format.name).collect()));
}

#[test]
fn every_title_and_hint_speaks_all_three_languages() {
    for loaded in case::Library::BuiltIn.load_all().unwrap() {
        for found in &loaded.cases {
            for text in [Some(&found.title), found.hint.as_ref()].into_iter().flatten() {
                let LocalText::PerLang(texts) = text.as_ref() else {
                    panic!("{}: a text in one language", found.path)
                };
                assert_eq!(texts.len(), Lang::ALL.len(), "{}: a language is missing", found.path);
            }
        }
    }
}

#[test]
fn every_module_says_what_it_owns_and_no_file_is_too_long() {
    for (path, source) in files("src", "rs") {
        assert!(source.starts_with("//! "), "{} opens without //!", path.display());
        let lines = without_tests(&source).lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn nothing_unfinished_is_left() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ig", "nore")];
    let sources = ["src", "tests", "benches"].into_iter().flat_map(|folder| files(folder, "rs"));
    for (path, source) in sources {
        for mark in marks {
            let found = source.lines().any(|line| {
                line.split(|ch: char| !ch.is_alphanumeric() && !"#[".contains(ch)).any(|word| word == mark)
            });
            assert!(!found, "{}: {mark}", path.display());
        }
        let example = concat!("```ig", "nore");
        assert!(!source.contains(example), "{}: an example that nobody compiles", path.display());
    }
}

#[test]
fn the_filters_of_the_ci_name_tests() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    let mut filters = 0;
    for line in script.lines().filter(|line| line.starts_with("cargo test ")) {
        let Some((_, target)) = line.split_once("--test ") else { continue };
        let mut words = target.split(' ').filter(|word| *word != "--");
        let target = words.next().unwrap();
        let own = |path: &Path| {
            let path = path.strip_prefix(root().join("tests")).unwrap();
            path.starts_with(target) || path == Path::new(&format!("{target}.rs"))
        };
        let sources: Vec<_> = files("tests", "rs").into_iter().filter(|(path, _)| own(path)).collect();
        for word in words {
            let names =
                |line: &str| line.trim_start().strip_prefix("fn ").is_some_and(|name| name.contains(word));
            let found = sources.iter().any(|(_, source)| {
                let lines: Vec<&str> = source.lines().collect();
                lines.windows(2).any(|pair| pair[0].trim() == "#[test]" && names(pair[1]))
            });
            assert!(found, "{line}: no test has {word} in its name");
            filters += 1;
        }
    }
    assert!(filters > 0);
}

#[test]
fn every_format_has_its_golden_file_and_its_row_in_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with('|')).collect();
    for format in report::FORMATS {
        let golden =
            root().join("fixtures/golden/reports").join(format!("{}.{}", format.name, format.extension));
        let text = fs::read_to_string(&golden).unwrap_or_default();
        assert!(!text.is_empty(), "{}: make it with KEUR_BLESS=1 cargo test --test golden", golden.display());
        let name = format!("`{}`", format.name);
        assert!(rows.iter().any(|row| row.contains(&name)), "no table of the README has {name}");
    }
}

#[test]
fn the_licences_and_the_changes_are_there() {
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "CHANGELOG.md",
        "README.md",
        "docs/architecture.md",
        "docs/protocol.md",
        "docs/new-language.md",
        "docs/cases.md",
        "docs/json.md",
        "docs/ci.md",
        "action.yml",
    ] {
        assert!(root().join(file).is_file(), "{file}");
    }
}
