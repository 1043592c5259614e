//! Random sessions of the game of dots.
//!
//! Never asked: whose turn it is after the last box, sizes below 2, whether `score` gives the same list
//! again, and positions with small letters, blanks, needless zeros or numbers in other notations.

use crate::exercises::grid::Pos;
use crate::exercises::pipopipette::rules::{
    ClaimError, Direction, Pipopipette, Segment, boxes_beside, lines_around,
};
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, SimplerBoard};
use crate::exercises::sessions::RandomSession;
use crate::value::random::Random;

#[cfg(test)]
mod tests;

/// A random session.
pub(super) fn session(random: &mut Random) -> Box<dyn RandomSession> {
    let mut scribe: Scribe<Dots> = Scribe::new();
    let first = DotSize::random(random);
    let count = [1, 1, 1, 1, 1, 2, 2, 3][random.below(8)];
    let mut games = vec![scribe.make(first)];
    for _ in 1..count {
        if random.below(2) == 0 {
            play(&mut scribe, games[0], random);
        }
        games.push(scribe.make(if random.below(3) > 0 { first } else { DotSize::random(random) }));
    }
    for _ in 0..count {
        let on = games[random.below(games.len())];
        play(&mut scribe, on, random);
    }
    for on in games {
        if count > 1 {
            look(&mut scribe, on);
        }
    }
    scribe.session()
}

/// Draws lines, in one order or another.
fn play(scribe: &mut Scribe<Dots>, on: usize, random: &mut Random) {
    let Some(game) = scribe.state(on) else { return };
    let mut lines: Vec<Segment> = game.free_lines().collect();
    random.shuffle(&mut lines);
    let count = match random.below(6) {
        0 => random.below(4),
        1 | 2 => lines.len(),
        3 => {
            // Two boxes that one line completes, if it is not at the border.
            if let Some(last) = lines.iter().position(|line| beside(game, *line).len() == 2) {
                let last = lines.remove(last);
                let around: Vec<Segment> = beside(game, last).into_iter().flat_map(lines_around).collect();
                lines.sort_by_key(|line| !around.contains(line));
                let before = lines.iter().filter(|line| around.contains(line)).count();
                lines.insert(before, last);
                before + 1
            } else {
                lines.len()
            }
        }
        4 => {
            // The lines of some boxes.
            let (rows, cols) = (game.rows() - 1, game.cols() - 1);
            let boxes: Vec<Pos> =
                (0..1 + random.below(3)).map(|_| Pos::new(random.below(rows), random.below(cols))).collect();
            let around: Vec<Segment> = boxes.into_iter().flat_map(lines_around).collect();
            lines.retain(|line| around.contains(line));
            lines.len()
        }
        _ => {
            // Where coordinates of several digits are easily mistaken for others.
            lines.sort_by_key(|line| {
                let Pos { row, col } = line.from;
                !(row.max(col) >= 10 && row % 10 < 2 && col % 10 < 2)
            });
            1 + random.below(12)
        }
    };
    lines.truncate(count.min(MOST_LINES));
    let longest = [1, 2, 4, 8][random.below(4)];
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let (drawn, after) = rest.split_at((1 + random.below(longest)).min(rest.len()));
        rest = after;
        let mut calls: Vec<DotCall> = drawn.iter().map(|line| DotCall::Claim(LineName::of(*line))).collect();
        let ended = scribe.state(on).is_some_and(|game| game.free_lines().count() == drawn.len());
        if random.below(6) == 0 {
            calls.push(if ended || random.below(2) == 0 { DotCall::Score } else { DotCall::Player });
        }
        let seen = [Seen::Text, Seen::Text, Seen::Same, Seen::Nothing, Seen::Nothing];
        scribe.chain(on, calls, seen[random.below(5)]);
        ask(scribe, on, random);
        if random.below(8) == 0 {
            refused(scribe, on, random);
        }
    }
    for _ in 0..random.below(4) {
        refused(scribe, on, random);
    }
}

/// A part of a session draws at most this many lines.
const MOST_LINES: usize = 24;

