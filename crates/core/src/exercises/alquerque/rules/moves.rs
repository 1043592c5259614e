//! The rules: which moves are legal, and what a move does.
//!
//! The generator works on masks, all pieces at once; [`Board::check`] checks a single move. The tests compare
//! the two.

use super::board::{ALL, Board, Field, Move, Outcome, Player};
use super::lines::{DIRECTIONS, DOWN, Direction, UP};

/// A reason why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is no piece on the source.
    #[error("there is no piece on {0}")]
    NoPiece(Field),
    /// The piece on the source is the opponent's.
    #[error("the piece on {0} is the opponent's")]
    NotYours(Field),
    /// There is a piece on the target.
    #[error("field {0} is not empty")]
    Occupied(Field),
    /// No line leads from the source to the target in one step or one jump.
    #[error("no line leads from {} to {}", .0.source, .0.target)]
    NoLine(Move),
    /// A plain move that does not go forward.
    #[error("a plain move goes forward, not from {} to {}", .0.source, .0.target)]
    NotForward(Move),
    /// A jump over a field without an enemy.
    #[error("there is no enemy on {0}")]
    NothingToCapture(Field),
}

impl Board {
    /// The legal moves, captures first. Empty when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut push = |step: Step| moves.push(step.as_move());
        match self.to_move {
            Player::White => for_each_move::<White>(self.sides(), &mut push),
            Player::Black => for_each_move::<Black>(self.sides(), &mut push),
        }
        moves
    }

    /// Whether `wanted` is legal.
    ///
    /// # Errors
    /// The first reason why it is not.
    pub fn check(&self, wanted: Move) -> Result<(), IllegalMove> {
        self.step_of(wanted).map(drop)
    }

    /// Makes a move and passes the turn.
    ///
    /// # Errors
    /// Why the move is not legal; the board is then unchanged.
    pub fn play(&mut self, wanted: Move) -> Result<(), IllegalMove> {
        let step = self.step_of(wanted)?;
        let (mine, theirs) = match self.to_move {
            Player::White => (&mut self.white, &mut self.black),
            Player::Black => (&mut self.black, &mut self.white),
        };
        *mine ^= step.source | step.target;
        *theirs ^= step.captured;
        self.to_move = self.to_move.opponent();
        Ok(())
    }

    /// The end of the game; `None` while it continues.
    pub fn outcome(&self) -> Option<Outcome> {
        // Only the player who moved last can have captured, so only the player to move can be without pieces.
        if self.pieces(self.to_move) == 0 {
            return Some(Outcome::Win(self.to_move.opponent()));
        }
        let stuck = match self.to_move {
            Player::White => count_moves::<White>(self.sides()) == 0,
            Player::Black => count_moves::<Black>(self.sides()) == 0,
        };
        stuck.then_some(Outcome::Draw)
    }

    /// The pieces as the player to move sees them.
    pub(in crate::exercises::alquerque) fn sides(&self) -> Sides {
        Sides { mine: self.pieces(self.to_move), theirs: self.pieces(self.to_move.opponent()) }
    }

    fn step_of(&self, wanted: Move) -> Result<Step, IllegalMove> {
        let Move { source, target } = wanted;
        match self.owner(source) {
            None => return Err(IllegalMove::NoPiece(source)),
            Some(owner) if owner != self.to_move => return Err(IllegalMove::NotYours(source)),
            Some(_) => {}
        }
        if self.owner(target).is_some() {
            return Err(IllegalMove::Occupied(target));
        }
        let (source, target) = (source.bit(), target.bit());
        let forward = match self.to_move {
            Player::White => UP,
            Player::Black => DOWN,
        };
        if forward.iter().any(|direction| direction.step(source) == target) {
            return Ok(Step { source, target, captured: 0 });
        }
        if DIRECTIONS.iter().any(|direction| direction.step(source) == target) {
            return Err(IllegalMove::NotForward(wanted));
        }
        let Some(direction) = DIRECTIONS.iter().find(|direction| direction.jump(source, ALL) == target)
        else {
            return Err(IllegalMove::NoLine(wanted));
        };
        let captured = direction.behind(target);
        if captured & self.pieces(self.to_move.opponent()) == 0 {
            return Err(IllegalMove::NothingToCapture(Field::lowest(captured)));
        }
        Ok(Step { source, target, captured })
    }
}

