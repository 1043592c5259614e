//! Which language a session is in, and of which exercise it is.

use super::names::SessionNames;
use super::pasted;
use super::prompts::{PastedEntry, PromptKind, TRACEBACK, entries};
use super::tokens::{CodeTokenKind, SessionSyntax, code_tokens};
use keur_core::case::Exercise;
use std::collections::BTreeSet;

/// The language of a session. The prompt of node shows JavaScript; assignments also write `>>>` for it.
pub(super) fn syntax(session: &[PastedEntry], exercise: &Exercise) -> SessionSyntax {
    if session.iter().any(|entry| entry.prompt == PromptKind::Single) {
        return SessionSyntax::JavaScript;
    }
    let (mut python, mut javascript) = (0, 0);
    for entry in session {
        let code = entry.code.as_str();
        let starts = |words: &[&str]| words.iter().any(|word| code.starts_with(word));
        let shows = |words: &[&str]| entry.output.iter().any(|line| words.contains(&line.trim()));
        let raised = entry.output.iter().any(|line| line.starts_with(TRACEBACK));
        let uncaught = entry.output.iter().any(|line| line.starts_with("Uncaught"));
        python += usize::from(starts(&["print(", "from ", "import ", "#"]));
        python += usize::from(shows(&["True", "False", "None"]) || raised);
        javascript +=
            usize::from(starts(&["const ", "let ", "var ", "console.", "//"]) || code.contains("= new "));
        javascript += usize::from(code.ends_with(';') || code.contains("==="));
        javascript += usize::from(shows(&["true", "false", "null", "undefined"]) || uncaught);
    }
    match python.cmp(&javascript) {
        std::cmp::Ordering::Less => SessionSyntax::JavaScript,
        std::cmp::Ordering::Greater => SessionSyntax::Python,
        std::cmp::Ordering::Equal if exercise.session.language() == "javascript" => SessionSyntax::JavaScript,
        std::cmp::Ordering::Equal => SessionSyntax::Python,
    }
}

/// The exercises that the sessions in a text call most of, by number: one, if the text settles it.
pub fn exercises_meant(source: &str, exercises: &[Exercise]) -> Vec<usize> {
    let entries = entries(&pasted::lines(source));
    let count = |exercise: &Exercise| {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for syntax in [SessionSyntax::Python, SessionSyntax::JavaScript] {
            let names = SessionNames::new(exercise, syntax);
            for entry in &entries {
                let tokens = code_tokens(&entry.code, syntax).unwrap_or_default();
                for (index, token) in tokens.iter().enumerate() {
                    let is_called = tokens.get(index + 1).is_some_and(|next| next.is_mark("("));
                    let is_method = index > 0 && tokens[index - 1].is_mark(".");
                    let known =
                        if is_method { names.is_member(&token.text) } else { names.is_defined(&token.text) };
                    if token.kind == CodeTokenKind::Name && is_called && known {
                        found.insert(names.called(&token.text));
                    }
                }
            }
        }
        found.len()
    };
    let counts: Vec<usize> = exercises.iter().map(count).collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let best = counts.iter().enumerate().filter(|(_, count)| **count == most && most > 0);
    best.map(|(index, _)| index).collect()
}
