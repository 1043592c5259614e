//! A session that somebody pasted becomes a case.
//!
//! Text in, text out: `pasted` cleans the lines, `prompts` finds what is typed and what is printed below,
//! `python` and `javascript` say what is typed in the language of cases, and `answer` reads what is printed.
//! What cannot be read is a [`Diagnostic`] at its line. Start at [`import_session`].

mod answer;
mod ask;
mod draft;
mod javascript;
mod js_expr;
mod language;
mod names;
mod pasted;
mod prompts;
mod python;
mod reference;
mod tokens;
mod which;

pub use reference::{SeenDifference, differences};
pub use which::exercises_meant;

use answer::AnswerReader;
use ask::{AskLine, PromptShows};
pub use draft::CaseLabels;
use draft::{Draft, DraftStep};
use keur_core::case::{Case, Diagnostic, Exercise, FileErrors, Matcher, Returns};
use keur_core::languages::python::Python;
use keur_core::value::Value;
use language::{SESSION_LANGUAGES, SessionLanguage};
use names::SessionNames;
use prompts::PastedEntry;
use tokens::{CodeTokenKind, code_tokens};

/// The most prompts of a text that are read.
const MOST_ENTRIES: usize = 5000;

/// A case that was made of a pasted text.
#[derive(Clone, Debug)]
pub struct SessionCase {
    /// A case file that keur's own parser accepts.
    pub text: String,
    /// The same case, parsed.
    pub case: Case,
    /// For each of its steps, the number of the line of the pasted text, from 1.
    pub lines: Vec<usize>,
    /// The lines that could not be read, with their places in the pasted text.
    pub problems: Option<FileErrors>,
    /// How many prompts are left out, because the text has the sessions in two languages, and in which
    /// language these are.
    pub left_out: Option<(usize, &'static str)>,
}

/// Makes a case of `exercise` of the sessions in `source`, which errors call `path`.
///
/// # Errors
/// The text has no session, or none of its lines can be read.
pub fn import_session(
    exercise: &Exercise,
    labels: &CaseLabels<'_>,
    path: &str,
    source: &str,
) -> Result<SessionCase, FileErrors> {
    let refuse = |diagnostics| FileErrors::new(path, source, diagnostics);
    if let Some(errors) = without_session(path, source) {
        return Err(errors);
    }
    let mut entries = prompts::entries(&pasted::lines(source));
    let total = entries.len();
    entries.truncate(MOST_ENTRIES);
    let OneLanguage { language, entries, left_out } = in_one_language(exercise, entries);
    let mut reader = SessionReader {
        exercise,
        language,
        draft: Draft::default(),
        problems: Vec::new(),
        notes: Vec::new(),
    };
    let mut names = SessionNames::new(exercise, language.language());
    for entry in &entries {
        reader.entry(entry, &mut names);
    }
    let SessionReader { mut draft, mut problems, notes, .. } = reader;
    draft.notes_at_end = notes;
    if total > MOST_ENTRIES {
        let last = entries.last().map_or(0..0, |entry| entry.span.clone());
        problems.push(Diagnostic::new(format!("only the first {MOST_ENTRIES} prompts are read"), last));
    }
    let Some((text, case)) = draft.settle(exercise, labels, &mut problems) else {
        if problems.is_empty() {
            let first = entries.first().map_or(0..0, |entry| entry.span.clone());
            let nothing = Diagnostic::new("the session calls nothing", first);
            problems.push(nothing.help("a case needs a call of a class or function of the exercise"));
        }
        return Err(refuse(problems));
    };
    let lines = draft.lines();
    let problems = (!problems.is_empty()).then(|| refuse(problems));
    Ok(SessionCase { text, case, lines, problems, left_out })
}

/// The reason why a text without a session cannot be imported; `None` if it has one.
pub fn without_session(path: &str, source: &str) -> Option<FileErrors> {
    let nothing = Diagnostic::new("the text has no session", 0..0)
        .help("each line that is typed begins with `>>> `, or in node with `> `; paste the prompts too");
    let is_empty = prompts::entries(&pasted::lines(source)).is_empty();
    is_empty.then(|| FileErrors::new(path, source, vec![nothing]))
}

/// The prompts of the sessions in one language.
struct OneLanguage {
    language: &'static dyn SessionLanguage,
    entries: Vec<PastedEntry>,
    /// How many prompts are left out, and in which language the first of them is.
    left_out: Option<(usize, &'static str)>,
}

/// The prompts of one language: an assignment may have its sessions in two, and then means the same with
/// both. The language is that of the exercise's own sessions if it is there.
fn in_one_language(exercise: &Exercise, entries: Vec<PastedEntry>) -> OneLanguage {
    let mut sessions: Vec<(&'static dyn SessionLanguage, Vec<PastedEntry>)> = Vec::new();
    let mut session: Vec<PastedEntry> = Vec::new();
    let mut entries = entries.into_iter().peekable();
    while let Some(entry) = entries.next() {
        session.push(entry);
        if entries.peek().is_none_or(|next| next.begins) {
            let session = std::mem::take(&mut session);
            sessions.push((which::language(&session, exercise), session));
        }
    }
    let is_own = |language: &dyn SessionLanguage| language.language().name == exercise.session.language();
    let own = sessions.iter().find(|(language, _)| is_own(*language));
    let language = own.or_else(|| sessions.first()).map_or(SESSION_LANGUAGES[0], |(language, _)| *language);
    let name = language.language().name;
    let (kept, others): (Vec<_>, Vec<_>) =
        sessions.into_iter().partition(|(language, _)| language.language().name == name);
    let prompts = others.iter().map(|(_, session)| session.len()).sum();
    let left_out = others.first().map(|(language, _)| (prompts, language.language().name));
    OneLanguage { language, entries: kept.into_iter().flat_map(|(_, session)| session).collect(), left_out }
}

/// Makes the steps of a case of the prompts of a session.
struct SessionReader<'a> {
    exercise: &'a Exercise,
    language: &'static dyn SessionLanguage,
    draft: Draft,
    problems: Vec<Diagnostic>,
    /// Comments for the next step.
    notes: Vec<String>,
}

impl SessionReader<'_> {
    fn entry(&mut self, entry: &PastedEntry, names: &mut SessionNames<'_>) {
        let comments = comments(&entry.code, self.language);
        if comments.iter().any(|comment| comment.starts_with("doctest:") && comment.contains("+SKIP")) {
            return;
        }
        let mut any_order = false;
        for comment in comments.into_iter().filter(|comment| !comment.starts_with("doctest:")) {
            self.notes.push(comment);
        }
        let asked = match self.language.case_lines(&entry.code, names) {
            Ok(asked) => asked,
            Err(problem) => {
                let help = format!(
                    "write the step by hand; code of a programming language goes in `do = {{ {} = \"…\" }}`",
                    self.language.language().name
                );
                self.problems.push(Diagnostic::new(problem, entry.span.clone()).help(help));
                self.notes.push(draft::left_out(entry.line, &entry.code));
                self.draft.lose_names(draft::bound_names(&entry.code), entry.line);
                return;
            }
        };
        let Some(last) = asked.len().checked_sub(1) else { return };
        self.notes.retain(|note| {
            let is_order = note == "in any order";
            any_order |= is_order;
            !is_order
        });
        for (index, ask) in asked.into_iter().enumerate() {
            self.bind_last_value(&ask);
            let mut step = DraftStep {
                line: ask.line,
                entry: entry.line,
                span: entry.span.clone(),
                code: entry.code.clone(),
                notes: std::mem::take(&mut self.notes),
                ..DraftStep::default()
            };
            if index == last {
                let reader = AnswerReader { exercise: self.exercise, language: self.language, names };
                let mut seen = reader.read(&ask.shown, &entry.output, entry.is_closed);
                if seen.is_repr {
                    step.line = format!("repr({})", step.line);
                }
                if any_order {
                    seen.expect.value = seen.expect.value.map(in_any_order);
                }
                if let Some(problem) = seen.unread {
                    let help = "the call is in the case; write what it expects by hand";
                    self.problems.push(Diagnostic::new(problem, entry.span.clone()).help(help));
                    step.notes.push(format!("Not imported (line {}): what this answers.", entry.line));
                }
                step.is_value =
                    ask.shown == PromptShows::Value && seen.expect.value.is_some() && !seen.is_repr;
                step.expect = seen.expect;
            }
            self.draft.steps.push(step);
        }
    }

