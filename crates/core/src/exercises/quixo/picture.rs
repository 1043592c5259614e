//! Pictures of Quixo: dice with a cross, a circle or nothing on their face.
//!
//! The text has a line for each row and nothing between cells.

use crate::draw::Svg;
use crate::exercises::picture::{
    CELL, Diagram, Picture, centre, grid_extent, grid_labels, grid_size, rows, square,
};

pub(super) const PICTURE: Picture = Picture { read, draw, size: grid_size, extent: grid_extent };

/// The most rows and columns: they are named A to Z.
const MOST: usize = 26;

fn read(text: &str, _: &[&str]) -> Option<Diagram> {
    let board = Diagram::of_rows(&rows(text)?, |_, _, ch| matches!(ch, '-' | 'X' | 'O'))?;
    (board.rows == board.columns && board.rows <= MOST).then_some(board)
}

fn draw(board: &Diagram, svg: &mut Svg) {
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
                svg.line("face", (x - reach, y - reach), (x + reach, y + reach));
                svg.line("face", (x - reach, y + reach), (x + reach, y - reach));
            }
            'O' => svg.circle("face", (x, y), reach + 1.0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PICTURE;
    use crate::exercises::picture::tests::read;

    #[test]
    fn a_square_of_faces_is_a_board() {
        let read = |text: &str| read(&PICTURE, "", text);
        assert_eq!(read("X-\nOX").as_deref(), Some("X-/OX"));
        assert_eq!(read("-").as_deref(), Some("-"));
        for text in ["", "X-", "X-\nO", "X-\nOX\n", "x-\nOX", "X -\nO X", "undefined", "X-\r\nOX", "'X'"] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let of = |side: usize| vec!["X".repeat(side); side].join("\n");
        assert!(read(&of(26)).is_some() && read(&of(27)).is_none() && read(&of(5000)).is_none());
    }
}
