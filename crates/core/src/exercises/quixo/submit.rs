//! The trait for submissions of Quixo in Rust, and what calls it.

use crate::exercises::submit::{change, look, object, raised, size, text};
use crate::value::args::{optional, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::fmt::Display;
use std::marker::PhantomData;

/// A grid of Quixo. Its text (`Display`) is that of the grid.
pub trait Quixo: Display + Sized + 'static {
    /// A grid of `n` rows and columns; empty, or with these faces, row by row.
    ///
    /// # Errors
    /// `ongeldig rooster` if the size is not from 1 to 26, or if there is not one face `-`, `X` or `O` for each
    /// position.
    fn new(n: usize, faces: Option<&str>) -> Result<Self, String>;

    /// The row and the column, from 0, of the position with a name such as `B1`: its column as a letter, and
    /// its row from 1.
    ///
    /// # Errors
    /// `ongeldige positie` if the grid has no position with this name.
    fn positie(&self, positie: &str) -> Result<(usize, usize), String>;

    /// Takes the cube at `van`, and pushes it in at `naar` with `symbool` up.
    ///
    /// # Errors
    /// `ongeldige positie` if `van` or `naar` is not one of the grid; else `ongeldige beurt` if the rules forbid
    /// the move, or `symbool` is not `X` or `O`.
    fn beurt(&mut self, symbool: &str, van: &str, naar: &str) -> Result<(), String>;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["Quixo"];

/// A submission `T` as a program.
pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Quixo> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "Quixo" } => {
                let faces = optional(args, 1).map(|_| text(args, 1));
                Ok(object("Quixo", T::new(size(args, 0), faces).map_err(raised)?))
            }
            Call::Method { on, name: "positie" } => {
                let (row, col) = look::<T>(on)?.positie(text(args, 0)).map_err(raised)?;
                Ok(Live::Plain(Value::List(vec![Value::natural(row), Value::natural(col)])))
            }
            Call::Method { on, name: "beurt" } => {
                let mut board = change::<T>(on)?;
                board.beurt(text(args, 0), text(args, 1), text(args, 2)).map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}
