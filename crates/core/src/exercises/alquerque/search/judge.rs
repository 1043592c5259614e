//! Judges which moves of another player are good enough, whatever that player's evaluation.
//!
//! A game tree here knows only captured pieces and the ends of games, so that its judgement of a move holds
//! for every sensible heuristic.

use crate::exercises::alquerque::rules::board::{Board, Move, Outcome};
use std::num::NonZeroU32;

/// The value of a won game: more than all pieces.
const WON: i32 = 1000;

/// The number of moves beyond a player's own depth in which a lost piece may be won back.
const LENIENCE: u32 = 2;

/// The moves that force a win within `depth` moves; empty if there is no such win.
pub fn winning_moves(board: &Board, depth: NonZeroU32) -> Vec<Move> {
    let wins = |after: &Board| keeps(after, depth.get() - 1, WON, Draws::Nothing);
    successors(board).filter(|(_, after)| wins(after)).map(|(step, _)| step).collect()
}

/// The moves that lose neither the game nor a piece by force within `depth` moves.
///
/// If every move does, those that lose the least. A piece won back within `LENIENCE` moves more is not lost,
/// and each player decides whether a draw counts as even or as the pieces on the board.
pub fn sound_moves(board: &Board, depth: NonZeroU32) -> Vec<Move> {
    let mut sound: Vec<Move> = Vec::new();
    // A player may value draws and late pieces in any of these ways, so what is sound in one of them is sound.
    for draws in [Draws::Nothing, Draws::Pieces] {
        for horizon in depth.get()..=depth.get() + LENIENCE {
            let best = value(board, horizon, -WON, WON, draws);
            let bound = best.min(balance(board));
            let kept = successors(board).filter(|(_, after)| keeps(after, horizon - 1, bound, draws));
            sound.extend(kept.map(|(step, _)| step));
        }
    }
    board.legal_moves().into_iter().filter(|step| sound.contains(step)).collect()
}

/// The value of a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draws {
    /// Nothing to either player.
    Nothing,
    /// The pieces that are left.
    Pieces,
}

fn successors(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    let board = *board;
    // A legal move is never refused.
    board.legal_moves().into_iter().filter_map(move |step| {
        let mut after = board;
        after.play(step).ok().map(|()| (step, after))
    })
}

/// The number of pieces that the player to move is ahead.
fn balance(board: &Board) -> i32 {
    let count = |player| board.pieces(player).count_ones() as i32;
    count(board.to_move()) - count(board.to_move().opponent())
}

/// Whether a move that leads to `after` is worth at least `bound` to the player who made it.
fn keeps(after: &Board, depth: u32, bound: i32, draws: Draws) -> bool {
    -value(after, depth, -bound, 1 - bound, draws) >= bound
}

/// The value of a position to the player to move, `depth` moves ahead, exact between the bounds.
fn value(board: &Board, depth: u32, mut alpha: i32, beta: i32, draws: Draws) -> i32 {
    match board.outcome() {
        Some(Outcome::Win(winner)) => return if winner == board.to_move() { WON } else { -WON },
        Some(Outcome::Draw) => return if draws == Draws::Nothing { 0 } else { balance(board) },
        None if depth == 0 => return balance(board),
        None => {}
    }
    let mut best = -WON;
    for (_, after) in successors(board) {
        best = best.max(-value(&after, depth - 1, -beta, -alpha, draws));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{sound_moves, winning_moves};
    use crate::exercises::alquerque::rules::{Board, Field, Move, Player};
    use std::num::NonZeroU32;

    fn board(white: &[u8], black: &[u8], to_move: Player) -> Board {
        let fields =
            |numbers: &[u8]| numbers.iter().map(|number| Field::new(*number).unwrap()).collect::<Vec<_>>();
        Board::with_pieces(fields(white), fields(black), to_move).unwrap()
    }

    fn numbers(moves: Vec<Move>) -> Vec<(u8, u8)> {
        let mut found: Vec<_> =
            moves.iter().map(|step| (step.source.number(), step.target.number())).collect();
        found.sort_unstable();
        found
    }

    fn depth(depth: u32) -> NonZeroU32 {
        NonZeroU32::new(depth).unwrap()
    }

    #[test]
    fn a_win_in_one_is_seen_at_every_depth_and_nothing_where_there_is_none() {
        let won = board(&[21, 25], &[16], Player::White);
        for far in 1..=4 {
            assert_eq!(numbers(winning_moves(&won, depth(far))), [(21, 11)]);
        }
        assert!(winning_moves(&Board::start(), depth(4)).is_empty());
    }

    #[test]
    fn a_win_in_three_is_seen_at_that_depth_only() {
        // The black piece on 2 cannot stay. White on 8 takes it on 7 if the field behind it, 6, is empty, and
        // if black cannot take a piece on 3.
        let won = board(&[6, 8], &[2], Player::White);
        assert!(winning_moves(&won, depth(2)).is_empty());
        assert_eq!(numbers(winning_moves(&won, depth(3))), [(6, 1)]);
    }

    #[test]
    fn a_piece_that_is_won_back_soon_after_is_not_lost() {
        // The black piece on 8 takes the white one on 13, and the white one on 23 takes the black one on 18,
        // one move after the depth.
        let exchange = board(&[18, 23], &[5, 8], Player::White);
        let sound = numbers(sound_moves(&exchange, depth(2)));
        assert!(sound.contains(&(18, 13)), "{sound:?}");
    }

    #[test]
    fn a_piece_is_not_moved_to_where_it_is_taken_for_nothing() {
        // White on 25 may go to 19 or 20; a black piece on 13 captures on 19, because the field behind
        // it is empty.
        let open = board(&[25, 21], &[13, 1], Player::White);
        let sound = numbers(sound_moves(&open, depth(2)));
        assert!(!sound.contains(&(25, 19)), "{sound:?}");
        assert!(sound.contains(&(25, 20)), "{sound:?}");
        assert!(numbers(sound_moves(&open, depth(1))).len() >= sound.len());
    }

    #[test]
    fn every_first_move_is_sound_and_somewhere_there_is_a_sound_move() {
        let mut board = Board::start();
        assert_eq!(sound_moves(&board, depth(1)).len(), 3);
        while board.outcome().is_none() {
            let sound = sound_moves(&board, depth(2));
            assert!(!sound.is_empty());
            board.play(*sound.last().unwrap()).unwrap();
        }
    }
}
