//! Samples of an exercise: submissions beside its cases that must pass, and others that must not.
//!
//! `samples/right` and `samples/wrong` have one in each entry, and `samples/verdicts.toml` may say which
//! cases each of them fails, and how.

use keur_core::case::{Case, Diagnostic, FileErrors, Loaded, StepNo, did_you_mean, path_in, read_text};
use keur_core::compare::Verdict;
use keur_core::event::{CaseReport, SubmissionReport};
use keur_core::named::Named;
use keur_core::submission::opened::{self, EntriesError};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The folder of the samples, in that of the exercise.
const FOLDER: &str = "samples";

/// The file that says what samples fail.
const VERDICTS: &str = "verdicts.toml";

/// Folders that an interpreter or its tools leave beside what they run.
const LEFT_OVER: [&str; 2] = ["__pycache__", "node_modules"];

/// The text between a verdict and the step that earned it.
const AT_STEP: &str = " at step ";

/// A sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The path of the sample.
    pub path: PathBuf,
    /// Whether it is right: it must earn all points.
    pub right: bool,
    /// The defect, if the file of verdicts names it.
    pub defect: Option<String>,
    /// Exactly the cases that it must fail; `None` if that is not said.
    pub fails: Option<Outcomes>,
}

/// The cases that a submission does not pass: the verdict and the step of each; no step if it failed before
/// the first.
pub type Outcomes = BTreeMap<String, (Verdict, Option<StepNo>)>;

/// Why samples cannot be graded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplesError {
    /// The folder has something else in it.
    #[error("{}: samples are in {FOLDER}/right and {FOLDER}/wrong, and what they fail in {FOLDER}/{VERDICTS}", .0.display())]
    Unexpected(PathBuf),
    /// A folder cannot be read.
    #[error("{0}")]
    Folder(EntriesError),
    /// The file of verdicts cannot be read.
    #[error("{}: cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// The file of verdicts has errors.
    #[error("{0}")]
    Bad(FileErrors),
}

/// The samples of an exercise, the right ones first, each kind by name; none for an exercise without a
/// folder.
///
/// # Errors
/// They, or the file of their verdicts, cannot be read.
pub fn samples(loaded: &Loaded) -> Result<Vec<Sample>, SamplesError> {
    let Some(folder) = &loaded.exercise.folder else { return Ok(Vec::new()) };
    let folder = match path_in(folder, FOLDER) {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(SamplesError::Unreadable(folder.join(FOLDER), error)),
    };
    let mut samples = Vec::new();
    let mut pinned = None;
    for path in opened::entries(&folder).map_err(SamplesError::Folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| !path.is_symlink());
        let right = match name {
            Some("right") => true,
            Some("wrong") => false,
            Some(VERDICTS) => {
                pinned = Some(path);
                continue;
            }
            Some(_) | None => return Err(SamplesError::Unexpected(path)),
        };
        let found = opened::entries(&path).map_err(SamplesError::Folder)?;
        let found = found.into_iter().filter(|path| !LEFT_OVER.contains(&file_name(path).as_str()));
        samples.extend(found.map(|path| Sample { path, right, defect: None, fails: None }));
    }
    if let Some(path) = pinned {
        let unreadable = |error| SamplesError::Unreadable(path.clone(), error);
        let text = read_text(&path).map_err(unreadable)?;
        pin(&path.display().to_string(), &text, &loaded.cases, &mut samples).map_err(SamplesError::Bad)?;
    }
    Ok(samples)
}

