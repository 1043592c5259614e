//! The expectations of a step.

use super::tolerance::Tolerance;
use crate::languages::LANGUAGES;
use crate::value::{Text, Value};
use regex::Regex;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;

/// All expectations of one step; with none, the step must only not raise.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The bytes of the step in its file.
    pub span: Range<usize>,
    /// The value.
    pub value: Option<Returns>,
    /// The text of the value, as the language shows it.
    pub shows: Option<TextMatcher>,
    /// The output that the step prints.
    pub prints: Option<TextMatcher>,
    /// The exception that the step raises.
    pub raises: Option<Raises>,
    /// The bound name whose very object the result must be.
    pub same: Option<String>,
    /// The text of each file that it leaves in the working folder, by name.
    pub writes: Vec<(String, TextMatcher)>,
    /// The program's expected behaviour.
    pub program: Ending,
    /// The match's expected result.
    pub games: Games,
    /// The differences that are allowed between an answer and what is expected.
    pub tolerance: Tolerance,
}

impl Expect {
    /// The names of the files that it leaves.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        self.writes.iter().map(|(name, _)| name.as_str())
    }

    /// Whether the step must do more than not raise.
    pub fn has_any(&self) -> bool {
        let Expect { span: _, value, shows, prints, raises, same, writes, program, games, tolerance: _ } =
            self;
        let Ending { errors, exit, turns } = program;
        let result = value.is_some() || shows.is_some() || raises.is_some() || same.is_some();
        let output = prints.is_some() || errors.is_some() || exit.is_some() || !writes.is_empty();
        // A match is always expected to end well.
        result || output || turns.iter().any(Option::is_some) || *games != Games::default()
    }

    /// A description that is the same for steps that expect the same, without places. Digests of classes are
    /// made from it, so its words stay: a test reports a class of an earlier keur.
    pub fn described(&self) -> String {
        let value = self.value.as_ref().map(|returns| Returns { span: 0..0, ..returns.clone() });
        format!("{:?}", Expect { span: 0..0, value, ..self.clone() })
    }
}

/// Expectations of a program besides its output.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// The whole standard error of the program.
    pub errors: Option<TextMatcher>,
    /// The exit status of the program.
    pub exit: Option<u8>,
    /// The output since the turn before, at each turn; `None` if nothing is expected.
    pub turns: Vec<Option<Regex>>,
}

/// The expectations of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The oracle that must accept each move, with its depth; `None` if a move must only be legal.
    pub moves: Option<(String, Option<NonZeroU32>)>,
    /// At least this many games not lost.
    pub not_lost: u32,
    /// At least this many games won.
    pub won: u32,
}

/// An expected value, with its bytes in the file.
#[derive(Clone, Debug)]
pub struct Returns {
    /// The condition on the value.
    pub matcher: Matcher,
    /// The bytes of the key's value in the file.
    pub span: Range<usize>,
}

/// A condition on a value.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// Equal, where a list also matches a tuple: a plain TOML value.
    Plain(Value),
    /// Equal, including types: a literal.
    Exact(Value),
    /// A list or tuple of these, in any order.
    AnyOrder(Vec<Value>),
    /// Equal to one of these, as [`Matcher::Plain`] is.
    OneOf(Vec<Value>),
    /// A number at most `within` away from `value`.
    Approx {
        /// The number.
        value: f64,
        /// The largest difference allowed.
        within: f64,
    },
    /// A string that contains a match of the expression.
    Matches(Regex),
    /// A value of the type with this name.
    Type(String),
    /// A value of the type with this name, or of a subtype.
    Instance(String),
    /// Not the very object bound to this name.
    NotSame(String),
    /// Equal to the reference's answer.
    Reference,
    /// An answer that an oracle of the reference accepts.
    Oracle(Asked),
    /// A value that a check of the instructor's own accepts.
    Check(CustomCheck),
}

/// A check of the instructor's own: a function in Python.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomCheck {
    /// The path of its file in the exercise's folder.
    pub file: String,
    /// The function.
    pub function: String,
    /// The arguments of the check after the value.
    pub with: Vec<Value>,
}

/// A condition on a text: what a step shows or prints, or what a program writes.
#[derive(Clone, Debug)]
pub enum TextMatcher {
    /// Equal to this text, which lacks the final newline of its TOML.
    Plain(String),
    /// Contains these texts, in this order.
    Contains(Vec<String>),
    /// Contains a match of the expression.
    Matches(Regex),
    /// Has these lines, in any order.
    AnyOrder(Vec<String>),
    /// A check of the instructor's own accepts it.
    Check(CustomCheck),
}

/// A question to an oracle of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The oracle.
    pub oracle: String,
    /// The name bound to the value in question.
    pub of: String,
    /// The search depth, if the oracle takes one.
    pub depth: Option<NonZeroU32>,
}

/// An expected exception.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raises {
    /// The name of its type or of a supertype; any if absent.
    pub kind: Option<RaisedType>,
    /// The message; any if absent.
    pub message: Option<Text>,
}

/// The type of an expected exception, and where it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaisedType {
    /// The exercise: it counts in a language that has the type.
    Exercise(String),
    /// The step.
    Step(String),
    /// The step, by programming language.
    PerLanguage(BTreeMap<String, String>),
}

impl RaisedType {
    /// The name of the type in `language`, whose own types are `exceptions`; `None` if only other languages
    /// have it.
    pub fn name_in<'a>(&'a self, language: &str, exceptions: &[&str]) -> Option<&'a str> {
        let has = |name: &str| exceptions.contains(&name);
        match self {
            RaisedType::Exercise(name) => Some(name.as_str()).filter(|name| has(name)),
            RaisedType::Step(name) => {
                let known = || LANGUAGES.iter().any(|known| known.exceptions.contains(&name.as_str()));
                Some(name.as_str()).filter(|name| has(name) || !known())
            }
            RaisedType::PerLanguage(names) => names.get(language).map(String::as_str),
        }
    }
}
