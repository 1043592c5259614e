//! Puts collections without an order in one before a finding shows them, so that only real differences show.

use super::value::number;
use crate::value::Value;
use std::cmp::Ordering;

/// A value with every set in it sorted; if it is `unordered`, its own items too.
pub(super) fn sorted(value: &Value, unordered: bool) -> Value {
    let all = |items: &[Value], sort: bool| -> Vec<Value> {
        let mut items: Vec<Value> = items.iter().map(|item| sorted(item, false)).collect();
        if sort {
            items.sort_by(by_value);
        }
        items
    };
    match value {
        Value::List(items) => Value::List(all(items, unordered)),
        Value::Tuple(items) => Value::Tuple(all(items, unordered)),
        Value::Set(items) => Value::Set(all(items, true)),
        Value::Dict(pairs) => {
            let pairs = pairs.iter().map(|(key, item)| (sorted(key, false), sorted(item, false)));
            Value::Dict(pairs.collect())
        }
        Value::None
        | Value::Undefined
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Opaque(_)
        | Value::Cut(_) => value.clone(),
    }
}

/// Numbers by value, texts by their characters, and sequences item by item; other values as they come.
fn by_value(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Str(one), Value::Str(other)) => one.cmp(other),
        (Value::List(one) | Value::Tuple(one), Value::List(other) | Value::Tuple(other)) => {
            let items = one.iter().zip(other).map(|(one, other)| by_value(one, other));
            items.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&other.len()))
        }
        (one, other) => match (number(one), number(other)) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            (_, _) => kind(one).cmp(&kind(other)),
        },
    }
}

/// The place of a type among the types of a collection.
fn kind(value: &Value) -> u8 {
    match value {
        Value::None | Value::Undefined => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Int(_) | Value::Float(_) | Value::Number(_) | Value::BigInt(_) => 3,
        Value::Str(_) => 4,
        Value::List(_) | Value::Tuple(_) => 5,
        Value::Set(_) | Value::Dict(_) => 6,
        Value::Opaque(_) | Value::Cut(_) => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::sorted;
    use crate::languages::python::Python;
    use crate::value::Value;
    use crate::value::notation::Notation;

    #[track_caller]
    fn check(value: Value, unordered: bool, shown: &str) {
        assert_eq!(Python.literal(&sorted(&value, unordered)), shown);
    }

    fn numbers(numbers: [i64; 3]) -> Vec<Value> {
        numbers.map(Value::from).to_vec()
    }

    #[test]
    fn numbers_are_sorted_by_value() {
        check(Value::Set(numbers([10, 1, 2])), false, "{1, 2, 10}");
        check(Value::List(numbers([10, 1, 2])), true, "[1, 2, 10]");
        check(Value::List(numbers([10, 1, 2])), false, "[10, 1, 2]");
    }

    #[test]
    fn pairs_are_sorted_by_their_items() {
        let pair = |row: i64, column: i64| Value::Tuple(vec![Value::from(row), Value::from(column)]);
        let set = Value::Set(vec![pair(10, 0), pair(2, 11), pair(2, 3)]);
        check(Value::List(vec![set]), false, "[{(2, 3), (2, 11), (10, 0)}]");
    }

    #[test]
    fn types_are_kept_together() {
        let mixed = vec![Value::from("b"), Value::from(2), Value::None, Value::from("a")];
        check(Value::Set(mixed), false, "{None, 2, 'a', 'b'}");
    }
}
