//! Yin-Yang: colour every empty cell of a square grid white or black.
//!
//! A puzzle is solved when no cell is empty, the white cells are one region, the black cells are one region,
//! and no 2×2 square is of one colour. Cells that share a side are connected. [`YinYang`] is a puzzle in
//! progress: it refuses what would break the rule of the squares, so that rule holds in every state. `solver`
//! counts and finds its solutions.

use crate::exercises::grid::{Grid, Pos};
use std::collections::BTreeSet;
use std::fmt;

/// A colour of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// White: `wit`.
    White,
    /// Black: `zwart`.
    Black,
}

impl Colour {
    /// White and black.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];
}

/// A cell of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Not coloured.
    Empty,
    /// Coloured by the puzzle: it never changes.
    Given(Colour),
    /// Coloured by the player.
    Made(Colour),
}

impl Cell {
    /// The colour, unless the cell is empty.
    pub fn colour(self) -> Option<Colour> {
        match self {
            Cell::Empty => None,
            Cell::Given(colour) | Cell::Made(colour) => Some(colour),
        }
    }
}

/// A Yin-Yang puzzle in progress.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct YinYang {
    grid: Grid<Cell>,
}

/// A reason why a puzzle is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The grid has no cell, or more than a grid may have.
    #[error("a grid of {0} rows cannot be made")]
    Size(usize),
    /// A given cell is outside the grid.
    #[error("({}, {}) lies outside the grid", .0.row, .0.col)]
    OffGrid(Pos),
    /// A cell is given as white and as black.
    #[error("({}, {}) is both white and black", .0.row, .0.col)]
    BothColours(Pos),
    /// Four given cells of one colour form a 2×2 square; this is one of them.
    #[error("a 2×2 square of one colour holds ({}, {})", .0.row, .0.col)]
    Square(Pos),
}

/// A reason why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The position is outside the grid.
    #[error("({}, {}) lies outside the grid", .0.row, .0.col)]
    OffGrid(Pos),
    /// The cell to colour already has a colour.
    #[error("({}, {}) has a colour", .0.row, .0.col)]
    Filled(Pos),
    /// The colour would complete a 2×2 square of one colour.
    #[error("({}, {}) would complete a 2×2 square of one colour", .0.row, .0.col)]
    Square(Pos),
    /// The cell to empty is already empty.
    #[error("({}, {}) is empty", .0.row, .0.col)]
    Empty(Pos),
    /// The cell to empty was given.
    #[error("({}, {}) was given", .0.row, .0.col)]
    Given(Pos),
}

impl YinYang {
    /// The puzzle of `size` × `size` cells with the given `white` and `black` ones.
    ///
    /// A cell may be named more than once for the same colour.
    ///
    /// # Errors
    /// If the givens break one of the conditions of [`PuzzleError`].
    pub fn new(
        size: usize,
        white: impl IntoIterator<Item = Pos>,
        black: impl IntoIterator<Item = Pos>,
    ) -> Result<YinYang, PuzzleError> {
        let grid =
            Grid::filled(size, size, Cell::Empty).filter(|_| size > 0).ok_or(PuzzleError::Size(size))?;
        let mut puzzle = YinYang { grid };
        let white = white.into_iter().map(|pos| (pos, Colour::White));
        let black = black.into_iter().map(|pos| (pos, Colour::Black));
        for (pos, colour) in white.chain(black) {
            puzzle.give(pos, colour)?;
        }
        Ok(puzzle)
    }

    /// The number of rows, which is the number of columns.
    pub fn size(&self) -> usize {
        self.grid.rows()
    }

    /// The cell at `pos`; `None` off the grid.
    pub fn cell(&self, pos: Pos) -> Option<Cell> {
        self.grid.get(pos).copied()
    }

    /// Every position, row by row.
    pub fn positions(&self) -> impl Iterator<Item = Pos> + use<> {
        self.grid.positions()
    }

    /// Colours the empty cell at `pos`.
    ///
    /// # Errors
    /// Off the grid, if the cell is not empty, and if a 2×2 square of one colour would arise; the grid is
    /// then unchanged.
    pub fn fill(&mut self, pos: Pos, colour: Colour) -> Result<&mut YinYang, ActionError> {
        match self.cell(pos).ok_or(ActionError::OffGrid(pos))? {
            Cell::Given(_) | Cell::Made(_) => Err(ActionError::Filled(pos)),
            Cell::Empty if self.completes_square(pos, colour) => Err(ActionError::Square(pos)),
            Cell::Empty => Ok(self.set(pos, Cell::Made(colour))),
        }
    }

    /// Empties the cell at `pos`, which the player coloured.
    ///
    /// # Errors
    /// Off the grid, if the cell is empty, and if it was given; the grid is then unchanged.
    pub fn clear(&mut self, pos: Pos) -> Result<&mut YinYang, ActionError> {
        match self.cell(pos).ok_or(ActionError::OffGrid(pos))? {
            Cell::Empty => Err(ActionError::Empty(pos)),
            Cell::Given(_) => Err(ActionError::Given(pos)),
            Cell::Made(_) => Ok(self.set(pos, Cell::Empty)),
        }
    }

