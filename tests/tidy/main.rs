//! The code rules that a machine can check: what may import what, what a registry entry needs, and what is
//! forbidden.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changelog;

use keur_core::messages::{Lang, LocalText};
use keur_core::named::Named;
use keur_core::{case, exercises, languages, report};
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most lines of a source file without its tests, with a few exceptions.
const MOST_LINES: usize = 500;
const LONGER_FILES: usize = 3;

/// The fewest cases of an exercise.
const FEWEST_CASES: usize = 15;

/// The layers inside a crate, from the bottom: a module imports only modules of earlier rows.
const LAYERS: &[(&str, &[&[&str]])] = &[
    (
        "crates/core/src",
        &[
            &["named"],
            &["value", "messages", "draw", "protocol", "sandbox"],
            &["exercises", "cache"],
            &["languages"],
            &["case"],
            &["adapter"],
            &["submission"],
            &["compare"],
            &["event"],
            &["judge", "report"],
            &["sessions"],
            &["hunt"],
            &["grade"],
            &["testing"],
            &["submit"],
        ],
    ),
    ("crates/page/src", &[&["grading"], &["module"]]),
    (
        "src",
        &[
            &["writing", "log", "tested"],
            &["author", "play", "site"],
            &["hunt"],
            &["run"],
            &["audit", "testing"],
            &["class"],
            &["cli"],
        ],
    ),
];

/// The sources of all crates.
const SOURCES: [&str; 4] = ["src", "crates/core/src", "crates/page/src", "crates/sandbox/src"];

/// Layers without input, output, clock or environment.
const PURE: &[&str] = &["compare", "draw", "messages", "report", "value"];

