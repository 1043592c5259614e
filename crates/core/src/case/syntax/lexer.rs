//! Tokens of the neutral `do` language: names, literals and punctuation, each with its place.

use crate::case::bounds::{MOST_DIGITS, SHORTER, too_long};
use crate::value::{Int, Text, Value};
use std::ops::Range;

/// A token with its byte range in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// An identifier that is not a literal.
    Name(String),
    /// A scalar literal.
    Literal(Value),
    /// One of [`MARKS`].
    Mark(&'static str),
    /// The end of the text.
    End,
}

/// The way out for what the language does not have.
pub(in crate::case) const NATIVE: &str =
    "it is not part of this language; code of a programming language goes in `do = { python = \"…\" }`";

/// Punctuation and operators, the longer ones first.
const MARKS: [&str; 24] = [
    "**", "//", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "-", "+", "*", "/",
    "%", "<", ">", "!",
];

/// An error in an expression: the problem, its place and a fix.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprError {
    /// The problem, in lowercase without a full stop.
    pub message: String,
    /// The bytes of the expression that it covers.
    pub span: Range<usize>,
    /// How to fix it.
    pub help: Option<String>,
}

impl ExprError {
    pub(in crate::case) fn new(message: impl Into<String>, span: Range<usize>) -> ExprError {
        ExprError { message: message.into(), span, help: None }
    }

    pub(in crate::case) fn help(mut self, help: impl Into<String>) -> ExprError {
        self.help = Some(help.into());
        self
    }
}

/// Cuts `text` into tokens; the last one is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExprError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let last = token.kind == TokenKind::End;
        tokens.push(token);
        if last {
            return Ok(tokens);
        }
    }
}

/// Whether `text` is a valid name.
pub(in crate::case) fn is_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

fn starts_name(ch: char) -> bool {
    ch.is_alphabetic() || ch == '_'
}

fn continues_name(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) {
        while let Some(ch) = self.peek().filter(|ch| accept(*ch)) {
            self.at += ch.len_utf8();
        }
    }

    fn next(&mut self) -> Result<Token, ExprError> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some(quote @ ('\'' | '"')) => TokenKind::Literal(Value::Str(self.string(quote)?)),
            Some(ch) if ch.is_ascii_digit() => TokenKind::Literal(self.number()?),
            Some('.') if self.rest()[1..].starts_with(|ch: char| ch.is_ascii_digit()) => {
                TokenKind::Literal(self.number()?)
            }
            Some(ch) if starts_name(ch) => {
                self.take_while(continues_name);
                word(&self.text[start..self.at])
            }
            Some(ch) => match MARKS.iter().find(|mark| self.rest().starts_with(**mark)) {
                Some(mark) => {
                    self.at += mark.len();
                    TokenKind::Mark(mark)
                }
                None => {
                    return Err(ExprError::new(format!("unexpected `{ch}`"), start..start + ch.len_utf8())
                        .help(NATIVE));
                }
            },
        };
        Ok(Token { kind, span: start..self.at })
    }

    fn number(&mut self) -> Result<Value, ExprError> {
        let start = self.at;
        self.take_while(|ch| ch.is_ascii_digit() || ch == '_');
        let mut float = false;
        if self.peek() == Some('.') {
            float = true;
            self.at += 1;
            self.take_while(|ch| ch.is_ascii_digit() || ch == '_');
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            float = true;
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            self.take_while(|ch| ch.is_ascii_digit() || ch == '_');
        }
        self.take_while(continues_name);
        let text = &self.text[start..self.at];
        if text.len() > MOST_DIGITS {
            return Err(ExprError::new(too_long(text.len()), start..self.at).help(SHORTER));
        }
        let wrong = || ExprError::new(format!("`{text}` is not a number"), start..self.at);
        // Python and JavaScript allow `1_000`.
        let parts: Vec<&str> = text.split('_').collect();
        let digit = |ch: char| ch.is_ascii_digit();
        if !parts.windows(2).all(|pair| pair[0].ends_with(digit) && pair[1].starts_with(digit)) {
            return Err(wrong());
        }
        let digits = text.replace('_', "");
        if float {
            digits.parse().map(Value::Float).map_err(|_| wrong())
        } else {
            digits.parse::<Int>().map(Value::Int).map_err(|_| wrong())
        }
    }

    fn string(&mut self, quote: char) -> Result<Text, ExprError> {
        let start = self.at;
        self.at += 1;
        let mut units = Vec::new();
        loop {
            match self.peek() {
                None | Some('\n') => {
                    return Err(ExprError::new("this string is not closed", start..self.at)
                        .help(format!("close it with {quote}")));
                }
                Some(ch) if ch == quote => {
                    self.at += 1;
                    return Ok(Text::from_units(units));
                }
                Some('\\') => match self.escape()? {
                    Escape::Char(ch) => units.extend_from_slice(ch.encode_utf16(&mut [0; 2])),
                    Escape::Unit(unit) => units.push(unit),
                },
                Some(ch) => {
                    self.at += ch.len_utf8();
                    units.extend_from_slice(ch.encode_utf16(&mut [0; 2]));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<Escape, ExprError> {
        let start = self.at;
        self.at += 1;
        let kind = self.peek().unwrap_or(' ');
        self.at += self.peek().map_or(0, char::len_utf8);
        let ch = match kind {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '\\' | '\'' | '"' => kind,
            'x' => return self.code(start, 2),
            'u' if self.peek() == Some('{') => {
                self.at += 1;
                let digits = self.at;
                self.take_while(|ch| ch.is_ascii_hexdigit());
                let length = self.at - digits;
                self.at = digits;
                let code = self.code(start, length)?;
                if self.peek() != Some('}') {
                    return Err(ExprError::new("this escape does not end with `}`", start..self.at));
                }
                self.at += 1;
                return Ok(code);
            }
            'u' => return self.code(start, 4),
            'U' => return self.code(start, 8),
            _ => {
                return Err(ExprError::new(
                    format!("unknown escape `{}`", &self.text[start..self.at]),
                    start..self.at,
                )
                .help("write `\\\\` for a backslash"));
            }
        };
        Ok(Escape::Char(ch))
    }

    fn code(&mut self, start: usize, digits: usize) -> Result<Escape, ExprError> {
        let hex = self.rest().get(..digits).unwrap_or("");
        let plain = !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = plain.then(|| u32::from_str_radix(hex, 16).ok()).flatten();
        self.at += hex.len();
        let wrong = || ExprError::new("this escape is not a valid character", start..self.at);
        let code = code.ok_or_else(wrong)?;
        match (char::from_u32(code), u16::try_from(code)) {
            (Some(ch), _) => Ok(Escape::Char(ch)),
            (None, Ok(unit)) => Ok(Escape::Unit(unit)),
            (None, Err(_)) => Err(wrong()),
        }
    }
}

enum Escape {
    Char(char),
    /// A surrogate, possibly half of a pair.
    Unit(u16),
}

fn word(word: &str) -> TokenKind {
    TokenKind::Literal(match word {
        "True" | "true" => Value::Bool(true),
        "False" | "false" => Value::Bool(false),
        "None" | "null" => Value::None,
        "inf" => Value::Float(f64::INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ => return TokenKind::Name(word.to_owned()),
    })
}
