//! Boards as pictures: what an exercise provides so that a report can draw the boards of a session.
//!
//! A picture is drawn only from the text that a submission gave: [`Picture::read`] accepts exactly the text
//! that the assignment prescribes, of a bounded size; any other text is not a board and is not drawn.

use crate::draw::Svg;
use std::collections::BTreeSet;

/// The functions that read and draw the boards of an exercise.
pub struct Picture {
    /// Reads the text that the last line of a session printed; `None` if it is not a board.
    pub read: fn(text: &str, session: &[&str]) -> Option<Diagram>,
    /// Draws it.
    pub draw: fn(board: &Diagram, svg: &mut Svg),
    /// Width and height of the drawing, in its own units.
    pub size: fn(board: &Diagram) -> (f64, f64),
    /// The place of a cell in the drawing.
    pub extent: fn(board: &Diagram, row: usize, column: usize) -> Extent,
}

/// A rectangle in a drawing, by its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The centre, from the left.
    pub x: f64,
    /// The centre, from the top.
    pub y: f64,
    /// Half of the width.
    pub half_width: f64,
    /// Half of the height.
    pub half_height: f64,
}

/// The most rows or columns of a board that is drawn: Quixo's 26 letters fit, and 16 dots of a dots board.
const MOST_SIDE: usize = 31;

/// The contents of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The cells, row by row.
    pub cells: Vec<char>,
    /// Moves from one cell to another, by their indices in `cells`.
    pub arrows: BTreeSet<(usize, usize)>,
}

/// Two boards that differ, to be drawn side by side.
pub struct Pair {
    picture: &'static Picture,
    expected: Diagram,
    got: Diagram,
}

impl Picture {
    /// The boards that two texts show, if both show one and they differ.
    ///
    /// `session` is the lines of the session up to the one that printed them.
    pub fn pair(&'static self, session: &[&str], expected: &str, got: &str) -> Option<Pair> {
        let (expected, got) = ((self.read)(expected, session)?, (self.read)(got, session)?);
        (expected != got).then_some(Pair { picture: self, expected, got })
    }
}

impl Pair {
    /// Returns true if a board shows moves.
    pub fn has_moves(&self) -> bool {
        !self.expected.arrows.is_empty() || !self.got.arrows.is_empty()
    }

    /// The expected board, with a ring around each difference; `label` describes it.
    pub fn expected(&self, label: &str) -> Svg {
        self.draw(&self.expected, &self.got, label, "ring ring-e")
    }

    /// The board that the submission printed, with a ring around each difference; `label` describes it.
    pub fn got(&self, label: &str) -> Svg {
        self.draw(&self.got, &self.expected, label, "ring ring-g")
    }

    fn draw(&self, board: &Diagram, other: &Diagram, label: &str, ring: &'static str) -> Svg {
        // The attributes give the size in pixels: small boards are not enlarged, large ones shrink to fit.
        Svg::picture((self.picture.size)(board), label, |svg| {
            (self.picture.draw)(board, svg);
            for (row, column) in board.differing(other) {
                let Extent { x, y, half_width, half_height } = (self.picture.extent)(board, row, column);
                let numbers = [
                    ("x", x - half_width),
                    ("y", y - half_height),
                    ("width", 2.0 * half_width),
                    ("height", 2.0 * half_height),
                    ("rx", half_width.min(half_height)),
                ];
                svg.shape("rect", ring, &numbers);
            }
            for (from, to) in board.arrows.difference(&other.arrows) {
                let centre = |cell: &usize| {
                    let at = (self.picture.extent)(board, cell / board.columns, cell % board.columns);
                    (at.x, at.y)
                };
                arrow(svg, ring, centre(from), centre(to));
            }
        })
    }
}

impl Diagram {
    /// A board of the characters of a text, row by row.
    ///
    /// All rows must be equally long, and each character must fit its row and column by `fits`.
    pub fn of_rows(rows: &[Vec<char>], fits: impl Fn(usize, usize, char) -> bool) -> Option<Diagram> {
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
        Some(Diagram { rows: rows.len(), columns, cells, arrows: BTreeSet::new() })
    }

    /// The cell at a row and a column; `None` off the board.
    pub fn at(&self, row: usize, column: usize) -> Option<char> {
        if column >= self.columns {
            return None;
        }
        self.cells.get(row * self.columns + column).copied()
    }

    /// Every cell with its row and column.
    pub fn each(&self) -> impl Iterator<Item = (usize, usize, char)> {
        let columns = self.columns;
        self.cells.iter().enumerate().map(move |(index, cell)| (index / columns, index % columns, *cell))
    }

    /// The rows and columns of the cells that differ in the other board, or that it does not have.
    pub fn differing(&self, other: &Diagram) -> Vec<(usize, usize)> {
        let differs = |(row, column, cell): &(usize, usize, char)| other.at(*row, *column) != Some(*cell);
        self.each().filter(differs).map(|(row, column, _)| (row, column)).collect()
    }
}

