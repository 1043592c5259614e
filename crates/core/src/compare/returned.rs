//! Whether a value is the expected one.

use super::{Compare, Compared, Equality, Failure, Mismatch, ValueMistake, Verdict, value};
use crate::adapter::Observation;
use crate::case::{Matcher, View};
use crate::value::Value;
use crate::value::oracle::Refused;
use std::borrow::Cow;

impl Compare<'_> {
    pub(super) fn identity(&self, observation: &Observation, value: Option<&Value>) -> Compared {
        let Some(name) = &self.expect.same else { return Ok(()) };
        if observation.is.contains(name) {
            return Ok(());
        }
        let got = value.map(|value| self.shown(value));
        let none = matches!(value, Some(Value::None | Value::Undefined));
        let mismatch = if none {
            Mismatch::Value(ValueMistake::NoneForObject)
        } else {
            Mismatch::Value(ValueMistake::AnotherObject)
        };
        let failure = self.failure(Verdict::WrongValue, mismatch);
        self.wrong(Failure { expected: Some(name.clone()), got, ..failure })
    }

    pub(super) fn value(&self, observation: &Observation, value: Option<&Value>) -> Compared {
        let Some(returns) = &self.expect.value else { return Ok(()) };
        let notation = self.dialect.notation;
        if let Matcher::NotSame(name) = &returns.matcher {
            if !observation.is.contains(name) {
                return Ok(());
            }
            let failure = self.failure(
                Verdict::WrongValue,
                Mismatch::Value(ValueMistake::SameObject { name: name.clone() }),
            );
            return self.wrong(failure);
        }
        let got = value.unwrap_or(&Value::Undefined);
        if let Matcher::Oracle(asked) = &returns.matcher {
            return match self.oracle.judge(asked, got) {
                Ok(()) => Ok(()),
                Err(refused) => self.refused(&refused, got),
            };
        }
        if let Matcher::Check(check) = &returns.matcher {
            return self.checked(check, got);
        }
        let tolerance = Some(&self.expect.tolerance).filter(|tolerance| !tolerance.is_exact());
        let tuples = self.dialect.tuples;
        let plain = Equality { exact: false, notation, tuples, view: self.view, tolerance };
        let exact = Equality { exact: true, ..plain };
        let any_order = View { each: false, any_order: true, parts: Vec::new() };
        let (holds, expected) = match &returns.matcher {
            Matcher::Plain(expected) => (plain.holds(expected, got), self.plain_text(expected, got)),
            Matcher::Exact(expected) => (exact.holds(expected, got), self.shown(expected)),
            Matcher::AnyOrder(items) => {
                let view =
                    self.view.map_or(any_order.clone(), |view| View { any_order: true, ..view.clone() });
                let expected = Value::List(items.clone());
                let holds = Equality { view: Some(&view), ..plain }.holds(&expected, got);
                (holds, self.plain_text(&expected, got))
            }
            Matcher::OneOf(choices) => {
                let holds = choices.iter().any(|choice| plain.holds(choice, got));
                let texts: Vec<String> = choices.iter().map(|choice| self.shown(choice)).collect();
                (holds, texts.join(" | "))
            }
            Matcher::Approx { value, within } => {
                let holds = got.as_number().is_some_and(|number| (number - value).abs() <= *within);
                (
                    holds,
                    format!(
                        "{} ± {}",
                        notation.literal(&Value::Float(*value)),
                        notation.literal(&Value::Float(*within))
                    ),
                )
            }
            Matcher::Matches(regex) => {
                let holds =
                    matches!(got, Value::Str(text) if text.as_str().is_some_and(|text| regex.is_match(text)));
                (holds, format!("/{regex}/"))
            }
            Matcher::Type(name) => (value::is_type(got, name), name.clone()),
            Matcher::Instance(name) => {
                let holds = value::is_type(got, name) || observation.types.contains(name);
                (holds, name.clone())
            }
            Matcher::Reference => match self.oracle.answer() {
                Some(expected) => (plain.holds(expected, got), self.shown(expected)),
                None => (false, String::new()),
            },
            // Handled above, where the object and the reference are known.
            Matcher::NotSame(_) | Matcher::Oracle(_) | Matcher::Check(_) => (true, String::new()),
        };
        if holds {
            return Ok(());
        }
        let printed = String::from_utf8_lossy(&observation.output);
        // What the tolerance accepts is not shown as a difference.
        let nearest = |equality: Equality<'_>, expected: &Value| match tolerance {
            Some(_) => equality.nearest(expected, got),
            None => expected.clone(),
        };
        let wanted = match &returns.matcher {
            Matcher::Plain(value) => Some(nearest(plain, self.own(value).as_ref())),
            Matcher::Exact(value) => Some(nearest(exact, self.own(value).as_ref())),
            Matcher::Reference => self.oracle.answer().map(|value| nearest(plain, self.own(value).as_ref())),
            _ => None,
        };
        // Multi-line texts are shown side by side, not as literals.
        if let (Some(Value::Str(expected)), Value::Str(got)) = (wanted.as_ref(), got)
            && (expected.to_lossy().contains('\n') || got.to_lossy().contains('\n'))
        {
            let (expected, got) = (expected.to_lossy(), got.to_lossy());
            let failure = self.failure(Verdict::WrongValue, Mismatch::of_text(&expected, &got, ""));
            return self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure });
        }
        let mismatch = Mismatch::of_value(wanted.as_ref(), got, &printed, notation);
        let failure = self.failure(Verdict::WrongValue, mismatch);
        let unordered =
            matches!(returns.matcher, Matcher::AnyOrder(_)) || self.view.is_some_and(|view| view.any_order);
        let (expected, got) = match (wanted.as_ref(), &returns.matcher) {
            (Some(wanted), _) if unordered => {
                (self.plain_text(&sorted(wanted), got), notation.literal(&sorted(got)))
            }
            (_, Matcher::AnyOrder(items)) => {
                let view = Some(&any_order);
                let wanted = nearest(Equality { view, ..plain }, &Value::List(items.clone()));
                (self.plain_text(&sorted(&wanted), got), notation.literal(&sorted(got)))
            }
            (Some(wanted), _) if tolerance.is_some() => (self.plain_text(wanted, got), self.shown(got)),
            _ => (expected, self.shown(got)),
        };
        let expected = expected + &self.allowance(&returns.matcher);
        self.wrong(Failure { expected: Some(expected), got: Some(got), ..failure })
    }

    /// How much the numbers of an expected value may differ, as it follows that value in a finding.
    fn allowance(&self, matcher: &Matcher) -> String {
        let tolerance = &self.expect.tolerance;
        let (one, counts) = match matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => (Some(value), value.has_number()),
            Matcher::Reference => {
                let answer = self.oracle.answer();
                (answer, answer.is_some_and(Value::has_number))
            }
            Matcher::AnyOrder(items) | Matcher::OneOf(items) => (None, items.iter().any(Value::has_number)),
            _ => (None, false),
        };
        if !counts {
            return String::new();
        }
        let amount = |amount: f64| {
            // Three digits say enough of a product.
            let short = format!("{amount:.2e}").parse().unwrap_or(amount);
            self.dialect.notation.literal(&Value::Float(short))
        };
        if let Some(number) = one.and_then(Value::as_number) {
            let allowed = tolerance.allowed(number);
            return if allowed > 0.0 { format!(" ± {}", amount(allowed)) } else { String::new() };
        }
        let positive = |setting: Option<f64>| setting.filter(|setting| *setting > 0.0);
        let within = positive(tolerance.within).map(|within| format!(" ± {}", amount(within)));
        let relative =
            positive(tolerance.relative).map(|relative| format!(" ± {} %", amount(relative * 100.0)));
        within.unwrap_or_default() + &relative.unwrap_or_default()
    }

    /// Compares an answer that an oracle does not accept.
    fn refused(&self, refused: &Refused, got: &Value) -> Compared {
        let notation = self.dialect.notation;
        let failure = self.failure(Verdict::WrongValue, Mismatch::of_refusal(refused.why, got, notation));
        let accepted: Vec<String> =
            refused.accepted.iter().map(|value| self.plain_text(value, got)).collect();
        let expected = Some(accepted.join(" | ")).filter(|text| !text.is_empty());
        self.wrong(Failure { expected, got: Some(self.shown(got)), ..failure })
    }

    /// A value as a student reads it.
    pub(super) fn shown(&self, value: &Value) -> String {
        self.dialect.notation.literal(&self.own(value).with_sorted_sets())
    }

    /// An expected value as a student reads it: a list is written as a tuple if a tuple came, because both are
    /// right.
    fn plain_text(&self, expected: &Value, got: &Value) -> String {
        let shown = match (expected, got) {
            (Value::List(items), Value::Tuple(_)) => Value::Tuple(items.clone()),
            _ => expected.clone(),
        };
        self.shown(&shown)
    }

    /// An expected value as the submission's language has it: lists instead of tuples, if it has no tuples but
    /// writes them.
    fn own<'v>(&self, expected: &'v Value) -> Cow<'v, Value> {
        if self.dialect.notation.has_tuples() && !self.dialect.tuples {
            Cow::Owned(with_lists(expected))
        } else {
            Cow::Borrowed(expected)
        }
    }
}

/// A collection whose order is irrelevant, with its items sorted, so that a finding shows only real differences.
fn sorted(value: &Value) -> Value {
    let mut value = value.with_sorted_sets();
    if let Value::List(items) | Value::Tuple(items) = &mut value {
        items.sort_by(Value::order);
    }
    value
}

/// A value with lists in the place of tuples.
fn with_lists(value: &Value) -> Value {
    let value = value.map_items(with_lists);
    if let Value::Tuple(items) = value { Value::List(items) } else { value }
}
