//! The parts of a value: walks over them, and values made from them.

use super::{Int, Value};
use std::cmp::Ordering;

impl Value {
    /// The number, as a double, that an integer or a floating-point number is.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(int) | Value::BigInt(int) => Some(int.to_f64()),
            Value::Float(number) | Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns true if and only if the value is a number or has one in it.
    pub fn has_number(&self) -> bool {
        self.parts().any(|part| part.as_number().is_some())
    }

    /// Returns true if and only if the value is a floating-point number. Where a language does not distinguish
    /// them, a whole number is an integer.
    pub fn is_float(&self) -> bool {
        match self {
            Value::Float(_) => true,
            Value::Number(number) => number.fract() != 0.0,
            _ => false,
        }
    }

    /// The value itself and everything in it, keys of dictionaries included, outermost first.
    pub fn parts(&self) -> impl Iterator<Item = &Value> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let part = waiting.pop()?;
            match part {
                Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                    waiting.extend(items.iter().rev());
                }
                Value::Dict(pairs) => waiting.extend(pairs.iter().rev().flat_map(|(key, item)| [item, key])),
                _ => {}
            }
            Some(part)
        })
    }

    /// The value with each item of a collection, and each key of a dictionary, replaced by what `replace`
    /// makes of it.
    pub fn map_items(&self, replace: impl Fn(&Value) -> Value) -> Value {
        let all = |items: &[Value]| items.iter().map(&replace).collect();
        match self {
            Value::List(items) => Value::List(all(items)),
            Value::Tuple(items) => Value::Tuple(all(items)),
            Value::Set(items) => Value::Set(all(items)),
            Value::Dict(pairs) => {
                Value::Dict(pairs.iter().map(|(key, item)| (replace(key), replace(item))).collect())
            }
            _ => self.clone(),
        }
    }

    /// The value as another language has it: JavaScript's `undefined` is none, and its numbers are integers
    /// or floats.
    pub fn neutral(&self) -> Value {
        match self {
            Value::Undefined => Value::None,
            Value::Number(number) => Int::of_double(*number).map_or(Value::Float(*number), Value::Int),
            Value::BigInt(int) => Value::Int(int.clone()),
            _ => self.map_items(Value::neutral),
        }
    }

    /// The first part that equals nothing: an object of the submission's own type, or what was too large to
    /// send.
    pub fn incomparable(&self) -> Option<&Value> {
        self.parts().find(|part| matches!(part, Value::Opaque(_) | Value::Cut(_)))
    }

    /// Returns true if and only if TOML has a literal for the value.
    pub fn is_toml(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Float(_) => true,
            Value::Int(int) => int.to_i64().is_some(),
            Value::Str(text) => text.as_str().is_some(),
            Value::List(items) => items.iter().all(Value::is_toml),
            _ => false,
        }
    }

    /// The value with the members of every set in it sorted by [`Value::order`], so that equal values are
    /// written alike.
    pub fn with_sorted_sets(&self) -> Value {
        let mut value = self.map_items(Value::with_sorted_sets);
        if let Value::Set(members) = &mut value {
            members.sort_by(Value::order);
        }
        value
    }

    /// The order of values in a sorted collection: by kind, then numbers by value, texts by their characters,
    /// and collections item by item.
    pub fn order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Str(one), Value::Str(other)) => one.cmp(other),
            (Value::Opaque(one), Value::Opaque(other)) => one.cmp(other),
            (Value::List(one) | Value::Tuple(one), Value::List(other) | Value::Tuple(other))
            | (Value::Set(one), Value::Set(other)) => lexicographic(one, other, Value::order),
            (Value::Dict(one), Value::Dict(other)) => {
                lexicographic(one, other, |(key, item), (other_key, other_item)| {
                    key.order(other_key).then_with(|| item.order(other_item))
                })
            }
            _ => match (self.as_number(), other.as_number()) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                _ => self.rank().cmp(&other.rank()),
            },
        }
    }

    /// The place of the value's kind in a sorted collection.
    fn rank(&self) -> u8 {
        match self {
            Value::None | Value::Undefined => 0,
            Value::Bool(false) => 1,
            Value::Bool(true) => 2,
            Value::Int(_) | Value::Float(_) | Value::Number(_) | Value::BigInt(_) => 3,
            Value::Str(_) => 4,
            Value::List(_) | Value::Tuple(_) => 5,
            Value::Set(_) => 6,
            Value::Dict(_) => 7,
            Value::Opaque(_) | Value::Cut(_) => 8,
        }
    }
}

