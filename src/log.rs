//! Text that a terminal or the runner of a CI reads: what it would obey in a text is made harmless.

use keur_core::compare::diff::visible;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// The kind of a text on standard output, which decides how it can hold what a CI's runner would obey.
#[derive(Clone, Copy)]
pub enum LogText {
    /// Lines for people.
    Plain,
    /// JSON.
    Json,
    /// XML.
    Xml,
    /// Workflow commands of keur's own, which escape what they quote.
    Commands,
}

/// A runner finds `##[error]` and `##vso[task…]` anywhere in a line.
static BRACKETED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"##([A-Za-z]*)\[").ok());

impl LogText {
    /// The text without commands. As a document it says the same.
    pub fn harmless(self, text: &str) -> String {
        let (bracket, colons) = match self {
            LogText::Plain => (" [", "· ::"),
            LogText::Json => ("\\u005b", "::"),
            LogText::Xml => ("&#91;", "&#58;:"),
            // The lines that begin with colons are commands of keur's own.
            LogText::Commands => return broken_brackets(text, " ["),
        };
        let line = |line: &str| {
            let start = line.trim_start();
            match start.strip_prefix("::") {
                Some(rest) => format!("{}{colons}{rest}", line.strip_suffix(start).unwrap_or_default()),
                None => line.to_owned(),
            }
        };
        let text: String = text.split_inclusive(['\n', '\r']).map(line).collect();
        broken_brackets(&text, bracket)
    }
}

/// The text with `bracket` in place of each one that opens a command.
fn broken_brackets(text: &str, bracket: &str) -> String {
    let broken = |found: &Captures<'_>| format!("##{}{bracket}", &found[1]);
    BRACKETED.as_ref().map_or_else(String::new, |regex| regex.replace_all(text, broken).into_owned())
}

/// Whether the runner of a CI reads what is printed, and obeys commands in it: that of GitHub or of Azure.
pub fn is_log() -> bool {
    ["GITHUB_ACTIONS", "TF_BUILD"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// A text as it may be printed: in the log of a CI job, it starts no command.
pub fn printable(text: &str) -> String {
    if is_log() { LogText::Plain.harmless(text) } else { text.to_owned() }
}

/// Lines in which control characters and characters that change the order of the text around them are
/// visible.
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(|line| visible(line, false)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::LogText;

    #[test]
    fn no_line_of_a_log_holds_a_command() {
        let text = "::error::x\n \t::y\ra ##[z] ###VSO[w] b::c\n";
        assert_eq!(LogText::Plain.harmless(text), "· ::error::x\n \t· ::y\ra ## [z] ###VSO [w] b::c\n");
        assert_eq!(
            LogText::Xml.harmless(text),
            "&#58;:error::x\n \t&#58;:y\ra ##&#91;z] ###VSO&#91;w] b::c\n"
        );
        assert_eq!(LogText::Json.harmless("\"##[x]\""), "\"##\\u005bx]\"");
        assert_eq!(LogText::Commands.harmless("::error::x ##vso[y]\n"), "::error::x ##vso [y]\n");
    }
}
