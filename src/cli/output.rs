//! Writing to the terminal or a pipe, and what it can show.

use std::io::{self, IsTerminal, Write};

/// Columns that a report has when it goes to no terminal.
pub(super) const WIDTH: usize = 100;

/// Writes to standard output. A reader that went away is no error: it has what it wanted.
pub(super) fn out(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// Writes to standard error.
pub(super) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether colours may go to `stream`: what was asked for, else what the environment and the stream allow.
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
                // A terminal of Windows shows colours when it is asked to; others need no asking.
                && anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
        }
    }
}

/// Columns of the terminal.
pub(super) fn width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), _)) => usize::from(columns),
        None => WIDTH,
    }
}
