//! The tokens of JavaScript: enough of them to tell code from texts, comments and regular expressions.

use super::JavaScript;
use crate::languages::tokens::{
    NoContent, Token, TokenKind, Tokens, closing, common_escape, in_single_quotes, number, quoted, unquoted,
};

/// Operators of several characters, the longest first.
const LONG_MARKS: [&str; 33] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=",
    ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
    "**",
];

/// Words after which a `/` begins a regular expression.
const BEFORE_EXPRESSION: [&str; 14] = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield",
    "instanceof",
];

/// The most templates in one another that are told apart.
const MOST_TEMPLATES: usize = 100;

/// Words whose parentheses are followed by a statement.
pub const HEADS: [&str; 4] = ["if", "while", "for", "with"];

impl Tokens for JavaScript {
    fn tokens(&self, source: &str) -> Vec<Token> {
        let mut reader = Reader { source, tokens: Vec::new(), open: Vec::new(), after_head: false };
        let mut at = 0;
        while let Some(first) = source[at..].chars().next() {
            let rest = &source[at..];
            if first.is_whitespace() || first == '\u{feff}' {
                at += first.len_utf8();
                continue;
            }
            let (kind, length) = match comment(rest) {
                Some(length) => (TokenKind::Comment, length),
                None => reader.token(rest, first),
            };
            reader.tokens.push(Token { kind, at: at..at + length });
            at += length;
        }
        reader.tokens
    }

    fn content(&self, text: &str) -> Result<String, NoContent> {
        let body = match text.strip_prefix('`') {
            None => unquoted(text)?,
            Some(_) if has_insertion(text) => {
                return Err(NoContent::Foreign("a string with `${…}` is"));
            }
            Some(body) if closed_template(text, MOST_TEMPLATES) == Some(text.len()) => {
                &body[..body.len() - 1]
            }
            Some(_) => return Err(NoContent::OpenLong),
        };
        Ok(in_single_quotes(body, |content, escaped| {
            if !common_escape(content, escaped) {
                content.extend(escaped);
            }
        }))
    }
}

struct Reader<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    /// For each parenthesis that is open, whether it is that of an `if` or a loop.
    open: Vec<bool>,
    /// Whether the last token closed such a parenthesis.
    after_head: bool,
}

impl Reader<'_> {
    /// The kind and the length of the token at the start of `rest`.
    fn token(&mut self, rest: &str, first: char) -> (TokenKind, usize) {
        let after_head = std::mem::take(&mut self.after_head);
        match first {
            '`' => (TokenKind::Text, template(rest)),
            _ if !closing(first).is_empty() => (TokenKind::Text, quoted(rest, closing(first))),
            '/' if after_head || self.may_begin_expression() => (TokenKind::Expression, expression(rest)),
            '0'..='9' => (TokenKind::Number, number(rest)),
            '#' if name(rest) > 1 => (TokenKind::Name, name(rest)),
            _ if is_of_name(first) => (TokenKind::Name, name(rest)),
            '(' => {
                let last = self.last();
                self.open.push(last.is_some_and(|(_, word)| HEADS.contains(&word)));
                (TokenKind::Mark, 1)
            }
            ')' => {
                self.after_head = self.open.pop().unwrap_or_default();
                (TokenKind::Mark, 1)
            }
            _ => {
                let long = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark));
                (TokenKind::Mark, long.map_or(first.len_utf8(), |mark| mark.len()))
            }
        }
    }

    /// The last token that is no comment, with its text.
    fn last(&self) -> Option<(TokenKind, &str)> {
        let code = self.tokens.iter().rev().find(|token| token.kind != TokenKind::Comment)?;
        Some((code.kind, &self.source[code.at.clone()]))
    }

    /// Whether a `/` after the last token is not a division.
    fn may_begin_expression(&self) -> bool {
        match self.last() {
            None => true,
            Some((TokenKind::Name, name)) => BEFORE_EXPRESSION.contains(&name),
            Some((TokenKind::Mark, mark)) => !matches!(mark, ")" | "]" | "}" | "++" | "--"),
            Some(_) => false,
        }
    }
}

/// The length of a comment, or of the first line of a script, at the start of `rest`.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") || rest.starts_with("#!") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or(rest.len(), |end| end + 4))
}

/// The length of a name at the start of `rest`; that of a private one begins with `#`.
fn name(rest: &str) -> usize {
    let private = usize::from(rest.starts_with('#'));
    rest[private..].find(|ch| !is_of_name(ch)).map_or(rest.len(), |length| private + length)
}

fn is_of_name(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '_' | '$')
}

/// The length of a template. Templates, texts and braces may be in its expressions.
fn template(rest: &str) -> usize {
    closed_template(rest, MOST_TEMPLATES).unwrap_or(rest.len())
}

/// The length of a template that is closed, and has no more than so many in one another.
fn closed_template(rest: &str, most: usize) -> Option<usize> {
    let inner = most.checked_sub(1)?;
    let mut at = 1;
    while let Some(ch) = rest[at..].chars().next() {
        match ch {
            '`' => return Some(at + 1),
            '\\' => at += 1 + rest[at + 1..].chars().next().map_or(0, char::len_utf8),
            '$' if rest[at..].starts_with("${") => at += 2 + inserted(&rest[at + 2..], inner),
            _ => at += ch.len_utf8(),
        }
    }
    None
}

/// Whether a template has an expression in it.
fn has_insertion(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '\\' => drop(chars.next()),
            '$' if chars.peek() == Some(&'{') => return true,
            _ => {}
        }
    }
    false
}

/// The length of an expression in a template, with the brace that ends it.
fn inserted(rest: &str, most: usize) -> usize {
    let (mut at, mut open) = (0, 0);
    while let Some(ch) = rest[at..].chars().next() {
        at += match ch {
            '`' => closed_template(&rest[at..], most).unwrap_or(rest.len() - at),
            '\'' | '"' => quoted(&rest[at..], closing(ch)),
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
                return at + 1 + flags.find(|ch| !is_of_name(ch)).unwrap_or(flags.len());
            }
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::JavaScript;
    use crate::languages::tokens::{NoContent, TokenKind, Tokens};

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let code = JavaScript.tokens(source).into_iter().filter(|token| token.kind != TokenKind::Comment);
        let found: Vec<&str> = code.map(|token| &source[token.at]).collect();
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
    fn the_longest_mark_counts() {
        check("a>>>=b!==c?.d=>e", &["a", ">>>=", "b", "!==", "c", "?.", "d", "=>", "e"]);
        check("#x in 0x1f_f", &["#x", "in", "0x1f_f"]);
        check("a#b # c", &["a", "#b", "#", "c"]);
    }

    #[test]
    fn a_text_that_is_not_closed_ends_with_its_line() {
        check("'a\nb", &["'a", "b"]);
        check("`a", &["`a"]);
        let deep = "`${".repeat(50_000);
        check(&deep, &[&deep]);
        check("é", &["é"]);
    }

    #[test]
    fn the_content_of_a_text_stands_between_single_quotes() {
        for (text, content) in [
            ("'a\\d\\n'", Ok("ad\\n")),
            ("`a\nb'`", Ok("a\\nb\\'")),
            ("`\\${a}`", Ok("${a}")),
            ("`${a}`", Err(NoContent::Foreign("a string with `${…}` is"))),
            ("`a", Err(NoContent::OpenLong)),
            ("\"a", Err(NoContent::Open)),
        ] {
            assert_eq!(JavaScript.content(text), content.map(str::to_owned), "{text}");
        }
    }
}
