//! Puts what a reference answers into the text of a case file, which keeps its comments and its layout.

use super::ask::StepAnswer;
use super::keys::expectation_keys;
use keur_core::case::{
    Case, Diagnostic, Exercise, Expect, FileErrors, Matcher, PlanStep, Returns, TextMatcher, parse_cases,
};
use keur_core::sessions::NoExpectation;
use keur_core::value::Value;
use std::collections::BTreeSet;
use toml_edit::{Decor, DocumentMut, Item, TableLike, Value as TomlValue};

/// The keys that a filled step may have besides what it does.
const FILLED: &[&str] = &["returns", "equals", "same", "shows", "raises", "prints", "exit"];

/// A case file with answers in it.
#[derive(Clone, Debug)]
pub struct FilledText {
    pub text: String,
    /// The number of steps and rows that have another expectation than before.
    pub changed: usize,
    /// The steps whose answer cannot be expected, each with its place in the text before; `None` if there are
    /// none.
    pub problems: Option<FileErrors>,
}

/// The steps that get the reference's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Steps without an expectation.
    Empty,
    /// Steps without an expectation, and steps whose expectation differs from the reference's answer.
    Changed,
}

/// Puts answers into a file with these cases: one, or one for each row. Each has its answers, one for each
/// step.
///
/// # Errors
/// The file cannot be read as TOML that keeps its layout, or would not be a case any more, and why.
pub fn fill(
    exercise: &Exercise,
    cases: &[(Case, Vec<StepAnswer>)],
    which: Which,
) -> Result<FilledText, FileErrors> {
    let Some((first, _)) = cases.first() else {
        return Ok(FilledText { text: String::new(), changed: 0, problems: None });
    };
    let source = first.source.as_ref();
    let at = |message: String, span: std::ops::Range<usize>| {
        FileErrors::new(&first.path, source, vec![Diagnostic::new(message, span)])
    };
    let mut document: DocumentMut = source.parse().map_err(|error: toml_edit::TomlError| {
        at(error.message().trim().to_owned(), error.span().unwrap_or(0..0))
    })?;
    let mut filling = Filling { which, changed: 0, problems: Vec::new(), is_lost: false };
    let has_rows = document.contains_key("row");
    let steps = first.plan.steps.len();
    for index in 0..steps {
        if has_rows && index + 1 == steps {
            for (row, (case, answers)) in cases.iter().enumerate() {
                if let (Some(table), Some(answer)) = (table_at(&mut document, "row", row), answers.get(index))
                {
                    filling.step(table, case, index, answer);
                }
            }
            continue;
        }
        let Some(answer) = cases.first().and_then(|(_, answers)| answers.get(index)) else { continue };
        let described = |answer: &StepAnswer| {
            answer.expect.as_ref().map(|expect| expect.as_ref().map(Expect::described).map_err(Clone::clone))
        };
        let same = |(_, answers): &(Case, Vec<StepAnswer>)| {
            answers.get(index).map(described) == Some(described(answer))
        };
        let is_empty = first.expect.get(index).is_some_and(|expect| !expect.has_any());
        if is_empty && !cases.iter().all(same) {
            let message =
                "the rows give different answers: only the last step of a case with rows can expect them";
            filling.problem(first, index, message.to_owned());
        } else if let Some(table) = table_at(&mut document, "step", index) {
            filling.step(table, first, index, answer);
        }
    }
    let text = document.to_string();
    if let Err(errors) = parse_cases(exercise, &first.file, &first.path, &text) {
        return Err(FileErrors {
            diagnostics: errors
                .diagnostics
                .into_iter()
                .map(|found| Diagnostic {
                    message: format!("with the reference's answers: {}", found.message),
                    ..found
                })
                .collect(),
            ..errors
        });
    }
    let problems = filling.problems;
    let problems = (!problems.is_empty()).then(|| FileErrors::new(&first.path, source, problems));
    Ok(FilledText { text, changed: filling.changed, problems })
}

/// The table of a step or row.
struct StepTable<'d> {
    table: &'d mut dyn TableLike,
    /// Whether it is between braces.
    inline: bool,
}

/// The table of a step or row, counted from 0.
fn table_at<'d>(document: &'d mut DocumentMut, key: &str, index: usize) -> Option<StepTable<'d>> {
    match document.get_mut(key)? {
        Item::ArrayOfTables(tables) => Some(StepTable { table: tables.get_mut(index)?, inline: false }),
        Item::Value(TomlValue::Array(array)) => {
            Some(StepTable { table: array.get_mut(index)?.as_inline_table_mut()?, inline: true })
        }
        Item::None | Item::Value(_) | Item::Table(_) => None,
    }
}

struct Filling {
    which: Which,
    changed: usize,
    problems: Vec<Diagnostic>,
    /// Whether the reference stopped, so that it has no answer to any later step.
    is_lost: bool,
}

