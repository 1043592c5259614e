//! How large the files are that keur reads and parses: a larger one is an error with its place, and never a
//! stall.

use super::diagnostic::Diagnostic;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest text that is parsed, in bytes: far more than anyone writes by hand.
pub(crate) const MOST_TEXT: usize = 1 << 20;

/// The most digits of a whole number: reading and writing one takes the square of their number.
pub(super) const MOST_DIGITS: usize = 10_000;

/// The most steps of a case.
const MOST_STEPS: usize = 1000;

/// The most bytes of steps in all rows of a file together: each row is a case that has them all.
const MOST_REPEATED: usize = 8 << 20;

/// The longest regular expression, in bytes.
pub(super) const LONGEST_PATTERN: usize = 10_000;

/// The most cases that one case needs.
const MOST_NEEDS: usize = 100;

/// From this many errors on, no more are looked for in a file.
pub(super) const MOST_ERRORS: usize = 200;

/// Reads a text file that is parsed, up to `MOST_TEXT` bytes.
///
/// # Errors
/// The text cannot be read, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_of(File::open(path)?, MOST_TEXT)
}

/// Reads a text to its end, up to this many bytes.
///
/// # Errors
/// The text cannot be read, is too large, or is not UTF-8.
pub fn text_of(reader: impl Read, most: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, too_large(most)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..end]).into_owned();
        io::Error::new(ErrorKind::InvalidData, NotUtf8 { before })
    })
}

/// The reason why a text that is not UTF-8 is not read.
#[derive(Debug, thiserror::Error)]
#[error("it is not UTF-8 in line {}; save it as UTF-8", .before.matches('\n').count() + 1)]
pub(super) struct NotUtf8 {
    /// The text before the first byte that is no character.
    pub(super) before: String,
}

impl NotUtf8 {
    pub(super) fn of(error: &io::Error) -> Option<&NotUtf8> {
        error.get_ref()?.downcast_ref()
    }
}

fn too_large(most: usize) -> String {
    format!("it has more than {most} bytes, the most that are read")
}

/// Whether a file's text may be parsed.
pub(super) fn check_text(source: &str) -> Option<Diagnostic> {
    (source.len() > MOST_TEXT).then(|| Diagnostic::new(too_large(MOST_TEXT), 0..0).help(SMALLER))
}

/// Whether a parsed file stays within the limits of its numbers, its steps, its rows and its needs.
pub(super) fn check_table(table: &DeTable<'_>, out: &mut Vec<Diagnostic>) {
    table.values().for_each(|entry| check_numbers(entry, out));
    let list = |key: &str| table.get(key).and_then(|entry| Some((entry.span(), entry.get_ref().as_array()?)));
    let too_many = |span: Range<usize>, count: usize, what: &str, most: usize, help: &str| {
        let message = format!("the case has {count} {what}; the most is {most}");
        Diagnostic::new(message, span).help(help.to_owned())
    };
    if let Some((span, steps)) = list("step") {
        if steps.len() > MOST_STEPS {
            let place = steps.first().map_or(span, Spanned::span);
            out.push(too_many(place, steps.len(), "steps", MOST_STEPS, "make several cases of it"));
        }
        let rows = list("row").map_or(0, |(_, rows)| rows.len());
        let bytes: usize = steps.iter().map(|step| size(step.get_ref())).sum();
        if bytes.saturating_mul(rows) > MOST_REPEATED {
            let place = list("row").map_or(0..0, |(span, _)| span);
            let message = format!("{rows} rows repeat steps of {bytes} bytes");
            let help =
                format!("together the rows have at most {} MB: make several files", MOST_REPEATED >> 20);
            out.push(Diagnostic::new(message, place).help(help));
        }
    }
    if let Some((span, needs)) = list("needs").filter(|(_, needs)| needs.len() > MOST_NEEDS) {
        let help = "name only what it needs directly";
        out.push(too_many(span, needs.len(), "needs", MOST_NEEDS, help));
    }
}

/// Reports whole numbers of too many digits.
fn check_numbers(entry: &Spanned<DeValue<'_>>, out: &mut Vec<Diagnostic>) {
    match entry.get_ref() {
        DeValue::Integer(number) if number.as_str().len() > MOST_DIGITS => {
            out.push(Diagnostic::new(too_long(number.as_str().len()), entry.span()).help(SHORTER));
        }
        DeValue::Array(items) => items.iter().for_each(|item| check_numbers(item, out)),
        DeValue::Table(table) => table.values().for_each(|item| check_numbers(item, out)),
        _ => {}
    }
}

/// The advice on a file that is too large.
pub(super) const SMALLER: &str = "make several files of it, or move large inputs to files of their own";

/// The advice on a number that is too long.
pub(super) const SHORTER: &str = "calculate it in the step, or expect a part of it";

/// The problem of a number of this many digits.
pub(super) fn too_long(digits: usize) -> String {
    format!("a number of {digits} digits is too long; the most is {MOST_DIGITS}")
}

/// The approximate size of a value in its file, in bytes.
fn size(value: &DeValue<'_>) -> usize {
    let own = match value {
        DeValue::String(text) => text.len(),
        DeValue::Integer(number) => number.as_str().len(),
        DeValue::Float(number) => number.as_str().len(),
        DeValue::Array(items) => items.iter().map(|item| size(item.get_ref())).sum(),
        DeValue::Table(table) => {
            table.iter().map(|(key, item)| key.get_ref().len() + size(item.get_ref())).sum()
        }
        DeValue::Boolean(_) | DeValue::Datetime(_) => 0,
    };
    // The signs around it: quotes, brackets, a comma.
    own + 4
}

