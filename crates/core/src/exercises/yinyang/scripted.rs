//! Yin-Yang as scripts have it: what is given, and what is called.

use crate::exercises::grid::Pos;
use crate::exercises::script::{CallResult, Created, Scripted};
use crate::exercises::yinyang::rules::{ActionError, Colour, YinYang};

/// The game, as scripts have it.
pub(super) struct Puzzle;

/// A row and a column, perhaps off the grid.
pub(super) type CellPlace = (i64, i64);

/// The arguments of the constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Givens {
    /// The number of rows.
    pub size: usize,
    /// The white cells.
    pub(super) white: GivenCells,
    /// The black cells.
    pub(super) black: GivenCells,
    /// Whether the arguments stand without names.
    pub(super) by_position: bool,
}

/// The given cells of a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GivenCells {
    pub(super) cells: Vec<CellPlace>,
    pub(super) form: Form,
}

/// The form in which a case writes given cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    List,
    Tuple,
    Set,
    /// A list that has a name.
    Named(&'static str),
}

/// A call on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellCall {
    Fill(Colour, CellPlace),
    Clear(CellPlace),
    Region(CellPlace),
    Solved,
}

impl CellCall {
    /// The cell that it is about.
    pub(super) fn cell(self) -> Option<CellPlace> {
        match self {
            CellCall::Fill(_, cell) | CellCall::Clear(cell) | CellCall::Region(cell) => Some(cell),
            CellCall::Solved => None,
        }
    }
}

impl Givens {
    /// The empty grid.
    pub(super) fn empty(size: usize) -> Givens {
        let none = GivenCells { cells: Vec::new(), form: Form::List };
        Givens { size, white: none.clone(), black: none, by_position: false }
    }

    /// The cells in their order on the grid.
    pub(super) fn sort(&mut self) {
        self.white.cells.sort_unstable();
        self.black.cells.sort_unstable();
    }

    /// The given cells of `colour`.
    pub(super) fn of(&mut self, colour: Colour) -> &mut Vec<CellPlace> {
        match colour {
            Colour::White => &mut self.white.cells,
            Colour::Black => &mut self.black.cells,
        }
    }
}

impl GivenCells {
    fn text(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(|(row, col)| format!("({row}, {col})")).collect();
        let cells = cells.join(", ");
        match self.form {
            Form::Tuple if self.cells.len() == 1 => format!("({cells},)"),
            Form::Tuple => format!("({cells})"),
            Form::Set if !self.cells.is_empty() => format!("{{{cells}}}"),
            Form::Set | Form::List | Form::Named(_) => format!("[{cells}]"),
        }
    }

    fn name(&self) -> Option<&'static str> {
        match self.form {
            Form::Named(name) => Some(name),
            Form::List | Form::Tuple | Form::Set => None,
        }
    }

    /// Whether a cell is named twice.
    fn repeats(&self) -> bool {
        (1..self.cells.len()).any(|index| self.cells[..index].contains(&self.cells[index]))
    }

    /// The cells; `None` if one lies before the first row or column.
    fn positions(&self) -> Option<Vec<Pos>> {
        self.cells.iter().copied().map(position).collect()
    }
}

fn position((row, col): CellPlace) -> Option<Pos> {
    Some(Pos::new(usize::try_from(row).ok()?, usize::try_from(col).ok()?))
}

