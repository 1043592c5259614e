//! A side-by-side diff of two texts, with invisible characters made visible.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// The most lines of a text to compare; the rest is omitted and counted.
const MOST_LINES: usize = 200;

/// The most characters of a line to show.
const MOST_CHARS: usize = 400;

/// Rows shown around a difference.
const AROUND: usize = 3;

/// A row of a side-by-side diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The expected line; `None` if the other side has an extra one.
    pub expected: Option<Vec<DiffPiece>>,
    /// The actual line; `None` if it is missing.
    pub got: Option<Vec<DiffPiece>>,
}

impl Row {
    /// Whether both sides are the same.
    pub fn is_equal(&self) -> bool {
        self.expected == self.got
    }
}

/// A run of characters of one side that all differ from the other side, or all match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffPiece {
    /// The characters, with invisible ones made visible if they differ.
    pub text: String,
    /// Whether they differ.
    pub differs: bool,
}

/// The side-by-side diff of two texts, line by line, and the number of rows omitted after it.
pub fn side_by_side(expected: &str, got: &str) -> (Vec<Row>, usize) {
    let (expected, more_expected) = lines(expected);
    let (got, more_got) = lines(got);
    let mut rows = Vec::new();
    // Boards have the same lines in the same places: each line is paired with the one at its index, not with a
    // similar one.
    if expected.len() == got.len() && expected.len() > 1 {
        let rows = expected.iter().zip(&got).map(|(expected, got)| changed(expected, got)).collect();
        return (rows, more_expected.max(more_got));
    }
    let [old, new] = [&expected, &got].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                rows.extend(expected[old_index..old_index + len].iter().map(|line| {
                    let piece = vec![DiffPiece { text: visible(line, false), differs: false }];
                    Row { expected: Some(piece.clone()), got: Some(piece) }
                }))
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                rows.extend(expected[old_index..old_index + old_len].iter().map(|line| whole(line, true)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                rows.extend(got[new_index..new_index + new_len].iter().map(|line| whole(line, false)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let paired = old_len.min(new_len);
                for offset in 0..paired {
                    rows.push(changed(&expected[old_index + offset], &got[new_index + offset]));
                }
                rows.extend(
                    expected[old_index + paired..old_index + old_len].iter().map(|line| whole(line, true)),
                );
                rows.extend(
                    got[new_index + paired..new_index + new_len].iter().map(|line| whole(line, false)),
                );
            }
        }
    }
    (rows, more_expected.max(more_got))
}

/// The rows near a difference, and the number of omitted rows.
pub fn near_differences(rows: Vec<Row>) -> (Vec<Row>, usize) {
    let differing: Vec<usize> =
        rows.iter().enumerate().filter(|(_, row)| !row.is_equal()).map(|(index, _)| index).collect();
    let count = rows.len();
    let near =
        |index: usize| count <= 2 * AROUND + 6 || differing.iter().any(|at| at.abs_diff(index) <= AROUND);
    let kept: Vec<Row> =
        rows.into_iter().enumerate().filter(|(index, _)| near(*index)).map(|(_, row)| row).take(60).collect();
    let left_out = count - kept.len();
    (kept, left_out)
}

/// The lines of a text, with a final empty one marked as a line end, and the number of omitted lines.
fn lines(text: &str) -> (Vec<String>, usize) {
    let all: Vec<&str> = text.split('\n').collect();
    let count = all.len();
    let lines = all
        .into_iter()
        .take(MOST_LINES)
        .enumerate()
        .map(|(index, line)| {
            // A line that ends the text is distinguished from one that more follows by a mark that both would share.
            let mut line: String = line.chars().take(MOST_CHARS).collect();
            if index + 1 == count && line.is_empty() && count > 1 {
                line.push('⏎');
            }
            line
        })
        .collect();
    (lines, count.saturating_sub(MOST_LINES))
}

fn whole(line: &str, expected: bool) -> Row {
    let piece = Some(all_differs(line));
    if expected { Row { expected: piece, got: None } } else { Row { expected: None, got: piece } }
}

fn all_differs(line: &str) -> Vec<DiffPiece> {
    let piece = DiffPiece { text: visible(line, true), differs: true };
    if line.is_empty() { Vec::new() } else { vec![piece] }
}

fn changed(expected: &str, got: &str) -> Row {
    // Characters as strings, like lines: the algorithms are compiled for one type only.
    let [old, new] =
        [expected, got].map(|line| line.split("").filter(|ch| !ch.is_empty()).collect::<Vec<_>>());
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let same: usize =
        ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. })).map(|op| op.old_range().len()).sum();
    // A few characters that two different texts share by chance mean nothing.
    if 2 * same < old.len().max(new.len()) {
        return Row { expected: Some(all_differs(expected)), got: Some(all_differs(got)) };
    }
    let side = |chars: &[&str], range: fn(&DiffOp) -> Range<usize>| {
        let mut pieces: Vec<DiffPiece> = Vec::new();
        for op in &ops {
            let (text, differs) = (chars[range(op)].concat(), !matches!(op, DiffOp::Equal { .. }));
            match pieces.last_mut() {
                Some(last) if last.differs == differs => last.text.push_str(&text),
                // Characters only on the other side have nothing to show here.
                _ if text.is_empty() => {}
                _ => pieces.push(DiffPiece { text, differs }),
            }
        }
        pieces.iter_mut().for_each(|piece| piece.text = visible(&piece.text, piece.differs));
        Some(pieces)
    };
    Row { expected: side(&old, DiffOp::old_range), got: side(&new, DiffOp::new_range) }
}

