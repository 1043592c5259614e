//! Pictures of Codenames: cards, face down or in the colour of a team.
//!
//! The text has a line for each row and one blank between cells.

use crate::draw::Svg;
use crate::exercises::picture::{
    Diagram, Picture, centre, grid_extent, grid_labels, grid_size, rows, square,
};

pub(super) const PICTURE: Picture = Picture { read, draw, size: grid_size, extent: grid_extent };

fn read(text: &str, _: &[&str]) -> Option<Diagram> {
    let mut cards = Vec::new();
    for row in rows(text)? {
        let blanks = row.iter().skip(1).step_by(2).all(|ch| *ch == ' ');
        if row.len() % 2 == 0 || !blanks {
            return None;
        }
        cards.push(row.into_iter().step_by(2).collect());
    }
    Diagram::of_rows(&cards, |_, _, ch| matches!(ch, '?' | 'R' | 'B' | '-' | 'X'))
}

fn draw(board: &Diagram, svg: &mut Svg) {
    grid_labels(svg, board, |row| row.to_string(), |column| column.to_string());
    for (row, column, cell) in board.each() {
        let (class, ink) = match cell {
            'R' => ("card red", "ink on"),
            'B' => ("card blue", "ink on"),
            'X' => ("card dark", "ink on"),
            '-' => ("card plain", "ink"),
            _ => ("card down", "ink faint"),
        };
        square(svg, class, (row, column), 2.0, 4.0);
        svg.text(ink, centre(row, column), &cell.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::PICTURE;
    use crate::exercises::picture::tests::read;

    #[test]
    fn cards_with_one_blank_between_them_are_a_board() {
        let read = |text: &str| read(&PICTURE, "", text);
        assert_eq!(read("? R\nB X\n- ?").as_deref(), Some("?R/BX/-?"));
        assert_eq!(read("?").as_deref(), Some("?"));
        for text in
            ["", " ", "?R\nBX", "? R \nB X ", "? R\nB", "? R\nB X\n", "? r", "?,R", "?  R", "None", "'R'"]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
        let wide = |cards: usize| vec!["?"; cards].join(" ");
        assert!(read(&wide(31)).is_some() && read(&wide(32)).is_none());
    }
}
