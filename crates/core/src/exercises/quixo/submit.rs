//! Quixo.

use crate::exercises::submit::{Shared, change, look, raised, text};
use crate::value::args::{int, optional, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::fmt::Display;
use std::marker::PhantomData;

/// A grid of Quixo. Its text (`Display`) is that of the grid.
///
/// What the types of a method exclude arrives as an invalid value: a size that is not a number as 0, a value
/// that is not text as an empty one.
pub trait Quixo: Display + Sized + 'static {
    /// A grid of `n` rows and columns; empty, or with these faces, row by row.
    ///
    /// # Errors
    /// `ongeldig rooster`.
    fn new(n: usize, faces: Option<&str>) -> Result<Self, String>;

    /// The row and the column, from 0, of the position with a name.
    ///
    /// # Errors
    /// `ongeldige positie`.
    fn positie(&self, positie: &str) -> Result<(usize, usize), String>;

    /// Takes the cube at `van`, and pushes it in at `naar` with `symbool` up.
    ///
    /// # Errors
    /// `ongeldige positie`, `ongeldige beurt`.
    fn beurt(&mut self, symbool: &str, van: &str, naar: &str) -> Result<(), String>;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["Quixo"];

pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Quixo> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "Quixo" } => {
                let size = args.first().and_then(size).unwrap_or(0);
                let faces = optional(args, 1).map(|faces| text(Some(faces)).unwrap_or_default());
                let board = T::new(size, faces).map_err(raised)?;
                Ok(Live::Object(Object::new("Quixo", Shared::new(board))))
            }
            Call::Method { on, name: "positie" } => {
                let name = text(args.first()).unwrap_or_default();
                let (row, col) = look::<T>(on)?.positie(name).map_err(raised)?;
                let index = |number: usize| Value::int(i64::try_from(number).unwrap_or(i64::MAX));
                Ok(Live::Plain(Value::List(vec![index(row), index(col)])))
            }
            Call::Method { on, name: "beurt" } => {
                let text = |at| text(args.get(at)).unwrap_or_default();
                change::<T>(on)?.beurt(text(0), text(1), text(2)).map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}

/// A size; a whole float is accepted too, because one language of the exercise has no other numbers.
fn size(arg: &Live) -> Option<usize> {
    match arg {
        Live::Plain(Value::Float(number) | Value::Number(number))
            if number.fract() == 0.0 && *number >= 0.0 =>
        {
            Some(*number as usize)
        }
        Live::Plain(_) | Live::Object(_) | Live::List(_) => int(arg)?.to_i64()?.try_into().ok(),
    }
}
