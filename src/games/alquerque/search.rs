//! The automatic player: minimax of a given depth, with alpha-beta.
//!
//! The tree is the course's: the position to move from is its root, a max node; `depth` moves below stand the leaves,
//! which [`evaluate`] judges. Alpha-beta only leaves out what cannot change the root's value, so that the value is plain
//! minimax's; of several best moves the first in the generator's order is chosen.
//!
//! [`evaluate`] is all that the search knows of strength, and `value` all that it knows of time: a search that
//! remembers positions or deepens step by step replaces the second and leaves the first.

use super::board::{Board, Move, Player};
use super::moves::{Black, Mover, Sides, Step, White, count_moves, try_for_each_move};
use std::num::NonZeroU32;
use std::ops::ControlFlow;

/// The value of a position that is won at once. Each move that the win is away takes one from it.
const WON: i32 = 1_000_000;
/// The value of a draw.
const DRAWN: i32 = 0;
/// What the whole board's pieces are worth, if all were one player's.
const MATERIAL: i32 = 10_000;
/// What a plain move that could be made now is worth.
const MOBILITY: i32 = 5;

/// A move, and what the search found it to be worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The best move.
    pub best: Move,
    /// Its value, as [`evaluate`] measures, or that of the end of the game it forces.
    pub value: i32,
}

/// The move that the automatic player makes, looking `depth` moves ahead; `None` when the game is over.
///
/// A game lasts some hundred moves at most, and so does the recursion, however large `depth` is.
pub fn next_move(board: &Board, depth: NonZeroU32) -> Option<Move> {
    choose(board, depth).map(|choice| choice.best)
}

/// The best move and its value, looking `depth` moves ahead; `None` when the game is over.
pub fn choose(board: &Board, depth: NonZeroU32) -> Option<Choice> {
    match board.to_move() {
        Player::White => best::<White>(board.sides(), depth.get()),
        Player::Black => best::<Black>(board.sides(), depth.get()),
    }
}

/// What a position is worth to the player to move, without looking ahead.
///
/// A finished game has its own value: `WON` or its negative, `DRAWN` whatever the material. Otherwise it is the
/// balance of pieces as a part of all pieces, so that an exchange suits the player who is ahead, and a little for each
/// move that could be made, since a player without one draws.
pub fn evaluate(board: &Board) -> i32 {
    match board.to_move() {
        Player::White => leaf::<White>(board.sides(), 0),
        Player::Black => leaf::<Black>(board.sides(), 0),
    }
}

fn best<M: Mover>(sides: Sides, depth: u32) -> Option<Choice> {
    let mut best: Option<(Step, i32)> = None;
    let _: ControlFlow<()> = try_for_each_move::<M, ()>(sides, |step| {
        let alpha = best.map_or(-WON, |(_, value)| value);
        let value = -value::<M::Opponent>(sides.after(step), depth - 1, 1, -WON, -alpha);
        if best.is_none() || value > alpha {
            best = Some((step, value));
        }
        ControlFlow::Continue(())
    });
    best.map(|(step, value)| Choice { best: step.as_move(), value })
}

/// The value to the player to move, `ply` moves below the root; exact between `alpha` and `beta`, else a bound.
fn value<M: Mover>(sides: Sides, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 || sides.mine == 0 {
        return leaf::<M>(sides, ply);
    }
    let mut best = None;
    let _: ControlFlow<()> = try_for_each_move::<M, ()>(sides, |step| {
        let value = -value::<M::Opponent>(sides.after(step), depth - 1, ply + 1, -beta, -alpha);
        best = best.max(Some(value));
        alpha = alpha.max(value);
        if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    best.unwrap_or(DRAWN)
}

fn leaf<M: Mover>(sides: Sides, ply: i32) -> i32 {
    if sides.mine == 0 {
        return ply - WON;
    }
    let my_moves = count_moves::<M>(sides) as i32;
    if my_moves == 0 {
        return DRAWN;
    }
    let reversed = Sides { mine: sides.theirs, theirs: sides.mine };
    let their_moves = count_moves::<M::Opponent>(reversed) as i32;
    let (mine, theirs) = (sides.mine.count_ones() as i32, sides.theirs.count_ones() as i32);
    MATERIAL * (mine - theirs) / (mine + theirs) + MOBILITY * (my_moves - their_moves)
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Field, Player};
    use super::{DRAWN, WON, choose, evaluate, next_move};
    use std::num::NonZeroU32;

    fn board(white: &[u8], black: &[u8], to_move: Player) -> Board {
        let fields =
            |numbers: &[u8]| numbers.iter().map(|number| Field::new(*number).unwrap()).collect::<Vec<_>>();
        Board::with_pieces(fields(white), fields(black), to_move).unwrap()
    }

    #[track_caller]
    fn check(board: Board, depth: u32, best: (u8, u8), value: i32) {
        let choice = choose(&board, NonZeroU32::new(depth).unwrap()).unwrap();
        assert_eq!((choice.best.source.number(), choice.best.target.number()), best);
        assert_eq!(choice.value, value);
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
        // White may also walk on and capture later.
        for depth in [3, 5] {
            check(board(&[17, 14], &[12], Player::White), depth, (17, 7), WON - 1);
        }
    }

    #[test]
    fn a_draw_is_a_draw_whatever_the_material() {
        assert_eq!(evaluate(&board(&[1, 2, 3, 4, 5], &[25], Player::White)), DRAWN);
        assert_eq!(evaluate(&board(&[1, 2, 3, 4, 5], &[25], Player::Black)), DRAWN);
        // Black's last move: after it white is stuck.
        check(board(&[1, 2, 3, 4, 5], &[20], Player::Black), 2, (20, 25), DRAWN);
    }

    #[test]
    fn a_finished_game_has_no_next_move() {
        let one = NonZeroU32::MIN;
        assert_eq!(next_move(&board(&[1], &[25], Player::White), one), None);
        assert_eq!(next_move(&board(&[1], &[], Player::Black), one), None);
        assert_eq!(evaluate(&board(&[1], &[], Player::Black)), -WON);
    }
}
