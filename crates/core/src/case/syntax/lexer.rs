//! Tokens of a line: names, literals and punctuation, each with its place.

use super::Dialect;
use crate::case::bounds::{MOST_DIGITS, SHORTER, too_long};
use crate::value::{Int, Text, Value};
use std::ops::Range;

/// A token with its byte range in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// The kinds of tokens.
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

/// The words that begin what only a programming language has, if an operand follows.
pub(super) const KEYWORDS: [&str; 20] = [
    "assert", "async", "await", "class", "const", "def", "del", "for", "from", "global", "if", "import",
    "lambda", "let", "raise", "return", "var", "while", "with", "yield",
];

/// What may stand before a quote in Python.
pub(super) const PREFIXES: [&str; 6] = ["f", "r", "b", "u", "rb", "fr"];

/// Punctuation and operators, the longer ones first.
const MARKS: [&str; 24] = [
    "**", "//", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "-", "+", "*", "/",
    "%", "<", ">", "!",
];

/// The marks of [`Dialect::Python`].
const PYTHON_MARKS: [&str; 11] = ["(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "-"];

/// An error in an expression: the problem, its place and a fix.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprError {
    /// The problem, in lowercase without a full stop.
    pub message: String,
    /// The bytes of the expression that it covers.
    pub span: Range<usize>,
    /// An instruction that fixes the error.
    pub help: Option<String>,
}

impl ExprError {
    /// An error without advice.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> ExprError {
        ExprError { message: message.into(), span, help: None }
    }

    pub(in crate::case) fn help(mut self, help: impl Into<String>) -> ExprError {
        self.help = Some(help.into());
        self
    }
}