/// Compares two sequences item by item, and then by their lengths.
fn lexicographic<T>(one: &[T], other: &[T], order: impl Fn(&T, &T) -> Ordering) -> Ordering {
    let items = one.iter().zip(other).map(|(one, other)| order(one, other));
    items.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&other.len()))
}

#[cfg(test)]
mod tests {
    use crate::value::{Cut, Int, Value};

    #[test]
    fn a_number_of_one_language_is_an_integer_or_a_float_in_another() {
        for (value, neutral) in [
            (Value::Number(3.0), Value::from(3)),
            (Value::Number(3.5), Value::Float(3.5)),
            (Value::Number(1e300), Value::Float(1e300)),
            (Value::Number(f64::INFINITY), Value::Float(f64::INFINITY)),
            (Value::BigInt(Int::from(3)), Value::from(3)),
            (Value::Undefined, Value::None),
            (Value::List(vec![Value::Number(-1.0)]), Value::List(vec![Value::from(-1)])),
        ] {
            assert_eq!(value.neutral(), neutral);
        }
    }

    #[test]
    fn parts_that_equal_nothing_are_found_at_any_depth() {
        let inside = |part| Value::Dict(vec![(Value::from(1), Value::Tuple(vec![Value::None, part]))]);
        assert_eq!(inside(Value::from(2)).incomparable(), None);
        for part in [Value::Opaque("Card".to_owned()), Value::Cut(Cut::Cycle)] {
            assert_eq!(inside(part.clone()).incomparable(), Some(&part));
        }
    }

    #[test]
    fn parts_come_outermost_first_and_in_order() {
        let pair = |key: i64, item: Value| (Value::from(key), item);
        let list = Value::List(vec![Value::from(2), Value::from(3)]);
        let value = Value::Dict(vec![pair(1, list.clone()), pair(4, Value::None)]);
        let parts: Vec<&Value> = value.parts().collect();
        let [one, two, three, four] = [1, 2, 3, 4].map(Value::from);
        assert_eq!(parts, [&value, &one, &list, &two, &three, &four, &Value::None]);
    }

    #[track_caller]
    fn check_sorted(members: Vec<Value>, sorted: Vec<Value>) {
        let mut reversed = members.clone();
        reversed.reverse();
        for members in [members, reversed] {
            let inside = Value::List(vec![Value::Set(members)]);
            assert_eq!(inside.with_sorted_sets(), Value::List(vec![Value::Set(sorted.clone())]));
        }
    }

    #[test]
    fn members_of_sets_are_sorted_by_value() {
        let ints = |numbers: [i64; 3]| numbers.map(Value::from).to_vec();
        check_sorted(ints([10, 1, 2]), ints([1, 2, 10]));
        let pair = |row: i64, column: i64| Value::Tuple(vec![Value::from(row), Value::from(column)]);
        check_sorted(vec![pair(10, 0), pair(2, 11), pair(2, 3)], vec![pair(2, 3), pair(2, 11), pair(10, 0)]);
        let set = |members: [i64; 2]| Value::Set(members.map(Value::from).to_vec());
        check_sorted(vec![set([3, 1]), set([2, 1])], vec![set([1, 2]), set([1, 3])]);
    }

    #[test]
    fn kinds_of_values_stay_together_in_sorted_sets() {
        let sorted =
            vec![Value::None, Value::from(false), Value::from(2), Value::from("a"), Value::from("b")];
        check_sorted(
            vec![
                sorted[4].clone(),
                sorted[2].clone(),
                sorted[0].clone(),
                sorted[3].clone(),
                sorted[1].clone(),
            ],
            sorted,
        );
    }
}
