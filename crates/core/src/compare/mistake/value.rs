//! Mistakes in a returned value.

use super::{JudgedMistake, Mistake, Reach, TextMistake, Traits};
use crate::compare::equal;
use crate::compare::value::type_name;
use crate::messages::Message;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::oracle::Refusal;

/// A mistake in a returned value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ValueMistake {
    /// The value differs in no special way.
    #[serde(rename = "Value")]
    Unexpected,
    /// The value is of another type, and differs in itself.
    OtherKind {
        /// The expected type.
        expected: String,
        /// The actual type.
        got: String,
    },
    /// The two items of a pair, or of pairs in a list, stand in each other's place.
    Swapped {
        /// The expected pair.
        expected: String,
        /// The actual pair.
        got: String,
    },
    /// A list has the right items in another order.
    Order,
    /// A list or a set lacks items, or has too many.
    Items {
        /// The number of items that are missing.
        missing: usize,
        /// The number of items that are too many.
        extra: usize,
    },
    /// The value is correct except for its type.
    Type {
        /// The expected type.
        expected: String,
        /// The actual type.
        got: String,
    },
    /// The value is correct except for the types of its items.
    InnerType,
    /// The value is correct except for the type of a value in it, which extends the expected one.
    InnerSubclass {
        /// The name of that type.
        kind: String,
    },
    /// The value has an object in it where only plain values can be judged.
    NotPlain {
        /// The type of the object.
        kind: String,
    },
    /// The value was printed instead of returned.
    Printed,
    /// Nothing was returned.
    NoneReturned,
    /// Nothing was returned instead of the object itself.
    NoneForObject,
    /// Something else was returned instead of the object itself.
    AnotherObject,
    /// The object is not equal to the expected one by its own `==`, though both look the same.
    LookAlike,
    /// The very object was returned instead of another.
    SameObject {
        /// The name bound to that object.
        name: String,
    },
    /// The value is too large, nested too deep, or contains itself.
    TooLarge,
    /// A promise, coroutine or generator was returned instead of the value.
    Deferred {
        /// The type of what was returned.
        kind: String,
    },
}

#[warn(clippy::wildcard_enum_match_arm)]
impl ValueMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            ValueMistake::Unexpected => Message::new("mistake-value"),
            ValueMistake::OtherKind { expected, got } => {
                Message::new("mistake-other-kind").with("expected", expected).with("got", got)
            }
            ValueMistake::Swapped { expected, got } => {
                Message::new("mistake-swapped").with("expected", expected).with("got", got)
            }
            ValueMistake::Order => Message::new("mistake-order"),
            ValueMistake::Items { missing, extra: 0 } => {
                Message::new("mistake-missing-items").count(*missing)
            }
            ValueMistake::Items { missing: 0, extra } => Message::new("mistake-extra-items").count(*extra),
            ValueMistake::Items { missing, extra } => {
                Message::new("mistake-other-items").with("missing", missing).with("extra", extra)
            }
            ValueMistake::Type { expected, got } => {
                Message::new("mistake-type").with("expected", expected).with("got", got)
            }
            ValueMistake::InnerType => Message::new("mistake-inner-type"),
            ValueMistake::InnerSubclass { kind } => Message::new("mistake-inner-subclass").with("kind", kind),
            ValueMistake::NotPlain { kind } => Message::new("mistake-not-plain").with("kind", kind),
            ValueMistake::Printed => Message::new("mistake-printed"),
            ValueMistake::NoneReturned => Message::new("mistake-none-returned"),
            ValueMistake::NoneForObject => Message::new("mistake-none-for-object"),
            ValueMistake::AnotherObject => Message::new("mistake-another-object"),
            ValueMistake::LookAlike => Message::new("mistake-look-alike"),
            ValueMistake::SameObject { name } => Message::new("mistake-same-object").with("name", name),
            ValueMistake::TooLarge => Message::new("mistake-too-large"),
            ValueMistake::Deferred { kind } => Message::new("mistake-deferred").with("kind", kind),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        match self {
            ValueMistake::Unexpected
            | ValueMistake::OtherKind { .. }
            | ValueMistake::Swapped { .. }
            | ValueMistake::Order
            | ValueMistake::Items { .. } => Traits::plain(Reach::Result),
            ValueMistake::AnotherObject => Traits::plain(Reach::ReturnsAnother),
            // What is done with values is done everywhere.
            ValueMistake::InnerType => Traits::plain(Reach::Submission),
            ValueMistake::Type { .. }
            | ValueMistake::NotPlain { .. }
            | ValueMistake::LookAlike
            | ValueMistake::Deferred { .. } => Traits::advising(Reach::Function),
            ValueMistake::InnerSubclass { .. } | ValueMistake::SameObject { .. } | ValueMistake::TooLarge => {
                Traits::plain(Reach::Function)
            }
            ValueMistake::NoneReturned | ValueMistake::Printed => Traits::advising(Reach::ReturnsNothing),
            ValueMistake::NoneForObject => Traits::plain(Reach::ReturnsNothing),
        }
    }
}

