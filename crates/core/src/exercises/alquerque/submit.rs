//! The trait for submissions of Alquerque in Rust, and what calls it.

use crate::exercises::submit::{change, field, look, object, raised, size};
use crate::value::args::{int, optional, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::marker::PhantomData;

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &[
    "make_move", "source", "target", "make_board", "white_plays", "white", "black", "is_legal",
    "legal_moves", "move", "is_game_over", "copy", "next_move",
];

/// The rules and the player of Alquerque. `Move` and `Board` are any types; fields are numbered from 1, row
/// by row.
pub trait Alquerque: 'static {
    /// A move, legal or not.
    type Move: 'static;
    /// A board, with who plays next.
    type Board: 'static;

    /// The move from one field to another.
    fn make_move(src: i64, trg: i64) -> Self::Move;
    /// The field that a move leaves.
    fn source(m: &Self::Move) -> i64;
    /// The field that a move reaches.
    fn target(m: &Self::Move) -> i64;
    /// The board at the start.
    fn make_board() -> Self::Board;
    /// Whether white plays next.
    fn white_plays(b: &Self::Board) -> bool;
    /// The fields with white pieces, in any order.
    fn white(b: &Self::Board) -> Vec<i64>;
    /// The fields with black pieces, in any order.
    fn black(b: &Self::Board) -> Vec<i64>;
    /// Whether a move is legal.
    fn is_legal(m: &Self::Move, b: &Self::Board) -> bool;
    /// The legal moves, in any order.
    fn legal_moves(b: &Self::Board) -> Vec<Self::Move>;
    /// Makes a move: the exercise calls this function `move`, which is a keyword in Rust.
    fn play(m: &Self::Move, b: &mut Self::Board);
    /// Whether the game is over.
    fn is_game_over(b: &Self::Board) -> bool;
    /// A separate board in the same state.
    fn copy(b: &Self::Board) -> Self::Board;
    /// A good move, looking `depth` moves ahead; without a depth, as far as it likes.
    fn next_move(b: &Self::Board, depth: Option<u32>) -> Self::Move;
}

/// A submission `T` as a program.
pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Alquerque> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        let Call::Function { name } = call else { return Err(unknown(call)) };
        let field = |at: usize| field(args.get(at).and_then(int));
        let given = |at: usize| match args.get(at) {
            Some(Live::Object(object)) => Ok(object),
            Some(Live::Plain(_) | Live::List(_)) | None => Err(raised("a move or a board is missing")),
        };
        let new_move = |found: T::Move| object("Move", found);
        let new_board = |board: T::Board| object("Board", board);
        let fields = |fields: Vec<i64>| Live::from(Value::List(fields.into_iter().map(Value::int).collect()));
        Ok(match name {
            "make_move" => new_move(T::make_move(field(0), field(1))),
            "source" => Value::int(T::source(&*look::<T::Move>(given(0)?)?)).into(),
            "target" => Value::int(T::target(&*look::<T::Move>(given(0)?)?)).into(),
            "make_board" => new_board(T::make_board()),
            "white_plays" => T::white_plays(&*look::<T::Board>(given(0)?)?).into(),
            "white" => fields(T::white(&*look::<T::Board>(given(0)?)?)),
            "black" => fields(T::black(&*look::<T::Board>(given(0)?)?)),
            "is_legal" => T::is_legal(&*look::<T::Move>(given(0)?)?, &*look::<T::Board>(given(1)?)?).into(),
            "legal_moves" => {
                let moves = T::legal_moves(&*look::<T::Board>(given(0)?)?);
                Live::List(moves.into_iter().map(new_move).collect())
            }
            "move" => {
                T::play(&*look::<T::Move>(given(0)?)?, &mut *change::<T::Board>(given(1)?)?);
                Value::None.into()
            }
            "is_game_over" => T::is_game_over(&*look::<T::Board>(given(0)?)?).into(),
            "copy" => new_board(T::copy(&*look::<T::Board>(given(0)?)?)),
            "next_move" => {
                let depth = optional(args, 1).map(|_| u32::try_from(size(args, 1)).unwrap_or(0));
                new_move(T::next_move(&*look::<T::Board>(given(0)?)?, depth))
            }
            _ => return Err(unknown(call)),
        })
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(format!("{object:?}").into())
    }
}
