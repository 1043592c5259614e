//! Exercises and cases: reads their TOML files strictly and makes the plans of calls.
//!
//! This module knows values but no language driver and no game. Start at [`Library`], which finds the files, or at
//! [`parse_exercise`] and [`parse_case`], which parse their text into [`Exercise`] and [`Case`]. A [`Case`] keeps
//! its [`Plan`] (calls only) apart from its expectations, so that what goes to a submission cannot carry an expected
//! value.

mod case_file;
mod diagnostic;
mod dialogue;
mod exercise_file;
mod expect;
mod expr;
mod keys;
mod lexer;
mod library;
mod limits;
mod model;
mod naming;
mod plan;
mod points;
mod reader;
mod resolve;
pub mod schema;

pub use case_file::parse_case;
pub(crate) use diagnostic::near;
#[doc(hidden)]
pub use diagnostic::tame;
pub use diagnostic::{Diagnostic, FileErrors, line_column};
pub use exercise_file::parse_exercise;
pub use expect::{Asked, Ending, Expect, Games, Matcher, RaisedType, Raises, Returns};
pub use library::{Library, LibraryError, Loaded};
pub use limits::{LimitsPatch, parse_size, parse_time};
pub use model::{Case, Class, Exercise, Function, Parameter};
pub use naming::{Convention, Naming};
pub use plan::{
    Arg, Instead, Items, Line, Match, Node, Opponent, Plan, PlanStep, ProgramRun, View, ViewPart, Want,
};
pub use points::Points;
pub use resolve::line_over;
