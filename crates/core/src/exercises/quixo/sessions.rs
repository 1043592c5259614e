//! Random sessions of Quixo.
//!
//! Whether a turn changes the board or gives a new one is not fixed, so that turns are called in one chain
//! and the board is not looked at afterwards. Never asked: illegal turns, two turns of one player in a row,
//! play after a win, positions that the board does not have, and a number of rows that is above 26 or no
//! number.

use crate::exercises::grid::Pos;
use crate::exercises::quixo::rules::{LARGEST, Quixo, Symbol, Turn};
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, SimplerBoard};
use crate::exercises::sessions::RandomSession;
use crate::value::random::Random;
use std::cell::Cell;

#[cfg(test)]
mod tests;

/// A random session.
pub(super) fn session(random: &mut Random) -> Box<dyn RandomSession> {
    let mut scribe: Scribe<Game> = Scribe::new();
    match random.below(8) {
        0 => {
            for _ in 0..1 + random.below(6) {
                let given = if random.below(6) == 0 { Dice::random(random) } else { Dice::refused(random) };
                scribe.make(given);
            }
        }
        1 => {
            let given = Dice { faces: None, ..Dice::random(random) };
            let on = scribe.make(given);
            for _ in 0..1 + random.below(8) {
                ask_position(&mut scribe, on, random);
            }
        }
        _ => games(&mut scribe, random),
    }
    scribe.session()
}

/// Plays on some boards, often equal ones.
fn games(scribe: &mut Scribe<Game>, random: &mut Random) {
    let first = Dice::random(random);
    let count = 1 + random.below(if first.rows > 9 { 2 } else { MOST_BOARDS });
    let mut boards: Vec<usize> = Vec::new();
    for _ in 0..count {
        let given = if random.below(4) == 0 { Dice::random(random) } else { first.clone() };
        boards.push(scribe.make(given));
        let on = boards[random.below(boards.len())];
        if random.below(4) > 0 {
            about(scribe, on, random);
            turns(scribe, on, random);
        }
    }
    for on in boards {
        about(scribe, on, random);
        turns(scribe, on, random);
    }
}

/// Asks about the board.
fn about(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    if scribe.state(on).is_some_and(Game::has_text) && random.below(2) == 0 {
        scribe.look(on);
    }
    if random.below(4) == 0 {
        ask_position(scribe, on, random);
    }
}

fn ask_position(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    let Some(size) = scribe.state(on).map(|board| board.quixo.size()) else { return };
    let mut at = || if random.below(3) == 0 { size - 1 } else { random.below(size) };
    let pos = Pos::new(at(), at());
    scribe.ask(on, DiceCall::Position(pos), Seen::Value);
}

/// A chain of legal turns.
fn turns(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    let Some(board) = scribe.state(on).filter(|board| !board.turned) else { return };
    let mut quixo = board.quixo.clone();
    let mut symbol = Symbol::BOTH[random.below(2)];
    let mut calls = Vec::new();
    for _ in 0..[1, 1, 1, 2, 2, 3, 4, 6][random.below(8)] {
        let turns: Vec<Turn> =
            if quixo.outcome().is_none() { quixo.turns(symbol).collect() } else { Vec::new() };
        let Some(turn) = turns.get(random.below(turns.len())) else { break };
        if quixo.play(*turn).is_err() {
            break;
        }
        calls.push(DiceCall::Play(*turn));
        symbol = match symbol {
            Symbol::Cross => Symbol::Circle,
            Symbol::Circle => Symbol::Cross,
        };
    }
    if !calls.is_empty() {
        scribe.chain(on, calls, Seen::Text);
    }
}

/// Sessions make no more boards than this.
const MOST_BOARDS: usize = 4;

/// The game, as scripts have it.
struct Game;

/// The arguments of the constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dice {
    rows: i64,
    /// Whether a half is added to the number of rows.
    half: bool,
    /// The upper faces, if they are given.
    faces: Option<String>,
}

/// A call on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiceCall {
    Position(Pos),
    Play(Turn),
}

/// A board in play.
struct Dealt {
    quixo: Quixo,
    /// Whether a turn was called on the board, so that it is not known whether it has changed.
    turned: bool,
    /// The player of the last turn.
    last: Option<Symbol>,
}

impl Dice {
    fn random(random: &mut Random) -> Dice {
        let rows = match random.below(30) {
            0..2 => 1,
            2..9 => 2,
            9..17 => 3,
            17..22 => 4,
            22..25 => 5,
            25..27 => 6 + random.below(4),
            27..29 => 10 + random.below(4),
            _ => LARGEST,
        };
        let faces = (random.below(3) > 0).then(|| faces(rows, random));
        Dice { rows: rows as i64, half: false, faces }
    }

