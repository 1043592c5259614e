//! The neutral value: written in a case, answered by a submission, and compared.
//!
//! This module knows no game, no case and no language driver. [`Value`] is data; [`program`] is the interface
//! of a program that answers calls in this process, such as a reference; [`oracle`] and [`referee`] are how a
//! reference judges and plays; [`notation`] writes a value as a language would.

pub(crate) mod args;
mod bundle;
#[doc(hidden)]
pub mod choices;
mod int;
pub mod notation;
#[doc(hidden)]
pub mod operator;
pub mod oracle;
mod parts;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod referee;
#[doc(hidden)]
pub mod syntax;
mod text;

pub use bundle::{Bundle, SourceFile};
pub use int::Int;
pub use text::Text;

/// A value as it crosses between a case, the reference and a submission.
///
/// The kinds are the union of what Python and JavaScript distinguish, so that nothing is lost: an integer is
/// not a float, a list is not a tuple, `null` is not `undefined`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Python's `None`, JavaScript's `null`.
    None,
    /// JavaScript's `undefined`.
    Undefined,
    /// A boolean.
    Bool(bool),
    /// An integer of any size, in a language that has them: Python's `int`.
    Int(Int),
    /// A floating-point number in a language that distinguishes it from an integer: Python's `float`.
    Float(f64),
    /// JavaScript's `number`, which may stand for an integer or a float.
    Number(f64),
    /// JavaScript's `bigint`.
    BigInt(Int),
    /// A string.
    Str(Text),
    /// A Python list or a JavaScript array.
    List(Vec<Value>),
    /// A Python tuple.
    Tuple(Vec<Value>),
    /// A set; the order of its members is irrelevant.
    Set(Vec<Value>),
    /// A dictionary, a JavaScript `Map` or plain object, in insertion order.
    Dict(Vec<(Value, Value)>),
    /// A value of a type without a neutral form: only the name of its type is known.
    Opaque(String),
    /// A value, or a part of one, that was not sent because it is too large.
    Cut(Cut),
}

/// A reason why a value was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The value has more nodes or bytes than a reply may have.
    Size,
    /// The value is nested deeper than a reply may be.
    Depth,
    /// The value contains itself.
    Cycle,
}

impl Value {
    /// The string value of `text`.
    pub fn str(text: impl Into<Text>) -> Value {
        Value::Str(text.into())
    }

    /// The approximate memory of the value, in bytes.
    pub fn memory(&self) -> usize {
        let all = |items: &[Value]| items.iter().map(Value::memory).sum();
        let own = match self {
            Value::Int(int) | Value::BigInt(int) => usize::try_from(int.bits() / 8).unwrap_or(usize::MAX),
            Value::Str(Text::Unicode(text)) => text.len(),
            Value::Str(Text::IllFormed(units)) => 2 * units.len(),
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => all(items),
            Value::Dict(pairs) => pairs.iter().map(|(key, item)| key.memory() + item.memory()).sum(),
            Value::Opaque(name) => name.len(),
            _ => 0,
        };
        size_of::<Value>() + own
    }

    /// The integer value `number`.
    pub fn int(number: impl Into<Int>) -> Value {
        Value::Int(number.into())
    }

    /// A size, an index or a number of points.
    pub(crate) fn natural(number: usize) -> Value {
        Value::int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::str(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::str(text)
    }
}
