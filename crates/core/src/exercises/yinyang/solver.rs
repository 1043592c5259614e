//! Counts and finds the solutions of a Yin-Yang puzzle.
//!
//! The grid is filled cell by cell, row by row. All that the filled cells can mean to the others is the
//! `Frontier`: for each column the colour of its lowest filled cell and how these cells are connected.
//! Fillings with the same frontier are counted as one, so that the work grows with the number of frontiers,
//! not with that of the solutions. A solution is found by following the steps of that count back from its
//! end.

use super::rules::{Colour, YinYang};
use crate::exercises::grid::{Grid, Pos};
use std::collections::HashMap;

/// The largest grid that the solver accepts.
///
/// With eleven rows even 2^(11·11) fillings are counted without overflow, and the frontiers of an empty grid
/// fit in memory.
pub const MOST_ROWS: usize = 11;

/// A grid has more rows than [`MOST_ROWS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a puzzle of {} rows has more than the {MOST_ROWS} that can be solved", .rows)]
pub struct TooLarge {
    pub rows: usize,
}

/// The number of ways to fill the empty cells of `puzzle` so that it is solved.
///
/// A made cell counts as filled, like a given one.
///
/// # Errors
/// If the grid is too large.
pub fn count(puzzle: &YinYang) -> Result<u128, TooLarge> {
    let mut layer = vec![(Frontier::START, 1)];
    for pos in order(puzzle)? {
        layer = after(&layer, pos, puzzle);
    }
    Ok(completed(&layer).map(|(_, ways)| ways).sum())
}

/// Like [`count`], but at most `most`: 2 is enough to know whether a solution is unique.
///
/// # Errors
/// If the grid is too large.
pub fn count_up_to(puzzle: &YinYang, most: u128) -> Result<u128, TooLarge> {
    count(puzzle).map(|ways| ways.min(most))
}

/// The solution of `puzzle`, if it has exactly one.
///
/// # Errors
/// If the grid is too large.
pub fn unique(puzzle: &YinYang) -> Result<Option<Grid<Colour>>, TooLarge> {
    let solutions = Solutions::of(puzzle)?;
    Ok(if solutions.count() == 1 { solutions.get(0) } else { None })
}

/// Every solution of a puzzle, always in the same order.
pub struct Solutions<'a> {
    puzzle: &'a YinYang,
    /// The frontiers before each cell in the order of filling, and last those of the filled grid.
    layers: Vec<Layer>,
}

impl<'a> Solutions<'a> {
    /// The solutions of `puzzle`: as with [`count`], a made cell counts as filled.
    ///
    /// # Errors
    /// If the grid is too large.
    pub fn of(puzzle: &'a YinYang) -> Result<Solutions<'a>, TooLarge> {
        let mut layers = vec![vec![(Frontier::START, 1)]];
        for pos in order(puzzle)? {
            layers.extend(layers.last().map(|layer| after(layer, pos, puzzle)));
        }
        Ok(Solutions { puzzle, layers })
    }

    /// The number of solutions.
    pub fn count(&self) -> u128 {
        self.layers.last().map_or(0, |layer| completed(layer).map(|(_, ways)| ways).sum())
    }

    /// The solution at `index`, from 0; `None` if there is none at `index`.
    pub fn get(&self, index: u128) -> Option<Grid<Colour>> {
        let size = self.puzzle.size();
        let (last, earlier) = self.layers.split_last()?;
        let mut rest = index;
        let mut frontier = pick(completed(last), &mut rest)?;
        let mut colours = Vec::with_capacity(earlier.len());
        for (filled, layer) in earlier.iter().enumerate().rev() {
            let pos = Pos::new(filled / size, filled % size);
            let colour = frontier.cells[pos.col]?.colour;
            let leads_here =
                |(before, _): &(Frontier, u128)| before.fill(pos, colour, size) == Some(frontier);
            frontier = pick(layer.iter().copied().filter(leads_here), &mut rest)?;
            colours.push(colour);
        }
        colours.reverse();
        Grid::from_cells(size, size, colours)
    }

    /// All solutions, each computed on demand.
    pub fn iter(&self) -> impl Iterator<Item = Grid<Colour>> + '_ {
        (0..self.count()).map_while(|index| self.get(index))
    }
}

