//! The text of a step.

use super::toml_text::{key, string, text};
use std::collections::BTreeMap;

/// A step before its text is written.
#[derive(Debug, Default)]
pub struct StepText {
    /// A comment above it.
    pub comment: Option<String>,
    keys: Vec<(&'static str, String)>,
    /// Code of each language, if it is native.
    native: Vec<(String, String)>,
    /// The files that it writes: key and text.
    pub writes: Vec<(String, String)>,
}

/// Keys that say what a step does.
const DOING: &[&str] = &["do", "run", "args", "stdin", "binds"];

impl StepText {
    /// Adds a key with its value as TOML, unless it is there.
    pub fn key(&mut self, name: &'static str, value: String) {
        if self.keys.iter().all(|(known, _)| *known != name) {
            self.keys.push((name, value));
        }
    }

    /// Sets the code of each language.
    pub fn native(&mut self, codes: &BTreeMap<String, String>) {
        self.native = codes.iter().map(|(language, code)| (language.clone(), code.clone())).collect();
    }

    /// Whether it expects anything.
    pub fn expects(&self) -> bool {
        !self.writes.is_empty() || self.keys.iter().any(|(name, _)| !DOING.contains(name))
    }

    /// Writes it; `compare` is the table of its own way to compare texts.
    pub fn write(&self, compare: Option<String>, out: &mut String) {
        out.push('\n');
        for line in self.comment.iter().flat_map(|comment| comment.lines()) {
            let line: String = line.chars().filter(|ch| !ch.is_control()).collect();
            out.push_str(format!("# {line}").trim_end());
            out.push('\n');
        }
        out.push_str("[[step]]\n");
        // A table below the step's own keys, if a line is too long for one.
        let long_code = self.native.iter().any(|(_, code)| code.contains('\n'));
        let long_file = self.writes.iter().any(|(_, content)| content.contains('\n'));
        if !self.native.is_empty() && !long_code {
            let codes =
                self.native.iter().map(|(language, code)| format!("{} = {}", key(language), string(code)));
            out.push_str(&format!("do = {{ {} }}\n", codes.collect::<Vec<_>>().join(", ")));
        }
        for (name, value) in &self.keys {
            out.push_str(&format!("{name} = {value}\n"));
        }
        if !self.writes.is_empty() && !long_file {
            let files = self.writes.iter().map(|(path, content)| format!("{path} = {content}"));
            out.push_str(&format!("writes = {{ {} }}\n", files.collect::<Vec<_>>().join(", ")));
        }
        if let Some(compare) = compare {
            out.push_str(&format!("compare = {{ text = {compare} }}\n"));
        }
        if long_code {
            out.push_str("\n[step.do]\n");
            for (language, code) in &self.native {
                out.push_str(&format!("{} = {}\n", key(language), text(code)));
            }
        }
        if long_file {
            out.push_str("\n[step.writes]\n");
            for (path, content) in &self.writes {
                out.push_str(&format!("{path} = {content}\n"));
            }
        }
    }
}
