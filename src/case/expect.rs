//! What may be expected of a step.

use crate::pattern::Regex;
use crate::value::{Text, Value};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
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
    /// How a program goes.
    pub program: Ending,
    /// How the games of a match end.
    pub games: Games,
}

/// What is expected of a program besides what it prints.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// What it writes to standard error.
    pub errors: Option<String>,
    /// The status that it ends with.
    pub exit: Option<u8>,
    /// What it has printed since the turn before, at each turn; none where nothing is expected.
    pub turns: Vec<Option<Regex>>,
}

/// What is expected of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The oracle that accepts each move, and how far it looks; none where it must only be legal.
    pub moves: Option<(String, Option<NonZeroU32>)>,
    /// Games that are not lost, at the least.
    pub not_lost: u32,
    /// Games that are won, at the least.
    pub won: u32,
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
    /// What an oracle of the reference accepts.
    Oracle(Asked),
}

/// A question to an oracle of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The oracle.
    pub oracle: String,
    /// The name bound to the value that the answer is about.
    pub of: String,
    /// How far to look, where the oracle takes that.
    pub depth: Option<NonZeroU32>,
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
    /// The step, by programming language.
    PerLanguage(BTreeMap<String, String>),
}
