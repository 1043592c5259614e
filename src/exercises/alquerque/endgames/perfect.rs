//! Perfect play of Alquerque, by the endgame tables.

use super::Cache;
use crate::exercises::alquerque::rules::{Board, Move, Player};
use crate::exercises::alquerque::search::{Tables, perfect_moves};
use std::sync::LazyLock;

/// The pieces of endgames whose tables are computed in less than a second.
const FEW_PIECES: u8 = 6;

static FEW: LazyLock<Tables> = LazyLock::new(|| kept(FEW_PIECES));
static USUAL: LazyLock<Tables> = LazyLock::new(|| kept(Tables::USUAL));

/// Prepares the tables.
pub(in crate::exercises::alquerque) fn ready() {
    LazyLock::force(&FEW);
    LazyLock::force(&USUAL);
}

/// The moves that keep the value of the position; empty if no tables cover it.
pub(in crate::exercises::alquerque) fn moves(board: &Board) -> Vec<Move> {
    endgames(board).and_then(|tables| perfect_moves(board, tables)).unwrap_or_default()
}

/// The tables that cover the position, if any do.
///
/// The first question about up to six pieces costs less than a second, and about more some seconds, once for each
/// user: they are kept in the cache folder. Read or computed, their answers are the same on every machine.
fn endgames(board: &Board) -> Option<&'static Tables> {
    let pieces: usize =
        [Player::White, Player::Black].iter().map(|player| board.pieces_of(*player).count()).sum();
    if pieces <= usize::from(FEW_PIECES) {
        Some(&FEW)
    } else {
        (pieces <= usize::from(Tables::USUAL)).then(|| &*USUAL)
    }
}

fn kept(pieces: u8) -> Tables {
    Cache::of_user().tables(pieces, &mut |_| {}).tables
}
