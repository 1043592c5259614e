//! Values for the arguments of random sessions: of a domain, or like those that cases have.

use crate::case::Domain;
use crate::value::random::Random;
use crate::value::{Int, Text, Value};
use std::collections::BTreeSet;
use std::mem::discriminant;

/// The parts of a range of numbers with a fraction: its numbers are the borders between them.
const PARTS: u8 = 16;

/// A value of a domain. The borders of a range, and the numbers near 0, are more likely than others.
pub(super) fn drawn(domain: &Domain, random: &mut Random) -> Value {
    match domain {
        Domain::Integers { from, to } => Value::from(match random.below(4) {
            0 => *from,
            1 => *to,
            2 => i64::try_from(random.below(4)).unwrap_or_default().saturating_sub(1).clamp(*from, *to),
            _ => between(*from, *to, random),
        }),
        Domain::Numbers { from, to } => {
            let part = f64::from(u8::try_from(random.below(usize::from(PARTS) + 1)).unwrap_or_default());
            Value::Float(from + (to - from) * (part / f64::from(PARTS)))
        }
        Domain::OneOf(values) => values.get(random.below(values.len())).cloned().unwrap_or(Value::None),
        Domain::Text { length, of } => {
            let letters = 0..random.below(length + 1);
            Value::from(letters.filter_map(|_| of.get(random.below(of.len()))).collect::<String>())
        }
        Domain::List { length, of } => {
            Value::List((0..random.below(length + 1)).map(|_| drawn(of, random)).collect())
        }
    }
}

/// An integer from one to another.
fn between(from: i64, to: i64, random: &mut Random) -> i64 {
    let width = to.wrapping_sub(from).cast_unsigned();
    let above = width.checked_add(1).map_or(random.number(), |count| random.number() % count);
    from.wrapping_add(above.cast_signed())
}

/// Whether two values are of one kind.
pub(super) fn alike(one: &Value, other: &Value) -> bool {
    discriminant(one) == discriminant(other)
}

/// A value like `value`, not far outside of what `others` are.
pub(super) fn near(value: &Value, others: &[&Value], random: &mut Random) -> Value {
    match value {
        Value::Int(int) => {
            let numbers = others
                .iter()
                .filter_map(|other| if let Value::Int(int) = other { int.to_i64() } else { None });
            let numbers: Vec<i64> = numbers.collect();
            let Some(number) = int.to_i64() else { return value.clone() };
            let least = numbers.iter().copied().min().unwrap_or(number);
            let most = numbers.iter().copied().max().unwrap_or(number).saturating_add(1);
            let next = match random.below(3) {
                0 => number.saturating_add(1),
                1 => number.saturating_sub(1),
                _ => between(least, most, random),
            };
            Value::Int(Int::from(next.clamp(least, most)))
        }
        Value::List(items) if vary_in_length(others) => Value::List(fewer(items, random)),
        _ => value.clone(),
    }
}

/// Whether the examples are lists of several lengths, of numbers or texts: only then may another list do as
/// well, unless they look like grids.
fn vary_in_length(others: &[&Value]) -> bool {
    let mut lengths = BTreeSet::new();
    let flat = others.iter().all(|other| match other {
        Value::List(items) => {
            lengths.insert(items.len());
            items.iter().all(|item| matches!(item, Value::Int(_) | Value::Float(_) | Value::Str(_)))
        }
        _ => false,
    });
    flat && lengths.len() > 1 && !others.iter().all(|other| is_grid(other))
}

/// Whether a list has texts of one length, so that each may be a row.
fn is_grid(value: &Value) -> bool {
    let Value::List(rows) = value else { return false };
    let length = |row: &Value| match row {
        Value::Str(text) => text.as_str().map(|text| text.chars().count()),
        _ => None,
    };
    let lengths: Option<BTreeSet<usize>> = rows.iter().map(length).collect();
    lengths.is_some_and(|lengths| lengths.len() == 1 && !lengths.contains(&1))
}

/// Some of the items, at least one, in another order.
fn fewer(items: &[Value], random: &mut Random) -> Vec<Value> {
    let mut items = items.to_vec();
    match random.below(3) {
        0 if items.len() > 1 => drop(items.remove(random.below(items.len()))),
        1 => random.shuffle(&mut items),
        _ if !items.is_empty() => {
            let again = items[random.below(items.len())].clone();
            items.push(again);
        }
        _ => {}
    }
    items
}

