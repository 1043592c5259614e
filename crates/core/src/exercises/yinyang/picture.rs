//! Pictures of Yin-Yang: white and black stones; given stones have a mark.
//!
//! The text has a line for each row and nothing between cells: `W` and `B` are given, `w` and `b` placed.

use crate::draw::Svg;
use crate::exercises::picture::{
    CELL, Diagram, Picture, centre, grid_extent, grid_labels, grid_size, rows, square,
};

pub(super) const PICTURE: Picture = Picture { read, draw, size: grid_size, extent: grid_extent };

fn read(text: &str, _: &[&str]) -> Option<Diagram> {
    let board = Diagram::of_rows(&rows(text)?, |_, _, ch| matches!(ch, '-' | 'W' | 'w' | 'B' | 'b'))?;
    (board.rows == board.columns).then_some(board)
}

fn draw(board: &Diagram, svg: &mut Svg) {
    grid_labels(svg, board, |row| row.to_string(), |column| column.to_string());
    for (row, column, cell) in board.each() {
        square(svg, "field", (row, column), 0.5, 0.0);
        let class = match cell {
            'W' | 'w' => "stone white",
            'B' | 'b' => "stone black",
            _ => continue,
        };
        svg.circle(class, centre(row, column), CELL * 0.36);
        match cell {
            'W' => svg.circle("given on-white", centre(row, column), CELL * 0.12),
            'B' => svg.circle("given on-black", centre(row, column), CELL * 0.12),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PICTURE;
    use crate::exercises::picture::tests::read;

    #[test]
    fn a_square_of_stones_is_a_board() {
        let read = |text: &str| read(&PICTURE, "", text);
        assert_eq!(read("Ww-\n-Bb\n---").as_deref(), Some("Ww-/-Bb/---"));
        for text in ["", "Ww", "Ww\nB", "W w\nB b", "Wx\nBb", "Ww\nBb\n", "None", "<YinYang>"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