    /// Binds the value that `_` means in a line: the last one that the prompt wrote.
    fn bind_last_value(&mut self, ask: &AskLine) {
        let tokens = code_tokens(&ask.line, &Python).unwrap_or_default();
        let is_used = tokens.iter().skip_while(|token| token.is_name("_")).any(|token| token.is_name("_"))
            || tokens.first().is_some_and(|first| first.is_name("_"))
                && tokens.get(1).is_none_or(|next| !next.is_mark("="));
        let steps = self.draft.steps.iter_mut();
        let last = steps.rev().take_while(|step| !step.line.starts_with("_ = ")).find(|step| step.is_value);
        if let Some(step) = last.filter(|_| is_used) {
            step.line = format!("_ = {}", step.line);
        }
    }
}

/// The comments in the code of a prompt.
fn comments(code: &str, language: &dyn SessionLanguage) -> Vec<String> {
    let tokens = code_tokens(code, language.tokens()).unwrap_or_default();
    let comments = tokens.into_iter().filter(|token| token.kind == CodeTokenKind::Comment);
    comments.map(|token| token.text).filter(|text| !text.is_empty()).collect()
}

/// A list that is equal in any order.
fn in_any_order(mut returns: Returns) -> Returns {
    if let Matcher::Plain(Value::List(items)) | Matcher::Exact(Value::List(items)) = &mut returns.matcher {
        returns.matcher = Matcher::AnyOrder(std::mem::take(items));
    }
    returns
}

#[cfg(test)]
mod tests;
