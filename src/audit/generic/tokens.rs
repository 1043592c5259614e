//! The tokens of a program in JavaScript: enough of them to tell code from texts, comments and regular expressions.

use std::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsToken {
    pub(super) kind: JsTokenKind,
    /// Its bytes.
    pub(super) at: Range<usize>,
    /// Whether a line ends between the token before it and this one.
    pub(super) on_new_line: bool,
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsTokenKind {
    /// An identifier or a keyword.
    Word,
    Number,
    /// A text in single or double quotes.
    Text,
    /// A template, with what is in it.
    Template,
    Expression,
    /// An operator or a bracket.
    Sign,
}

/// Operators of several characters, the longest first.
const LONG_SIGNS: [&str; 33] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=",
    ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
    "**",
];

/// Words after which a `/` begins a regular expression.
const BEFORE_EXPRESSION: [&str; 14] = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield",
    "instanceof",
];

/// Words whose parentheses are followed by a statement.
pub(super) const HEADS: [&str; 4] = ["if", "while", "for", "with"];

/// The tokens of a program, without comments. What is not JavaScript gives some tokens too.
pub(super) fn tokens(source: &str) -> Vec<JsToken> {
    let mut reader = JsReader { source, tokens: Vec::new(), open: Vec::new(), after_head: false };
    let (mut at, mut on_new_line) = (0, true);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = match () {
            () if first.is_whitespace() || first == '\u{feff}' => first.len_utf8(),
            () if rest.starts_with("//") || rest.starts_with("#!") => rest.find('\n').unwrap_or(rest.len()),
            () if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            () => {
                let (kind, length) = reader.token(rest, first);
                reader.tokens.push(JsToken { kind, at: at..at + length, on_new_line });
                (at, on_new_line) = (at + length, false);
                continue;
            }
        };
        on_new_line |= rest[..length].contains(['\n', '\r']);
        at += length;
    }
    reader.tokens
}

struct JsReader<'s> {
    source: &'s str,
    tokens: Vec<JsToken>,
    /// For each parenthesis that is open, whether it is that of an `if` or a loop.
    open: Vec<bool>,
    /// Whether the last token closed such a parenthesis.
    after_head: bool,
}

impl JsReader<'_> {
    /// The kind and the length of the token at the start of `rest`.
    fn token(&mut self, rest: &str, first: char) -> (JsTokenKind, usize) {
        let after_head = std::mem::take(&mut self.after_head);
        let end_of = |is_part: fn(char) -> bool| rest.find(|ch| !is_part(ch)).unwrap_or(rest.len());
        match first {
            '\'' | '"' => (JsTokenKind::Text, quoted(rest, first)),
            '`' => (JsTokenKind::Template, template(rest)),
            '/' if after_head || self.may_begin_expression() => (JsTokenKind::Expression, expression(rest)),
            '0'..='9' => (JsTokenKind::Number, end_of(|ch| ch.is_alphanumeric() || ch == '.' || ch == '_')),
            _ if is_of_word(first) => (JsTokenKind::Word, end_of(is_of_word)),
            '(' => {
                let last = self.last();
                self.open.push(last.is_some_and(|(_, word)| HEADS.contains(&word)));
                (JsTokenKind::Sign, 1)
            }
            ')' => {
                self.after_head = self.open.pop().unwrap_or_default();
                (JsTokenKind::Sign, 1)
            }
            _ => {
                let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (JsTokenKind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
            }
        }
    }

    fn last(&self) -> Option<(JsTokenKind, &str)> {
        self.tokens.last().map(|token| (token.kind, &self.source[token.at.clone()]))
    }

    /// Whether a `/` after the last token is not a division.
    fn may_begin_expression(&self) -> bool {
        match self.last() {
            None => true,
            Some((JsTokenKind::Word, word)) => BEFORE_EXPRESSION.contains(&word),
            Some((JsTokenKind::Sign, sign)) => !matches!(sign, ")" | "]" | "}" | "++" | "--"),
            Some((
                JsTokenKind::Number | JsTokenKind::Text | JsTokenKind::Template | JsTokenKind::Expression,
                _,
            )) => false,
        }
    }
}

fn is_of_word(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '_' | '$' | '#')
}

/// The length of a text in quotes; one that is not closed ends with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, ch) in rest.char_indices().skip(1) {
        match ch {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if ch == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a template. Templates, texts and braces may be in its expressions.
fn template(rest: &str) -> usize {
    let mut at = 1;
    while let Some(ch) = rest[at..].chars().next() {
        match ch {
            '`' => return at + 1,
            '\\' => at += 1 + rest[at + 1..].chars().next().map_or(0, char::len_utf8),
            '$' if rest[at..].starts_with("${") => at += 2 + inserted(&rest[at + 2..]),
            _ => at += ch.len_utf8(),
        }
    }
    rest.len()
}

/// The length of an expression in a template, with the brace that ends it.
fn inserted(rest: &str) -> usize {
    let (mut at, mut open) = (0, 0);
    while let Some(ch) = rest[at..].chars().next() {
        at += match ch {
            '`' => template(&rest[at..]),
            '\'' | '"' => quoted(&rest[at..], ch),
            '}' if open == 0 => return at + 1,
            _ => {
                open += i32::from(ch == '{') - i32::from(ch == '}');
                ch.len_utf8()
            }
        };
    }
    rest.len()
}

/// The length of a regular expression with its flags; one that is not closed ends with its line.
fn expression(rest: &str) -> usize {
    let (mut escaped, mut in_class) = (false, false);
    for (at, ch) in rest.char_indices().skip(1) {
        match ch {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = &rest[at + 1..];
                return at + 1 + flags.find(|ch| !is_of_word(ch)).unwrap_or(flags.len());
            }
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(source).into_iter().map(|token| &source[token.at]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn texts_comments_and_templates_are_not_code() {
        check(
            "a // b\n/* c */ 'd\\'<' \"e\" `f${g({h: `<`})}<`;",
            &["a", "'d\\'<'", "\"e\"", "`f${g({h: `<`})}<`", ";"],
        );
    }

    #[test]
    fn a_slash_divides_or_begins_an_expression() {
        check("a / b / c", &["a", "/", "b", "/", "c"]);
        check("x = /[/<]/g.test(s)", &["x", "=", "/[/<]/g", ".", "test", "(", "s", ")"]);
        check(
            "if (a) /b/.test(c); (a) / 2",
            &["if", "(", "a", ")", "/b/", ".", "test", "(", "c", ")", ";", "(", "a", ")", "/", "2"],
        );
        check("return /a/", &["return", "/a/"]);
    }

    #[test]
    fn the_longest_sign_counts() {
        check("a>>>=b!==c?.d=>e", &["a", ">>>=", "b", "!==", "c", "?.", "d", "=>", "e"]);
        check("#x in 0x1f_f", &["#x", "in", "0x1f_f"]);
    }

    #[test]
    fn what_is_not_closed_ends() {
        check("'a\nb", &["'a", "b"]);
        check("`a", &["`a"]);
        check("é", &["é"]);
    }
}
