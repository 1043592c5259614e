//! Tokens of source text, cut without running it. Authors' files are read so, never what a submission does.

use std::ops::Range;

/// A token of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The bytes of the token in the source.
    pub at: Range<usize>,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Name,
    /// A number.
    Number,
    /// A text, with its prefix and its quotes.
    Text,
    /// A regular expression.
    Expression,
    /// An operator or a bracket.
    Mark,
    /// A comment, with its marks.
    Comment,
}

/// The reason why a text has no content that a case can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoContent {
    /// The text is not closed on its line.
    Open,
    /// The text may have several lines and is not closed.
    OpenLong,
    /// The text is more than characters, as this subject and verb of a sentence say: `an f-string is`.
    Foreign(&'static str),
}

/// The tokens of a language.
pub trait Tokens: Sync {
    /// Cuts source text into tokens. Text that is not of the language gives some tokens too.
    fn tokens(&self, source: &str) -> Vec<Token>;

    /// The content of a [`TokenKind::Text`], as it stands between single quotes in a case.
    ///
    /// # Errors
    /// The text is not closed, or is more than characters.
    fn content(&self, text: &str) -> Result<String, NoContent>;

    /// Whether texts that stand side by side are one.
    fn joins_texts(&self) -> bool {
        false
    }
}

/// Quotes that a word processor writes for `'`.
const SINGLE: &[char] = &['\'', '‘', '’', '‚', '‛', '′'];
/// Quotes that a word processor writes for `"`.
const DOUBLE: &[char] = &['"', '“', '”', '„', '″'];

/// The quotes that close a text which begins with `open`; none if that is no quote.
pub(super) fn closing(open: char) -> &'static [char] {
    match open {
        '\'' => &['\''],
        '"' => &['"'],
        _ if SINGLE.contains(&open) => SINGLE,
        _ if DOUBLE.contains(&open) => DOUBLE,
        _ => &[],
    }
}

/// The length of a text at the start of `rest`, in quotes of one line; one that is not closed ends with its
/// line.
pub(super) fn quoted(rest: &str, closes: &[char]) -> usize {
    let mut escaped = false;
    for (at, ch) in rest.char_indices().skip(1) {
        match ch {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if closes.contains(&ch) => return at + ch.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The text between quotes of one line.
///
/// # Errors
/// The text is not closed.
pub(super) fn unquoted(text: &str) -> Result<&str, NoContent> {
    let open = text.chars().next().unwrap_or('\'');
    let closes = closing(open);
    let body = &text[open.len_utf8().min(text.len())..];
    let is_closed = quoted(text, closes) == text.len() && body.ends_with(closes) && !ends_escaped(body);
    if !is_closed {
        return Err(NoContent::Open);
    }
    Ok(body.strip_suffix(closes).unwrap_or(body))
}

/// Whether the last character is escaped.
fn ends_escaped(body: &str) -> bool {
    let before = body.char_indices().next_back().map_or("", |(at, _)| &body[..at]);
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

/// The length of a number at the start of `rest`, with the sign of its exponent.
pub(super) fn number(rest: &str) -> usize {
    let end = |text: &str, is_part: fn(char) -> bool| text.find(|ch| !is_part(ch)).unwrap_or(text.len());
    let length = end(rest, |ch| ch.is_alphanumeric() || ch == '_' || ch == '.');
    let (number, after) = rest.split_at(length);
    if number.ends_with(['e', 'E'])
        && !number.get(..2).is_some_and(|radix| radix.eq_ignore_ascii_case("0x"))
        && after.starts_with(['-', '+'])
    {
        let signs = end(after, |ch| matches!(ch, '-' | '+'));
        return length + signs + end(&after[signs..], |ch| ch.is_ascii_digit());
    }
    length
}

/// The content of a text between single quotes in a case; `escape` adds what a backslash and the character
/// after it mean.
pub(super) fn in_single_quotes(body: &str, escape: impl Fn(&mut String, Option<char>)) -> String {
    let mut content = String::new();
    let mut chars = body.chars();
    while let Some(ch) = chars.next() {
        match ch {
            '\n' => content.push_str("\\n"),
            '\\' => escape(&mut content, chars.next()),
            '\'' => content.push_str("\\'"),
            ch => content.push(ch),
        }
    }
    content
}

/// Adds an escape that means the same in a case and in most languages; whether it is one.
pub(super) fn common_escape(content: &mut String, escaped: Option<char>) -> bool {
    match escaped {
        // The text goes on in the next line.
        None | Some('\n') => {}
        Some('"') => content.push('"'),
        Some(ch @ ('n' | 't' | 'r' | '0' | 'b' | 'f' | 'v' | '\\' | '\'' | 'x' | 'u')) => {
            content.extend(['\\', ch]);
        }
        Some(_) => return false,
    }
    true
}
