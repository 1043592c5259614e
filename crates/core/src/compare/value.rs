//! Equality of values.

use super::pairing::{in_line, pairing};
use super::words::is_near;
use crate::case::{Tolerance, View};
use crate::value::notation::Notation;
use crate::value::{Int, Value};

/// The bits of the largest integer below [`Int::MOST_EXACT`].
const EXACT_BITS: u64 = f64::MANTISSA_DIGITS as u64;

/// The rules of equality between an expected and an actual value.
#[derive(Clone, Copy, Debug)]
pub struct Equality<'a> {
    /// Whether a list and a tuple differ.
    pub exact: bool,
    /// The language of the actual value.
    pub notation: &'static dyn Notation,
    /// Whether that language distinguishes tuples from lists; if not, a list always counts as a tuple.
    pub tuples: bool,
    /// The view of the value, which defines where order is irrelevant.
    pub view: Option<&'a View>,
    /// The differences that are allowed between numbers; `None` if they must be equal.
    pub tolerance: Option<&'a Tolerance>,
    /// Whether a text may stand for any key of a dictionary, because the actual value has only texts as keys.
    pub text_keys: bool,
}

/// Whether both are equal, including types, in one language.
pub fn equal(expected: &Value, got: &Value, notation: &'static dyn Notation) -> bool {
    let tuples = notation.has_tuples();
    Equality { exact: true, notation, tuples, view: None, tolerance: None, text_keys: false }
        .holds(expected, got)
}

impl<'a> Equality<'a> {
    /// Whether `got` is equal to `expected`.
    pub fn holds(&self, expected: &Value, got: &Value) -> bool {
        if let Some(near) = self.are_near(expected, got) {
            return near;
        }
        match (expected, got) {
            (Value::None, Value::None) => true,
            (Value::None | Value::Undefined, Value::None | Value::Undefined) => {
                self.notation.has_one_nothing()
            }
            (Value::Bool(expected), Value::Bool(got)) => expected == got,
            (Value::Int(expected), Value::Int(got)) => expected == got,
            // JavaScript has one type for both, and another for integers too large for a double.
            (Value::Int(expected), Value::Number(got)) => Int::of_double(*got).as_ref() == Some(expected),
            (Value::Int(expected), Value::BigInt(got)) => expected == got && expected.bits() > EXACT_BITS,
            (Value::BigInt(expected), Value::BigInt(got)) => expected == got,
            (Value::Float(expected), Value::Float(got) | Value::Number(got))
            | (Value::Number(expected), Value::Number(got)) => {
                expected == got || (expected.is_nan() && got.is_nan())
            }
            (Value::Str(expected), Value::Str(got)) => expected == got,
            (Value::List(expected), Value::List(got)) | (Value::Tuple(expected), Value::Tuple(got)) => {
                self.sequences(expected, got)
            }
            (Value::List(expected), Value::Tuple(got)) => !self.exact && self.sequences(expected, got),
            (Value::Tuple(expected), Value::List(got)) => {
                (!self.exact || !self.tuples) && self.sequences(expected, got)
            }
            (Value::Set(expected), Value::Set(got)) => self.inner(None).any_order(expected, got),
            (Value::Dict(expected), Value::Dict(got)) => {
                let inner = self.inner(None);
                self.unordered(expected, got, &|(key, item), (got_key, got_item)| {
                    inner.are_keys(key, got_key) && inner.holds(item, got_item)
                })
            }
            // Opaque or truncated values equal nothing, and types must match.
            _ => false,
        }
    }

    /// Whether two keys of dictionaries are equal.
    fn are_keys(&self, expected: &Value, got: &Value) -> bool {
        let is_text = || matches!(got, Value::Str(text) if *text == self.notation.text(expected));
        self.holds(expected, got) || self.text_keys && is_text()
    }

