//! Operators, items and common functions on plain values, as Python has them.
//!
//! Integers are calculated in 128 bits; a result beyond that raises, as an overflow does in Rust.
//!
//! An interpreter as a library, such as RustPython, would be out of proportion to the few operations that
//! cases have.

use crate::case::Operator;
use crate::languages::python::Python;
use crate::named::Named;
use crate::value::notation::Notation;
use crate::value::program::Raised;
use crate::value::{Int, Text, Value};
use std::cmp::Ordering;

/// The most items or characters of a repeated list or text.
const MOST_REPEATED: usize = 1 << 20;

/// The result of a calculation, or the exception that Python raises for it.
pub(super) type Result<T = Value> = std::result::Result<T, Raised>;

/// An operator with one or two operands.
///
/// # Errors
/// The exception that Python raises.
pub(super) fn operate(operator: Operator, operands: &[Value]) -> Result {
    match (operator, operands) {
        (Operator::Negate, [of]) => match number(of) {
            Some(Operand::Int(int)) => int.checked_neg().map(whole).ok_or_else(overflow),
            Some(Operand::Float(float)) => Ok(Value::Float(-float)),
            None => Err(Raised::type_error(format!("bad operand type for unary -: '{}'", kind(of)))),
        },
        (Operator::Not, [of]) => Ok(Value::Bool(!is_true(of))),
        (Operator::Equal, [left, right]) => Ok(Value::Bool(equal(left, right))),
        (Operator::NotEqual, [left, right]) => Ok(Value::Bool(!equal(left, right))),
        (Operator::In, [item, within]) => contains(within, item).map(Value::Bool),
        (Operator::Less, [left, right]) => ordered(operator, left, right, |order| order.is_lt()),
        (Operator::LessEqual, [left, right]) => ordered(operator, left, right, |order| order.is_le()),
        (Operator::Greater, [left, right]) => ordered(operator, left, right, |order| order.is_gt()),
        (Operator::GreaterEqual, [left, right]) => ordered(operator, left, right, |order| order.is_ge()),
        (
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::FloorDivide
            | Operator::Modulo
            | Operator::Power,
            [left, right],
        ) => calculated(operator, left, right),
        (_, _) => Err(Raised::type_error(format!("`{}` has other operands", operator.name()))),
    }
}

/// A number to calculate with.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// An integer, or a boolean.
    Int(i128),
    /// A float, or an integer beyond 128 bits.
    Float(f64),
}

impl Operand {
    fn to_f64(self) -> f64 {
        match self {
            Operand::Int(int) => int as f64,
            Operand::Float(float) => float,
        }
    }
}

pub(super) fn number(value: &Value) -> Option<Operand> {
    match value {
        Value::Bool(truth) => Some(Operand::Int(i128::from(*truth))),
        Value::Int(int) | Value::BigInt(int) => Some(match int.to_string().parse() {
            Ok(int) => Operand::Int(int),
            Err(_) => Operand::Float(int.to_f64()),
        }),
        Value::Float(float) | Value::Number(float) => Some(Operand::Float(*float)),
        Value::None
        | Value::Undefined
        | Value::Str(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Set(_)
        | Value::Dict(_)
        | Value::Opaque(_)
        | Value::Cut(_) => None,
    }
}

pub(super) fn whole(int: i128) -> Value {
    match i64::try_from(int) {
        Ok(small) => Value::from(small),
        // The digits of an integer can always be parsed.
        Err(_) => int.to_string().parse::<Int>().map_or(Value::None, Value::Int),
    }
}

fn overflow() -> Raised {
    Raised::new("OverflowError", "the result has more than 128 bits")
}

fn by_zero(message: &str) -> Raised {
    Raised::new("ZeroDivisionError", message)
}

fn calculated(operator: Operator, left: &Value, right: &Value) -> Result {
    match (number(left), number(right)) {
        (Some(Operand::Int(left)), Some(Operand::Int(right))) => of_ints(operator, left, right),
        (Some(left), Some(right)) => of_floats(operator, left.to_f64(), right.to_f64()).map(Value::Float),
        (_, _) => of_others(operator, left, right),
    }
}

fn of_ints(operator: Operator, left: i128, right: i128) -> Result {
    let quotient = || {
        let quotient = left.checked_div_euclid(right)?;
        // Rounded down, not towards a remainder that is positive.
        let inexact = left.checked_rem_euclid(right)? != 0;
        if right < 0 && inexact { quotient.checked_sub(1) } else { Some(quotient) }
    };
    let result = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide if right == 0 => return Err(by_zero("division by zero")),
        Operator::Divide => return Ok(Value::Float(left as f64 / right as f64)),
        Operator::FloorDivide if right == 0 => return Err(by_zero("integer division or modulo by zero")),
        Operator::FloorDivide => quotient(),
        Operator::Modulo if right == 0 => return Err(by_zero("integer modulo by zero")),
        Operator::Modulo => quotient().and_then(|quotient| left.checked_sub(quotient.checked_mul(right)?)),
        Operator::Power if right < 0 => {
            return of_floats(operator, left as f64, right as f64).map(Value::Float);
        }
        Operator::Power => match u32::try_from(right) {
            Ok(exponent) => left.checked_pow(exponent),
            Err(_) => (-1..=1).contains(&left).then(|| if right % 2 == 0 { left * left } else { left }),
        },
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual
        | Operator::In
        | Operator::Negate
        | Operator::Not => None,
    };
    result.map(whole).ok_or_else(overflow)
}

