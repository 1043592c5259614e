//! The words and numbers of a text, and whether numbers are near one another.

use crate::value::Int;
use regex::Regex;
use std::sync::LazyLock;

/// A word, a number, a run of blanks, or another character.
#[derive(Debug)]
pub(super) struct Word<'s> {
    pub(super) text: &'s str,
    pub(super) number: Option<f64>,
}

impl<'s> Word<'s> {
    pub(super) fn number(text: &'s str) -> Word<'s> {
        Word { text, number: text.parse().ok() }
    }

    /// Whether both are the same, or numbers that differ by at most `within`.
    pub(super) fn is_near(&self, other: &Word<'_>, within: f64) -> bool {
        if self.text == other.text {
            return true;
        }
        let (Some(one), Some(two)) = (self.number, other.number) else { return false };
        let whole = |text: &str| !text.contains(['.', 'e', 'E']);
        // As doubles, neighbouring large integers would be equal.
        let blurred = one.abs() > Int::MOST_EXACT && whole(self.text) && whole(other.text) && within < 1.0;
        !blurred && is_near(one, two, within)
    }
}

/// Whether two texts are the same except for numbers that differ by at most `within`.
pub(super) fn are_near(expected: &[Word<'_>], got: &[Word<'_>], within: f64) -> bool {
    expected.len() == got.len() && expected.iter().zip(got).all(|(one, other)| one.is_near(other, within))
}

/// Whether two numbers differ by at most `within`, give or take what a double cannot tell: 20.01 is 0.01 more
/// than 20.
pub(super) fn is_near(one: f64, other: f64, within: f64) -> bool {
    let blur = 2.0 * f64::EPSILON * one.abs().max(other.abs());
    let finite = one.is_finite() && other.is_finite();
    one == other || (finite && within > 0.0 && (one - other).abs() <= within + blur)
}

/// A number in a text.
pub(super) const NUMBER: &str = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?";

/// The words of a text, of all kinds. A digit that follows a letter is part of a word.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    first_words(text, usize::MAX)
}

/// The first words of a text: at least `fewest` of them, if it has so many, and few more.
pub(super) fn first_words(text: &str, fewest: usize) -> Vec<Word<'_>> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NUMBER).ok());
    let mut all = Vec::new();
    let mut at = 0;
    for found in PATTERN.as_ref().into_iter().flat_map(|number| number.find_iter(text)) {
        if all.len() >= fewest {
            return all;
        }
        let joined = text[..found.start()].ends_with(|ch: char| ch.is_alphanumeric() || ch == '_');
        let signed = found.as_str().starts_with(['-', '+']);
        if joined && !signed {
            continue;
        }
        // In `5-3` it is no sign.
        let start = found.start() + usize::from(joined);
        add_words(&text[at..start], fewest, &mut all);
        all.push(Word::number(&text[start..found.end()]));
        at = found.end();
    }
    add_words(&text[at..], fewest, &mut all);
    all
}

/// Adds the words, blanks and other characters of a text, until there are `fewest`.
fn add_words<'s>(text: &'s str, fewest: usize, all: &mut Vec<Word<'s>>) {
    let kind = |ch: char| (ch.is_alphanumeric() || ch == '_', ch.is_whitespace());
    let mut start = 0;
    let mut last = None;
    for (at, ch) in text.char_indices() {
        let joins = kind(ch) != (false, false) && last == Some(kind(ch));
        if all.len() >= fewest {
            return;
        }
        if !joins && at > start {
            all.push(Word { text: &text[start..at], number: None });
            start = at;
        }
        last = Some(kind(ch));
    }
    if start < text.len() {
        all.push(Word { text: &text[start..], number: None });
    }
}

#[cfg(test)]
mod tests {
    use super::{first_words, words};

    #[test]
    fn few_words_of_a_long_text_are_made() {
        for long in ["-.", "a ", "1,", "1"].map(|part| part.repeat(100_000)) {
            let first = first_words(&long, 5);
            assert!(first.len() <= 7, "{}", first.len());
            let all = words(&long);
            assert!(first.iter().zip(&all).all(|(one, other)| one.text == other.text));
        }
        assert_eq!(first_words("a b", 9).len(), 3);
    }
}
