//! What the cases of an exercise call, as examples for other calls.

use crate::case::{
    Arg, Case, Exercise, Expect, Items, Matcher, Node, Operator, Raises, TextMatcher, Tolerance,
};
use crate::exercises::sessions::Look;
use crate::languages::python;
use crate::named::Named;
use crate::value::notation::Notation;
use crate::value::random::Random;
use crate::value::{Int, Value};
use std::collections::{BTreeMap, BTreeSet};

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArgumentValue {
    /// A value.
    Plain(Value),
    /// An object of this class that is bound to a name.
    Object(String),
    /// A new object of a class.
    Made(String, Vec<GivenArg>),
    /// A collection of these.
    Collection(Items, Vec<ArgumentValue>),
    /// An expression of these, one in each of its holes.
    Form(String, Vec<ArgumentValue>),
}

/// An argument of a call: its keyword, its position and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GivenArg {
    keyword: Option<String>,
    position: usize,
    given: ArgumentValue,
}

/// The callee: a class, a function, or a method or an attribute of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee {
    /// An object is made.
    Class(String),
    /// A function.
    Function(String),
    /// A method of a class.
    Method(String, String),
    /// An attribute of a class.
    Attribute(String, String),
    /// An operator or a function of every language, with a hole for each operand.
    Form(String),
}

/// The hole of an expression.
pub(super) const HOLE: char = '□';

/// The expectations that cases have of calls: only that is fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// Whether they expect one value.
    pub(super) value: bool,
    /// Whether other values could be right too.
    pub(super) several: bool,
    /// Whether the order of the value is irrelevant.
    pub(super) any_order: bool,
    /// The most that a number may differ.
    pub(super) within: Option<f64>,
    /// Whether they expect the text of the object.
    pub(super) text: bool,
    /// Whether they expect one very object.
    pub(super) same: bool,
    /// Whether they expect what is printed.
    pub(super) prints: bool,
    /// The differences that are allowed between an answer and what is expected.
    pub(super) tolerance: Tolerance,
}

impl Fixed {
    fn add(&mut self, expect: &Expect) {
        let shown = [&expect.shows, &expect.prints].map(|text| matches!(text, Some(TextMatcher::Plain(_))));
        self.text |= shown[0];
        self.prints |= shown[1];
        self.same |= expect.same.is_some();
        self.tolerance = expect.tolerance.over(&self.tolerance);
        match expect.value.as_ref().map(|returns| &returns.matcher) {
            None | Some(Matcher::NotSame(_)) => {}
            Some(Matcher::Plain(_) | Matcher::Exact(_) | Matcher::Reference) => self.value = true,
            Some(Matcher::AnyOrder(_)) => (self.value, self.any_order) = (true, true),
            Some(Matcher::Approx { within, .. }) => {
                self.value = true;
                self.within = Some(self.within.map_or(*within, |known| known.max(*within)));
            }
            Some(
                Matcher::OneOf(_)
                | Matcher::Matches(_)
                | Matcher::Type(_)
                | Matcher::Instance(_)
                | Matcher::Oracle(_)
                | Matcher::Check(_),
            ) => self.several = true,
        }
    }

    /// The way in which a step may be looked at.
    pub(super) fn look(&self, look: Look) -> Look {
        let fixed = match &look {
            Look::Value => self.value && !self.several,
            Look::Text => self.text,
            Look::Same(_) => self.same,
            Look::Prints => self.prints,
            Look::Nothing | Look::Oracle { .. } => false,
        };
        if fixed { look } else { Look::Nothing }
    }
}

/// Calls by what they call, and what cases expect of them.
#[derive(Debug, Default)]
pub(super) struct Examples {
    pub(super) calls: BTreeMap<Callee, Vec<Vec<GivenArg>>>,
    pub(super) fixed: BTreeMap<Callee, Fixed>,
    pub(super) raises: Vec<(Option<Callee>, Raises)>,
}

