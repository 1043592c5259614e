//! Splits a statement into tokens.

use super::{PyExpr, SyntaxError};
use std::ops::Range;

/// The kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PyTokenKind {
    Name(String),
    Number(PyExpr),
    Text(String),
    Mark(char),
    End,
}

/// A token with its bytes in the text.
pub(super) struct PyToken {
    pub(super) kind: PyTokenKind,
    pub(super) span: Range<usize>,
}

/// The tokens of a text; the last one is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<PyToken>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { break };
        let (kind, length) = if first == '#' {
            let length = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[length..];
            continue;
        } else if first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|ch: char| ch.is_ascii_digit()))
        {
            number(rest, start)?
        } else if first == '\'' || first == '"' {
            string(rest, 0, start)?
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(rest.len());
            match (&rest[..length], rest[length..].starts_with(['\'', '"'])) {
                (prefix @ ("r" | "R" | "u" | "U"), true) => string(rest, prefix.len(), start)?,
                (prefix, true) => {
                    let message = format!("TESTed has no strings with the prefix `{prefix}`");
                    return Err(SyntaxError::new(message, start..start + length));
                }
                (name, false) => (PyTokenKind::Name(name.to_owned()), length),
            }
        } else if "()[]{},:.=-".contains(first) && !rest.starts_with("==") {
            (PyTokenKind::Mark(first), 1)
        } else {
            let message = format!("TESTed has no operator `{first}`");
            return Err(SyntaxError::new(message, start..start + first.len_utf8()));
        };
        tokens.push(PyToken { kind, span: start..start + length });
        rest = &rest[length..];
    }
    tokens.push(PyToken { kind: PyTokenKind::End, span: text.len()..text.len() });
    Ok(tokens)
}

fn number(rest: &str, start: usize) -> Result<(PyTokenKind, usize), SyntaxError> {
    let mut length =
        rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_' && ch != '.').unwrap_or(rest.len());
    // The sign of an exponent belongs to the number.
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    if !hex && rest[..length].ends_with(['e', 'E']) && rest[length..].starts_with(['+', '-']) {
        let more = &rest[length + 1..];
        length += 1 + more.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(more.len());
    }
    let written = &rest[..length];
    let plain = written.replace('_', "").to_lowercase();
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(|(prefix, radix)| {
        plain.strip_prefix(prefix).map(|digits| i128::from_str_radix(digits, radix).ok())
    });
    let number = match radix {
        Some(number) => number.map(|number| PyExpr::Int(number.to_string())),
        None if plain.bytes().all(|byte| byte.is_ascii_digit()) => {
            let digits = plain.trim_start_matches('0');
            Some(PyExpr::Int(if digits.is_empty() { "0" } else { digits }.to_owned()))
        }
        None => plain.parse::<f64>().ok().map(PyExpr::Float),
    };
    match number {
        Some(number) => Ok((PyTokenKind::Number(number), length)),
        None => Err(SyntaxError::new(format!("`{written}` is not a number"), start..start + length)),
    }
}

/// A string literal after a prefix of `skip` bytes.
fn string(rest: &str, skip: usize, start: usize) -> Result<(PyTokenKind, usize), SyntaxError> {
    let raw = matches!(&rest[..skip], "r" | "R");
    let body = &rest[skip..];
    let quote = &body[..1];
    let long = quote.repeat(3);
    let close = if body.starts_with(&long) { long.as_str() } else { quote };
    let mut text = String::new();
    let mut at = skip + close.len();
    let error = |message: &str, at: usize| Err(SyntaxError::new(message, start + at..start + at + 1));
    loop {
        let here = &rest[at..];
        if here.starts_with(close) {
            return Ok((PyTokenKind::Text(text), at + close.len()));
        }
        let Some(ch) = here.chars().next() else { return error("this string is not closed", 0) };
        if ch == '\n' && close.len() == 1 {
            return error("this string is not closed", 0);
        }
        at += ch.len_utf8();
        if ch != '\\' {
            text.push(ch);
            continue;
        }
        let Some(escaped) = rest[at..].chars().next() else { return error("this string is not closed", 0) };
        if raw {
            text.push('\\');
            continue;
        }
        at += escaped.len_utf8();
        let digits = match escaped {
            'n' => {
                text.push('\n');
                continue;
            }
            't' => {
                text.push('\t');
                continue;
            }
            'r' => {
                text.push('\r');
                continue;
            }
            'a' => {
                text.push('\u{7}');
                continue;
            }
            'b' => {
                text.push('\u{8}');
                continue;
            }
            'f' => {
                text.push('\u{c}');
                continue;
            }
            'v' => {
                text.push('\u{b}');
                continue;
            }
            '\n' => continue,
            '\\' | '\'' | '"' => {
                text.push(escaped);
                continue;
            }
            'x' => 2,
            'u' => 4,
            'U' => 8,
            '0'..='7' => {
                let octal: String = rest[at - 1..].chars().take(3).take_while(|ch| ch.is_digit(8)).collect();
                at += octal.len() - 1;
                text.extend(u32::from_str_radix(&octal, 8).ok().and_then(char::from_u32));
                continue;
            }
            // Python keeps the backslash of an escape that it does not know.
            other => {
                text.push('\\');
                text.push(other);
                continue;
            }
        };
        let hex = rest.get(at..at + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match hex.and_then(char::from_u32) {
            Some(ch) => text.push(ch),
            None => return error("this escape is not a character", at - 2),
        }
        at += digits;
    }
}
