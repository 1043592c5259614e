//! The computer in the game of dots.
//!
//! Where a box can be taken, only two moves are worth a try: to take it, or to leave it together with the
//! next one, so that the opponent has to open the next chain. So the search follows long chains to their end.

use super::play::side;
use super::rules::{Pipopipette, Segment, boxes_beside, lines_around};
use crate::exercises::grid::Pos;
use crate::exercises::playable::Move;
use crate::exercises::search::Searchable;

/// The estimate of a box.
const BOX: i32 = 300;

impl Searchable for Pipopipette {
    type Move = Segment;

    fn candidates(&self) -> Vec<Segment> {
        let Some(taking) = self.boxes().find_map(|pos| last_line(self, pos)) else {
            return self.free_lines().collect();
        };
        // The box that becomes takeable next, and its last line then.
        let leaving = boxes_beside(taking).find_map(|pos| {
            let mut others = free_lines(self, pos).filter(|line| *line != taking);
            others.next().filter(|_| others.next().is_none())
        });
        std::iter::once(taking).chain(leaving).collect()
    }

    fn make(&mut self, chosen: Segment) {
        // A candidate breaks no rule.
        let _ = self.claim(chosen);
    }

    fn side(&self) -> usize {
        side(self.player())
    }

    fn lead(&self) -> Option<i32> {
        self.outcome().map(|_| lead(self.score(), self.side()))
    }

    /// The boxes that each side has after all open ones are taken.
    fn estimate(&self) -> i32 {
        let mut game = self.clone();
        for pos in self.boxes() {
            let mut next = Some(pos);
            while let Some(line) = next.and_then(|pos| last_line(&game, pos)) {
                game.make(line);
                next = boxes_beside(line).find(|pos| last_line(&game, *pos).is_some());
            }
        }
        BOX * lead(game.score(), self.side())
    }

    fn cells(&self) -> usize {
        (self.rows() - 1) * (self.cols() - 1)
    }

    fn named(chosen: Segment) -> Move {
        Move::at(chosen)
    }
}

fn lead(score: [usize; 2], side: usize) -> i32 {
    let [a, b] = score.map(|boxes| boxes as i32);
    if side == 0 { a - b } else { b - a }
}

/// The only line that the box at `pos` still needs.
fn last_line(game: &Pipopipette, pos: Pos) -> Option<Segment> {
    let mut free = free_lines(game, pos);
    free.next().filter(|_| free.next().is_none())
}

/// The lines around the box at `pos` that can be drawn.
fn free_lines(game: &Pipopipette, pos: Pos) -> impl Iterator<Item = Segment> + '_ {
    lines_around(pos).into_iter().filter(|line| game.is_drawn(*line) == Some(false))
}
