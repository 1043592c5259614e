//! Alquerque: the lines of the board with pieces on it. An exercise of functions has no text of a board: what is drawn
//! are the fields that `white` or `black` gave, and the moves that `legal_moves` or `next_move` gave, as arrows.
//!
//! Fields are numbered 1 to 25, row by row; diagonals meet on the odd ones.

use super::{Board, Picture, Spot, circle, label, stroke};
use crate::report::html::markup::Html;
use std::collections::BTreeSet;

pub(super) const PICTURE: Picture = Picture {
    game: "alquerque",
    read,
    draw,
    size: |_| (SIDE, SIDE),
    spot: |_, row, column| spot(row, column),
};

/// Fields of a row.
const ROW: usize = 5;

/// From one field to the next, the room around them, and the side of the whole picture.
const STEP: f64 = 48.0;
const AROUND: f64 = 24.0;
const SIDE: f64 = 4.0 * STEP + 2.0 * AROUND;

/// Fields or moves of a list at the most: no position has more.
const MOST: usize = 200;

/// What stands between values of which any is right.
const BAR: &str = " | ";

/// An empty field.
const EMPTY: char = '.';

fn read(text: &str, line: &str) -> Option<Board> {
    let mut board = Board { rows: ROW, columns: ROW, cells: vec![EMPTY; ROW * ROW], arrows: BTreeSet::new() };
    let called = called(line);
    match called.as_str() {
        "white" | "black" => {
            let piece = if called == "white" { 'w' } else { 'b' };
            for field in fields(text)? {
                *board.cells.get_mut(field)? = piece;
            }
        }
        "nextmove" => {
            // Where several moves are right, each of them stands between bars.
            for one in text.split(BAR).take(MOST) {
                board.arrows.insert(arrow_of(&fields(one)?)?);
            }
        }
        "legalmoves" => {
            for one in inside(text)?.split_inclusive(CLOSING).take(MOST) {
                let one = one.strip_prefix(", ").unwrap_or(one);
                if !one.is_empty() {
                    board.arrows.insert(arrow_of(&fields(one)?)?);
                }
            }
        }
        _ => return None,
    }
    Some(board)
}

/// The function that a line of a session calls, whatever the language calls it: `legalmoves` for `legal_moves`.
fn called(line: &str) -> String {
    let before = line.split('(').next().unwrap_or_default();
    let name = before.rsplit(|ch: char| !ch.is_alphanumeric() && ch != '_').next().unwrap_or_default();
    name.chars().filter(|ch| *ch != '_').flat_map(char::to_lowercase).collect()
}

/// What ends a list, in any of the languages.
const CLOSING: [char; 2] = [']', ')'];

/// What stands between the brackets of a list, a tuple or Java's `List.of`.
fn inside(text: &str) -> Option<&str> {
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let tuple = || text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let java = || text.strip_prefix("List.of(").and_then(|text| text.strip_suffix(')'));
    list.or_else(tuple).or_else(java)
}

/// The fields of a list of numbers, from 0.
fn fields(text: &str) -> Option<Vec<usize>> {
    let inside = inside(text)?;
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let field = |number: &str| {
        let plain = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: usize = if plain { number.parse().ok()? } else { return None };
        (1..=ROW * ROW).contains(&number).then(|| number - 1)
    };
    if inside.len() > 4 * MOST {
        return None;
    }
    inside.split(", ").map(field).collect()
}

fn arrow_of(fields: &[usize]) -> Option<(usize, usize)> {
    match fields {
        [source, target] if source != target => Some((*source, *target)),
        _ => None,
    }
}

fn place(row: usize, column: usize) -> (f64, f64) {
    (AROUND + column as f64 * STEP, AROUND + row as f64 * STEP)
}

fn spot(row: usize, column: usize) -> Option<Spot> {
    let (x, y) = place(row, column);
    Some(Spot { x, y, half_width: 19.0, half_height: 19.0 })
}

