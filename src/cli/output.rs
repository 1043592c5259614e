//! Writes to the terminal or a pipe, and finds out what it supports.

use crate::log::{LogText, is_log, printable};
use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ColorChoice;
use keur_core::report::wrap::wrapped;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// Columns of a report that does not go to a terminal.
pub(super) const WIDTH: usize = 100;

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

/// Writes to standard error. On a terminal, lines are broken at spaces.
pub(super) fn err(text: &str) {
    let text = printable(text);
    let text = if io::stderr().is_terminal() { broken(&text, width()) } else { text };
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Lines of at most `width` columns, each broken after its own indentation and two columns more.
fn broken(text: &str, width: usize) -> String {
    let hang = |line: &str| line.len() - line.trim_start().len() + 2;
    text.split_inclusive('\n').map(|line| wrapped(line, width, hang(line))).collect()
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

/// Columns of a line of a file in an error that does not go to a terminal: nothing breaks it.
const WIDE: usize = 150;

/// Columns of a line of a file that an error shows.
pub(super) fn width_of_errors() -> usize {
    if io::stderr().is_terminal() { width() } else { WIDE }
}

pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn lines_are_broken_at_spaces_and_keep_their_ends() {
        assert_eq!(
            broken("error: a long sentence of many words\n  = help: another one with words\n", 30),
            "error: a long sentence of many\n  words\n  = help: another one with\n    words\n"
        );
    }
}
