//! Yin-Yang.

use crate::exercises::submit::{Shared, change, look, natural, raised};
use crate::value::args::unknown;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Int, Text, Value};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::marker::PhantomData;

/// A row and a column, counted from 0.
pub type Position = (usize, usize);

/// A puzzle of Yin-Yang. Its text (`Display`) is that of the grid.
///
/// What the types of a method exclude arrives as an invalid value: a negative row or column as `usize::MAX`,
/// a dimension that is not a natural number as 0.
pub trait YinYang: Display + Sized + 'static {
    /// A puzzle of `dimensie` rows and columns, with fixed circles at these positions.
    ///
    /// # Errors
    /// `ongeldige puzzel`.
    fn new(dimensie: usize, wit: &[Position], zwart: &[Position]) -> Result<Self, String>;

    /// Puts a white circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie`.
    fn maak_wit(&mut self, p: Position) -> Result<(), String>;

    /// Puts a black circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie`.
    fn maak_zwart(&mut self, p: Position) -> Result<(), String>;

    /// Removes the circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie`.
    fn maak_leeg(&mut self, p: Position) -> Result<(), String>;

    /// The positions of the same colour that are connected to this one, itself included.
    fn aaneengesloten_gebied(&self, p: Position) -> BTreeSet<Position>;

    /// Whether the puzzle is solved.
    fn isopgelost(&self) -> bool;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["YinYang"];

pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: YinYang> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "YinYang" } => {
                let size = natural(args.first()).unwrap_or(0);
                let (white, black) = (positions(args.get(1))?, positions(args.get(2))?);
                let puzzle = T::new(size, &white, &black).map_err(raised)?;
                Ok(Live::Object(Object::new("YinYang", Shared::new(puzzle))))
            }
            Call::Method { on, name: "maak_wit" } => act(on, args, T::maak_wit),
            Call::Method { on, name: "maak_zwart" } => act(on, args, T::maak_zwart),
            Call::Method { on, name: "maak_leeg" } => act(on, args, T::maak_leeg),
            Call::Method { on, name: "aaneengesloten_gebied" } => {
                let puzzle = look::<T>(on)?;
                let region = puzzle.aaneengesloten_gebied(only(args)?);
                let index = |number: usize| Value::int(i64::try_from(number).unwrap_or(i64::MAX));
                let tuple = |(row, col)| Value::Tuple(vec![index(row), index(col)]);
                Ok(Live::Plain(Value::Set(region.into_iter().map(tuple).collect())))
            }
            Call::Method { on, name: "isopgelost" } => Ok(Live::from(look::<T>(on)?.isopgelost())),
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}

fn act<T: 'static>(on: &Object, args: &[Live], action: fn(&mut T, Position) -> Result<(), String>) -> Answer {
    action(&mut *change::<T>(on)?, only(args)?).map_err(raised)?;
    Ok(Live::Object(on.clone()))
}

fn only(args: &[Live]) -> Result<Position, Raised> {
    match args {
        [Live::Plain(value)] => position(value),
        _ => Err(Raised::type_error("one position is expected")),
    }
}

fn positions(arg: Option<&Live>) -> Result<Vec<Position>, Raised> {
    let Some(Live::Plain(Value::List(members) | Value::Tuple(members) | Value::Set(members))) = arg else {
        return Err(Raised::type_error("a collection of positions is expected"));
    };
    members.iter().map(position).collect()
}

fn position(value: &Value) -> Result<Position, Raised> {
    let index = |number: &Int| number.to_i64().and_then(|number| usize::try_from(number).ok());
    let (Value::Tuple(pair) | Value::List(pair)) = value else {
        return Err(Raised::type_error("a position is a pair"));
    };
    match pair.as_slice() {
        [Value::Int(row), Value::Int(col)] => {
            Ok((index(row).unwrap_or(usize::MAX), index(col).unwrap_or(usize::MAX)))
        }
        _ => Err(Raised::type_error("a position is a pair of integers")),
    }
}
