//! Reads `exercise.toml`.

use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::keys;
use super::lexer::is_name;
use super::limits::{LimitsPatch, parse_size, parse_time};
use super::model::{Class, Exercise, Function, Parameter};
use super::reader::{self, Entry};
use super::resolve::{self, Looking};
use crate::languages;
use crate::messages::{Lang, LocalText};

use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;

/// Reads the exercise `name` from `source`; errors call the file `path`.
///
/// # Errors
/// All errors in the file.
pub fn parse_exercise(name: &str, path: &str, source: &str) -> Result<Exercise, FileErrors> {
    let (table, mut errors) = reader::read(source, keys::EXERCISE);
    let session = reader::text(&table, "session").and_then(languages::find);
    let session = session.map_or(languages::SESSION, |language| language.notation);
    let exercise = Exercise {
        name: name.to_owned(),
        title: reader::local_text(&table, "title").unwrap_or_else(|| LocalText::Plain(name.to_owned())),
        session,
        lang: reader::text(&table, "lang").and_then(Lang::from_code).unwrap_or(Lang::En),
        reference: reader::text(&table, "reference").map(str::to_owned),
        points: reader::points(&table, "points"),
        raises: reader::text(&table, "raises").map(str::to_owned),
        strict_load: reader::truth(&table, "strict_load"),
        files: reader::by_name(&table, "files", &mut |span, entry| files(span, entry, &mut errors)),
        programs: reader::by_name(&table, "programs", &mut |span, entry| files(span, entry, &mut errors)),
        limits: limits(&table, &mut errors),
        classes: reader::by_name(&table, "class", &mut |_, entry| class(entry, &mut errors)),
        functions: reader::by_name(&table, "function", &mut |_, entry| function(entry, &mut errors)),
        views: reader::by_name(&table, "view", &mut |_, entry| own_texts(entry)),
        names: reader::by_name(&table, "names", &mut |_, entry| names(entry)),
    };
    if errors.is_empty() {
        check_references(&exercise, &table, source, &mut errors);
    }
    if errors.is_empty() { Ok(exercise) } else { Err(FileErrors::new(path, source, errors)) }
}

/// The limits in a file's `[limits]`.
pub(super) fn limits(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> LimitsPatch {
    let mut limits = LimitsPatch::default();
    for (name, _, entry) in reader::entries(table, "limits") {
        let Some(text) = entry.get_ref().as_str() else { continue };
        let result = match name {
            "cpu" => parse_time(text).map(|time| limits.cpu = Some(time)),
            "wall" => parse_time(text).map(|time| limits.wall = Some(time)),
            "memory" => parse_size(text).map(|size| limits.memory = Some(size)),
            "output" => parse_size(text).map(|size| limits.output = Some(size)),
            "submission" => parse_time(text).map(|time| limits.submission = Some(time)),
            _ => Ok(()),
        };
        if let Err(message) = result {
            errors.push(Diagnostic::new(message, entry.span()));
        }
    }
    limits
}

fn files(span: &Range<usize>, entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Vec<String> {
    let names = reader::entry_texts(entry);
    if names.is_empty() {
        errors.push(Diagnostic::new("a language has no file names", span.clone()));
    }
    for (name, span) in &names {
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            errors.push(
                Diagnostic::new(format!("`{name}` is not a file name"), span.clone())
                    .help("write a plain name such as `board.py`, without a folder"),
            );
        }
    }
    own_texts(entry)
}

/// The strings of a list, or the string alone.
fn own_texts(entry: &Entry<'_>) -> Vec<String> {
    reader::entry_texts(entry).into_iter().map(|(text, _)| text.to_owned()).collect()
}

fn class(entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Class {
    let Some(table) = entry.get_ref().as_table() else { return Class::default() };
    let mut method = |_: &Range<usize>, entry: &Entry<'_>| parameters(reader::entry_texts(entry), errors);
    let methods = reader::by_name(table, "methods", &mut method);
    Class { new: parameters(reader::texts(table, "new"), errors), methods }
}

fn function(entry: &Entry<'_>, errors: &mut Vec<Diagnostic>) -> Function {
    let table = entry.get_ref().as_table();
    let args = table.map(|table| reader::texts(table, "args")).unwrap_or_default();
    let returns = table.and_then(|table| reader::text(table, "returns")).map(|name| {
        match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(item) => (item.to_owned(), true),
            None => (name.to_owned(), false),
        }
    });
    let any_order = table.is_some_and(|table| reader::truth(table, "any_order"));
    Function { args: parameters(args, errors), returns, any_order }
}

fn parameters(texts: Vec<(&str, Range<usize>)>, errors: &mut Vec<Diagnostic>) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (text, span) in texts {
        let (name, optional) = match text.strip_suffix('?') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let problem = if !is_name(name) {
            Some(format!("`{text}` is not a parameter's name"))
        } else if parameters.iter().any(|earlier| earlier.name == name) {
            Some(format!("parameter `{name}` appears twice"))
        } else if !optional && parameters.last().is_some_and(|last| last.optional) {
            Some(format!("parameter `{name}` follows an optional one"))
        } else {
            None
        };
        if let Some(problem) = problem {
            errors.push(Diagnostic::new(problem, span).help("write `name`, or `name?` if it is optional"));
        }
        parameters.push(Parameter { name: name.to_owned(), optional });
    }
    parameters
}

