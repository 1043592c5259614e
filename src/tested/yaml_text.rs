//! YAML as a person writes it, and as PyYAML reads it.
//!
//! The writers of YAML for `serde` leave strings without quotes that PyYAML reads as other values.

use std::fmt::Write;

/// A string on one line, always in quotes.
pub(super) fn string(text: &str) -> String {
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.chars().any(char::is_control) {
        return format!("'{text}'");
    }
    let mut out = String::from('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // YAML breaks lines at some of these, and its readers reject others.
            ch if ch.is_control() || matches!(ch, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(ch));
            }
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
}

/// A string that may take several lines below its key, which stands at `indent`.
pub(super) fn text(text: &str, indent: usize) -> String {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let plain =
        text.chars().all(|ch| ch == '\n' || (!ch.is_control() && !"\u{2028}\u{2029}\u{feff}".contains(ch)));
    let fits = body.contains('\n')
        && plain
        && !body.ends_with('\n')
        && !body.starts_with(['\n', ' '])
        && !body.split('\n').any(|line| line.ends_with(' '));
    if !fits {
        return string(text);
    }
    let mut out = String::from(if text.ends_with('\n') { "|" } else { "|-" });
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent + 2));
            out.push_str(line);
        }
    }
    out
}

/// A float in the form of YAML 1.1, which wants a point and the sign of an exponent.
pub(super) fn float(float: f64) -> String {
    if float.is_nan() {
        return ".nan".to_owned();
    }
    if float.is_infinite() {
        return if float < 0.0 { "-.inf".to_owned() } else { ".inf".to_owned() };
    }
    let written = format!("{float:?}");
    match written.split_once('e') {
        Some((mantissa, exponent)) => {
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{mantissa}{point}e{sign}{exponent}")
        }
        None => written,
    }
}

#[cfg(test)]
mod tests {
    use super::{float, string, text};
    use crate::tested::yaml::{YamlKind, read};

    #[test]
    fn yaml_reads_what_is_written() {
        for content in [
            "", "a", "it's", "\"", "a\\b", "'\"\\", "\n", "a\n", "a\nb", "a\nb\n", "\na\n\n", " a\nb",
            "a \nb", "tab\tand\rreturn", "yes", "# no", "a: b\n\n  c\n", "\u{1}\u{7f}é😀\u{2028}",
            "a\r\nb\n", "a\nb\n\n",
        ] {
            for written in [string(content), text(content, 2)] {
                let document = format!("x:\n  a: {written}\n  b: 1\n");
                let node = read(&document, false).unwrap();
                let found = node.get("x").unwrap().get("a").unwrap();
                assert_eq!(found.as_text(), Some(content), "{document}");
            }
        }
        for number in [0.5, -1e300, 1e16, 1.5e-7, 3.0] {
            assert_eq!(read(&float(number), false).unwrap().kind, YamlKind::Float(number));
        }
    }
}
