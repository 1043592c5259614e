//! Values, texts and code of a case as TESTed writes them.

use super::python::{PyExpr, PythonArgument, parse_statement};
use super::yaml_text;
use keur_core::case::Convention;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of TOML with its place.
pub(super) type TomlEntry<'a> = Spanned<DeValue<'a>>;

/// How texts are compared: the keys of an exercise, then a case, then a step.
#[derive(Clone, Copy, Default)]
pub(super) struct ExportCompare {
    pub(super) ignore_case: bool,
    pub(super) trim: bool,
    pub(super) within: Option<f64>,
}

/// The text before the last point of a file's name.
pub(super) fn stem(file: &str) -> String {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// Whether a step expects anything.
pub(super) fn expects(step: &DeTable<'_>) -> bool {
    let doing = ["do", "run", "args", "stdin", "binds", "compare"];
    step.keys().any(|key| !doing.contains(&key.get_ref().as_ref()))
}

/// The only part that a text must contain.
pub(super) fn contained<'a>(entry: &'a TomlEntry<'_>) -> Option<&'a str> {
    entry.get_ref().as_table()?.get("contains")?.get_ref().as_str()
}

/// A text, or the English one of several.
pub(super) fn local(entry: Option<&TomlEntry<'_>>) -> Option<String> {
    match entry?.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Table(texts) => {
            let text = texts.get("en").or_else(|| texts.values().next())?;
            text.get_ref().as_str().map(str::to_owned)
        }
        DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_) => None,
    }
}

/// The digits of a whole number.
pub(super) fn whole(value: &DeValue<'_>) -> Option<String> {
    let DeValue::Integer(integer) = value else { return None };
    i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|number| number.to_string())
}

/// The value of a number.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(_) => whole(value)?.parse().ok(),
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
        DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    }
}

/// A value of TOML on one line.
pub(super) fn yaml_value(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(yaml_text::string(text)),
        DeValue::Integer(_) => whole(value),
        DeValue::Float(_) => number(value).map(yaml_text::float),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| yaml_value(item.get_ref())).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// An argument of a check that came from TESTed.
pub(super) fn argument(value: &DeValue<'_>) -> Option<String> {
    if let DeValue::Array(items) = value
        && let [mark, text] = &items[..]
        && mark.get_ref().as_str() == Some("literal")
    {
        return Some(format!("!expression {}", yaml_text::string(text.get_ref().as_str()?)));
    }
    yaml_value(value)
}

/// A literal of a case as TESTed writes it.
pub(super) fn literal(text: &str) -> String {
    parse_statement(text).map_or_else(|_| text.to_owned(), |statement| plain(statement.value).neutral())
}

/// The expression with Python's names of constants.
pub(super) fn plain(expr: PyExpr) -> PyExpr {
    let all = |items: Vec<PyExpr>| items.into_iter().map(plain).collect();
    let arguments = |args: Vec<PythonArgument>| {
        args.into_iter().map(|arg| PythonArgument { keyword: arg.keyword, value: plain(arg.value) }).collect()
    };
    match expr {
        PyExpr::Name(name) => match name.as_str() {
            "true" => PyExpr::Bool(true),
            "false" => PyExpr::Bool(false),
            "null" => PyExpr::Nothing,
            _ => PyExpr::Name(name),
        },
        PyExpr::Call(name, args) => PyExpr::Call(name, arguments(args)),
        PyExpr::Method(on, name, args) => PyExpr::Method(Box::new(plain(*on)), name, arguments(args)),
        PyExpr::Attribute(on, name) => PyExpr::Attribute(Box::new(plain(*on)), name),
        PyExpr::Index(on, index) => PyExpr::Index(Box::new(plain(*on)), Box::new(plain(*index))),
        PyExpr::List(items) => PyExpr::List(all(items)),
        PyExpr::Tuple(items) => PyExpr::Tuple(all(items)),
        PyExpr::Set(items) => PyExpr::Set(all(items)),
        PyExpr::Dict(pairs) => {
            PyExpr::Dict(pairs.into_iter().map(|(key, value)| (plain(key), plain(value))).collect())
        }
        literal @ (PyExpr::Nothing
        | PyExpr::Bool(_)
        | PyExpr::Int(_)
        | PyExpr::Float(_)
        | PyExpr::Text(_)) => literal,
    }
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
