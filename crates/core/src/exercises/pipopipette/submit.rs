//! The trait for submissions of the game of dots (Pipopipette) in Rust, and what calls it.

use crate::exercises::submit::{change, look, object, raised, size, text};
use crate::value::args::{optional, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::fmt::Display;
use std::marker::PhantomData;

/// A board of the game of dots. Its text (`Display`) is that of the board.
pub trait Pipopipette: Display + Sized + 'static {
    /// A board of `m` rows and `n` columns of dots; by default as many columns as rows.
    ///
    /// # Errors
    /// `invalid dimensions` if there are fewer than two rows or columns of dots.
    fn new(m: usize, n: Option<usize>) -> Result<Self, String>;

    /// The points of the first and of the second player.
    fn score(&self) -> [usize; 2];

    /// The player whose turn it is, as the assignment writes it.
    fn player(&self) -> String;

    /// Draws the line with a name such as `H0,1`: whether it is horizontal or vertical, its row and its column.
    ///
    /// # Errors
    /// `invalid position` if the board has no line with this name; `dots already connected` if it is drawn.
    fn claim(&mut self, pos: &str) -> Result<(), String>;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["Pipopipette"];

/// A submission `T` as a program.
pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Pipopipette> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "Pipopipette" } => {
                let cols = optional(args, 1).map(|_| size(args, 1));
                Ok(object("Pipopipette", T::new(size(args, 0), cols).map_err(raised)?))
            }
            Call::Method { on, name: "score" } => {
                Ok(Live::Plain(Value::List(look::<T>(on)?.score().map(Value::natural).to_vec())))
            }
            Call::Method { on, name: "player" } => Ok(Live::from(look::<T>(on)?.player())),
            Call::Method { on, name: "claim" } => {
                change::<T>(on)?.claim(text(args, 0)).map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}