/// The boxes that `line` bounds.
fn beside(game: &Pipopipette, line: Segment) -> Vec<Pos> {
    boxes_beside(line).filter(|pos| pos.row + 1 < game.rows() && pos.col + 1 < game.cols()).collect()
}

/// Asks about the game.
fn ask(scribe: &mut Scribe<Dots>, on: usize, random: &mut Random) {
    let over = scribe.state(on).is_some_and(|game| game.outcome().is_some());
    for _ in 0..random.below(2) {
        match random.below(7) {
            0..3 => {
                scribe.ask(on, DotCall::Score, Seen::Value);
            }
            3..6 if !over => {
                scribe.ask(on, DotCall::Player, Seen::Value);
            }
            _ => look(scribe, on),
        }
    }
}

/// Looks at the game, unless its text is very long.
fn look(scribe: &mut Scribe<Dots>, on: usize) {
    let cells = scribe.state(on).map_or(0, |game| game.rows() * game.cols());
    if cells <= 400 {
        scribe.look(on);
    }
}

/// Claims a line that cannot be drawn, and looks at what that changed.
fn refused(scribe: &mut Scribe<Dots>, on: usize, random: &mut Random) {
    let Some(game) = scribe.state(on) else { return };
    let drawn: Vec<Segment> = lines(game).filter(|line| game.is_drawn(*line) == Some(true)).collect();
    let spot = match drawn.get(random.below(drawn.len())) {
        Some(line) if random.below(2) == 0 => LineName::of(*line),
        Some(_) | None => LineName::off_board(game, random),
    };
    scribe.ask(on, DotCall::Claim(spot), Seen::Value);
    ask(scribe, on, random);
}

/// Every line of the board.
fn lines(game: &Pipopipette) -> impl Iterator<Item = Segment> {
    let (rows, cols) = (game.rows(), game.cols());
    let across = (0..rows).flat_map(move |row| (0..cols - 1).map(move |col| Segment::horizontal(row, col)));
    let down = (0..rows - 1).flat_map(move |row| (0..cols).map(move |col| Segment::vertical(row, col)));
    across.chain(down)
}

/// The game, as scripts have it.
struct Dots;

/// The arguments of the constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DotSize {
    rows: usize,
    /// Left out for a square.
    cols: Option<usize>,
}

/// A call on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DotCall {
    Claim(LineName),
    Score,
    Player,
}

/// The argument of `claim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineName {
    /// A letter and two coordinates.
    At {
        /// The text before the letter.
        before: &'static str,
        letter: char,
        row: i64,
        col: i64,
        /// The text after the coordinates.
        after: &'static str,
    },
    /// Something else.
    Text(&'static str),
}

impl DotSize {
    fn random(random: &mut Random) -> DotSize {
        let (rows, cols) = match random.below(41) {
            0..8 => (2, 2),
            8..12 => (2, 3),
            12..16 => (3, 2),
            16..26 => (3, 3),
            26..36 => (2 + random.below(4), 2 + random.below(4)),
            36 => (2 + random.below(3), 11 + random.below(3)),
            37 => (11 + random.below(3), 2 + random.below(3)),
            38 => (12 + random.below(2), 12 + random.below(2)),
            _ => [(2, 102), (102, 2)][random.below(2)],
        };
        DotSize { rows, cols: (rows != cols || random.below(2) == 0).then_some(cols) }
    }
}

impl LineName {
    fn of(line: Segment) -> LineName {
        let letter = match line.direction {
            Direction::Horizontal => 'H',
            Direction::Vertical => 'V',
        };
        LineName::At { before: "", letter, row: line.from.row as i64, col: line.from.col as i64, after: "" }
    }