    fn inner<'v>(&self, view: Option<&'v View>) -> Equality<'v>
    where
        'a: 'v,
    {
        Equality { view, ..*self }
    }

    fn sequences(&self, expected: &[Value], got: &[Value]) -> bool {
        let Some(view) = self.view else { return self.in_order(expected, got) };
        if view.each || view.parts.is_empty() {
            // The items have the same view, but are not lists themselves.
            let item = View { each: false, any_order: false, parts: view.parts.clone() };
            let inner = self.inner((!item.parts.is_empty()).then_some(&item));
            return if view.any_order {
                inner.any_order(expected, got)
            } else {
                inner.in_order(expected, got)
            };
        }
        expected.len() == got.len()
            && expected.iter().zip(got).enumerate().all(|(index, (expected, got))| {
                let part = view.parts.get(index).and_then(|part| part.view.as_ref());
                self.inner(part).holds(expected, got)
            })
    }

    fn in_order(&self, expected: &[Value], got: &[Value]) -> bool {
        expected.len() == got.len()
            && expected.iter().zip(got).all(|(expected, got)| self.holds(expected, got))
    }

    fn any_order(&self, expected: &[Value], got: &[Value]) -> bool {
        self.unordered(expected, got, &|expected, got| self.holds(expected, got))
    }

    /// Whether the items of both can be paired.
    fn unordered<T>(&self, expected: &[T], got: &[T], equal: &dyn Fn(&T, &T) -> bool) -> bool {
        if expected.len() != got.len() {
            return false;
        }
        let mut left: Vec<&T> = got.iter().collect();
        let is_paired =
            expected.iter().all(|expected| match left.iter().position(|got| equal(expected, got)) {
                Some(index) => {
                    left.swap_remove(index);
                    true
                }
                None => false,
            });
        // Where numbers need only be near, the first partner may be the only one of another item.
        is_paired
            || self.tolerance.is_some() && {
                let same = |one: usize, other: usize| equal(&expected[one], &got[other]);
                pairing(expected.len(), got.len(), &same).iter().all(Option::is_some)
            }
    }

    /// Whether two numbers are near enough; `None` if exact equality decides.
    fn are_near(&self, expected: &Value, got: &Value) -> Option<bool> {
        let tolerance = self.tolerance.filter(|tolerance| !tolerance.is_exact())?;
        let (one, other) = (expected.as_number()?, got.as_number()?);
        let loose = tolerance.loose_numbers.unwrap_or(false);
        if one.is_nan() || !(loose || same_kind(expected, got)) {
            return None;
        }
        let are_integers = !expected.is_float() && !got.is_float();
        let allowed = if are_integers { tolerance.allowed_integer(one) } else { tolerance.allowed(one) };
        if let (Value::Int(one) | Value::BigInt(one), Value::Int(other) | Value::BigInt(other)) =
            (expected, got)
        {
            // As doubles, neighbouring large integers would be equal.
            let blurred =
                one.bits().max(other.bits()) > EXACT_BITS && allowed < one.to_f64().abs() * f64::EPSILON;
            if one == other || blurred {
                return Some(one == other);
            }
        }
        Some(is_near(one, other, allowed))
    }

    /// The expected value that is nearest to `got`: what the tolerance accepts is as it came.
    pub(super) fn nearest(&self, expected: &Value, got: &Value) -> Value {
        if self.holds(expected, got) {
            return got.clone();
        }
        let inner = self.inner(None);
        let items = |expected: &[Value], got: &[Value], unordered: bool| -> Vec<Value> {
            let same = |one: usize, other: usize| inner.holds(&expected[one], &got[other]);
            let partners = if unordered {
                pairing(expected.len(), got.len(), &same)
            } else {
                in_line(expected.len(), got.len(), &same)
            };
            let nearest = |(item, partner): (&Value, Option<usize>)| match partner {
                Some(partner) => inner.nearest(item, &got[partner]),
                None => inner.shaped_like(item, got.first()),
            };
            expected.iter().zip(partners).map(nearest).collect()
        };
        let unordered = self.view.is_some_and(|view| view.any_order);
        match (expected, got) {
            (Value::List(expected), Value::Tuple(got)) if !self.exact => {
                Value::Tuple(items(expected, got, unordered))
            }
            (Value::List(expected), Value::List(got) | Value::Tuple(got)) => {
                Value::List(items(expected, got, unordered))
            }
            (Value::Tuple(expected), Value::List(got) | Value::Tuple(got)) => {
                Value::Tuple(items(expected, got, unordered))
            }
            (Value::Set(expected), Value::Set(got)) => Value::Set(items(expected, got, true)),
            (Value::Dict(expected), Value::Dict(got)) => {
                let nearest = |(key, item): &(Value, Value)| {
                    let found = got.iter().find(|(came, _)| inner.are_keys(key, came));
                    match found {
                        Some((key, came)) => (key.clone(), inner.nearest(item, came)),
                        None => (key.clone(), item.clone()),
                    }
                };
                Value::Dict(expected.iter().map(nearest).collect())
            }
            _ => expected.clone(),
        }
    }

    /// An expected item that did not come: a tuple if those that came are tuples, and either is right.
    fn shaped_like(&self, expected: &Value, came: Option<&Value>) -> Value {
        match (expected, came) {
            (Value::List(items), Some(Value::Tuple(_))) if !self.exact => Value::Tuple(items.clone()),
            _ => expected.clone(),
        }
    }
}

