//! Detects which exercise a submission answers, and with which files.

use super::tree::{Tree, TreeEntry};
use crate::case::Exercise;
use crate::compare::FilesProblem;
use crate::languages::{self, LANGUAGES, Scan};
use std::collections::BTreeSet;
use std::fmt;

/// The most source files that are searched for definitions.
const MOST_SCANNED: usize = 200;

/// The most files that a message lists.
const MOST_LISTED: usize = 5;

/// The exercise cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectError {
    /// The exercises that match; empty if none does.
    pub matches: Vec<String>,
    /// Every exercise.
    pub choices: Vec<String>,
}

impl DetectError {
    /// None of `exercises`, or several of them.
    pub(super) fn new(matches: &[&Exercise], exercises: &[&Exercise]) -> DetectError {
        let names = |of: &[&Exercise]| of.iter().map(|exercise| exercise.name.clone()).collect();
        DetectError { matches: names(matches), choices: names(exercises) }
    }
}

impl fmt::Display for DetectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.matches.is_empty() {
            write!(f, "it is not clear which exercise this answers; name it with --exercise: ")?;
            f.write_str(&self.choices.join(", "))
        } else {
            write!(f, "this may answer {}; name the exercise with --exercise", self.matches.join(" or "))
        }
    }
}

impl std::error::Error for DetectError {}

/// The exercise of a tree: by the names of its files, then by what they define.
pub(super) fn exercise<'e>(tree: &mut Tree, exercises: &[&'e Exercise]) -> Result<&'e Exercise, DetectError> {
    let by_name: Vec<&Exercise> =
        exercises.iter().copied().filter(|exercise| has_named_file(tree, exercise)).collect();
    if let [only] = by_name.as_slice() {
        return Ok(only);
    }
    let among = if by_name.is_empty() { exercises.to_vec() } else { by_name };
    let defined = definitions(tree);
    let by_definition: Vec<&Exercise> =
        among.iter().copied().filter(|exercise| defines(&defined, exercise)).collect();
    match by_definition.as_slice() {
        [only] => Ok(only),
        several => Err(DetectError::new(several, exercises)),
    }
}

/// The files of `exercise` in a tree, in the order in which they are loaded.
pub(super) fn mains(tree: &mut Tree, exercise: &Exercise) -> Result<Vec<TreeEntry>, FilesProblem> {
    let mut named: Vec<Vec<TreeEntry>> = Vec::new();
    for known in LANGUAGES {
        let names = exercise.files.get(known.name).map(Vec::as_slice).unwrap_or_default();
        let mut found = Vec::new();
        for name in names {
            if let Some(entry) = shallowest(tree, name)? {
                found.push(entry);
            }
        }
        if !found.is_empty() {
            named.push(found);
        }
    }
    match named.as_slice() {
        [only] => return Ok(only.clone()),
        [] => {}
        several => {
            return Err(FilesProblem::Several { found: listed(several.iter().flatten()) });
        }
    }
    let sources: Vec<TreeEntry> =
        tree.entries().iter().filter(|entry| is_source(entry.name())).cloned().collect();
    if let [only] = sources.as_slice() {
        return Ok(vec![only.clone()]);
    }
    if sources.is_empty() {
        return Err(no_source(tree, exercise));
    }
    // Several sources, none with the requested name: take the one that defines what is needed.
    let mut defining = Vec::new();
    for entry in sources.iter().take(MOST_SCANNED) {
        if defines(&defined_by(tree, entry), exercise) {
            defining.push(entry.clone());
        }
    }
    match defining.as_slice() {
        [only] => Ok(vec![only.clone()]),
        [] => Err(FilesProblem::Several { found: listed(&sources) }),
        several => Err(FilesProblem::Several { found: listed(several) }),
    }
}

/// Reports that there is no source file for an exercise, and what there is instead.
pub(super) fn no_source(tree: &Tree, exercise: &Exercise) -> FilesProblem {
    lacking(tree, wanted(exercise))
}

fn lacking(tree: &Tree, wanted: Vec<String>) -> FilesProblem {
    match tree.entries().iter().find(|entry| entry.name().ends_with(".ipynb")) {
        Some(notebook) => FilesProblem::Notebook { file: notebook.shown() },
        None => FilesProblem::NoSource { wanted, found: tree.contents() },
    }
}

/// Whether there is a source file that may be an answer.
pub(super) fn has_source(tree: &Tree) -> bool {
    tree.entries().iter().any(|entry| is_source(entry.name()))
}

/// Why there is nothing to grade: no source file, and none with a name that an exercise asks for.
pub(super) fn nothing(tree: &Tree, exercises: &[&Exercise]) -> Option<FilesProblem> {
    let named = exercises.iter().any(|exercise| has_named_file(tree, exercise));
    let wanted = if let [only] = exercises { wanted(only) } else { Vec::new() };
    (!named && !has_source(tree)).then(|| lacking(tree, wanted))
}

