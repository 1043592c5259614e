//! Arguments for the calls of random sessions.

use super::examples::{ArgumentValue, Callee, Examples, GivenArg};
use super::values::{alike, awkward, drawn, near};
use crate::case::{Domain, Exercise, Parameter};
use crate::value::Value;
use crate::value::random::Random;
use std::collections::BTreeMap;

/// How deep new objects are made within the arguments of others.
const DEEPEST: usize = 3;

/// The arguments of a call.
pub(super) struct Arguments {
    pub(super) args: Vec<GivenArg>,
    /// Whether one of them is only guessed: the cases have none like it, and the exercise does not say it.
    pub(super) is_guessed: bool,
}

/// A parameter: all methods of a class and its constructor mean the same by one name, functions may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The class or function.
    scope: String,
    name: String,
}

/// The values that a session has used so far.
#[derive(Debug, Default)]
pub(super) struct UsedValues {
    values: Vec<(Place, Value)>,
    /// The times out of [`UsedValues::TIMES`] that a value is used again.
    again: usize,
}

impl UsedValues {
    const TIMES: usize = 4;

    /// No values yet, which will be used again more or less often.
    pub(super) fn reused(random: &mut Random) -> UsedValues {
        UsedValues { values: Vec::new(), again: random.below(UsedValues::TIMES) }
    }

    /// A value that the parameter had before, if one is used again.
    fn again(&self, place: &Place, random: &mut Random) -> Option<Value> {
        let values: Vec<&Value> =
            self.values.iter().filter(|(own, _)| own == place).map(|(_, value)| value).collect();
        let is_again = random.below(UsedValues::TIMES) < self.again;
        values.get(random.below(values.len())).filter(|_| is_again).map(|value| (*value).clone())
    }
}

impl Examples {
    /// Arguments for a call of `callee`, from those of the examples; none if there is no example. Values that
    /// the session has `used` are likely.
    pub(super) fn args(
        &self,
        callee: &Callee,
        used: &mut UsedValues,
        random: &mut Random,
    ) -> Option<Arguments> {
        self.args_within(DEEPEST, callee, used, random)
    }

    /// Arguments with new objects, so many levels deep.
    fn args_within(
        &self,
        depth: usize,
        callee: &Callee,
        used: &mut UsedValues,
        random: &mut Random,
    ) -> Option<Arguments> {
        let known = self.calls.get(callee)?;
        let mut args = known.get(random.below(known.len()))?.clone();
        let mut is_guessed = false;
        // Two lists of a call often have to fit each other.
        let is_pair = args.iter().filter(|arg| arg.given.is_collection()).count() > 1;
        for arg in &mut args {
            if is_pair && arg.given.is_collection() && self.domain(callee, arg).is_none() {
                continue;
            }
            let same_place = known.iter().flatten().filter(|other| other.position == arg.position);
            let others: Vec<&ArgumentValue> = same_place.map(|other| &other.given).collect();
            if random.below(2) == 0
                && let Some(other) = others.get(random.below(others.len()))
            {
                arg.given = (*other).clone();
            }
            let ArgumentValue::Plain(value) = &arg.given else {
                if let ArgumentValue::Collection(..) = &arg.given {
                    arg.given = self.remade(&arg.given, depth, used, random, &mut is_guessed);
                }
                continue;
            };
            let place = self.place(callee, arg.position);
            if let Some(again) = place.as_ref().and_then(|place| used.again(place, random)) {
                arg.given = ArgumentValue::Plain(again);
                continue;
            }
            let chosen = match self.domain(callee, arg) {
                Some(domain) => drawn(domain, random),
                None if random.below(8) == 0 => {
                    is_guessed = true;
                    arg.given = ArgumentValue::Plain(self.guess(value, random));
                    continue;
                }
                None => {
                    let values: Vec<&Value> = others.iter().filter_map(|given| given.plain()).collect();
                    self.similar(value, place.as_ref(), &values, random)
                }
            };
            used.values.extend(place.map(|place| (place, chosen.clone())));
            arg.given = ArgumentValue::Plain(chosen);
        }
        Some(Arguments { args, is_guessed })
    }

