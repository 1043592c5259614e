//! The order in which a search tries moves: the likely best first, so that alpha-beta prunes most.
//!
//! First the move that was best in an earlier search of the position, then captures, then plain moves that refuted
//! another line at the same distance from the root, then the others by how often each was a refutation.

use crate::exercises::alquerque::rules::board::{Field, Player};
use crate::exercises::alquerque::rules::moves::{Mover, Sides, Step, for_each_move};

const REMEMBERED: u32 = u32::MAX;
const CAPTURE: u32 = 1 << 30;
const REFUTED: u32 = 1 << 29;
/// Counts of refutations are halved when one reaches this.
const MOST: u32 = 1 << 28;
const FIELDS: usize = Field::COUNT as usize;

/// A move with its rank: the highest comes first.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) step: Step,
    rank: u32,
}

/// What a search has learnt about moves, whatever the position.
pub(super) struct MoveOrder {
    /// By distance from the root: the last two plain moves that refuted a line there.
    refuters: Vec<[Option<Step>; 2]>,
    /// By player, source and target: how much a plain move refuted.
    history: Box<[[[u32; FIELDS]; FIELDS]; 2]>,
}

impl MoveOrder {
    /// An empty order, for searches of at most `deepest` moves.
    pub(super) fn new(deepest: u32) -> MoveOrder {
        MoveOrder {
            refuters: vec![[None; 2]; deepest as usize + 1],
            history: Box::new([[[0; FIELDS]; FIELDS]; 2]),
        }
    }

    /// Pushes the legal moves, with their ranks, onto `moves`; the move between the fields of `best` ranks highest.
    #[inline(always)]
    pub(super) fn push<M: Mover>(&self, sides: Sides, ply: u32, best: u32, moves: &mut Vec<Ranked>) {
        let refuters = self.refuters[ply as usize];
        let history = &self.history[M::PLAYER as usize];
        for_each_move::<M>(sides, |step| {
            let rank = if step.between() == best {
                REMEMBERED
            } else if step.captured != 0 {
                CAPTURE
            } else if refuters.contains(&Some(step)) {
                REFUTED
            } else {
                history[index(step.source)][index(step.target)]
            };
            moves.push(Ranked { step, rank });
        });
    }

    /// Records that a move of `player` refuted a line: it cut off a search of `depth` moves, `ply` below the root.
    pub(super) fn refuted(&mut self, player: Player, step: Step, depth: u32, ply: u32) {
        if step.captured != 0 {
            return;
        }
        let refuters = &mut self.refuters[ply as usize];
        if refuters[0] != Some(step) {
            *refuters = [Some(step), refuters[0]];
        }
        let count = &mut self.history[player as usize][index(step.source)][index(step.target)];
        *count += depth * depth;
        if *count >= MOST {
            self.history.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// Moves the highest-ranked move from `from` on to the front.
#[inline(always)]
pub(super) fn bring_next(moves: &mut [Ranked], from: usize) -> Step {
    let mut next = from;
    for candidate in from + 1..moves.len() {
        if moves[candidate].rank > moves[next].rank {
            next = candidate;
        }
    }
    moves.swap(from, next);
    moves[from].step
}

#[inline(always)]
fn index(mask: u32) -> usize {
    mask.trailing_zeros() as usize
}
