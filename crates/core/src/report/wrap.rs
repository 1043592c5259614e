//! Breaks lines at spaces, so that a terminal does not break them inside a word.
//!
//! `textwrap` would break a word that is longer than the line.

use unicode_width::UnicodeWidthStr;

/// The fewest columns of text on a line.
const FEWEST: usize = 20;

/// A line broken into lines of at most `width` columns, which begin with `hang` spaces after the first. A
/// longer word stays whole. Colours take no columns.
pub fn wrapped(line: &str, width: usize, hang: usize) -> String {
    let hang = hang.min(width.saturating_sub(FEWEST));
    let mut out = String::new();
    let mut column = 0;
    for (index, word) in line.split(' ').enumerate() {
        let taken = columns(word);
        if index == 0 {
            column = taken;
        } else if taken > 0 && column > hang && column + 1 + taken > width && hang + taken <= width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out += &" ".repeat(hang);
            column = hang + taken;
        } else {
            out.push(' ');
            column += 1 + taken;
        }
        out += word;
    }
    out
}

/// The columns of a text, without those of its colours.
fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default();
    let after = parts.filter_map(|part| part.split_once('m')).map(|(_, text)| text.width());
    first.width() + after.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[track_caller]
    fn check(line: &str, hang: usize, expected: &str) {
        assert_eq!(wrapped(line, 30, hang), expected);
    }

    #[test]
    fn a_line_is_broken_at_a_space_and_hangs() {
        check(
            "    a sentence of more than thirty columns",
            4,
            "    a sentence of more than\n    thirty columns",
        );
        check("short", 4, "short");
    }

    #[test]
    fn spaces_inside_a_line_stay() {
        check("a  b    c", 0, "a  b    c");
        check("    one two three four five   six", 4, "    one two three four five\n    six");
        check("one two three four five and six  seven", 0, "one two three four five and\nsix  seven");
        check("exactly thirty columns of text  and", 0, "exactly thirty columns of text\nand");
    }

    #[test]
    fn a_word_that_is_too_long_stays_whole_where_it_is() {
        check(
            "    >>> f('0123456789012345678901234567890')",
            8,
            "    >>> f('0123456789012345678901234567890')",
        );
    }

    #[test]
    fn colours_take_no_columns() {
        let line = "\u{1b}[1mtwelve words\u{1b}[0m and \u{1b}[31mmore\u{1b}[0m than that";
        check(line, 0, "\u{1b}[1mtwelve words\u{1b}[0m and \u{1b}[31mmore\u{1b}[0m than\nthat");
    }
}
