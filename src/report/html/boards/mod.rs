//! Boards as pictures: [`PICTURES`] is the registry, a row a game, found by the name of its exercise.
//!
//! A picture is drawn from the text that a submission gave and from nothing else: a row reads exactly the text that its
//! assignment prescribes, of a bounded size, and whatever is written otherwise is no board and is not drawn.

mod alquerque;
mod codenames;
mod pipopipette;
mod quixo;
mod yinyang;

use super::markup::Html;
use std::collections::BTreeSet;

/// How a game is read and drawn.
struct Picture {
    /// The exercise.
    game: &'static str,
    /// Reads a text that the line of a session gave; none where it is no board.
    read: fn(text: &str, line: &str) -> Option<Board>,
    /// Draws it, and how large it is.
    draw: fn(board: &Board, svg: &mut Html),
    /// Width and height of what is drawn, in units of the picture.
    size: fn(board: &Board) -> (f64, f64),
    /// Where a cell lies, for the ring around it: its centre and half its width and height; none where it is not to
    /// be seen.
    spot: fn(board: &Board, row: usize, column: usize) -> Option<Spot>,
}

/// Where something lies in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    x: f64,
    y: f64,
    half_width: f64,
    half_height: f64,
}

/// Every game.
const PICTURES: &[Picture] =
    &[alquerque::PICTURE, codenames::PICTURE, pipopipette::PICTURE, quixo::PICTURE, yinyang::PICTURE];

/// Rows and columns of a board that is drawn, at the most: Quixo's 26 letters and a dots board of 16 dots are in.
const MOST_SIDE: usize = 31;

/// What lies on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    rows: usize,
    columns: usize,
    /// Row by row.
    cells: Vec<char>,
    /// Moves from one cell to another, by their indices.
    arrows: BTreeSet<(usize, usize)>,
}

/// Two boards of a game, to be drawn next to each other.
pub(super) struct Pair {
    picture: &'static Picture,
    expected: Board,
    got: Board,
}

/// The boards that two texts show, where both show one and they differ. `line` is the line of the session that gave
/// them.
pub(super) fn pair(game: &str, line: &str, expected: &str, got: &str) -> Option<Pair> {
    let picture = PICTURES.iter().find(|picture| picture.game == game)?;
    let (expected, got) = ((picture.read)(expected, line)?, (picture.read)(got, line)?);
    (expected != got).then_some(Pair { picture, expected, got })
}

impl Pair {
    /// The board that was expected, with a ring around what differs.
    pub(super) fn expected(&self, label: &str) -> Html {
        self.draw(&self.expected, &self.got, label, "ring ring-e")
    }

    /// The board that came.
    pub(super) fn got(&self, label: &str) -> Html {
        self.draw(&self.got, &self.expected, label, "ring ring-g")
    }

    fn draw(&self, board: &Board, other: &Board, label: &str, ring: &'static str) -> Html {
        let (width, height) = (self.picture.size)(board);
        let mut svg = Html::default();
        let (width_text, height_text) = (width.ceil().to_string(), height.ceil().to_string());
        let view = format!("0 0 {width_text} {height_text}");
        // Small boards are not blown up, large ones shrink to the room that there is.
        let attributes = [
            ("viewBox", view.as_str()),
            ("width", width_text.as_str()),
            ("height", height_text.as_str()),
            ("class", "board"),
            ("role", "img"),
            ("aria-label", label),
        ];
        svg.element("svg", &attributes, |svg| {
            (self.picture.draw)(board, svg);
            for (row, column) in board.differing(other) {
                if let Some(spot) = (self.picture.spot)(board, row, column) {
                    let numbers = [
                        ("x", spot.x - spot.half_width),
                        ("y", spot.y - spot.half_height),
                        ("width", 2.0 * spot.half_width),
                        ("height", 2.0 * spot.half_height),
                        ("rx", spot.half_width.min(spot.half_height)),
                    ];
                    svg.shape("rect", ring, &numbers);
                }
            }
            let only = board.arrows.difference(&other.arrows);
            only.for_each(|arrow| alquerque::arrow(svg, *arrow, ring));
        });
        svg
    }
}

impl Board {
    /// A board of the characters of a text, row by row, where all rows are as long and each character is one that
    /// `fits` its row and column.
    fn of_rows(rows: &[Vec<char>], fits: impl Fn(usize, usize, char) -> bool) -> Option<Board> {
        let columns = rows.first()?.len();
        let sides = 1..=MOST_SIDE;
        if !sides.contains(&rows.len()) || !sides.contains(&columns) {
            return None;
        }
        let mut cells = Vec::with_capacity(rows.len() * columns);
        for (index, row) in rows.iter().enumerate() {
            if row.len() != columns || !row.iter().enumerate().all(|(column, ch)| fits(index, column, *ch)) {
                return None;
            }
            cells.extend(row);
        }
        Some(Board { rows: rows.len(), columns, cells, arrows: BTreeSet::new() })
    }

    fn at(&self, row: usize, column: usize) -> Option<char> {
        if column >= self.columns {
            return None;
        }
        self.cells.get(row * self.columns + column).copied()
    }

    /// Every cell with its row and column.
    fn each(&self) -> impl Iterator<Item = (usize, usize, char)> {
        let columns = self.columns;
        self.cells.iter().enumerate().map(move |(index, cell)| (index / columns, index % columns, *cell))
    }

