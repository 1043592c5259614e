//! Values as another language takes them, and those that none can take.

use super::{Int, Value};

/// The integers of a double are exact up to this magnitude.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Value {
    /// The value as another language has it: JavaScript's `undefined` is none, and its numbers are integers or floats.
    pub fn neutral(&self) -> Value {
        let all = |items: &[Value]| items.iter().map(Value::neutral).collect();
        match self {
            Value::Undefined => Value::None,
            Value::Number(number) if number.fract() == 0.0 && number.abs() <= EXACT => {
                Value::Int(Int::from(*number as i64))
            }
            Value::Number(number) => Value::Float(*number),
            Value::BigInt(int) => Value::Int(int.clone()),
            Value::List(items) => Value::List(all(items)),
            Value::Tuple(items) => Value::Tuple(all(items)),
            Value::Set(items) => Value::Set(all(items)),
            Value::Dict(pairs) => {
                Value::Dict(pairs.iter().map(|(key, item)| (key.neutral(), item.neutral())).collect())
            }
            _ => self.clone(),
        }
    }

    /// The first part of the value, itself included, for which `is` holds.
    pub fn part(&self, is: &dyn Fn(&Value) -> bool) -> Option<&Value> {
        if is(self) {
            return Some(self);
        }
        match self {
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                items.iter().find_map(|item| item.part(is))
            }
            Value::Dict(pairs) => pairs.iter().find_map(|(key, item)| key.part(is).or_else(|| item.part(is))),
            _ => None,
        }
    }

    /// Its first part that equals nothing: an object of the submission's own type, or what was too large to send.
    pub fn incomparable(&self) -> Option<&Value> {
        self.part(&|part| matches!(part, Value::Opaque(_) | Value::Cut(_)))
    }
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
}