fn of_floats(operator: Operator, left: f64, right: f64) -> Result<f64> {
    match operator {
        Operator::Add => Ok(left + right),
        Operator::Subtract => Ok(left - right),
        Operator::Multiply => Ok(left * right),
        Operator::Divide if right == 0.0 => Err(by_zero("float division by zero")),
        Operator::Divide => Ok(left / right),
        Operator::FloorDivide if right == 0.0 => Err(by_zero("float floor division by zero")),
        Operator::FloorDivide => Ok(((left - remainder(left, right)) / right).round()),
        Operator::Modulo if right == 0.0 => Err(by_zero("float modulo")),
        Operator::Modulo => Ok(remainder(left, right)),
        Operator::Power if left == 0.0 && right < 0.0 => {
            Err(by_zero("0.0 cannot be raised to a negative power"))
        }
        Operator::Power if left < 0.0 && right.is_finite() && right.fract() != 0.0 => {
            Err(Raised::new("ValueError", "the result is a complex number"))
        }
        Operator::Power => Ok(left.powf(right)),
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual
        | Operator::In
        | Operator::Negate
        | Operator::Not => Ok(f64::NAN),
    }
}

/// The remainder with the sign of the divisor.
fn remainder(left: f64, right: f64) -> f64 {
    let rest = left % right;
    if rest != 0.0 && (rest < 0.0) != (right < 0.0) { rest + right } else { rest.abs().copysign(right) }
}

/// `+` and `*` of texts and lists, and the operators of sets.
fn of_others(operator: Operator, left: &Value, right: &Value) -> Result {
    let joined = |left: &[Value], right: &[Value]| left.iter().chain(right).cloned().collect();
    match (operator, left, right) {
        (Operator::Add, Value::Str(left), Value::Str(right)) => {
            Ok(Value::Str(text_of(points(left).into_iter().chain(points(right)))))
        }
        (Operator::Add, Value::List(left), Value::List(right)) => Ok(Value::List(joined(left, right))),
        (Operator::Add, Value::Tuple(left), Value::Tuple(right)) => Ok(Value::Tuple(joined(left, right))),
        (Operator::Subtract, Value::Set(left), Value::Set(right)) => {
            let left = left.iter().filter(|item| !has(right, item));
            Ok(Value::Set(left.cloned().collect()))
        }
        (Operator::Multiply, sequence, times) | (Operator::Multiply, times, sequence)
            if matches!(number(times), Some(Operand::Int(_)))
                && matches!(sequence, Value::Str(_) | Value::List(_) | Value::Tuple(_)) =>
        {
            let times = match number(times) {
                Some(Operand::Int(times)) => usize::try_from(times.max(0)).unwrap_or(usize::MAX),
                Some(Operand::Float(_)) | None => 0,
            };
            repeated(sequence, times)
        }
        (_, _, _) => Err(unsupported(operator, left, right)),
    }
}

fn unsupported(operator: Operator, left: &Value, right: &Value) -> Raised {
    let name = if operator == Operator::Power { "** or pow()" } else { operator.name() };
    Raised::type_error(format!(
        "unsupported operand type(s) for {name}: '{}' and '{}'",
        kind(left),
        kind(right)
    ))
}

fn repeated(sequence: &Value, times: usize) -> Result {
    let fits = |length: usize| match length.checked_mul(times) {
        Some(length) if length <= MOST_REPEATED => Ok(()),
        Some(_) | None => Err(Raised::new("MemoryError", "")),
    };
    let again = |items: &[Value]| items.iter().cycle().take(items.len() * times).cloned().collect();
    // An item that holds others counts as that many.
    let of_all = |items: &[Value]| items.iter().map(Value::memory).sum::<usize>() / size_of::<Value>();
    match sequence {
        Value::Str(text) => {
            let points = points(text);
            fits(points.len())?;
            Ok(Value::Str(text_of(points.repeat(times))))
        }
        Value::List(items) => fits(of_all(items)).map(|()| Value::List(again(items))),
        Value::Tuple(items) => fits(of_all(items)).map(|()| Value::Tuple(again(items))),
        Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Set(_)
        | Value::Dict(_)
        | Value::Opaque(_)
        | Value::Cut(_) => Ok(sequence.clone()),
    }
}

