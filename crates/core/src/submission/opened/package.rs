//! A submission that is a Rust crate: its files, and the test target that answers the exercise.

use super::detect;
use super::tree::{Tree, TreeEntry};
use crate::adapter::{Bundle, SourceFile};
use crate::case::Exercise;
use crate::submission::{FilesProblem, UnclearExercise};
use crate::submission::{Found, Runner};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The file that makes a folder a crate.
const MANIFEST: &str = "Cargo.toml";

/// The test target of a new student crate.
const USUAL_TEST: &str = "tests/grade.rs";

/// The most files that a crate may consist of.
const MOST_FILES: usize = 1000;

/// The folder, within the tree, of the crate if there is one: it has a manifest, and Rust source below it.
pub(super) fn root(tree: &Tree) -> Option<PathBuf> {
    manifests(tree).first().map(|manifest| folder(manifest).to_owned())
}

/// The problem of several crates, neither of which lies in the folder of another.
pub(super) fn several(tree: &Tree) -> Option<FilesProblem> {
    let manifests = manifests(tree);
    let found = || manifests.iter().map(|manifest| manifest.shown()).collect();
    (manifests.len() > 1).then(|| FilesProblem::Several { found: found(), wanted: Vec::new() })
}

/// The paths of the manifests of which one can be chosen.
pub(super) fn choices(tree: &Tree) -> Vec<PathBuf> {
    manifests(tree).into_iter().map(|manifest| manifest.path().to_owned()).collect()
}

/// The manifests in the fewest folders that have Rust source below them: the chosen one, if one of them is.
fn manifests(tree: &Tree) -> Vec<&TreeEntry> {
    let all = tree.entries().iter().filter(|entry| entry.name() == MANIFEST);
    let depth = all.clone().map(TreeEntry::depth).min();
    let has_rust = |manifest: &&TreeEntry| {
        let rust =
            |entry: &TreeEntry| entry.name().ends_with(".rs") && entry.path().starts_with(folder(manifest));
        tree.entries().iter().chain(tree.besides()).any(rust)
    };
    let found: Vec<&TreeEntry> = all.filter(|entry| Some(entry.depth()) == depth).filter(has_rust).collect();
    tree.chosen_of(&found).map_or(found, |chosen| vec![chosen])
}

fn folder(manifest: &TreeEntry) -> &Path {
    manifest.path().parent().unwrap_or(Path::new(""))
}

/// Whether a test target of the crate at `root` names an exercise.
pub(super) fn names_an_exercise(tree: &mut Tree, root: &Path) -> bool {
    tests(tree, root).iter().any(|(_, exercises)| !exercises.is_empty())
}

/// The exercise among `exercises` that a test target of the crate names.
pub(super) fn exercise<'e>(
    tree: &mut Tree,
    root: &Path,
    exercises: &[&'e Exercise],
) -> Result<&'e Exercise, UnclearExercise> {
    let named: BTreeSet<String> = tests(tree, root).into_iter().flat_map(|(_, names)| names).collect();
    let answered: Vec<&Exercise> =
        exercises.iter().copied().filter(|exercise| named.contains(&exercise.name)).collect();
    match answered.as_slice() {
        [only] => Ok(only),
        several => Err(detect::unclear(several, exercises)),
    }
}

/// The files of the crate at `root`. It is loaded by the source of its test target for `exercise`: the one
/// that names it, else the usual one. Only Rust sources are modules.
pub(super) fn read(tree: &mut Tree, root: &Path, exercise: &Exercise) -> Result<Found, FilesProblem> {
    let tests = tests(tree, root);
    let naming = tests.iter().find(|(_, names)| names.contains(&exercise.name)).map(|(path, _)| path.clone());
    let test = naming.unwrap_or_else(|| PathBuf::from(USUAL_TEST));
    let entries = files(tree, root);
    if entries.len() > MOST_FILES {
        return Err(FilesProblem::TooMany { most: MOST_FILES });
    }
    let mut bundle = Bundle::default();
    for (below, entry) in entries {
        let name = below.display().to_string();
        let module = below.extension().is_some_and(|ending| ending == "rs").then(|| name.clone());
        bundle.files.push(SourceFile { name, module, path: tree.path(&entry), bytes: tree.read(&entry)? });
    }
    Ok(Found { runner: Runner::Crate { test }, bundle })
}

/// The files of the crate at `root`, by their paths within it.
fn files(tree: &Tree, root: &Path) -> Vec<(PathBuf, TreeEntry)> {
    let all = tree.entries().iter().chain(tree.besides());
    all.filter_map(|entry| Some((entry.path().strip_prefix(root).ok()?.to_owned(), entry.clone()))).collect()
}

/// The test targets of the crate at `root`, by their paths within it, with the exercises that each names.
fn tests(tree: &mut Tree, root: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let targets = files(tree, root).into_iter().filter(|(below, _)| {
        let rust = below.extension().is_some_and(|ending| ending == "rs");
        let folder = below.parent() == Some(Path::new("tests"));
        rust && (folder || below.starts_with("tests") && below.ends_with("main.rs"))
    });
    let targets: Vec<_> = targets.collect();
    let named = targets.into_iter().map(|(below, entry)| {
        let source = tree.read(&entry).unwrap_or_else(|_| Arc::default());
        let source = String::from_utf8_lossy(&source).into_owned();
        (below, exercises_named(&source))
    });
    named.collect()
}

/// The exercises that the source of a test target may answer, by what it calls of `keur_core::submit`.
pub fn exercises_named(source: &str) -> Vec<String> {
    static EXERCISE: LazyLock<Regex> =
        LazyLock::new(|| crate::languages::pattern(r#"\bsubmit::(?:exercise\(\s*")?(\w+)"#));
    EXERCISE.captures_iter(source).map(|found| found[1].to_owned()).collect()
}
