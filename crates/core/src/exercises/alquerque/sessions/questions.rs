//! Moves to ask `is_legal` about: legal ones, and those that are almost legal, by what is wrong with them.

use crate::exercises::alquerque::rules::{Board, Field, Move, Player};

/// The kinds of moves in a position.
///
/// A kind that begins with `Theirs` or `Nobody` is about the piece on the source, the others about the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MoveKind {
    /// Legal; a plain move.
    Plain,
    /// Legal; a capture forward.
    CaptureForward,
    /// Legal; a capture sideways.
    CaptureSideways,
    /// Legal; a capture backward.
    CaptureBackward,
    /// Would be a plain move or a capture if the target were empty.
    Occupied,
    /// One field back along a line.
    Backward,
    /// One field sideways.
    Sideways,
    /// A plain move along a diagonal that the even source does not have.
    SlantedStep,
    /// A capture along such a diagonal.
    SlantedJump,
    /// A jump over a piece of the same player.
    OwnJumped,
    /// A jump over an empty field.
    EmptyJumped,
    /// The numbers of the fields differ as in a plain move, but the fields are not neighbours.
    WrappedStep,
    /// The numbers of the fields differ as in a capture, but the jump leaves the board.
    WrappedJump,
    /// One row forward and two or more columns aside, or two rows forward without a capture in between.
    Wide,
    /// Legal if it were the opponent's turn.
    Theirs,
    /// The opponent's piece moves as the player's own could.
    TheirsAsOurs,
    /// There is no piece on the source.
    Nobody,
    /// The source is the target.
    Still,
    /// Anything else.
    Absurd,
}

impl MoveKind {
    /// The kind of `wanted` in `board`.
    pub(super) fn of(board: &Board, wanted: Move) -> MoveKind {
        let Move { source, target } = wanted;
        let mover = board.to_move();
        let (rows, columns) = (row(target) - row(source), column(target) - column(source));
        let shape = MoveShape::of(source, target, mover);
        let between = shape.jumps().then(|| middle(source, target)).flatten();
        let over = between.and_then(|field| board.owner(field));
        if source == target {
            return MoveKind::Still;
        }
        let free = board.owner(target).is_none();
        match board.owner(source) {
            None if free && (shape == MoveShape::Forward || over == Some(mover.opponent())) => {
                MoveKind::Nobody
            }
            None => MoveKind::Absurd,
            Some(owner) if owner != mover => {
                let theirs = MoveShape::of(source, target, owner);
                if !free {
                    MoveKind::Absurd
                } else if theirs == MoveShape::Forward || (theirs == MoveShape::Jump && over == Some(mover)) {
                    MoveKind::Theirs
                } else if shape == MoveShape::Forward || (shape == MoveShape::Jump && over.is_some()) {
                    MoveKind::TheirsAsOurs
                } else {
                    MoveKind::Absurd
                }
            }
            Some(_) => match shape {
                MoveShape::Forward if free => MoveKind::Plain,
                MoveShape::Forward => MoveKind::Occupied,
                MoveShape::Jump if over == Some(mover.opponent()) => match (free, rows * forward(mover)) {
                    (false, _) => MoveKind::Occupied,
                    (true, 1..) => MoveKind::CaptureForward,
                    (true, 0) => MoveKind::CaptureSideways,
                    (true, _) => MoveKind::CaptureBackward,
                },
                _ if !free => MoveKind::Absurd,
                MoveShape::Jump if over == Some(mover) => MoveKind::OwnJumped,
                MoveShape::Jump => MoveKind::EmptyJumped,
                MoveShape::Back => MoveKind::Backward,
                MoveShape::Side => MoveKind::Sideways,
                MoveShape::SlantedStep => MoveKind::SlantedStep,
                MoveShape::SlantedJump if over == Some(mover.opponent()) => MoveKind::SlantedJump,
                MoveShape::WrappedStep => MoveKind::WrappedStep,
                MoveShape::WrappedJump if over == Some(mover.opponent()) => MoveKind::WrappedJump,
                _ if rows * forward(mover) == 1 && columns.abs() <= 3 => MoveKind::Wide,
                _ if rows * forward(mover) == 2 && columns.abs() == 1 => MoveKind::Wide,
                MoveShape::SlantedJump | MoveShape::WrappedJump | MoveShape::None => MoveKind::Absurd,
            },
        }
    }

    /// Every kind of move that there is in `board`, with its moves.
    pub(super) fn of_all(board: &Board) -> Vec<(MoveKind, Vec<Move>)> {
        let mut kinds: Vec<(MoveKind, Vec<Move>)> = Vec::new();
        for source in Field::all() {
            for target in Field::all() {
                let wanted = Move::new(source, target);
                let kind = MoveKind::of(board, wanted);
                match kinds.iter_mut().find(|(known, _)| *known == kind) {
                    Some((_, moves)) => moves.push(wanted),
                    None => kinds.push((kind, vec![wanted])),
                }
            }
        }
        kinds
    }
}

/// The shape of a move, whatever stands on its fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveShape {
    Forward,
    Back,
    Side,
    Jump,
    SlantedStep,
    SlantedJump,
    WrappedStep,
    WrappedJump,
    None,
}

impl MoveShape {
    fn of(source: Field, target: Field, mover: Player) -> MoveShape {
        let (rows, columns) = (row(target) - row(source), column(target) - column(source));
        let ahead = rows * forward(mover);
        let slanted = rows != 0 && columns != 0 && source.number().is_multiple_of(2);
        let difference = i32::from(target.number()) - i32::from(source.number());
        match (rows.abs(), columns.abs()) {
            (0 | 1, 0 | 1) if slanted && ahead > 0 => MoveShape::SlantedStep,
            (0 | 1, 0 | 1) if slanted => MoveShape::None,
            (0 | 1, 0 | 1) if ahead > 0 => MoveShape::Forward,
            (0 | 1, 0 | 1) if ahead < 0 => MoveShape::Back,
            (0 | 1, 0 | 1) => MoveShape::Side,
            (0 | 2, 0 | 2) if slanted => MoveShape::SlantedJump,
            (0 | 2, 0 | 2) => MoveShape::Jump,
            _ if [1, 4, 6].contains(&(difference * forward(mover))) => MoveShape::WrappedStep,
            _ if [2, 8, 12].contains(&difference.abs()) => MoveShape::WrappedJump,
            _ => MoveShape::None,
        }
    }

    /// Whether a field lies in between, at least by its number.
    fn jumps(self) -> bool {
        matches!(self, MoveShape::Jump | MoveShape::SlantedJump | MoveShape::WrappedJump)
    }
}

/// The rows that a step forward adds.
const fn forward(player: Player) -> i32 {
    match player {
        Player::White => -1,
        Player::Black => 1,
    }
}

fn row(field: Field) -> i32 {
    i32::from((field.number() - 1) / 5)
}

fn column(field: Field) -> i32 {
    i32::from((field.number() - 1) % 5)
}

/// The field whose number is halfway.
fn middle(source: Field, target: Field) -> Option<Field> {
    Field::new((source.number() + target.number()) / 2)
}
