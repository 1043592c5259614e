//! Exercises and cases: their TOML files, read strictly, and the plans of calls that come of them.
//!
//! This module knows values but no language driver and no game. Start at [`Library`], which finds the files, or at
//! [`parse_exercise`] and [`parse_case`], which read their text; [`Exercise`] and [`Case`] are what they say. A
//! [`Case`] keeps its [`Plan`] (calls only) apart from its expectations, so that what goes to a submission cannot
//! carry an expected value.

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
#[cfg(feature = "cli")]
pub mod schema;
#[cfg(feature = "cli")]
mod underlined;

pub use case_file::parse_case;
pub(crate) use diagnostic::near;
pub use diagnostic::{Diagnostic, FileErrors, line_column};
pub use exercise_file::parse_exercise;
pub use expect::{Asked, Ending, Expect, Games, Matcher, RaisedType, Raises, Returns};
pub use library::{Library, LibraryError, Loaded};
pub use limits::{LimitsPatch, parse_size, parse_time};
pub use model::{Case, Class, Exercise, Function, Parameter, RUST};
pub use naming::{Convention, Naming};
pub use plan::{Arg, Instead, Items, Line, Match, Node, Opponent, Plan, PlanStep, Run, View, ViewPart, Want};
pub use points::Points;
pub use resolve::line_over;
