//! Finds the language of a session, and the exercise that it is of.

use super::language::{SESSION_LANGUAGES, SessionLanguage, with_prompt};
use super::names::SessionNames;
use super::pasted;
use super::prompts::{PastedEntry, PromptKind, entries};
use super::tokens::{CodeTokenKind, code_tokens};
use keur_core::case::Exercise;
use std::collections::BTreeSet;

/// The language of a session: a prompt of its own tells, else most signs do, and where there are as many, the
/// language of the exercise's own sessions. Assignments write the prompt of Python for other languages too.
pub(super) fn language(session: &[PastedEntry], exercise: &Exercise) -> &'static dyn SessionLanguage {
    if let Some(entry) = session.iter().find(|entry| entry.prompt != PromptKind::Triple) {
        return with_prompt(entry.prompt);
    }
    let mut best = SESSION_LANGUAGES[0];
    let mut most = None;
    for language in SESSION_LANGUAGES {
        let signs: usize = session.iter().map(|entry| language.signs(entry)).sum();
        let rank = (signs, language.language().name == exercise.session.language());
        if most.is_none_or(|most| rank > most) {
            (best, most) = (language, Some(rank));
        }
    }
    best
}

/// The exercises that the sessions in a text call most of, by number: one, if the text settles it.
pub fn exercises_meant(source: &str, exercises: &[Exercise]) -> Vec<usize> {
    let entries = entries(&pasted::lines(source));
    let count = |exercise: &Exercise| {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for language in SESSION_LANGUAGES {
            let names = SessionNames::new(exercise, language.language());
            for entry in &entries {
                let tokens = code_tokens(&entry.code, language.tokens()).unwrap_or_default();
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
