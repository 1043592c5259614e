//! Alquerque's endgame tables against a plain search, and the player that uses them.

use crate::exercises::alquerque::rules::{Board, Field, Outcome, Player};
use crate::exercises::alquerque::search::{Searcher, Tables, Worth};
use crate::exercises::score::Score;
use std::collections::HashMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Arc, LazyLock};

/// The most pieces in the tables of these tests: the usual number takes too long without optimisation.
const PIECES: u8 = if cfg!(debug_assertions) { 7 } else { Tables::USUAL };
const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

pub(crate) static TABLES: LazyLock<Arc<Tables>> =
    LazyLock::new(|| Arc::new(Tables::build(PIECES, TWO, &mut |_| {})));

/// The rounds of a test that takes minutes without optimisation: all of them in a release build, as `.ci/run` makes.
pub(crate) const fn rounds(all: usize) -> usize {
    if cfg!(debug_assertions) { all / 10 } else { all }
}

/// A small linear congruential generator: the positions are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    /// A position with so many pieces anywhere.
    pub(crate) fn arranged(&mut self, pieces: u8) -> Board {
        loop {
            let mut fields: Vec<Field> = Field::all().collect();
            let (mut white, mut black) = (Vec::new(), Vec::new());
            for _ in 0..pieces {
                let field = fields.swap_remove(self.below(fields.len()));
                if self.below(2) == 0 { white.push(field) } else { black.push(field) }
            }
            let to_move = if self.below(2) == 0 { Player::White } else { Player::Black };
            if let Ok(board) = Board::with_pieces(white, black, to_move) {
                return board;
            }
        }
    }

    /// The first position with so few pieces in a game of random moves.
    pub(crate) fn played(&mut self, pieces: u8) -> Board {
        loop {
            let mut board = Board::start();
            while count(&board) > pieces && board.outcome().is_none() {
                let moves = board.legal_moves();
                board.play(moves[self.below(moves.len())]).unwrap();
            }
            if count(&board) <= pieces {
                return board;
            }
        }
    }
}

fn count(board: &Board) -> u8 {
    (board.pieces_of(Player::White).count() + board.pieces_of(Player::Black).count()) as u8
}

/// The value by searching every game from here, with a memory of the results.
pub(crate) fn by_plain_search(board: &Board, seen: &mut HashMap<Board, Worth>) -> Worth {
    match board.outcome() {
        Some(Outcome::Win(_)) => return Worth::Loss,
        Some(Outcome::Draw) => return Worth::Draw,
        None => {}
    }
    if let Some(value) = seen.get(board) {
        return *value;
    }
    let values = board.legal_moves().into_iter().map(|next| {
        let mut after = *board;
        after.play(next).unwrap();
        by_plain_search(&after, seen).reversed()
    });
    let value = values.max().unwrap();
    seen.insert(*board, value);
    value
}

/// The board turned upside down with the colours exchanged, and left and right exchanged.
fn images(board: &Board) -> [Board; 2] {
    let turn = |field: Field| Field::new(26 - field.number()).unwrap();
    let mirror = |field: Field| {
        let (row, col) = ((field.number() - 1) / 5, (field.number() - 1) % 5);
        Field::new(5 * row + 5 - col).unwrap()
    };
    let (white, black) = (board.pieces_of(Player::White), board.pieces_of(Player::Black));
    let turned = Board::with_pieces(
        board.pieces_of(Player::Black).map(turn),
        board.pieces_of(Player::White).map(turn),
        board.to_move().opponent(),
    );
    [turned.unwrap(), Board::with_pieces(white.map(mirror), black.map(mirror), board.to_move()).unwrap()]
}

#[test]
fn the_tables_say_what_a_plain_search_finds() {
    let mut random = Random(8);
    let mut found = [0; 3];
    for round in 0..rounds(2_000) {
        let pieces = if round % 20 == 0 { 7 } else { 2 + (round % 5) as u8 };
        let board = random.arranged(pieces);
        let value = TABLES.value(&board).unwrap();
        assert_eq!(value, by_plain_search(&board, &mut HashMap::new()), "{board}\n{}", board.to_move());
        found[value as usize] += 1;
    }
    assert!(found.iter().all(|found| *found > rounds(2_000) / 40), "{found:?}");
}

