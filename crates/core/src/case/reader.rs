//! Reads a TOML file against its registry of keys, and collects every error with its place.
//!
//! With `serde` the first error would be the only one.

use super::bounds::{self, MOST_ERRORS};
use super::diagnostic::{Diagnostic, did_you_mean, near};
use super::keys::{CASE, Key, ROW, STEP, Shape};
use super::points::Points;
use crate::messages::{Lang, LocalText};
use crate::named::Named;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of a file, with its place.
pub type Entry<'i> = Spanned<DeValue<'i>>;

/// Parses `source` as TOML and checks it against `keys`; returns the table and all errors.
pub fn read<'i>(source: &'i str, keys: &'static [Key]) -> (DeTable<'i>, Vec<Diagnostic>) {
    if let Some(too_large) = bounds::check_text(source) {
        return (DeTable::new(), vec![too_large]);
    }
    let (table, errors) = DeTable::parse_recoverable(source);
    let mut quoted_lines = BTreeSet::new();
    let mut diagnostics: Vec<Diagnostic> = errors
        .iter()
        .take(MOST_ERRORS)
        .map(|error| (error, error.span().unwrap_or(0..0)))
        // A line with quotes of a word processor, or a value of Python, has one error.
        .filter(|(_, span)| {
            let (start, line) = line_at(source, span.start);
            !(has_typographic_quotes(line) || value_of_python(line).is_some()) || quoted_lines.insert(start)
        })
        .map(|(error, span)| {
            if let Some(diagnostic) = slip(source, &span, keys) {
                return diagnostic;
            }
            let word = source.get(span.clone()).and_then(word_of_a_language);
            word.map_or_else(
                || Diagnostic::new(error.message().trim(), span.clone()),
                |(word, help)| Diagnostic::new(format!("TOML has no `{word}`"), span.clone()).help(help),
            )
        })
        .collect();
    let table = table.into_inner();
    // After a syntax error, the recovered table lacks keys that the author did write.
    let errors = diagnostics.len();
    bounds::check_table(&table, &mut diagnostics);
    // What is too much is not looked at further, nor what was read as values between the wrong quotes.
    if diagnostics.len() > errors || !quoted_lines.is_empty() {
        return (DeTable::new(), diagnostics);
    }
    if errors == 0 {
        check_table(&table, 0..0, keys, &mut diagnostics);
    }
    (table, diagnostics)
}

/// The start and the text of the line of byte `at`.
fn line_at(source: &str, at: usize) -> (usize, &str) {
    let at = source.floor_char_boundary(at.min(source.len()));
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    (start, source[start..].lines().next().unwrap_or_default())
}

/// The key for a literal of Python, and the tuple, set or dictionary on a line that is meant for it.
fn value_of_python(line: &str) -> Option<(&'static str, &str)> {
    let (key, value) = line.split_once('=')?;
    let value = value.trim();
    let is_value = matches!(key.trim(), "returns" | "equals")
        && (value.starts_with('(') && value.ends_with(')')
            || value.starts_with('{') && value.ends_with('}') && !value.contains('=') && value.len() > 2);
    is_value.then_some(("equals", value))
}

fn has_typographic_quotes(text: &str) -> bool {
    text.contains(['“', '”', '„', '‘', '’', '«', '»'])
}

/// A syntax error that is a usual slip, with what to write.
fn slip(source: &str, span: &Range<usize>, keys: &'static [Key]) -> Option<Diagnostic> {
    let (start, line) = line_at(source, span.start);
    if let Some((key, value)) = value_of_python(line) {
        let message = format!("TOML has no such value: `{value}`");
        let help = format!("write it as a text: {key} = \"{}\"", value.replace('"', "'"));
        return Some(Diagnostic::new(message, span.clone()).help(help));
    }
    if has_typographic_quotes(line) {
        let message = "quotes of a word processor are no quotes of TOML";
        return Some(Diagnostic::new(message, span.clone()).help("write straight quotes: \"…\""));
    }
    let name = line.split_once('=')?.0.trim();
    let is_words = name.contains(' ') && name.chars().all(|ch| ch.is_alphanumeric() || " _-".contains(ch));
    if !is_words || span.start > start + line.find('=')? {
        return None;
    }
    let mut known = Vec::new();
    names_in(keys, 0, &mut known);
    let (first, joined) = (name.split(' ').next()?, name.replace(' ', "_"));
    let meant = near(&joined, known.iter().copied()).or_else(|| near(first, known.iter().copied()));
    let help = meant.map(|meant| format!("did you mean `{meant}`?"));
    Some(
        Diagnostic::new(format!("a key is one word, and `{name}` is several"), span.clone()).maybe_help(help),
    )
}

