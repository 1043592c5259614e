//! Expected texts and files of a case as TESTed writes them, and how they are compared.

use super::export::Exporter;
use super::export_values::{ExportCompare, TomlEntry, number};
use super::yaml_text;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

impl Exporter<'_, '_> {
    /// How texts are compared below `table`.
    pub(super) fn compare(&mut self, table: &DeTable<'_>, outer: ExportCompare) -> ExportCompare {
        let mut compared = outer;
        let Some(compare) = table.get("compare").and_then(|entry| entry.get_ref().as_table()) else {
            return outer;
        };
        for (key, entry) in compare {
            match (key.get_ref().as_ref(), entry.get_ref()) {
                ("text", DeValue::Table(text)) => {
                    for (key, entry) in text {
                        let word = entry.get_ref().as_str().unwrap_or_default();
                        match key.get_ref().as_ref() {
                            "case" => compared.ignore_case = word == "ignore",
                            "line_ends" => compared.trim = word == "trim",
                            "numbers_within" => compared.within = number(entry.get_ref()),
                            _ if word == "exact" => {}
                            other => self.lacking(&format!("`{other}` for texts"), &key.span()),
                        }
                    }
                }
                // This is what TESTed does with floats.
                ("relative", value) if number(value) == Some(1e-9) => {}
                ("numbers", value) if value.as_str() == Some("exact") => {}
                (other, _) => self.lacking(&format!("`{other}` for values"), &key.span()),
            }
        }
        compared
    }

    /// What stands after `stdout:` or `stderr:`.
    pub(super) fn output(&mut self, entry: &TomlEntry<'_>, compared: ExportCompare) -> Option<String> {
        match entry.get_ref() {
            // Nothing is what TESTed expects of itself.
            DeValue::String(text) if text.is_empty() => None,
            DeValue::String(text) => {
                let Some(config) = self.config(text, compared, &entry.span()) else {
                    return Some(format!(" {}", yaml_text::text(text, 12)));
                };
                let text = yaml_text::text(text, 14);
                Some(format!("\n              data: {text}\n              config: {config}"))
            }
            DeValue::Table(matcher) => {
                if let Some(check) = matcher.get("check").and_then(|check| check.get_ref().as_str()) {
                    return self.check(check, matcher, "data", &entry.span(), false);
                }
                let kind = matcher.keys().next().map(|key| key.get_ref().to_string()).unwrap_or_default();
                self.lacking(&format!("matcher `{kind}` of a text; write a check"), &entry.span());
                None
            }
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => None,
        }
    }

    /// The options of a text; `None` if they are TESTed's own.
    fn config(&mut self, text: &str, compared: ExportCompare, span: &Range<usize>) -> Option<String> {
        let mut options = Vec::new();
        if compared.ignore_case {
            options.push("caseInsensitive: true".to_owned());
        }
        if compared.trim {
            options.push("ignoreWhitespace: true".to_owned());
        }
        if let Some(within) = compared.within {
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

    /// What stands after `output_files:`.
    pub(super) fn writes(&mut self, entry: &TomlEntry<'_>, compared: ExportCompare) -> Option<String> {
        let mut files = String::new();
        let mut config = None;
        for (path, content) in entry.get_ref().as_table()? {
            let Some(text) = content.get_ref().as_str() else {
                self.lacking("matcher of a file", &content.span());
                continue;
            };
            config = self.config(text, compared, &content.span()).or(config);
            let (indent, path) = (" ".repeat(16), yaml_text::string(path.get_ref()));
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
