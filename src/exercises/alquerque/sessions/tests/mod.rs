//! Sessions are allowed, the same for the same numbers, and find searches that are wrong.

mod finding;
mod players;

use super::positions::{self, MOST_LOOKED_AT, looked_at};
use super::session::{Judge, Search};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::alquerque::search::{sound_moves, winning_moves};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::{env, fs};

/// The moves that the oracle of a search accepts.
fn accepted(board: &Board, search: Search) -> Vec<Move> {
    let depth = NonZeroU32::new(search.depth).unwrap();
    let good = match search.judge {
        Judge::Sound => sound_moves(board, depth),
        Judge::Winning => winning_moves(board, depth),
    };
    if good.is_empty() { board.legal_moves() } else { good }
}

/// `KEUR_BLESS=1` looks for other positions first, which takes minutes even in a release build.
#[test]
fn remembered_positions_show_every_mistake_and_are_fair() {
    if env::var_os("KEUR_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/exercises/alquerque/sessions/positions.txt");
        assert!(env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
        fs::write(path, finding::found()).unwrap();
        return;
    }
    let mut mistakes: BTreeMap<&str, usize> = BTreeMap::new();
    for position in positions::all() {
        let mut board = Board::start();
        for step in &position.game {
            board.play(*step).unwrap();
        }
        let depth = position.search.depth;
        assert!(looked_at(&board, depth) <= MOST_LOOKED_AT, "{position:?}");
        let shown = finding::shown(&board, position.search);
        assert!(!shown.is_empty(), "{position:?}");
        for mistake in shown {
            *mistakes.entry(mistake).or_default() += 1;
        }
    }
    for (mistake, _) in players::wrong(6) {
        assert!(mistakes.get(mistake).is_some_and(|count| *count >= 10), "{mistake}: {mistakes:?}");
    }
}