impl Mistake {
    /// The mistake of a wrong value. `expected` is `None` if no single value is expected.
    pub(in crate::compare) fn of_value(
        expected: Option<&Value>,
        got: &Value,
        printed: &str,
        notation: &'static dyn Notation,
    ) -> Mistake {
        if let (Some(Value::Str(expected)), Value::Str(got)) = (expected, got) {
            if notation.is_object_text(&got.to_lossy()) {
                let method = notation.syntax().text_method.to_owned();
                return Mistake::Text(TextMistake::OfObject { method });
            }
            match Mistake::of_text(&expected.to_lossy(), &got.to_lossy(), "") {
                Mistake::Text(TextMistake::Unexpected | TextMistake::Lines { .. } | TextMistake::OfNone) => {}
                mistake => return mistake,
            }
        }
        Mistake::Value(of_value(expected, got, printed, notation))
    }

    /// The mistake of an answer that an oracle does not accept: nothing was returned, a generator came, or
    /// the answer is refused for `why`.
    pub(crate) fn of_refusal(why: Refusal, got: &Value, notation: &'static dyn Notation) -> Mistake {
        match of_value(None, got, "", notation) {
            mistake if why == Refusal::NoAnswer && mistake != ValueMistake::Unexpected => {
                Mistake::Value(mistake)
            }
            _ => Mistake::Judged(JudgedMistake::Refused(why)),
        }
    }
}

fn of_value(
    expected: Option<&Value>,
    got: &Value,
    printed: &str,
    notation: &'static dyn Notation,
) -> ValueMistake {
    if matches!(got, Value::None | Value::Undefined) {
        let printed = printed.trim_end();
        let is_printed = |expected: &Value| {
            let texts = [notation.literal(expected), notation.text(expected).to_lossy()];
            !printed.is_empty() && texts.iter().any(|text| text.trim_end() == printed)
        };
        let was_printed = expected.is_some_and(is_printed);
        return if was_printed { ValueMistake::Printed } else { ValueMistake::NoneReturned };
    }
    if got.parts().any(|part| matches!(part, Value::Cut(_))) {
        return ValueMistake::TooLarge;
    }
    if let Value::Opaque(kind) = got
        && DEFERRED.contains(&kind.as_str())
    {
        return ValueMistake::Deferred { kind: kind.clone() };
    }
    match expected {
        Some(expected) if loosely_equal(expected, got, notation) => {
            let (expected, got) = (type_name(expected, notation), type_name(got, notation));
            if expected == got { ValueMistake::InnerType } else { ValueMistake::Type { expected, got } }
        }
        Some(expected) => of_items(expected, got, notation)
            .or_else(|| other_kind(expected, got, notation))
            .unwrap_or(ValueMistake::Unexpected),
        None => ValueMistake::Unexpected,
    }
}