/// The names of keys and of those in their tables, to a depth at which the tables of a case end.
fn names_in(keys: &'static [Key], depth: usize, names: &mut Vec<&'static str>) {
    const DEEPEST: usize = 4;
    for key in keys {
        names.push(key.name);
        let mut shape = &key.shape;
        while let Shape::ListOf(inner) | Shape::MapOf(inner) = shape {
            shape = inner;
        }
        if let Shape::Table(inner) | Shape::OneOf(_, inner) = shape
            && depth < DEEPEST
        {
            names_in(inner, depth + 1, names);
        }
    }
}

/// A value as a programming language writes it, and how TOML does.
fn word_of_a_language(text: &str) -> Option<(&str, &'static str)> {
    let help = match text.trim() {
        "None" | "null" | "nil" | "undefined" => {
            "a step that expects nothing to be returned says equals = \"None\""
        }
        "True" => "write true",
        "False" => "write false",
        _ => return None,
    };
    Some((text.trim(), help))
}

/// The value of `key`.
pub fn get<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t Entry<'i>> {
    table.get(key)
}

/// The string behind `key`; `None` for another type, which the check has reported.
pub fn text<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    get(table, key)?.get_ref().as_str()
}

/// The boolean behind `key`, else false.
pub fn truth(table: &DeTable<'_>, key: &str) -> bool {
    get(table, key).and_then(|entry| entry.get_ref().as_bool()).unwrap_or(false)
}

/// The strings behind `key`, with their places.
pub fn texts<'t>(table: &'t DeTable<'_>, key: &str) -> Vec<(&'t str, Range<usize>)> {
    get(table, key).map(entry_texts).unwrap_or_default()
}

/// The strings of a list, or the string alone, with their places.
pub(crate) fn entry_texts<'t>(entry: &'t Entry<'_>) -> Vec<(&'t str, Range<usize>)> {
    match entry.get_ref() {
        DeValue::String(text) => vec![(text.as_ref(), entry.span())],
        DeValue::Array(items) => {
            items.iter().filter_map(|item| Some((item.get_ref().as_str()?, item.span()))).collect()
        }
        _ => Vec::new(),
    }
}

/// The entries of the table behind `key`, in file order.
pub(crate) fn entries<'t, 'i>(
    table: &'t DeTable<'i>,
    key: &str,
) -> impl Iterator<Item = (&'t str, Range<usize>, &'t Entry<'i>)> {
    get(table, key).and_then(|entry| entry.get_ref().as_table()).into_iter().flat_map(in_order)
}

/// The entries of the table behind `key`, by name, each converted by `read`.
pub(crate) fn by_name<'i, T>(
    table: &DeTable<'i>,
    key: &str,
    read: &mut dyn FnMut(&Range<usize>, &Entry<'i>) -> T,
) -> BTreeMap<String, T> {
    let mut all = BTreeMap::new();
    for (name, span, entry) in entries(table, key) {
        all.insert(name.to_owned(), read(&span, entry));
    }
    all
}

/// The entries of a table, in file order.
pub fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> impl Iterator<Item = (&'t str, Range<usize>, &'t Entry<'i>)> {
    let mut entries: Vec<_> =
        table.iter().map(|(key, entry)| (key.get_ref().as_ref(), key.span(), entry)).collect();
    entries.sort_by_key(|(_, span, _)| span.start);
    entries.into_iter()
}

