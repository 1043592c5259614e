//! Alquerque's proof-number search against a plain search and the endgame tables.

use super::endgames::{Random, TABLES, by_plain_search, rounds};
use crate::exercises::alquerque::rules::{Board, Player};
use crate::exercises::alquerque::search::{Tables, Worth, can_force_win};
use std::collections::HashMap;
use std::num::NonZeroUsize;

/// So little memory that these proofs forget results, and must find them again.
const LITTLE_MEMORY: usize = 1 << 12;
const MEMORY: usize = 1 << 22;
/// A fixed set of boards, and the positions searched to prove them: a change of a quarter needs a reason.
const BOARDS: usize = rounds(20);
const POSITIONS: u64 = if cfg!(debug_assertions) { 52_000 } else { 2_700_000 };

/// The value of `board` to the player to move, by the answers to both questions.
fn proven(board: &Board, memory: usize, tables: Option<&Tables>) -> Worth {
    let can = |player: Player| can_force_win(board, player, memory, tables, &mut |_| {}).forced;
    match (can(board.to_move()), can(board.to_move().opponent())) {
        (true, false) => Worth::Win,
        (false, false) => Worth::Draw,
        (false, true) => Worth::Loss,
        (true, true) => panic!("both players can force a win\n{board}"),
    }
}

#[test]
fn a_proof_without_tables_says_what_a_plain_search_finds() {
    let mut random = Random(55);
    let mut found = [0; 3];
    for round in 0..rounds(600) {
        let board = random.arranged(2 + (round % 5) as u8);
        let memory = if round % 2 == 0 { MEMORY } else { LITTLE_MEMORY };
        let value = proven(&board, memory, None);
        assert_eq!(value, by_plain_search(&board, &mut HashMap::new()), "{board}\n{}", board.to_move());
        found[value as usize] += 1;
    }
    assert!(found.iter().all(|found| *found > rounds(600) / 30), "{found:?}");
}

#[test]
fn a_proof_says_what_the_tables_know_with_smaller_tables_and_without() {
    let small = Tables::build(4, NonZeroUsize::MIN, &mut |_| {});
    let mut random = Random(89);
    for round in 0..rounds(200) {
        let pieces = TABLES.pieces();
        let board = if round % 2 == 0 { random.arranged(pieces) } else { random.played(pieces) };
        let known = TABLES.value(&board).expect("as few pieces as the tables reach to");
        assert_eq!(proven(&board, MEMORY, Some(&small)), known, "{board}\n{}", board.to_move());
        assert_eq!(proven(&board, MEMORY, None), known, "{board}\n{}", board.to_move());
        assert_eq!(proven(&board, MEMORY, Some(&TABLES)), known, "{board}\n{}", board.to_move());
    }
}

/// Wrong limits cost time, not correctness.
#[test]
fn proofs_cost_what_they_did() {
    let mut random = Random(233);
    let mut positions = 0;
    for _ in 0..BOARDS {
        let board = random.played(12);
        for player in [Player::White, Player::Black] {
            positions += can_force_win(&board, player, MEMORY, None, &mut |_| {}).positions;
        }
    }
    assert!(positions.abs_diff(POSITIONS) < POSITIONS / 4, "{positions}");
}

#[test]
fn a_proof_beyond_the_tables_says_what_it_says_without_them() {
    let mut random = Random(144);
    for _ in 0..rounds(40) {
        let board = random.played(TABLES.pieces() + 2);
        let value = proven(&board, MEMORY, Some(&TABLES));
        assert_eq!(value, proven(&board, MEMORY, None), "{board}\n{}", board.to_move());
    }
}
