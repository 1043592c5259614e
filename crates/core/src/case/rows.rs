//! The rows of a case file: each is a case of its own, with the steps of the file and its own values.

use super::diagnostic::{Diagnostic, did_you_mean};
use super::keys::is_of_last_step;
use super::model::Exercise;
use super::reader::{self, Entry};
use super::syntax::{is_name, parse_expr};
use crate::messages::{LocalText, shortened};
use crate::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The most rows of a file.
const MOST_ROWS: usize = 1000;

/// The most characters of a value in a title.
const MOST_SHOWN: usize = 60;

/// A case of a file: the file itself, or one of its rows.
pub(super) struct CaseRow<'i> {
    /// The row's number from 1 and its place, where a reader looks for it; `None` for a file without rows.
    pub(super) number: Option<(usize, Range<usize>)>,
    /// The table of the case: that of the file, with what the row says in its place.
    pub(super) table: DeTable<'i>,
    /// The values, in the order of the row.
    pub(super) given: Vec<Given>,
    /// Whether the row has a title.
    titled: bool,
}

/// A value that a row gives.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) name: String,
    /// The bytes of the name.
    pub(super) span: Range<usize>,
    /// The value.
    pub(super) value: Value,
}

impl CaseRow<'_> {
    /// The name of the case, in the file called `file`.
    pub(super) fn name(&self, file: &str) -> String {
        self.number.as_ref().map_or_else(|| file.to_owned(), |(number, _)| format!("{file}[{number}]"))
    }

    /// The values by name.
    pub(super) fn values(&self) -> BTreeMap<String, Value> {
        self.given.iter().map(|given| (given.name.clone(), given.value.clone())).collect()
    }

    /// The bytes of the title in the file; `None` for the default title of a row.
    pub(super) fn title_span(&self) -> Option<Range<usize>> {
        reader::get(&self.table, "title").map(Entry::span).filter(|_| self.titled)
    }

    /// The title of the case: its own, or that of the file with the values. Students read the title of a
    /// hidden case too, so that has its number instead.
    pub(super) fn title(&self, exercise: &Exercise, file: &str) -> LocalText {
        let title = reader::local_text(&self.table, "title");
        let title = title.unwrap_or_else(|| LocalText::Plain(file.to_owned()));
        let Some((number, _)) = self.number.as_ref().filter(|_| !self.titled) else { return title };
        let shown = |given: &Given| {
            format!("{} = {}", given.name, shortened(&exercise.session.literal(&given.value), MOST_SHOWN))
        };
        let given: Vec<String> = self.given.iter().map(shown).collect();
        let is_hidden = reader::truth(&self.table, "hidden");
        let end = if is_hidden || given.is_empty() {
            format!(" [{number}]")
        } else {
            format!(": {}", given.join(", "))
        };
        with_end(title, &end)
    }
}

/// A title in each of its languages, with this at its end.
pub(super) fn with_end(title: LocalText, end: &str) -> LocalText {
    match title {
        LocalText::Plain(title) => LocalText::Plain(title + end),
        LocalText::PerLang(titles) => {
            LocalText::PerLang(titles.into_iter().map(|(lang, title)| (lang, title + end)).collect())
        }
    }
}

/// The cases of a file; what is wrong about its rows goes to `errors`.
pub(super) fn rows<'i>(
    exercise: &Exercise,
    source: &str,
    mut table: DeTable<'i>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<CaseRow<'i>> {
    let Some(entry) = table.remove("row") else {
        return vec![CaseRow { number: None, table, given: Vec::new(), titled: true }];
    };
    let whole = entry.span();
    let DeValue::Array(items) = entry.into_inner() else { return Vec::new() };
    if items.is_empty() {
        errors
            .push(Diagnostic::new("the case has no row", whole.clone()).help("add one, or leave `row` out"));
    }
    if items.len() > MOST_ROWS {
        let many = format!("the case has {} rows", items.len());
        errors.push(Diagnostic::new(many, whole).help(format!("a file has at most {MOST_ROWS}")));
        return Vec::new();
    }
    let mut rows: Vec<CaseRow<'i>> = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let whole = item.span();
        let DeValue::Table(own) = item.into_inner() else { continue };
        let first = reader::in_order(&own).next().map(|(_, span, _)| span);
        if first.is_none() {
            errors.push(
                Diagnostic::new("the row is empty", whole.clone())
                    .help("give it values, and what is expected: given = { n = 4 }, returns = …"),
            );
        }
        let mut given = given(exercise, source, &own, errors);
        let place = first.unwrap_or(whole);
        if let Some(earlier) = rows.first() {
            compare(&earlier.given, &given, &place, errors);
            // What a row lacks is reported once, not again where it is used.
            let lacks = |first: &&Given| !given.iter().any(|given| given.name == first.name);
            let missing: Vec<Given> = earlier.given.iter().filter(lacks).cloned().collect();
            given.extend(missing);
        }
        let titled = own.contains_key("title");
        let table = merged(table.clone(), own);
        rows.push(CaseRow { number: Some((index + 1, place)), table, given, titled });
    }
    rows
}

