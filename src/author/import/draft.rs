//! The steps of a case before keur has accepted them.

use super::ask::NativeCall;
use super::native::words;
use super::tokens::{CodeTokenKind, code_tokens};
use crate::author::keys::expectation_keys;
use keur_core::case::written::{StepText, string, strings};
use keur_core::case::{Case, Diagnostic, Exercise, Expect, parse_cases};
use keur_core::languages::python::Python;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How often a case is read again without the steps that keur refuses.
const MOST_ROUNDS: usize = 10;

/// The most characters of a line that a comment repeats.
const MOST_REPEATED: usize = 200;

/// The name and title of a case.
#[derive(Clone, Copy, Debug)]
pub struct CaseLabels<'a> {
    pub title: &'a str,
    /// The name of the file, without the extension.
    pub name: &'a str,
    /// The path of its file, for messages.
    pub path: &'a str,
}

/// A step of the case.
#[derive(Clone, Debug, Default)]
pub(super) struct DraftStep {
    /// The `do` of the step: a line of a case, or code.
    pub(super) line: String,
    /// If the line is code, what is beside the code.
    pub(super) native: Option<NativeCall>,
    pub(super) expect: Expect,
    /// Comments above it.
    pub(super) notes: Vec<String>,
    /// The line of its prompt in the pasted text, from 1.
    pub(super) entry: usize,
    /// The bytes of what is typed there.
    pub(super) span: Range<usize>,
    /// The code that is typed.
    pub(super) code: String,
    /// Whether the prompt wrote its value.
    pub(super) is_value: bool,
    /// Whether keur refuses it.
    pub(super) is_lost: bool,
}

/// A case before keur has accepted it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) steps: Vec<DraftStep>,
    /// Comments below the last step.
    pub(super) notes_at_end: Vec<String>,
    /// Names that nothing binds any more, with the line of the pasted text that did, and the number of steps
    /// before.
    lost_names: BTreeMap<String, (usize, usize)>,
    /// The lines of the pasted text of which the language of cases does not have some part.
    pub(super) refused: BTreeSet<usize>,
}

impl Draft {
    /// Notes that the prompt at this line, which is left out, would have bound these names.
    pub(super) fn lose_names(&mut self, names: Vec<String>, entry: usize) {
        let before = self.steps.len();
        self.lost_names.extend(names.into_iter().map(|name| (name, (entry, before))));
    }

    /// For each step, the line of the pasted text.
    pub(super) fn lines(&self) -> Vec<usize> {
        self.steps.iter().filter(|step| !step.is_lost).map(|step| step.entry).collect()
    }

    /// The text of the case, and what keur reads there. A step that keur refuses is left out and reported;
    /// `None` if none is left.
    pub(super) fn settle(
        &mut self,
        exercise: &Exercise,
        labels: &CaseLabels<'_>,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<(String, Case)> {
        for _ in 0..MOST_ROUNDS {
            self.lose_what_follows(problems);
            if self.steps.iter().all(|step| step.is_lost) {
                return None;
            }
            let (text, places) = self.text(exercise, labels);
            let errors = match parse_cases(exercise, labels.name, labels.path, &text) {
                Ok(mut cases) => return cases.pop().map(|case| (text, case)),
                Err(errors) => errors,
            };
            for error in errors.diagnostics {
                // Each step begins at its place.
                let at = places.partition_point(|(start, _)| *start <= error.span.start);
                let step = at
                    .checked_sub(1)
                    .and_then(|at| places.get(at))
                    .and_then(|(_, step)| self.steps.get_mut(*step));
                let Some(step) = step else {
                    problems.push(Diagnostic { span: 0..0, ..error });
                    return None;
                };
                if !std::mem::replace(&mut step.is_lost, true) {
                    self.refused.insert(step.entry);
                    problems.push(Diagnostic { span: step.span.clone(), ..error });
                }
            }
        }
        None
    }