/// Whether two numbers have one type, as far as the language of the second distinguishes them.
fn same_kind(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::Int(_), Value::Int(_) | Value::Number(_))
        | (Value::Float(_) | Value::Number(_), Value::Float(_) | Value::Number(_))
        | (Value::BigInt(_), Value::BigInt(_)) => true,
        (Value::Int(expected), Value::BigInt(_)) => expected.bits() > EXACT_BITS,
        _ => false,
    }
}

/// The names of the types of plain values, in any language's term.
pub(crate) const PLAIN_TYPES: &[&str] = &[
    "None", "NoneType", "null", "undefined", "bool", "boolean", "int", "float", "number", "bigint", "str",
    "string", "list", "array", "Array", "tuple", "set", "Set", "dict", "Map", "object", "Object",
];

/// Whether `value` is of exactly the type called `name`, in either language's term; `own` is the name of its type
/// if that is none of the plain ones.
pub(super) fn is_exactly(value: &Value, own: Option<&str>, name: &str) -> bool {
    own.filter(|own| !PLAIN_TYPES.contains(own)).map_or_else(|| is_type(value, name), |own| own == name)
}

/// Whether `value` is of the type called `name`, in either language's term.
pub(super) fn is_type(value: &Value, name: &str) -> bool {
    let names: &[&str] = match value {
        Value::None => &["None", "NoneType", "null"],
        Value::Undefined => &["undefined", "None", "NoneType"],
        Value::Bool(_) => &["bool", "boolean"],
        Value::Int(_) => &["int", "number"],
        Value::Float(_) => &["float", "number"],
        Value::Number(number) if number.fract() == 0.0 => &["int", "float", "number"],
        Value::Number(_) => &["float", "number"],
        Value::BigInt(_) => &["int", "bigint"],
        Value::Str(_) => &["str", "string"],
        Value::List(_) => &["list", "array", "Array"],
        Value::Tuple(_) => &["tuple"],
        Value::Set(_) => &["set", "Set"],
        Value::Dict(_) => &["dict", "Map", "object", "Object"],
        Value::Opaque(class) => return class == name,
        Value::Cut(_) => &[],
    };
    names.contains(&name)
}