/// The text per language behind `key`.
pub(crate) fn local_text(table: &DeTable<'_>, key: &str) -> Option<LocalText> {
    match get(table, key)?.get_ref() {
        DeValue::String(text) => Some(LocalText::Plain(text.to_string())),
        DeValue::Table(entries) => {
            let mut texts = BTreeMap::new();
            for (lang, text) in entries {
                if let (Some(lang), Some(text)) = (Lang::from_name(lang.get_ref()), text.get_ref().as_str()) {
                    texts.insert(lang, text.to_owned());
                }
            }
            Some(LocalText::PerLang(texts))
        }
        _ => None,
    }
}

/// The points behind `key`.
pub(crate) fn points(table: &DeTable<'_>, key: &str) -> Option<Points> {
    points_of(get(table, key)?.get_ref())
}

/// The value of a TOML number.
pub fn number(value: &DeValue<'_>) -> Option<f64> {
    let value = plain(value)?;
    if let Value::Int(int) = value {
        return Some(int.to_f64());
    }
    let Value::Float(float) = value else { return None };
    Some(float)
}

/// The whole number of a TOML number; `None` if it is not whole, or negative.
pub(crate) fn whole(value: &DeValue<'_>) -> Option<u32> {
    let Value::Int(int) = plain(value)? else { return None };
    u32::try_from(int.to_i64()?).ok()
}

/// The value of a TOML value; `None` for a table or a date, or a list that contains one.
pub(crate) fn plain(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::from(text.as_ref())),
        DeValue::Integer(integer) if integer.radix() == 10 => {
            integer.as_str().replace('_', "").trim_start_matches('+').parse().ok().map(Value::Int)
        }
        DeValue::Integer(integer) => {
            i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok().map(Value::from)
        }
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok().map(Value::Float),
        DeValue::Boolean(truth) => Some(Value::from(*truth)),
        DeValue::Array(items) => {
            items.iter().map(|item| plain(item.get_ref())).collect::<Option<Vec<_>>>().map(Value::List)
        }
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// The place in the file of a place in a string, if the string is written without escapes; else the whole
/// string.
pub(crate) fn inside(source: &str, string: &Range<usize>, text: &str, inner: &Range<usize>) -> Range<usize> {
    let raw = source.get(string.clone()).unwrap_or("");
    let Some(quotes) = ["\"\"\"", "'''", "\"", "'"].iter().find(|quotes| raw.starts_with(**quotes)) else {
        return string.clone();
    };
    let body = raw.get(quotes.len()..raw.len().saturating_sub(quotes.len())).unwrap_or("");
    if body == text {
        let start = string.start + quotes.len();
        start + inner.start..start + inner.end
    } else {
        string.clone()
    }
}

fn points_of(value: &DeValue<'_>) -> Option<Points> {
    match value {
        DeValue::Integer(integer) if integer.radix() == 10 => {
            Points::parse(&integer.as_str().replace('_', ""))
        }
        DeValue::Float(float) => Points::parse(&float.as_str().replace('_', "")),
        _ => None,
    }
}

fn check_table(table: &DeTable<'_>, span: Range<usize>, keys: &'static [Key], out: &mut Vec<Diagnostic>) {
    let is_matcher = keys.iter().any(|key| key.name == "not_same");
    if is_matcher && !table.keys().any(|name| keys.iter().any(|key| key.name == name.get_ref())) {
        let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
        out.push(Diagnostic::new("a table here is a matcher, and this is none", span).help(format!(
            "a dictionary is written equals = \"{{'a': 1}}\"; matchers are {}",
            known.join(", ")
        )));
        return;
    }
    for (name, entry) in table {
        if out.len() >= MOST_ERRORS {
            return;
        }
        match keys.iter().find(|key| key.name == name.get_ref()) {
            Some(key) => check(key.name, entry, &key.shape, out),
            None => out.push(unknown_key(name.get_ref(), name.span(), keys)),
        }
    }
    for key in keys.iter().filter(|key| key.required && !table.contains_key(key.name)) {
        out.push(Diagnostic::new(format!("`{}` is missing", key.name), span.clone()).help(format!(
            "{}: {}",
            key.doc,
            key.shape.expected()
        )));
    }
}