/// A value of the same kind that programs often get wrong: none or one of something, a negative number, a
/// text or list that is empty, doubled or reversed.
pub(super) fn awkward(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Int(int) => {
            let number = int.to_i64().unwrap_or_default();
            let awkward = [0, 1, -1, number.saturating_add(1), number.saturating_sub(1)];
            Value::from(awkward[random.below(awkward.len())])
        }
        Value::Float(number) => {
            let awkward = [0.0, -number, number + 1.0, number / 2.0];
            Value::Float(awkward[random.below(awkward.len())])
        }
        Value::Str(Text::Unicode(text)) => Value::from(match random.below(3) {
            0 => String::new(),
            1 => text.repeat(2),
            _ => text.chars().rev().collect(),
        }),
        Value::List(items) => Value::List(match random.below(3) {
            0 => Vec::new(),
            1 => items.iter().chain(items).cloned().collect(),
            _ => items.iter().rev().cloned().collect(),
        }),
        Value::Tuple(items) if !items.is_empty() => {
            let mut items = items.clone();
            let at = random.below(items.len());
            items[at] = awkward(&items[at], random);
            Value::Tuple(items)
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{awkward, drawn, near};
    use crate::case::Domain;
    use crate::value::Value;
    use crate::value::random::Random;
    use std::collections::BTreeSet;

    fn all(mut draw: impl FnMut(&mut Random) -> Value) -> BTreeSet<String> {
        let mut random = Random::new(0);
        (0..200).map(|_| format!("{:?}", draw(&mut random))).collect()
    }

    #[test]
    fn a_domain_gives_its_values_and_no_others() {
        let integers = all(|random| drawn(&Domain::Integers { from: -2, to: 2 }, random));
        let expected = (-2..=2).map(|number| format!("{:?}", Value::from(number)));
        assert_eq!(integers, expected.collect());
        let whole = Domain::Integers { from: i64::MIN, to: i64::MAX };
        assert!(all(|random| drawn(&whole, random)).len() > 10);
        let texts = all(|random| drawn(&Domain::Text { length: 2, of: vec!['a', 'b'] }, random));
        let expected = ["", "a", "b", "aa", "ab", "ba", "bb"].map(|text| format!("{:?}", Value::from(text)));
        assert_eq!(texts, expected.into());
        let one = Box::new(Domain::OneOf(vec![Value::from(7)]));
        let lists = all(|random| drawn(&Domain::List { length: 1, of: one.clone() }, random));
        let expected = [vec![], vec![Value::from(7)]].map(|items| format!("{:?}", Value::List(items)));
        assert_eq!(lists, expected.into());
        let numbers = all(|random| drawn(&Domain::Numbers { from: 0.0, to: 4.0 }, random));
        assert!(numbers.contains("Float(0.0)") && numbers.contains("Float(4.0)") && numbers.len() == 17);
    }

    #[test]
    fn a_near_integer_lies_between_the_examples_or_one_above() {
        let [least, most] = [Value::from(2), Value::from(4)];
        let found = all(|random| near(&least, &[&least, &most], random));
        assert_eq!(found, (2..=5).map(|number| format!("{:?}", Value::from(number))).collect());
    }

    #[test]
    fn a_near_list_has_other_items_unless_it_is_a_grid() {
        let list = |texts: &[&str]| Value::List(texts.iter().map(|text| Value::from(*text)).collect());
        let [short, long] = [list(&["a"]), list(&["b", "cd"])];
        assert!(all(|random| near(&long, &[&short, &long], random)).len() > 2);
        let [short, long] = [list(&["##"]), list(&["# ", "##"])];
        assert_eq!(all(|random| near(&long, &[&short, &long], random)), [format!("{long:?}")].into());
    }

    #[test]
    fn an_awkward_value_is_of_the_same_kind() {
        let found = all(|random| awkward(&Value::from("ab"), random));
        assert_eq!(found, ["", "abab", "ba"].map(|text| format!("{:?}", Value::from(text))).into());
        let found = all(|random| awkward(&Value::from(7), random));
        assert_eq!(found, [0, 1, -1, 6, 8].map(|number| format!("{:?}", Value::from(number))).into());
    }
}
