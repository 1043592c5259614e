//! A submission that is a crate of Rust: its files, and the test target that answers for it.

use super::detect::DetectError;
use super::tree::{Entry, Tree};
use crate::case::Exercise;
use crate::compare::FilesProblem;
use crate::pattern::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The file that makes a folder a crate.
const MANIFEST: &str = "Cargo.toml";

/// The test target that a student's crate starts out with.
const USUAL_TEST: &str = "tests/grade.rs";

/// The most files that a crate may consist of.
const MOST_FILES: usize = 1000;

/// A crate of Rust.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its files: the path of each below its folder, where it lies if it does, and its bytes.
    pub files: Vec<(PathBuf, Option<PathBuf>, Arc<[u8]>)>,
    /// The source of the test target that answers to the exercise, below its folder.
    pub test: PathBuf,
}

/// The folder, below the tree's root, of the crate that a tree may be: a manifest lies there, and some source of Rust
/// below it.
pub(super) fn root(tree: &Tree) -> Option<PathBuf> {
    let manifests = tree.entries().iter().filter(|entry| entry.name() == MANIFEST);
    let manifest = manifests.min_by_key(|entry| entry.depth())?;
    let root = manifest.path().parent().unwrap_or(Path::new(""));
    let rust = |entry: &Entry| entry.name().ends_with(".rs") && entry.path().starts_with(root);
    tree.entries().iter().chain(tree.besides()).any(rust).then(|| root.to_owned())
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
) -> Result<&'e Exercise, DetectError> {
    let named: BTreeSet<String> = tests(tree, root).into_iter().flat_map(|(_, names)| names).collect();
    let answered: Vec<&Exercise> =
        exercises.iter().copied().filter(|exercise| named.contains(&exercise.name)).collect();
    match answered.as_slice() {
        [only] => Ok(only),
        several => Err(DetectError::new(several, exercises)),
    }
}

/// The files of the crate at `root`, and the test target that answers to `exercise`: the one that names it, else the
/// usual one.
pub(super) fn read(tree: &mut Tree, root: &Path, exercise: &Exercise) -> Result<Package, FilesProblem> {
    let tests = tests(tree, root);
    let naming = tests.iter().find(|(_, names)| names.contains(&exercise.name)).map(|(path, _)| path.clone());
    let entries = files(tree, root);
    if entries.len() > MOST_FILES {
        return Err(FilesProblem::TooLarge { file: root.join(MANIFEST).display().to_string() });
    }
    let mut files = Vec::with_capacity(entries.len());
    for (below, entry) in entries {
        let bytes = tree.read(&entry)?;
        files.push((below, tree.path(&entry), bytes));
    }
    Ok(Package { files, test: naming.unwrap_or_else(|| PathBuf::from(USUAL_TEST)) })
}

/// The files of the crate at `root`, by their paths below it.
fn files(tree: &Tree, root: &Path) -> Vec<(PathBuf, Entry)> {
    let all = tree.entries().iter().chain(tree.besides());
    all.filter_map(|entry| Some((entry.path().strip_prefix(root).ok()?.to_owned(), entry.clone()))).collect()
}

/// The test targets of the crate at `root`, by their paths below it, with the exercises that each names.
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

/// The exercises that the source of a test target may be for, by what it calls of `keur::submit`.
pub fn exercises_named(source: &str) -> Vec<String> {
    static EXERCISE: LazyLock<Regex> =
        LazyLock::new(|| crate::driver::pattern(r#"\bsubmit::(?:exercise\(\s*")?(\w+)"#));
    EXERCISE.captures_iter(source).map(|found| found[1].to_owned()).collect()
}