    /// The cells of one colour that are connected to the one at `pos`, itself included.
    ///
    /// Empty off the grid and for an empty cell.
    pub fn region(&self, pos: Pos) -> BTreeSet<Pos> {
        let Some(colour) = self.colour_at(pos) else { return BTreeSet::new() };
        let mut region = BTreeSet::from([pos]);
        let mut to_explore = vec![pos];
        while let Some(from) = to_explore.pop() {
            for near in self.grid.neighbours(from) {
                if self.colour_at(near) == Some(colour) && region.insert(near) {
                    to_explore.push(near);
                }
            }
        }
        region
    }

    /// Whether the puzzle is solved.
    ///
    /// A colour without cells counts as one region, which matters only for the grid of one cell.
    pub fn is_solved(&self) -> bool {
        // No state has a 2×2 square of one colour, so that condition needs no check.
        let full = self.positions().all(|pos| self.colour_at(pos).is_some());
        full && Colour::BOTH.into_iter().all(|colour| self.is_one_region(colour))
    }

    fn is_one_region(&self, colour: Colour) -> bool {
        let mut cells = self.positions().filter(|pos| self.colour_at(*pos) == Some(colour));
        match cells.next() {
            None => true,
            Some(first) => self.region(first).len() == 1 + cells.count(),
        }
    }

    /// The positions that share a side with `pos`.
    pub(super) fn neighbours(&self, pos: Pos) -> impl Iterator<Item = Pos> + '_ {
        self.grid.neighbours(pos)
    }

    pub(super) fn colour_at(&self, pos: Pos) -> Option<Colour> {
        self.cell(pos).and_then(Cell::colour)
    }

    fn give(&mut self, pos: Pos, colour: Colour) -> Result<(), PuzzleError> {
        match self.cell(pos).ok_or(PuzzleError::OffGrid(pos))?.colour() {
            Some(other) if other != colour => Err(PuzzleError::BothColours(pos)),
            Some(_) => Ok(()),
            None if self.completes_square(pos, colour) => Err(PuzzleError::Square(pos)),
            None => {
                self.set(pos, Cell::Given(colour));
                Ok(())
            }
        }
    }

    /// Whether `colour` at `pos` would complete a 2×2 square of that colour.
    fn completes_square(&self, pos: Pos, colour: Colour) -> bool {
        let Pos { row, col } = pos;
        let both_sides = |at: usize| [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
        both_sides(row).any(|beyond_row| {
            both_sides(col).any(|beyond_col| {
                [Pos::new(beyond_row, col), Pos::new(row, beyond_col), Pos::new(beyond_row, beyond_col)]
                    .into_iter()
                    .all(|other| self.colour_at(other) == Some(colour))
            })
        })
    }

    fn set(&mut self, pos: Pos, cell: Cell) -> &mut YinYang {
        if let Some(place) = self.grid.get_mut(pos) {
            *place = cell;
        }
        self
    }
}

/// The rows, one per line: `W` and `B` for given cells, `w` and `b` for made ones, `-` for empty ones.
impl fmt::Display for YinYang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.grid.iter_rows().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let row: String = row.iter().map(|cell| symbol(*cell)).collect();
            f.write_str(&row)?;
        }
        Ok(())
    }
}

fn symbol(cell: Cell) -> char {
    match cell {
        Cell::Empty => '-',
        Cell::Given(Colour::White) => 'W',
        Cell::Given(Colour::Black) => 'B',
        Cell::Made(Colour::White) => 'w',
        Cell::Made(Colour::Black) => 'b',
    }
}

#[cfg(test)]
mod tests {
    use super::{ActionError, Cell, Colour, PuzzleError, YinYang};
    use crate::exercises::grid::Pos;
    use Colour::{Black, White};

    /// The puzzle of `rows`, in the notation of `Display`.
    fn puzzle(rows: &[&str]) -> YinYang {
        let at = |wanted: char| -> Vec<Pos> {
            let rows = rows.iter().enumerate();
            rows.flat_map(|(row, text)| text.chars().enumerate().map(move |(col, found)| (row, col, found)))
                .filter(|(_, _, found)| *found == wanted)
                .map(|(row, col, _)| Pos::new(row, col))
                .collect()
        };
        let mut puzzle = YinYang::new(rows.len(), at('W'), at('B')).unwrap();
        for (symbol, colour) in [('w', White), ('b', Black)] {
            for pos in at(symbol) {
                puzzle.fill(pos, colour).unwrap();
            }
        }
        assert_eq!(puzzle.to_string(), rows.join("\n"));
        puzzle
    }

