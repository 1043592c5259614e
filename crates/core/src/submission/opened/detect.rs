//! Detects which exercise a submission answers, and with which files.
//!
//! If a file was chosen, it counts in three ways. [`Tree::choose`] has made an entry of it and of the files
//! beside it, which are looked through like all others. Where several entries may be the one that is looked
//! for, [`Tree::chosen_of`] takes it, or the only one beside it. And if something else was found at last,
//! [`chosen_instead`] puts it in the place of that.

use super::nearest::nearest;
use super::package;
use super::tree::{Tree, TreeEntry};
use crate::case::{Exercise, Naming};
use crate::languages::{self, LANGUAGES, Scan};
use crate::submission::{FilesProblem, UnclearExercise};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The most source files that are searched for definitions.
const MOST_SCANNED: usize = 200;

/// The error that none of `exercises` matches, or several of them.
pub(super) fn unclear(matches: &[&Exercise], exercises: &[&Exercise]) -> UnclearExercise {
    let names = |of: &[&Exercise]| of.iter().map(|exercise| exercise.name.clone()).collect();
    UnclearExercise { matches: names(matches), choices: names(exercises), nearest: None, lacks_test: None }
}

/// The exercise of a tree: by the names of its files, then by what they define.
pub(super) fn exercise<'e>(tree: &Tree, exercises: &[&'e Exercise]) -> Result<&'e Exercise, UnclearExercise> {
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
        [] => {
            Err(UnclearExercise { nearest: nearest(tree, &among).map(Box::new), ..unclear(&[], exercises) })
        }
        several => Err(unclear(several, exercises)),
    }
}

/// The files of `exercise` in a tree, in the order in which they are loaded.
pub(super) fn mains(tree: &Tree, exercise: &Exercise) -> Result<Vec<TreeEntry>, FilesProblem> {
    let found = found_mains(tree, exercise);
    match chosen_instead(tree, &exercise.files, found.as_deref().unwrap_or_default()) {
        Some(instead) => Ok(instead),
        None => found,
    }
}

/// The chosen file, if it is none of those that were `found`: alone, or with those beside it if it has one of
/// these names.
fn chosen_instead(
    tree: &Tree,
    names: &BTreeMap<String, Vec<String>>,
    found: &[TreeEntry],
) -> Option<Vec<TreeEntry>> {
    let chosen = tree.chosen_source().filter(|chosen| !found.contains(chosen))?;
    let names = languages::of_file(chosen.name()).and_then(|language| names.get(language.name));
    let is_named = |name: &String| name.eq_ignore_ascii_case(chosen.name());
    let Some(names) = names.filter(|names| names.iter().any(is_named)) else {
        return Some(vec![chosen.clone()]);
    };
    let beside = |name: &String| {
        let path = chosen.path().with_file_name(name);
        tree.entries()
            .iter()
            .find(|entry| if is_named(name) { *entry == chosen } else { entry.path() == path })
    };
    Some(names.iter().filter_map(beside).cloned().collect())
}

fn found_mains(tree: &Tree, exercise: &Exercise) -> Result<Vec<TreeEntry>, FilesProblem> {
    let mut named: Vec<Vec<TreeEntry>> = Vec::new();
    for known in LANGUAGES {
        let names = exercise.files_in(known.name);
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
            let all: Vec<&TreeEntry> = several.iter().flatten().collect();
            let chosen = tree.chosen_of(&all);
            let language = several.iter().find(|files| chosen.is_some_and(|chosen| files.contains(chosen)));
            return language
                .cloned()
                .ok_or_else(|| FilesProblem::Several { found: shown(all), wanted: Vec::new() });
        }
    }
    let sources = sources(tree);
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
    if let [only] = defining.as_slice() {
        return Ok(vec![only.clone()]);
    }
    let several = if defining.is_empty() { sources } else { defining };
    match tree.chosen_of(&several.iter().collect::<Vec<_>>()) {
        Some(chosen) => Ok(vec![chosen.clone()]),
        None => Err(several_unnamed(&several, exercise)),
    }
}

/// The paths of all source files, also of those that count only if they are chosen, such as tests.
pub(super) fn choices(tree: &Tree) -> Vec<PathBuf> {
    let all = tree.entries().iter().chain(tree.besides());
    all.filter(|entry| languages::of_file(entry.name()).is_some())
        .map(|entry| entry.path().to_owned())
        .collect()
}

fn sources(tree: &Tree) -> Vec<TreeEntry> {
    tree.entries().iter().filter(|entry| is_source(entry.name())).cloned().collect()
}

/// Reports that there is no program for an exercise that asks for nothing else: none at all, or several that
/// may be it.
pub(super) fn no_program(tree: &Tree, exercise: &Exercise) -> FilesProblem {
    let sources = sources(tree);
    if sources.len() > 1 { several_unnamed(&sources, exercise) } else { no_source(tree, exercise) }
}

/// Reports that there is no source file for an exercise, and what there is instead.
pub(super) fn no_source(tree: &Tree, exercise: &Exercise) -> FilesProblem {
    lacking(tree, wanted(exercise))
}

fn lacking(tree: &Tree, wanted: Vec<String>) -> FilesProblem {
    match tree.reason() {
        Some(skipped) => FilesProblem::NothingRead { skipped: skipped.clone() },
        None if package::lacks_manifest(tree) => FilesProblem::NoManifest,
        None => FilesProblem::NoSource { wanted, found: tree.contents() },
    }
}

