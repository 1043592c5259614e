//! Operators and common functions on the values of a program in this process, objects among them.

use super::operate;
use super::sequence;
use super::transcript::{Missing, MissingKind};
use crate::case::{Builtin, Items, Node, Operator};
use crate::languages::python::Python;
use crate::named::Named;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::program::{Live, Raised};

/// A reason why an expression has no value.
pub(super) enum NoAnswer {
    /// The program raised.
    Raised(Raised),
    /// The program has no way to answer.
    Missing(Missing),
}

impl From<Raised> for NoAnswer {
    fn from(raised: Raised) -> NoAnswer {
        NoAnswer::Raised(raised)
    }
}

/// An operation that an object of the program does not have: a program answers calls and nothing else.
pub(super) fn missing(kind: MissingKind, name: &str, on: &Live) -> NoAnswer {
    let on = match on {
        Live::Object(object) => object.class().to_owned(),
        Live::Plain(value) => operate::kind(value).to_owned(),
        Live::List(_) => "list".to_owned(),
    };
    NoAnswer::Missing(Missing { kind, name: name.to_owned(), on, near: None })
}

/// An operator on live values. An object is equal to itself; beyond that a program does not compare its
/// objects.
pub(super) fn operation(operator: Operator, operands: Vec<Live>) -> Result<Live, NoAnswer> {
    let truth = |truth: bool| Ok(Live::Plain(Value::Bool(truth)));
    match (operator, operands.as_slice()) {
        (Operator::Not, [of @ (Live::Object(_) | Live::List(_))]) => {
            truth(matches!(of, Live::List(of) if of.is_empty()))
        }
        (Operator::Equal, [left, right]) => truth(equal(left, right)?),
        (Operator::NotEqual, [left, right]) => truth(!equal(left, right)?),
        (Operator::In, [item, Live::List(items)]) => {
            for other in items {
                if equal(item, other)? {
                    return truth(true);
                }
            }
            truth(false)
        }
        (Operator::Add, [left @ (Live::List(_) | Live::Plain(Value::List(_))), right])
            if matches!(right, Live::List(_) | Live::Plain(Value::List(_))) =>
        {
            Ok(collected(Items::List, items(left)?.into_iter().chain(items(right)?).collect()))
        }
        (_, operands) => match operands.iter().find(|operand| !matches!(operand, Live::Plain(_))) {
            Some(operand) => Err(missing(MissingKind::Method, operator.name(), operand)),
            None => {
                let operands: Vec<Value> = operands.iter().cloned().map(plain).collect();
                Ok(Live::Plain(operate::operate(operator, &operands)?))
            }
        },
    }
}

fn equal(left: &Live, right: &Live) -> Result<bool, NoAnswer> {
    match (left, right) {
        (Live::Plain(left), Live::Plain(right)) => Ok(operate::equal(left, right)),
        (Live::Object(a), Live::Object(b)) if a.is(b) => Ok(true),
        (Live::Object(_), Live::Object(_)) => Err(missing(MissingKind::Method, "==", left)),
        (Live::List(_), _) | (_, Live::List(_)) => {
            let (Ok(left), Ok(right)) = (items(left), items(right)) else { return Ok(false) };
            if left.len() != right.len() {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(&right) {
                if !equal(left, right)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Live::Object(_), Live::Plain(_)) | (Live::Plain(_), Live::Object(_)) => Ok(false),
    }
}

/// The items of a value, in order.
pub(super) fn items(live: &Live) -> Result<Vec<Live>, NoAnswer> {
    match live {
        Live::List(items) => Ok(items.clone()),
        Live::Plain(value) => Ok(sequence::items(value)?.into_iter().map(Live::Plain).collect()),
        Live::Object(_) => Err(missing(MissingKind::Method, "iter", live)),
    }
}

pub(super) fn call_builtin(builtin: Builtin, of: Live) -> Result<Live, NoAnswer> {
    match (builtin, of) {
        (Builtin::List, of) => Ok(collected(Items::List, items(&of)?)),
        (Builtin::Len, Live::Plain(of)) => Ok(Live::Plain(sequence::len(&of)?)),
        (Builtin::Len, Live::List(items)) => Ok(Live::Plain(sequence::len(&plain(Live::List(items)))?)),
        (Builtin::Sorted, Live::Plain(of)) => {
            Ok(Live::Plain(Value::List(operate::sorted(sequence::items(&of)?)?)))
        }
        (Builtin::Str, Live::Plain(of)) => Ok(Live::Plain(Value::Str(Python.text(&of)))),
        (Builtin::Repr, Live::Plain(of)) => Ok(Live::from(Python.literal(&of))),
        (Builtin::Len | Builtin::Str | Builtin::Sorted | Builtin::Repr | Builtin::IsInstance, of) => {
            let on = match &of {
                Live::List(items) => items.iter().find(|item| matches!(item, Live::Object(_))).unwrap_or(&of),
                Live::Object(_) | Live::Plain(_) => &of,
            };
            Err(missing(MissingKind::Method, builtin.name(), on))
        }
    }
}

/// Whether a value is an object of a class, or of one of several.
pub(super) fn is_instance(value: &Live, class: &Node) -> bool {
    match class {
        Node::Class(class) => matches!(value, Live::Object(object) if object.class() == class),
        Node::Items(_, classes) => classes.iter().any(|class| is_instance(value, class)),
        Node::Literal(_)
        | Node::Name(_)
        | Node::New { .. }
        | Node::Function { .. }
        | Node::Method { .. }
        | Node::Text(_)
        | Node::Attribute { .. }
        | Node::Index { .. }
        | Node::Slice { .. }
        | Node::Operation(..)
        | Node::Builtin(..)
        | Node::Native(_)
        | Node::Pairs(_) => false,
    }
}

pub(super) fn collected(kind: Items, items: Vec<Live>) -> Live {
    let objects = items.iter().any(|item| !matches!(item, Live::Plain(_)));
    match kind {
        Items::List if objects => Live::List(items),
        Items::List => Live::Plain(Value::List(items.into_iter().map(plain).collect())),
        Items::Tuple => Live::Plain(Value::Tuple(items.into_iter().map(plain).collect())),
        Items::Set => Live::Plain(Value::Set(items.into_iter().map(plain).collect())),
    }
}

/// A live value as data; for an object, only the name of its class.
pub(super) fn plain(live: Live) -> Value {
    match live {
        Live::Plain(value) => value,
        Live::Object(object) => Value::Opaque(object.class().to_owned()),
        Live::List(items) => Value::List(items.into_iter().map(plain).collect()),
    }
}
