//! The tokens of Python.

use super::Python;
use crate::languages::tokens::{
    NoContent, Token, TokenKind, Tokens, closing, common_escape, in_single_quotes, number, quoted, unquoted,
};

/// Operators of several characters, the longest first.
const LONG_MARKS: [&str; 20] = [
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "->", ":=", "<<", ">>",
];

/// Quotes of texts of several lines.
const LONG_QUOTES: [&str; 2] = ["'''", "\"\"\""];

impl Tokens for Python {
    fn tokens(&self, source: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(first) = source[at..].chars().next() {
            let rest = &source[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
                continue;
            }
            let (kind, length) = token(rest, first);
            tokens.push(Token { kind, at: at..at + length });
            at += length;
        }
        tokens
    }

    fn content(&self, text: &str) -> Result<String, NoContent> {
        let prefix = prefix(text).unwrap_or("");
        let text = &text[prefix.len()..];
        let is_raw = match prefix.to_ascii_lowercase().as_str() {
            "f" | "fr" | "rf" => return Err(NoContent::Foreign("an f-string is")),
            "b" | "br" | "rb" => return Err(NoContent::Foreign("bytes are")),
            prefix => prefix == "r",
        };
        let body = match LONG_QUOTES.iter().find(|quotes| text.starts_with(**quotes)) {
            Some(quotes) if long(text, quotes) != Some(text.len()) => return Err(NoContent::OpenLong),
            Some(quotes) => &text[quotes.len()..text.len() - quotes.len()],
            None => unquoted(text)?,
        };
        if is_raw {
            return Ok(in_single_quotes(&body.replace('\\', "\\\\"), |content, _| content.push_str("\\\\")));
        }
        Ok(in_single_quotes(body, |content, escaped| {
            if !common_escape(content, escaped) {
                let is_known = matches!(escaped, Some('a' | 'U'));
                content.push_str(if is_known { "\\" } else { "\\\\" });
                content.extend(escaped);
            }
        }))
    }

    fn joins_texts(&self) -> bool {
        true
    }
}

/// The kind and the length of the token at the start of `rest`.
pub(super) fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if let Some(prefix) = prefix(rest) {
        let text = &rest[prefix.len()..];
        let long_quotes = LONG_QUOTES.iter().find(|quotes| text.starts_with(**quotes));
        let length = match long_quotes {
            Some(quotes) => long(text, quotes).unwrap_or(text.len()),
            None => quoted(text, closing(text.chars().next().unwrap_or_default())),
        };
        return (TokenKind::Text, prefix.len() + length);
    }
    match first {
        '#' => (TokenKind::Comment, rest.find('\n').unwrap_or(rest.len())),
        _ if first.is_ascii_digit() => (TokenKind::Number, number(rest)),
        _ if first.is_alphabetic() || first == '_' => (TokenKind::Name, name(rest)),
        _ => {
            let long = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark));
            (TokenKind::Mark, long.map_or(first.len_utf8(), |mark| mark.len()))
        }
    }
}

/// The length of a name at the start of `rest`.
fn name(rest: &str) -> usize {
    rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(rest.len())
}

/// The letters before the quote of a text; none if `rest` does not begin with a text.
fn prefix(rest: &str) -> Option<&str> {
    let (prefix, text) = rest.split_at(name(rest));
    let first = text.chars().next()?;
    let is_text = match prefix.to_ascii_lowercase().as_str() {
        "" => !closing(first).is_empty(),
        "r" | "u" | "f" | "fr" | "rf" | "b" | "br" | "rb" => matches!(first, '\'' | '"'),
        _ => false,
    };
    is_text.then_some(prefix)
}

/// The length of a text in three quotes; none if it is not closed.
fn long(text: &str, quotes: &str) -> Option<usize> {
    let mut at = quotes.len();
    while let Some(ch) = text[at..].chars().next() {
        if text[at..].starts_with(quotes) {
            return Some(at + quotes.len());
        }
        at += ch.len_utf8();
        if ch == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Python;
    use crate::languages::tokens::{NoContent, Tokens};

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<&str> = Python.tokens(source).into_iter().map(|token| &source[token.at]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn texts_and_comments_are_not_code() {
        check("a # b\nf('c\\'d', r\"e\")", &["a", "# b", "f", "(", "'c\\'d'", ",", "r\"e\"", ")"]);
        check("'''a\n'b''' \"\"\"c", &["'''a\n'b'''", "\"\"\"c"]);
        check("'a\nb", &["'a", "b"]);
        check("“a’b” ‘c′", &["“a’b”", "‘c′"]);
    }

    #[test]
    fn the_longest_mark_counts_and_an_exponent_has_a_sign() {
        check("a**=1e-5//b", &["a", "**=", "1e-5", "//", "b"]);
        check("0X1e-5", &["0X1e", "-", "5"]);
    }

    #[test]
    fn the_content_of_a_text_stands_between_single_quotes() {
        for (text, content) in [
            ("\"it's\"", Ok("it\\'s")),
            ("'a\\d\\a\\q\\\n'", Ok("a\\\\d\\a\\\\q")),
            ("r'\\d\\''", Ok("\\\\d\\\\\\'")),
            ("'''a\nb'''", Ok("a\\nb")),
            ("“a”", Ok("a")),
            ("'a", Err(NoContent::Open)),
            ("'a\\'", Err(NoContent::Open)),
            ("'", Err(NoContent::Open)),
            ("'''a''", Err(NoContent::OpenLong)),
            ("'''a'''€x", Err(NoContent::OpenLong)),
            ("F'a", Err(NoContent::Foreign("an f-string is"))),
            ("rb''", Err(NoContent::Foreign("bytes are"))),
        ] {
            assert_eq!(Python.content(text), content.map(str::to_owned), "{text}");
        }
    }
}