/// The spellings of the exercise's names in a language.
fn names(entry: &Entry<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (neutral, own) in entry.get_ref().as_table().into_iter().flatten() {
        if let Some(own) = own.get_ref().as_str() {
            names.insert(neutral.get_ref().to_string(), own.to_owned());
        }
    }
    names
}

/// Checks that references within the file lead somewhere.
fn check_references(exercise: &Exercise, table: &DeTable<'_>, source: &str, errors: &mut Vec<Diagnostic>) {
    if exercise.definitions().next().is_none() && exercise.programs.is_empty() {
        errors.push(
            Diagnostic::new("the exercise defines neither a class nor a function", 0..0).help(
                "say what a submission must define: [class.Name] or [function]; or name its [programs]",
            ),
        );
    }
    for (name, _, entry) in reader::entries(table, "function") {
        let Some(function) = exercise.functions.get(name) else { continue };
        if let Some((view, _)) = &function.returns
            && !exercise.views.contains_key(view)
        {
            let span = entry
                .get_ref()
                .as_table()
                .and_then(|table| reader::get(table, "returns"))
                .map_or_else(|| entry.span(), Entry::span);
            let help = did_you_mean(view, exercise.views.keys().map(String::as_str));
            errors.push(Diagnostic::new(format!("there is no [view] for `{view}`"), span).maybe_help(help));
        }
    }
    let known: Vec<&str> = exercise
        .definitions()
        .chain(exercise.classes.values().flat_map(|class| class.methods.keys().map(String::as_str)))
        .collect();
    for (_, _, entry) in reader::entries(table, "names") {
        for (neutral, _) in entry.get_ref().as_table().into_iter().flatten() {
            if !known.contains(&neutral.get_ref().as_ref()) {
                let help = did_you_mean(neutral.get_ref(), known.iter().copied());
                let message = format!("the exercise does not define `{}`", neutral.get_ref());
                errors.push(Diagnostic::new(message, neutral.span()).maybe_help(help));
            }
        }
    }
    for (name, _, entry) in reader::entries(table, "view") {
        let mut looking = Looking::at(name);
        for (part, span) in reader::entry_texts(entry) {
            if let Err(error) = resolve::view_part(exercise, part, &mut looking) {
                let inner = reader::inside(source, &span, part, &error.span);
                errors.push(Diagnostic::new(error.message, inner).maybe_help(error.help));
            }
        }
    }
}
