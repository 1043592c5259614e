//! Why an empty cell must have a colour: what the other colour would break, easy to see or not.

use super::rules::{ActionError, Colour, YinYang};
use super::solver::count_up_to;
use crate::exercises::grid::Pos;
use std::collections::BTreeSet;

/// The rule that the other colour would break, the easiest to see first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// A 2×2 square of one colour would be complete.
    Square,
    /// A 2×2 square would be complete whose diagonals have one colour each: only one of them can be
    /// connected.
    Crossing,
    /// The colours would alternate along the edge: only one of them can be connected.
    Edge,
    /// Two cells could not be connected any more.
    CutOff(Pos, Pos),
    /// There would be no solution.
    DeadEnd,
}

/// The rule that the other colour than `colour` would break at the empty cell `pos`, as one sees it; not
/// [`Reason::DeadEnd`].
pub(super) fn visible(puzzle: &YinYang, pos: Pos, colour: Colour) -> Option<Reason> {
    let mut wrong = puzzle.clone();
    if let Err(why) = wrong.fill(pos, other(colour)) {
        return matches!(why, ActionError::Square(_)).then_some(Reason::Square);
    }
    if crosses(&wrong, pos) {
        return Some(Reason::Crossing);
    }
    if alternates_along_the_edge(&wrong) {
        return Some(Reason::Edge);
    }
    let (one, other) = Colour::BOTH.into_iter().find_map(|colour| cut_off(&wrong, colour))?;
    Some(Reason::CutOff(one, other))
}

/// Whether there is no solution with the other colour than `colour` at the empty cell `pos`.
pub(super) fn is_dead_end(puzzle: &YinYang, pos: Pos, colour: Colour) -> bool {
    let mut wrong = puzzle.clone();
    wrong.fill(pos, other(colour)).is_err() || count_up_to(&wrong, 1) == Ok(0)
}

fn other(colour: Colour) -> Colour {
    match colour {
        Colour::White => Colour::Black,
        Colour::Black => Colour::White,
    }
}

/// Whether the colours cross in a 2×2 square with the cell at `pos`.
fn crosses(puzzle: &YinYang, pos: Pos) -> bool {
    let beside = |at: usize| [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
    let own = puzzle.colour_at(pos);
    beside(pos.row).any(|row| {
        beside(pos.col).any(|col| {
            let across = puzzle.colour_at(Pos::new(row, col));
            let next = [Pos::new(row, pos.col), Pos::new(pos.row, col)].map(|next| puzzle.colour_at(next));
            across == own && next.iter().all(|colour| colour.is_some_and(|colour| Some(colour) != own))
        })
    })
}

/// Whether the coloured cells along the edge change their colour more than twice.
fn alternates_along_the_edge(puzzle: &YinYang) -> bool {
    let last = puzzle.size() - 1;
    let around = (0..last).map(|at| Pos::new(0, at));
    let around = around.chain((0..last).map(|at| Pos::new(at, last)));
    let around = around.chain((0..last).map(|at| Pos::new(last, last - at)));
    let around = around.chain((0..last).map(|at| Pos::new(last - at, 0)));
    let colours: Vec<Colour> = around.filter_map(|pos| puzzle.colour_at(pos)).collect();
    let next = colours.iter().cycle().skip(1);
    colours.iter().zip(next).filter(|(one, next)| one != next).count() > 2
}

/// Two cells of `colour` without a path between them over cells of that colour and empty ones.
fn cut_off(puzzle: &YinYang, colour: Colour) -> Option<(Pos, Pos)> {
    let mut cells = puzzle.positions().filter(|pos| puzzle.colour_at(*pos) == Some(colour));
    let first = cells.next()?;
    let mut reached = BTreeSet::from([first]);
    let mut to_explore = vec![first];
    while let Some(from) = to_explore.pop() {
        for near in puzzle.neighbours(from) {
            if puzzle.colour_at(near) != Some(other(colour)) && reached.insert(near) {
                to_explore.push(near);
            }
        }
    }
    cells.find(|pos| !reached.contains(pos)).map(|pos| (first, pos))
}

#[cfg(test)]
mod tests {
    use super::{is_dead_end, visible};
    use crate::exercises::grid::Pos;
    use crate::exercises::yinyang::rules::{Colour, YinYang};
    use crate::exercises::yinyang::solver::Solutions;
    use crate::value::random::Random;
    use std::collections::HashSet;

    #[test]
    fn where_a_reason_is_seen_the_other_colour_leads_nowhere() {
        const SIZE: usize = 5;
        let empty = YinYang::new(SIZE, [], []).unwrap();
        let solutions = Solutions::of(&empty).unwrap();
        let mut random = Random::new(1);
        let mut seen = HashSet::new();
        for _ in 0..60 {
            let solution = solutions.get(random.below(solutions.count() as usize) as u128).unwrap();
            let mut puzzle = empty.clone();
            for pos in solution.positions().filter(|_| random.below(2) == 0).collect::<Vec<Pos>>() {
                puzzle.fill(pos, *solution.get(pos).unwrap()).unwrap();
            }
            for pos in puzzle.positions().filter(|pos| puzzle.colour_at(*pos).is_none()).collect::<Vec<Pos>>()
            {
                for colour in Colour::BOTH {
                    if let Some(why) = visible(&puzzle, pos, colour) {
                        assert!(is_dead_end(&puzzle, pos, colour), "{why:?} at {pos:?} of\n{puzzle}");
                        seen.insert(std::mem::discriminant(&why));
                    }
                }
            }
        }
        assert_eq!(seen.len(), 4, "{seen:?}");
    }
}
