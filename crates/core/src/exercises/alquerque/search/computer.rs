//! The automatic player.
//!
//! The tree is the course's: the position to move from is its root, a max node; the leaves are `depth` moves
//! below.

use crate::exercises::alquerque::play::{named, side};
use crate::exercises::alquerque::rules::moves::{Black, Sides, White, count_moves};
use crate::exercises::alquerque::rules::{Board, Move, Outcome, Player};
use crate::exercises::playable;
use crate::exercises::search::{SearchResult, Searchable, search};
use std::num::NonZeroU32;

/// The value of all pieces of the board, if they belonged to one player.
const MATERIAL: i32 = 10_000;
/// The value of a plain move that could be made now.
const MOBILITY: i32 = 5;

/// The move that the automatic player makes, looking `depth` moves ahead; `None` when the game is over.
pub fn next_move(board: &Board, depth: NonZeroU32) -> Option<Move> {
    choose(board, depth).map(|found| found.best)
}

/// The best move and its value, looking `depth` moves ahead; `None` when the game is over.
pub fn choose(board: &Board, depth: NonZeroU32) -> Option<SearchResult<Move>> {
    search(board, depth, usize::MAX, &|| false)
}

impl Searchable for Board {
    type Move = Move;

    fn candidates(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn make(&mut self, chosen: Move) {
        // A candidate breaks no rule.
        let _ = self.play(chosen);
    }

    fn side(&self) -> usize {
        side(self.to_move())
    }

    fn lead(&self) -> Option<i32> {
        self.outcome().map(|outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == self.to_move() => 1,
            Outcome::Win(_) => -1,
        })
    }

    /// The balance of pieces as a fraction of all pieces, so that an exchange suits the player who is ahead,
    /// and a little for each possible move, since a player without one draws.
    fn estimate(&self) -> i32 {
        let (white, black) = (self.pieces(Player::White), self.pieces(Player::Black));
        let white_moves = count_moves::<White>(Sides { mine: white, theirs: black }) as i32;
        let black_moves = count_moves::<Black>(Sides { mine: black, theirs: white }) as i32;
        let (white, black) = (white.count_ones() as i32, black.count_ones() as i32);
        let lead = MATERIAL * (white - black) / (white + black) + MOBILITY * (white_moves - black_moves);
        if self.to_move() == Player::White { lead } else { -lead }
    }

    /// A mask has all fields at once.
    fn cells(&self) -> usize {
        1
    }

    fn named(chosen: Move) -> playable::Move {
        named(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::{choose, next_move};
    use crate::exercises::alquerque::rules::{Board, Field, Player};
    use crate::exercises::score::Score;
    use crate::exercises::search::{Searchable, WON, search};
    use std::cell::Cell;
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
        assert_eq!(board(&[1, 2, 3, 4, 5], &[25], Player::White).lead(), Some(0));
        assert_eq!(board(&[1, 2, 3, 4, 5], &[25], Player::Black).lead(), Some(0));
        // Black's last move: after it white is stuck.
        check(board(&[1, 2, 3, 4, 5], &[20], Player::Black), 2, (20, 25), 0);
    }

    #[test]
    fn a_finished_game_has_no_next_move() {
        let one = NonZeroU32::MIN;
        assert_eq!(next_move(&board(&[1], &[25], Player::White), one), None);
        assert_eq!(next_move(&board(&[1], &[], Player::Black), one), None);
    }

    #[test]
    fn more_pieces_and_more_moves_are_better() {
        assert!(board(&[12, 14], &[1], Player::White).estimate() > 0);
        assert!(board(&[12, 14], &[1], Player::Black).estimate() < 0);
        assert!(board(&[13], &[22], Player::White).estimate() > 0);
    }

    #[test]
    fn a_settled_value_ends_the_search_however_deep_it_may_go() {
        let won = choose(&board(&[17, 14], &[12], Player::White), NonZeroU32::MAX).unwrap();
        assert_eq!((won.score, won.depth, won.line.len()), (Score::Win(1), 1, 1));
        let drawn = choose(&board(&[6], &[5], Player::White), NonZeroU32::MAX).unwrap();
        assert_eq!((drawn.score, drawn.value), (Score::Draw, 0));
        assert!(drawn.depth < 10, "{drawn:?}");
        let open = choose(&Board::start(), NonZeroU32::MIN).unwrap();
        assert!(matches!(open.score, Score::Estimate(_)), "{open:?}");
    }

    #[test]
    fn a_stopped_search_still_has_a_move() {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 9;
        let found = search(&Board::start(), NonZeroU32::MAX, usize::MAX, &stop).unwrap();
        assert_eq!(asked.get(), 10);
        assert_eq!(found.line.len() as u32, found.depth);
        let at_once = search(&Board::start(), NonZeroU32::MAX, usize::MAX, &|| true).unwrap();
        assert!(at_once.depth >= 1);
        let few = search(&Board::start(), NonZeroU32::MAX, 1_000, &|| false).unwrap();
        assert!(few.positions <= 1_001 && few.line.len() as u32 == few.depth, "{few:?}");
    }
}