/// The name of a value's type.
pub(super) fn kind(value: &Value) -> &str {
    let types = Python.types();
    match value {
        Value::None | Value::Undefined => types.none,
        Value::Bool(_) => types.bool,
        Value::Int(_) | Value::BigInt(_) => types.int,
        Value::Float(_) | Value::Number(_) => types.float,
        Value::Str(_) => types.string,
        Value::List(_) => types.list,
        Value::Tuple(_) => types.tuple,
        Value::Set(_) => types.set,
        Value::Dict(_) => types.dict,
        Value::Opaque(name) => name,
        Value::Cut(_) => "object",
    }
}

/// Whether Python takes the value for true.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::None | Value::Undefined => false,
        Value::Bool(truth) => *truth,
        Value::Int(int) | Value::BigInt(int) => int.to_i64() != Some(0),
        Value::Float(float) | Value::Number(float) => *float != 0.0,
        Value::Str(text) => !text.to_lossy().is_empty(),
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => !items.is_empty(),
        Value::Dict(pairs) => !pairs.is_empty(),
        Value::Opaque(_) | Value::Cut(_) => true,
    }
}

/// Whether two values are equal.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    let all = |left: &[Value], right: &[Value]| {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
    };
    match (left, right) {
        (Value::None | Value::Undefined, Value::None | Value::Undefined) => true,
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::List(left), Value::List(right)) | (Value::Tuple(left), Value::Tuple(right)) => {
            all(left, right)
        }
        (Value::Set(left), Value::Set(right)) => {
            left.len() == right.len() && left.iter().all(|item| has(right, item))
        }
        (Value::Dict(left), Value::Dict(right)) => {
            let same = |(key, value): &(Value, Value)| {
                right.iter().any(|(other, item)| equal(key, other) && equal(value, item))
            };
            left.len() == right.len() && left.iter().all(same)
        }
        (Value::Int(left) | Value::BigInt(left), Value::Int(right) | Value::BigInt(right)) => left == right,
        (left, right) => match (number(left), number(right)) {
            (Some(Operand::Int(left)), Some(Operand::Int(right))) => left == right,
            (Some(left), Some(right)) => left.to_f64() == right.to_f64(),
            (_, _) => false,
        },
    }
}

fn has(items: &[Value], item: &Value) -> bool {
    items.iter().any(|other| equal(other, item))
}

fn contains(within: &Value, item: &Value) -> Result<bool> {
    match (within, item) {
        (Value::List(items) | Value::Tuple(items) | Value::Set(items), item) => Ok(has(items, item)),
        (Value::Dict(pairs), item) => Ok(pairs.iter().any(|(key, _)| equal(key, item))),
        (Value::Str(text), Value::Str(part)) => Ok(text.to_lossy().contains(&part.to_lossy())),
        (Value::Str(_), item) => Err(Raised::type_error(format!(
            "'in <string>' requires string as left operand, not {}",
            kind(item)
        ))),
        (within, _) => {
            Err(Raised::type_error(format!("argument of type '{}' is not iterable", kind(within))))
        }
    }
}

fn ordered(operator: Operator, left: &Value, right: &Value, holds: fn(Ordering) -> bool) -> Result {
    if let (Value::Set(left), Value::Set(right)) = (left, right) {
        let all = |of: &[Value], within: &[Value]| of.iter().all(|item| has(within, item));
        let order = match (all(left, right), all(right, left)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        };
        return Ok(Value::Bool(order.is_some_and(holds)));
    }
    order_of(operator.name(), left, right).map(|order| Value::Bool(order.is_some_and(holds)))
}

/// The order of two values; `None` if one is NaN.
fn order_of(operator: &str, left: &Value, right: &Value) -> Result<Option<Ordering>> {
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => Ok(Some(points(left).cmp(&points(right)))),
        (Value::List(left), Value::List(right)) | (Value::Tuple(left), Value::Tuple(right)) => {
            match left.iter().zip(right).find(|(left, right)| !equal(left, right)) {
                Some((left, right)) => order_of(operator, left, right),
                None => Ok(Some(left.len().cmp(&right.len()))),
            }
        }
        (left, right) => match (number(left), number(right)) {
            (Some(Operand::Int(left)), Some(Operand::Int(right))) => Ok(Some(left.cmp(&right))),
            (Some(left), Some(right)) => Ok(left.to_f64().partial_cmp(&right.to_f64())),
            (_, _) => Err(Raised::type_error(format!(
                "'{operator}' not supported between instances of '{}' and '{}'",
                kind(left),
                kind(right)
            ))),
        },
    }
}

