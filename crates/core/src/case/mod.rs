//! Exercises and cases: reads their TOML files strictly and makes the plans of calls.
//!
//! This module knows values but no language driver and no game. Start at [`Library`], which finds the files,
//! or at [`parse_exercise`] and [`parse_cases`], which parse their text into [`Exercise`] and [`Case`]. A
//! [`Case`] keeps its [`Plan`] (calls only) apart from its expectations, so that what goes to a submission
//! cannot carry an expected value.

mod arguments;
mod asked;
mod bounds;
mod case_file;
mod columns;
mod compile;
mod custom_check;
mod declarations;
mod diagnostic;
mod dialogue;
mod exercise_file;
mod expect;
mod expected_value;
mod files;
mod folder;
#[doc(hidden)]
pub mod keys;
mod library;
mod limits;
mod model;
mod naming;
mod native;
mod node;
mod plan;
mod points;
mod random;
#[doc(hidden)]
pub mod reader;
mod resolve;
mod rows;
#[doc(hidden)]
pub mod schema;
mod step_no;
#[doc(hidden)]
pub mod syntax;
mod text_matcher;
mod together;
mod tolerance;
mod views;
#[doc(hidden)]
pub mod written;

pub use crate::languages::Convention;
pub use arguments::Domain;
pub use case_file::parse_cases;
pub use diagnostic::{Diagnostic, FileErrors};
pub use exercise_file::{limits, parse_exercise};
pub use expect::{
    Asked, CustomCheck, Ending, Expect, Games, Matcher, RaisedType, Raises, Returns, TextMatcher,
};
pub use library::{ExercisePlace, Library, LibraryError, Loaded};
pub use limits::{LimitsPatch, parse_size, parse_time};
pub use model::{Case, CaseStep, Class, Exercise, ExerciseReference, Function, Need, Parameter, StepHint};
pub use naming::Naming;
pub use node::{Arg, Builtin, Items, NativeCode, Node, Operator};
pub use plan::{
    Action, Bind, Calls, InputFile, Line, LineInput, Match, Opponent, Plan, PlanStep, ProgramRun, View,
    ViewPart, Want,
};
pub use points::Points;
pub use random::{NamedCall, RandomSessions, SeededCase};
pub use step_no::{CasePlace, StepNo};
pub use tolerance::{NEAR, TextTolerance, Tolerance};
#[doc(hidden)]
pub use {
    asked::{AskedStep, cases_to_ask, plan_of},
    bounds::{read_text, text_of},
    diagnostic::{did_you_mean, line_column, near, tame},
    folder::path_in,
    syntax::literal,
};
pub(crate) use {plan::definitions_in, views::line_over, views::views};