/// The mistake of a value of another type. A list and a tuple are of one kind here: their items say more.
fn other_kind(expected: &Value, got: &Value, notation: &'static dyn Notation) -> Option<ValueMistake> {
    let is_sequence = |value: &Value| matches!(value, Value::List(_) | Value::Tuple(_));
    let is_nothing = matches!(expected, Value::None | Value::Undefined);
    // A wrong number is wrong, with a fraction or without.
    let are_numbers = expected.as_number().is_some() && got.as_number().is_some();
    let (of_expected, of_got) = (type_name(expected, notation), type_name(got, notation));
    let are_sequences = is_sequence(expected) && is_sequence(got);
    let differ = of_expected != of_got && !are_sequences && !are_numbers && !is_nothing;
    differ.then_some(ValueMistake::OtherKind { expected: of_expected, got: of_got })
}

/// The most values in a list, at any depth, in which missing ones are looked for.
const MOST_PARTS: usize = 2000;

/// The most characters of a pair in a message.
const MOST_OF_A_PAIR: usize = 40;

/// The most items of a list that stand for something by their places.
const MOST_PLACES: usize = 4;

/// The mistake in the items of a list or a set.
fn of_items(expected: &Value, got: &Value, notation: &'static dyn Notation) -> Option<ValueMistake> {
    let is_set = matches!(expected, Value::Set(_));
    if is_set != matches!(got, Value::Set(_)) {
        return None;
    }
    let (expected_items, got_items) = (items(expected)?, items(got)?);
    let is_large = |value: &Value| value.parts().take(MOST_PARTS + 1).count() > MOST_PARTS;
    if is_large(expected) || is_large(got) {
        return None;
    }
    if let Some((expected, got)) = swapped(expected, got, notation).filter(|_| !is_set) {
        let [expected, got] = [expected, got].map(|value| notation.literal(value));
        let is_short = expected.chars().count() <= MOST_OF_A_PAIR;
        return Some(if is_short {
            ValueMistake::Swapped { expected, got }
        } else {
            ValueMistake::Unexpected
        });
    }
    let mut extra: Vec<&Value> = got_items.iter().collect();
    let mut missing = 0;
    for item in expected_items {
        match extra.iter().position(|other| equal(item, other, notation)) {
            Some(index) => drop(extra.swap_remove(index)),
            None => missing += 1,
        }
    }
    let extra = extra.len();
    let count = expected_items.len();
    let has_twins = (1..count).any(|index| {
        expected_items[..index].iter().any(|item| equal(item, &expected_items[index], notation))
    });
    let is_one_empty = count == 0 || got_items.is_empty();
    // In a list of fixed length, such as a row of numbers, a wrong item is neither missing nor too many.
    let is_collection = is_set
        || count != got_items.len()
        || count > MOST_PLACES && 2 * missing <= count
        || expected_items.iter().any(is_pair);
    match (missing, extra) {
        (0, 0) => (!is_set && !has_twins).then_some(ValueMistake::Order),
        _ => ((missing < count || is_one_empty) && is_collection)
            .then_some(ValueMistake::Items { missing, extra }),
    }
}

/// The items of a list, a tuple or a set.
fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => Some(items),
        _ => None,
    }
}

fn is_pair(value: &Value) -> bool {
    matches!(value, Value::List(items) | Value::Tuple(items) if items.len() == 2)
}