/// Whether there is a source file that may be an answer.
pub(super) fn has_source(tree: &Tree) -> bool {
    tree.entries().iter().any(|entry| is_source(entry.name())) || tree.chosen_source().is_some()
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
    if main.is_some() {
        return found;
    }
    if let Some(instead) = chosen_instead(tree, &exercise.programs, &found) {
        return instead;
    }
    if !found.is_empty() {
        return found;
    }
    let sources = sources(tree);
    match sources.as_slice() {
        // A single file is the requested program, whatever its name.
        [only] => vec![only.clone()],
        several => tree.chosen_of(&several.iter().collect::<Vec<_>>()).cloned().into_iter().collect(),
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

/// Whether an exercise has programs, and nothing to load.
pub(super) fn has_only_programs(exercise: &Exercise) -> bool {
    exercise.definitions().next().is_none() && !exercise.programs.is_empty()
}

/// The file names that an exercise asks for: programs are optional if it asks for anything else.
pub(super) fn wanted(exercise: &Exercise) -> Vec<String> {
    let files = if has_only_programs(exercise) { &exercise.programs } else { &exercise.files };
    files.values().flatten().cloned().collect()
}

fn has_named_file(tree: &Tree, exercise: &Exercise) -> bool {
    let wanted = wanted(exercise);
    tree.entries().iter().any(|entry| wanted.iter().any(|name| name.eq_ignore_ascii_case(entry.name())))
}

/// The file with a name in the fewest folders.
fn shallowest(tree: &Tree, name: &str) -> Result<Option<TreeEntry>, FilesProblem> {
    match in_fewest_folders(named(tree, name)).as_slice() {
        [] => Ok(None),
        [only] => Ok(Some((*only).clone())),
        several => match tree.chosen_of(several) {
            Some(chosen) => Ok(Some(chosen.clone())),
            None => Err(FilesProblem::Several { found: shown(several.iter().copied()), wanted: Vec::new() }),
        },
    }
}

/// The files with a name. The case of letters counts only if several differ in it alone.
fn named<'t>(tree: &'t Tree, name: &str) -> Vec<&'t TreeEntry> {
    let in_any_case: Vec<&TreeEntry> =
        tree.entries().iter().filter(|entry| entry.name().eq_ignore_ascii_case(name)).collect();
    let exact: Vec<&TreeEntry> = in_any_case.iter().copied().filter(|entry| entry.name() == name).collect();
    if exact.is_empty() { in_any_case } else { exact }
}

/// The entries that lie in the fewest folders.
pub(super) fn in_fewest_folders(entries: Vec<&TreeEntry>) -> Vec<&TreeEntry> {
    let depth = entries.iter().map(|entry| entry.depth()).min();
    entries.into_iter().filter(|entry| Some(entry.depth()) == depth).collect()
}

/// Reports that `several` files may be the answer, and the names for one of them in their languages.
fn several_unnamed(several: &[TreeEntry], exercise: &Exercise) -> FilesProblem {
    let language = |name: &str| languages::of_file(name).map(|language| language.name);
    let of_these = |name: &String| several.iter().any(|entry| language(entry.name()) == language(name));
    let wanted = wanted(exercise).into_iter().filter(of_these).collect();
    FilesProblem::Several { found: shown(several), wanted }
}

/// Files for a message.
fn shown<'e>(entries: impl IntoIterator<Item = &'e TreeEntry>) -> Vec<String> {
    entries.into_iter().map(TreeEntry::shown).collect()
}

/// Whether a file may be a submission by itself: a source file that is not a test or a configuration.
pub(super) fn is_source(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let test = name.starts_with("test_")
        || ["_test.py", ".test.js", ".spec.js", ".config.js", ".test.mjs", ".spec.mjs"]
            .iter()
            .any(|end| name.ends_with(end))
        || ["conftest.py", "setup.py", "__init__.py", "gulpfile.js"].contains(&name.as_str());
    languages::of_file(&name).is_some() && !test
}

fn definitions(tree: &Tree) -> BTreeSet<String> {
    let sources = tree.entries().iter().filter(|entry| is_source(entry.name()));
    let sources: Vec<TreeEntry> = sources.take(MOST_SCANNED).cloned().collect();
    sources.iter().flat_map(|entry| defined_by(tree, entry)).collect()
}

/// The names that a source file defines at the top level.
pub(super) fn defined_by(tree: &Tree, entry: &TreeEntry) -> BTreeSet<String> {
    let Some(language) = languages::of_file(entry.name()) else { return BTreeSet::new() };
    let Ok(bytes) = tree.read(entry) else { return BTreeSet::new() };
    // Without the mark and the nulls a text in UTF-16 can be searched, so that its report can say how it is
    // saved.
    let text = String::from_utf8_lossy(&bytes).replace([char::REPLACEMENT_CHARACTER, '\0'], "");
    let Scan { defines, .. } = (language.scan)(&text);
    defines.into_iter().collect()
}

/// Whether the definitions look like an answer: one of the classes, or at least half of the functions.
fn defines(defined: &BTreeSet<String>, exercise: &Exercise) -> bool {
    let spelled = |name: &str| {
        LANGUAGES.iter().any(|language| defined.contains(&Naming::of(exercise, language).spell(name)))
    };
    let functions = exercise.functions.keys().filter(|name| spelled(name)).count();
    exercise.classes.keys().any(|name| spelled(name))
        || (!exercise.functions.is_empty() && functions * 2 >= exercise.functions.len())
}