#[cfg(test)]
mod tests {
    use super::{MOST_DIGITS, MOST_STEPS, MOST_TEXT, read_text, text_of};
    use crate::case::{FileErrors, parse_cases, parse_exercise};

    const STEP: &str = "[[step]]\ndo = \"f(1)\"\n";

    fn parse(text: &str) -> Result<usize, FileErrors> {
        let description = "title = \"T\"\nsession = \"python\"\n[files]\npython = [\"a.py\"]\n\
            [function]\nf = { args = [\"x\"] }\n";
        let exercise = parse_exercise("t", "exercise.toml", description).unwrap();
        let text = format!("title = \"C\"\n{text}");
        parse_cases(&exercise, "c", "c.toml", &text).map(|cases| cases.len())
    }

    /// Checks that a case is read, or the place and the message of its only error.
    #[track_caller]
    fn check(text: &str, expected: Result<usize, &str>) {
        let found = parse(text).map_err(|errors| errors.to_string());
        assert_eq!(found.as_ref().map_err(String::as_str), expected.as_ref().map_err(|said| *said));
    }

    #[test]
    fn a_case_has_so_many_steps() {
        check(&STEP.repeat(MOST_STEPS), Ok(1));
        check(
            &STEP.repeat(MOST_STEPS + 1),
            Err("c.toml:2:1: the case has 1001 steps; the most is 1000; make several cases of it"),
        );
    }

    #[test]
    fn rows_repeat_so_many_bytes_of_steps() {
        let rows = |steps: usize| {
            let last = "[[step]]\ndo = \"f(x)\"\n";
            STEP.repeat(steps) + last + &"[[row]]\ngiven = { x = 1 }\n".repeat(900)
        };
        check(&rows(10), Ok(900));
        let found = parse(&rows(900)).unwrap_err().to_string();
        assert!(found.contains("900 rows repeat steps of") && found.contains("at most 8 MB"), "{found}");
    }

    #[test]
    fn a_number_has_so_many_digits() {
        let long = "7".repeat(MOST_DIGITS);
        for text in [format!("[[step]]\ndo = \"f({long})\"\n"), format!("{STEP}returns = {long}\n")] {
            check(&text, Ok(1));
        }
        let long = "7".repeat(MOST_TEXT - 1000);
        let help = "the most is 10000; calculate it in the step, or expect a part of it";
        for (place, text) in [
            ("3:9", format!("[[step]]\ndo = \"f({long})\"\n")),
            ("3:9", format!("[[step]]\ndo = \"f({long}.5)\"\n")),
            ("4:11", format!("{STEP}returns = {long}\n")),
            ("4:12", format!("{STEP}returns = [{long}]\n")),
            ("4:23", format!("{STEP}returns = {{ one_of = [{long}] }}\n")),
        ] {
            let found = parse(&text).unwrap_err().to_string();
            let first = found.lines().next().unwrap();
            assert!(first.starts_with(&format!("c.toml:{place}: a number of 104")), "{place}: {first:.90}");
            assert!(first.ends_with(help), "{first:.90}");
        }
    }

    #[test]
    fn other_lists_and_texts_have_limits_too() {
        for (text, says) in [
            (
                format!("needs = [{}]\n{STEP}", "\"a\",".repeat(101)),
                "the case has 101 needs; the most is 100",
            ),
            (format!("{STEP}prints = {{ matches = '{}' }}\n", "a".repeat(10_001)), "has 10001 bytes"),
            (
                format!(
                    "[input_files]\n{}{STEP}",
                    (0..65).map(|n| format!("a{n} = ''\n")).collect::<String>()
                ),
                "a case has at most 64 input files",
            ),
            (
                format!(
                    "{STEP}[step.writes]\n{}",
                    (0..65).map(|n| format!("a{n} = ''\n")).collect::<String>()
                ),
                "a step writes at most 64 files",
            ),
        ] {
            let found = parse(&text).unwrap_err().to_string();
            assert!(found.contains(says), "{found}");
        }
    }

    #[test]
    fn a_text_has_so_many_bytes() {
        let large = format!("# {}\n{STEP}", "x".repeat(MOST_TEXT));
        let says = "c.toml:1:1: it has more than 1048576 bytes, the most that are read; make several files of it, or \
            move large inputs to files of their own";
        check(&large, Err(says));
        let found = parse_exercise("t", "c.toml", &large).unwrap_err().to_string();
        assert_eq!(found, says);
        assert!(text_of(large.as_bytes(), MOST_TEXT).is_err());
        assert!(text_of(std::io::repeat(b'x'), MOST_TEXT).is_err());
        assert_eq!(text_of(STEP.as_bytes(), STEP.len()).unwrap(), STEP);
        assert!(read_text(std::path::Path::new("src")).is_err());
    }

    #[test]
    fn errors_without_end_are_looked_for_to_a_limit() {
        let unknown: String = (0..50_000).map(|n| format!("a{n} = 1\n")).collect();
        for text in [unknown + STEP, "[[step]]\ndo = \"h(1)\"\n".repeat(1000)] {
            let found = parse(&text).unwrap_err();
            assert!(found.diagnostics.len() < 300, "{}", found.diagnostics.len());
            assert!(found.to_string().lines().count() < 300);
        }
    }
}
