//! Errors in case and exercise files: all of a file's, each with its place and what to do.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// The most errors of a file that are shown: each takes time in proportion to the file.
const MOST_SHOWN: usize = 100;

/// The longest word that another is sought for, in bytes: holding two against each other takes the product of both.
const LONGEST_WORD: usize = 100;

/// The most words among which one is sought.
const MOST_WORDS: usize = 1000;

/// The longest list of choices that is worth reading, in bytes.
const LONGEST_LIST: usize = 300;

/// One thing wrong with a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong, in lowercase without a full stop.
    pub message: String,
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>) -> Diagnostic {
        Diagnostic { message: message.into(), span, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Diagnostic {
        self.help = help;
        self
    }
}

/// Everything wrong with one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileErrors {
    /// The file, as it was named.
    pub path: String,
    /// Its text.
    pub source: String,
    /// What is wrong with it, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileErrors {
    pub(crate) fn new(path: &str, source: &str, mut diagnostics: Vec<Diagnostic>) -> FileErrors {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        FileErrors { path: path.to_owned(), source: source.to_owned(), diagnostics }
    }

    /// The errors as text for a person: file, line, column, the line underlined, and what to do.
    pub fn render(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut out = String::new();
        for diagnostic in self.diagnostics.iter().take(MOST_SHOWN) {
            let span = visible(&self.source, &diagnostic.span);
            let snippet =
                Snippet::source(&self.source).path(&self.path).annotation(AnnotationKind::Primary.span(span));
            let mut group = Level::ERROR.primary_title(&diagnostic.message).element(snippet);
            if let Some(help) = &diagnostic.help {
                group = group.element(Level::HELP.message(tame(help)));
            }
            out.push_str(&renderer.render(&[group]));
            out.push_str("\n\n");
        }
        let more = self.diagnostics.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            out.push_str(&format!("error: {more} more in {}\n\n", self.path));
        }
        // The renderer leaves these as they are; some terminals obey them.
        out.replace(|ch| ('\u{80}'..='\u{9f}').contains(&ch), "\u{fffd}")
    }
}

impl fmt::Display for FileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for FileErrors {}

/// The text with nothing in it that a terminal would obey, as the renderer makes the rest of what it is given.
fn tame(text: &str) -> String {
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

/// The word among `known` that `word` was probably meant to be.
pub(crate) fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// The word without case and marks; none when it is too long to compare.
fn folded(word: &str) -> Option<String> {
    (word.len() <= LONGEST_WORD).then(|| word.to_lowercase().replace(['_', '-'], ""))
}

/// A help text that names the word probably meant, or lists the choices when there are few.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    match near(word, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.iter().map(|word| word.len()).sum::<usize>() > LONGEST_LIST => None,
        None => Some(format!("known here: {}", known.join(", "))),
    }
}

/// A span that lies in the text, on character boundaries, and is not empty where it can be helped.
fn visible(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = floor(source, span.start);
    let end = floor(source, span.end.max(start));
    if end > start {
        return start..end;
    }
    let next = source[start..].chars().next().filter(|ch| *ch != '\n').map_or(0, char::len_utf8);
    start..start + next
}

fn floor(source: &str, at: usize) -> usize {
    source.floor_char_boundary(at.min(source.len()))
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, FileErrors, line_column, near};

    #[test]
    fn an_error_shows_file_line_column_and_the_line_underlined() {
        let source = "title = \"x\"\npionts = 2\n";
        let error = Diagnostic::new("unknown key `pionts`", 12..18).help("did you mean `points`?");
        let text = FileErrors::new("cases/a.toml", source, vec![error]).to_string();
        assert_eq!(
            text,
            "error: unknown key `pionts`\n --> cases/a.toml:2:1\n  |\n2 | pionts = 2\n  | ^^^^^^\n  |\n  = help: did you mean `points`?"
        );
    }

    #[test]
    fn many_errors_are_counted_and_not_all_shown() {
        let source = "x\n".repeat(250);
        let errors = (0..250).map(|line| Diagnostic::new("wrong", 2 * line..2 * line + 1)).collect();
        let text = FileErrors::new("a.toml", &source, errors).to_string();
        assert_eq!(text.matches("error: wrong").count(), 100);
        assert!(text.ends_with("error: 150 more in a.toml"), "{text}");
    }

    #[test]
    fn a_help_holds_nothing_that_a_terminal_would_obey() {
        let error = Diagnostic::new("wrong", 0..1).help("known here: \u{1b}[2J\u{202e}a");
        let text = FileErrors::new("a.toml", "x", vec![error]).to_string();
        assert!(text.ends_with("= help: known here: \u{fffd}[2J\u{fffd}a"), "{text}");
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