/// Checks that a table has exactly one of the keys `names`.
fn check_one_of(table: &DeTable<'_>, span: Range<usize>, names: &[&str], out: &mut Vec<Diagnostic>) {
    let mut found = names.iter().filter(|name| table.contains_key(**name));
    let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (found.next(), found.next()) {
        (None, _) => {
            let first = names.first().copied().unwrap_or_default();
            let missing = Diagnostic::new(format!("`{first}` is missing"), span);
            out.push(missing.help(format!("a step has one of {all}")));
        }
        (Some(one), Some(other)) => {
            let both = Diagnostic::new(format!("a step has either `{one}` or `{other}`"), span);
            out.push(both.help(format!("it has one of {all}: write two steps")));
        }
        (Some(_), None) => {}
    }
}

fn unknown_key(name: &str, span: Range<usize>, keys: &'static [Key]) -> Diagnostic {
    let has = |registry: &[Key]| registry.iter().any(|key| key.name == name);
    // Only these tables of both files have the key.
    let in_step = keys.iter().any(|key| key.name == "do");
    let in_row = keys.iter().any(|key| key.name == "given");
    let in_case = keys.iter().any(|key| key.name == "step");
    let unknown = Diagnostic::new(format!("unknown key `{name}`"), span.clone());
    if in_step && has(CASE) {
        return Diagnostic::new(format!("`{name}` is below a [[step]], so it belongs to that step"), span)
            .help("move it up, above the first [[step]]");
    }
    if in_row && (has(CASE) || has(STEP)) {
        return Diagnostic::new(format!("`{name}` is below a [[row]], so it belongs to that row"), span)
            .help("a row has values, and what is expected of the last step; move it up, above the first [[row]]");
    }
    if in_case && has(STEP) {
        return unknown.help(format!("`{name}` belongs to a step: write it below a [[step]]"));
    }
    unknown.maybe_help(did_you_mean(name, keys.iter().map(|key| key.name)))
}

