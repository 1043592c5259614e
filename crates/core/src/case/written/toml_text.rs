//! TOML as a person writes it.

use toml_writer::{ToTomlKey, ToTomlValue, TomlKeyBuilder, TomlStringBuilder};

/// A key: bare where TOML allows it.
pub fn key(name: &str) -> String {
    TomlKeyBuilder::new(name).as_default().to_toml_key()
}

/// A string on one line: a literal one if it has characters to escape and no single quote.
pub fn string(text: &str) -> String {
    let styles = TomlStringBuilder::new(text);
    let plain =
        styles.as_basic_pretty().or_else(|| styles.as_literal()).filter(|_| !text.contains(is_obeyed));
    escaped(plain.unwrap_or_else(|| styles.as_basic()).to_toml_value())
}

/// A string that may take several lines.
pub fn text(text: &str) -> String {
    if !text.contains('\n') || text == "\n" {
        return string(text);
    }
    let written = TomlStringBuilder::new(text).as_ml_basic().to_toml_value();
    // Editors remove spaces at the end of a line.
    escaped(written.replace(" \n", "\\u0020\n").replace(" \"\"\"", "\\u0020\"\"\""))
}

/// Whether a terminal may obey a character that TOML allows as it is.
fn is_obeyed(ch: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&ch)
}

/// A basic string in which these characters are escaped too.
fn escaped(written: String) -> String {
    if !written.contains(is_obeyed) {
        return written;
    }
    let escape = |ch: char| if is_obeyed(ch) { format!("\\u{:04X}", u32::from(ch)) } else { ch.into() };
    written.chars().map(escape).collect()
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
            "tab\tand\rreturn", "\"\"\"\n\"\"\"\"", "x\n\"", "x\n\"\"", "\u{1}\u{7f}é😀", "\u{9b}\"",
            "a\n\u{85}", "a\r\nb\n",
        ] {
            same(content);
        }
    }

    #[test]
    fn texts_look_as_a_person_writes_them() {
        assert_eq!(string("it's"), "\"it's\"");
        assert_eq!(string("say \"hi\""), "'say \"hi\"'");
        assert_eq!(text("a\nb\n"), "\"\"\"\na\nb\n\"\"\"");
        assert_eq!(text("a \nb "), "\"\"\"\na\\u0020\nb\\u0020\"\"\"");
        assert_eq!(string("'\u{9b}1m\""), "\"'\\u009B1m\\\"\"");
        assert_eq!(string("\u{9b}"), "\"\\u009B\"");
        assert_eq!((key("data.txt"), key("a_b")), ("\"data.txt\"".to_owned(), "a_b".to_owned()));
    }
}