/// A text in which control characters, noncharacters and characters that change the order of the text around them are visible; if it
/// `differs`, trailing spaces are too.
pub fn visible(text: &str, differs: bool) -> String {
    let words = text.trim_end_matches(' ').len();
    text.char_indices()
        .flat_map(|(at, ch)| {
            let shown: String = match ch {
                ' ' if differs && at >= words => "·".to_owned(),
                '\t' => "⇥".to_owned(),
                '\r' => "␍".to_owned(),
                '\u{a0}' => "⍽".to_owned(),
                '\0'..='\u{1f}' => char::from_u32(0x2400 + ch as u32).unwrap_or('\u{fffd}').to_string(),
                '\u{7f}' => "␡".to_owned(),
                '\u{80}'..='\u{9f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{61c}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}' => format!("\\u{:04x}", ch as u32),
                _ => ch.to_string(),
            };
            shown.chars().collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Row, side_by_side};

    fn marked(row: &Row) -> (String, String) {
        let side = |pieces: &Option<Vec<super::DiffPiece>>| match pieces {
            None => "∅".to_owned(),
            Some(pieces) => pieces
                .iter()
                .map(|piece| if piece.differs { format!("[{}]", piece.text) } else { piece.text.clone() })
                .collect(),
        };
        (side(&row.expected), side(&row.got))
    }

    #[track_caller]
    fn check(expected: &str, got: &str, rows: &[(&str, &str)]) {
        let (found, more) = side_by_side(expected, got);
        let found: Vec<(String, String)> = found.iter().map(marked).collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!((found.as_slice(), more), (rows, 0));
    }

    #[test]
    fn differing_characters_are_marked_on_both_sides() {
        check("R ?\n? ?", "R ?\n? B", &[("R ?", "R ?"), ("? [?]", "? [B]")]);
    }

    #[test]
    fn texts_with_little_in_common_differ_as_a_whole() {
        check("true", "AssertionError: spel", &[("[true]", "[AssertionError: spel]")]);
        check("a sentence", "None", &[("[a sentence]", "[None]")]);
        check("[2, 10]", "[2, 11]", &[("[2, 1[0]]", "[2, 1[1]]")]);
    }

    #[test]
    fn blanks_tabs_and_missing_line_ends_can_be_seen() {
        check("a", "a ", &[("a", "a[·]")]);
        check("a\tb", "a b", &[("a[⇥]b", "a[·]b")]);
        check("a", "a\n", &[("a", "a"), ("∅", "[⏎]")]);
        check("a\nb", "b", &[("[a]", "∅"), ("b", "b")]);
        check("abcdef", "abcdef\u{1b}[31m\u{202e}", &[("abcdef", "abcdef[␛[31m\\u202e]")]);
    }

    #[test]
    fn a_long_diff_says_what_it_leaves_out() {
        let long = "x\n".repeat(1000);
        let (rows, more) = side_by_side(&long, "y");
        assert_eq!((rows.len(), more), (200, 801));
    }
}