    /// Leaves out the steps that use a name which only steps left out would have bound.
    fn lose_what_follows(&mut self, problems: &mut Vec<Diagnostic>) {
        let mut lost: BTreeMap<String, usize> = BTreeMap::new();
        let before = self.lost_names.clone();
        for (index, step) in self.steps.iter_mut().enumerate() {
            let gone = before.iter().filter(|(_, (_, place))| *place == index);
            lost.extend(gone.map(|(name, (entry, _))| (name.clone(), *entry)));
            let (bound, used) = names_of(step);
            if !step.is_lost
                && let Some((name, entry)) = used.iter().find_map(|name| lost.get_key_value(name))
            {
                let message = format!("line {entry} would have bound `{name}`, but is not imported");
                problems.push(Diagnostic::new(message, step.span.clone()));
                step.is_lost = true;
            }
            for name in bound {
                if step.is_lost {
                    lost.insert(name, step.entry);
                } else {
                    lost.remove(&name);
                }
            }
        }
    }

    /// The text of the case, and where each step begins in it.
    fn text(&self, exercise: &Exercise, labels: &CaseLabels<'_>) -> (String, Vec<(usize, usize)>) {
        let mut out = format!("title = {}\n", string(labels.title));
        let mut places = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            notes.extend(step.notes.iter().cloned());
            if step.is_lost {
                notes.push(left_out(step.entry, &step.code));
                continue;
            }
            let mut written = StepText::default();
            match &step.native {
                Some(NativeCall { language, binds, .. }) => {
                    written.native(&BTreeMap::from([((*language).to_owned(), step.line.clone())]));
                    if !binds.is_empty() {
                        written.key("binds", strings(binds.iter().map(String::as_str)));
                    }
                }
                None => written.key("do", string(&step.line)),
            }
            let mut expect = step.expect.clone();
            expect.tolerance = exercise.tolerance.clone();
            for (name, value) in expectation_keys(&expect, &exercise.tolerance) {
                written.key(name, value);
            }
            written.comment = (!notes.is_empty()).then(|| notes.join("\n"));
            notes.clear();
            places.push((out.len(), index));
            written.write(None, &mut out);
        }
        notes.extend(self.notes_at_end.iter().cloned());
        for (index, line) in notes.iter().flat_map(|note| note.lines()).enumerate() {
            let line: String = line.chars().filter(|ch| !ch.is_control()).collect();
            out.push_str(if index == 0 { "\n" } else { "" });
            out.push_str(format!("# {line}").trim_end());
            out.push('\n');
        }
        (out, places)
    }
}

/// The comment in place of what is typed at a line of the pasted text.
pub(super) fn left_out(entry: usize, code: &str) -> String {
    let lines: Vec<String> = code
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.chars().take(MOST_REPEATED).collect())
        .collect();
    format!("Not imported (line {entry}): {}", lines.join("\n    "))
}

/// The names that a statement would have bound.
pub(super) fn bound_names(code: &str) -> Vec<String> {
    let code = code.trim_start();
    let code = ["const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word)).unwrap_or(code);
    let names = match code.split_once('=') {
        Some((names, rest)) if !rest.starts_with('=') => names.trim().trim_matches(['[', ']', '(', ')']),
        Some(_) | None => return Vec::new(),
    };
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let is_word = |name: &&str| name.chars().all(|ch| ch.is_alphanumeric() || ch == '_' || ch == '$');
    if names.iter().all(is_word) { names.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// The names that a step binds, and those that it uses.
fn names_of(step: &DraftStep) -> (Vec<String>, Vec<String>) {
    let line = step.line.as_str();
    if let Some(NativeCall { binds, .. }) = &step.native {
        return (binds.clone(), words(line).into_iter().collect());
    }
    let bound = bound_names(line);
    let used = if bound.is_empty() { line } else { line.split_once('=').map_or(line, |(_, rest)| rest) };
    let tokens = code_tokens(used, &Python).unwrap_or_default();
    let names = tokens.into_iter().filter(|token| token.kind == CodeTokenKind::Name);
    (bound, names.map(|token| token.text).collect())
}
