//! The house rules that a machine can hold: what may import what, what a registry row needs, and what does not belong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use keur::{case, driver, play, reference, report};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that a source file may have, its tests left out.
const MOST_LINES: usize = 800;

/// Cases that an exercise has at the least.
const FEWEST_CASES: usize = 15;

/// What each module may import of the others: the layers of the house.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("value", &[]),
    ("games", &[]),
    ("endgames", &["cache", "games"]),
    // An oracle asks the endgame tables that the user's cache keeps.
    ("reference", &["endgames", "games", "value"]),
    // A case names oracles of a reference, and an error in such a name has its place in the file.
    ("case", &["pattern", "reference", "value"]),
    ("pattern", &[]),
    ("sandbox", &[]),
    ("driver", &["pattern", "sandbox", "value"]),
    ("adapter", &["case", "driver", "pattern", "sandbox", "value"]),
    ("compare", &["adapter", "case", "driver", "pattern", "sandbox", "value"]),
    ("submission", &["adapter", "case", "compare", "driver", "pattern"]),
    ("cache", &[]),
    ("build", &["adapter", "cache", "case", "compare", "sandbox", "submission", "submit"]),
    ("event", &["case", "compare", "value"]),
    (
        "grade",
        &["adapter", "case", "compare", "driver", "event", "reference", "sandbox", "submission", "value"],
    ),
    ("report", &["case", "compare", "driver", "event", "sandbox", "value", "words"]),
    // Languages are those of cases.
    ("words", &["case"]),
    ("play", &["case", "endgames", "games", "words"]),
    ("testing", &["adapter", "build", "case", "driver", "event", "grade", "report", "sandbox", "submission"]),
    ("submit", &["adapter", "case", "grade", "sandbox", "submission", "testing", "value"]),
    (
        "cli",
        &[
            "adapter",
            "build",
            "case",
            "driver",
            "event",
            "grade",
            "play",
            "reference",
            "report",
            "sandbox",
            "submission",
            "testing",
        ],
    ),
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

#[test]
fn modules_import_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_IMPORT.iter().copied().collect();
    let mut problems = Vec::new();
    for (path, source) in files("src", "rs") {
        let inside = path.strip_prefix(root().join("src")).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(allowed) = allowed.get(module) else {
            assert!(["lib", "main"].contains(&module), "{module} has no row in the table of layers");
            continue;
        };
        let code = without_tests(&source).lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for rest in line.split("crate::").skip(1) {
                let other: String =
                    rest.chars().take_while(|ch| ch.is_alphanumeric() || *ch == '_').collect();
                if other != module && !allowed.contains(&other.as_str()) {
                    problems.push(format!("{}: {module} imports {other}", inside.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_pure_layers_do_no_input_and_read_no_clock() {
    for (path, source) in files("src", "rs") {
        let pure = ["src/games", "src/compare", "src/report"]
            .iter()
            .any(|folder| path.starts_with(root().join(folder)));
        for word in ["std::fs", "std::io", "std::time", "std::env", "Instant::", "SystemTime"] {
            assert!(!pure || !without_tests(&source).contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn every_game_has_its_exercise_cases_fixtures_and_tests() {
    for game in reference::GAMES {
        let loaded = case::Library::BuiltIn.load(game.name).unwrap();
        assert_eq!(loaded.exercise.reference.as_deref(), Some(game.name));
        assert!(loaded.cases.len() >= FEWEST_CASES, "{}: {} cases", game.name, loaded.cases.len());
        // An assignment of functions (Alquerque) shows no session.
        let session = loaded.cases.iter().any(|case| case.name == "spec_session");
        assert!(session || loaded.exercise.classes.is_empty(), "{}: no spec_session", game.name);
        for driver in driver::DRIVERS {
            let folder = root().join("fixtures/submissions").join(game.name).join(driver.language);
            assert!(folder.is_dir(), "{}", folder.display());
            let files = loaded.exercise.files.get(driver.language);
            assert!(
                files.is_some_and(|files| !files.is_empty()),
                "{}: no {} files",
                game.name,
                driver.language
            );
        }
        assert!(play::playable(game.name).is_some(), "{} cannot be played", game.name);
        let tests = root().join("tests/games").join(format!("{}.rs", game.name));
        assert!(tests.is_file(), "{}", tests.display());
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
    assert!(distinct(reference::GAMES.iter().map(|game| game.name).collect()));
    assert!(distinct(play::PLAYABLE.iter().map(|playable| playable.name).collect()));
    assert!(distinct(driver::DRIVERS.iter().map(|driver| driver.language).collect()));
    assert!(distinct(report::FORMATS.iter().map(|format| format.name).collect()));
}

#[test]
fn every_title_and_hint_speaks_all_three_languages() {
    for loaded in case::Library::BuiltIn.load_all().unwrap() {
        for found in &loaded.cases {
            for text in [Some(&found.title), found.hint.as_ref()].into_iter().flatten() {
                let case::LocalText::PerLang(texts) = text.as_ref() else {
                    panic!("{}: a text in one language", found.path)
                };
                assert_eq!(texts.len(), case::Lang::ALL.len(), "{}: a language is missing", found.path);
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
        let golden = root().join("tests/golden").join(format!("{}.{}", format.name, format.extension));
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
