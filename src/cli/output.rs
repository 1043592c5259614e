//! Writes to the terminal or a pipe, and finds out what it supports.

#[cfg(feature = "class")]
use crate::compare::diff::visible;
use std::io::{self, IsTerminal, Write};

/// Columns of a report that does not go to a terminal.
pub(super) const WIDTH: usize = 100;

/// Writes to standard output. A reader that has closed the pipe is not an error.
pub(super) fn out(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// A text with names that students chose, on one line: they move no cursor, and start no command in the log of a CI job.
#[cfg(feature = "class")]
pub(super) fn one_line(text: &str) -> String {
    visible(text, false).replace("##[", "## [")
}

/// Writes to standard error.
pub(super) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether `stream` gets colours: as requested, else as the environment and the stream allow.
pub(super) fn colour(asked: &str, stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match asked {
        "always" => true,
        "never" => false,
        _ if set("NO_COLOR") => false,
        _ if set("CLICOLOR_FORCE") => true,
        _ => {
            stream.is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
                // A Windows terminal shows colours only when enabled; others need nothing.
                && anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
        }
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
