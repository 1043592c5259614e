//! The positions of the first moves of all games, each with its shortest game.

use crate::exercises::alquerque::rules::{Board, Move};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The moves of the longest game: few thousand positions.
const MOVES: usize = 7;

/// A position and how it came about.
#[derive(Clone, Copy)]
pub(super) struct Early {
    pub(super) board: Board,
    /// The moves played.
    pub(super) moves: usize,
    /// The position before, as an index, and the move that led here.
    last: Option<(usize, Move)>,
}

/// Every position of the first moves, those of shorter games first.
pub(super) fn positions() -> &'static [Early] {
    static POSITIONS: OnceLock<Vec<Early>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let mut found = vec![Early { board: Board::start(), moves: 0, last: None }];
        let mut seen = HashSet::from([Board::start()]);
        let mut next = 0;
        while let Some(from) = found.get(next).copied()
            && from.moves < MOVES
        {
            for step in from.board.legal_moves() {
                let mut board = from.board;
                if board.play(step).is_ok() && seen.insert(board) {
                    found.push(Early { board, moves: from.moves + 1, last: Some((next, step)) });
                }
            }
            next += 1;
        }
        found
    })
}

/// The moves from the start to one of [`positions`].
pub(super) fn game(to: &Early) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::with_capacity(to.moves);
    let mut at = *to;
    while let Some((before, step)) = at.last {
        moves.push(step);
        at = positions()[before];
    }
    moves.reverse();
    moves
}
