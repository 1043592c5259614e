//! The computer in Quixo.

use super::play::{Situation, named, side};
use super::rules::{Outcome, Symbol, Turn};
use crate::exercises::grid::Pos;
use crate::exercises::playable::Move;
use crate::exercises::search::Searchable;

/// The estimate of one die in a line; that of more grows with the square of their number.
const DIE: i32 = 30;

impl Searchable for Situation {
    type Move = Turn;

    fn candidates(&self) -> Vec<Turn> {
        self.game.turns(self.to_move).collect()
    }

    fn make(&mut self, chosen: Turn) {
        // A candidate breaks no rule.
        let _ = self.take(chosen);
    }

    fn side(&self) -> usize {
        side(self.to_move)
    }

    fn lead(&self) -> Option<i32> {
        self.game.outcome().map(|outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == self.to_move => 1,
            Outcome::Win(_) => -1,
        })
    }

    /// The lines of the side to move against the opponent's: the fuller a line, the more its next die counts.
    fn estimate(&self) -> i32 {
        let size = self.game.size();
        let face = |row, col| self.game.face(Pos::new(row, col)).flatten();
        let worth = |line: &dyn Fn(usize) -> Option<Symbol>| {
            let (mut mine, mut theirs) = (0, 0);
            for symbol in (0..size).filter_map(line) {
                if symbol == self.to_move { mine += 1 } else { theirs += 1 }
            }
            DIE * (mine * mine - theirs * theirs)
        };
        let straight: i32 =
            (0..size).map(|at| worth(&|step| face(at, step)) + worth(&|step| face(step, at))).sum();
        straight + worth(&|at| face(at, at)) + worth(&|at| face(at, size - 1 - at))
    }

    fn cells(&self) -> usize {
        self.game.size() * self.game.size()
    }

    fn named(chosen: Turn) -> Move {
        named(chosen)
    }
}