impl Examples {
    /// The calls in these cases, and those that need no arguments.
    pub(super) fn of<'c>(exercise: &Exercise, cases: impl Iterator<Item = &'c Case>) -> Examples {
        let mut examples = Examples::default();
        for (name, class) in &exercise.classes {
            let nothing = class.methods.iter().filter(|(_, parameters)| parameters.is_empty());
            let methods = nothing.map(|(method, _)| Callee::Method(name.clone(), method.clone()));
            let attributes = class.attributes.iter();
            let attributes = attributes.map(|attribute| Callee::Attribute(name.clone(), attribute.clone()));
            examples.calls.extend(methods.chain(attributes).map(|callee| (callee, vec![Vec::new()])));
        }
        for (name, function) in &exercise.functions {
            if function.args.is_empty() {
                examples.calls.insert(Callee::Function(name.clone()), vec![Vec::new()]);
            }
        }
        for case in cases {
            let mut names: BTreeMap<&str, String> = BTreeMap::new();
            let mut answers: BTreeMap<&str, Callee> = BTreeMap::new();
            for (step, expect) in case.plan.steps.iter().zip(&case.expect) {
                let mut last = None;
                for line in step.lines() {
                    examples.look(exercise, &names, &line.node);
                    last = callee(exercise, &names, &line.node);
                    // A name stands for the call that made it.
                    if let Node::Name(name) = &line.node {
                        last = answers.get(name.as_str()).cloned();
                    } else if let Node::Text(on) = &line.node {
                        last = class_of(&names, on).map(Callee::Class);
                    }
                    if let Some(name) = line.bind.name() {
                        names.remove(name);
                        answers.remove(name);
                        names.extend(class_of(&names, &line.node).map(|class| (name, class)));
                        answers.extend(last.clone().map(|callee| (name, callee)));
                    }
                }
                examples.raises.extend(expect.raises.iter().map(|raises| (last.clone(), raises.clone())));
                if let Some(last) = last {
                    let inherited = Fixed { tolerance: exercise.tolerance.clone(), ..Fixed::default() };
                    examples.fixed.entry(last).or_insert(inherited).add(expect);
                }
            }
        }
        examples
    }

    /// Notes the calls in an expression.
    fn look(&mut self, exercise: &Exercise, names: &BTreeMap<&str, String>, node: &Node) {
        let (on, args): (Option<&Node>, &[Arg]) = match node {
            Node::New { args, .. } | Node::Function { args, .. } => (None, args),
            Node::Method { on, args, .. } => (Some(on), args),
            Node::Attribute { on, .. } | Node::Text(on) => (Some(on), &[]),
            Node::Index { .. } | Node::Slice { .. } | Node::Operation(..) | Node::Builtin(..) => {
                let Some((form, parts)) = form(node) else { return };
                parts.iter().for_each(|part| self.look(exercise, names, part));
                let parts = parts.iter().enumerate().map(|(position, part)| {
                    Some(GivenArg { keyword: None, position, given: given(exercise, names, part)? })
                });
                if let Some(given) = parts.collect() {
                    self.note(Callee::Form(form), given);
                }
                return;
            }
            Node::Items(_, items) => {
                items.iter().for_each(|item| self.look(exercise, names, item));
                return;
            }
            _ => return,
        };
        if let Some(on) = on {
            self.look(exercise, names, on);
        }
        args.iter().for_each(|arg| self.look(exercise, names, &arg.node));
        let given: Option<Vec<GivenArg>> = args.iter().map(|arg| given_arg(exercise, names, arg)).collect();
        if let (Some(callee), Some(given)) = (callee(exercise, names, node), given) {
            self.note(callee, given);
        }
    }

    fn note(&mut self, callee: Callee, given: Vec<GivenArg>) {
        let known = self.calls.entry(callee).or_default();
        if !known.contains(&given) {
            known.push(given);
        }
    }

    /// Arguments like those of the examples, for a call of `callee`; none if there is no example.
    pub(super) fn args(&self, callee: &Callee, random: &mut Random) -> Option<Vec<GivenArg>> {
        let known = self.calls.get(callee)?;
        let mut args = known.get(random.below(known.len()))?.clone();
        for arg in &mut args {
            let others: Vec<&ArgumentValue> = known
                .iter()
                .flatten()
                .filter(|other| other.position == arg.position)
                .map(|other| &other.given)
                .collect();
            if random.below(2) == 0
                && let Some(other) = others.get(random.below(others.len()))
            {
                arg.given = (*other).clone();
            }
            if random.below(3) == 0
                && let ArgumentValue::Plain(value) = &arg.given
            {
                let values: Vec<&Value> = others
                    .iter()
                    .filter_map(
                        |given| if let ArgumentValue::Plain(value) = given { Some(value) } else { None },
                    )
                    .collect();
                arg.given = ArgumentValue::Plain(near(value, &values, random));
            }
        }
        Some(args)
    }
}

