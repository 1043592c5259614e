//! Expected texts and files of a case as TESTed writes them, and how they are compared.

use super::export::{Exporter, first_key};
use super::yaml_text;
use keur_core::case::reader::{self, Entry};
use keur_core::case::{NEAR, TextMatcher, TextTolerance};
use std::ops::Range;
use toml::de::DeTable;

impl Exporter<'_, '_> {
    /// Reports what TESTed lacks of the `compare` in a table.
    pub(super) fn compare(&mut self, table: &DeTable<'_>) {
        let compare = reader::get(table, "compare").and_then(|entry| entry.get_ref().as_table());
        for (key, entry) in compare.into_iter().flatten() {
            let value = entry.get_ref();
            match key.get_ref().as_ref() {
                "text" => {
                    for (key, entry) in value.as_table().into_iter().flatten() {
                        let name = key.get_ref().as_ref();
                        let is_known = ["case", "line_ends", "numbers_within"].contains(&name);
                        if !is_known && entry.get_ref().as_str() != Some("exact") {
                            self.lacking(&format!("`{name}` for texts"), &key.span());
                        }
                    }
                }
                // This is what TESTed does with floats.
                "relative" | "within" if reader::number(value) == Some(NEAR) => {}
                "numbers" if value.as_str() == Some("exact") => {}
                other => self.lacking(&format!("`{other}` for values"), &key.span()),
            }
        }
    }

    /// The text after `stdout:` or `stderr:`.
    pub(super) fn output(
        &mut self,
        matcher: Option<&TextMatcher>,
        entry: &Entry<'_>,
        tolerance: &TextTolerance,
    ) -> Option<String> {
        if let Some(text) = entry.get_ref().as_str() {
            // Nothing is what TESTed expects of itself.
            if text.is_empty() {
                return None;
            }
            let Some(config) = self.config(text, tolerance, &entry.span()) else {
                return Some(format!(" {}", yaml_text::text(text, 12)));
            };
            let text = yaml_text::text(text, 14);
            return Some(format!("\n              data: {text}\n              config: {config}"));
        }
        if let Some(TextMatcher::Check(check)) = matcher {
            return self.check(check, "data", &entry.span(), false);
        }
        self.lacking(&format!("matcher `{}` of a text; write a check", first_key(entry)), &entry.span());
        None
    }

    /// The options of a text; `None` if they are TESTed's own.
    fn config(&mut self, text: &str, tolerance: &TextTolerance, span: &Range<usize>) -> Option<String> {
        let mut options = Vec::new();
        if tolerance.ignore_case == Some(true) {
            options.push("caseInsensitive: true".to_owned());
        }
        if tolerance.trim_line_ends == Some(true) {
            options.push("ignoreWhitespace: true".to_owned());
        }
        if let Some(within) = tolerance.numbers_within {
            // Half of the last decimal is what rounding to it means.
            let decimals =
                (0..=15_i32).find(|decimals| (within / (0.5 * 10f64.powi(-decimals)) - 1.0).abs() < 1e-6);
            if text.trim().parse::<f64>().is_err() {
                self.lacking("tolerance for numbers inside a text", span);
            } else if let Some(decimals) = decimals {
                options.push(format!("tryFloatingPoint: true, applyRounding: true, roundTo: {decimals}"));
            } else {
                options.push("tryFloatingPoint: true".to_owned());
            }
        }
        (!options.is_empty()).then(|| format!("{{ {} }}", options.join(", ")))
    }

    /// The text after `output_files:`.
    pub(super) fn writes(&mut self, entry: &Entry<'_>, tolerance: &TextTolerance) -> Option<String> {
        let mut files = String::new();
        let mut config = None;
        for (path, content) in entry.get_ref().as_table()? {
            let Some(text) = content.get_ref().as_str() else {
                self.lacking("matcher of a file", &content.span());
                continue;
            };
            config = self.config(text, tolerance, &content.span()).or(config);
            let indent = " ".repeat(16);
            let path = yaml_text::string(path.get_ref());
            files.push_str(&format!(
                "\n{indent}- path: {path}\n{indent}  content: {}",
                yaml_text::text(text, 18)
            ));
        }
        match config {
            _ if files.is_empty() => None,
            None => Some(files),
            Some(config) => Some(format!("\n              data:{files}\n              config: {config}")),
        }
    }
}