/// The name of a value's type in a language.
pub(super) fn type_name(value: &Value, notation: &'static dyn Notation) -> String {
    let types = notation.types();
    let name = match value {
        Value::None => types.none,
        Value::Undefined => types.undefined,
        Value::Bool(_) => types.bool,
        Value::Int(_) => types.int,
        Value::Float(_) | Value::Number(_) => types.float,
        Value::BigInt(_) => types.big_int,
        Value::Str(_) => types.string,
        Value::List(_) => types.list,
        Value::Tuple(_) => types.tuple,
        Value::Set(_) => types.set,
        Value::Dict(_) => types.dict,
        Value::Opaque(name) => name,
        Value::Cut(_) => "…",
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Equality, equal};
    use crate::case::{Tolerance, View};
    use crate::languages::{javascript::JavaScript, python::Python};
    use crate::value::notation::Notation;
    use crate::value::{Int, Value};
    use proptest::collection;
    use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

    fn list(items: &[i64]) -> Value {
        Value::List(items.iter().copied().map(Value::from).collect())
    }

    fn tuple(items: &[i64]) -> Value {
        Value::Tuple(items.iter().copied().map(Value::from).collect())
    }

    #[track_caller]
    fn check(expected: Value, got: Value, notation: &'static dyn Notation, plain: bool, exact: bool) {
        let tuples = notation.has_tuples();
        assert_eq!(
            Equality { exact: false, notation, tuples, view: None, tolerance: None, text_keys: false }
                .holds(&expected, &got),
            plain,
            "plain"
        );
        assert_eq!(equal(&expected, &got, notation), exact, "exact");
    }

    #[test]
    fn types_that_a_language_tells_apart_differ() {
        let python = &Python;
        check(Value::from(1), Value::from(1), python, true, true);
        check(Value::from(1), Value::from(true), python, false, false);
        check(Value::from(true), Value::from(1), python, false, false);
        check(Value::from(1), Value::Float(1.0), python, false, false);
        check(Value::from("1"), Value::from(1), python, false, false);
        check(Value::None, Value::from(false), python, false, false);
        check(list(&[1]), tuple(&[1]), python, true, false);
        check(tuple(&[1]), list(&[1]), python, true, false);
        check(list(&[1]), Value::Set(vec![Value::from(1)]), python, false, false);
        check(Value::Float(f64::NAN), Value::Float(f64::NAN), python, true, true);
        check(Value::Opaque("A".into()), Value::Opaque("A".into()), python, false, false);
    }

    #[test]
    fn the_nearest_value_has_tuples_where_tuples_came() {
        let expected = Value::List(vec![list(&[1, 2]), list(&[3, 4])]);
        let got = Value::List(vec![tuple(&[1, 2])]);
        let plain = Equality {
            exact: false,
            notation: &Python,
            tuples: true,
            view: None,
            tolerance: None,
            text_keys: false,
        };
        assert_eq!(plain.nearest(&expected, &got), Value::List(vec![tuple(&[1, 2]), tuple(&[3, 4])]));
        assert_eq!(plain.nearest(&list(&[1, 2]), &tuple(&[1])), tuple(&[1, 2]));
        assert_eq!(Equality { exact: true, ..plain }.nearest(&expected, &got), expected);
    }

    #[test]
    fn a_language_without_a_type_uses_its_own() {
        let javascript = &JavaScript;
        check(Value::from(1), Value::Number(1.0), javascript, true, true);
        check(Value::Float(1.0), Value::Number(1.0), javascript, true, true);
        check(Value::from(1), Value::Number(1.5), javascript, false, false);
        check(Value::from(1), Value::BigInt(Int::from(1)), javascript, false, false);
        let huge: Int = "9007199254740993".parse().unwrap();
        check(Value::Int(huge.clone()), Value::BigInt(huge.clone()), javascript, true, true);
        check(Value::Int(huge), Value::Number(9_007_199_254_740_992.0), javascript, false, false);
        check(tuple(&[1]), list(&[1]), javascript, true, true);
        check(Value::None, Value::Undefined, javascript, true, true);
        check(Value::from(1), Value::from(true), javascript, false, false);
    }

    #[test]
    fn sets_and_dictionaries_have_no_order() {
        let set = |items: &[i64]| Value::Set(items.iter().map(|item| tuple(&[*item])).collect());
        check(set(&[1, 2]), set(&[2, 1]), &Python, true, true);
        check(set(&[1, 2]), set(&[1, 1]), &Python, false, false);
        check(set(&[1]), set(&[1, 2]), &Python, false, false);
        let dict =
            |a: i64, b: i64| Value::Dict(vec![(Value::from(a), Value::None), (Value::from(b), Value::None)]);
        check(dict(1, 2), dict(2, 1), &Python, true, true);
    }

    #[test]
    fn a_view_says_where_order_means_nothing() {
        let any = View { each: false, any_order: true, parts: Vec::new() };
        let holds = |view, expected: &Value, got: &Value| {
            Equality {
                exact: false,
                notation: &Python,
                tuples: true,
                view,
                tolerance: None,
                text_keys: false,
            }
            .holds(expected, got)
        };
        assert!(holds(Some(&any), &list(&[1, 2]), &tuple(&[2, 1])));
        assert!(!holds(None, &list(&[1, 2]), &list(&[2, 1])));
        // Only the list itself is unordered, not the lists in it.
        let nested = |items: &[&[i64]]| Value::List(items.iter().map(|item| list(item)).collect());
        assert!(holds(Some(&any), &nested(&[&[1, 2], &[3, 4]]), &nested(&[&[3, 4], &[1, 2]])));
        assert!(!holds(Some(&any), &nested(&[&[1, 2]]), &nested(&[&[2, 1]])));
    }

    fn values() -> impl Strategy<Value = Value> {
        let number = prop_oneof![
            any::<i8>().prop_map(|number| Value::from(i64::from(number))),
            any::<i8>().prop_map(|number| Value::Float(f64::from(number) / 4.0)),
            Just(Value::Float(f64::NAN)),
            Just(Value::from(true)),
            Just(Value::from("1")),
        ];
        number.prop_recursive(3, 12, 4, |inner| {
            let items = || collection::vec(inner.clone(), 0..4);
            prop_oneof![
                items().prop_map(Value::List),
                items().prop_map(Value::Tuple),
                items().prop_map(Value::Set),
                collection::vec((inner.clone(), inner.clone()), 0..3).prop_map(Value::Dict),
            ]
        })
    }

    /// A value with each float moved by `distance`, and its collections without an order turned round.
    fn moved(value: &Value, distance: f64) -> Value {
        let all = |items: &[Value]| items.iter().map(|item| moved(item, distance)).collect::<Vec<_>>();
        if let Value::Float(number) = value {
            Value::Float(number + distance)
        } else if let Value::List(items) = value {
            Value::List(all(items))
        } else if let Value::Tuple(items) = value {
            Value::Tuple(all(items))
        } else if let Value::Set(items) = value {
            Value::Set(all(items).into_iter().rev().collect())
        } else if let Value::Dict(pairs) = value {
            let pairs = pairs.iter().rev();
            Value::Dict(pairs.map(|(key, item)| (moved(key, distance), moved(item, distance))).collect())
        } else {
            value.clone()
        }
    }

    proptest! {
        /// Two values are compared as they are without a tolerance, and what is near enough is accepted at
        /// any depth.
        #[test]
        fn no_tolerance_is_exact_and_a_tolerance_reaches_everything(one in values(), other in values()) {
            let exact = Equality { exact: true, notation: &Python, tuples: true, view: None, tolerance: None, text_keys: false };
            let none = Tolerance { within: Some(0.0), relative: Some(0.0), ..Tolerance::default() };
            let zero = Equality { tolerance: Some(&none), ..exact };
            prop_assert_eq!(zero.holds(&one, &other), exact.holds(&one, &other));
            prop_assert!(zero.holds(&one, &one));
            let within = Tolerance { within: Some(0.125), ..Tolerance::default() };
            let near = Equality { tolerance: Some(&within), ..exact };
            let shifted = moved(&one, 0.125);
            prop_assert!(near.holds(&one, &shifted), "{one:?} {shifted:?}");
            prop_assert!(exact.holds(&near.nearest(&one, &shifted), &shifted));
            // Numbers are at least a quarter apart, so that too little is always enough to differ.
            prop_assert_eq!(near.holds(&one, &moved(&one, 0.1875)), exact.holds(&one, &moved(&one, 0.1875)));
        }
    }
}