fn given_arg(exercise: &Exercise, names: &BTreeMap<&str, String>, arg: &Arg) -> Option<GivenArg> {
    let given = given(exercise, names, &arg.node)?;
    Some(GivenArg { keyword: arg.keyword.clone(), position: arg.position, given })
}

fn given(exercise: &Exercise, names: &BTreeMap<&str, String>, node: &Node) -> Option<ArgumentValue> {
    match node {
        Node::Literal(value) => Some(ArgumentValue::Plain(value.clone())),
        Node::Name(name) => names.get(name.as_str()).map(|class| ArgumentValue::Object(class.clone())),
        Node::New { class, args } => {
            let args: Option<Vec<GivenArg>> =
                args.iter().map(|arg| given_arg(exercise, names, arg)).collect();
            Some(ArgumentValue::Made(class.clone(), args?))
        }
        Node::Items(kind, items) => {
            let items: Option<Vec<ArgumentValue>> =
                items.iter().map(|item| given(exercise, names, item)).collect();
            Some(ArgumentValue::Collection(*kind, items?))
        }
        Node::Class(name) => Some(ArgumentValue::Form(name.clone(), Vec::new())),
        Node::Function { .. }
        | Node::Method { .. }
        | Node::Text(_)
        | Node::Attribute { .. }
        | Node::Index { .. }
        | Node::Slice { .. }
        | Node::Operation(..)
        | Node::Builtin(..) => {
            let (form, parts) = form(node)?;
            let parts: Option<Vec<ArgumentValue>> =
                parts.iter().map(|part| given(exercise, names, part)).collect();
            // An operation inside of another one keeps its own operands.
            let form = if matches!(node, Node::Operation(..)) { format!("({form})") } else { form };
            Some(ArgumentValue::Form(form, parts?))
        }
        Node::Native(_) | Node::Pairs(_) => None,
    }
}

/// The text of an expression with a hole for each part, and the parts; `None` if it is none of parts.
fn form(node: &Node) -> Option<(String, Vec<&Node>)> {
    let holes = |count: usize| vec![HOLE.to_string(); count].join(", ");
    let plain = |args: &[Arg]| args.iter().all(|arg| arg.keyword.is_none());
    match node {
        Node::Operation(Operator::Negate, operands) => Some((format!("-{HOLE}"), operands.iter().collect())),
        Node::Operation(Operator::Not, operands) => Some((format!("not {HOLE}"), operands.iter().collect())),
        Node::Operation(operator, operands) => {
            Some((format!("{HOLE} {} {HOLE}", operator.name()), operands.iter().collect()))
        }
        Node::Builtin(builtin, args) => {
            Some((format!("{}({})", builtin.name(), holes(args.len())), args.iter().collect()))
        }
        Node::Index { on, index } => Some((format!("{HOLE}[{HOLE}]"), vec![on, index])),
        Node::Slice { on, bounds } => {
            let hole = |bound: &Option<Node>| if bound.is_some() { HOLE.to_string() } else { String::new() };
            let [start, stop, step] = bounds.as_ref();
            let step_text = step.as_ref().map(|_| format!(":{HOLE}")).unwrap_or_default();
            let text = format!("{HOLE}[{}:{}{step_text}]", hole(start), hole(stop));
            Some((text, std::iter::once(on.as_ref()).chain(bounds.iter().flatten()).collect()))
        }
        Node::Function { name, args } if plain(args) => {
            Some((format!("{name}({})", holes(args.len())), args.iter().map(|arg| &arg.node).collect()))
        }
        Node::Method { on, name, args } if plain(args) => {
            let parts = std::iter::once(on.as_ref()).chain(args.iter().map(|arg| &arg.node));
            Some((format!("{HOLE}.{name}({})", holes(args.len())), parts.collect()))
        }
        Node::Attribute { on, name } => Some((format!("{HOLE}.{name}"), vec![on])),
        Node::Text(on) => Some((format!("{HOLE}.str()"), vec![on])),
        _ => None,
    }
}

/// An expression with its holes filled.
pub(super) fn filled(form: &str, parts: &[String]) -> String {
    let mut parts = parts.iter();
    let fill = |ch: char| match ch {
        HOLE => parts.next().cloned().unwrap_or_default(),
        ch => ch.to_string(),
    };
    form.chars().map(fill).collect()
}

