//! `verdicts.toml`: the faults of a folder's fixtures, and the cases that each of them fails.
//!
//! Reads the file, checks it against the folder, compares it with the results, and rewrites it.
//! `fixtures/README.md` describes its format. The tests that share this module do the grading.

use keur::run::{FailedCase, FailedCases};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that describes the fixtures beside it.
const FILE: &str = "verdicts.toml";

/// The keys of a folder's entries.
pub(crate) struct Layout {
    /// The plain keys that an entry may have.
    pub(crate) keys: &'static [&'static str],
    /// The tables of verdicts that an entry may have.
    pub(crate) tables: &'static [&'static str],
    /// The lines of a new entry, after its header.
    pub(crate) example: &'static str,
    /// The command that adds the verdicts to a new entry.
    pub(crate) bless: &'static str,
}

/// A submission and its entry.
pub(crate) struct Fixture {
    pub(crate) path: PathBuf,
    /// The values of its plain keys.
    pub(crate) plain: toml::Table,
    tables: BTreeMap<String, FailedCases>,
    name: String,
    file: PathBuf,
}

/// The fixtures of a folder in the order of their names.
///
/// # Errors
/// The problem with the file, and what to write where.
pub(crate) fn read(folder: &Path, layout: &Layout) -> Result<Vec<Fixture>, String> {
    let file = folder.join(FILE);
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("{}: {error}; fixtures/README.md says how to write it", file.display()))?;
    let entries: toml::Table = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
    let paths = named(folder)?;
    let mut problems = mismatches(&text, &entries, &paths, layout);
    let mut fixtures = Vec::new();
    for (name, path) in paths {
        let Some(entry) = entries.get(&name).and_then(toml::Value::as_table) else { continue };
        match parse(entry, layout) {
            Ok((plain, tables)) => {
                fixtures.push(Fixture { path, plain, tables, name, file: file.clone() });
            }
            Err(problem) => problems.push(format!("[{name}]: {problem}")),
        }
    }
    let say = |problem: &String| format!("{}: {problem}", file.display());
    let problems: Vec<String> = problems.iter().map(say).collect();
    if problems.is_empty() { Ok(fixtures) } else { Err(problems.join("\n")) }
}

/// The files and folders beside the file by their names, without extensions.
fn named(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut paths = BTreeMap::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| !path.ends_with(FILE)) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(other) = paths.insert(stem, path.clone()) {
            return Err(format!("{} and {} share a name: rename one", other.display(), path.display()));
        }
    }
    Ok(paths)
}

/// The differences between the entries and the fixtures of the folder, including their order.
fn mismatches(
    text: &str,
    entries: &toml::Table,
    paths: &BTreeMap<String, PathBuf>,
    layout: &Layout,
) -> Vec<String> {
    let headers: Vec<&str> = text.lines().filter_map(header).collect();
    let missing = paths.keys().filter(|name| !headers.contains(&name.as_str())).map(|name| {
        let (example, bless) = (layout.example, layout.bless);
        format!(
            "the fixture {name} has no entry; add, in the order of the names:\n\n[{name}]\n{example}\n\
             a correct fixture needs its header alone; `{bless}` then adds the cases that it fails"
        )
    });
    let written: BTreeSet<&str> = headers.iter().copied().chain(entries.keys().map(String::as_str)).collect();
    let unknown = written.into_iter().filter(|name| !paths.contains_key(*name)).map(|name| {
        format!(
            "[{name}] is not a fixture of this folder; remove the entry, or add the file that it describes"
        )
    });
    let mut problems: Vec<String> = missing.chain(unknown).collect();
    if let Some(pair) = headers.windows(2).find(|pair| pair[0] >= pair[1]) {
        problems.push(format!(
            "[{}] belongs before [{}]: entries follow the order of the names",
            pair[1], pair[0]
        ));
    }
    problems
}

/// The name in a line that begins an entry.
fn header(line: &str) -> Option<&str> {
    line.trim().strip_prefix('[')?.strip_suffix(']')
}

type Entry = (toml::Table, BTreeMap<String, FailedCases>);

fn parse(entry: &toml::Table, layout: &Layout) -> Result<Entry, String> {
    let (mut plain, mut tables) = Entry::default();
    for (key, value) in entry {
        match value.as_table() {
            Some(table) if layout.tables.contains(&key.as_str()) => {
                tables.insert(key.clone(), parse_failed_cases(table)?);
            }
            None if layout.keys.contains(&key.as_str()) => drop(plain.insert(key.clone(), value.clone())),
            _ => {
                return Err(format!("unknown key {key}; it takes {:?} and {:?}", layout.keys, layout.tables));
            }
        }
    }
    Ok((plain, tables))
}

fn parse_failed_cases(table: &toml::Table) -> Result<FailedCases, String> {
    let failed = table.iter().map(|(name, value)| {
        let case = value.as_str().and_then(FailedCase::parse);
        case.map(|case| (name.clone(), case)).ok_or_else(|| {
            format!("{name}: {value} is not a verdict; write for example \"wrong value at step 2\" or \"load error\"")
        })
    });
    failed.collect()
}

impl Fixture {
    /// The verdicts of one of its tables, if present.
    pub(crate) fn table(&self, table: &str) -> Option<&FailedCases> {
        self.tables.get(table)
    }

    /// The differences between expected and actual results.
    pub(crate) fn differences(&self, expected: &FailedCases, found: &FailedCases) -> Vec<String> {
        let cases: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        let say = |case: Option<&FailedCase>| case.map_or("passed".to_owned(), ToString::to_string);
        let differing = cases.into_iter().filter(|case| expected.get(*case) != found.get(*case));
        differing
            .map(|case| {
                let (expected, found) = (say(expected.get(case)), say(found.get(case)));
                format!("{}: {case}: expected {expected}, found {found}", self.path.display())
            })
            .collect()
    }

    /// Rewrites one table of its entry.
    pub(crate) fn bless(&self, table: &str, found: &FailedCases) {
        let text = fs::read_to_string(&self.file).unwrap();
        fs::write(&self.file, rewritten(&text, &self.name, table, found)).unwrap();
    }
}

/// The name of a case as a key; that of a row has brackets.
fn key(case: &str) -> String {
    let is_bare = case.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_' || ch == '-');
    if is_bare { case.to_owned() } else { format!("\"{case}\"") }
}

/// The text with these cases as a table of the entry `name`; everything else is unchanged.
pub(crate) fn rewritten(text: &str, name: &str, table: &str, failed: &FailedCases) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| header(line) == Some(name)).unwrap() + 1;
    let length = lines[begin..].iter().position(|line| header(line).is_some());
    let (before, rest) = lines.split_at(begin);
    let (entry, after) = rest.split_at(length.unwrap_or(rest.len()));
    let prefix = format!("{table}.");
    let old = entry.iter().position(|line| line.starts_with(&prefix));
    let kept: Vec<&str> = entry.iter().copied().filter(|line| !line.starts_with(&prefix)).collect();
    let last = || kept.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let (head, tail) = kept.split_at(old.unwrap_or_else(last));
    let new: Vec<String> =
        failed.iter().map(|(name, case)| format!("{prefix}{} = \"{case}\"", key(name))).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    [before, head, &new, tail, after].concat().join("\n") + "\n"
}