/// The rows of a text without separators; `None` if it is too long for a board.
pub fn rows(text: &str) -> Option<Vec<Vec<char>>> {
    if text.len() > 4 * (2 * MOST_SIDE) * MOST_SIDE {
        return None;
    }
    Some(text.split('\n').map(|line| line.chars().collect()).collect())
}

/// The side of a cell of a plain grid.
pub const CELL: f64 = 34.0;
/// The space for the labels of rows and columns.
pub const LABEL: f64 = 18.0;
/// The margin at the right and at the bottom.
pub const MARGIN: f64 = 4.0;

/// The centre of a cell on a plain grid.
pub fn centre(row: usize, column: usize) -> (f64, f64) {
    (LABEL + (column as f64 + 0.5) * CELL, LABEL + (row as f64 + 0.5) * CELL)
}

/// The width and height of a plain grid.
pub fn grid_size(board: &Diagram) -> (f64, f64) {
    (LABEL + board.columns as f64 * CELL + MARGIN, LABEL + board.rows as f64 * CELL + MARGIN)
}

/// The place of a cell in a plain grid.
pub fn grid_extent(_: &Diagram, row: usize, column: usize) -> Extent {
    let (x, y) = centre(row, column);
    Extent { x, y, half_width: CELL / 2.0, half_height: CELL / 2.0 }
}

/// An arrow between two cells that stops short of their centres.
pub fn arrow(svg: &mut Svg, class: &'static str, from: (f64, f64), to: (f64, f64)) {
    const GAP: f64 = 11.0;
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across.hypot(down).max(1.0);
    let (across, down) = (across / length * GAP, down / length * GAP);
    svg.arrow(class, (from.0 + across, from.1 + down), (to.0 - across, to.1 - down));
}

/// Labels of rows and columns around a plain grid.
pub fn grid_labels(svg: &mut Svg, board: &Diagram, row: fn(usize) -> String, column: fn(usize) -> String) {
    for index in 0..board.columns {
        svg.text("axis", (centre(0, index).0, LABEL / 2.0), &column(index));
    }
    for index in 0..board.rows {
        svg.text("axis", (LABEL / 2.0, centre(index, 0).1), &row(index));
    }
}

/// A square of a plain grid, `inset` from its edges.
pub fn square(svg: &mut Svg, class: &'static str, (row, column): (usize, usize), inset: f64, round: f64) {
    let (x, y) = centre(row, column);
    let side = CELL - 2.0 * inset;
    let numbers =
        [("x", x - side / 2.0), ("y", y - side / 2.0), ("width", side), ("height", side), ("rx", round)];
    svg.shape("rect", class, &numbers);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Diagram, Picture};
    use crate::draw::Svg;
    use crate::exercises::{EXERCISES, find};
    use proptest::prelude::*;

    /// The cells that a picture reads from a text, row by row; `None` if the text is not a board.
    pub(crate) fn read(picture: &Picture, line: &str, text: &str) -> Option<String> {
        let board: Diagram = (picture.read)(text, &[line])?;
        assert_eq!(board.cells.len(), board.rows * board.columns);
        Some(board.cells.chunks(board.columns).map(String::from_iter).collect::<Vec<_>>().join("/"))
    }

    fn quixo() -> &'static Picture {
        find("quixo").unwrap().picture.as_ref().unwrap()
    }

    #[test]
    fn boards_that_are_the_same_are_not_drawn() {
        assert!(quixo().pair(&[], "X-\nOX", "X-\nOX").is_none());
        assert!(quixo().pair(&[], "X-\nOX", "undefined").is_none());
        assert!(quixo().pair(&[], "X-\nOX", "X-\nOO").is_some());
    }

    #[test]
    fn differences_are_ringed_on_both_boards() {
        let rings = |expected: &str, got: &str| {
            let pair = quixo().pair(&[], expected, got).unwrap();
            let count = |svg: Svg| svg.as_str().matches("class=\"ring").count();
            [count(pair.expected("e")), count(pair.got("g"))]
        };
        assert_eq!(rings("X-\nOX", "XO\nOX"), [1, 1]);
        // Cells that only the larger board has.
        assert_eq!(rings("X", "X-\nOX"), [0, 3]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(text in "[-XO?RBWwb+|.AB\\[\\]0-9, \\n]{0,200}", any in ".{0,80}", line in ".{0,40}") {
            for picture in EXERCISES.iter().filter_map(|exercise| exercise.picture.as_ref()) {
                for line in ["white(b)", "legal_moves(b)", "next_move(b)", line.as_str()] {
                    let session = ["b = make_board()", "move(make_move(19, 13), b)", any.as_str(), line];
                    for (one, other) in [(&text, &any), (&any, &text), (&text, &text)] {
                        if let Some(pair) = picture.pair(&session, one, other) {
                            pair.expected("");
                            pair.got("");
                        }
                        if let Some(board) = (picture.read)(one, &session) {
                            (picture.draw)(&board, &mut Svg::default());
                            prop_assert!((picture.size)(&board).0 > 0.0);
                        }
                    }
                }
            }
        }
    }
}
