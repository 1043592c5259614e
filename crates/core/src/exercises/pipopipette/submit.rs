//! Game of dots (Pipopipette).

use crate::exercises::submit::{Shared, change, look, natural, raised, text};
use crate::value::args::{optional, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::fmt::Display;
use std::marker::PhantomData;

/// A board of the game of dots. Its text (`Display`) is that of the board.
///
/// What the types of a method exclude arrives as an invalid value: a size that is not a natural number as 0,
/// a position that is not text as an empty one.
pub trait Pipopipette: Display + Sized + 'static {
    /// A board of `m` rows and `n` columns of dots; by default as many columns as rows.
    ///
    /// # Errors
    /// `invalid dimensions`.
    fn new(m: usize, n: Option<usize>) -> Result<Self, String>;

    /// The points of the first and of the second player.
    fn score(&self) -> [usize; 2];

    /// The player whose turn it is, as the assignment writes it.
    fn player(&self) -> String;

    /// Draws the line with this name.
    ///
    /// # Errors
    /// `invalid position`, `dots already connected`.
    fn claim(&mut self, pos: &str) -> Result<(), String>;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["Pipopipette"];

pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Pipopipette> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "Pipopipette" } => {
                let rows = natural(args.first()).unwrap_or(0);
                let cols = optional(args, 1).map(|cols| natural(Some(cols)).unwrap_or(0));
                let board = T::new(rows, cols).map_err(raised)?;
                Ok(Live::Object(Object::new("Pipopipette", Shared::new(board))))
            }
            Call::Method { on, name: "score" } => {
                let points = look::<T>(on)?.score();
                let points = points.map(|points| Value::int(i64::try_from(points).unwrap_or(i64::MAX)));
                Ok(Live::Plain(Value::List(points.to_vec())))
            }
            Call::Method { on, name: "player" } => Ok(Live::from(look::<T>(on)?.player())),
            Call::Method { on, name: "claim" } => {
                let position = text(args.first()).unwrap_or_default();
                change::<T>(on)?.claim(position).map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}