/// The reachable frontiers, in order, each with the number of fillings that lead to it.
type Layer = Vec<(Frontier, u128)>;

/// The positions in the order of filling.
fn order(puzzle: &YinYang) -> Result<impl Iterator<Item = Pos> + use<>, TooLarge> {
    let rows = puzzle.size();
    if rows > MOST_ROWS { Err(TooLarge { rows }) } else { Ok(puzzle.positions()) }
}

/// The frontiers after the cell at `pos` is filled, with its own colour or else with either.
fn after(layer: &[(Frontier, u128)], pos: Pos, puzzle: &YinYang) -> Layer {
    let fixed = puzzle.colour_at(pos);
    let mut next: HashMap<Frontier, u128> = HashMap::with_capacity(layer.len());
    for (frontier, ways) in layer {
        for colour in Colour::BOTH.into_iter().filter(|colour| fixed.is_none_or(|fixed| fixed == *colour)) {
            if let Some(reached) = frontier.fill(pos, colour, puzzle.size()) {
                *next.entry(reached).or_default() += ways;
            }
        }
    }
    let mut next: Layer = next.into_iter().collect();
    next.sort_unstable();
    next
}

/// The last frontiers that belong to solutions.
fn completed(layer: &[(Frontier, u128)]) -> impl Iterator<Item = (Frontier, u128)> + '_ {
    layer.iter().copied().filter(|(frontier, _)| frontier.is_connected())
}

/// The frontier that contains the filling numbered `rest`, which becomes its number within that frontier.
fn pick(frontiers: impl Iterator<Item = (Frontier, u128)>, rest: &mut u128) -> Option<Frontier> {
    for (frontier, ways) in frontiers {
        match rest.checked_sub(ways) {
            Some(beyond) => *rest = beyond,
            None => return Some(frontier),
        }
    }
    None
}

/// The facts about the filled cells that the remaining ones need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Frontier {
    /// The lowest filled cell of each column; `None` in the first row and beyond the grid.
    cells: [Option<Filled>; MOST_ROWS],
    /// The colour of the cell diagonally up and left of the next one, which `cells` no longer shows.
    ///
    /// `None` at the start of a row, so that the end of the previous row has no effect.
    corner: Option<Colour>,
    /// The colour whose cells are all behind the frontier, cut off from the rest: it may not appear again.
    closed: Option<Colour>,
}

/// A filled cell on the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Filled {
    colour: Colour,
    /// The first column with a cell that is connected to this one through filled cells.
    component: u8,
}

/// The component of a new cell, until it is named after its first column.
const NEW: u8 = MOST_ROWS as u8;

impl Frontier {
    const START: Frontier = Frontier { cells: [None; MOST_ROWS], corner: None, closed: None };

    /// The frontier after the next cell, at `pos`, gets `colour`; `None` if that leads to no solution.
    fn fill(&self, pos: Pos, colour: Colour, size: usize) -> Option<Frontier> {
        let Pos { row: _, col } = pos;
        let above = self.cells[col];
        let left = col.checked_sub(1).and_then(|col| self.cells[col]);
        let is_square = self.corner == Some(colour)
            && [above, left].into_iter().all(|cell| cell.is_some_and(|cell| cell.colour == colour));
        if self.closed == Some(colour) || is_square {
            return None;
        }
        let mut next = *self;
        next.corner = above.map(|cell| cell.colour).filter(|_| col + 1 < size);
        next.cells[col] = Some(Filled { colour, component: NEW });
        next.join(above, colour);
        next.join(left, colour);
        if let Some(above) = above.filter(|above| above.colour != colour) {
            next.leave(above)?;
        }
        next.name_components();
        Some(next)
    }

    /// Connects the new cell to its neighbour, if that has its colour.
    fn join(&mut self, neighbour: Option<Filled>, colour: Colour) {
        for cell in self.cells.iter_mut().flatten() {
            if cell.colour == colour && neighbour.is_some_and(|near| near.component == cell.component) {
                cell.component = NEW;
            }
        }
    }

