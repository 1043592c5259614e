//! Values, texts and code of a case as TESTed writes them.

use super::python::{is_constant, parse_line};
use super::yaml_text;
use keur_core::case::Convention;
use keur_core::value::{Text, Value};
use std::collections::BTreeMap;

/// The text before the last point of a file's name.
pub(super) fn stem(file: &str) -> String {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// A plain value on one line; `None` if YAML has no such value.
pub(super) fn yaml_value(value: &Value) -> Option<String> {
    match value {
        Value::Str(Text::Unicode(text)) => Some(yaml_text::string(text)),
        Value::Int(int) => Some(int.to_string()),
        Value::Float(number) => Some(yaml_text::float(*number)),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::List(items) => {
            let items = items.iter().map(yaml_value).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        _ => None,
    }
}

/// An argument of a check that came from TESTed.
pub(super) fn argument(value: &Value) -> Option<String> {
    if let Value::List(items) = value
        && let [Value::Str(Text::Unicode(mark)), Value::Str(Text::Unicode(text))] = items.as_slice()
        && mark == "literal"
    {
        return Some(format!("!expression {}", yaml_text::string(text)));
    }
    yaml_value(value)
}

/// A literal of a case as TESTed writes it.
pub(super) fn literal(text: &str) -> String {
    parse_line(text, &|_| false).map_or_else(|_| text.to_owned(), |line| line.value.neutral())
}

/// The submission's constant that the code of each language is, or gives a name: `MAX`, `const max = MAX`.
pub(super) fn constant_of(codes: &BTreeMap<String, String>) -> Option<&str> {
    let mut constants = codes.values().map(|code| {
        let (left, right) = code.trim_end_matches(';').rsplit_once('=').unwrap_or(("", code));
        let constant = right.rsplit('.').next()?.trim();
        let is_named = left.split_whitespace().next_back().is_none_or(|name| name == constant.to_lowercase());
        Some(constant).filter(|constant| is_named && is_constant(constant))
    });
    let first = constants.next()??;
    constants.all(|constant| constant == Some(first)).then_some(first)
}

/// Native code with the name of the submission before the names that it defines.
pub(super) fn qualified(code: &str, names: &[String], prefix: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut quote = None;
    let mut rest = code;
    while let Some(ch) = rest.chars().next() {
        let word = rest.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(rest.len());
        if quote.is_none() && word > 0 {
            let spelled =
                |name: &String| rest[..word] == *name || rest[..word] == Convention::Camel.spell(name);
            if !out.ends_with('.') && names.iter().any(spelled) {
                out.push_str(prefix);
            }
            out.push_str(&rest[..word]);
            rest = &rest[word..];
            continue;
        }
        match (quote, ch) {
            (None, '\'' | '"' | '`') => quote = Some(ch),
            (Some(open), ch) if open == ch => quote = None,
            (Some(_) | None, _) => {}
        }
        out.push(ch);
        rest = &rest[ch.len_utf8()..];
        if quote.is_some()
            && ch == '\\'
            && let Some(escaped) = rest.chars().next()
        {
            out.push(escaped);
            rest = &rest[escaped.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::qualified;

    #[test]
    fn native_code_gets_the_name_of_the_submission() {
        let names = ["to_roman".to_owned(), "Account".to_owned()];
        assert_eq!(qualified("to_roman(1 + 1)", &names, "roman."), "roman.to_roman(1 + 1)");
        assert_eq!(qualified("x.to_roman('to_roman')", &names, "roman."), "x.to_roman('to_roman')");
        assert_eq!(
            qualified("toRoman(new Account(2))", &names, "roman."),
            "roman.toRoman(new roman.Account(2))"
        );
    }
}