/// The first pairs in two values, or they themselves, whose items stand in each other's place; `None` if anything else
/// differs.
fn swapped<'v>(
    expected: &'v Value,
    got: &'v Value,
    notation: &'static dyn Notation,
) -> Option<(&'v Value, &'v Value)> {
    let (Value::List(wanted) | Value::Tuple(wanted), Value::List(came) | Value::Tuple(came)) =
        (expected, got)
    else {
        return None;
    };
    if wanted.len() != came.len() {
        return None;
    }
    let is_same = |one: usize, other: usize| equal(&wanted[one], &came[other], notation);
    let differing: Vec<usize> = (0..wanted.len()).filter(|&index| !is_same(index, index)).collect();
    if wanted.len() == 2 && is_same(0, 1) && is_same(1, 0) && !differing.is_empty() {
        return Some((expected, got));
    }
    let inner: Option<Vec<_>> =
        differing.iter().map(|&index| swapped(&wanted[index], &came[index], notation)).collect();
    inner?.first().copied()
}

/// Types of values that are not computed yet.
pub(in crate::compare) const DEFERRED: [&str; 6] =
    ["coroutine", "generator", "async_generator", "Promise", "GeneratorFunction", "Generator"];

/// Whether two values are the same except for types: `1` and `True`, `'1'` and `1`, a list and a set.
fn loosely_equal(expected: &Value, got: &Value, notation: &'static dyn Notation) -> bool {
    let number = |value: &Value| {
        let Value::Bool(truth) = value else { return value.as_number() };
        Some(f64::from(u8::from(*truth)))
    };
    if let (Value::Int(expected) | Value::BigInt(expected), Value::Int(got) | Value::BigInt(got)) =
        (expected, got)
    {
        // As doubles, neighbouring large integers would be equal.
        return expected == got;
    }
    if let (Some(expected), Some(got)) = (number(expected), number(got)) {
        return expected == got;
    }
    match (expected, got) {
        (Value::Str(text), other) | (other, Value::Str(text)) => {
            let scalar = number(other).is_some() || matches!(other, Value::Str(_) | Value::None);
            scalar && (*text == notation.text(other) || *text == *notation.literal(other))
        }
        (Value::Set(set), Value::List(items) | Value::Tuple(items) | Value::Set(items))
        | (Value::List(items) | Value::Tuple(items), Value::Set(set)) => {
            set.len() == items.len()
                && set.iter().all(|member| items.iter().any(|item| loosely_equal(member, item, notation)))
        }
        (Value::List(expected) | Value::Tuple(expected), Value::List(got) | Value::Tuple(got)) => {
            expected.len() == got.len()
                && expected.iter().zip(got).all(|(expected, got)| loosely_equal(expected, got, notation))
        }
        _ => equal(expected, got, notation),
    }
}

#[cfg(test)]
mod tests {
    use super::{Mistake, TextMistake, ValueMistake, of_value};
    use crate::languages::python::Python;
    use crate::value::Value;

    #[track_caller]
    fn check(expected: Value, got: Value, printed: &str, mistake: ValueMistake) {
        assert_eq!(of_value(Some(&expected), &got, printed, &Python), mistake);
    }

    #[test]
    fn a_right_value_of_another_type_is_named_so() {
        let of_type =
            |expected: &str, got: &str| ValueMistake::Type { expected: expected.into(), got: got.into() };
        let one = || Value::from(1);
        check(Value::from(true), one(), "", of_type("bool", "int"));
        check(one(), Value::from("1"), "", of_type("int", "str"));
        check(Value::Tuple(vec![one()]), Value::List(vec![one()]), "", of_type("tuple", "list"));
        check(Value::Set(vec![one()]), Value::List(vec![one()]), "", of_type("set", "list"));
        check(Value::from("R"), Value::from("B"), "", ValueMistake::Unexpected);
        let [large, next] = ["10000000000000000", "10000000000000001"].map(|digits| digits.parse().unwrap());
        check(Value::Int(large), Value::Int(next), "", ValueMistake::Unexpected);
        check(Value::List(vec![one()]), Value::List(vec![Value::from(2)]), "", ValueMistake::Unexpected);
    }

    fn list(items: &[i64]) -> Value {
        Value::List(items.iter().copied().map(Value::from).collect())
    }

