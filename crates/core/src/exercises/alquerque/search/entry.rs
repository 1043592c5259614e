//! What the automatic player remembers of a position, in one word of memory.

use super::evaluate::SEEN;
use super::memory::HIGHEST_RANK;
use crate::exercises::alquerque::rules::board::Field;

/// Means no move, if a move is given by its source and target.
pub(super) const NONE_REMEMBERED: u32 = 0;
/// The last number of a search, which distinguishes its entries from those of earlier searches.
pub(super) const LAST_GENERATION: u64 = HIGHEST_RANK >> DEPTH_BITS;

const VALUE_BITS: u32 = 24;
const DEPTH_BITS: u32 = 8;
/// Added to a value, so that it is not negative.
const VALUE_OFFSET: i32 = 1 << (VALUE_BITS - 1);

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    pub(super) value: i32,
    /// How many moves it looked ahead.
    pub(super) depth: u32,
    /// The source and target of the best move, as a mask.
    pub(super) best: u32,
    pub(super) bound: Bound,
    /// Whether the value is the same at every greater depth.
    pub(super) settled: bool,
}

/// How a value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// The kind of bound if a search between `alpha` and `beta` found `value`.
    pub(super) const fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::AtLeast
        } else if value <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }

    /// Whether `value` is a win or a loss whose end was seen: every greater depth sees it too.
    pub(super) fn proves_end(self, value: i32) -> bool {
        (value >= SEEN && self != Bound::AtMost) || (value <= -SEEN && self != Bound::AtLeast)
    }
}

impl TableEntry {
    /// Whether the value can be used for a search `depth` moves ahead, between `alpha` and `beta`.
    #[inline(always)]
    pub(super) fn answers(&self, depth: u32, alpha: i32, beta: i32) -> bool {
        let as_deep = self.depth == depth || (self.settled && self.depth < depth);
        as_deep
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= beta,
                Bound::AtMost => self.value <= alpha,
            }
    }

    /// The priority for keeping it: entries of the last search first, then those with greater depth.
    #[inline(always)]
    pub(super) fn rank(&self, generation: u64) -> u64 {
        generation << DEPTH_BITS | u64::from(self.depth)
    }

    /// The entry as one word; the end of the game is counted from the position, `ply` moves below the root.
    #[inline(always)]
    pub(super) fn pack(&self, ply: u32) -> u64 {
        let value = (self.value + from_here(self.value, ply) + VALUE_OFFSET) as u64;
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
        };
        let words = [
            (u64::from(self.best), u32::from(Field::COUNT)),
            (value, VALUE_BITS),
            (u64::from(self.depth), DEPTH_BITS),
            (bound, 2),
            (u64::from(self.settled), 1),
        ];
        words.into_iter().rev().fold(0, |packed, (word, bits)| packed << bits | word)
    }

    /// Reverses [`TableEntry::pack`]; the end of the game is counted from the root, `ply` moves above the position.
    #[inline(always)]
    pub(super) fn unpack(mut packed: u64, ply: u32) -> TableEntry {
        let mut take = |bits: u32| {
            let word = packed & ((1 << bits) - 1);
            packed >>= bits;
            word
        };
        let best = take(u32::from(Field::COUNT)) as u32;
        let value = take(VALUE_BITS) as i32 - VALUE_OFFSET;
        let depth = take(DEPTH_BITS) as u32;
        let bound = match take(2) {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        TableEntry { value: value - from_here(value, ply), depth, best, bound, settled: take(1) == 1 }
    }
}

/// How much a value of a game's end grows, away from zero, if counted from a position `ply` moves nearer to it.
const fn from_here(value: i32, ply: u32) -> i32 {
    if value >= SEEN {
        ply as i32
    } else if value <= -SEEN {
        -(ply as i32)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluate::WON;
    use super::{Bound, TableEntry};

    #[test]
    fn an_entry_survives_packing_and_counts_the_end_from_where_it_is_read() {
        for (value, nearer) in [(0, 0), (-37, -37), (WON - 9, WON - 7), (12 - WON, 10 - WON)] {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                let entry = TableEntry { value, depth: 172, best: 1 << 24 | 1, bound, settled: value != 0 };
                assert_eq!(TableEntry::unpack(entry.pack(5), 5), entry);
                assert_eq!(TableEntry::unpack(entry.pack(5), 3), TableEntry { value: nearer, ..entry });
            }
        }
    }

    #[test]
    fn an_entry_answers_only_at_its_depth_unless_it_is_settled() {
        let entry = TableEntry { value: 10, depth: 4, best: 0, bound: Bound::AtLeast, settled: false };
        assert!(entry.answers(4, 9, 10));
        assert!(!entry.answers(4, 10, 11) && !entry.answers(5, 9, 10) && !entry.answers(3, 9, 10));
        let settled = TableEntry { settled: true, ..entry };
        assert!(settled.answers(5, 9, 10) && !settled.answers(3, 9, 10));
    }
}