impl Scripted for Puzzle {
    type Board = Givens;
    type Action = CellCall;
    type State = YinYang;
    const NAMES: &'static [&'static str] = &["puzzel", "een", "twee", "drie"];

    fn creation(givens: &Givens) -> String {
        let text = |marks: &GivenCells| marks.name().map_or_else(|| marks.text(), str::to_owned);
        let size = givens.size;
        let white = text(&givens.white);
        let black = text(&givens.black);
        if givens.by_position {
            format!("YinYang({size}, {white}, {black})")
        } else {
            format!("YinYang(dimensie={size}, wit={white}, zwart={black})")
        }
    }

    fn small(calls: usize) -> Vec<Givens> {
        let given = |size: usize, white: &[CellPlace], black: &[CellPlace]| {
            let mut givens = Givens::empty(size);
            givens.white.cells.extend(white);
            givens.black.cells.extend(black);
            givens
        };
        let square = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let mut puzzles = vec![given(1, &[], &[]), given(2, &[], &[])];
        if calls < 3 {
            puzzles.push(given(2, &[(0, 0)], &[]));
        }
        if calls < 2 {
            puzzles.push(given(2, &[], &[(0, 0)]));
            puzzles.extend([given(2, &[(0, 0)], &[(1, 0)]), given(2, &[(0, 0), (0, 1)], &[(1, 0)])]);
            puzzles.extend([given(2, &square[..3], &[]), given(2, &[], &square[..3])]);
        }
        if calls == 0 {
            puzzles.extend([given(2, &square, &[]), given(2, &[], &square), given(1, &[(0, 0)], &[(0, 0)])]);
            for outside in [(2, 0), (0, 2), (-1, 0), (0, -1)] {
                puzzles.extend([given(2, &[outside], &[]), given(2, &[], &[outside])]);
            }
            for (whites, blacks) in [(2, 2), (1, 3), (3, 1)] {
                puzzles.push(given(2, &square[..whites], &square[4 - blacks..]));
            }
            puzzles.push(given(2, &[square[0], square[3]], &[square[1], square[2]]));
        }
        puzzles
    }

    fn changes(givens: &Givens) -> Vec<CellCall> {
        let cells = cells(givens);
        let all = |call: fn(CellPlace) -> CellCall| cells.iter().map(move |cell| call(*cell));
        let white = all(|cell| CellCall::Fill(Colour::White, cell));
        white.chain(all(|cell| CellCall::Fill(Colour::Black, cell))).chain(all(CellCall::Clear)).collect()
    }

    fn questions(givens: &Givens) -> Vec<CellCall> {
        let regions = cells(givens).into_iter().map(CellCall::Region);
        std::iter::once(CellCall::Solved).chain(regions).collect()
    }

    fn bound(givens: &Givens) -> Vec<(&'static str, String)> {
        let named = [&givens.white, &givens.black].into_iter();
        named.filter_map(|marks| marks.name().map(|name| (name, marks.text()))).collect()
    }

    fn create(givens: &Givens) -> Created<YinYang> {
        if givens.white.repeats() || givens.black.repeats() {
            return Created::Unfixed;
        }
        let (Some(white), Some(black)) = (givens.white.positions(), givens.black.positions()) else {
            return Created::Refused;
        };
        if givens.size == 0 {
            return Created::Unfixed;
        }
        YinYang::new(givens.size, white, black).map_or(Created::Refused, Created::Board)
    }

    fn call(action: &CellCall) -> String {
        let (name, cell) = match action {
            CellCall::Fill(Colour::White, cell) => ("maak_wit", cell),
            CellCall::Fill(Colour::Black, cell) => ("maak_zwart", cell),
            CellCall::Clear(cell) => ("maak_leeg", cell),
            CellCall::Region(cell) => ("aaneengesloten_gebied", cell),
            CellCall::Solved => return ".isopgelost()".to_owned(),
        };
        format!(".{name}(({}, {}))", cell.0, cell.1)
    }

    fn play(puzzle: &mut YinYang, action: &CellCall, _after: bool) -> CallResult {
        let pos = action.cell().and_then(position);
        let changed: Result<&mut YinYang, ActionError> = match (action, pos) {
            (CellCall::Solved, _) => {
                let full = puzzle.positions().all(|pos| puzzle.colour_at(pos).is_some());
                return if puzzle.size() == 1 && full { CallResult::Unfixed } else { CallResult::Value };
            }
            (CellCall::Region(_), _) => return CallResult::Value,
            (CellCall::Fill(..) | CellCall::Clear(_), None) => return CallResult::Refused,
            (CellCall::Fill(colour, _), Some(pos)) => puzzle.fill(pos, *colour),
            (CellCall::Clear(_), Some(pos)) => puzzle.clear(pos),
        };
        changed.map_or(CallResult::Refused, |_| CallResult::Itself)
    }
}

/// The cells of a grid, and some beyond its edges.
fn cells(givens: &Givens) -> Vec<CellPlace> {
    let size = givens.size as i64;
    let inside = (0..size).flat_map(|row| (0..size).map(move |col| (row, col)));
    inside.chain([(0, size), (-1, 0)]).collect()
}