    /// Arguments that the constructor refuses.
    fn refused(random: &mut Random) -> Dice {
        let rows = 1 + random.below(4);
        let mut faces: Vec<char> = faces(rows, random).chars().collect();
        let given = |faces: Vec<char>| Dice {
            rows: rows as i64,
            half: false,
            faces: Some(faces.into_iter().collect()),
        };
        match random.below(9) {
            0 => Dice { rows: 0, half: false, faces: None },
            1 => Dice { rows: -(rows as i64), half: false, faces: None },
            2 => Dice { rows: random.below(5) as i64, half: true, faces: None },
            3 => Dice { rows: if random.below(2) == 0 { 0 } else { -(rows as i64) }, ..given(faces) },
            4 => given(Vec::new()),
            7 => {
                // In the place of the last face, or after it.
                if random.below(2) == 0 {
                    faces.pop();
                }
                faces.push('\n');
                given(faces)
            }
            5 => {
                // Whole rows, and less.
                faces.truncate(if random.below(2) == 0 { faces.len() - 1 } else { rows * (rows - 1) });
                given(faces)
            }
            6 => {
                faces.extend(std::iter::repeat_n('X', if random.below(2) == 0 { 1 } else { rows }));
                given(faces)
            }
            _ => {
                let place = random.below(faces.len());
                let other = ['x', 'o', 'Z', 'A', '0', ' ', '.', '\n'][random.below(8)];
                if random.below(4) == 0 {
                    faces.push(other)
                } else {
                    faces[place] = other
                }
                given(faces)
            }
        }
    }
}

fn faces(rows: usize, random: &mut Random) -> String {
    let blanks = random.below(6);
    let mut faces = String::new();
    for row in 0..rows {
        if row > 0 && random.below(5) == 0 {
            // The row above again.
            let above = faces[(row - 1) * rows..row * rows].to_owned();
            faces.push_str(&above);
        } else {
            faces.extend(
                (0..rows).map(|_| if random.below(6) < blanks { '-' } else { ['X', 'O'][random.below(2)] }),
            );
        }
    }
    faces
}

impl Scripted for Game {
    type Board = Dice;
    type Action = DiceCall;
    type State = Dealt;
    const NAMES: &'static [&'static str] =
        &["quixo", "quixo01", "quixo02", "quixo03", "quixo04", "quixo05", "quixo06"];

    fn creation(given: &Dice) -> String {
        let rows = match (given.half, given.rows) {
            (true, rows) => format!("{rows}.5"),
            (false, rows) => rows.to_string(),
        };
        match &given.faces {
            Some(faces) => format!("Quixo({rows}, '{}')", faces.replace('\n', "\\n")),
            None => format!("Quixo({rows})"),
        }
    }

    fn create(given: &Dice) -> Created<Dealt> {
        let rows = usize::try_from(given.rows).unwrap_or(0);
        if rows > LARGEST {
            return Created::Unfixed;
        }
        let quixo = match &given.faces {
            _ if given.half => return Created::Refused,
            None => Quixo::new(rows),
            Some(faces) => Quixo::with_faces(rows, faces),
        };
        quixo.map_or(Created::Refused, |quixo| Created::Board(Dealt { quixo, turned: false, last: None }))
    }

    fn call(action: &DiceCall) -> String {
        match action {
            DiceCall::Position(pos) => format!(".positie('{}')", name(*pos)),
            DiceCall::Play(Turn { symbol, from, to }) => {
                format!(".beurt('{}', '{}', '{}')", symbol.as_char(), name(*from), name(*to))
            }
        }
    }

    fn play(board: &mut Dealt, action: &DiceCall, after: bool) -> CallResult {
        match action {
            DiceCall::Position(pos) if board.quixo.face(*pos).is_some() => CallResult::Value,
            DiceCall::Play(turn) => {
                let free = board.quixo.outcome().is_none() && board.last != Some(turn.symbol);
                if !free || board.turned != after || board.quixo.play(*turn).is_err() {
                    return CallResult::Unfixed;
                }
                board.turned = true;
                board.last = Some(turn.symbol);
                CallResult::Board
            }
            DiceCall::Position(_) => CallResult::Unfixed,
        }
    }

    fn has_text(board: &Dealt) -> bool {
        !board.turned
    }

    /// Fewest dice, then fewest faces that are not blank, then no faces at all.
    fn weight(given: &Dice) -> Vec<usize> {
        let faces = given.faces.as_deref().unwrap_or("");
        let rows = [usize::from(given.half), given.rows.unsigned_abs() as usize, usize::from(given.rows < 0)];
        let marks = faces.chars().filter(|face| *face != '-').count();
        let letters = faces.chars().map(|face| "-XO".find(face).unwrap_or(3));
        let given = [marks, faces.len() + usize::from(given.faces.is_some())];
        rows.into_iter().chain(given).chain(letters).collect()
    }

    fn simpler_boards(given: &Dice, actions: &[&DiceCall]) -> Vec<SimplerBoard<Game>> {
        let mut boards = smaller(given, actions);
        boards.extend(later(given, actions));
        let mut others = vec![Dice { faces: None, ..given.clone() }];
        if given.half || given.rows < 1 {
            others.extend([-1, 0, 1, given.rows / 2].map(|rows| Dice { rows, ..given.clone() }));
        }
        if let Some(faces) = &given.faces {
            let faces: Vec<char> = faces.chars().collect();
            let with = |faces: Vec<char>| Dice { faces: Some(faces.into_iter().collect()), ..given.clone() };
            others.push(with(vec!['-'; faces.len()]));
            let mut length = faces.len();
            while length > 0 && faces.len() / length <= 64 {
                others.extend((0..faces.len()).step_by(length).map(|start| {
                    let blank = start..start + length;
                    with(
                        faces
                            .iter()
                            .enumerate()
                            .map(|(at, face)| if blank.contains(&at) { '-' } else { *face })
                            .collect(),
                    )
                }));
                length /= 2;
            }
            let square = usize::try_from(given.rows).map_or(0, |rows| rows * rows);
            if faces.len() != square {
                others.push(with(faces[..faces.len() / 2].to_vec()));
                others.push(with(faces[..faces.len().saturating_sub(1)].to_vec()));
            }
        }
        boards.extend(
            others.into_iter().map(|board| SimplerBoard { board, action: Box::new(|action| Some(*action)) }),
        );
        boards
    }

    fn simpler_actions(action: &DiceCall) -> Vec<DiceCall> {
        match action {
            DiceCall::Position(Pos { row, col }) => {
                let smaller = [(0, *col), (*row, 0), (row / 2, *col), (*row, col / 2)];
                let one_less = [(row.saturating_sub(1), *col), (*row, col.saturating_sub(1))];
                smaller
                    .into_iter()
                    .chain(one_less)
                    .map(|(row, col)| DiceCall::Position(Pos::new(row, col)))
                    .collect()
            }
            DiceCall::Play(_) => Vec::new(),
        }
    }
}

