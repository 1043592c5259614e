//! Reads the instructor's own checks in a case file.

use super::case_file::CaseReader;
use super::diagnostic::Diagnostic;
use super::expect::CustomCheck;
use super::folder::{check_path, path_in};
use super::reader::{self, Entry};
use super::syntax::is_name;
use crate::value::Value;
use std::ops::Range;
use std::path::Path;
use toml::de::DeTable;

/// How to write a check.
const FORM: &str = "write its file and its function: { check = \"checker.py:is_path\" }";

impl CaseReader<'_> {
    /// Reports `with` in a matcher that is not a check.
    pub(super) fn check_with(&mut self, table: &DeTable<'_>, kind: Option<&str>) {
        if let Some(entry) = reader::get(table, "with").filter(|_| kind != Some("check")) {
            self.error("`with` needs `check`", entry.span(), None);
        }
    }

    /// Reads the matcher `{ check = …, with = … }`; `None` after reporting an error.
    pub(super) fn custom_check(&mut self, table: &DeTable<'_>) -> Option<CustomCheck> {
        let span = reader::get(table, "check").map(Entry::span)?;
        let text = reader::text(table, "check")?;
        let with = match reader::get(table, "with").and_then(|entry| reader::plain(entry.get_ref())) {
            Some(Value::List(values)) => values,
            Some(_) | None => Vec::new(),
        };
        match function_in(self.exercise.folder.as_deref(), text, span) {
            Ok((file, function)) => {
                Some(CustomCheck { file: file.to_owned(), function: function.to_owned(), with })
            }
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }
}

/// The file and the function that a `check` names.
///
/// # Errors
/// The text does not name a file and a function, or the file cannot be read.
fn function_in<'t>(
    folder: Option<&Path>,
    text: &'t str,
    span: Range<usize>,
) -> Result<(&'t str, &'t str), Diagnostic> {
    let error = |message: String| Diagnostic::new(message, span.clone());
    let malformed = |message: String| error(message).maybe_help(Some(FORM.to_owned()));
    let (file, function) =
        text.rsplit_once(':').ok_or_else(|| malformed(format!("`{text}` names no function")))?;
    if !is_name(function) {
        return Err(malformed(format!("`{function}` is not the name of a function")));
    }
    check_path(file).map_err(|(message, _)| malformed(message))?;
    if !file.ends_with(".py") {
        return Err(malformed(format!("`{file}` is not a file of Python")));
    }
    let folder = folder.ok_or_else(|| error("a built-in exercise has no folder with checks".to_owned()))?;
    path_in(folder, file)
        .map_err(|problem| error(format!("the check `{file}` cannot be read: {problem}")))?;
    Ok((file, function))
}
