//! A side-by-side diff of two texts, with invisible characters made visible.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// The most lines of a text to compare; the rest is omitted and counted.
const MOST_LINES: usize = 200;

/// The most characters of a line to show.
const MOST_CHARS: usize = 400;

/// Rows shown around a difference.
const AROUND: usize = 3;

/// The number of rows that are all shown, and the most that are.
const FEW_ROWS: usize = 2 * AROUND + 6;
const MOST_ROWS: usize = 60;

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

/// The side-by-side diff of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A row for each pair of lines.
    pub rows: Vec<Row>,
    /// The number of rows that were left out.
    pub omitted: usize,
}

/// The side-by-side diff of two texts, line by line.
pub fn side_by_side(expected: &str, got: &str) -> Difference {
    let (expected, more_expected) = lines(expected);
    let (got, more_got) = lines(got);
    let omitted = more_expected.max(more_got);
    let mut rows = Vec::new();
    // Boards have the same lines in the same places: each line is paired with the one at its index, not with
    // a similar one.
    if expected.len() == got.len() && expected.len() > 1 {
        let rows = expected.iter().zip(&got).map(|(expected, got)| changed(expected, got)).collect();
        return Difference { rows, omitted };
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
    Difference { rows, omitted }
}

impl Difference {
    /// Keeps only the rows near a difference.
    pub fn near_differences(mut self) -> Difference {
        let count = self.rows.len();
        if count > FEW_ROWS {
            let is_equal: Vec<bool> = self.rows.iter().map(Row::is_equal).collect();
            let mut index = 0_usize;
            self.rows.retain(|_| {
                let around = index.saturating_sub(AROUND)..count.min(index + AROUND + 1);
                index += 1;
                is_equal[around].contains(&false)
            });
        }
        self.rows.truncate(MOST_ROWS);
        self.omitted += count - self.rows.len();
        self
    }
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
            // A line that ends the text is distinguished from one that more follows by a mark that both would
            // share.
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
    // Parts as strings, like lines: the algorithms are compiled for one type only.
    let items = [items(expected), items(got)];
    let is_list = items.iter().all(|items| items.len() > 1)
        && [expected, got].iter().any(|line| line.contains(SEPARATOR));
    let [old, new] = if is_list { items } else { [expected, got].map(characters) };
    let [old_keys, new_keys] = compared_as(&old, &new);
    // The characters of a row of a board stand for something by their places too, unless the row has shifted.
    let apart = old_keys.iter().zip(&new_keys).filter(|(old, new)| old != new).count();
    let in_places = if is_list { old.len() <= MOST_PLACES } else { 2 * apart <= old.len() };
    let ops = if in_places && old.len() == new.len() {
        in_their_places(&old_keys, &new_keys)
    } else {
        capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys)
    };
    let equal = ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    let same: usize = equal.map(|op| op.old_range().len()).sum();
    // A few characters that two different texts share by chance mean nothing.
    if !is_list && 2 * same < old.len().max(new.len()) {
        return Row { expected: Some(all_differs(expected)), got: Some(all_differs(got)) };
    }
    let side = |parts: &[&str], range: fn(&DiffOp) -> Range<usize>| {
        let mut pieces: Vec<DiffPiece> = Vec::new();
        let parts = ops.iter().flat_map(|op| parts[range(op)].iter().map(move |part| (op, *part)));
        for (op, text) in parts {
            // What separates items is none.
            let is_separator = is_list && text == SEPARATOR;
            let differs = !matches!(op, DiffOp::Equal { .. }) && !is_separator;
            match pieces.last_mut() {
                Some(last) if last.differs == differs => last.text.push_str(text),
                _ => pieces.push(DiffPiece { text: text.to_owned(), differs }),
            }
        }
        pieces.iter_mut().for_each(|piece| piece.text = visible(&piece.text, piece.differs));
        Some(pieces)
    };
    Row { expected: side(&old, DiffOp::old_range), got: side(&new, DiffOp::new_range) }
}

/// The most parts of a list, with separators and brackets, whose items stand for something by their places: four items.
const MOST_PLACES: usize = 9;

/// The text between two items of a list, as every notation writes it.
const SEPARATOR: &str = ", ";

fn characters(line: &str) -> Vec<&str> {
    line.split("").filter(|ch| !ch.is_empty()).collect()
}