    #[track_caller]
    fn check_givens(size: usize, white: &[(usize, usize)], black: &[(usize, usize)], error: PuzzleError) {
        let positions = |cells: &[(usize, usize)]| -> Vec<Pos> {
            cells.iter().map(|(row, col)| Pos::new(*row, *col)).collect()
        };
        assert_eq!(YinYang::new(size, positions(white), positions(black)), Err(error));
    }

    #[test]
    fn givens_that_break_a_condition_are_refused() {
        check_givens(2, &[(0, 2)], &[], PuzzleError::OffGrid(Pos::new(0, 2)));
        check_givens(2, &[], &[(2, 0)], PuzzleError::OffGrid(Pos::new(2, 0)));
        check_givens(2, &[(0, 1)], &[(0, 1)], PuzzleError::BothColours(Pos::new(0, 1)));
        check_givens(3, &[(1, 1), (1, 2), (2, 1), (2, 2)], &[], PuzzleError::Square(Pos::new(2, 2)));
        check_givens(3, &[], &[(1, 1), (0, 0), (1, 0), (0, 1)], PuzzleError::Square(Pos::new(0, 1)));
    }

    #[test]
    fn a_grid_that_cannot_be_made_is_refused() {
        check_givens(0, &[], &[], PuzzleError::Size(0));
        check_givens(usize::MAX, &[], &[], PuzzleError::Size(usize::MAX));
        check_givens(2, &[(usize::MAX, 0)], &[], PuzzleError::OffGrid(Pos::new(usize::MAX, 0)));
    }

    #[track_caller]
    fn check_refused(
        rows: &[&str],
        act: impl Fn(&mut YinYang) -> Result<&mut YinYang, ActionError>,
        error: ActionError,
    ) {
        let mut puzzle = puzzle(rows);
        assert_eq!(act(&mut puzzle), Err(error));
        assert_eq!(puzzle.to_string(), rows.join("\n"));
    }

    #[test]
    fn a_refused_action_changes_nothing() {
        let rows = ["Ww", "b-"];
        let (given, made, free, off) =
            (Pos::new(0, 0), Pos::new(1, 0), Pos::new(1, 1), Pos::new(0, usize::MAX));
        check_refused(&rows, |puzzle| puzzle.fill(given, White), ActionError::Filled(given));
        check_refused(&rows, |puzzle| puzzle.fill(made, White), ActionError::Filled(made));
        check_refused(&rows, |puzzle| puzzle.fill(off, Black), ActionError::OffGrid(off));
        check_refused(&rows, |puzzle| puzzle.clear(given), ActionError::Given(given));
        check_refused(&rows, |puzzle| puzzle.clear(free), ActionError::Empty(free));
        check_refused(&rows, |puzzle| puzzle.clear(off), ActionError::OffGrid(off));
        check_refused(&["Ww", "w-"], |puzzle| puzzle.fill(free, White), ActionError::Square(free));
    }

    #[test]
    fn a_made_cell_can_be_emptied_and_made_again() {
        let mut puzzle = puzzle(&["Ww", "w-"]);
        let (pos, corner) = (Pos::new(0, 1), Pos::new(1, 1));
        puzzle.clear(pos).unwrap().fill(corner, White).unwrap().fill(pos, Black).unwrap();
        assert_eq!(puzzle.to_string(), "Wb\nww");
        assert_eq!(puzzle.cell(pos), Some(Cell::Made(Black)));
    }

    #[track_caller]
    fn check_region(rows: &[&str], from: (usize, usize), region: &[(usize, usize)]) {
        let found = puzzle(rows).region(Pos::new(from.0, from.1));
        let found: Vec<_> = found.into_iter().map(|pos| (pos.row, pos.col)).collect();
        assert_eq!(found, region);
    }

    #[test]
    fn a_region_is_connected_by_sides() {
        let rows = ["Ww-", "bwB", "w--"];
        check_region(&rows, (1, 1), &[(0, 0), (0, 1), (1, 1)]);
        check_region(&rows, (2, 0), &[(2, 0)]);
        check_region(&rows, (1, 0), &[(1, 0)]);
        check_region(&rows, (2, 2), &[]);
        check_region(&rows, (0, 3), &[]);
    }

    #[track_caller]
    fn check_solved(rows: &[&str], solved: bool) {
        assert_eq!(puzzle(rows).is_solved(), solved);
    }

    #[test]
    fn a_solved_puzzle_is_full_and_each_colour_one_region() {
        check_solved(&["Wb", "wb"], true);
        check_solved(&["Wb", "w-"], false);
        check_solved(&["Wb", "bw"], false);
        check_solved(&["wbw", "wbw", "wbw"], false);
        check_solved(&["bwb", "bwb", "bbb"], true);
        check_solved(&["--", "--"], false);
    }

    #[test]
    fn a_colour_without_cells_counts_as_one_region() {
        check_solved(&["w"], true);
        check_solved(&["B"], true);
        check_solved(&["-"], false);
    }
}
