//! Moves and boards of Alquerque as the values of a session.

use super::rules::{Board, Field, Move};
use crate::value::Int;
use crate::value::program::{Live, Object};
use std::cell::RefCell;

/// A move as the exercise defines it: any two integers.
pub(super) struct AnyMove {
    pub(super) source: Int,
    pub(super) target: Int,
}

/// The state of a board object.
pub(super) type SharedBoard = RefCell<Board>;

impl AnyMove {
    /// The move, if both of its fields exist.
    pub(super) fn on_board(&self) -> Option<Move> {
        let field = |number: &Int| Field::new(u8::try_from(number.to_i64()?).ok()?);
        Some(Move::new(field(&self.source)?, field(&self.target)?))
    }
}

pub(super) fn new_move(source: Int, target: Int) -> Live {
    Live::Object(Object::new("Move", AnyMove { source, target }))
}

pub(super) fn found_move(found: Move) -> Live {
    let number = |field: Field| Int::from(i64::from(field.number()));
    new_move(number(found.source), number(found.target))
}

pub(super) fn new_board(board: Board) -> Live {
    Live::Object(Object::new("Board", SharedBoard::new(board)))
}
