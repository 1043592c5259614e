//! What may be expected of a step.

use crate::value::{Text, Value};
use regex::Regex;
use std::ops::Range;

/// Everything expected of one step; nothing expected means that it must only not raise.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The bytes of the step in its file.
    pub span: Range<usize>,
    /// The value.
    pub value: Option<Returns>,
    /// Its text.
    pub shows: Option<Text>,
    /// What is printed.
    pub prints: Option<String>,
    /// What is raised.
    pub raises: Option<Raises>,
    /// The bound name that the result must be the very object of.
    pub same: Option<String>,
}

/// An expected value, with the bytes of the file that say it.
#[derive(Clone, Debug)]
pub struct Returns {
    /// When it holds.
    pub matcher: Matcher,
    /// The bytes of the key's value in the file.
    pub span: Range<usize>,
}

/// When a value is as expected.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// Equal, where a list stands for a list or a tuple: a plain TOML value.
    Plain(Value),
    /// Equal, type for type: a literal.
    Exact(Value),
    /// A list or tuple of these, in any order.
    AnyOrder(Vec<Value>),
    /// Equal to one of these, as [`Matcher::Plain`] is.
    OneOf(Vec<Value>),
    /// A number no further than `within` from `value`.
    Approx {
        /// The number.
        value: f64,
        /// The largest difference that holds.
        within: f64,
    },
    /// A string that the expression matches somewhere.
    Matches(Regex),
    /// A value of the type of this name.
    Type(String),
    /// Not the very object bound to this name.
    NotSame(String),
    /// Equal to what the reference answers.
    Reference,
}

/// An expected exception.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raises {
    /// The name of its type or of a supertype; any when absent.
    pub kind: Option<RaisedType>,
    /// Its message; any when absent.
    pub message: Option<Text>,
}

/// The type of an expected exception, and who asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaisedType {
    /// The exercise: it counts in a language that has the type.
    Exercise(String),
    /// The step.
    Step(String),
}
