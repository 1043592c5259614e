//! The file of verdicts: the defect of each sample, and the cases that it fails.

use super::{Sample, file_name};
use keur_core::case::{Case, Diagnostic, FileErrors, StepNo, did_you_mean};
use keur_core::compare::Verdict;
use keur_core::event::CaseReport;
use keur_core::named::Named;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The keys of an entry: `rule`, the rule of the assignment that the sample breaks, is for readers of the
/// file only.
const KEYS: [&str; 3] = ["defect", "rule", "fails"];

/// The text between a verdict and the step that earned it.
const AT_STEP: &str = " at step ";

/// The cases that a submission does not pass, by name.
pub type FailedCases = BTreeMap<String, FailedCase>;

/// The result of a case that a submission does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedCase {
    /// The verdict, which is not [`Verdict::Passed`].
    pub verdict: Verdict,
    /// The step that earned it; `None` if the case failed before its first step.
    pub step: Option<StepNo>,
}

/// The cases of a report that the submission does not pass, but for those that another one keeps from being run.
pub fn failed_cases(cases: &[CaseReport]) -> FailedCases {
    let failed = cases.iter().filter(|case| case.verdict != Verdict::Passed && case.blocked_by.is_none());
    failed
        .map(|case| {
            let step = case.finding.as_ref().and_then(|finding| finding.step);
            (case.name.clone(), FailedCase { verdict: case.verdict, step })
        })
        .collect()
}

impl FailedCase {
    /// Reads a result such as `load error` or `wrong value at step 2`; `None` if `text` is no such result.
    pub fn parse(text: &str) -> Option<FailedCase> {
        let (verdict, step) = match text.split_once(AT_STEP) {
            Some((verdict, step)) => (verdict, Some(StepNo::new(step.parse().ok()?)?)),
            None => (text, None),
        };
        let verdict = Verdict::from_name(verdict).filter(|verdict| *verdict != Verdict::Passed)?;
        Some(FailedCase { verdict, step })
    }
}

impl fmt::Display for FailedCase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.verdict)?;
        self.step.map_or(Ok(()), |step| write!(out, "{AT_STEP}{step}"))
    }
}

/// Reads the file of verdicts at `path`, and adds its entries to the samples that they name.
pub(super) fn add_verdicts(
    path: &str,
    source: &str,
    cases: &[Case],
    samples: &mut [Sample],
) -> Result<(), FileErrors> {
    let (table, errors) = DeTable::parse_recoverable(source);
    let mut problems: Vec<Diagnostic> = errors
        .iter()
        .map(|error| Diagnostic::new(error.message().trim(), error.span().unwrap_or(0..0)))
        .collect();
    if !problems.is_empty() {
        return Err(FileErrors::new(path, source, problems));
    }
    for (name, entry) in table.get_ref() {
        let sample = match find_sample(samples, name.get_ref(), name.span()) {
            Ok(sample) => sample,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let Some(table) = entry.get_ref().as_table() else {
            let problem = Diagnostic::new("a sample has a table of its own", entry.span());
            problems.push(problem.help("write its name in brackets, and below it what it fails"));
            continue;
        };
        read_entry(table, cases, sample, &mut problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(FileErrors::new(path, source, problems)) }
}

/// The only sample called `name`, which is at `place` in the file.
fn find_sample<'s>(
    samples: &'s mut [Sample],
    name: &str,
    place: Range<usize>,
) -> Result<&'s mut Sample, Diagnostic> {
    let matching: Vec<usize> = (0..samples.len()).filter(|index| samples[*index].is_named(name)).collect();
    match matching.as_slice() {
        [index] => Ok(&mut samples[*index]),
        [] => {
            let known: BTreeSet<String> = samples.iter().map(|sample| file_name(&sample.path)).collect();
            let help = did_you_mean(name, known.iter().map(String::as_str));
            Err(Diagnostic::new(format!("there is no sample `{name}`"), place).maybe_help(help))
        }
        _ => Err(Diagnostic::new(format!("several samples are called `{name}`"), place)
            .help("write the whole name of the file, in quotes: [\"name.py\"]")),
    }
}

fn read_entry(entry: &DeTable<'_>, cases: &[Case], sample: &mut Sample, problems: &mut Vec<Diagnostic>) {
    for (key, value) in entry {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("fails", DeValue::Table(table)) => {
                sample.fails = Some(read_failed_cases(table, cases, problems));
            }
            ("defect", DeValue::String(defect)) => sample.defect = Some(defect.to_string()),
            ("rule", DeValue::String(_)) => {}
            (name, _) => {
                let message = match name {
                    "fails" => "`fails` is a table of cases".to_owned(),
                    "defect" | "rule" => format!("`{name}` is a text"),
                    _ => format!("unknown key `{name}`"),
                };
                problems.push(Diagnostic::new(message, key.span()).maybe_help(did_you_mean(name, KEYS)));
            }
        }
    }
}

fn read_failed_cases(table: &DeTable<'_>, cases: &[Case], problems: &mut Vec<Diagnostic>) -> FailedCases {
    let mut failed = FailedCases::new();
    for (name, result) in table {
        if !cases.iter().any(|case| case.name == *name.get_ref()) {
            let message = format!("there is no case `{}`", name.get_ref());
            let help = did_you_mean(name.get_ref(), cases.iter().map(|case| case.name.as_str()));
            problems.push(Diagnostic::new(message, name.span()).maybe_help(help));
        }
        match result.get_ref().as_str().and_then(FailedCase::parse) {
            Some(case) => drop(failed.insert(name.get_ref().to_string(), case)),
            None => problems.push(
                Diagnostic::new("this is not a verdict", result.span())
                    .help(format!("write for example \"wrong value{AT_STEP}2\" or \"load error\"")),
            ),
        }
    }
    failed
}
