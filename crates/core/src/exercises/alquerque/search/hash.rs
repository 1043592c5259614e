//! A hash for each position, updated move by move, for lookup in a [`Memory`](super::memory::Memory).
//!
//! This is Zobrist hashing: each piece on each field has a random number, and the position's is the exclusive or of
//! all. A move changes two or three of them. Two positions may share a hash; a memory therefore compares whole
//! positions.

use crate::exercises::alquerque::rules::board::{Field, Player};
use crate::exercises::alquerque::rules::moves::{Mover, Sides, Step};
use crate::value::random::numbered;

/// The index in a row of [`PIECES`] for no field: the trailing zeros of an empty mask.
const NO_FIELD: usize = u32::BITS as usize;
/// The numbers of white's and of black's pieces, by field.
const PIECES: [[u64; NO_FIELD + 1]; 2] = [numbers(1), numbers(1 + Field::COUNT as u64)];
/// The number of a position in which black is to move.
const BLACK_TO_MOVE: u64 = numbered(0);

/// A position as the player to move sees it, with its hash.
#[derive(Clone, Copy)]
pub(super) struct HashedPosition {
    pub(super) sides: Sides,
    pub(super) hash: u64,
}

impl HashedPosition {
    /// The position with `M` to move, its hash computed from all pieces.
    pub(super) fn new<M: Mover>(sides: Sides) -> HashedPosition {
        let turn = match M::PLAYER {
            Player::White => 0,
            Player::Black => BLACK_TO_MOVE,
        };
        let hash = turn ^ all_pieces(M::PLAYER, sides.mine) ^ all_pieces(M::PLAYER.opponent(), sides.theirs);
        HashedPosition { sides, hash }
    }

    /// The position after `M`'s `step`, as the opponent sees it.
    #[inline(always)]
    pub(super) fn after<M: Mover>(self, step: Step) -> HashedPosition {
        let hash = self.hash
            ^ BLACK_TO_MOVE
            ^ piece(M::PLAYER, step.source)
            ^ piece(M::PLAYER, step.target)
            ^ piece(M::PLAYER.opponent(), step.captured);
        HashedPosition { sides: self.sides.after(step), hash }
    }
}

/// The number of a player's piece on the one field of `mask`; 0 for none.
#[inline(always)]
fn piece(player: Player, mask: u32) -> u64 {
    PIECES[player as usize][mask.trailing_zeros() as usize]
}

fn all_pieces(player: Player, mask: u32) -> u64 {
    let fields = Field::all().filter(|field| field.bit() & mask != 0);
    fields.fold(0, |sum, field| sum ^ piece(player, field.bit()))
}

const fn numbers(first: u64) -> [u64; NO_FIELD + 1] {
    let mut numbers = [0; NO_FIELD + 1];
    let mut field = 0;
    while field < Field::COUNT as usize {
        numbers[field] = numbered(first + field as u64);
        field += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::HashedPosition;
    use crate::exercises::alquerque::rules::board::Board;
    use crate::exercises::alquerque::rules::moves::{Black, Mover, White, for_each_move};

    /// Checks that every line of `depth` moves gives the hash of its last position.
    fn check<M: Mover>(node: HashedPosition, depth: u32) {
        assert_eq!(node.hash, HashedPosition::new::<M>(node.sides).hash);
        if depth > 0 {
            for_each_move::<M>(node.sides, |step| check::<M::Opponent>(node.after::<M>(step), depth - 1));
        }
    }

    #[test]
    fn a_number_kept_up_is_the_number_summed_again() {
        let start = Board::start().sides();
        check::<White>(HashedPosition::new::<White>(start), 6);
        check::<Black>(HashedPosition::new::<Black>(start), 6);
        assert_ne!(HashedPosition::new::<White>(start).hash, HashedPosition::new::<Black>(start).hash);
    }
}