fn check(name: &str, entry: &Entry<'_>, shape: &'static Shape, out: &mut Vec<Diagnostic>) {
    let value = entry.get_ref();
    match (shape, value) {
        (Shape::Table(keys), DeValue::Table(table)) => check_table(table, entry.span(), keys, out),
        (Shape::OneOf(names, keys), DeValue::Table(table)) => {
            check_table(table, entry.span(), keys, out);
            check_one_of(table, entry.span(), names, out);
        }
        (Shape::Row, DeValue::Table(table)) => check_table(table, entry.span(), &ROW, out),
        (Shape::MapOf(shape), DeValue::Table(table)) => {
            table.iter().for_each(|(name, entry)| check(name.get_ref(), entry, shape, out));
        }
        (Shape::ListOf(shape), DeValue::Array(items)) => {
            items.iter().for_each(|item| check(name, item, shape, out));
        }
        (Shape::LocalText, DeValue::Table(table)) => check_langs(name, entry.span(), table, out),
        (Shape::Choice(words), DeValue::String(word)) if !words.contains(&word.as_ref()) => {
            let help = near(word, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            out.push(
                Diagnostic::new(
                    format!("`{name}` is \"{word}\"; it should be {}", shape.expected()),
                    entry.span(),
                )
                .maybe_help(help),
            );
        }
        (Shape::Either(shapes), _) => {
            match shapes.iter().find(|shape| fits(value, shape)) {
                Some(shape) => check(name, entry, shape, out),
                None => out.push(misfit(name, entry, shape)),
            };
        }
        _ if fits(value, shape) => {}
        (Shape::ListOf(_), DeValue::Table(_)) => {
            out.push(misfit(name, entry, shape).help(format!("it is a list of tables: write [[{name}]]")));
        }
        _ => out.push(misfit(name, entry, shape)),
    }
}

fn check_langs(name: &str, span: Range<usize>, table: &DeTable<'_>, out: &mut Vec<Diagnostic>) {
    if table.is_empty() {
        out.push(
            Diagnostic::new(format!("`{name}` has no text"), span)
                .help("give one per language: { en = \"…\" }"),
        );
    }
    for (lang, text) in table {
        if Lang::from_name(lang.get_ref()).is_none() {
            out.push(
                Diagnostic::new(format!("unknown language `{}`", lang.get_ref()), lang.span())
                    .help("known here: nl, da, en"),
            );
        } else if !text.get_ref().is_str() {
            out.push(misfit(lang.get_ref(), text, &Shape::Text));
        }
    }
}

fn misfit(name: &str, entry: &Entry<'_>, shape: &Shape) -> Diagnostic {
    let found = match entry.get_ref() {
        DeValue::Table(_) => "a table",
        DeValue::Array(_) => "a list",
        DeValue::Datetime(_) => "a date",
        DeValue::String(_) => "a string",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
    };
    Diagnostic::new(format!("`{name}` cannot be {found}"), entry.span())
        .help(format!("it should be {}", shape.expected()))
}

fn fits(value: &DeValue<'_>, shape: &Shape) -> bool {
    match shape {
        Shape::Text | Shape::Choice(_) => value.is_str(),
        Shape::LocalText => value.is_str() || value.is_table(),
        Shape::Texts => {
            value.as_array().is_some_and(|items| items.iter().all(|item| item.get_ref().is_str()))
        }
        Shape::TextOrTexts => fits(value, &Shape::Text) || fits(value, &Shape::Texts),
        Shape::Bool => value.is_bool(),
        Shape::DateTime => value.is_datetime(),
        Shape::True => value.as_bool() == Some(true),
        Shape::Points => points_of(value).is_some(),
        Shape::Number => number(value).is_some(),
        Shape::Numbers => {
            value.as_array().is_some_and(|items| items.iter().all(|item| item.get_ref().is_integer()))
        }
        Shape::Table(_) | Shape::OneOf(..) | Shape::Row | Shape::MapOf(_) => value.is_table(),
        Shape::ListOf(_) => value.is_array(),
        Shape::List => value.is_array() && plain(value).is_some(),
        Shape::Value => plain(value).is_some(),
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(value, shape)),
    }
}

/// The bytes of a step: of its `do`, `run` or `play`, where a reader looks for it.
pub(super) fn step_span(table: &DeTable<'_>, whole: Range<usize>) -> Range<usize> {
    ["do", "run", "play"].iter().find_map(|key| get(table, key)).map_or(whole, Entry::span)
}

/// The bytes of the first of these keys that a step of a case file has; `step` are those of what it does. `None`
/// if there is no such step, or none of these keys.
pub(super) fn key_span(source: &str, step: &Range<usize>, keys: &[&str]) -> Option<Range<usize>> {
    let file = DeTable::parse(source).ok()?;
    let steps = get(file.get_ref(), "step")?.get_ref().as_array()?;
    let tables = steps.iter().filter_map(|entry| Some((entry.get_ref().as_table()?, entry.span())));
    let (table, _) = tables.into_iter().find(|(table, whole)| step_span(table, whole.clone()) == *step)?;
    keys.iter().find_map(|key| get(table, key)).map(Entry::span)
}

#[cfg(test)]
mod tests {
    use super::{entries, in_order};
    use toml::de::DeTable;

    #[test]
    fn entries_come_in_the_order_of_the_file() {
        let document = DeTable::parse("[view]\nlast = 1\nfirst = 2\n\n[limits]\n").unwrap();
        let names: Vec<&str> = in_order(document.get_ref()).map(|(name, _, _)| name).collect();
        assert_eq!(names, ["view", "limits"]);
        let names: Vec<&str> = entries(document.get_ref(), "view").map(|(name, _, _)| name).collect();
        assert_eq!(names, ["last", "first"]);
    }
}