fn name(Pos { row, col }: Pos) -> String {
    let column = char::from(b'A' + col.min(LARGEST - 1) as u8);
    format!("{column}{}", row + 1)
}

/// The board as it is after the first turn of a chain.
fn later(given: &Dice, actions: &[&DiceCall]) -> Option<SimplerBoard<Game>> {
    let first = actions.iter().position(|action| matches!(action, DiceCall::Play(_)))?;
    let Created::Board(mut board) = Game::create(given) else { return None };
    let CallResult::Board = Game::play(&mut board, actions[first], false) else { return None };
    let faces = board.quixo.to_string().replace('\n', "");
    let left_out = Cell::new(first + 1);
    let action = move |action: &DiceCall| {
        left_out.set(left_out.get().saturating_sub(1));
        match action {
            DiceCall::Play(_) if left_out.get() == 0 => {
                left_out.set(usize::MAX);
                None
            }
            DiceCall::Play(_) | DiceCall::Position(_) => Some(*action),
        }
    };
    Some(SimplerBoard { board: Dice { faces: Some(faces), ..given.clone() }, action: Box::new(action) })
}

/// Boards of fewer rows and columns.
fn smaller(given: &Dice, actions: &[&DiceCall]) -> Vec<SimplerBoard<Game>> {
    let Ok(size) = usize::try_from(given.rows) else { return Vec::new() };
    let used = actions.iter().flat_map(|action| match action {
        DiceCall::Position(pos) => [*pos, *pos],
        DiceCall::Play(turn) => [turn.from, turn.to],
    });
    let used: Vec<Pos> = used.collect();
    let lines = |at: fn(&Pos) -> usize, count: usize, from_the_end: bool| -> Vec<usize> {
        let is_used = |line: &usize| used.iter().any(|pos| at(pos) == *line);
        let mut lines: Vec<usize> = (0..size).filter(is_used).collect();
        let mut others: Vec<usize> = (0..size).filter(|line| !is_used(line)).collect();
        if from_the_end {
            others.reverse();
        }
        lines.extend(others);
        lines.truncate(count);
        lines.sort_unstable();
        lines
    };
    let mut boards = Vec::new();
    for count in 1..size {
        for from_the_end in [false, true] {
            let (rows, cols) =
                (lines(|pos| pos.row, count, from_the_end), lines(|pos| pos.col, count, from_the_end));
            let faces = given.faces.as_ref().map(|faces| {
                let faces: Vec<char> = faces.chars().collect();
                let cells = rows.iter().flat_map(|row| cols.iter().map(move |col| row * size + col));
                // Faces that do not fill the board do not fill the smaller one either.
                let odd = faces.len().abs_diff(size * size);
                let extra = if faces.len() > size * size { &faces[size * size..] } else { &[] };
                let mut kept: String = cells.filter_map(|at| faces.get(at)).chain(extra).collect();
                if odd > 0 && kept.len() == count * count {
                    kept.pop();
                }
                kept
            });
            let board = Dice { rows: count as i64, half: given.half, faces };
            let moved = move |pos: Pos| {
                let row = rows.iter().position(|row| *row == pos.row)?;
                let col = cols.iter().position(|col| *col == pos.col)?;
                Some(Pos::new(row, col))
            };
            let action = move |action: &DiceCall| match action {
                DiceCall::Position(pos) => moved(*pos).map(DiceCall::Position),
                DiceCall::Play(Turn { symbol, from, to }) => {
                    Some(DiceCall::Play(Turn { symbol: *symbol, from: moved(*from)?, to: moved(*to)? }))
                }
            };
            boards.push(SimplerBoard { board, action: Box::new(action) });
        }
    }
    boards
}
