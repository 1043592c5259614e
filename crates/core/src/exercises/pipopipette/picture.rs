//! Pictures of the game of dots: dots, the lines drawn between them, and boxes taken.
//!
//! The text has dots (`+`), lines (`-`, `|`, or `.` if not drawn) and boxes (`A`, `B`, or `?`), laid out as
//! in the picture.

use crate::draw::Svg;
use crate::exercises::picture::{Diagram, Extent, LABEL, MARGIN, Picture, rows};

pub(super) const PICTURE: Picture = Picture { read, draw, size, extent };

/// The distance between dots.
const STEP: f64 = 40.0;

fn read(text: &str, _: &[&str]) -> Option<Diagram> {
    let fits = |row: usize, column: usize, ch: char| match (row % 2, column % 2) {
        (0, 0) => ch == '+',
        (0, _) => matches!(ch, '.' | '-'),
        (_, 0) => matches!(ch, '.' | '|'),
        (_, _) => matches!(ch, '?' | 'A' | 'B'),
    };
    let board = Diagram::of_rows(&rows(text)?, fits)?;
    // A board ends in dots, at least two in each direction.
    let whole = |side: usize| side % 2 == 1 && side >= 3;
    (whole(board.rows) && whole(board.columns)).then_some(board)
}

fn size(board: &Diagram) -> (f64, f64) {
    let side = |cells: usize| LABEL + (cells / 2) as f64 * STEP + STEP / 2.0 + MARGIN;
    (side(board.columns), side(board.rows))
}

/// The place of a character of the text: every second one is a dot.
fn place(row: usize, column: usize) -> (f64, f64) {
    let at = |index: usize| LABEL + STEP / 4.0 + index as f64 / 2.0 * STEP;
    (at(column), at(row))
}

fn extent(_: &Diagram, row: usize, column: usize) -> Extent {
    let (x, y) = place(row, column);
    let (half_width, half_height) = match (row % 2, column % 2) {
        (0, 0) => (6.0, 6.0),
        (0, _) => (STEP / 2.0 - 2.0, 7.0),
        (_, 0) => (7.0, STEP / 2.0 - 2.0),
        (_, _) => (STEP * 0.3, STEP * 0.3),
    };
    Extent { x, y, half_width, half_height }
}

fn draw(board: &Diagram, svg: &mut Svg) {
    for index in (0..board.columns).step_by(2) {
        svg.text("axis", (place(0, index).0, LABEL / 2.0), &(index / 2).to_string());
    }
    for index in (0..board.rows).step_by(2) {
        svg.text("axis", (LABEL / 2.0, place(index, 0).1), &(index / 2).to_string());
    }
    for (row, column, cell) in board.each() {
        let (x, y) = place(row, column);
        let half = STEP / 2.0;
        let taken = match cell {
            'A' => "box box-a",
            'B' => "box box-b",
            _ => continue,
        };
        svg.shape("rect", taken, &[("x", x - half), ("y", y - half), ("width", STEP), ("height", STEP)]);
        svg.text("ink", (x, y), &cell.to_string());
    }
    for (row, column, cell) in board.each() {
        let (x, y) = place(row, column);
        let half = STEP / 2.0;
        let class = if cell == '.' { "gap" } else { "drawn" };
        match (row % 2, column % 2) {
            (0, 1) => svg.line(class, (x - half, y), (x + half, y)),
            (1, 0) => svg.line(class, (x, y - half), (x, y + half)),
            _ => {}
        }
    }
    for (row, column, _) in board.each().filter(|(_, _, cell)| *cell == '+') {
        svg.circle("dot", place(row, column), 3.5);
    }
}

#[cfg(test)]
mod tests {
    use super::PICTURE;
    use crate::exercises::picture::tests::read;

    #[test]
    fn dots_lines_and_boxes_in_their_places_are_a_board() {
        let read = |text: &str| read(&PICTURE, "", text);
        assert_eq!(read("+-+\n|B|\n+-+").as_deref(), Some("+-+/|B|/+-+"));
        assert_eq!(read("+.+-+\n.?|A|\n+.+-+").as_deref(), Some("+.+-+/.?|A|/+.+-+"));
        for text in [
            "", "+", "+-+", "+-+\n|B|", "+-+\n|B|\n+-+\n", "+|+\n|B|\n+-+", "+-+\n-B|\n+-+", "+-+\n|-|\n+-+",
            "+ +\n   \n+ +", "+-+-\n|B|?\n+-+-", "undefined",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
