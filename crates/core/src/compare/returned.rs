//! Compares the value of a line with the expected one.

use super::{Ask, Compare, Compared, Equality, Failure, Mistake, Unmet, ValueMistake, Verdict, value};
use crate::adapter::Observation;
use crate::case::{Asked, Matcher, NEAR, TextTolerance, Tolerance, View};
use crate::value::Value;
use std::borrow::Cow;

/// The tolerance beyond which a number is not almost right.
const WIDE: Tolerance = Tolerance {
    loose_numbers: None,
    within: Some(1000.0 * NEAR),
    relative: Some(1000.0 * NEAR),
    exact_types: None,
    text: TextTolerance {
        ignore_case: None,
        collapse_blanks: None,
        trim_line_ends: None,
        numbers_within: None,
    },
};

/// The name of the type of an observed value, if the value itself came as one of a builtin type.
fn own_subclass(observation: &Observation) -> Option<&str> {
    let own = observation.types.first()?;
    observation.subclasses.contains(own).then_some(own.as_str())
}

/// An expected value that did not come.
struct Expected {
    /// The value as a student reads it; where several are right, all of them.
    text: String,
    /// The value, if a single one is right: as near to what came as the tolerance allows.
    single: Option<Value>,
    /// Whether the order of its items is irrelevant, so that both sides are shown sorted.
    is_sorted: bool,
}

impl Expected {
    /// A condition that several values meet.
    fn condition(text: String) -> Expected {
        Expected { text, single: None, is_sorted: false }
    }
}

