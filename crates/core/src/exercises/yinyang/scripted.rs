//! Yin-Yang as scripts have it: what is given, what is called, and what is simpler.

use crate::exercises::grid::Pos;
use crate::exercises::script::{CallResult, Created, Scripted, SimplerBoard};
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

    /// The same call about another cell.
    fn with_cell(self, cell: CellPlace) -> CellCall {
        match self {
            CellCall::Fill(colour, _) => CellCall::Fill(colour, cell),
            CellCall::Clear(_) => CellCall::Clear(cell),
            CellCall::Region(_) => CellCall::Region(cell),
            CellCall::Solved => CellCall::Solved,
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

    /// Smallest grid, then fewest given cells, in lists and by name.
    fn weight(givens: &Givens) -> Vec<usize> {
        let form = |marks: &GivenCells| match marks.form {
            Form::List => 0,
            Form::Tuple => 1,
            Form::Set => 2,
            Form::Named(_) => 3,
        };
        let (white, black) = (&givens.white, &givens.black);
        let cells = white.cells.len() + black.cells.len();
        let descents = |marks: &GivenCells| marks.cells.windows(2).filter(|pair| pair[0] > pair[1]).count();
        let unsorted = descents(white) + descents(black);
        vec![givens.size, cells, form(white) + form(black), usize::from(givens.by_position), unsorted]
    }

    fn simpler_boards(givens: &Givens, actions: &[&CellCall]) -> Vec<SimplerBoard<Puzzle>> {
        let mut sorted = givens.clone();
        sorted.sort();
        let mut others = vec![Givens { by_position: false, ..givens.clone() }, sorted];
        for colour in Colour::BOTH {
            let mut plain = givens.clone();
            match colour {
                Colour::White => plain.white.form = Form::List,
                Colour::Black => plain.black.form = Form::List,
            }
            others.push(plain);
            let mut none = givens.clone();
            none.of(colour).clear();
            others.push(none);
            let cells = givens.clone().of(colour).clone();
            for (index, cell) in cells.into_iter().enumerate() {
                let mut fewer = givens.clone();
                fewer.of(colour).remove(index);
                others.push(fewer);
                for cell in smaller_cells(cell) {
                    let mut moved = givens.clone();
                    moved.of(colour)[index] = cell;
                    others.push(moved);
                }
            }
        }
        let same = others
            .into_iter()
            .map(|board| SimplerBoard { board, action: Box::new(|action: &CellCall| Some(*action)) });
        smaller(givens, actions).into_iter().chain(same).collect()
    }

    fn questions() -> Vec<CellCall> {
        vec![CellCall::Solved]
    }

    fn simpler_actions(action: &CellCall) -> Vec<CellCall> {
        let cells = action.cell().map(smaller_cells).unwrap_or_default();
        cells.into_iter().map(|cell| action.with_cell(cell)).collect()
    }
}

/// Cells nearer to the first one.
fn smaller_cells((row, col): CellPlace) -> Vec<CellPlace> {
    let nearer = |at: i64| at - at.signum();
    vec![(0, 0), (0, col), (row, 0), (nearer(row), col), (row, nearer(col))]
}

/// Grids of fewer rows and columns.
fn smaller(givens: &Givens, actions: &[&CellCall]) -> Vec<SimplerBoard<Puzzle>> {
    let size = givens.size;
    let cells = givens.white.cells.iter().chain(&givens.black.cells).copied();
    let used: Vec<CellPlace> = cells.chain(actions.iter().filter_map(|action| action.cell())).collect();
    let lines = |at: fn(&CellPlace) -> i64, count: usize| -> Vec<i64> {
        let is_used = |line: &i64| used.iter().any(|cell| at(cell) == *line);
        let (mut lines, others): (Vec<i64>, Vec<i64>) = (0..size as i64).partition(is_used);
        lines.extend(others);
        lines.truncate(count);
        lines.sort_unstable();
        lines
    };
    let kept = (1..size).map(|count| (lines(|cell| cell.0, count), lines(|cell| cell.1, count)));
    let without = (0..size as i64).map(|line| {
        let others: Vec<i64> = (0..size as i64).filter(|other| *other != line).collect();
        (others.clone(), others)
    });
    let boards = kept.chain(without).filter(|(rows, _)| !rows.is_empty()).map(|(rows, cols)| {
        let (old, new) = (size as i64, rows.len() as i64);
        let moved = move |lines: &[i64], at: i64| match lines.iter().position(|line| *line == at) {
            Some(place) => Some(place as i64),
            None if at >= old => Some(at - old + new),
            None if at < -1 => Some(at.max(-new)),
            None => (at < 0).then_some(at),
        };
        let cell = move |(row, col): CellPlace| Some((moved(&rows, row)?, moved(&cols, col)?));
        let marks = |marks: &GivenCells| GivenCells {
            cells: marks.cells.iter().filter_map(|other| cell(*other)).collect(),
            form: marks.form,
        };
        let board = Givens {
            size: new as usize,
            white: marks(&givens.white),
            black: marks(&givens.black),
            by_position: givens.by_position,
        };
        let action = move |action: &CellCall| match action.cell() {
            Some(other) => cell(other).map(|cell| action.with_cell(cell)),
            None => Some(*action),
        };
        SimplerBoard { board, action: Box::new(action) }
    });
    boards.collect()
}