#[test]
fn the_tables_hold_together_and_are_the_same_from_every_side() {
    let mut random = Random(14);
    for _ in 0..rounds(20_000) {
        let board = random.arranged(PIECES);
        let value = TABLES.value(&board).unwrap();
        for image in images(&board) {
            assert_eq!(TABLES.value(&image), Some(value), "{board}");
        }
        let best = board.legal_moves().into_iter().map(|next| {
            let mut after = board;
            after.play(next).unwrap();
            TABLES.value(&after).unwrap().reversed()
        });
        let over = if board.pieces_of(board.to_move()).next().is_none() { Worth::Loss } else { Worth::Draw };
        assert_eq!(best.max().unwrap_or(over), value, "{board}");
    }
    assert_eq!(TABLES.value(&Board::start()), None);
}

#[test]
fn one_thread_builds_what_two_build_and_bytes_bring_it_back() {
    let built = Tables::build(5, NonZeroUsize::MIN, &mut |_| {});
    let read = Tables::from_bytes(Tables::build(5, TWO, &mut |_| {}).as_bytes().to_vec()).unwrap();
    assert_eq!(built.as_bytes(), read.as_bytes());
    let board = Random(5).arranged(5);
    assert_eq!(read.value(&board), built.value(&board));
}

/// Whether the player to move in `board` wins, with the engine against `defence`.
fn plays_to_the_end(mut board: Board, engine: &mut Searcher, mut defence: impl FnMut(&Board) -> usize) {
    let (winner, start) = (board.to_move(), board);
    let mut nearest = None;
    while board.outcome().is_none() {
        let next = if board.to_move() == winner {
            let found = engine.search(&board, NonZeroU32::new(6).unwrap(), &mut || false).unwrap();
            let Score::Win(away) = found.score else { panic!("{start}\n{found:?}") };
            // A win in sight gets nearer with every move, whatever the defence.
            if let (Some(nearest), Some(away)) = (nearest, away) {
                assert!(away <= nearest - 2, "{start}\n{found:?}");
            }
            nearest = away.or(nearest.map(|nearest: u32| nearest - 2));
            found.best
        } else {
            board.legal_moves()[defence(&board)]
        };
        board.play(next).unwrap();
    }
    assert_eq!(board.outcome(), Some(Outcome::Win(winner)), "{start}");
}

#[test]
fn a_won_endgame_is_won_against_random_and_best_defences() {
    let mut random = Random(21);
    let mut engine = Searcher::new(1 << 22, Some(Arc::clone(&TABLES)));
    let mut defender = Searcher::new(1 << 22, Some(Arc::clone(&TABLES)));
    let mut won = 0;
    while won < rounds(150) {
        let board = if won % 2 == 0 { random.arranged(PIECES) } else { random.played(PIECES) };
        if TABLES.value(&board) != Some(Worth::Win) {
            continue;
        }
        won += 1;
        plays_to_the_end(board, &mut engine, |board| random.below(board.legal_moves().len()));
        plays_to_the_end(board, &mut engine, |board| {
            let best = defender.search(board, NonZeroU32::new(7).unwrap(), &mut || false).unwrap().best;
            board.legal_moves().iter().position(|next| *next == best).unwrap()
        });
    }
}

#[test]
fn with_tables_every_move_keeps_what_can_be_had() {
    let mut random = Random(34);
    let mut engine = Searcher::new(1 << 22, Some(Arc::clone(&TABLES)));
    for round in 0..rounds(2_000) {
        let board = random.arranged(2 + (round % (usize::from(PIECES) - 1)) as u8);
        let Some(found) =
            engine.search(&board, NonZeroU32::new(1 + round as u32 % 4).unwrap(), &mut || false)
        else {
            continue;
        };
        let mut after = board;
        after.play(found.best).unwrap();
        let value = TABLES.value(&board).unwrap();
        assert_eq!(TABLES.value(&after).unwrap().reversed(), value, "{board}");
        let said = match found.score {
            Score::Win(_) => Worth::Win,
            Score::Draw => Worth::Draw,
            Score::Loss(_) => Worth::Loss,
            Score::Estimate(_) => panic!("{board}\n{found:?}"),
        };
        assert_eq!(said, value, "{board}");
    }
}
