//! The trait for submissions of Yin-Yang in Rust, and what calls it.

use crate::exercises::submit::{change, index, look, object, raised, size};
use crate::value::args::unknown;
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use crate::value::{Text, Value};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::marker::PhantomData;

/// A row and a column, counted from 0.
pub type Position = (usize, usize);

/// A puzzle of Yin-Yang. Its text (`Display`) is that of the grid.
pub trait YinYang: Display + Sized + 'static {
    /// A puzzle of `dimensie` rows and columns, with fixed circles at these positions.
    ///
    /// # Errors
    /// `ongeldige puzzel` if there are no rows, if a position lies outside the grid or is both white and black,
    /// or if four circles of one colour form a square.
    fn new(dimensie: usize, wit: &[Position], zwart: &[Position]) -> Result<Self, String>;

    /// Puts a white circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie` if the position lies outside the grid or has a circle, or if four white circles would
    /// form a square.
    fn maak_wit(&mut self, p: Position) -> Result<(), String>;

    /// Puts a black circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie` as for [`YinYang::maak_wit`].
    fn maak_zwart(&mut self, p: Position) -> Result<(), String>;

    /// Removes the circle at a position.
    ///
    /// # Errors
    /// `ongeldige actie` if the position lies outside the grid, or has no circle or a fixed one.
    fn maak_leeg(&mut self, p: Position) -> Result<(), String>;

    /// The positions of circles of one colour that are connected to this one, itself included; empty if the
    /// position lies outside the grid or has no circle.
    fn aaneengesloten_gebied(&self, p: Position) -> BTreeSet<Position>;

    /// Whether every position has a circle and the circles of each colour are connected.
    fn isopgelost(&self) -> bool;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["YinYang"];

/// A submission `T` as a program.
pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: YinYang> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        match call {
            Call::New { class: "YinYang" } => {
                let (white, black) = (positions(args.get(1))?, positions(args.get(2))?);
                Ok(object("YinYang", T::new(size(args, 0), &white, &black).map_err(raised)?))
            }
            Call::Method { on, name: "maak_wit" } => act(on, args, T::maak_wit),
            Call::Method { on, name: "maak_zwart" } => act(on, args, T::maak_zwart),
            Call::Method { on, name: "maak_leeg" } => act(on, args, T::maak_leeg),
            Call::Method { on, name: "aaneengesloten_gebied" } => {
                let puzzle = look::<T>(on)?;
                let region = puzzle.aaneengesloten_gebied(only(args)?);
                let tuple = |(row, col)| Value::Tuple(vec![Value::natural(row), Value::natural(col)]);
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
    if let Value::Tuple(pair) | Value::List(pair) = value
        && let [Value::Int(row), Value::Int(col)] = pair.as_slice()
    {
        return Ok((index(Some(row)), index(Some(col))));
    }
    Err(Raised::type_error(format!("{value:?} is not a position")))
}
