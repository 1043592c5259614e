//! Writes to the terminal or a pipe, and finds out what it supports.

use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ColorChoice;
use keur_core::compare::diff::visible;
use regex::{Captures, Regex};
use std::io::{self, Write};
use std::sync::{LazyLock, OnceLock};

/// Columns of a report that does not go to a terminal.
pub(super) const WIDTH: usize = 100;

/// The kind of a text on standard output, which decides how it can hold what a CI's runner would obey.
#[derive(Clone, Copy)]
pub(super) enum LogText {
    Plain,
    Json,
    Xml,
    /// Workflow commands of keur's own, which escape what they quote.
    Commands,
}

/// A runner finds `##[error]` and `##vso[task…]` anywhere in a line.
static BRACKETED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"##([A-Za-z]*)\[").ok());

impl LogText {
    /// The text without commands. As a document it says the same.
    fn harmless(self, text: &str) -> String {
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
pub(super) fn is_log() -> bool {
    ["GITHUB_ACTIONS", "TF_BUILD"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// A text as it may be printed: in the log of a CI job, it starts no command.
pub(super) fn printable(text: &str) -> String {
    if is_log() { LogText::Plain.harmless(text) } else { text.to_owned() }
}

/// Why standard output is incomplete: the first write that failed. No other one follows, so that the text has
/// no gap.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Writes to standard output. [`finish`] reports a failure.
pub(super) fn out(text: &str) {
    out_as(LogText::Plain, text);
}

/// Writes such a text to standard output.
pub(super) fn out_as(kind: LogText, text: &str) {
    let text = if is_log() { &kind.harmless(text) } else { text };
    if LOST.get().is_none() {
        note_lost(io::stdout().lock().write_all(text.as_bytes()));
    }
}

/// Takes note of the outcome of a write to standard output.
pub(super) fn note_lost(written: io::Result<()>) {
    if let Err(error) = written {
        // The first one is kept.
        let _ = LOST.set(error);
    }
}

/// Whether the reader of standard output closed the pipe, as `head` does: it wants no more, which is no
/// failure.
pub(super) fn is_closed() -> bool {
    LOST.get().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes what is left for standard output, and returns the first failure to write.
pub(super) fn finish() -> Option<&'static io::Error> {
    note_lost(io::stdout().lock().flush());
    LOST.get().filter(|_| !is_closed())
}

/// Lines in which control characters and characters that change the order of the text around them are
/// visible.
pub(super) fn visible_lines(text: &str) -> String {
    text.split('\n').map(|line| visible(line, false)).collect::<Vec<_>>().join("\n")
}

/// Writes to standard error.
pub(super) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(printable(text).as_bytes());
}

/// When the user wants colours.
static COLOR: OnceLock<ColorChoice> = OnceLock::new();

/// Sets when there are colours, for the rest of the program.
pub(super) fn set_color(choice: ColorChoice) {
    let _ = COLOR.set(choice);
}

fn color() -> ColorChoice {
    COLOR.get().copied().unwrap_or(ColorChoice::Auto)
}

/// Whether a file gets colours, which nobody sees before it is shown.
pub(super) fn colour_in_files() -> bool {
    color() == ColorChoice::Always
}

/// Whether `stream` gets colours: as requested, else as the environment and the stream allow.
pub(super) fn colour(stream: impl RawStream) -> bool {
    match color() {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // On Windows this also enables them.
        ColorChoice::Auto => AutoStream::auto(stream).current_choice() == anstream::ColorChoice::AlwaysAnsi,
    }
}

/// Columns of the terminal; where there is none, those of the variable `COLUMNS`.
pub(super) fn width() -> usize {
    let terminal = || terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0));
    let named = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    terminal().or_else(named).unwrap_or(WIDTH)
}

pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
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
