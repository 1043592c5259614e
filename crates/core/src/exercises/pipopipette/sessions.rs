//! Random sessions of the game of dots.
//!
//! Never asked: whose turn it is after the last box, sizes below 2, whether `score` gives the same list
//! again, and positions with small letters, blanks, needless zeros or numbers in other notations.

use crate::exercises::grid::Pos;
use crate::exercises::pipopipette::rules::{
    ClaimError, Direction, Pipopipette, Segment, boxes_beside, lines_around,
};
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, short, watched};
use crate::exercises::sessions::{RandomStep, Sessions};
use crate::value::random::Random;

#[cfg(test)]
mod tests;

/// The sessions.
pub(super) const SESSIONS: Sessions = Sessions { random: session, short: short::<Dots> };

/// A random session.
fn session(random: &mut Random) -> Vec<RandomStep> {
    let mut scribe: Scribe<Dots> = Scribe::new();
    let first = random.part(DotSize::random);
    if random.below(20) == 19 {
        watched(&mut scribe, first, random);
        return scribe.session();
    }
    let mut games = vec![scribe.make(first)];
    random.list(
        |random| [0, 0, 0, 0, 0, 1, 1, 2][random.below(8)],
        |random| {
            if random.below(2) == 1 {
                play(&mut scribe, games[0], random);
            }
            games.push(scribe.make(if random.below(3) < 2 { first } else { DotSize::random(random) }));
        },
    );
    let count = games.len();
    random.list(|_| count, |random| play(&mut scribe, games[random.below(count)], random));
    if count > 1 {
        random.list(|_| count, |random| look(&mut scribe, games[random.below(count)]));
    }
    scribe.session()
}

/// Draws lines, in one order or another.
fn play(scribe: &mut Scribe<Dots>, on: usize, random: &mut Random) {
    let Some(game) = scribe.state(on) else { return };
    let all: Vec<Segment> = lines(game).collect();
    let inner: Vec<Segment> = all.iter().copied().filter(|line| beside(game, *line).len() == 2).collect();
    let (rows, cols) = (game.rows() - 1, game.cols() - 1);
    let mut last = None;
    let (wanted, most): (Vec<Segment>, usize) = match random.below(6) {
        0 => (all, 4),
        // Two boxes that one line completes, if it is not at the border.
        3 if !inner.is_empty() => {
            let line = inner[random.below(inner.len())];
            last = Some(line);
            let around = beside(game, line).into_iter().flat_map(lines_around);
            (around.filter(|other| *other != line).collect(), MOST_LINES)
        }
        4 => {
            // The lines of some boxes.
            let mut around = Vec::new();
            for _ in 0..1 + random.below(3) {
                around.extend(lines_around(Pos::new(random.below(rows), random.below(cols))));
            }
            (around, MOST_LINES)
        }
        5 => {
            // Where coordinates of several digits are easily mistaken for others.
            let confused = all.iter().copied().filter(|line| {
                let Pos { row, col } = line.from;
                row.max(col) >= 10 && row % 10 < 2 && col % 10 < 2
            });
            let confused: Vec<Segment> = confused.collect();
            (if confused.is_empty() { all } else { confused }, 12)
        }
        _ => (all, MOST_LINES),
    };
    let mut free: Vec<Segment> = Vec::new();
    for line in wanted {
        if game.is_drawn(line) == Some(false) && !free.contains(&line) && last != Some(line) {
            free.push(line);
        }
    }
    let last = last.filter(|line| game.is_drawn(*line) == Some(false));
    let count = free.len();
    let longest: usize = [1, 2, 4, 8][random.below(4)];
    random.list(
        |_| count.div_ceil(longest.div_ceil(2)).min(most),
        |random| {
            let mut calls = Vec::new();
            random.list(
                |random| 1 + random.below(longest),
                |random| {
                    let line = random.one_of(free.iter().copied(), number);
                    free.retain(|other| Some(*other) != line);
                    calls.extend(line.map(|line| DotCall::Claim(LineName::of(line))));
                },
            );
            draw(scribe, on, calls, random);
        },
    );
    if let Some(line) = last {
        draw(scribe, on, vec![DotCall::Claim(LineName::of(line))], random);
    }
    random.list(|random| random.below(4), |random| refused(scribe, on, random));
}

/// The number of a line: that of the dot where it begins, in squares around the first dot, and its direction.
fn number(line: &Segment) -> usize {
    let Pos { row, col } = line.from;
    let square = row.max(col);
    2 * (square * square + if row < col { row } else { 2 * row - col })
        + usize::from(line.direction == Direction::Vertical)
}

/// Draws some lines, and asks about the game.
fn draw(scribe: &mut Scribe<Dots>, on: usize, mut calls: Vec<DotCall>, random: &mut Random) {
    if calls.is_empty() {
        return;
    }
    let ended = scribe.state(on).is_some_and(|game| game.free_lines().count() == calls.len());
    if random.below(6) == 5 {
        calls.push(if ended || random.below(2) == 0 { DotCall::Score } else { DotCall::Player });
    }
    let seen = [Seen::Nothing, Seen::Nothing, Seen::Text, Seen::Text, Seen::Same];
    scribe.chain(on, calls, seen[random.below(5)]);
    ask(scribe, on, random);
    random.list(|random| random.below(8) / 7, |random| refused(scribe, on, random));
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
    random.list(
        |random| random.below(2),
        |random| match random.below(7) {
            0..3 => scribe.ask(on, DotCall::Score, Seen::Value),
            3..6 if !over => scribe.ask(on, DotCall::Player, Seen::Value),
            _ => look(scribe, on),
        },
    );
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
        DotSize { rows, cols: (rows != cols || random.below(2) == 1).then_some(cols) }
    }
}

impl LineName {
    fn of(line: Segment) -> LineName {
        let letter = match line.direction {
            Direction::Horizontal => 'H',
            Direction::Vertical => 'V',
        };
        LineName::plain(letter, line.from.row as i64, line.from.col as i64)
    }

    /// A letter and two coordinates.
    fn plain(letter: char, row: i64, col: i64) -> LineName {
        LineName::At { before: "", letter, row, col, after: "" }
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

    fn small(_calls: usize) -> Vec<DotSize> {
        let sizes = [(2, None), (3, None), (2, Some(3)), (3, Some(2))];
        sizes.into_iter().map(|(rows, cols)| DotSize { rows, cols }).collect()
    }

    fn changes(size: &DotSize) -> Vec<DotCall> {
        let Created::Board(game) = Dots::create(size) else { return Vec::new() };
        let at = |letter, row: usize, col: usize| LineName::plain(letter, row as i64, col as i64);
        let (rows, cols) = (game.rows(), game.cols());
        let beyond = [at('H', rows, 0), at('H', 0, cols - 1), at('V', rows - 1, 0), at('V', 0, cols)];
        let odd =
            [LineName::plain('H', -1, 0), LineName::plain('V', 0, -1), at('X', 0, 0), LineName::Text("")];
        lines(&game).map(LineName::of).chain(beyond).chain(odd).map(DotCall::Claim).collect()
    }

    fn questions(_size: &DotSize) -> Vec<DotCall> {
        vec![DotCall::Score, DotCall::Player]
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
}