    /// An argument with other objects in it: made with other arguments, and in a list more of them, or fewer.
    fn remade(
        &self,
        given: &ArgumentValue,
        depth: usize,
        used: &mut UsedValues,
        random: &mut Random,
        is_guessed: &mut bool,
    ) -> ArgumentValue {
        let Some(deeper) = depth.checked_sub(1) else { return given.clone() };
        match given {
            ArgumentValue::Made(class, _) => {
                let callee = Callee::Class(class.clone());
                let Some(made) = self.args_within(deeper, &callee, used, random) else {
                    return given.clone();
                };
                *is_guessed |= made.is_guessed;
                ArgumentValue::Made(class.clone(), made.args)
            }
            ArgumentValue::Collection(kind, items) if random.below(4) > 0 => {
                let mut others = Vec::new();
                for _ in 0..1 + random.below(items.len() + 1) {
                    let Some(item) = items.get(random.below(items.len())) else { break };
                    others.push(self.remade(item, deeper, used, random, is_guessed));
                }
                ArgumentValue::Collection(*kind, others)
            }
            ArgumentValue::Collection(..)
            | ArgumentValue::Plain(_)
            | ArgumentValue::Object(_)
            | ArgumentValue::Form(..) => given.clone(),
        }
    }

    /// A value as the cases have it where one of them has `value`, and `others` are those of the same call.
    fn similar(&self, value: &Value, place: Option<&Place>, others: &[&Value], random: &mut Random) -> Value {
        match random.below(4) {
            0 => value.clone(),
            1 | 2 => near(value, others, random),
            _ => self.one_like(value, |own| Some(own) == place, random),
        }
    }

    /// A value that no case has in this place.
    fn guess(&self, value: &Value, random: &mut Random) -> Value {
        match random.below(3) {
            0 => self.one_like(value, |_| true, random),
            _ => awkward(value, random),
        }
    }

    /// One of the arguments of the cases that is of the kind of `value`.
    fn one_like(&self, value: &Value, is_meant: impl Fn(&Place) -> bool, random: &mut Random) -> Value {
        let fits = |(place, other): &&(Place, Value)| is_meant(place) && alike(other, value);
        let all: Vec<&Value> = self.values.iter().filter(fits).map(|(_, value)| value).collect();
        all.get(random.below(all.len())).map_or_else(|| value.clone(), |other| (*other).clone())
    }

    /// The domain of an argument, if the exercise says it.
    fn domain(&self, callee: &Callee, arg: &GivenArg) -> Option<&Domain> {
        self.domains.get(self.parameters.get(callee)?.get(arg.position)?)
    }

    /// The parameter of a callee at a position.
    pub(super) fn place(&self, callee: &Callee, position: usize) -> Option<Place> {
        let name = self.parameters.get(callee)?.get(position)?.clone();
        // What the exercise says of a parameter holds wherever there is one of this name.
        let scope = if self.domains.contains_key(&name) { "" } else { callee.scope() };
        Some(Place { scope: scope.to_owned(), name })
    }
}

/// The names of the parameters of every class, method and function.
pub(super) fn parameters(exercise: &Exercise) -> BTreeMap<Callee, Vec<String>> {
    let names = |parameters: &[Parameter]| parameters.iter().map(|own| own.name.clone()).collect();
    let mut all = BTreeMap::new();
    for (name, class) in &exercise.classes {
        all.insert(Callee::Class(name.clone()), names(&class.new));
        for (method, parameters) in &class.methods {
            all.insert(Callee::Method(name.clone(), method.clone()), names(parameters));
        }
    }
    for (name, function) in &exercise.functions {
        all.insert(Callee::Function(name.clone()), names(&function.args));
    }
    all
}
