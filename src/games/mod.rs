//! The rules of the five built-in games, pure and typed.
//!
//! Each game is one file (Alquerque a folder) that knows nothing of cases, values or submissions: a constructor
//! parses its input into a legal state, a rejected action is a typed error that leaves the state as it was, and
//! the outcome of a game has a type. [`crate::reference`] binds these rules to the calls of an exercise.

pub mod alquerque;
pub mod codenames;
pub mod grid;
pub mod pipopipette;
pub mod quixo;
pub mod yinyang;
