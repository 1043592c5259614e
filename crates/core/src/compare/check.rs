//! Asks checks of the instructor's own, and says which values they can be asked about.

use super::mistake::DEFERRED;
use super::value::type_name;
use super::{Ask, Compare, Compared, Failure, JudgedMistake, Mistake, Share, Unmet, ValueMistake, Verdict};
use crate::case::CustomCheck;
use crate::value::Value;
use crate::value::notation::Notation;

/// The most values in a value, and the most levels of them: what keur's own drivers send.
const MOST_VALUES: usize = 20_000;
const MOST_LEVELS: usize = 40;

/// The most memory that a value takes, in bytes.
const MOST_MEMORY: usize = 4 << 20;

impl<A: Ask> Compare<'_, A> {
    /// Asks a check of the instructor's own about a value.
    pub(super) fn ask_check(&mut self, check: &CustomCheck, got: &Value) -> Compared<A> {
        let notation = self.dialect.notation();
        let mut mistake = match passable(got, notation) {
            Err(mistake) => mistake,
            Ok(value) => match self.ask.check(check, &value).map(Mistake::of_check) {
                Ok(None) => return Ok(()),
                Ok(Some(mistake)) => mistake,
                Err(error) => return Err(Unmet::Unanswered(error)),
            },
        };
        // A check that gives neither a message nor points says less than that nothing was returned.
        if mistake == Mistake::Judged(JudgedMistake::Check { message: None, share: Share::NONE }) {
            let nothing = Mistake::of_value(None, got, "", notation);
            if nothing == Mistake::Value(ValueMistake::NoneReturned) {
                mistake = nothing;
            }
        }
        Err(Failure { got: Some(self.shown(got)), ..self.failure(Verdict::WrongValue, mistake) }.into())
    }
}

/// A submission's value as Python takes it.
///
/// # Errors
/// It has a part that is not plain data, or it is too large.
fn passable(value: &Value, notation: &'static dyn Notation) -> Result<Value, Mistake> {
    match value.incomparable() {
        Some(Value::Opaque(kind)) if DEFERRED.contains(&kind.as_str()) => {
            return Err(Mistake::Value(ValueMistake::Deferred { kind: kind.clone() }));
        }
        Some(Value::Opaque(kind)) => {
            return Err(Mistake::Value(ValueMistake::NotPlain { kind: kind.clone() }));
        }
        Some(_) => return Err(Mistake::Value(ValueMistake::TooLarge)),
        None => {}
    }
    let mut left = MOST_VALUES;
    if value.memory() > MOST_MEMORY || !fits(value, MOST_LEVELS, &mut left) {
        return Err(Mistake::Value(ValueMistake::TooLarge));
    }
    with_keys(&value.neutral())
        .map_err(|part| Mistake::Value(ValueMistake::NotPlain { kind: type_name(&part, notation) }))
}

/// Whether a value has at most this many levels, and no more values than are `left`.
fn fits(value: &Value, levels: usize, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1).filter(|_| levels > 0) else { return false };
    *left = rest;
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
            items.iter().all(|item| fits(item, levels - 1, left))
        }
        Value::Dict(pairs) => {
            pairs.iter().all(|(key, item)| fits(key, levels - 1, left) && fits(item, levels - 1, left))
        }
        _ => true,
    }
}

/// A value whose keys and members of sets are what Python takes there: tuples instead of lists.
///
/// # Errors
/// A key or member that it cannot have.
fn with_keys(value: &Value) -> Result<Value, Value> {
    let all = |items: &[Value]| items.iter().map(with_keys).collect::<Result<Vec<_>, _>>();
    Ok(match value {
        Value::List(items) => Value::List(all(items)?),
        Value::Tuple(items) => Value::Tuple(all(items)?),
        Value::Set(items) => Value::Set(items.iter().map(key).collect::<Result<_, _>>()?),
        Value::Dict(pairs) => Value::Dict(
            pairs.iter().map(|(of, item)| Ok((key(of)?, with_keys(item)?))).collect::<Result<_, Value>>()?,
        ),
        _ => value.clone(),
    })
}

/// A value as a key.
///
/// # Errors
/// It cannot be one.
fn key(value: &Value) -> Result<Value, Value> {
    match value {
        Value::List(items) | Value::Tuple(items) => {
            Ok(Value::Tuple(items.iter().map(key).collect::<Result<_, _>>()?))
        }
        Value::Set(_) | Value::Dict(_) => Err(value.clone()),
        _ => Ok(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_LEVELS, MOST_VALUES, passable};
    use crate::compare::{Mistake, ValueMistake};
    use crate::languages::javascript::JavaScript;
    use crate::value::{Cut, Value};

    fn list(items: Vec<Value>) -> Value {
        Value::List(items)
    }

    fn nested(levels: usize) -> Value {
        (1..levels).fold(Value::None, |inner, _| list(vec![inner]))
    }

    #[track_caller]
    fn check(value: Value, passed: Result<Value, Mistake>) {
        assert_eq!(passable(&value, &JavaScript), passed);
    }

    #[test]
    fn plain_values_are_passed_as_python_has_them() {
        check(Value::Number(2.0), Ok(Value::from(2)));
        check(nested(MOST_LEVELS), Ok(nested(MOST_LEVELS)));
        let pair = || list(vec![Value::from(1), Value::from(2)]);
        let tuple = || Value::Tuple(vec![Value::from(1), Value::from(2)]);
        check(Value::Set(vec![pair()]), Ok(Value::Set(vec![tuple()])));
        check(Value::Dict(vec![(pair(), pair())]), Ok(Value::Dict(vec![(tuple(), pair())])));
    }

    #[test]
    fn values_that_cannot_be_passed_are_named() {
        let kind = |kind: &str| Err(Mistake::Value(ValueMistake::NotPlain { kind: kind.to_owned() }));
        check(list(vec![Value::Opaque("Card".to_owned())]), kind("Card"));
        check(
            Value::Opaque("Promise".to_owned()),
            Err(Mistake::Value(ValueMistake::Deferred { kind: "Promise".to_owned() })),
        );
        check(Value::Cut(Cut::Cycle), Err(Mistake::Value(ValueMistake::TooLarge)));
        check(nested(MOST_LEVELS + 1), Err(Mistake::Value(ValueMistake::TooLarge)));
        check(list(vec![Value::None; MOST_VALUES]), Err(Mistake::Value(ValueMistake::TooLarge)));
        check(Value::Set(vec![Value::Set(Vec::new())]), kind("Set"));
    }
}