/// Reads the file of verdicts, and says of each sample in it what it fails.
fn pin(path: &str, source: &str, cases: &[Case], samples: &mut [Sample]) -> Result<(), FileErrors> {
    let (table, errors) = DeTable::parse_recoverable(source);
    let mut problems: Vec<Diagnostic> = errors
        .iter()
        .map(|error| Diagnostic::new(error.message().trim(), error.span().unwrap_or(0..0)))
        .collect();
    for (name, entry) in table.get_ref().iter().filter(|_| errors.is_empty()) {
        let matching: Vec<usize> =
            (0..samples.len()).filter(|index| is_named(&samples[*index].path, name.get_ref())).collect();
        let [index] = matching.as_slice() else {
            let known: BTreeSet<String> = samples.iter().map(|sample| file_name(&sample.path)).collect();
            let (message, help) = match matching.as_slice() {
                [] => (
                    format!("there is no sample `{}`", name.get_ref()),
                    did_you_mean(name.get_ref(), known.iter().map(String::as_str)),
                ),
                _ => (
                    format!("several samples are called `{}`", name.get_ref()),
                    Some("write the whole name of the file, in quotes: [\"name.py\"]".to_owned()),
                ),
            };
            problems.push(Diagnostic::new(message, name.span()).maybe_help(help));
            continue;
        };
        let Some(entry) = entry.get_ref().as_table() else {
            let problem = Diagnostic::new("a sample has a table of its own", entry.span());
            problems.push(problem.help("write its name in brackets, and below it what it fails"));
            continue;
        };
        let defect = entry.get("defect").and_then(|defect| defect.get_ref().as_str());
        samples[*index].defect = defect.map(str::to_owned);
        samples[*index].fails = entry_of(entry, cases, &mut problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(FileErrors::new(path, source, problems)) }
}

/// The failures that an entry lists for a sample.
fn entry_of(entry: &DeTable<'_>, cases: &[Case], problems: &mut Vec<Diagnostic>) -> Option<Outcomes> {
    let mut fails = None;
    for (key, value) in entry {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("fails", DeValue::Table(table)) => {
                let outcomes =
                    table.iter().filter_map(|(case, outcome)| {
                        if !cases.iter().any(|known| known.name == *case.get_ref()) {
                            let known = cases.iter().map(|case| case.name.as_str());
                            let message = format!("there is no case `{}`", case.get_ref());
                            let help = did_you_mean(case.get_ref(), known);
                            problems.push(Diagnostic::new(message, case.span()).maybe_help(help));
                        }
                        let found = outcome.get_ref().as_str().and_then(outcome_of);
                        if found.is_none() {
                            let problem = Diagnostic::new("this is not a verdict", outcome.span());
                            problems.push(problem.help(format!(
                                "write for example \"wrong value{AT_STEP}2\" or \"load error\""
                            )));
                        }
                        Some((case.get_ref().to_string(), found?))
                    });
                fails = Some(outcomes.collect());
            }
            ("defect" | "rule", DeValue::String(_)) => {}
            (name, _) => {
                let known = ["defect", "rule", "fails"];
                let message = if known.contains(&name) {
                    format!("`{name}` is a {}", if name == "fails" { "table of cases" } else { "text" })
                } else {
                    format!("unknown key `{name}`")
                };
                problems.push(Diagnostic::new(message, key.span()).maybe_help(did_you_mean(name, known)));
            }
        }
    }
    fails
}

/// The verdict and the step that a text says.
fn outcome_of(text: &str) -> Option<(Verdict, Option<StepNo>)> {
    let (verdict, step) = match text.split_once(AT_STEP) {
        Some((verdict, step)) => (verdict, Some(StepNo::new(step.parse().ok()?)?)),
        None => (text, None),
    };
    let verdict = Verdict::from_name(verdict).filter(|verdict| *verdict != Verdict::Passed)?;
    Some((verdict, step))
}

/// A verdict and the step that earned it, as in a file of verdicts.
fn verdict_entry(outcome: Option<&(Verdict, Option<StepNo>)>) -> String {
    match outcome {
        None => "passed".to_owned(),
        Some((verdict, None)) => verdict.to_string(),
        Some((verdict, Some(step))) => format!("{verdict}{AT_STEP}{step}"),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a sample is called `name`, with or without its extension.
fn is_named(path: &Path, name: &str) -> bool {
    file_name(path) == name || path.file_stem().is_some_and(|stem| stem.to_string_lossy() == name)
}

impl Sample {
    /// The differences between what is said of the sample and its grade, a sentence each.
    pub fn differences(&self, report: &SubmissionReport) -> Vec<String> {
        let outcome =
            |case: &CaseReport| (case.verdict, case.finding.as_ref().and_then(|finding| finding.step));
        let found: Outcomes = report
            .cases
            .iter()
            .filter(|case| case.verdict != Verdict::Passed)
            .map(|case| (case.name.clone(), outcome(case)))
            .collect();
        let Some(fails) = &self.fails else { return Vec::new() };
        let cases: BTreeSet<&String> = fails.keys().chain(found.keys()).collect();
        cases
            .into_iter()
            .filter(|case| fails.get(*case) != found.get(*case))
            .map(|case| {
                format!(
                    "{case}: expected {}, found {}",
                    verdict_entry(fails.get(case)),
                    verdict_entry(found.get(case))
                )
            })
            .collect()
    }
}
