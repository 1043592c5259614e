//! A plain search for games of two players: minimax with alpha-beta and iterative deepening.
//!
//! A game needs only [`Searchable`]. Alquerque has a stronger engine of its own.

use super::playable::{Level, Move, Thought};
use super::score::Score;
use std::time::Instant;

/// A state of a game of two players.
pub(super) trait Searchable: Clone {
    /// A legal move.
    type Move: Copy + PartialEq;

    /// The moves worth a try, at least one until the game is over.
    fn candidates(&self) -> Vec<Self::Move>;

    /// Makes one of them.
    fn make(&mut self, chosen: Self::Move);

    /// The side to move. After some moves it is the same again.
    fn side(&self) -> usize;

    /// By how much the side to move has won, or lost if negative; `None` until the game is over.
    fn lead(&self) -> Option<i32>;

    /// The value to the side to move without looking ahead, as in [`Score::Estimate`].
    fn estimate(&self) -> i32;

    /// The number of cells, to which the time for looking at it is proportional.
    fn cells(&self) -> usize;

    /// The move as players write it.
    fn named(chosen: Self::Move) -> Move;
}

/// The value of a win by 1 at once; each move until then takes one off.
const WON: i32 = 1_000_000;
/// More than the moves of any game: what winning by one more adds.
const STEP: i32 = 1_000;
/// The least value of a win.
const LEAST_WIN: i32 = WON - STEP;
/// More than any value.
const INFINITE: i32 = i32::MAX;
/// The cells at which a search with a depth looks, so that it ends well within a second on every board.
const MOST_CELLS: usize = 1_000_000;
/// The moves that a search looks ahead if only its time is limited.
const DEEPEST: u32 = 30;
/// The positions between two checks of `stop`.
const PATIENCE: usize = 1 << 8;

/// The move for the side to move, found within `level` or until `stop`; `None` when the game is over.
///
/// Without a limit of time the result is the same each time.
pub(super) fn think<P: Searchable>(position: &P, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
    let begun = Instant::now();
    let stop = || stop() || level.time.is_some_and(|time| begun.elapsed() >= time);
    let mut search = AlphaBeta {
        stop: &stop,
        positions: 0,
        most: if level.depth.is_some() { MOST_CELLS / position.cells() } else { usize::MAX },
        // A move is found in any case.
        may_stop: false,
        estimated: false,
    };
    let deepest = level.depth.map_or(DEEPEST, std::num::NonZeroU32::get);
    let mut found: Option<(i32, Vec<P::Move>, u32)> = None;
    for depth in 1..=deepest {
        search.estimated = false;
        let first = found.as_ref().and_then(|(_, line, _)| line.first().copied());
        let Some((value, line)) = search.value(position, depth, 0, (-INFINITE, INFINITE), first) else {
            break;
        };
        found = Some((value, line, depth));
        if !search.estimated || value.abs() >= LEAST_WIN {
            break;
        }
        search.may_stop = true;
    }
    let (value, line, depth) = found?;
    let line: Vec<Move> = line.into_iter().map(P::named).collect();
    let score = score(value, search.estimated);
    Some(Thought { best: line.first()?.clone(), line, said: score.said(depth), score: Some(score) })
}

fn score(value: i32, estimated: bool) -> Score {
    let away = ((STEP - value.abs() % STEP) % STEP).unsigned_abs();
    if value >= LEAST_WIN {
        Score::Win(away)
    } else if value <= -LEAST_WIN {
        Score::Loss(away)
    } else if estimated {
        Score::Estimate(value)
    } else {
        Score::Draw
    }
}

struct AlphaBeta<'a> {
    stop: &'a dyn Fn() -> bool,
    /// The positions so far, and how many there may be.
    positions: usize,
    most: usize,
    may_stop: bool,
    /// Whether some value at this depth is an estimate.
    estimated: bool,
}

impl AlphaBeta<'_> {
    /// The value of `position` to the side to move, and the moves that it expects; `None` if the search has to stop.
    ///
    /// `depth` more changes of turn are looked ahead, `ply` moves below the root. The move `first` is tried first.
    fn value<P: Searchable>(
        &mut self,
        position: &P,
        depth: u32,
        ply: i32,
        (mut alpha, beta): (i32, i32),
        first: Option<P::Move>,
    ) -> Option<(i32, Vec<P::Move>)> {
        self.positions += 1;
        let checks = self.positions.is_multiple_of(PATIENCE);
        if self.may_stop && (self.positions > self.most || (checks && (self.stop)())) {
            return None;
        }
        if let Some(lead) = position.lead() {
            let value = WON + (lead.abs() - 1) * STEP - ply;
            return Some((value * lead.signum(), Vec::new()));
        }
        if depth == 0 {
            self.estimated = true;
            return Some((position.estimate(), Vec::new()));
        }
        let (mut best, mut line) = (-INFINITE, Vec::new());
        for (chosen, next) in ordered(position, depth, first) {
            let (value, rest) = if next.side() == position.side() {
                self.value(&next, depth, ply + 1, (alpha, beta), None)?
            } else {
                let (value, rest) = self.value(&next, depth - 1, ply + 1, (-beta, -alpha), None)?;
                (-value, rest)
            };
            if value > best {
                best = value;
                line = std::iter::once(chosen).chain(rest).collect();
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some((best, line))
    }
}

/// The candidates with the states after them, the most promising first; `first` before all others.
fn ordered<P: Searchable>(position: &P, depth: u32, first: Option<P::Move>) -> Vec<(P::Move, P)> {
    let after = |chosen| {
        let mut next = position.clone();
        next.make(chosen);
        (chosen, next)
    };
    let mut moves: Vec<(P::Move, P)> = position.candidates().into_iter().map(after).collect();
    // At the last depth, comparing estimates is all there is to do.
    if depth > 1 {
        moves.sort_by_cached_key(|(chosen, next)| {
            let estimate = next.lead().map_or_else(|| next.estimate(), |lead| lead.signum() * WON);
            let gain = if next.side() == position.side() { -estimate } else { estimate };
            (first != Some(*chosen), gain)
        });
    }
    moves
}