/// Parts of an exercise that are pure too.
const PURE_IN_AN_EXERCISE: &[&str] = &["rules", "reference", "oracles", "picture"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let walk = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let paths = walk.into_iter().map(|entry| entry.unwrap().into_path());
    let wanted = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
    wanted.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

/// The source files of all crates.
fn sources() -> impl Iterator<Item = (PathBuf, String)> {
    SOURCES.into_iter().flat_map(|folder| files(folder, "rs"))
}

/// The source without its unit tests.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// The lines of a source that are neither tests nor comments.
fn code(source: &str) -> impl Iterator<Item = &str> {
    without_tests(source).lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The words that follow `first::` in the code of a source.
fn names_after(first: &str, source: &str) -> BTreeSet<String> {
    let pattern = Regex::new(&format!(r"\b{first}::(?:(\w+)|\{{(.*))")).unwrap();
    let word = Regex::new(r"\w+").unwrap();
    let found = code(source).flat_map(|line| pattern.captures_iter(line));
    found
        .flat_map(|found| word.find_iter(found.get(0).unwrap().as_str()).skip(1))
        .map(|word| word.as_str().to_owned())
        .collect()
}

/// The module at the top of its crate that a file belongs to.
fn module(inside: &Path) -> &str {
    inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs")
}

#[test]
fn modules_import_only_what_lies_below_them() {
    for (folder, layers) in LAYERS {
        let row = |name: &str| layers.iter().position(|modules| modules.contains(&name));
        for (path, source) in files(folder, "rs") {
            let module = module(path.strip_prefix(root().join(folder)).unwrap());
            let Some(own) = row(module) else {
                assert!(["lib", "main"].contains(&module), "{folder}: {module} is in no layer");
                continue;
            };
            assert!(!source.contains("use crate::{"), "{}: a line for each module", path.display());
            for name in names_after("crate", &source).iter().filter(|name| *name != module) {
                let below = row(name).is_none_or(|row| row < own);
                assert!(below, "{}: {module} imports {name}", path.display());
            }
        }
    }
}

#[test]
fn every_crate_is_among_those_that_are_checked() {
    let manifest: toml::Table =
        toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap().iter();
    let sources: BTreeSet<String> =
        members.map(|member| format!("{}/src", member.as_str().unwrap())).collect();
    let checked = SOURCES.iter().filter(|folder| **folder != "src").map(|folder| (*folder).to_owned());
    assert_eq!(sources, checked.collect(), "SOURCES has the members of the workspace");
}

#[test]
fn the_pure_layers_do_no_input_and_read_no_clock() {
    let impure = ["env", "fs", "io", "net", "process", "thread", "time", "clock", "Process", "Tools"];
    let core = "crates/core/src";
    for (path, source) in files(core, "rs") {
        let inside = path.strip_prefix(root().join(core)).unwrap();
        let mut words = inside.iter().map(|word| word.to_str().unwrap().trim_end_matches(".rs"));
        let module = module(inside);
        let pure = PURE.contains(&module)
            || module == "exercises" && words.any(|word| PURE_IN_AN_EXERCISE.contains(&word));
        let mut used = names_after("std", &source);
        used.extend(names_after("sandbox", &source));
        let found = used.iter().find(|name| impure.contains(&name.as_str()));
        assert!(!pure || found.is_none(), "{}: {found:?}", path.display());
    }
}

/// Files that write files themselves, and why that is not `writing`'s work. A folder may be named for all of its
/// files.
const OTHER_WRITERS: &[(&str, &str)] = &[
    ("src/audit/generic/python.rs", "a temporary file"),
    ("src/audit/programs.rs", "a temporary folder"),
    ("src/class/intake", "the new folder of a class"),
    ("src/class/scratch.rs", "a temporary folder"),
    ("src/class/shards", "the folder of a class, which its machines share"),
    ("src/class/signing.rs", "a temporary folder, for ssh-keygen"),
    ("src/class/store", "the folder of a class"),
    ("src/cli/judge.rs", "a temporary folder"),
    ("crates/core/src/languages/python/compiled.rs", "keur's cache"),
    ("crates/core/src/languages/c", "the folders of a build"),
    ("crates/core/src/languages/cpp", "keur's cache, and the folders of a build"),
    ("crates/core/src/languages/rust", "keur's cache, and the folders of a build"),
    ("src/run/build", "a temporary folder"),
    ("crates/sandbox/src", "the folders of submissions, and of control groups"),
    ("crates/core/src/submission/opened/plain.rs", "reads alone"),
    ("src/writing", "it is the one"),
];

#[test]
fn files_are_written_in_one_way() {
    let ways = [
        "fs::write", "File::create", "OpenOptions", "File::options", "fs::copy", "fs::rename", "create_dir",
        "hard_link", "unix::fs::symlink", "persist", "NamedTempFile", "tempfile_in", "tempdir_in",
    ];
    let mut used = BTreeSet::new();
    for (path, source) in sources() {
        let inside = path.strip_prefix(root()).unwrap();
        if inside.iter().any(|word| word == "tests" || word == "tests.rs") {
            continue;
        }
        let found = code(&source).find(|line| ways.iter().any(|way| line.contains(way)));
        let Some(line) = found else { continue };
        let other = OTHER_WRITERS.iter().find(|(other, _)| inside.starts_with(other));
        let (other, _) = other.unwrap_or_else(|| panic!("{}: use `writing`: {line}", inside.display()));
        used.insert(*other);
    }
    assert_eq!(used, OTHER_WRITERS.iter().map(|(other, _)| *other).collect(), "remove what writes nothing");
}

#[test]
fn every_exercise_has_its_cases_and_fixtures() {
    for built_in in exercises::EXERCISES {
        let name = built_in.name;
        let loaded = case::Library::BuiltIn.load(name).unwrap();
        assert_eq!(loaded.exercise.built_in(), Some(name));
        let count = loaded.cases.len();
        assert!(count >= FEWEST_CASES, "{name}: {count} cases, and at least {FEWEST_CASES} are wanted");
        // An assignment of functions (Alquerque) shows no session.
        let session = loaded.cases.iter().any(|case| case.name == "spec_session");
        assert!(session || loaded.exercise.classes.is_empty(), "{name}: no spec_session");
        for language in languages::LANGUAGES {
            let folder = root().join("fixtures/submissions").join(name).join(language.name);
            let taken = loaded.exercise.files.contains_key(language.name);
            assert_eq!(taken, folder.is_dir(), "{name}: `[files]` and {} go together", folder.display());
            assert!(taken || language.is_optional(), "{name}: no {} files", language.name);
        }
        assert!(built_in.playable.as_ref().is_none_or(|game| game.name == name), "{name}");
    }
}

#[test]
fn names_in_the_registries_are_distinct() {
    let distinct = |names: Vec<&str>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    assert!(distinct(exercises::EXERCISES.iter().map(|exercise| exercise.name).collect()));
    assert!(distinct(languages::LANGUAGES.iter().map(|language| language.name).collect()));
    assert!(distinct(report::formats::FORMATS.iter().map(|format| format.name).collect()));
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
fn every_module_says_what_it_owns_and_few_files_are_long() {
    let mut long = Vec::new();
    for (path, source) in sources() {
        assert!(source.starts_with("//! "), "{} opens without //!", path.display());
        if without_tests(&source).lines().count() > MOST_LINES {
            long.push(path);
        }
    }
    assert!(long.len() <= LONGER_FILES, "{long:?}");
}

#[test]
fn nothing_unfinished_is_left() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ig", "nore")];
    for (path, source) in
        sources().chain(["tests", "benches"].into_iter().flat_map(|folder| files(folder, "rs")))
    {
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

/// Whether a source has a test with these words in its name.
fn has_test(source: &str, words: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.windows(2).any(|pair| pair[0] == "#[test]" && pair[1].starts_with("fn ") && pair[1].contains(words))
}

#[test]
fn the_commands_of_the_ci_and_of_contributing_name_tests() {
    let text =
        [".ci/run", "CONTRIBUTING.md"].map(|file| fs::read_to_string(root().join(file)).unwrap()).concat();
    let commands = text.lines().map(|line| line.trim().trim_start_matches("KEUR_BLESS=1 "));
    let mut filters = 0;
    for line in commands.filter(|line| line.starts_with("cargo test ")) {
        let Some((_, target)) = line.split_once("--test ") else { continue };
        let mut words = target.split(' ').filter(|word| *word != "--");
        let folder = root().join("tests").join(words.next().unwrap());
        assert!(folder.is_dir(), "{line}: no such folder of tests");
        for word in words {
            let (module, name) = word.split_once("::").unwrap_or(("", word));
            let of_module = |path: &Path| path.strip_prefix(&folder).unwrap().starts_with(module);
            let is_own = |path: &Path| module.is_empty() || of_module(&path.with_extension(""));
            let sources = files("tests", "rs").into_iter();
            let sources: Vec<_> =
                sources.filter(|(path, _)| path.starts_with(&folder) && is_own(path)).collect();
            assert!(!sources.is_empty(), "{line}: no module {module}");
            // The fixtures of an exercise are tested under its name.
            let is_found = name.is_empty()
                || exercises::find(name).is_some()
                || sources.iter().any(|(_, source)| has_test(source, name));
            assert!(is_found, "{line}: no test has {name} in its name");
            filters += 1;
        }
    }
    assert!(filters > 0);
}

#[test]
fn every_format_has_its_golden_file_and_its_row_in_the_page_about_reports() {
    let page = fs::read_to_string(root().join("docs/reports.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    for format in report::formats::FORMATS {
        let golden =
            root().join("fixtures/golden/reports").join(format!("{}.{}", format.name, format.extension));
        let text = fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            !text.is_empty(),
            "{}: make it with KEUR_BLESS=1 cargo test --test it golden::",
            golden.display()
        );
        let name = format!("`{}`", format.name);
        assert!(rows.iter().any(|row| row.contains(&name)), "no table of docs/reports.md has {name}");
    }
}

#[test]
fn every_page_of_the_documentation_is_listed_in_the_site() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for (path, _) in files("docs", "md") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(is_listed, "docs/SUMMARY.md does not list {name}");
    }
}

#[test]
fn the_licences_and_the_changes_are_there() {
    for file in [
        "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "README.md", "CONTRIBUTING.md",
        "docs/architecture.md", "docs/protocol.md", "docs/new-language.md", "docs/cases.md", "docs/json.md",
        "docs/ci.md", "docs/stability.md", "action.yml",
    ] {
        assert!(root().join(file).is_file(), "{file}");
    }
}

/// What a program prints.
fn output(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_dependency_needs_a_newer_rust_than_keur() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let number =
        |version: &str| -> Vec<u32> { version.split('.').map(|part| part.parse().unwrap()).collect() };
    let about = output("rustc", &["-vV"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let args = ["metadata", "--format-version=1", "--locked", "--all-features", "--filter-platform", host];
    let metadata: serde_json::Value = serde_json::from_str(&output(env!("CARGO"), &args)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        let needed = package["rust_version"].as_str().unwrap_or("1.0");
        assert!(
            number(needed) <= number(oldest),
            "{} needs Rust {needed}, and keur {oldest}",
            package["name"]
        );
    }
    let contributing = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    assert!(contributing.contains(&format!("You need Rust {oldest} or newer")));
}
