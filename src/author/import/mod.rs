//! A session that somebody pasted becomes a case.
//!
//! Text in, text out: `pasted` cleans the lines, `prompts` finds what is typed and what is printed below,
//! `python` and `javascript` say what is typed in the language of cases, and `answer` reads what is printed.
//! What cannot be read is a [`Diagnostic`] at its line. `native` makes code of it instead. `shell` reads runs of
//! programs. Start at [`import_session`].

mod answer;
mod ask;
mod draft;
mod javascript;
mod js_expr;
mod language;
mod names;
mod native;
mod pasted;
mod prompts;
mod python;
mod reference;
mod shell;
mod tokens;
mod which;

pub use reference::{SeenDifference, differences};
pub use shell::{ShellSettings, exercises_run, has_runs, import_runs};
pub use which::exercises_meant;

use answer::AnswerReader;
use ask::{AskLine, PromptShows};
pub use draft::CaseLabels;
use draft::{Draft, DraftStep};
use keur_core::case::{Case, Diagnostic, Exercise, ExerciseReference, FileErrors, Matcher, Returns};
use keur_core::languages::python::Python;
use keur_core::languages::{self, TokenKind};
use keur_core::value::Value;
use language::{SESSION_LANGUAGES, SessionLanguage};
use names::SessionNames;
use native::words;
use prompts::{PastedEntry, TRACEBACK};
use std::collections::{BTreeMap, BTreeSet};
use tokens::{code_tokens, without_marks};

/// The most prompts of a text that are read.
const MOST_ENTRIES: usize = 5000;

/// The treatment of lines that the language of cases does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is left out and reported.
    LeftOut,
    /// It becomes code of Python in the case, if it is in Python.
    Native,
}

/// The most times that a session is read again, with further lines as code.
const MOST_READINGS: usize = 10;

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
    unreadable: Unreadable,
) -> Result<SessionCase, FileErrors> {
    let refuse = |diagnostics| FileErrors::new(path, source, diagnostics);
    if let Some(errors) = without_session(path, source) {
        return Err(errors);
    }
    let mut entries = prompts::entries(&pasted::lines(source));
    let total = entries.len();
    entries.truncate(MOST_ENTRIES);
    let OneLanguage { language, entries, left_out } = in_one_language(exercise, entries);
    let mut natives = BTreeSet::new();
    for _ in 0..MOST_READINGS {
        if unreadable == Unreadable::LeftOut {
            break;
        }
        let mut draft = SessionReader::read(exercise, language, &entries, natives.clone()).draft;
        draft.settle(exercise, labels, &mut Vec::new());
        let before = natives.len();
        natives.append(&mut draft.refused);
        if natives.len() == before {
            break;
        }
    }
    let SessionReader { mut draft, mut problems, notes, .. } =
        SessionReader::read(exercise, language, &entries, natives);
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
    /// The lines of the text that become code.
    natives: BTreeSet<usize>,
}

impl<'a> SessionReader<'a> {
    /// Reads every prompt of a session, and those at the lines `natives` as code.
    fn read(
        exercise: &'a Exercise,
        language: &'static dyn SessionLanguage,
        entries: &[PastedEntry],
        natives: BTreeSet<usize>,
    ) -> SessionReader<'a> {
        let mut reader = SessionReader {
            exercise,
            language,
            draft: Default::default(),
            problems: Vec::new(),
            notes: Vec::new(),
            natives,
        };
        let mut names = SessionNames::new(exercise, language.language());
        let mut last_uses: BTreeMap<String, usize> = BTreeMap::new();
        for entry in entries {
            // The variable of a loop is of that loop.
            let is_used = |word: &String| !entry.code.contains(&format!("for {word} in "));
            let used = words(&entry.code).into_iter().filter(is_used);
            last_uses.extend(used.map(|word| (word, entry.line)));
        }
        for entry in entries {
            let is_later = |name: &str| last_uses.get(name).is_some_and(|last| *last > entry.line);
            reader.entry(entry, &mut names, &is_later);
        }
        reader
    }

    fn entry(&mut self, entry: &PastedEntry, names: &mut SessionNames<'_>, later: &dyn Fn(&str) -> bool) {
        let comments = comments(&entry.code, self.language);
        if comments.iter().any(|comment| comment.starts_with("doctest:") && comment.contains("+SKIP")) {
            return;
        }
        let mut any_order = false;
        for comment in comments.into_iter().filter(|comment| !comment.starts_with("doctest:")) {
            self.notes.push(comment);
        }
        let read = if self.natives.contains(&entry.line) {
            let written = entry.output.first().is_some_and(|first| !first.starts_with(TRACEBACK));
            self.language.native_lines(&entry.code, names, later, written)
        } else {
            self.language.case_lines(&entry.code, names)
        };
        let asked = match read {
            Ok(asked) => asked,
            Err(problem) => {
                let help = self.help(entry);
                self.draft.refused.insert(entry.line);
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
                native: ask.native,
                ..DraftStep::default()
            };
            if index == last {
                let reader = AnswerReader { exercise: self.exercise, language: self.language, names };
                let mut seen = reader.read(&ask.shown, &entry.output, entry.is_closed);
                let can_be_called = step.native.as_ref().is_none_or(|native| native.is_expression);
                if seen.is_repr && can_be_called {
                    step.line = format!("repr({})", step.line);
                } else if seen.is_repr {
                    seen.expect.value = None;
                    seen.unread = Some("this answer is the text of an object".to_owned());
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
                // What raises binds nothing.
                if let Some(native) = step.native.as_mut().filter(|_| step.expect.raises.is_some()) {
                    native.binds.clear();
                }
            }
            self.draft.steps.push(step);
        }
    }

    /// The advice for a prompt that cannot be read.
    fn help(&self, entry: &PastedEntry) -> String {
        let name = self.language.language().name;
        let is_python = name == languages::python::LANGUAGE.name;
        let is_built_in = matches!(self.exercise.reference, Some(ExerciseReference::BuiltIn(_)));
        if self.natives.contains(&entry.line) {
            "write the call, and what it returns".to_owned()
        } else if is_python && !is_built_in {
            "`--native` makes it code of Python, `do = { python = \"…\" }`; or write the step by hand"
                .to_owned()
        } else {
            format!(
                "write the step by hand; code of a programming language goes in `do = {{ {name} = \"…\" }}`"
            )
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
        let is_loop = tokens.windows(2).any(|pair| pair[0].is_name("for") && pair[1].is_name("_"));
        if let Some(step) = last.filter(|step| is_used && !is_loop && step.native.is_none()) {
            step.line = format!("_ = {}", step.line);
        }
    }
}

/// The comments in the code of a prompt.
fn comments(code: &str, language: &dyn SessionLanguage) -> Vec<String> {
    let tokens = language.tokens().tokens(code).into_iter();
    let comments = tokens.filter(|token| token.kind == TokenKind::Comment);
    let texts = comments.map(|token| without_marks(&code[token.at]).to_owned());
    texts.filter(|text| !text.is_empty()).collect()
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