    /// A name of no line of `game`.
    fn off_board(game: &Pipopipette, random: &mut Random) -> LineName {
        let texts = ["", "H", "V", "H1", "H1,", "H,1", "1,1", "ABCD"];
        let (rows, cols) = (game.rows() as i64, game.cols() as i64);
        let some = random.below(lines(game).count());
        let line = lines(game).nth(some).map_or(LineName::Text(""), LineName::of);
        let LineName::At { before, letter, row, col, after } = line else { return line };
        let at = |letter, row, col| LineName::At { before, letter, row, col, after };
        match random.below(12) {
            0 => at('H', row, cols - 1),
            1 => at('V', rows - 1, col),
            2 => at('H', rows, col.min(cols - 2)),
            3 => at('V', row.min(rows - 2), cols),
            4 => at(letter, -1 - random.below(2) as i64, col),
            5 => at(letter, row, -1 - random.below(2) as i64),
            6 => at(['D', 'X'][random.below(2)], row, col),
            7 => at(letter, row + 10, col + 10 * random.below(2) as i64),
            8 => LineName::At { before: ["A", "V", "H", "0"][random.below(4)], letter, row, col, after },
            9 | 10 => LineName::At { before, letter, row, col, after: [",0", "abc", "V"][random.below(3)] },
            _ => LineName::Text(texts[random.below(texts.len())]),
        }
    }

    fn text(self) -> String {
        match self {
            LineName::At { before, letter, row, col, after } => format!("{before}{letter}{row},{col}{after}"),
            LineName::Text(text) => text.to_owned(),
        }
    }

    fn line(self) -> Option<Segment> {
        match self {
            LineName::At { before: "", letter, row, col, after: "" } => {
                let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
                match letter {
                    'H' => Some(Segment::horizontal(row, col)),
                    'V' => Some(Segment::vertical(row, col)),
                    _ => None,
                }
            }
            LineName::At { .. } | LineName::Text(_) => None,
        }
    }
}

impl Scripted for Dots {
    type Board = DotSize;
    type Action = DotCall;
    type State = Pipopipette;
    const NAMES: &'static [&'static str] = &["game", "game01", "game02", "game03"];

    fn creation(size: &DotSize) -> String {
        match size.cols {
            Some(cols) => format!("Pipopipette({}, {cols})", size.rows),
            None => format!("Pipopipette({})", size.rows),
        }
    }

    fn create(size: &DotSize) -> Created<Pipopipette> {
        let game = Pipopipette::new(size.rows, size.cols.unwrap_or(size.rows));
        game.map_or(Created::Unfixed, Created::Board)
    }

    fn call(action: &DotCall) -> String {
        match action {
            DotCall::Claim(spot) => format!(".claim('{}')", spot.text()),
            DotCall::Score => ".score()".to_owned(),
            DotCall::Player => ".player()".to_owned(),
        }
    }

    fn play(game: &mut Pipopipette, action: &DotCall, _after: bool) -> CallResult {
        match action {
            DotCall::Score => CallResult::Value,
            DotCall::Player if game.outcome().is_some() => CallResult::Unfixed,
            DotCall::Player => CallResult::Value,
            DotCall::Claim(spot) => match spot.line().map(|line| game.claim(line)) {
                Some(Ok(_)) => CallResult::Itself,
                Some(Err(ClaimError::OffBoard(_) | ClaimError::AlreadyDrawn(_))) | None => {
                    CallResult::Refused
                }
            },
        }
    }

    /// Fewest dots, then most square.
    fn weight(size: &DotSize) -> Vec<usize> {
        let cols = size.cols.unwrap_or(size.rows);
        vec![size.rows * cols, size.rows.abs_diff(cols), size.rows, usize::from(size.cols.is_some())]
    }

    fn simpler_boards(size: &DotSize, actions: &[&DotCall]) -> Vec<SimplerBoard<Dots>> {
        let rows = size.rows;
        let cols = size.cols.unwrap_or(size.rows);
        let used: Vec<Segment> = actions.iter().filter_map(|action| action.line()).collect();
        let dots = used.iter().flat_map(|line| {
            let Pos { row, col } = line.from;
            match line.direction {
                Direction::Horizontal => [line.from, Pos::new(row, col + 1)],
                Direction::Vertical => [line.from, Pos::new(row + 1, col)],
            }
        });
        let dots: Vec<Pos> = dots.collect();
        let mut boards = Vec::new();
        for (row_count, col_count) in
            (2..=rows.max(cols)).flat_map(|count| [(count, count), (count, cols), (rows, count)])
        {
            if row_count <= rows && col_count <= cols {
                let kept_rows = kept(rows, row_count, |row| dots.iter().any(|dot| dot.row == row));
                let kept_cols = kept(cols, col_count, |col| dots.iter().any(|dot| dot.col == col));
                boards.extend(board(rows, cols, &kept_rows, &kept_cols));
            }
        }
        let all = |count: usize| (0..count).collect::<Vec<usize>>();
        let without =
            |count: usize, line: usize| (0..count).filter(|other| *other != line).collect::<Vec<usize>>();
        for line in 0..rows.min(20) {
            boards.extend(board(rows, cols, &without(rows, line), &all(cols)));
        }
        for line in 0..cols.min(20) {
            boards.extend(board(rows, cols, &all(rows), &without(cols, line)));
            boards.extend(board(rows, cols, &without(rows, line), &without(cols, line)));
        }
        boards
    }

    fn questions() -> Vec<DotCall> {
        vec![DotCall::Player, DotCall::Score]
    }

    fn simpler_actions(action: &DotCall) -> Vec<DotCall> {
        let DotCall::Claim(LineName::At { before, letter, row, col, after }) = *action else {
            return Vec::new();
        };
        let nearer = |at: i64| at - at.signum();
        let mut spots: Vec<LineName> = [(0, 0), (0, col), (row, 0), (nearer(row), col), (row, nearer(col))]
            .into_iter()
            .map(|(row, col)| LineName::At { before, letter, row, col, after })
            .collect();
        spots.push(LineName::At { before: "", letter, row, col, after });
        spots.push(LineName::At { before, letter, row, col, after: "" });
        spots.into_iter().map(DotCall::Claim).collect()
    }
}