/// The pieces of a position as one player sees them.
#[derive(Clone, Copy)]
pub(in crate::exercises::alquerque) struct Sides {
    pub(in crate::exercises::alquerque) mine: u32,
    pub(in crate::exercises::alquerque) theirs: u32,
}

impl Sides {
    /// The position after the player's `step`, as the opponent sees it.
    #[inline(always)]
    pub(in crate::exercises::alquerque) const fn after(self, step: Step) -> Sides {
        Sides { mine: self.theirs ^ step.captured, theirs: self.mine ^ (step.source | step.target) }
    }
}

/// A legal move, as masks of one field each; `captured` is 0 for a plain move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::exercises::alquerque) struct Step {
    pub(in crate::exercises::alquerque) source: u32,
    pub(in crate::exercises::alquerque) target: u32,
    pub(in crate::exercises::alquerque) captured: u32,
}

impl Step {
    pub(in crate::exercises::alquerque) const fn as_move(self) -> Move {
        Move::new(Field::lowest(self.source), Field::lowest(self.target))
    }
}

/// The player to move, as a type: `perft` alternates between them without a test at every move.
pub(in crate::exercises::alquerque) trait Mover {
    type Opponent: Mover;
    /// The directions of a plain move.
    const FORWARD: [Direction; 3];
}

pub(in crate::exercises::alquerque) enum White {}
pub(in crate::exercises::alquerque) enum Black {}

impl Mover for White {
    type Opponent = Black;
    const FORWARD: [Direction; 3] = UP;
}

impl Mover for Black {
    type Opponent = White;
    const FORWARD: [Direction; 3] = DOWN;
}

/// Calls `visit` with each legal move, captures first.
#[inline(always)]
pub(in crate::exercises::alquerque) fn for_each_move<M: Mover>(sides: Sides, mut visit: impl FnMut(Step)) {
    let Sides { mine, theirs } = sides;
    let empty = ALL & !(mine | theirs);
    // One call per direction, not a loop: each then has constant masks and shifts, and is twice as fast.
    let mut captures = |direction: Direction| {
        let mut targets = direction.jump(mine, theirs) & empty;
        while let Some(target) = take_lowest(&mut targets) {
            let captured = direction.behind(target);
            visit(Step { source: direction.behind(captured), target, captured });
        }
    };
    captures(DIRECTIONS[0]);
    captures(DIRECTIONS[1]);
    captures(DIRECTIONS[2]);
    captures(DIRECTIONS[3]);
    captures(DIRECTIONS[4]);
    captures(DIRECTIONS[5]);
    captures(DIRECTIONS[6]);
    captures(DIRECTIONS[7]);
    let mut plain = |direction: Direction| {
        let mut targets = direction.step(mine) & empty;
        while let Some(target) = take_lowest(&mut targets) {
            visit(Step { source: direction.behind(target), target, captured: 0 });
        }
    };
    plain(M::FORWARD[0]);
    plain(M::FORWARD[1]);
    plain(M::FORWARD[2]);
}

/// The number of legal moves.
#[inline(always)]
pub(in crate::exercises::alquerque) fn count_moves<M: Mover>(sides: Sides) -> u32 {
    let Sides { mine, theirs } = sides;
    let empty = ALL & !(mine | theirs);
    let captures = DIRECTIONS.iter().map(|direction| (direction.jump(mine, theirs) & empty).count_ones());
    let plain = M::FORWARD.iter().map(|direction| (direction.step(mine) & empty).count_ones());
    captures.chain(plain).sum()
}

#[inline(always)]
fn take_lowest(mask: &mut u32) -> Option<u32> {
    let lowest = *mask & mask.wrapping_neg();
    *mask ^= lowest;
    (lowest != 0).then_some(lowest)
}

#[cfg(test)]
mod tests {
    use super::IllegalMove;
    use crate::exercises::alquerque::rules::{Board, Field, Move, Outcome, Player};

    fn field(number: u8) -> Field {
        Field::new(number).unwrap()
    }

    fn step(source: u8, target: u8) -> Move {
        Move::new(field(source), field(target))
    }

    fn board(white: &[u8], black: &[u8], to_move: Player) -> Board {
        let fields = |numbers: &[u8]| numbers.iter().copied().map(field).collect::<Vec<_>>();
        Board::with_pieces(fields(white), fields(black), to_move).unwrap()
    }