    #[test]
    fn a_wrong_value_of_another_type_is_named_so() {
        let kinds = ValueMistake::OtherKind { expected: "list".to_owned(), got: "str".to_owned() };
        check(list(&[1]), Value::from("R"), "", kinds);
        check(list(&[1]), Value::Tuple(vec![Value::from(2)]), "", ValueMistake::Unexpected);
        check(Value::None, Value::from(2), "", ValueMistake::Unexpected);
        check(Value::Float(12.5), Value::from(0), "", ValueMistake::Unexpected);
    }

    #[test]
    fn the_text_of_an_object_without_one_is_named_so() {
        let object = Value::from("<a.Card object at 0x7f0012345678>");
        let mistake = Mistake::of_value(Some(&Value::from("Q")), &object, "", &Python);
        assert!(matches!(mistake, Mistake::Text(TextMistake::OfObject { .. })), "{mistake:?}");
    }

    #[test]
    fn items_are_swapped_in_another_order_missing_or_too_many() {
        let swapped = |expected: &str, got: &str| ValueMistake::Swapped {
            expected: expected.to_owned(),
            got: got.to_owned(),
        };
        let pairs = |pairs: &[[i64; 2]]| Value::List(pairs.iter().map(|pair| list(pair)).collect());
        check(list(&[0, 1]), list(&[1, 0]), "", swapped("[0, 1]", "[1, 0]"));
        check(
            pairs(&[[0, 0], [0, 1], [2, 1]]),
            pairs(&[[0, 0], [1, 0], [1, 2]]),
            "",
            swapped("[0, 1]", "[1, 0]"),
        );
        check(list(&[1, 2, 3]), list(&[2, 3, 1]), "", ValueMistake::Order);
        check(list(&[1, 2, 3]), list(&[3, 2, 1]), "", ValueMistake::Order);
        check(list(&[1, 0, 0]), list(&[0, 1, 0]), "", ValueMistake::Unexpected);
        let rows = |rows: &[[i64; 3]]| Value::List(rows.iter().map(|row| list(row)).collect());
        check(rows(&[[1, 0, 0], [0, 1, 0]]), rows(&[[1, 0, 0], [0, 2, 0]]), "", ValueMistake::Unexpected);
        check(list(&[1, 3, 6, 10, 15]), list(&[1, 2, 3, 4, 5]), "", ValueMistake::Unexpected);
        check(list(&[1, 2, 3]), list(&[3]), "", ValueMistake::Items { missing: 2, extra: 0 });
        check(list(&[]), list(&[3]), "", ValueMistake::Items { missing: 0, extra: 1 });
        check(
            pairs(&[[1, 2], [3, 4]]),
            pairs(&[[1, 2], [3, 5]]),
            "",
            ValueMistake::Items { missing: 1, extra: 1 },
        );
        check(list(&[1, 2]), list(&[1, 3]), "", ValueMistake::Unexpected);
        let items = ValueMistake::Items { missing: 1, extra: 1 };
        check(list(&[1, 2, 3, 4, 5]), list(&[0, 1, 2, 3, 4]), "", items);
        check(list(&[1, 2]), list(&[3, 4, 5]), "", ValueMistake::Unexpected);
        let set = |items: &[i64]| Value::Set(items.iter().copied().map(Value::from).collect());
        check(set(&[1, 2]), set(&[2, 3]), "", ValueMistake::Items { missing: 1, extra: 1 });
    }

    #[test]
    fn printing_and_returning_nothing_differ() {
        check(Value::from("R"), Value::None, "R\n", ValueMistake::Printed);
        check(Value::from("R"), Value::None, "'R'\n", ValueMistake::Printed);
        check(Value::from("R"), Value::None, "", ValueMistake::NoneReturned);
        check(Value::from("R"), Value::None, "B\n", ValueMistake::NoneReturned);
        let coroutine = || "coroutine".to_owned();
        let deferred = ValueMistake::Deferred { kind: coroutine() };
        check(Value::from(1), Value::Opaque(coroutine()), "", deferred);
    }
}
