//! A rectangle of cells, shared by the games that are played on one.

/// A cell of a grid: row and column, both 0-based, row 0 on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The row, 0 on top.
    pub row: usize,
    /// The column, 0 on the left.
    pub col: usize,
}

impl Pos {
    /// The cell at `row` and `col`.
    pub const fn new(row: usize, col: usize) -> Pos {
        Pos { row, col }
    }
}

/// A rectangle of cells, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    rows: usize,
    cols: usize,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// The grid of `rows` × `cols` with `cells` row by row; `None` if their number does not match.
    pub fn from_cells(rows: usize, cols: usize, cells: Vec<T>) -> Option<Grid<T>> {
        (rows.checked_mul(cols) == Some(cells.len())).then_some(Grid { rows, cols, cells })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The cell at `pos`; `None` off the grid.
    pub fn get(&self, pos: Pos) -> Option<&T> {
        self.contains(pos).then(|| &self.cells[pos.row * self.cols + pos.col])
    }

    /// The cell at `pos`, mutable; `None` off the grid.
    pub fn get_mut(&mut self, pos: Pos) -> Option<&mut T> {
        self.contains(pos).then(|| &mut self.cells[pos.row * self.cols + pos.col])
    }

    /// Whether `pos` is on the grid.
    pub fn contains(&self, pos: Pos) -> bool {
        pos.row < self.rows && pos.col < self.cols
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// The rows, from top to bottom.
    pub fn iter_rows(&self) -> impl Iterator<Item = &[T]> {
        // A grid without columns has rows without cells, which `chunks` cannot express.
        (0..self.rows).map(|row| &self.cells[row * self.cols..(row + 1) * self.cols])
    }

    /// Every position, row by row.
    pub fn positions(&self) -> impl Iterator<Item = Pos> + use<T> {
        let cols = self.cols;
        (0..self.rows).flat_map(move |row| (0..cols).map(move |col| Pos { row, col }))
    }

    /// The positions on the grid that share a side with `pos`.
    pub fn neighbours(&self, pos: Pos) -> impl Iterator<Item = Pos> + '_ {
        let Pos { row, col } = pos;
        [
            row.checked_sub(1).map(|row| Pos { row, col }),
            col.checked_sub(1).map(|col| Pos { row, col }),
            Some(Pos { row, col: col + 1 }),
            Some(Pos { row: row + 1, col }),
        ]
        .into_iter()
        .flatten()
        .filter(|pos| self.contains(*pos))
    }
}

impl<T: Clone> Grid<T> {
    /// The grid of `rows` × `cols` with `cell` everywhere; `None` if it has more than [`MOST_CELLS`].
    pub fn filled(rows: usize, cols: usize, cell: T) -> Option<Grid<T>> {
        let size = rows.checked_mul(cols).filter(|size| *size <= MOST_CELLS)?;
        Some(Grid { rows, cols, cells: vec![cell; size] })
    }
}

/// The most cells that [`Grid::filled`] makes: far more than any sensible board, yet only some megabytes.
pub const MOST_CELLS: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::{Grid, Pos};

    #[test]
    fn cells_stand_row_by_row() {
        let grid = Grid::from_cells(2, 3, vec![0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(grid.get(Pos::new(1, 0)), Some(&3));
        assert_eq!(grid.get(Pos::new(0, 3)), None);
        assert_eq!(grid.get(Pos::new(2, 0)), None);
        assert_eq!(grid.iter_rows().collect::<Vec<_>>(), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(grid.positions().count(), 6);
    }

    #[test]
    fn a_grid_takes_only_as_many_cells_as_it_has() {
        assert_eq!(Grid::from_cells(2, 3, vec![0; 5]), None);
        assert_eq!(Grid::filled(usize::MAX, 2, 0), None);
        assert_eq!(Grid::filled(0, 4, 0).unwrap().iter_rows().count(), 0);
    }

    #[test]
    fn neighbours_share_a_side() {
        let grid = Grid::filled(2, 2, ()).unwrap();
        let near: Vec<Pos> = grid.neighbours(Pos::new(0, 0)).collect();
        assert_eq!(near, [Pos::new(0, 1), Pos::new(1, 0)]);
        let alone = Grid::filled(1, 1, ()).unwrap();
        assert_eq!(alone.neighbours(Pos::new(0, 0)).count(), 0);
    }
}