/// The items in order.
///
/// # Errors
/// Two of them have no order.
pub(super) fn sorted(items: Vec<Value>) -> Result<Vec<Value>> {
    let mut failed = None;
    let mut items = items;
    items.sort_by(|left, right| match order_of("<", left, right) {
        Ok(order) => order.unwrap_or(Ordering::Equal),
        Err(raised) => {
            failed.get_or_insert(raised);
            Ordering::Equal
        }
    });
    failed.map_or(Ok(items), Err)
}

/// The code points of a text, lone surrogates among them.
pub(super) fn points(text: &Text) -> Vec<u32> {
    match text {
        Text::Unicode(text) => text.chars().map(u32::from).collect(),
        Text::IllFormed(units) => char::decode_utf16(units.iter().copied())
            .map(|point| point.map_or_else(|lone| u32::from(lone.unpaired_surrogate()), u32::from))
            .collect(),
    }
}

/// The text of these code points.
pub(super) fn text_of(points: impl IntoIterator<Item = u32>) -> Text {
    let mut units = Vec::new();
    for point in points {
        match char::from_u32(point) {
            Some(ch) => units.extend_from_slice(ch.encode_utf16(&mut [0; 2])),
            None => units.extend(u16::try_from(point)),
        }
    }
    Text::from_units(units)
}

#[cfg(test)]
mod tests {
    use super::super::sequence::{items, len};
    use super::{operate, sorted};
    use crate::case::Operator;
    use crate::languages::python::Python;
    use crate::named::Named;
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

    /// The expected results are those of Python 3.11.
    #[test]
    fn operators_mean_what_they_mean_in_python() {
        for (left, operator, right, expected) in [
            ("7", "//", "2", "3"),
            ("-7", "//", "2", "-4"),
            ("7", "//", "-2", "-4"),
            ("-7", "%", "3", "2"),
            ("7", "%", "-3", "-2"),
            ("-6", "%", "3", "0"),
            ("7", "/", "2", "3.5"),
            ("6", "/", "3", "2.0"),
            ("7.5", "//", "2", "3.0"),
            ("-7.5", "%", "2", "0.5"),
            ("2", "**", "10", "1024"),
            ("2", "**", "-1", "0.5"),
            ("2", "**", "100", "1267650600228229401496703205376"),
            ("2", "**", "200", "OverflowError: the result has more than 128 bits"),
            ("1", "/", "0", "ZeroDivisionError: division by zero"),
            ("1", "//", "0", "ZeroDivisionError: integer division or modulo by zero"),
            ("True", "+", "1", "2"),
            ("[1]", "+", "[2]", "[1, 2]"),
            ("(1,)", "+", "(2,)", "(1, 2)"),
            ("'a'", "*", "3", "'aaa'"),
            ("2", "*", "[0]", "[0, 0]"),
            ("'a'", "+", "1", "TypeError: unsupported operand type(s) for +: 'str' and 'int'"),
            ("{1, 2}", "-", "{2}", "{1}"),
            ("1", "==", "1.0", "True"),
            ("[1, (2,)]", "==", "[1.0, (2,)]", "True"),
            ("[1]", "==", "(1,)", "False"),
            ("{1, 2}", "==", "{2, 1}", "True"),
            ("[1, 2]", "<", "[1, 3]", "True"),
            ("[1]", "<", "[1, 0]", "True"),
            ("'b'", ">=", "'abc'", "True"),
            ("{1}", "<", "{1, 2}", "True"),
            ("1", "<", "'a'", "TypeError: '<' not supported between instances of 'int' and 'str'"),
            ("nan", "<=", "1", "False"),
            ("'bc'", "in", "'abcd'", "True"),
            ("2", "in", "{2: 3}", "True"),
            ("3", "in", "5", "TypeError: argument of type 'int' is not iterable"),
        ] {
            let named = Operator::from_name(operator).unwrap();
            let got = shown(operate(named, &[value(left), value(right)]));
            assert_eq!(got, expected, "{left} {operator} {right}");
        }
        assert_eq!(shown(operate(Operator::Not, &[value("[]")])), "True");
        assert_eq!(shown(operate(Operator::Negate, &[value("True")])), "-1");
    }

    #[test]
    fn len_list_and_sorted_are_those_of_python() {
        assert_eq!(shown(len(&value("'a\\U0001F600'"))), "2");
        assert_eq!(shown(len(&value("5"))), "TypeError: object of type 'int' has no len()");
        assert_eq!(shown(items(&value("{'b': 1, 'a': 2}")).map(Value::List)), "['b', 'a']");
        let sort = |text: &str| shown(items(&value(text)).and_then(sorted).map(Value::List));
        assert_eq!(sort("[3, 1.5, True]"), "[True, 1.5, 3]");
        assert_eq!(sort("'bca'"), "['a', 'b', 'c']");
        assert_eq!(sort("[1, 'a']"), "TypeError: '<' not supported between instances of 'str' and 'int'");
    }
}