/// Cuts `text` into tokens; the last one is [`TokenKind::End`].
pub(super) fn tokens(text: &str, dialect: Dialect) -> Result<Vec<Token>, ExprError> {
    let mut lexer = Lexer { text, at: 0, dialect };
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
    dialect: Dialect,
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
        while self.dialect.is_python() && self.peek() == Some('#') {
            self.take_while(|ch| ch != '\n');
            self.take_while(char::is_whitespace);
        }
        let start = self.at;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some('\'' | '"') => TokenKind::Literal(Value::Str(self.string(start)?)),
            Some(ch) if ch.is_ascii_digit() => TokenKind::Literal(self.number()?),
            Some('.') if self.rest()[1..].starts_with(|ch: char| ch.is_ascii_digit()) => {
                TokenKind::Literal(self.number()?)
            }
            Some(ch) if starts_name(ch) => {
                self.take_while(continues_name);
                self.word(start)?
            }
            Some(ch) => {
                let mark = MARKS.iter().find(|mark| self.rest().starts_with(**mark));
                self.at += mark.map_or(ch.len_utf8(), |mark| mark.len());
                match mark.filter(|mark| !self.dialect.is_python() || PYTHON_MARKS.contains(*mark)) {
                    Some(mark) => TokenKind::Mark(mark),
                    None => return Err(self.unexpected(start)),
                }
            }
        };
        Ok(Token { kind, span: start..self.at })
    }

    /// The error that the language has no such sign.
    fn unexpected(&self, start: usize) -> ExprError {
        let sign = &self.text[start..self.at];
        match self.dialect {
            Dialect::Neutral => ExprError::new(format!("unexpected `{sign}`"), start..self.at).help(NATIVE),
            Dialect::Python(format) => {
                ExprError::new(format!("{format} has no operator `{sign}`"), start..self.at)
            }
        }
    }

    /// The token of the word that has just been passed: a literal, a name, or a string with this prefix.
    fn word(&mut self, start: usize) -> Result<TokenKind, ExprError> {
        let word = &self.text[start..self.at];
        match self.dialect {
            Dialect::Python(format) if self.rest().starts_with(['\'', '"']) => match word {
                "r" | "R" | "u" | "U" => self.string(start).map(|text| TokenKind::Literal(Value::Str(text))),
                _ => {
                    let message = format!("{format} has no strings with the prefix `{word}`");
                    Err(ExprError::new(message, start..self.at))
                }
            },
            Dialect::Python(_) => Ok(TokenKind::Name(word.to_owned())),
            Dialect::Neutral => Ok(neutral_word(word)),
        }
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
        let python = self.dialect.is_python();
        self.take_while(|ch| continues_name(ch) || python && ch == '.');
        let text = &self.text[start..self.at];
        if text.len() > MOST_DIGITS {
            return Err(ExprError::new(too_long(text.len()), start..self.at).help(SHORTER));
        }
        let wrong = || ExprError::new(format!("`{text}` is not a number"), start..self.at);
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if python && let Some(digits) = text.to_lowercase().strip_prefix(prefix) {
                let number = i128::from_str_radix(&digits.replace('_', ""), radix).map_err(|_| wrong())?;
                return number.to_string().parse().map(Value::Int).map_err(|_| wrong());
            }
        }
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

    /// The text of a string, at its opening quote; its prefix, if it has one, begins at `start`.
    fn string(&mut self, start: usize) -> Result<Text, ExprError> {
        let text = self.text;
        let is_raw = matches!(&text[start..self.at], "r" | "R");
        let quote = match text.get(self.at..self.at + 3) {
            Some(long @ ("'''" | r#"""""#)) if self.dialect.is_python() => long,
            Some(_) | None => &text[self.at..self.at + 1],
        };
        self.at += quote.len();
        let mut units = Vec::new();
        while !self.rest().starts_with(quote) {
            match self.peek() {
                Some('\\') if !is_raw => self.escape(&mut units)?,
                Some(ch) if ch != '\n' || quote.len() > 1 => {
                    self.at += ch.len_utf8();
                    units.extend_from_slice(ch.encode_utf16(&mut [0; 2]));
                }
                Some(_) | None => {
                    return Err(ExprError::new("this string is not closed", start..self.at)
                        .help(format!("close it with {quote}")));
                }
            }
        }
        self.at += quote.len();
        Ok(Text::from_units(units))
    }

    /// Adds what an escape stands for.
    fn escape(&mut self, units: &mut Vec<u16>) -> Result<(), ExprError> {
        let python = self.dialect.is_python();
        let start = self.at;
        self.at += 1;
        let kind = self.peek().unwrap_or(' ');
        self.at += self.peek().map_or(0, char::len_utf8);
        let ch = match kind {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' if !python => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '\\' | '\'' | '"' => kind,
            'x' => return self.code(start, 2, 16, units),
            'u' if self.peek() == Some('{') && !python => {
                self.at += 1;
                let digits = self.at;
                self.take_while(|ch| ch.is_ascii_hexdigit());
                let length = self.at - digits;
                self.at = digits;
                self.code(start, length, 16, units)?;
                if self.peek() != Some('}') {
                    return Err(ExprError::new("this escape does not end with `}`", start..self.at));
                }
                self.at += 1;
                return Ok(());
            }
            'u' => return self.code(start, 4, 16, units),
            'U' => return self.code(start, 8, 16, units),
            '0'..='7' if python => {
                self.at = start + 1;
                let digits = self.rest().bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte));
                return self.code(start, digits.count(), 8, units);
            }
            '\n' if python => return Ok(()),
            _ if python => {
                units.push(u16::from(b'\\'));
                kind
            }
            _ => {
                return Err(ExprError::new(
                    format!("unknown escape `{}`", &self.text[start..self.at]),
                    start..self.at,
                )
                .help("write `\\\\` for a backslash"));
            }
        };
        units.extend_from_slice(ch.encode_utf16(&mut [0; 2]));
        Ok(())
    }

    /// Adds the character whose number has these digits, in the escape that begins at `start`.
    fn code(
        &mut self,
        start: usize,
        digits: usize,
        radix: u32,
        units: &mut Vec<u16>,
    ) -> Result<(), ExprError> {
        let written = self.rest().get(..digits).unwrap_or("");
        let plain = !written.is_empty() && written.chars().all(|ch| ch.is_digit(radix));
        let code = plain.then(|| u32::from_str_radix(written, radix).ok()).flatten();
        self.at += written.len();
        let wrong = || ExprError::new("this escape is not a valid character", start..self.at);
        let code = code.ok_or_else(wrong)?;
        match (char::from_u32(code), u16::try_from(code)) {
            (Some(ch), _) => units.extend_from_slice(ch.encode_utf16(&mut [0; 2])),
            // A surrogate, possibly half of a pair.
            (None, Ok(unit)) if !self.dialect.is_python() => units.push(unit),
            (None, _) => return Err(wrong()),
        }
        Ok(())
    }
}

fn neutral_word(word: &str) -> TokenKind {
    TokenKind::Literal(match word {
        "True" | "true" => Value::Bool(true),
        "False" | "false" => Value::Bool(false),
        "None" | "null" => Value::None,
        "inf" => Value::Float(f64::INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ => return TokenKind::Name(word.to_owned()),
    })
}