    /// Updates the component of a cell that leaves the frontier.
    ///
    /// If that was its last cell there, it is a whole region, and no other cell may have its colour; `None`
    /// if one has.
    fn leave(&mut self, behind: Filled) -> Option<()> {
        let ahead = || self.cells.iter().flatten();
        if ahead().any(|cell| cell.component == behind.component) {
            return Some(());
        }
        if ahead().any(|cell| cell.colour == behind.colour) {
            return None;
        }
        self.closed = Some(behind.colour);
        Some(())
    }

    /// Names each component after its first column, so that equal frontiers are equal values.
    fn name_components(&mut self) {
        let mut names = [NEW; MOST_ROWS + 1];
        for (col, cell) in self.cells.iter_mut().enumerate() {
            if let Some(cell) = cell {
                let name = &mut names[usize::from(cell.component)];
                if *name == NEW {
                    *name = col as u8;
                }
                cell.component = *name;
            }
        }
    }

    /// Whether the cells of each colour on the frontier are connected.
    fn is_connected(&self) -> bool {
        let cells = || self.cells.iter().flatten();
        cells().all(|one| cells().all(|other| one.colour != other.colour || one.component == other.component))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ROWS, Solutions, TooLarge, count, count_up_to, unique};
    use crate::exercises::grid::Pos;
    use crate::exercises::yinyang::rules::{Colour, YinYang};

    fn empty(size: usize) -> YinYang {
        YinYang::new(size, [], []).unwrap()
    }

    #[test]
    fn empty_grids_have_the_known_numbers_of_solutions() {
        let known = [2, 12, 34, 96, 660, 7_736, 230_568, 11_974_112];
        for (size, solutions) in (1..).zip(known) {
            assert_eq!(count(&empty(size)), Ok(solutions), "{size} rows");
        }
    }

    #[test]
    fn a_count_stops_at_its_bound() {
        assert_eq!(count_up_to(&empty(2), 12), Ok(12));
        assert_eq!(count_up_to(&empty(2), 11), Ok(11));
        assert_eq!(count_up_to(&empty(2), 0), Ok(0));
    }

    #[test]
    fn every_solution_is_found_once() {
        let puzzle = empty(5);
        let solutions = Solutions::of(&puzzle).unwrap();
        let mut texts = std::collections::BTreeSet::new();
        for solution in solutions.iter() {
            let mut solved = puzzle.clone();
            for pos in solution.positions() {
                solved.fill(pos, solution.get(pos).copied().unwrap()).unwrap();
            }
            assert!(solved.is_solved(), "{solved}");
            texts.insert(solved.to_string());
        }
        assert_eq!(texts.len(), 660);
        assert_eq!(solutions.get(660), None);
    }

    #[test]
    fn a_made_cell_is_fixed_as_a_given_one_is() {
        let mut puzzle = YinYang::new(2, [Pos::new(0, 0)], []).unwrap();
        assert_eq!(count(&puzzle), Ok(6));
        puzzle.fill(Pos::new(1, 1), Colour::White).unwrap();
        assert_eq!(count(&puzzle), Ok(2));
        assert_eq!(unique(&puzzle), Ok(None));
        puzzle.fill(Pos::new(0, 1), Colour::White).unwrap();
        let solution = unique(&puzzle).unwrap().unwrap();
        assert_eq!(solution.cells(), [Colour::White, Colour::White, Colour::Black, Colour::White]);
    }

    #[test]
    fn a_grid_of_the_most_rows_is_taken() {
        // Two combs: white from the left, black from the right.
        let teeth = |row: usize| (0..MOST_ROWS - 1).filter(move |col| *col == 0 || row.is_multiple_of(2));
        let white: Vec<Pos> =
            (0..MOST_ROWS).flat_map(|row| teeth(row).map(move |col| Pos::new(row, col))).collect();
        let black = empty(MOST_ROWS).positions().filter(|pos| !white.contains(pos)).collect::<Vec<_>>();
        assert_eq!(count(&YinYang::new(MOST_ROWS, white, black).unwrap()), Ok(1));
    }

    #[test]
    fn a_grid_with_too_many_rows_is_refused() {
        let rows = MOST_ROWS + 1;
        assert_eq!(count(&empty(rows)), Err(TooLarge { rows }));
        assert_eq!(unique(&empty(1000)), Err(TooLarge { rows: 1000 }));
    }
}
