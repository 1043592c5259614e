//! Errors in case and exercise files: all errors of a file, each with its place and a fix.

use std::fmt;
use std::ops::Range;

/// The longest word to find a suggestion for, in bytes: comparing two words takes the product of their
/// lengths.
const LONGEST_WORD: usize = 100;

/// The most words to search for a suggestion.
const MOST_WORDS: usize = 1000;

/// The most errors of a file that are shown: the place of each is looked for in all of its text.
const MOST_SHOWN: usize = 100;

/// The longest list of choices in a help text, in bytes.
const LONGEST_LIST: usize = 300;

/// An error in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The problem, in lowercase without a full stop.
    pub message: String,
    /// The bytes of the file that it covers.
    pub span: Range<usize>,
    /// An instruction that fixes the error.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without advice.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Diagnostic {
        Diagnostic { message: message.into(), span, help: None }
    }

    /// Adds how to fix it.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds how to fix it, if that is known.
    pub fn maybe_help(mut self, help: Option<String>) -> Diagnostic {
        self.help = help;
        self
    }
}

/// All errors in one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileErrors {
    /// The file's path as given.
    pub path: String,
    /// The whole text of the file.
    pub source: String,
    /// The errors, in file order.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileErrors {
    /// The errors of a file, in its order.
    pub fn new(path: &str, source: &str, mut diagnostics: Vec<Diagnostic>) -> FileErrors {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        FileErrors { path: path.to_owned(), source: source.to_owned(), diagnostics }
    }
}

impl fmt::Display for FileErrors {
    /// The errors, one per line: file, line, column, problem and fix.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.diagnostics.iter().take(MOST_SHOWN).map(|diagnostic| {
            let (line, column) = line_column(&self.source, diagnostic.span.start);
            let help = diagnostic.help.iter().map(|help| format!("; {help}")).collect::<String>();
            format!("{}:{line}:{column}: {}{help}", self.path, diagnostic.message)
        }));
        let more = self.diagnostics.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            lines.push(format!("{}: {more} more", self.path));
        }
        f.write_str(&tame(&lines.join("\n")))
    }
}

impl std::error::Error for FileErrors {}

/// The text without characters that control a terminal.
pub fn tame(text: &str) -> String {
    let obeyed = |ch: char| {
        (ch.is_control() && ch != '\n') || matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|ch| if obeyed(ch) { char::REPLACEMENT_CHARACTER } else { ch }).collect()
}

/// The line and column (both from 1, the column in characters) of byte `at` of `source`.
pub fn line_column(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..floor(source, at)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|ch| *ch != '\n').count() + 1;
    (line, column)
}

/// The known word that `word` was probably meant to be.
pub fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = folded(word)?;
    known
        .into_iter()
        .take(MOST_WORDS)
        .filter_map(|candidate| {
            Some((strsim::damerau_levenshtein(&folded, &self::folded(candidate)?), candidate))
        })
        .filter(|(distance, candidate)| {
            *distance <= (candidate.chars().count().max(folded.chars().count()) / 3).max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The word without case and punctuation; `None` if it is too long to compare.
fn folded(word: &str) -> Option<String> {
    (word.len() <= LONGEST_WORD).then(|| word.to_lowercase().replace(['_', '-'], ""))
}

/// A help text that names the word probably meant, or lists the choices if there are few.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    match near(word, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.iter().map(|word| word.len()).sum::<usize>() > LONGEST_LIST => None,
        None => Some(format!("known here: {}", known.join(", "))),
    }
}

/// The last character boundary at or before byte `at`.
fn floor(source: &str, at: usize) -> usize {
    source.floor_char_boundary(at.min(source.len()))
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, FileErrors, line_column, near};

    #[test]
    fn errors_are_told_a_line_each() {
        let error = Diagnostic::new("unknown key `pionts`", 12..18).help("did you mean `points`?");
        let other = Diagnostic::new("wrong\u{1b}", 14..15);
        let errors = FileErrors::new("cases/a.toml", "title = \"x\"\npionts = 2\n", vec![other, error]);
        assert_eq!(
            errors.to_string(),
            "cases/a.toml:2:1: unknown key `pionts`; did you mean `points`?\ncases/a.toml:2:3: wrong\u{fffd}"
        );
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_column("é\nüx", 5), (2, 2));
        assert_eq!(line_column("ab", 99), (1, 3));
    }

    #[test]
    fn the_word_meant_is_found_across_conventions() {
        assert_eq!(near("isAfgelopen", ["beurt", "isafgelopen"]), Some("isafgelopen"));
        assert_eq!(near("pionts", ["points", "title"]), Some("points"));
        assert_eq!(near("zzz", ["points", "title"]), None);
        let long = "a".repeat(1 << 20);
        assert_eq!(near(&long, ["points", &long]), None);
    }
}
