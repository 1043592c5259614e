//! TOML as a person writes it.

use std::fmt::Write;

/// A key: bare where TOML allows it.
pub fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if bare { name.to_owned() } else { string(name) }
}

/// A string on one line: a literal one if it has characters to escape and no single quote.
pub fn string(text: &str) -> String {
    let control = text.chars().any(|ch| ch.is_control());
    if text.contains(['"', '\\']) && !text.contains('\'') && !control {
        return format!("'{text}'");
    }
    format!("\"{}\"", escaped(text, true))
}

/// A string that may take several lines.
pub fn text(text: &str) -> String {
    if !text.contains('\n') || text == "\n" {
        return string(text);
    }
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| {
            let line = escaped(line, false);
            // Editors remove spaces at the end of a line.
            match line.strip_suffix(' ') {
                Some(start) => format!("{start}\\u0020"),
                None => line,
            }
        })
        .collect();
    format!("\"\"\"\n{}\"\"\"", lines.join("\n"))
}

fn escaped(text: &str, quotes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = 0;
    for ch in text.chars() {
        run = if ch == '"' { run + 1 } else { 0 };
        match ch {
            '\\' => out.push_str("\\\\"),
            // Three in a row would end the string, and one at its end would be part of its end.
            '"' if quotes || run % 3 == 0 => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ch if ch.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(ch));
            }
            ch => out.push(ch),
        }
    }
    if !quotes && run > 0 && run % 3 != 0 {
        out.pop();
        out.push_str("\\\"");
    }
    out
}

/// A list of strings.
pub fn strings<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    format!("[{}]", items.into_iter().map(string).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::{key, string, text};

    /// TOML reads the same text.
    #[track_caller]
    fn same(content: &str) {
        for written in [string(content), text(content)] {
            let document = format!("a = {written}\n");
            let table: toml::Table = toml::from_str(&document).unwrap();
            assert_eq!(table["a"].as_str(), Some(content), "{document}");
        }
    }

    #[test]
    fn toml_reads_what_is_written() {
        for content in [
            "", "a", "it's", "\"", "say \"hi\"", "a\\b", "'\"\\", "\n", "a\n", "a\nb", "\na\n\n", "a \nb ",
            "tab\tand\rreturn", "\"\"\"\n\"\"\"\"", "x\n\"", "x\n\"\"", "\u{1}\u{7f}é😀", "a\r\nb\n",
        ] {
            same(content);
        }
    }

    #[test]
    fn texts_look_as_a_person_writes_them() {
        assert_eq!(string("it's"), "\"it's\"");
        assert_eq!(string("say \"hi\""), "'say \"hi\"'");
        assert_eq!(text("a\nb\n"), "\"\"\"\na\nb\n\"\"\"");
        assert_eq!((key("data.txt"), key("a_b")), ("\"data.txt\"".to_owned(), "a_b".to_owned()));
    }
}
