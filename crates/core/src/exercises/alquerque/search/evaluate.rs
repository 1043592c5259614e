//! The value of positions: a static evaluation, and the meaning of the values of a search.

use crate::exercises::alquerque::rules::board::{Board, Player};
use crate::exercises::alquerque::rules::moves::{Black, Mover, Sides, White, count_moves};
use crate::exercises::score::Score;

/// The value of a position that is won at once. Each move until the win subtracts one.
pub(super) const WON: i32 = 1_000_000;
/// The least value of a win whose end the search has seen: no game is this long.
pub(super) const SEEN: i32 = WON - 1_000;
/// The value of a draw.
pub(super) const DRAWN: i32 = 0;
/// The value of all pieces of the board, if they belonged to one player.
const MATERIAL: i32 = 10_000;
/// The value of a plain move that could be made now.
const MOBILITY: i32 = 5;

impl Score {
    /// The meaning of `value`; `settled` says that a deeper search cannot change it.
    pub(super) fn of(value: i32, settled: bool) -> Score {
        let away = (WON - value.abs()).unsigned_abs();
        if value >= SEEN {
            Score::Win(away)
        } else if value <= -SEEN {
            Score::Loss(away)
        } else if settled {
            Score::Draw
        } else {
            Score::Estimate(value)
        }
    }
}

/// The value of a position to the player to move, without looking ahead.
///
/// A finished game has its own value: that of a win or its negative, or 0 for a draw whatever the material. Otherwise
/// it is the balance of pieces as a fraction of all pieces, so that an exchange suits the player who is ahead, plus a
/// little for each possible move, since a player without one draws.
pub fn evaluate(board: &Board) -> i32 {
    let value = match board.to_move() {
        Player::White => judged::<White>(board.sides()),
        Player::Black => judged::<Black>(board.sides()),
    };
    value.unwrap_or_else(|over| over)
}

/// The value of a position to `M`, who is to move; an error when the game is over.
pub(super) fn judged<M: Mover>(sides: Sides) -> Result<i32, i32> {
    if sides.mine == 0 {
        return Err(-WON);
    }
    let my_moves = count_moves::<M>(sides) as i32;
    if my_moves == 0 {
        return Err(DRAWN);
    }
    let their_moves = count_moves::<M::Opponent>(sides.reversed()) as i32;
    let (mine, theirs) = (sides.mine.count_ones() as i32, sides.theirs.count_ones() as i32);
    Ok(MATERIAL * (mine - theirs) / (mine + theirs) + MOBILITY * (my_moves - their_moves))
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, SEEN, Score, WON, evaluate};
    use crate::exercises::alquerque::rules::{Board, Field, Player};

    fn board(white: &[u8], black: &[u8], to_move: Player) -> Board {
        let fields =
            |numbers: &[u8]| numbers.iter().map(|number| Field::new(*number).unwrap()).collect::<Vec<_>>();
        Board::with_pieces(fields(white), fields(black), to_move).unwrap()
    }

    #[test]
    fn a_finished_game_has_its_own_value() {
        assert_eq!(evaluate(&board(&[1], &[], Player::Black)), -WON);
        assert_eq!(evaluate(&board(&[1, 2, 3, 4, 5], &[25], Player::White)), DRAWN);
        assert_eq!(evaluate(&board(&[1, 2, 3, 4, 5], &[25], Player::Black)), DRAWN);
    }

    #[test]
    fn more_pieces_and_more_moves_are_better() {
        assert!(evaluate(&board(&[12, 14], &[1], Player::White)) > 0);
        assert!(evaluate(&board(&[12, 14], &[1], Player::Black)) < 0);
        assert!(evaluate(&board(&[13], &[22], Player::White)) > 0);
    }

    #[test]
    fn a_value_says_what_it_means() {
        assert_eq!(Score::of(WON - 3, true), Score::Win(3));
        assert_eq!(Score::of(4 - WON, true), Score::Loss(4));
        assert_eq!(Score::of(SEEN, true), Score::Win(1_000));
        assert_eq!(Score::of(DRAWN, true), Score::Draw);
        assert_eq!(Score::of(DRAWN, false), Score::Estimate(0));
    }
}