    /// The rows and columns of the cells in which the other board has something else, or which it does not have.
    fn differing(&self, other: &Board) -> Vec<(usize, usize)> {
        let differs = |(row, column, cell): &(usize, usize, char)| other.at(*row, *column) != Some(*cell);
        self.each().filter(differs).map(|(row, column, _)| (row, column)).collect()
    }
}

/// The rows of a text without anything between its cells: none where it is too long to be a board.
fn rows(text: &str) -> Option<Vec<Vec<char>>> {
    if text.len() > 4 * (2 * MOST_SIDE) * MOST_SIDE {
        return None;
    }
    Some(text.split('\n').map(|line| line.chars().collect()).collect())
}

/// Cells of a picture on a plain grid: their side, and the room for the labels of rows and columns.
const CELL: f64 = 34.0;
const LABEL: f64 = 18.0;
const MARGIN: f64 = 4.0;

/// The centre of a cell on a plain grid.
fn centre(row: usize, column: usize) -> (f64, f64) {
    (LABEL + (column as f64 + 0.5) * CELL, LABEL + (row as f64 + 0.5) * CELL)
}

/// The width and height of a plain grid.
fn grid_size(board: &Board) -> (f64, f64) {
    (LABEL + board.columns as f64 * CELL + MARGIN, LABEL + board.rows as f64 * CELL + MARGIN)
}

/// Where a cell of a plain grid lies.
fn grid_spot(_: &Board, row: usize, column: usize) -> Option<Spot> {
    let (x, y) = centre(row, column);
    Some(Spot { x, y, half_width: CELL / 2.0, half_height: CELL / 2.0 })
}

/// A text in a picture, in the middle of `x`, `y`.
fn label(svg: &mut Html, class: &'static str, (x, y): (f64, f64), text: &str) {
    let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
    svg.line("text", &[("class", class), ("x", &x), ("y", &y)], text);
}

/// Labels of rows and columns around a plain grid.
fn grid_labels(svg: &mut Html, board: &Board, row: fn(usize) -> String, column: fn(usize) -> String) {
    for index in 0..board.columns {
        label(svg, "axis", (centre(0, index).0, LABEL / 2.0), &column(index));
    }
    for index in 0..board.rows {
        label(svg, "axis", (LABEL / 2.0, centre(index, 0).1), &row(index));
    }
}

/// A square of a plain grid, `inset` from its edges.
fn square(svg: &mut Html, class: &'static str, (row, column): (usize, usize), inset: f64, round: f64) {
    let (x, y) = centre(row, column);
    let side = CELL - 2.0 * inset;
    let numbers =
        [("x", x - side / 2.0), ("y", y - side / 2.0), ("width", side), ("height", side), ("rx", round)];
    svg.shape("rect", class, &numbers);
}

/// A circle.
fn circle(svg: &mut Html, class: &'static str, (x, y): (f64, f64), radius: f64) {
    svg.shape("circle", class, &[("cx", x), ("cy", y), ("r", radius)]);
}

/// A line.
fn stroke(svg: &mut Html, class: &'static str, from: (f64, f64), to: (f64, f64)) {
    svg.shape("line", class, &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)]);
}

#[cfg(test)]
mod tests {
    use super::{Board, PICTURES, pair};
    use proptest::prelude::*;

    /// The cells that a game reads from a text, row by row; none where it reads no board.
    pub(super) fn read(game: &str, line: &str, text: &str) -> Option<String> {
        let picture = PICTURES.iter().find(|picture| picture.game == game).unwrap();
        let board: Board = (picture.read)(text, line)?;
        assert_eq!(board.cells.len(), board.rows * board.columns);
        Some(board.cells.chunks(board.columns).map(String::from_iter).collect::<Vec<_>>().join("/"))
    }

    #[test]
    fn boards_that_are_the_same_are_not_drawn() {
        assert!(pair("quixo", "", "X-\nOX", "X-\nOX").is_none());
        assert!(pair("quixo", "", "X-\nOX", "undefined").is_none());
        assert!(pair("chess", "", "X-\nOX", "X-\nOO").is_none());
    }

    #[test]
    fn what_differs_is_ringed_on_both_boards() {
        let rings = |expected: &str, got: &str| {
            let pair = pair("quixo", "", expected, got).unwrap();
            let mut page = super::Html::default();
            page.add(&pair.expected("e"));
            let expected = page.len();
            page.add(&pair.got("g"));
            assert!(page.len() > expected);
            [(&pair.expected, &pair.got), (&pair.got, &pair.expected)]
                .map(|(one, other)| one.differing(other))
        };
        assert_eq!(rings("X-\nOX", "XO\nOX"), [vec![(0, 1)], vec![(0, 1)]]);
        // Of a larger board, what the smaller one has not.
        assert_eq!(rings("X", "X-\nOX"), [vec![], vec![(0, 1), (1, 0), (1, 1)]]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(text in "[-XO?RBWwb+|.AB\\[\\]0-9, \\n]{0,200}", any in ".{0,80}", line in ".{0,40}") {
            for picture in PICTURES {
                for line in ["white(b)", "legal_moves(b)", "next_move(b)", line.as_str()] {
                    for (one, other) in [(&text, &any), (&any, &text), (&text, &text)] {
                        if let Some(pair) = pair(picture.game, line, one, other) {
                            pair.expected("");
                            pair.got("");
                        }
                        if let Some(board) = (picture.read)(one, line) {
                            let mut svg = super::Html::default();
                            (picture.draw)(&board, &mut svg);
                            prop_assert!((picture.size)(&board).0 > 0.0);
                        }
                    }
                }
            }
        }
    }
}
