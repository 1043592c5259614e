//! Random sessions of Quixo.
//!
//! Whether a turn changes the board or gives a new one is not fixed, so that turns are called in one chain
//! and the board is not looked at afterwards. Never asked: illegal turns, two turns of one player in a row,
//! play after a win, positions that the board does not have, and a number of rows that is above 26 or no
//! number.

use crate::exercises::grid::Pos;
use crate::exercises::quixo::rules::{LARGEST, Quixo, Symbol, Turn};
use crate::exercises::script::{CallResult, Created, Scribe, Scripted, Seen, short};
use crate::exercises::sessions::{RandomStep, Sessions};
use crate::value::random::Random;

#[cfg(test)]
mod tests;

/// The sessions.
pub(super) const SESSIONS: Sessions = Sessions { random: session, short: short::<Game> };

/// A random session.
fn session(random: &mut Random) -> Vec<RandomStep> {
    let mut scribe: Scribe<Game> = Scribe::new();
    match random.below(8) {
        7 => random.list(
            |random| 1 + random.below(6),
            |random| {
                let given = if random.below(6) == 5 { Dice::random(random) } else { Dice::refused(random) };
                scribe.make(given);
            },
        ),
        6 => {
            let given = Dice { faces: None, ..random.part(Dice::random) };
            let on = scribe.make(given);
            random.list(|random| 1 + random.below(8), |random| ask_position(&mut scribe, on, random));
        }
        _ => games(&mut scribe, random),
    }
    scribe.session()
}

/// Plays on some boards, often equal ones.
fn games(scribe: &mut Scribe<Game>, random: &mut Random) {
    let first = random.part(Dice::random);
    let most = if first.rows > 9 { 2 } else { MOST_BOARDS };
    let mut boards = vec![scribe.make(first.clone())];
    random.list(
        |random| random.below(most),
        |random| {
            if random.below(4) > 0 {
                let on = boards[random.below(boards.len())];
                about(scribe, on, random);
                turns(scribe, on, random);
            }
            let given = if random.below(4) == 3 { Dice::random(random) } else { first.clone() };
            boards.push(scribe.make(given));
        },
    );
    for on in boards {
        random.part(|random| {
            about(scribe, on, random);
            turns(scribe, on, random);
        });
    }
}

/// Asks about the board.
fn about(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    if scribe.state(on).is_some_and(Game::has_text) && random.below(2) == 1 {
        scribe.look(on);
    }
    random.list(|random| random.below(4) / 3, |random| ask_position(scribe, on, random));
}

fn ask_position(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    let Some(size) = scribe.state(on).map(|board| board.quixo.size()) else { return };
    let mut at = || if random.below(3) == 2 { size - 1 } else { random.below(size) };
    let pos = Pos::new(at(), at());
    scribe.ask(on, DiceCall::Position(pos), Seen::Value);
}

/// A chain of legal turns.
fn turns(scribe: &mut Scribe<Game>, on: usize, random: &mut Random) {
    let Some(board) = scribe.state(on).filter(|board| !board.turned) else { return };
    let mut quixo = board.quixo.clone();
    let mut symbol = Symbol::BOTH[random.below(2)];
    let mut calls = Vec::new();
    random.list(
        |random| [1, 1, 1, 2, 2, 3, 4, 6][random.below(8)],
        |random| {
            let turns: Vec<Turn> =
                if quixo.outcome().is_none() { quixo.turns(symbol).collect() } else { Vec::new() };
            let number = |turn: &Turn| {
                let at = |pos: Pos| pos.row * LARGEST + pos.col;
                at(turn.from) * LARGEST * LARGEST + at(turn.to)
            };
            if let Some(turn) = random.one_of(turns, number)
                && quixo.play(turn).is_ok()
            {
                calls.push(DiceCall::Play(turn));
                symbol = match symbol {
                    Symbol::Cross => Symbol::Circle,
                    Symbol::Circle => Symbol::Cross,
                };
            }
        },
    );
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
#[derive(Clone)]
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
            0..7 => 2,
            7..9 => 1,
            9..17 => 3,
            17..22 => 4,
            22..25 => 5,
            25..27 => 6 + random.below(4),
            27..29 => 10 + random.below(4),
            _ => LARGEST,
        };
        let faces = (random.below(3) > 0).then(|| random.part(|random| faces(rows, random)));
        Dice { rows: rows as i64, half: false, faces }
    }

    /// Arguments that the constructor refuses.
    fn refused(random: &mut Random) -> Dice {
        let rows = 1 + random.below(4);
        let mut faces: Vec<char> = random.part(|random| faces(rows, random)).chars().collect();
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
    let blanks = 5 - random.below(6);
    let mut faces = String::new();
    for row in 0..rows {
        random.part(|random| {
            if row > 0 && random.below(5) == 4 {
                // The row above again.
                let above = faces[(row - 1) * rows..row * rows].to_owned();
                faces.push_str(&above);
            } else {
                faces.extend((0..rows).map(|_| match random.below(12) {
                    face if face < 2 * blanks => '-',
                    face => ['X', 'O'][face % 2],
                }));
            }
        });
    }
    faces
}

impl Scripted for Game {
    type Board = Dice;
    type Action = DiceCall;
    type State = Dealt;
    const NAMES: &'static [&'static str] =
        &["quixo", "quixo01", "quixo02", "quixo03", "quixo04", "quixo05", "quixo06"];
    const CHAINED: bool = true;

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

    fn small(calls: usize) -> Vec<Dice> {
        let dice = |rows, faces: Option<String>| Dice { rows, half: false, faces };
        let mut boards: Vec<Dice> = (1..=3).map(|rows| dice(rows, None)).collect();
        // A turn has more to show where dice lie already.
        let marks = if calls < 2 { 4 } else { calls.saturating_sub(2) };
        let faces = (0..81_usize).map(|number| -> String {
            [27, 9, 3, 1].iter().map(|place| ['-', 'X', 'O'][number / place % 3]).collect()
        });
        let few = faces.filter(|faces| faces.chars().filter(|face| *face != '-').count() <= marks);
        boards.extend(few.map(|faces| dice(2, Some(faces))));
        if calls == 0 {
            let wrong = ["", "-", "---", "-----", "---Z", "---x", "---\n", "----\n"];
            boards.extend([0, -1].map(|rows| dice(rows, None)));
            boards.push(Dice { half: true, ..dice(1, None) });
            boards.extend(wrong.map(|faces| dice(2, Some(faces.to_owned()))));
            boards.push(dice(0, Some(String::new())));
        }
        boards
    }

    fn changes(given: &Dice) -> Vec<DiceCall> {
        let Created::Board(board) = Game::create(given) else { return Vec::new() };
        let blank = Quixo::new(board.quixo.size());
        let turns =
            blank.iter().flat_map(|quixo| Symbol::BOTH.into_iter().flat_map(|symbol| quixo.turns(symbol)));
        turns.map(DiceCall::Play).collect()
    }

    fn questions(given: &Dice) -> Vec<DiceCall> {
        let last = usize::try_from(given.rows).unwrap_or(0).saturating_sub(1);
        [(0, 0), (0, last), (last, 0)].map(|(row, col)| DiceCall::Position(Pos::new(row, col))).to_vec()
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
}

fn name(Pos { row, col }: Pos) -> String {
    let column = char::from(b'A' + col.min(LARGEST - 1) as u8);
    format!("{column}{}", row + 1)
}