/// The class of a value, if it is one of the exercise.
fn class_of(names: &BTreeMap<&str, String>, node: &Node) -> Option<String> {
    match node {
        Node::New { class, .. } => Some(class.clone()),
        Node::Name(name) => names.get(name.as_str()).cloned(),
        // A method that can be called on its own result returns the object, as far as cases go.
        Node::Method { on, .. } => class_of(names, on),
        _ => None,
    }
}

/// The callee of an expression.
pub(super) fn callee(exercise: &Exercise, names: &BTreeMap<&str, String>, node: &Node) -> Option<Callee> {
    match node {
        Node::New { class, .. } => Some(Callee::Class(class.clone())),
        Node::Function { name, .. } => Some(Callee::Function(name.clone())),
        Node::Method { on, name, .. } => {
            let has = |class: &String| {
                exercise.classes.get(class).is_some_and(|class| class.methods.contains_key(name))
            };
            let class = class_of(names, on).filter(has);
            let class = class.or_else(|| exercise.classes.keys().find(|class| has(class)).cloned())?;
            Some(Callee::Method(class, name.clone()))
        }
        Node::Attribute { on, name } => Some(Callee::Attribute(class_of(names, on)?, name.clone())),
        Node::Index { .. } | Node::Slice { .. } | Node::Operation(..) | Node::Builtin(..) => {
            form(node).map(|(form, _)| Callee::Form(form))
        }
        _ => None,
    }
}

/// A value like `value`, not far outside of what `others` are.
fn near(value: &Value, others: &[&Value], random: &mut Random) -> Value {
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
                _ => {
                    let width = most.saturating_sub(least).saturating_add(1);
                    least.saturating_add(
                        i64::try_from(random.below(usize::try_from(width).unwrap_or(1))).unwrap_or(0),
                    )
                }
            };
            Value::Int(Int::from(next.clamp(least, most)))
        }
        Value::List(items) if vary_in_length(others) => Value::List(fewer(items, random)),
        _ => value.clone(),
    }
}

/// Whether the examples are lists of several lengths, of numbers or texts: only then may another list do as
/// well.
fn vary_in_length(others: &[&Value]) -> bool {
    let mut lengths = BTreeSet::new();
    let flat = others.iter().all(|other| match other {
        Value::List(items) => {
            lengths.insert(items.len());
            items.iter().all(|item| matches!(item, Value::Int(_) | Value::Float(_) | Value::Str(_)))
        }
        _ => false,
    });
    flat && lengths.len() > 1
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

/// The texts of arguments, with objects among those that are bound; `None` if there is no such object.
pub(super) fn arg_texts(
    args: &[GivenArg],
    objects: &[(String, String)],
    random: &mut Random,
    uses: &mut Vec<String>,
) -> Option<Vec<String>> {
    let text = |arg: &GivenArg| {
        let text = given_text(&arg.given, objects, random, uses)?;
        Some(arg.keyword.as_ref().map_or(text.clone(), |keyword| format!("{keyword}={text}")))
    };
    args.iter().map(text).collect()
}

fn given_text(
    given: &ArgumentValue,
    objects: &[(String, String)],
    random: &mut Random,
    uses: &mut Vec<String>,
) -> Option<String> {
    match given {
        ArgumentValue::Plain(value) => Some(python::Python.literal(value)),
        ArgumentValue::Object(class) => {
            let fitting: Vec<&String> =
                objects.iter().filter(|(_, own)| own == class).map(|(name, _)| name).collect();
            let name = (*fitting.get(random.below(fitting.len()))?).clone();
            uses.push(name.clone());
            Some(name)
        }
        ArgumentValue::Made(class, args) => {
            Some(format!("{class}({})", arg_texts(args, objects, random, uses)?.join(", ")))
        }
        ArgumentValue::Form(form, parts) => {
            let parts: Option<Vec<String>> =
                parts.iter().map(|part| given_text(part, objects, random, uses)).collect();
            Some(filled(form, &parts?))
        }
        ArgumentValue::Collection(kind, items) => {
            let items: Option<Vec<String>> =
                items.iter().map(|item| given_text(item, objects, random, uses)).collect();
            let items = items?;
            Some(match kind {
                Items::List => python::Python.list(&items),
                Items::Tuple => python::Python.tuple(&items),
                Items::Set => python::Python.set(&items),
            })
        }
    }
}