/// The table of a file, with what a row says: of the last step, and of the case.
fn merged<'i>(mut table: DeTable<'i>, row: DeTable<'i>) -> DeTable<'i> {
    let mut said = Vec::new();
    for (key, entry) in row {
        if is_of_last_step(key.get_ref()) {
            said.push((key, entry));
        } else if key.get_ref() != "given" {
            // An entry that is replaced would keep the place of its old key.
            table.remove(key.get_ref().as_ref());
            table.insert(key, entry);
        }
    }
    let steps = table.get_mut("step").map(toml::Spanned::get_mut);
    if let Some(DeValue::Array(steps)) = steps
        && let Some(DeValue::Table(last)) = steps.last_mut().map(toml::Spanned::get_mut)
    {
        for (key, entry) in said {
            last.remove(key.get_ref().as_ref());
            last.insert(key, entry);
        }
    }
    table
}

/// The values of a row.
fn given(exercise: &Exercise, source: &str, row: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Vec<Given> {
    let mut all = Vec::new();
    for (name, span, entry) in reader::entries(row, "given") {
        if !is_name(name) {
            errors.push(
                Diagnostic::new(format!("`{name}` is not a name"), span)
                    .help("a name has letters, digits and `_`, and does not start with a digit"),
            );
            continue;
        }
        if exercise.definitions().any(|defined| defined == name) {
            errors.push(
                Diagnostic::new(format!("`{name}` is a name that the submission defines"), span)
                    .help("give the value another name"),
            );
            continue;
        }
        let value = match entry.get_ref() {
            DeValue::Table(table) => literal(source, table, errors),
            _ => reader::plain(entry.get_ref()),
        };
        // A value that is none was reported; its name is not reported as missing too.
        all.push(Given { name: name.to_owned(), span, value: value.unwrap_or(Value::None) });
    }
    all
}

/// The value of `{ literal = "…" }`.
fn literal(source: &str, table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Option<Value> {
    let entry = reader::get(table, "literal")?;
    let text = entry.get_ref().as_str()?;
    let problem = match parse_expr(text) {
        Ok(expr) => match expr.literal() {
            Some(value) => return Some(value),
            None => Diagnostic::new("`literal` takes a literal", entry.span())
                .help("write a value such as \"(1, 2)\"; names and calls belong in `do`"),
        },
        Err(error) => {
            let span = reader::inside(source, &entry.span(), text, &error.span);
            Diagnostic::new(error.message, span).maybe_help(error.help)
        }
    };
    errors.push(problem);
    None
}

/// Reports the names that a row gives, or does not give, unlike the first row.
fn compare(first: &[Given], row: &[Given], place: &Range<usize>, errors: &mut Vec<Diagnostic>) {
    let has = |all: &[Given], name: &str| all.iter().any(|given| given.name == name);
    let missing: Vec<&str> =
        first.iter().map(|given| given.name.as_str()).filter(|name| !has(row, name)).collect();
    for given in row.iter().filter(|given| !has(first, &given.name)) {
        let message = format!("the first row does not give `{}`", given.name);
        let help = did_you_mean(&given.name, missing.iter().copied());
        let help = help.unwrap_or_else(|| "each row gives the same names".to_owned());
        errors.push(Diagnostic::new(message, given.span.clone()).help(help));
    }
    let extra = row.iter().any(|given| !has(first, &given.name));
    for name in missing.into_iter().filter(|_| !extra) {
        let message = format!("the row does not give `{name}`, as the first row does");
        errors.push(Diagnostic::new(message, place.clone()).help("each row gives the same names"));
    }
}
