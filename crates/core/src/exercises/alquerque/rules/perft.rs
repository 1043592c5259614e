//! Counts games, the usual check of a move generator.

use super::board::{Board, Player};
use super::moves::{Black, Mover, Sides, White, count_moves, for_each_move};

/// How [`perft`] treats the last move of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Plays it, like every other move.
    Played,
    /// Only counts it, which is several times as fast.
    Counted,
}

/// The number of games of exactly `depth` moves from `board`.
pub fn perft(board: &Board, depth: u32, leaves: Leaves) -> u64 {
    match board.to_move() {
        Player::White => games::<White>(board.sides(), depth, leaves),
        Player::Black => games::<Black>(board.sides(), depth, leaves),
    }
}

fn games<M: Mover>(sides: Sides, depth: u32, leaves: Leaves) -> u64 {
    match (depth, leaves) {
        (0, _) => 1,
        (1, Leaves::Counted) => u64::from(count_moves::<M>(sides)),
        (_, Leaves::Played | Leaves::Counted) => {
            let mut count = 0;
            for_each_move::<M>(sides, |step| {
                count += games::<M::Opponent>(sides.after(step), depth - 1, leaves)
            });
            count
        }
    }
}