impl<A: Ask> Compare<'_, A> {
    pub(super) fn compare_identity(&self, observation: &Observation, value: Option<&Value>) -> Compared<A> {
        let Some(name) = &self.expect.same else { return Ok(()) };
        if observation.is.contains(name) {
            return Ok(());
        }
        let got = value.map(|value| self.shown(value));
        let mistake = match value {
            Some(Value::None | Value::Undefined) => ValueMistake::NoneForObject,
            _ => ValueMistake::AnotherObject,
        };
        let failure = self.failure(Verdict::WrongValue, Mistake::Value(mistake));
        Err(Failure { expected: Some(name.clone()), got, ..failure }.into())
    }

    pub(super) fn compare_value(&mut self, observation: &Observation, value: Option<&Value>) -> Compared<A> {
        let Some(returns) = &self.expect.value else { return Ok(()) };
        let got = value.unwrap_or(&Value::Undefined);
        let is_rounded = got.parts().any(|part| matches!(part, Value::Float(_) | Value::Number(_)));
        let tolerance = &self.expect.tolerance;
        let is_exact = if is_rounded { tolerance.is_exact() } else { tolerance.are_integers_exact() };
        let any_keyed = self.dialect.notation().any_keyed();
        let equality = Equality {
            exact: tolerance.exact_types.unwrap_or(false),
            notation: self.dialect.notation(),
            tuples: self.dialect.tuples,
            view: self.view,
            tolerance: (!is_exact).then_some(tolerance),
            text_keys: any_keyed.is_some_and(|kind| observation.subclasses.iter().all(|one| one != kind)),
        };
        let literal = |number: f64| equality.notation.literal(&Value::Float(number));
        let condition = |holds: bool, text: String| (!holds).then(|| Expected::condition(text));
        let expected = match &returns.matcher {
            Matcher::Plain(value) => self.unequal(equality, value, got, || self.shown_like(value, got)),
            Matcher::Exact(value) => {
                self.unequal(Equality { exact: true, ..equality }, value, got, || self.shown(value))
            }
            Matcher::Reference => match self.ask.answer() {
                Some(value) => self.unequal(equality, value, got, || self.shown(value)),
                // This call raises in the built-in game, or an earlier one does that it needs: no value is
                // right.
                None => condition(false, String::new()),
            },
            Matcher::AnyOrder(items) => self.other_items(equality, items, got),
            Matcher::OneOf(choices) => {
                let is_one =
                    |equality: Equality<'_>| choices.iter().any(|choice| equality.holds(choice, got));
                let texts: Vec<String> = choices.iter().map(|choice| self.shown(choice)).collect();
                let allowance = self
                    .allowance(None, choices, |more| is_one(Equality { tolerance: Some(more), ..equality }));
                condition(is_one(equality), texts.join(" | ") + &allowance)
            }
            Matcher::Approx { value, within } => {
                let holds = got.as_number().is_some_and(|number| (number - value).abs() <= *within);
                condition(holds, format!("{} ± {}", literal(*value), literal(*within)))
            }
            Matcher::Matches(regex) => {
                let holds =
                    matches!(got, Value::Str(text) if text.as_str().is_some_and(|text| regex.is_match(text)));
                condition(holds, format!("/{regex}/"))
            }
            Matcher::Type(name) => {
                let is_seen = self.other_type(got, observation).is_some_and(|own| own == *name);
                condition(is_seen || value::is_exactly(got, own_subclass(observation), name), name.clone())
            }
            Matcher::Instance(name) => {
                condition(value::is_type(got, name) || observation.types.contains(name), name.clone())
            }
            Matcher::NotSame(name) => return self.compare_other_object(observation, name),
            Matcher::Oracle(asked) => return self.ask_oracle(asked, got),
            Matcher::Check(check) => return self.ask_check(check, got),
        };
        match expected {
            None if equality.exact => self.compare_types(&returns.matcher, observation),
            None => Ok(()),
            Some(expected) => Err(self.unexpected_value(expected, got, observation).into()),
        }
    }

    /// Compares an equal value whose types must be exactly the expected ones.
    fn compare_types(&self, matcher: &Matcher, observation: &Observation) -> Compared<A> {
        let Some(kind) = observation.subclasses.first() else { return Ok(()) };
        let expected = match matcher {
            Matcher::Plain(value) | Matcher::Exact(value) => Some(Cow::Borrowed(value)),
            Matcher::AnyOrder(items) => Some(Cow::Owned(Value::List(items.clone()))),
            Matcher::OneOf(choices) => choices.first().map(Cow::Borrowed),
            Matcher::Reference => self.ask.answer().map(|answer| Cow::Owned(answer.clone())),
            _ => return Ok(()),
        };
        let mistake = match (own_subclass(observation), expected) {
            (Some(got), Some(expected)) => ValueMistake::Type {
                expected: value::type_name(&expected, self.dialect.notation()),
                got: got.to_owned(),
            },
            _ => ValueMistake::InnerSubclass { kind: kind.clone() },
        };
        Err(self.failure(Verdict::WrongValue, Mistake::Value(mistake)).into())
    }

    /// The expected value, unless what came equals it; `text` is how it is shown if nothing else can vary.
    fn unequal(
        &self,
        equality: Equality<'_>,
        expected: &Value,
        got: &Value,
        text: impl FnOnce() -> String,
    ) -> Option<Expected> {
        if equality.holds(expected, got) {
            return None;
        }
        let own = self.own(expected);
        // What is accepted, such as a tuple for a list, is not shown as a difference.
        let is_tolerant = equality.tolerance.is_some() || !equality.exact;
        let nearest = if is_tolerant { equality.nearest(&own, got) } else { own.clone().into_owned() };
        // A number of what came is shown as right.
        let is_adapted = self.expect.tolerance.is_chosen() && nearest != *own;
        let is_sorted = self.view.is_some_and(|view| view.any_order);
        let text = if is_sorted {
            self.shown_like(&sorted(&nearest), got)
        } else if is_tolerant {
            self.shown_like(&nearest, got)
        } else {
            text()
        };
        let holds = |more: &Tolerance| {
            is_adapted || (Equality { tolerance: Some(more), ..equality }).holds(expected, got)
        };
        let text = text + &self.allowance(Some(expected), std::slice::from_ref(expected), holds);
        Some(Expected { text, single: Some(nearest), is_sorted })
    }

    /// The expected items, unless what came has them in any order.
    fn other_items(&self, equality: Equality<'_>, items: &[Value], got: &Value) -> Option<Expected> {
        let expected = Value::List(items.to_vec());
        let any_order = View { each: false, any_order: true, parts: Vec::new() };
        let view = self.view.map(|view| View { any_order: true, ..view.clone() });
        let view = view.as_ref().unwrap_or(&any_order);
        let are_items =
            |equality: Equality<'_>| Equality { view: Some(view), ..equality }.holds(&expected, got);
        if are_items(equality) {
            return None;
        }
        let allowance =
            self.allowance(None, items, |more| are_items(Equality { tolerance: Some(more), ..equality }));
        let nearest = match equality.tolerance {
            Some(_) => Equality { view: Some(&any_order), ..equality }.nearest(&expected, got),
            None => expected,
        };
        let text = self.shown_like(&sorted(&nearest), got) + &allowance;
        Some(Expected { text, single: None, is_sorted: true })
    }

    fn unexpected_value(&self, expected: Expected, got: &Value, observation: &Observation) -> Failure {
        // Multi-line texts are shown side by side, not as literals.
        if let (Some(Value::Str(expected)), Value::Str(got)) = (&expected.single, got)
            && (expected.to_lossy().contains('\n') || got.to_lossy().contains('\n'))
        {
            let (expected, got) = (expected.to_lossy(), got.to_lossy());
            let failure = self.failure(Verdict::WrongValue, Mistake::of_text(&expected, &got, ""));
            return Failure { expected: Some(expected), got: Some(got), ..failure };
        }
        let printed = String::from_utf8_lossy(&observation.output);
        let notation = self.dialect.notation();
        let mistake = Mistake::of_value(expected.single.as_ref(), got, &printed, notation);
        let got = if let Some(own) = self.other_type(got, observation) {
            own
        } else if expected.is_sorted {
            notation.literal(&sorted(got))
        } else {
            self.shown(got)
        };
        let failure = self.failure(Verdict::WrongValue, mistake);
        Failure { expected: Some(expected.text), got: Some(got), ..failure }
    }

    /// The type of an object where a type is expected, and the value says nothing of it: a view's parts came.
    fn other_type(&self, got: &Value, observation: &Observation) -> Option<String> {
        let matcher = &self.expect.value.as_ref()?.matcher;
        let asks_type = matches!(matcher, Matcher::Type(_) | Matcher::Instance(_));
        let own = observation.types.first().filter(|_| asks_type)?;
        (!matches!(got, Value::Opaque(_)) && !value::is_type(got, own)).then(|| own.clone())
    }

    /// How much the numbers of expected values may differ, as it follows them in a finding; `single` is the
    /// only one. It is left out unless the answer `holds` if more were allowed: any amount where a file says how much,
    /// and else little more.
    fn allowance(
        &self,
        single: Option<&Value>,
        values: &[Value],
        holds: impl FnOnce(&Tolerance) -> bool,
    ) -> String {
        let tolerance = &self.expect.tolerance;
        let more = if tolerance.is_chosen() {
            Tolerance { within: Some(f64::INFINITY), ..tolerance.clone() }
        } else {
            WIDE
        };
        if !values.iter().any(Value::has_number) || !holds(&more) {
            return String::new();
        }
        let amount = |amount: f64| {
            // Three digits say enough of a product.
            let short = format!("{amount:.2e}").parse().unwrap_or(amount);
            self.dialect.notation().literal(&Value::Float(short))
        };
        if let Some(single) = single
            && let Some(number) = single.as_number()
        {
            let allowed =
                if single.is_float() { tolerance.allowed(number) } else { tolerance.allowed_integer(number) };
            return if allowed > 0.0 { format!(" ± {}", amount(allowed)) } else { String::new() };
        }
        let positive = |setting: Option<f64>| setting.filter(|setting| *setting > 0.0);
        let within = if tolerance.is_chosen() { tolerance.within } else { Some(NEAR) };
        let within = positive(within).map(|within| format!(" ± {}", amount(within)));
        let relative =
            positive(tolerance.relative).map(|relative| format!(" ± {} %", amount(relative * 100.0)));
        within.unwrap_or_default() + &relative.unwrap_or_default()
    }

    /// Compares an object that must not be the one of this name.
    fn compare_other_object(&self, observation: &Observation, name: &str) -> Compared<A> {
        if !observation.is.iter().any(|same| same == name) {
            return Ok(());
        }
        let mistake = ValueMistake::SameObject { name: name.to_owned() };
        Err(self.failure(Verdict::WrongValue, Mistake::Value(mistake)).into())
    }

    /// Asks an oracle whether it accepts an answer.
    fn ask_oracle(&mut self, asked: &Asked, got: &Value) -> Compared<A> {
        let Some(refused) = self.ask.refusal(asked, got).map_err(Unmet::Unanswered)? else { return Ok(()) };
        let mistake = Mistake::of_refusal(refused.why, got, self.dialect.notation());
        let accepted: Vec<String> =
            refused.accepted.iter().map(|value| self.shown_like(value, got)).collect();
        let expected = Some(accepted.join(" | ")).filter(|text| !text.is_empty());
        let failure = self.failure(Verdict::WrongValue, mistake);
        Err(Failure { expected, got: Some(self.shown(got)), ..failure }.into())
    }

    /// A value as a student reads it.
    pub(super) fn shown(&self, value: &Value) -> String {
        self.dialect.notation().literal(&self.own(value).with_sorted_sets())
    }

    /// An expected value as a student reads it: a list is written as a tuple if a tuple came, because both
    /// are right.
    fn shown_like(&self, expected: &Value, got: &Value) -> String {
        let shown = match (expected, got) {
            (Value::List(items), Value::Tuple(_)) => Value::Tuple(items.clone()),
            _ => expected.clone(),
        };
        self.shown(&shown)
    }

    /// An expected value as the submission's language has it: lists instead of tuples, if it has no tuples
    /// but writes them.
    fn own<'v>(&self, expected: &'v Value) -> Cow<'v, Value> {
        if self.dialect.notation().has_tuples() && !self.dialect.tuples {
            Cow::Owned(with_lists(expected))
        } else {
            Cow::Borrowed(expected)
        }
    }
}

/// A collection whose order is irrelevant, with its items sorted, so that a finding shows only real
/// differences.
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
