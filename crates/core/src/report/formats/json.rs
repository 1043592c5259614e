//! JSON for other programs; the fields are described in `docs/json.md`.

use super::json_shape::{Head, Submission, VERSION};
use crate::event::Event;
use crate::named::Named;
use crate::report::{Format, Options, Reporter};
use serde_json::Value;
use std::fmt::Write;

/// The version of keur.
const KEUR: &str = env!("CARGO_PKG_VERSION");

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one JSON object, for other programs",
    extension: "json",
    reporter: || Box::new(Json::default()),
    ..Format::NOTHING
};

/// Writes a submission as soon as it is graded.
#[derive(Default)]
struct Json {
    /// The number of submissions written.
    written: usize,
}

impl Reporter for Json {
    fn event(&mut self, event: &Event<'_>, options: &Options, out: &mut String) {
        match *event {
            Event::RunStarted { .. } => *out += &begin(options),
            Event::SubmissionFinished { report } => {
                // A tree of strings, numbers and lists can always be written; no string has an unescaped line
                // end.
                let submission = serde_json::to_value(Submission::of(report, options)).unwrap_or_default();
                put_item(&submission, self.written, 4, out);
                self.written += 1;
            }
            Event::RunFinished => *out += if self.written == 0 { "  ]\n}\n" } else { "\n  ]\n}\n" },
            _ => {}
        }
    }
}

fn begin(options: &Options) -> String {
    let head = Head {
        version: VERSION,
        keur: KEUR,
        audience: options.audience.name(),
        title: options.title.as_deref(),
    };
    // The keys in this order, and the list still open.
    let head = serde_json::to_string_pretty(&head).unwrap_or_default();
    format!("{},\n  \"submissions\": [\n", head.trim_end_matches("\n}"))
}

/// Adds an item to a list whose items are written as they come: the one after `earlier` others, this many
/// columns to the right.
pub(super) fn put_item(item: &Value, earlier: usize, columns: usize, out: &mut String) {
    let indent = " ".repeat(columns);
    *out += if earlier == 0 { "" } else { ",\n" };
    *out += &indent;
    *out += &text(item).trim_end().replace('\n', &format!("\n{indent}"));
}

/// A document as text.
pub fn text(document: &Value) -> String {
    // A tree of strings, numbers and lists can always be written.
    escaped(&serde_json::to_string_pretty(document).unwrap_or_default()) + "\n"
}

/// A document on one line, without a line end.
pub(super) fn compact(document: &Value) -> String {
    escaped(&document.to_string())
}

/// Escapes the characters of JSON that a terminal obeys or that hide or reverse text.
///
/// They occur in strings only, where an escape means the same.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for ch in json.chars() {
        match ch {
            '\u{7f}'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{61c}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", ch as u32);
            }
            _ => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn characters_that_act_on_a_reader_are_escaped_and_mean_the_same() {
        let text = "a\u{7f}\u{9b}\u{202e}\u{2028}\u{feff}é";
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert_eq!(json, "\"a\\u007f\\u009b\\u202e\\u2028\\ufeffé\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
