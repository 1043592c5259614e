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
pub const MANIFEST: &str = "Cargo.toml";

/// The test target of a new student crate.
pub const USUAL_TEST: &str = "tests/grade.rs";

/// The most files that a crate may consist of.
const MOST_FILES: usize = 1000;

/// The folder, within the tree, of the crate if there is one: it has a manifest, and Rust source below it. A
/// manifest among the sources of another language does not make one.
pub(super) fn root(tree: &Tree) -> Option<PathBuf> {
    let root = folder(manifests(tree).first()?).to_owned();
    let names_an_exercise = || tests(tree, &root).iter().any(|test| !test.exercises.is_empty());
    (!detect::has_source(tree) || names_an_exercise()).then_some(root)
}

/// The paths of the manifests of which one can be chosen.
pub(super) fn choices(tree: &Tree) -> Vec<PathBuf> {
    manifests(tree).into_iter().map(|manifest| manifest.path().to_owned()).collect()
}

/// The manifests of packages in the fewest folders that have Rust source below them: the chosen one, if one of
/// them is.
fn manifests(tree: &Tree) -> Vec<&TreeEntry> {
    let all = tree.entries().iter().filter(|entry| entry.name() == MANIFEST && !is_virtual(tree, entry));
    let all = all.collect();
    let mut found = detect::in_fewest_folders(all);
    found.retain(|manifest| has_rust(tree, folder(manifest)));
    tree.chosen_of(&found).map_or(found, |chosen| vec![chosen])
}

/// Whether a manifest is of a workspace that is no package itself: a submission is one of its members.
fn is_virtual(tree: &Tree, manifest: &TreeEntry) -> bool {
    let bytes = tree.read(manifest).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let has = |table: &str| text.lines().any(|line| line.trim_start().starts_with(table));
    has("[workspace") && !has("[package")
}

fn has_rust(tree: &Tree, folder: &Path) -> bool {
    let mut all = tree.entries().iter().chain(tree.besides());
    all.any(|entry| entry.name().ends_with(".rs") && entry.path().starts_with(folder))
}

/// Whether there is Rust source, but no manifest.
pub(super) fn lacks_manifest(tree: &Tree) -> bool {
    has_rust(tree, Path::new("")) && tree.entries().iter().all(|entry| entry.name() != MANIFEST)
}

fn folder(manifest: &TreeEntry) -> &Path {
    manifest.path().parent().unwrap_or(Path::new(""))
}

/// The exercise among `exercises` that a test target of the crate names.
pub(super) fn exercise<'e>(
    tree: &Tree,
    root: &Path,
    exercises: &[&'e Exercise],
) -> Result<&'e Exercise, UnclearExercise> {
    let named: BTreeSet<String> = tests(tree, root).into_iter().flat_map(|test| test.exercises).collect();
    let answered: Vec<&Exercise> =
        exercises.iter().copied().filter(|exercise| named.contains(&exercise.name)).collect();
    match answered.as_slice() {
        [only] => Ok(only),
        several => {
            let has_test = files(tree, root).iter().any(|(below, _)| below == Path::new(USUAL_TEST));
            let lacks_test = (named.is_empty() && !has_test).then(|| USUAL_TEST.to_owned());
            Err(UnclearExercise { lacks_test, ..detect::unclear(several, exercises) })
        }
    }
}

/// The files of the crate at `root`. It is loaded by the source of its test target for `exercise`: the one
/// that names it, else the usual one. Only Rust sources are modules.
///
/// # Errors
/// There are several crates, neither of which lies in the folder of another, or it is too large.
pub(super) fn read(tree: &Tree, root: &Path, exercise: &Exercise) -> Result<Found, FilesProblem> {
    let manifests = manifests(tree);
    if manifests.len() > 1 {
        let found = manifests.iter().map(|manifest| manifest.shown()).collect();
        return Err(FilesProblem::Several { found, wanted: Vec::new() });
    }
    let naming = tests(tree, root).into_iter().find(|test| test.exercises.contains(&exercise.name));
    let test = naming.map_or_else(|| PathBuf::from(USUAL_TEST), |test| test.path);
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
    let around = tree.manifests_around(root);
    Ok(Found { runner: Runner::Crate { test, around }, bundle })
}

/// The files of the crate at `root`, by their paths within it.
fn files(tree: &Tree, root: &Path) -> Vec<(PathBuf, TreeEntry)> {
    let all = tree.entries().iter().chain(tree.besides());
    all.filter_map(|entry| Some((entry.path().strip_prefix(root).ok()?.to_owned(), entry.clone()))).collect()
}

/// A test target of a crate.
struct TestTarget {
    /// The path of its source within the crate.
    path: PathBuf,
    /// The exercises that it names.
    exercises: Vec<String>,
}

/// The test targets of the crate at `root`.
fn tests(tree: &Tree, root: &Path) -> Vec<TestTarget> {
    let targets = files(tree, root).into_iter().filter(|(below, _)| {
        let rust = below.extension().is_some_and(|ending| ending == "rs");
        let folder = below.parent() == Some(Path::new("tests"));
        rust && (folder || below.starts_with("tests") && below.ends_with("main.rs"))
    });
    let named = targets.map(|(path, entry)| {
        let source = tree.read(&entry).unwrap_or_else(|_| Arc::default());
        TestTarget { path, exercises: exercises_named(&String::from_utf8_lossy(&source)) }
    });
    named.collect()
}

/// The exercises that the source of a test target may answer, by what it calls of `keur_core::submit`.
pub fn exercises_named(source: &str) -> Vec<String> {
    static EXERCISE: LazyLock<Regex> =
        LazyLock::new(|| crate::languages::pattern(r#"\bsubmit::(?:exercise\(\s*")?(\w+)"#));
    EXERCISE.captures_iter(source).map(|found| found[1].to_owned()).collect()
}
