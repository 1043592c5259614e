//! The computer in games of two players: minimax with alpha-beta and iterative deepening.
//!
//! A game needs only [`Searchable`]. The value is that of plain minimax, and of several best moves the first
//! candidate is chosen: the rest only skips what cannot change them.

use super::playable::{Level, Move, Thought};
use super::score::Score;
use crate::sandbox::clock::Instant;
use std::num::NonZeroU32;

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

    /// The cells that are looked at one by one to value it, to which the time for that is proportional.
    fn cells(&self) -> usize;

    /// The move as players write it.
    fn named(chosen: Self::Move) -> Move;
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The best move.
    pub best: M,
    /// The moves that it expects, the best one first.
    pub line: Vec<M>,
    /// The value to the side that makes the move: an estimate, or that of the end of the game that the move
    /// forces.
    pub value: i32,
    /// The same, as a score.
    pub score: Score,
    /// The changes of turn that it looked ahead in full. They may be fewer than requested, if more cannot
    /// change the value.
    pub depth: u32,
    /// The positions visited, including those of an unfinished depth.
    pub positions: usize,
}

/// The value of a win by 1 at once; each move until then takes one off.
pub(super) const WON: i32 = 1_000_000;
/// More than the moves of any game: what winning by one more adds.
const STEP: i32 = 1_000;
/// The least value of a win.
const LEAST_WIN: i32 = WON - STEP;
/// More than any value.
const INFINITE: i32 = i32::MAX;
/// The cells at which a search with a depth looks, so that it ends well within a second on every board.
const MOST_CELLS: usize = 1_000_000;
/// The moves that a search looks ahead if only its time is limited.
const DEEPEST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
/// The positions between two checks of `stop`.
const PATIENCE: usize = 1 << 8;

/// The move for the side to move, found within `level` or until `stop`; `None` when the game is over.
///
/// Without a limit of time the result is the same each time.
pub(super) fn think<P: Searchable>(position: &P, level: Level, stop: &dyn Fn() -> bool) -> Option<Thought> {
    let begun = Instant::now();
    let stop = || stop() || level.time.is_some_and(|time| begun.elapsed() >= time);
    let most = if level.depth.is_some() { MOST_CELLS / position.cells() } else { usize::MAX };
    let found = search(position, level.depth.unwrap_or(DEEPEST), most, &stop)?;
    Some(Thought {
        best: P::named(found.best),
        line: found.line.into_iter().map(P::named).collect(),
        said: found.score.said(found.depth),
        score: Some(found.score),
    })
}

/// The best move, looking `deepest` changes of turn ahead, or as far as it sees within `most` positions or
/// until `stop`; `None` when the game is over. One change of turn is always looked ahead.
pub(super) fn search<P: Searchable>(
    position: &P,
    deepest: NonZeroU32,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Option<SearchResult<P::Move>> {
    if position.lead().is_some() {
        return None;
    }
    let mut search = AlphaBeta { stop, positions: 0, most, may_stop: false, estimated: false };
    let mut found: Option<SearchResult<P::Move>> = None;
    for depth in 1..=deepest.get() {
        search.estimated = false;
        let first = found.as_ref().map(|found| found.best);
        let Some(Valued { value, line }) = search.root(position, depth, first) else { break };
        let score = score(value, search.estimated);
        found = Some(SearchResult { best: *line.first()?, line, value, score, depth, positions: 0 });
        if !matches!(score, Score::Estimate(_)) {
            break;
        }
        search.may_stop = true;
    }
    found.map(|found| SearchResult { positions: search.positions, ..found })
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
    /// Whether a move is found already.
    may_stop: bool,
    /// Whether some value at this depth is an estimate.
    estimated: bool,
}

/// A value, and the moves that lead to it.
struct Valued<M> {
    value: i32,
    line: Vec<M>,
}

impl<M> Valued<M> {
    /// The value with this move before the others.
    fn after(self, chosen: M) -> Valued<M> {
        let line = std::iter::once(chosen).chain(self.line).collect();
        Valued { value: self.value, line }
    }
}

impl AlphaBeta<'_> {
    /// The value of the first of the best candidates, and the moves that it expects; `None` if the search has
    /// to stop.
    ///
    /// The move `first` is tried first.
    fn root<P: Searchable>(
        &mut self,
        position: &P,
        depth: u32,
        first: Option<P::Move>,
    ) -> Option<Valued<P::Move>> {
        let mut best = Valued { value: -INFINITE, line: Vec::new() };
        let mut best_place = 0;
        for Tried { place, chosen, next } in ordered(position, depth, first) {
            // A move before the best so far is chosen if it is equally good.
            let alpha = best.value - i32::from(place < best_place);
            let found = self.after(position, &next, depth, 0, (alpha, INFINITE))?;
            if found.value > alpha {
                best = found.after(chosen);
                best_place = place;
            }
        }
        Some(best)
    }

    /// The value of `position` to the side to move, and the moves that it expects; `None` if the search has
    /// to stop.
    ///
    /// `depth` more changes of turn are looked ahead, `ply` moves below the root.
    fn value<P: Searchable>(
        &mut self,
        position: &P,
        depth: u32,
        ply: i32,
        (mut alpha, beta): (i32, i32),
    ) -> Option<Valued<P::Move>> {
        self.positions += 1;
        let checks = self.positions.is_multiple_of(PATIENCE);
        if self.may_stop && (self.positions > self.most || (checks && (self.stop)())) {
            return None;
        }
        if let Some(lead) = position.lead() {
            let value = WON + (lead.abs() - 1) * STEP - ply;
            return Some(Valued { value: value * lead.signum(), line: Vec::new() });
        }
        if depth == 0 {
            self.estimated = true;
            return Some(Valued { value: position.estimate(), line: Vec::new() });
        }
        let mut best = Valued { value: -INFINITE, line: Vec::new() };
        for Tried { chosen, next, .. } in ordered(position, depth, None) {
            let found = self.after(position, &next, depth, ply, (alpha, beta))?;
            if found.value > best.value {
                best = found.after(chosen);
            }
            alpha = alpha.max(best.value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The value of `next`, which follows `position`, to the side that moves at `position`.
    fn after<P: Searchable>(
        &mut self,
        position: &P,
        next: &P,
        depth: u32,
        ply: i32,
        (alpha, beta): (i32, i32),
    ) -> Option<Valued<P::Move>> {
        if next.side() == position.side() {
            return self.value(next, depth, ply + 1, (alpha, beta));
        }
        let found = self.value(next, depth - 1, ply + 1, (-beta, -alpha))?;
        Some(Valued { value: -found.value, line: found.line })
    }
}

/// A candidate, and the state after it.
struct Tried<P: Searchable> {
    /// The place among the candidates.
    place: usize,
    chosen: P::Move,
    next: P,
}

/// The candidates, the most promising first; `first` before all others.
fn ordered<P: Searchable>(position: &P, depth: u32, first: Option<P::Move>) -> Vec<Tried<P>> {
    let after = |(place, chosen)| {
        let mut next = position.clone();
        next.make(chosen);
        Tried { place, chosen, next }
    };
    let mut moves: Vec<Tried<P>> = position.candidates().into_iter().enumerate().map(after).collect();
    // At the last depth, comparing estimates is all there is to do.
    if depth > 1 {
        moves.sort_by_cached_key(|Tried { chosen, next, .. }| {
            let estimate = next.lead().map_or_else(|| next.estimate(), |lead| lead.signum() * WON);
            let gain = if next.side() == position.side() { -estimate } else { estimate };
            (first != Some(*chosen), gain)
        });
    }
    moves
}
