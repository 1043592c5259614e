//! The automatic player: minimax with alpha-beta and iterative deepening.
//!
//! The tree is the course's: the position to move from is its root, a max node; the leaves are `depth` moves below,
//! valued by `evaluate`. Everything else here only skips what cannot change the root's value, so
//! that the value is plain minimax's; of several best moves the first in the generator's order is chosen.
//!
//! What is skipped, and why that is sound:
//! - moves that alpha-beta refutes; each is first only tested for being better than the best so far;
//! - positions already searched to the same depth, or with a *settled* value: one that depends on no estimated leaf,
//!   and is therefore the same at every greater depth. No position repeats within a game, so a value never depends on
//!   earlier moves;
//! - depths greater than the one at which the root's value is settled.

use super::entry::{Bound, LAST_GENERATION, NONE_REMEMBERED, TableEntry};
use super::evaluate::{DRAWN, SEEN, WON, judged};
use super::hash::HashedPosition;
use super::memory::Memory;
use super::order::{MoveOrder, Ranked, bring_next};
use crate::exercises::alquerque::rules::board::{Board, Move, Player};
use crate::exercises::alquerque::rules::moves::{Black, Mover, Step, White};
use crate::exercises::score::Score;
use std::num::NonZeroU32;

/// The most moves of a game.
///
/// 25 pieces go at most four rows forward, and each of 24 captures may take a piece two rows back.
const LONGEST_GAME: u32 = 25 * 4 + 24 * (1 + 2);
/// More than every value.
const INFINITE: i32 = WON + 1;
/// Positions between two checks of `stop`: well under a millisecond.
const PATIENCE: u64 = 1 << 10;
/// Memory of a search to a fixed depth, in bytes; it is forgotten afterwards.
const SMALL_MEMORY: usize = 1 << 22;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: Move,
    /// Its value to the player who makes it.
    ///
    /// It is measured by `evaluate`, or is that of the end of the game it forces.
    pub value: i32,
    /// The same, as a score.
    pub score: Score,
    /// How many moves it looked ahead in full. It may be less than requested, if more cannot change the value.
    pub depth: u32,
    /// Positions visited, including those of an unfinished depth.
    pub nodes: u64,
    /// The game that it expects, from the best move on, as far as known.
    pub line: Vec<Move>,
}

/// An automatic player that remembers positions from one search to the next.
pub struct Searcher {
    memory: Memory,
    /// Identifies the search, so that entries of earlier ones are replaced first.
    generation: u64,
}

/// The move that the automatic player makes, looking `depth` moves ahead; `None` when the game is over.
pub fn next_move(board: &Board, depth: NonZeroU32) -> Option<Move> {
    choose(board, depth).map(|found| found.best)
}

/// The best move and its value, looking `depth` moves ahead; `None` when the game is over.
pub fn choose(board: &Board, depth: NonZeroU32) -> Option<SearchResult> {
    Searcher::new(SMALL_MEMORY).search(board, depth, &mut || false)
}

impl Searcher {
    /// A player that remembers positions in `memory` bytes.
    pub fn new(memory: usize) -> Searcher {
        Searcher { memory: Memory::new(memory), generation: 0 }
    }

    /// The best move; `None` when the game is over.
    ///
    /// It looks ahead `depth` moves ([`NonZeroU32::MAX`] for no limit), or until `stop` returns true, but at least
    /// one move.
    pub fn search(
        &mut self,
        board: &Board,
        depth: NonZeroU32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<SearchResult> {
        if self.generation == LAST_GENERATION {
            self.memory.clear();
            self.generation = 0;
        }
        self.generation += 1;
        let search = Search {
            memory: &mut self.memory,
            generation: self.generation,
            order: MoveOrder::new(LONGEST_GAME),
            moves: Vec::new(),
            lines: vec![Vec::new(); LONGEST_GAME as usize + 1],
            nodes: 0,
            unsettled: false,
            stop,
            may_stop: false,
            stopped: false,
        };
        match board.to_move() {
            Player::White => search.deepen::<White>(HashedPosition::new::<White>(board.sides()), depth.get()),
            Player::Black => search.deepen::<Black>(HashedPosition::new::<Black>(board.sides()), depth.get()),
        }
    }
}

/// A search in progress.
struct Search<'a> {
    memory: &'a mut Memory,
    generation: u64,
    order: MoveOrder,
    /// The moves still to try, those of the root first and of the current position last.
    moves: Vec<Ranked>,
    /// By distance from the root: the best line from there.
    lines: Vec<Vec<Step>>,
    nodes: u64,
    /// Whether a deeper search could change what was found since this was last false.
    unsettled: bool,
    stop: &'a mut dyn FnMut() -> bool,
    may_stop: bool,
    stopped: bool,
}

