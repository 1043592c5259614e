//! The trait for submissions of Codenames in Rust, and what calls it.

use crate::exercises::submit::{change, index, look, object, raised, size, text};
use crate::value::Text;
use crate::value::args::{int, unknown};
use crate::value::program::{Answer, Call, Live, Object, Program, Raised};
use std::fmt::Display;
use std::marker::PhantomData;

/// A board of Codenames. Its text (`Display`) is that of the board as the players see it.
pub trait Codenames: Display + Sized + 'static {
    /// A board of `m` rows and `n` columns with this key, row by row.
    fn new(m: usize, n: usize, sleutel: &str) -> Self;

    /// The team whose turn it is: `R` or `B`.
    ///
    /// # Errors
    /// `spel is afgelopen` if the game is over.
    fn beurt(&self) -> Result<String, String>;

    /// Passes the turn to the other team.
    ///
    /// # Errors
    /// `spel is afgelopen` if the game is over.
    fn stoppen(&mut self) -> Result<(), String>;

    /// Reveals the card at row `r` and column `k`, counted from 0.
    ///
    /// # Errors
    /// `spel is afgelopen` if the game is over.
    fn aanduiden(&mut self, r: usize, k: usize) -> Result<(), String>;

    /// Whether the game is over.
    fn isafgelopen(&self) -> bool;
}

/// The definitions of a submission.
pub(crate) const DEFINITIONS: &[&str] = &["Spelbord"];

/// A submission `T` as a program.
pub(crate) struct Answers<T>(pub(crate) PhantomData<T>);

impl<T: Codenames> Program for Answers<T> {
    fn call(&mut self, call: Call<'_>, args: &[Live]) -> Answer {
        let index = |at: usize| index(args.get(at).and_then(int));
        match call {
            Call::New { class: "Spelbord" } => {
                Ok(object("Spelbord", T::new(size(args, 0), size(args, 1), text(args, 2))))
            }
            Call::Method { on, name: "beurt" } => look::<T>(on)?.beurt().map(Live::from).map_err(raised),
            Call::Method { on, name: "isafgelopen" } => Ok(Live::from(look::<T>(on)?.isafgelopen())),
            Call::Method { on, name: "stoppen" } => {
                change::<T>(on)?.stoppen().map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::Method { on, name: "aanduiden" } => {
                change::<T>(on)?.aanduiden(index(0), index(1)).map_err(raised)?;
                Ok(Live::Object(on.clone()))
            }
            Call::New { .. } | Call::Function { .. } | Call::Method { .. } => Err(unknown(call)),
        }
    }

    fn text(&mut self, object: &Object) -> Result<Text, Raised> {
        Ok(look::<T>(object)?.to_string().into())
    }
}