/// The items of a list as a notation writes it, with its brackets and separators; none of a text that is no list.
fn items(line: &str) -> Vec<&str> {
    if !line.starts_with(['[', '(', '{']) || !line.ends_with([']', ')', '}']) {
        return Vec::new();
    }
    let (mut depth, mut quote, mut escaped, mut start) = (0_usize, None, false, 0);
    let mut parts = Vec::new();
    for (at, ch) in line.char_indices() {
        match (ch, quote) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            (ch, Some(open)) if ch == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(ch),
            ('[' | '(' | '{', None) => depth += 1,
            (']' | ')' | '}', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 1 && line[at..].starts_with(SEPARATOR) => {
                parts.extend([&line[start..at], SEPARATOR]);
                start = at + SEPARATOR.len();
                continue;
            }
            _ => {}
        }
        if at == 0 {
            parts.push(&line[..1]);
            start = 1;
        }
    }
    let last = line.len() - 1;
    parts.extend([&line[start.min(last)..last], &line[last..]]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The items of two lists that the other one does not have: those of the first, and those of the second. None of texts
/// that are no lists.
pub fn items_apart<'t>(expected: &'t str, got: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
    let inside = |line: &'t str| {
        let parts = items(line);
        let last = parts.len().saturating_sub(1);
        parts.get(1..last).unwrap_or_default().iter().copied().filter(|part| *part != SEPARATOR).collect()
    };
    let (mut missing, mut extra): (Vec<&str>, Vec<&str>) = (inside(expected), inside(got));
    missing.retain(|item| {
        let same = extra.iter().position(|other| other == item);
        same.map(|at| extra.remove(at)).is_none()
    });
    (missing, extra)
}

/// The parts as they are compared: a quotation mark around a text is the same whichever it is.
fn compared_as<'t>(expected: &[&'t str], got: &[&'t str]) -> [Vec<&'t str>; 2] {
    let is_quoted =
        |parts: &[&str]| matches!(parts, [open, .., close] if open == close && ["'", "\""].contains(open));
    let are_quoted =
        is_quoted(expected) && is_quoted(got) && expected[1..expected.len() - 1] != got[1..got.len() - 1];
    [expected, got].map(|parts| {
        let mut keys = parts.to_vec();
        if are_quoted {
            let last = keys.len() - 1;
            (keys[0], keys[last]) = ("'", "'");
        }
        keys
    })
}

/// The operations that compare each part with the one in its place.
fn in_their_places(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let op = |index: usize| {
        if old[index] == new[index] {
            DiffOp::Equal { old_index: index, new_index: index, len: 1 }
        } else {
            DiffOp::Replace { old_index: index, old_len: 1, new_index: index, new_len: 1 }
        }
    };
    (0..old.len()).map(op).collect()
}

/// A text in which control characters, noncharacters and characters that change the order of the text around
/// them are visible; if it `differs`, trailing spaces are too.
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
    use super::{Difference, Row, items_apart, side_by_side};

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
        let Difference { rows: found, omitted: more } = side_by_side(expected, got);
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
    }

    #[test]
    fn the_items_of_a_list_are_marked() {
        check("[2, 10]", "[2, 11]", &[("[2, [10]]", "[2, [11]]")]);
        check("[0, 1]", "[1, 0]", &[("[[0], [1]]", "[[1], [0]]")]);
        check(
            "[14, 15, 16, 17, 25]",
            "[13, 14, 15, 16, 17]",
            &[("[14, 15, 16, 17, [25]]", "[[13], 14, 15, 16, 17]")],
        );
        check("[(1, 2), (3, 4)]", "[(3, 4)]", &[("[[(1, 2)], (3, 4)]", "[(3, 4)]")]);
        check(
            "{'a, b': 1, 'c': 2}",
            "{'a, b': 1, 'c': 3}",
            &[("{'a, b': 1, ['c': 2]}", "{'a, b': 1, ['c': 3]}")],
        );
        check("[]", "[1, 2]", &[("[]", "[[1], [2]]")]);
        check("[1]", "None", &[("[[1]]", "[None]")]);
        check("X--", "[X][-][-]", &[("[X--]", "[[X][-][-]]")]);
    }

    #[test]
    fn a_row_of_a_board_is_compared_place_by_place_unless_it_has_shifted() {
        check("XOXOX", "XOOOX", &[("XO[X]OX", "XO[O]OX")]);
        check("XOXO-XO", "OXO-XOX", &[("[X]OXO-XO", "OXO-XO[X]")]);
    }

    #[test]
    fn the_items_that_only_one_list_has_are_found() {
        assert_eq!(items_apart("[[1, 2], [3, 4], 5, 5]", "[5, [1, 2], 7]"), (vec!["[3, 4]", "5"], vec!["7"]));
        assert_eq!(items_apart("{(0, 0), (0, 1)}", "{}"), (vec!["(0, 0)", "(0, 1)"], vec![]));
        assert_eq!(items_apart("board", "a, b"), (vec![], vec![]));
    }

    #[test]
    fn a_quotation_mark_is_no_difference() {
        check("'it is on'", "\"it's on\"", &[("'it[ i]s on'", "\"it[']s on\"")]);
        check("'on'", "on", &[("[']on[']", "on")]);
        check("'on'", "\"on\"", &[("[']on[']", "[\"]on[\"]")]);
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
        let whole = side_by_side(&long, "y");
        assert_eq!((whole.rows.len(), whole.omitted), (200, 801));
        let near = whole.near_differences();
        assert_eq!((near.rows.len(), near.omitted), (60, 941));
    }

    #[test]
    fn rows_that_are_far_from_a_difference_are_left_out() {
        let text = |changed: &str| format!("{}{changed}\n{}", "x\n".repeat(8), "x\n".repeat(8));
        let near = side_by_side(&text("a"), &text("b")).near_differences();
        assert_eq!((near.rows.len(), near.omitted), (7, 11));
        assert!(!near.rows[3].is_equal());
    }
}
