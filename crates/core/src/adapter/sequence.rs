//! Items and parts of plain values, as Python has them.

use super::operate::{Operand, Result, equal, kind, number, points, text_of, whole};
use crate::languages::python::Python;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::program::Raised;

/// The items of a value, in order.
///
/// # Errors
/// The value has no items.
pub(super) fn items(value: &Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => Ok(items.clone()),
        Value::Dict(pairs) => Ok(pairs.iter().map(|(key, _)| key.clone()).collect()),
        Value::Str(text) => Ok(points(text).into_iter().map(|point| Value::Str(text_of([point]))).collect()),
        other @ (Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => Err(Raised::type_error(format!("'{}' object is not iterable", kind(other)))),
    }
}

/// The number of items of a value.
///
/// # Errors
/// The value has no items.
pub(super) fn len(value: &Value) -> Result {
    let length = match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => items.len(),
        Value::Dict(pairs) => pairs.len(),
        Value::Str(text) => points(text).len(),
        other @ (Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => {
            return Err(Raised::type_error(format!("object of type '{}' has no len()", kind(other))));
        }
    };
    Ok(whole(length as i128))
}

/// The position of an item in a sequence of this length, which a negative index counts from its end.
///
/// # Errors
/// The index is not an integer, or out of range.
pub(super) fn position(sequence: &str, index: &Value, length: usize) -> Result<usize> {
    let Some(Operand::Int(index)) = number(index) else {
        let message = format!("{sequence} indices must be integers or slices, not {}", kind(index));
        return Err(Raised::type_error(message));
    };
    let at = if index < 0 { index.saturating_add(length as i128) } else { index };
    let at = usize::try_from(at).ok().filter(|at| *at < length);
    at.ok_or_else(|| Raised::new("IndexError", format!("{sequence} index out of range")))
}