impl DotCall {
    fn line(self) -> Option<Segment> {
        match self {
            DotCall::Claim(spot) => spot.line(),
            DotCall::Score | DotCall::Player => None,
        }
    }
}

/// `count` of the rows or columns, those that are used first.
fn kept(all: usize, count: usize, is_used: impl Fn(usize) -> bool) -> Vec<usize> {
    let (mut kept, others): (Vec<usize>, Vec<usize>) = (0..all).partition(|line| is_used(*line));
    kept.extend(others);
    kept.truncate(count);
    kept.sort_unstable();
    kept
}

/// The board of these rows and columns, squares without a second number if possible.
fn board(rows: usize, cols: usize, kept_rows: &[usize], kept_cols: &[usize]) -> Vec<SimplerBoard<Dots>> {
    let mut boards = Vec::new();
    for given in [None, Some(kept_cols.len())] {
        if given.is_none() && kept_rows.len() != kept_cols.len() {
            continue;
        }
        let (kept_rows, kept_cols) = (kept_rows.to_vec(), kept_cols.to_vec());
        let size = DotSize { rows: kept_rows.len(), cols: given };
        let action = move |action: &DotCall| match *action {
            DotCall::Claim(LineName::At { before, letter, row, col, after }) => {
                let (row, col) = (moved(rows, &kept_rows, row)?, moved(cols, &kept_cols, col)?);
                Some(DotCall::Claim(LineName::At { before, letter, row, col, after }))
            }
            DotCall::Claim(LineName::Text(_)) | DotCall::Score | DotCall::Player => Some(*action),
        };
        boards.push(SimplerBoard { board: size, action: Box::new(action) });
    }
    boards
}

/// Where the row or column `at` of `all` is among those that are kept; what is off the board stays as far
/// off.
fn moved(all: usize, kept: &[usize], at: i64) -> Option<i64> {
    match usize::try_from(at) {
        Ok(line) if line < all => kept.iter().position(|other| *other == line).map(|place| place as i64),
        Ok(line) => Some((line - all + kept.len()) as i64),
        Err(_) => Some(at),
    }
}
