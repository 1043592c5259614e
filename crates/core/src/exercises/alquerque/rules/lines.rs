//! The lines of the board, as directions with the fields from which each continues.

use super::board::{ALL, Field, SIDE};

/// A direction along the lines.
#[derive(Clone, Copy)]
pub(in crate::exercises::alquerque) struct Direction {
    /// The difference of the fields' numbers.
    offset: i8,
    /// The fields from which it continues for one field.
    steps: u32,
    /// The fields from which it continues for two fields.
    jumps: u32,
}

/// The eight directions: three up, three down, two sideways.
pub(in crate::exercises::alquerque) const DIRECTIONS: [Direction; 8] = [
    Direction::new(-1, -1),
    Direction::new(-1, 0),
    Direction::new(-1, 1),
    Direction::new(1, -1),
    Direction::new(1, 0),
    Direction::new(1, 1),
    Direction::new(0, -1),
    Direction::new(0, 1),
];
/// Forward for white: up, straight or diagonally.
pub(in crate::exercises::alquerque) const UP: [Direction; 3] = [DIRECTIONS[0], DIRECTIONS[1], DIRECTIONS[2]];
/// Forward for black: down, straight or diagonally.
pub(in crate::exercises::alquerque) const DOWN: [Direction; 3] =
    [DIRECTIONS[3], DIRECTIONS[4], DIRECTIONS[5]];

impl Direction {
    const fn new(rows: i8, cols: i8) -> Direction {
        Direction {
            offset: rows * SIDE as i8 + cols,
            steps: leading_on(rows, cols, 1),
            jumps: leading_on(rows, cols, 2),
        }
    }

    /// The fields one step from `fields`; those without a line in this direction are dropped.
    #[inline(always)]
    pub(in crate::exercises::alquerque) const fn step(self, fields: u32) -> u32 {
        self.shift(fields & self.steps)
    }

    /// The fields that `fields` reach by jumping over one of `over`.
    #[inline(always)]
    pub(in crate::exercises::alquerque) const fn jump(self, fields: u32, over: u32) -> u32 {
        self.shift(self.shift(fields & self.jumps) & over)
    }

    /// For a piece that arrived at `target`: the field it came from by a step, or jumped over.
    #[inline(always)]
    pub(in crate::exercises::alquerque) const fn behind(self, target: u32) -> u32 {
        if self.offset < 0 { target << -self.offset } else { target >> self.offset }
    }

    #[inline(always)]
    const fn shift(self, fields: u32) -> u32 {
        if self.offset < 0 { fields >> -self.offset } else { fields << self.offset }
    }
}

/// The fields from which a line continues `distance` fields in the direction of `rows` and `cols`.
const fn leading_on(rows: i8, cols: i8, distance: i8) -> u32 {
    let side = SIDE as i8;
    let diagonal = rows != 0 && cols != 0;
    let mut mask = 0;
    let mut index = 0;
    while index < Field::COUNT as i8 {
        let row = index / side + distance * rows;
        let col = index % side + distance * cols;
        let on_board = 0 <= row && row < side && 0 <= col && col < side;
        // "Odd fields have diagonals": an even index is an odd number, and a diagonal leads to another such
        // field.
        if on_board && (!diagonal || index % 2 == 0) {
            mask |= 1 << index;
        }
        index += 1;
    }
    assert!(mask & !ALL == 0);
    mask
}