impl Filling {
    fn problem(&mut self, case: &Case, index: usize, message: String) {
        let span = case.expect.get(index).map_or(0..0, |expect| expect.span.clone());
        let problem = Diagnostic::new(message, span);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Puts the answer to a step into its table, or that of its row.
    fn step(&mut self, mut table: StepTable<'_>, case: &Case, index: usize, answer: &StepAnswer) {
        let (Some(given), Some(expect)) = (case.expect.get(index), &answer.expect) else { return };
        let changes = match self.which {
            Which::Empty => !given.has_any(),
            Which::Changed => !given.has_any() || !answer.met,
        };
        if !changes {
            return;
        }
        let expect = match expect {
            Ok(expect) => as_given(expect.clone(), given),
            Err(NoExpectation::NotReached) if self.is_lost => return,
            Err(why) => {
                self.is_lost |= matches!(why, NoExpectation::Halted(_) | NoExpectation::NotReached);
                return self.problem(case, index, why.to_string());
            }
        };
        if expect.raises.is_some()
            && let Some(name) = used_later(case, index)
        {
            let message = format!(
                "the reference raises an exception here, so `{name}` is not bound; a later step uses it"
            );
            return self.problem(case, index, message);
        }
        let keys = expectation_keys(&expect, &given.tolerance);
        let keys: Vec<(&str, String)> = keys
            .into_iter()
            .filter(|(key, _)| *key != "compare" || !table.table.contains_key("compare"))
            .collect();
        if keys.is_empty() && !given.has_any() {
            return;
        }
        table.put(&keys);
        self.changed += 1;
    }
}

/// The name that a step binds and a later one uses before it is bound again.
fn used_later(case: &Case, index: usize) -> Option<String> {
    let mut names: BTreeSet<&String> =
        case.plan.steps.get(index)?.lines().last()?.bind.names().iter().collect();
    // A name that is bound before keeps its value.
    for line in case.plan.steps.iter().take(index).flat_map(PlanStep::lines) {
        line.bind.names().iter().for_each(|name| {
            names.remove(name);
        });
    }
    for line in case.plan.steps.iter().skip(index + 1).flat_map(PlanStep::lines) {
        if let Some(name) = line.uses().into_iter().find(|name| names.iter().any(|own| own == name)) {
            return Some(name.to_owned());
        }
        line.bind.names().iter().for_each(|name| {
            names.remove(name);
        });
    }
    None
}

/// An answer in the form of what the step expects now: in any order, or near a number.
fn as_given(mut expect: Expect, given: &Expect) -> Expect {
    if !given.has_any() {
        return expect;
    }
    if let (Some(old), Some(new)) = (&given.value, &expect.value) {
        let matcher = match (&old.matcher, &new.matcher) {
            (Matcher::AnyOrder(_), Matcher::Plain(Value::List(items))) => Matcher::AnyOrder(items.clone()),
            (Matcher::Approx { within, .. }, Matcher::Plain(new)) => match new.as_number() {
                Some(value) => {
                    expect.tolerance = given.tolerance.clone();
                    Matcher::Approx { value, within: *within }
                }
                None => Matcher::Plain(new.clone()),
            },
            (_, new) => new.clone(),
        };
        expect.value = Some(Returns { matcher, span: 0..0 });
    }
    for (old, new) in [(&given.shows, &mut expect.shows), (&given.prints, &mut expect.prints)] {
        if let (Some(TextMatcher::AnyOrder(_)), Some(TextMatcher::Plain(text))) = (old, &*new) {
            *new = Some(TextMatcher::AnyOrder(text.lines().map(str::to_owned).collect()));
        }
    }
    match (&given.prints, &expect.prints) {
        (Some(_), None) if expect.raises.is_none() => {
            expect.prints = Some(TextMatcher::Plain(String::new()));
        }
        // The author did not ask what is printed.
        (None, Some(_)) => expect.prints = None,
        (Some(_), _) | (None, None) => {}
    }
    if given.value.is_none() && given.shows.is_none() && given.same.is_none() && given.raises.is_none() {
        // Only what it printed was asked.
        (expect.value, expect.shows, expect.same) = (None, None, None);
    }
    expect
}

impl StepTable<'_> {
    /// Puts keys into it, in place of those that said what was expected before.
    fn put(&mut self, keys: &[(&str, String)]) {
        for old in FILLED {
            if !keys.iter().any(|(key, _)| key == old) {
                self.remove(old);
            }
        }
        for (key, text) in keys {
            // What is written by `expectation_keys` is TOML.
            let Ok(written) = format!("{key} = {text}\n").parse::<DocumentMut>() else { continue };
            let Some(mut value) = written.get(key).and_then(Item::as_value).cloned() else { continue };
            value.decor_mut().clear();
            if let Some(old) = self.table.get_mut(key) {
                if let Some(old) = old.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *old = Item::Value(value);
            } else {
                self.append(key, value);
            }
        }
    }

    /// Adds a key at its end. Between braces, the spaces before the last brace stay there.
    fn append(&mut self, key: &str, mut value: TomlValue) {
        if self.inline
            && let Some((_, last)) = self.table.iter_mut().last()
            && let Some(last) = last.as_value_mut()
        {
            let suffix = last.decor().suffix().and_then(|suffix| suffix.as_str());
            let suffix = suffix.unwrap_or_default().to_owned();
            last.decor_mut().set_suffix("");
            *value.decor_mut() = Decor::new(" ", suffix);
        }
        self.table.insert(key, Item::Value(value));
    }

    /// Removes a key. Between braces, the spaces before the last brace go to the new last key.
    fn remove(&mut self, key: &str) {
        let is_last = self.table.iter().last().is_some_and(|(last, _)| last == key);
        let removed = self.table.remove(key);
        if self.inline
            && is_last
            && let Some(removed) = removed.as_ref().and_then(Item::as_value)
            && let Some(suffix) = removed.decor().suffix()
            && let Some((_, last)) = self.table.iter_mut().last()
            && let Some(last) = last.as_value_mut()
        {
            last.decor_mut().set_suffix(suffix.clone());
        }
    }
}