    /// The targets that the piece on `source` may go to, when white pieces stand on `white`.
    #[track_caller]
    fn check(white: &[u8], black: &[u8], to_move: Player, source: u8, targets: &[u8]) {
        let board = board(white, black, to_move);
        let mut found: Vec<u8> = board
            .legal_moves()
            .into_iter()
            .filter(|found| found.source == field(source))
            .map(|found| found.target.number())
            .collect();
        found.sort_unstable();
        assert_eq!(found, targets);
        for target in Field::all() {
            let legal = board.check(Move::new(field(source), target)).is_ok();
            assert_eq!(legal, targets.contains(&target.number()), "{source} to {target}");
        }
    }

    #[test]
    fn a_plain_move_goes_forward_along_a_line() {
        check(&[12], &[1], Player::White, 12, &[7]);
        check(&[25], &[12], Player::Black, 12, &[17]);
        check(&[13], &[1], Player::White, 13, &[7, 8, 9]);
        check(&[25], &[13], Player::Black, 13, &[17, 18, 19]);
        check(&[16], &[1], Player::White, 16, &[11]);
        check(&[25], &[15], Player::Black, 15, &[19, 20]);
    }

    #[test]
    fn a_capture_goes_in_every_direction() {
        check(&[13], &[7, 8, 9, 12, 14, 17, 18, 19], Player::White, 13, &[1, 3, 5, 11, 15, 21, 23, 25]);
        check(&[7, 8, 9, 12, 14, 17, 18, 19], &[13], Player::Black, 13, &[1, 3, 5, 11, 15, 21, 23, 25]);
        check(&[18], &[14, 12, 13, 17], Player::White, 18, &[8, 16]);
    }

    #[test]
    fn no_move_wraps_round_the_edge() {
        check(&[17], &[11, 16], Player::White, 17, &[12, 13]);
        check(&[22], &[21], Player::White, 22, &[17]);
        check(&[15], &[9, 10, 16], Player::White, 15, &[3, 5]);
    }

    #[track_caller]
    fn refuse(board: Board, wanted: Move, why: IllegalMove) {
        let mut after = board;
        assert_eq!(after.play(wanted), Err(why));
        assert_eq!(after, board);
    }

    #[test]
    fn an_illegal_move_says_why_and_changes_nothing() {
        let start = Board::start();
        refuse(start, step(13, 8), IllegalMove::NoPiece(field(13)));
        refuse(start, step(12, 13), IllegalMove::NotYours(field(12)));
        refuse(start, step(23, 18), IllegalMove::Occupied(field(18)));
        refuse(start, step(23, 13), IllegalMove::NothingToCapture(field(18)));
        refuse(start, step(14, 13), IllegalMove::NotForward(step(14, 13)));
        refuse(start, step(22, 13), IllegalMove::NoLine(step(22, 13)));
        refuse(board(&[18], &[8], Player::White), step(18, 14), IllegalMove::NoLine(step(18, 14)));
        refuse(board(&[18], &[1], Player::White), step(18, 8), IllegalMove::NothingToCapture(field(13)));
    }

    #[test]
    fn a_capture_removes_the_enemy_and_passes_the_turn() {
        let mut board = board(&[17, 20], &[12, 2], Player::White);
        board.play(step(17, 7)).unwrap();
        assert_eq!(board.pieces_of(Player::White).map(Field::number).collect::<Vec<_>>(), [7, 20]);
        assert_eq!(board.pieces_of(Player::Black).map(Field::number).collect::<Vec<_>>(), [2]);
        assert_eq!(board.to_move(), Player::Black);
        assert_eq!(board.outcome(), None);
    }

    #[test]
    fn capturing_all_pieces_wins_and_a_stuck_player_draws() {
        let mut won = board(&[17], &[12], Player::White);
        won.play(step(17, 7)).unwrap();
        assert_eq!(won.outcome(), Some(Outcome::Win(Player::White)));
        assert_eq!(won.legal_moves(), []);
        assert_eq!(board(&[2], &[22], Player::White).outcome(), Some(Outcome::Draw));
        // The opponent has no move either, but is not to move.
        assert_eq!(board(&[7], &[22], Player::White).outcome(), None);
    }
}