/// An item: `x[i]`.
///
/// # Errors
/// There is no such item.
pub(super) fn item(of: &Value, index: &Value) -> Result {
    let out = || Raised::new("IndexError", "index out of range");
    match of {
        Value::List(items) | Value::Tuple(items) => {
            items.get(position(kind(of), index, items.len())?).cloned().ok_or_else(out)
        }
        Value::Str(text) => {
            let points = points(text);
            let at = position("string", index, points.len())?;
            points.get(at).map(|point| Value::Str(text_of([*point]))).ok_or_else(out)
        }
        Value::Dict(pairs) => pairs
            .iter()
            .find(|(key, _)| equal(key, index))
            .map(|(_, item)| item.clone())
            .ok_or_else(|| Raised::new("KeyError", Python.literal(index))),
        other @ (Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Set(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => Err(Raised::type_error(format!("'{}' object is not subscriptable", kind(other)))),
    }
}

/// Gives an item another value: `x[i] = v`.
///
/// # Errors
/// The value has no such place.
pub(super) fn set_item(of: &mut Value, index: &Value, value: Value) -> Result<()> {
    match of {
        Value::List(items) => {
            let at = position("list assignment", index, items.len())?;
            if let Some(item) = items.get_mut(at) {
                *item = value;
            }
            Ok(())
        }
        Value::Dict(pairs) => {
            match pairs.iter_mut().find(|(key, _)| equal(key, index)) {
                Some((_, item)) => *item = value,
                None => pairs.push((index.clone(), value)),
            }
            Ok(())
        }
        other @ (Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Tuple(_)
        | Value::Set(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => {
            let message = format!("'{}' object does not support item assignment", kind(other));
            Err(Raised::type_error(message))
        }
    }
}

/// The positions of a slice of a sequence of this length.
///
/// # Errors
/// A bound is not an integer, or the step is zero.
pub(super) fn positions(bounds: &[Option<Value>; 3], length: usize) -> Result<Vec<usize>> {
    let bound = |bound: &Option<Value>| match bound.as_ref().map(|bound| (bound, number(bound))) {
        None | Some((Value::None | Value::Undefined, _)) => Ok(None),
        Some((_, Some(Operand::Int(int)))) => Ok(Some(int)),
        Some((_, Some(Operand::Float(_)) | None)) => {
            Err(Raised::type_error("slice indices must be integers or None or have an __index__ method"))
        }
    };
    let step = bound(&bounds[2])?.unwrap_or(1);
    if step == 0 {
        return Err(Raised::new("ValueError", "slice step cannot be zero"));
    }
    let length = length as i128;
    // A backward slice ends before the first item, at -1.
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let at = |bound: Option<i128>, default: i128| match bound {
        None => default,
        Some(at) if at < 0 => at.saturating_add(length).max(lowest),
        Some(at) => at.min(highest),
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut now, stop) = (at(bound(&bounds[0])?, first), at(bound(&bounds[1])?, last));
    let mut positions = Vec::new();
    while if step > 0 { now < stop } else { now > stop } {
        positions.extend(usize::try_from(now));
        now = now.saturating_add(step);
    }
    Ok(positions)
}

/// A slice: `x[i:j:k]`.
///
/// # Errors
/// The value is not a sequence, or a bound is wrong.
pub(super) fn slice(of: &Value, bounds: &[Option<Value>; 3]) -> Result {
    let picked = |items: &[Value]| -> Result<Vec<Value>> {
        let positions = positions(bounds, items.len())?;
        Ok(positions.into_iter().filter_map(|at| items.get(at).cloned()).collect())
    };
    match of {
        Value::List(items) => picked(items).map(Value::List),
        Value::Tuple(items) => picked(items).map(Value::Tuple),
        Value::Str(text) => {
            let points = points(text);
            let positions = positions(bounds, points.len())?;
            Ok(Value::Str(text_of(positions.into_iter().filter_map(|at| points.get(at).copied()))))
        }
        other @ (Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Set(_)
        | Value::Dict(_)
        | Value::Opaque(_)
        | Value::Cut(_)) => Err(Raised::type_error(format!("'{}' object is not subscriptable", kind(other)))),
    }
}

#[cfg(test)]
mod tests {
    use super::{item, slice};
    use crate::languages::python::Python;
    use crate::value::Value;
    use crate::value::notation::Notation;
    use crate::value::program::Raised;

    /// The value of a literal of the neutral language.
    fn value(text: &str) -> Value {
        crate::case::literal(text).unwrap()
    }

    fn shown(result: Result<Value, Raised>) -> String {
        match result {
            Ok(value) => Python.literal(&value),
            Err(raised) => format!("{}: {}", raised.kind, raised.message),
        }
    }

    #[test]
    fn items_and_slices_are_those_of_python() {
        for (of, index, expected) in [
            ("[1, 2, 3]", "-1", "3"),
            ("(1, 2)", "0", "1"),
            ("'añb'", "1", "'ñ'"),
            ("{'k': 2}", "'k'", "2"),
            ("{'k': 2}", "'j'", "KeyError: 'j'"),
            ("[1]", "1", "IndexError: list index out of range"),
            ("[1]", "'a'", "TypeError: list indices must be integers or slices, not str"),
            ("5", "0", "TypeError: 'int' object is not subscriptable"),
        ] {
            assert_eq!(shown(item(&value(of), &value(index))), expected, "{of}[{index}]");
        }
        for (of, bounds, expected) in [
            ("[0, 1, 2, 3]", ["1", "3", ""], "[1, 2]"),
            ("[0, 1, 2, 3]", ["", "", "-1"], "[3, 2, 1, 0]"),
            ("[0, 1, 2, 3]", ["-2", "", ""], "[2, 3]"),
            ("[0, 1, 2, 3]", ["9", "-9", "-2"], "[3, 1]"),
            ("'abcde'", ["", "-1", "2"], "'ac'"),
            ("(1, 2, 3)", ["5", "", ""], "()"),
            ("[1]", ["", "", "0"], "ValueError: slice step cannot be zero"),
            ("{1}", ["", "", ""], "TypeError: 'set' object is not subscriptable"),
        ] {
            let [start, stop, step] = bounds.map(|text| (!text.is_empty()).then(|| value(text)));
            assert_eq!(shown(slice(&value(of), &[start, stop, step])), expected, "{of}{bounds:?}");
        }
    }
}