/// The result at the root at one depth.
struct Root {
    best: Step,
    value: i32,
    settled: bool,
}

impl Search<'_> {
    /// Looks one move ahead, then two, and so on.
    fn deepen<M: Mover>(mut self, node: HashedPosition, deepest: u32) -> Option<SearchResult> {
        let mut found: Option<SearchResult> = None;
        let mut first = None;
        for depth in 1..=deepest.min(LONGEST_GAME) {
            let Some(root) = self.root::<M>(node, depth, first) else { break };
            first = Some(root.best);
            self.may_stop = true;
            found = Some(SearchResult {
                best: root.best.as_move(),
                value: root.value,
                score: Score::of(root.value, root.settled),
                depth,
                nodes: 0,
                line: self.lines[0].iter().map(|step| step.as_move()).collect(),
            });
            if root.settled {
                break;
            }
        }
        found.map(|found| SearchResult { nodes: self.nodes, ..found })
    }

    /// The first best move in the generator's order; `None` if there is no move or the search was stopped.
    fn root<M: Mover>(&mut self, node: HashedPosition, depth: u32, first: Option<Step>) -> Option<Root> {
        self.unsettled = false;
        self.moves.clear();
        self.lines[0].clear();
        self.order.push::<M>(node.sides, 0, NONE_REMEMBERED, &mut self.moves);
        let steps: Vec<Step> = self.moves.drain(..).map(|ranked| ranked.step).collect();
        let first = first.and_then(|first| steps.iter().position(|step| *step == first));
        let mut best: Option<(usize, i32)> = None;
        for index in first.into_iter().chain((0..steps.len()).filter(|index| Some(*index) != first)) {
            let step = steps[index];
            let (value, better) = match best {
                None => (self.after::<M>(node, step, depth, 0, (-INFINITE, INFINITE)), true),
                Some((chosen, value)) => {
                    // A move before the best so far is chosen if it is equally good.
                    let alpha = value - i32::from(index < chosen);
                    let value = self.scouted::<M>(node, step, depth, 0, (alpha, INFINITE));
                    (value, value > alpha)
                }
            };
            if self.stopped {
                return None;
            }
            if better {
                best = Some((index, value));
                self.lead_with(0, step);
            }
        }
        let (index, value) = best?;
        let settled = !self.unsettled || value.abs() >= SEEN;
        Some(Root { best: steps[index], value, settled })
    }

    /// The value of a step to the player `M` who makes it; exact between `alpha` and `beta`, else a bound.
    #[inline(always)]
    fn after<M: Mover>(
        &mut self,
        node: HashedPosition,
        step: Step,
        depth: u32,
        ply: u32,
        window: (i32, i32),
    ) -> i32 {
        let (alpha, beta) = window;
        -self.value::<M::Opponent>(node.after::<M>(step), depth - 1, ply + 1, -beta, -alpha)
    }

    /// The same, for a step that is probably no better than `alpha`: its value is searched only if it is.
    #[inline(always)]
    fn scouted<M: Mover>(
        &mut self,
        node: HashedPosition,
        step: Step,
        depth: u32,
        ply: u32,
        window: (i32, i32),
    ) -> i32 {
        let (alpha, beta) = window;
        let value = self.after::<M>(node, step, depth, ply, (alpha, alpha + 1));
        if value <= alpha || value >= beta || self.stopped {
            return value;
        }
        self.after::<M>(node, step, depth, ply, window)
    }

    /// The value to the player to move, `ply` moves below the root; exact between `alpha` and `beta`, else a bound.
    fn value<M: Mover>(
        &mut self,
        node: HashedPosition,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        if self.may_stop && self.nodes.is_multiple_of(PATIENCE) && (self.stop)() {
            self.stopped = true;
        }
        if self.stopped {
            return DRAWN;
        }
        // If the exact value is needed, so is the line that leads to it.
        let open = beta - alpha > 1;
        if open {
            self.lines[ply as usize].clear();
        }
        if depth == 0 || node.sides.mine == 0 {
            return self.leaf::<M>(node, ply);
        }
        let key = node.sides.key::<M>();
        let entry = self.memory.get(node.hash, key).map(|word| TableEntry::unpack(word, ply));
        if !open
            && let Some(entry) = &entry
            && entry.answers(depth, alpha, beta)
        {
            self.unsettled |= !entry.settled;
            return entry.value;
        }
        let unsettled_elsewhere = std::mem::replace(&mut self.unsettled, false);
        let base = self.moves.len();
        let remembered = entry.map_or(NONE_REMEMBERED, |entry| entry.best);
        self.order.push::<M>(node.sides, ply, remembered, &mut self.moves);
        let (mut best, mut best_value, lower) = (NONE_REMEMBERED, -INFINITE, alpha);
        for next in base..self.moves.len() {
            let step = bring_next(&mut self.moves, next);
            let value = if next == base || !open {
                self.after::<M>(node, step, depth, ply, (alpha, beta))
            } else {
                self.scouted::<M>(node, step, depth, ply, (alpha, beta))
            };
            if self.stopped {
                return DRAWN;
            }
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                best = step.between();
                if value >= beta {
                    self.order.refuted(M::PLAYER, step, depth, ply);
                    break;
                }
                self.lead_with(ply, step);
            }
        }
        if self.moves.len() == base {
            best_value = DRAWN;
        }
        self.moves.truncate(base);
        let bound = Bound::of(best_value, lower, beta);
        let settled = !self.unsettled || bound.proves_end(best_value);
        let entry = TableEntry { value: best_value, depth, best, bound, settled };
        self.memory.put(node.hash, key, entry.rank(self.generation), entry.pack(ply));
        self.unsettled = unsettled_elsewhere | !settled;
        best_value
    }

    /// The value of a position that is not searched.
    fn leaf<M: Mover>(&mut self, node: HashedPosition, ply: u32) -> i32 {
        match judged::<M>(node.sides) {
            Ok(value) => {
                self.unsettled = true;
                value
            }
            Err(DRAWN) => DRAWN,
            Err(_lost) => ply as i32 - WON,
        }
    }

    /// Sets the best line from `ply` on: `step`, and then the best line after it.
    fn lead_with(&mut self, ply: u32, step: Step) {
        let (here, after) = self.lines.split_at_mut(ply as usize + 1);
        if let (Some(line), Some(rest)) = (here.last_mut(), after.first()) {
            line.clear();
            line.push(step);
            line.extend_from_slice(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, Score, Searcher, WON, choose, next_move};
    use crate::exercises::alquerque::rules::{Board, Field, Player};
    use std::num::NonZeroU32;

    fn board(white: &[u8], black: &[u8], to_move: Player) -> Board {
        let fields =
            |numbers: &[u8]| numbers.iter().map(|number| Field::new(*number).unwrap()).collect::<Vec<_>>();
        Board::with_pieces(fields(white), fields(black), to_move).unwrap()
    }

    #[track_caller]
    fn check(board: Board, depth: u32, best: (u8, u8), value: i32) {
        let found = choose(&board, NonZeroU32::new(depth).unwrap()).unwrap();
        assert_eq!((found.best.source.number(), found.best.target.number()), best);
        assert_eq!(found.value, value);
    }

    #[test]
    fn a_win_in_one_is_taken_at_every_depth() {
        for depth in 1..=6 {
            check(board(&[13, 25], &[8], Player::White), depth, (13, 3), WON - 1);
            check(board(&[18], &[13, 1], Player::Black), depth, (13, 23), WON - 1);
        }
    }

    #[test]
    fn the_shorter_of_two_wins_comes_first() {
        // White may also move on and capture later.
        for depth in [3, 5] {
            check(board(&[17, 14], &[12], Player::White), depth, (17, 7), WON - 1);
        }
    }

    #[test]
    fn a_draw_is_a_draw_whatever_the_material() {
        // Black's last move: after it white is stuck.
        check(board(&[1, 2, 3, 4, 5], &[20], Player::Black), 2, (20, 25), DRAWN);
    }

    #[test]
    fn a_finished_game_has_no_next_move() {
        let one = NonZeroU32::MIN;
        assert_eq!(next_move(&board(&[1], &[25], Player::White), one), None);
        assert_eq!(next_move(&board(&[1], &[], Player::Black), one), None);
    }

    #[test]
    fn a_settled_value_ends_the_search_however_deep_it_may_go() {
        let won = choose(&board(&[17, 14], &[12], Player::White), NonZeroU32::MAX).unwrap();
        assert_eq!((won.score, won.depth, won.line.len()), (Score::Win(1), 1, 1));
        let drawn = choose(&board(&[6], &[5], Player::White), NonZeroU32::MAX).unwrap();
        assert_eq!((drawn.score, drawn.value), (Score::Draw, DRAWN));
        assert!(drawn.depth < 10, "{drawn:?}");
        let open = choose(&Board::start(), NonZeroU32::MIN).unwrap();
        assert!(matches!(open.score, Score::Estimate(_)), "{open:?}");
    }

    #[test]
    fn a_stopped_search_still_has_a_move() {
        let mut asked = 0;
        let mut engine = Searcher::new(1 << 20);
        let found = engine.search(&Board::start(), NonZeroU32::MAX, &mut || {
            asked += 1;
            asked == 10
        });
        let found = found.unwrap();
        assert_eq!(asked, 10);
        assert_eq!(found.line.len() as u32, found.depth);
        let at_once = engine.search(&Board::start(), NonZeroU32::MAX, &mut || true).unwrap();
        assert!(at_once.depth >= 1);
    }
}
