//! Reads the checks of the instructor's own in a case.

use super::case_file::CaseReader;
use super::expect::CustomCheck;
use super::folder::{check_path, path_in};
use super::reader::{self, Entry};
use super::syntax::is_name;
use crate::value::Value;
use toml::de::DeTable;

/// How to write a check.
const FORM: &str = "write its file and its function: { check = \"checker.py:is_path\" }";

impl CaseReader<'_> {
    /// Reports values for a check in a matcher of another `kind`.
    pub(super) fn check_with(&mut self, table: &DeTable<'_>, kind: Option<&str>) {
        if let Some(entry) = reader::get(table, "with").filter(|_| kind != Some("check")) {
            self.error("`with` needs `check`", entry.span(), None);
        }
    }

    /// The check behind `check`, with what it gets besides the value.
    pub(super) fn custom_check(&mut self, table: &DeTable<'_>) -> Option<CustomCheck> {
        let span = reader::get(table, "check").map(Entry::span)?;
        let text = reader::text(table, "check")?;
        let Some((file, function)) = text.rsplit_once(':') else {
            self.error(format!("`{text}` names no function"), span, Some(FORM.to_owned()));
            return None;
        };
        if !is_name(function) {
            self.error(format!("`{function}` is not the name of a function"), span, Some(FORM.to_owned()));
            return None;
        }
        if let Err((message, _)) = check_path(file) {
            self.error(message, span, Some(FORM.to_owned()));
            return None;
        }
        if !file.ends_with(".py") {
            self.error(format!("`{file}` is not a file of Python"), span, Some(FORM.to_owned()));
            return None;
        }
        let Some(folder) = &self.exercise.folder else {
            self.error("a built-in exercise has no folder with checks", span, None);
            return None;
        };
        if let Err(error) = path_in(folder, file) {
            self.error(format!("the check `{file}` cannot be read: {error}"), span, None);
            return None;
        }
        let with = match reader::get(table, "with").and_then(|entry| reader::plain(entry.get_ref())) {
            Some(Value::List(values)) => values,
            Some(_) | None => Vec::new(),
        };
        Some(CustomCheck { file: file.to_owned(), function: function.to_owned(), with })
    }
}