/// The programs of `exercise` in a tree, in one language: that of `main` if there is one.
///
/// They are optional: a program with several candidates at the same depth counts as missing.
pub(super) fn programs(tree: &Tree, exercise: &Exercise, main: Option<&TreeEntry>) -> Vec<TreeEntry> {
    let found = named_programs(tree, exercise, main);
    let sources: Vec<&TreeEntry> = tree.entries().iter().filter(|entry| is_source(entry.name())).collect();
    match (main, sources.as_slice()) {
        // A single file is the requested program, whatever its name.
        (None, [only]) if found.is_empty() => vec![(*only).clone()],
        _ => found,
    }
}

fn named_programs(tree: &Tree, exercise: &Exercise, main: Option<&TreeEntry>) -> Vec<TreeEntry> {
    let language = main.and_then(|main| languages::of_file(main.name())).map(|language| language.name);
    let mut of_language =
        LANGUAGES.iter().filter(|known| language.is_none_or(|language| language == known.name));
    let found = of_language.find_map(|known| {
        let names = exercise.programs.get(known.name)?;
        let found: Vec<TreeEntry> =
            names.iter().filter_map(|name| shallowest(tree, name).ok().flatten()).collect();
        Some(found).filter(|found| !found.is_empty())
    });
    found.unwrap_or_default()
}

/// The file names that an exercise asks for: programs are optional if it asks for anything else.
pub(super) fn wanted(exercise: &Exercise) -> Vec<String> {
    let alone = exercise.definitions().next().is_none();
    let files = if alone { &exercise.programs } else { &exercise.files };
    files.values().flatten().cloned().collect()
}

fn has_named_file(tree: &Tree, exercise: &Exercise) -> bool {
    let wanted = wanted(exercise);
    tree.entries().iter().any(|entry| wanted.iter().any(|name| name.eq_ignore_ascii_case(entry.name())))
}

/// The file with a name in the fewest folders. The case of letters counts only if several differ in it alone.
fn shallowest(tree: &Tree, name: &str) -> Result<Option<TreeEntry>, FilesProblem> {
    let like = |entry: &&TreeEntry| entry.name().eq_ignore_ascii_case(name);
    let exactly = |entry: &&TreeEntry| entry.name() == name;
    let all: Vec<&TreeEntry> = tree.entries().iter().filter(like).collect();
    let exact: Vec<&TreeEntry> = all.iter().copied().filter(exactly).collect();
    let found = if exact.is_empty() { all } else { exact };
    let Some(depth) = found.iter().map(|entry| entry.depth()).min() else { return Ok(None) };
    let found: Vec<&TreeEntry> = found.into_iter().filter(|entry| entry.depth() == depth).collect();
    match found.as_slice() {
        [only] => Ok(Some((*only).clone())),
        several => Err(FilesProblem::Several { found: listed(several.iter().copied()) }),
    }
}

/// Files for a message, up to a limit.
fn listed<'e>(entries: impl IntoIterator<Item = &'e TreeEntry>) -> Vec<String> {
    let mut entries = entries.into_iter();
    let mut listed: Vec<String> = entries.by_ref().take(MOST_LISTED).map(TreeEntry::shown).collect();
    listed.extend(entries.next().map(|_| "…".to_owned()));
    listed
}

/// Whether a file may be a submission by itself: a source file that is not a test or a configuration.
fn is_source(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let test = name.starts_with("test_")
        || ["_test.py", ".test.js", ".spec.js", ".config.js", ".test.mjs", ".spec.mjs"]
            .iter()
            .any(|end| name.ends_with(end))
        || ["conftest.py", "setup.py", "__init__.py", "gulpfile.js"].contains(&name.as_str());
    languages::of_file(&name).is_some() && !test
}

fn definitions(tree: &mut Tree) -> BTreeSet<String> {
    let sources = tree.entries().iter().filter(|entry| is_source(entry.name()));
    let sources: Vec<TreeEntry> = sources.take(MOST_SCANNED).cloned().collect();
    sources.iter().flat_map(|entry| defined_by(tree, entry)).collect()
}

fn defined_by(tree: &mut Tree, entry: &TreeEntry) -> BTreeSet<String> {
    let Some(language) = languages::of_file(entry.name()) else { return BTreeSet::new() };
    let Ok(bytes) = tree.read(entry) else { return BTreeSet::new() };
    let Scan { defines, .. } = (language.scan)(&String::from_utf8_lossy(&bytes));
    defines.into_iter().collect()
}

/// Whether the definitions look like an answer: one of the classes, or at least half of the functions.
fn defines(defined: &BTreeSet<String>, exercise: &Exercise) -> bool {
    let spelled = |name: &str| {
        use crate::case::{Convention, Naming};
        let known = |language: &str, convention| Naming::new(exercise, language, convention).spell(name);
        LANGUAGES.iter().any(|language| {
            let convention = if language.snake_case { Convention::Snake } else { Convention::Camel };
            defined.contains(&known(language.name, convention))
        })
    };
    let functions = exercise.functions.keys().filter(|name| spelled(name)).count();
    exercise.classes.keys().any(|name| spelled(name))
        || (!exercise.functions.is_empty() && functions * 2 >= exercise.functions.len())
}