fn draw(board: &Board, svg: &mut Html) {
    let last = ROW - 1;
    for index in 0..ROW {
        stroke(svg, "path", place(index, 0), place(index, last));
        stroke(svg, "path", place(0, index), place(last, index));
    }
    for (from, to) in [
        ((0, 0), (4, 4)),
        ((0, 2), (2, 4)),
        ((2, 0), (4, 2)),
        ((0, 4), (4, 0)),
        ((0, 2), (2, 0)),
        ((2, 4), (4, 2)),
    ] {
        stroke(svg, "path", place(from.0, from.1), place(to.0, to.1));
    }
    board.arrows.iter().for_each(|one| arrow(svg, *one, "arrow"));
    for (row, column, cell) in board.each() {
        let number = (row * ROW + column + 1).to_string();
        match cell {
            'w' => circle(svg, "stone white", place(row, column), 14.0),
            'b' => circle(svg, "stone black", place(row, column), 14.0),
            _ => circle(svg, "empty", place(row, column), 9.0),
        }
        let class = if cell == 'b' { "field-number on-dark" } else { "field-number" };
        let class = if cell == 'w' { "field-number on-light" } else { class };
        label(svg, class, place(row, column), &number);
    }
}

/// An arrow from one field to another, as a line with a head.
pub(super) fn arrow(svg: &mut Html, (source, target): (usize, usize), class: &'static str) {
    let (from, to) = (place(source / ROW, source % ROW), place(target / ROW, target % ROW));
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across.hypot(down).max(1.0);
    let (across, down) = (across / length, down / length);
    let (start, end) =
        ((from.0 + across * 11.0, from.1 + down * 11.0), (to.0 - across * 11.0, to.1 - down * 11.0));
    stroke(svg, class, start, end);
    for side in [-1.0, 1.0] {
        let barb = (end.0 - across * 8.0 - side * down * 5.0, end.1 - down * 8.0 + side * across * 5.0);
        stroke(svg, class, end, barb);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::PICTURE;

    #[test]
    fn lists_of_fields_are_pieces() {
        let white = "...../...../...../..w../....w";
        for (line, text) in [
            (">>> white(b)", "[18, 25]"),
            ("> white(b)", "[18, 25]"),
            ("jshell> Board.white(b)", "List.of(18, 25)"),
        ] {
            assert_eq!(read("alquerque", line, text).as_deref(), Some(white), "{line}");
        }
        assert_eq!(
            read("alquerque", ">>> black(c)", "[1]").map(|cells| cells.replace(['.', '/'], "")),
            Some("b".into())
        );
        assert!(read("alquerque", ">>> black(c)", "[]").is_some());
        for text in
            ["", "[0]", "[26]", "[1,2]", "[1, 2", "{1, 2}", "[+1]", "[1, 2] | [3]", "None", "[1, ]", "[true]"]
        {
            assert_eq!(read("alquerque", "white(b)", text), None, "{text:?}");
        }
        assert_eq!(read("alquerque", "is_legal(m, b)", "[18, 25]"), None);
    }

    #[test]
    fn moves_are_arrows() {
        let arrows = |line: &str, text: &str| {
            let board = (PICTURE.read)(text, line)?;
            Some(board.arrows.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(arrows("next_move(b, 3)", "[21, 16]"), Some(vec![(20, 15)]));
        assert_eq!(arrows("next_move(b, 3)", "[21, 16] | [1, 2]"), Some(vec![(0, 1), (20, 15)]));
        for text in ["[21, 16] | ", "[21, 16] | ...", "[21, 16]|[1, 2]"] {
            assert_eq!(arrows("next_move(b, 3)", text), None, "{text:?}");
        }
        assert_eq!(arrows("> legalMoves(b)", "[[14, 9], [15, 9]]"), Some(vec![(13, 8), (14, 8)]));
        assert_eq!(arrows("legal_moves(b)", "[]"), Some(vec![]));
        for text in ["[[14, 9]", "[14, 9]", "[[14, 9, 1]]", "[[14, 14]]", "[[14, 9]; [1, 2]]", "[[14, 99]]"] {
            assert_eq!(arrows("legal_moves(b)", text), None, "{text:?}");
        }
    }
}
