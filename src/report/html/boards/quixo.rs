//! Quixo: dice with a cross, a circle or nothing on their face. The text has a row a line and nothing between cells.

use super::{Board, CELL, Picture, centre, circle, grid_labels, grid_size, grid_spot, rows, square, stroke};
use crate::report::html::markup::Html;

pub(super) const PICTURE: Picture = Picture { game: "quixo", read, draw, size: grid_size, spot: grid_spot };

/// Rows and columns at the most: they are called A to Z.
const MOST: usize = 26;

fn read(text: &str, _: &str) -> Option<Board> {
    let board = Board::of_rows(&rows(text)?, |_, _, ch| matches!(ch, '-' | 'X' | 'O'))?;
    (board.rows == board.columns && board.rows <= MOST).then_some(board)
}

fn draw(board: &Board, svg: &mut Html) {
    grid_labels(
        svg,
        board,
        |row| (row + 1).to_string(),
        |column| char::from_u32('A' as u32 + column as u32).unwrap_or(' ').to_string(),
    );
    let reach = CELL * 0.2;
    for (row, column, cell) in board.each() {
        square(svg, "die", (row, column), 1.5, 6.0);
        let (x, y) = centre(row, column);
        match cell {
            'X' => {
                stroke(svg, "face", (x - reach, y - reach), (x + reach, y + reach));
                stroke(svg, "face", (x - reach, y + reach), (x + reach, y - reach));
            }
            'O' => circle(svg, "face", (x, y), reach + 1.0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;

    #[test]
    fn a_square_of_faces_is_a_board() {
        let read = |text: &str| read("quixo", "", text);
        assert_eq!(read("X-\nOX").as_deref(), Some("X-/OX"));
        assert_eq!(read("-").as_deref(), Some("-"));
        for text in ["", "X-", "X-\nO", "X-\nOX\n", "x-\nOX", "X -\nO X", "undefined", "X-\r\nOX", "'X'"] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let of = |side: usize| vec!["X".repeat(side); side].join("\n");
        assert!(read(&of(26)).is_some() && read(&of(27)).is_none() && read(&of(5000)).is_none());
    }
}
