//! What the cases of an exercise call, as examples for other calls.

use super::arguments::{Place, parameters};
use super::files::WrittenFile;
use super::fixed::Fixed;
use super::inlined::Inlined;
use crate::case::{Arg, Case, Domain, Exercise, Items, NamedCall, Node, Operator, PlanStep, Raises};
use crate::languages::python;
use crate::named::Named;
use crate::value::Value;
use crate::value::notation::Notation;
use crate::value::random::Random;
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

impl ArgumentValue {
    /// The value, if it is one.
    pub(super) fn plain(&self) -> Option<&Value> {
        if let ArgumentValue::Plain(value) = self { Some(value) } else { None }
    }

    /// Whether it has items, or may have some.
    pub(super) fn is_collection(&self) -> bool {
        match self {
            ArgumentValue::Plain(value) => {
                matches!(value, Value::List(_) | Value::Tuple(_) | Value::Set(_) | Value::Dict(_))
            }
            ArgumentValue::Collection(..) | ArgumentValue::Form(..) => true,
            ArgumentValue::Object(_) | ArgumentValue::Made(..) => false,
        }
    }
}

/// An argument of a call: its keyword, its position and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GivenArg {
    keyword: Option<String>,
    pub(super) position: usize,
    pub(super) given: ArgumentValue,
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

impl Callee {
    /// Whether it is a class.
    pub(super) fn is_class(&self) -> bool {
        matches!(self, Callee::Class(_))
    }

    /// Whether sessions of these calls may have it, if they are given: an attribute is no call, and neither is an
    /// operator.
    pub(super) fn is_among(&self, allowed: Option<&BTreeSet<NamedCall>>) -> bool {
        let named = match self {
            Callee::Class(class) => NamedCall::Class(class.clone()),
            Callee::Function(function) => NamedCall::Function(function.clone()),
            Callee::Method(class, method) => NamedCall::Method(class.clone(), method.clone()),
            Callee::Attribute(..) | Callee::Form(_) => return true,
        };
        allowed.is_none_or(|allowed| allowed.contains(&named))
    }

    /// The class, function or expression that it belongs to.
    pub(super) fn scope(&self) -> &str {
        match self {
            Callee::Class(class) | Callee::Method(class, _) | Callee::Attribute(class, _) => class,
            Callee::Function(function) => function,
            Callee::Form(form) => form,
        }
    }
}

/// The hole of an expression.
pub(super) const HOLE: char = '□';

/// Calls by what they call, and what cases expect of them.
#[derive(Debug, Default)]
pub(super) struct Examples {
    pub(super) calls: BTreeMap<Callee, Vec<Vec<GivenArg>>>,
    pub(super) fixed: BTreeMap<Callee, Fixed>,
    pub(super) raises: Vec<(Option<Callee>, Raises)>,
    /// The calls that the cases make, and whether they ever answer there: others always raise.
    pub(super) made: BTreeMap<Callee, bool>,
    /// The names of parameters.
    pub(super) parameters: BTreeMap<Callee, Vec<String>>,
    /// The domains of parameters, as far as the exercise says them.
    pub(super) domains: BTreeMap<String, Domain>,
    /// The values of arguments in the cases, each with its parameter.
    pub(super) values: Vec<(Place, Value)>,
    /// The texts that calls read from standard input.
    pub(super) inputs: BTreeMap<Callee, Vec<String>>,
    /// The files that calls write.
    pub(super) writes: BTreeMap<Callee, Vec<WrittenFile>>,
}

impl Examples {
    /// The calls in these cases, and those that need no arguments.
    pub(super) fn of<'c>(exercise: &Exercise, cases: impl Iterator<Item = &'c Case>) -> Examples {
        let mut examples = Examples {
            parameters: parameters(exercise),
            domains: exercise.arguments.clone(),
            ..Examples::default()
        };
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
            let mut inlined = Inlined::default();
            for (step, expect) in case.plan.steps.iter().zip(&case.expect) {
                let mut last = None;
                let lines = step.lines();
                let input = lines.first().and_then(|line| line.stdin.as_ref()).map(|input| &input.text);
                for (index, line) in lines.iter().enumerate() {
                    let node = inlined.inline(&line.node);
                    examples.look(exercise, &names, &node);
                    let raises = expect.raises.is_some() && index + 1 == lines.len();
                    let raising = callee(exercise, &names, &line.node).filter(|_| raises);
                    for callee in callees(exercise, &names, &line.node) {
                        let answers = raising.as_ref() != Some(&callee);
                        *examples.made.entry(callee).or_default() |= answers;
                    }
                    last = callee(exercise, &names, &line.node);
                    if let (Some(input), Some(last)) = (input.filter(|input| !input.is_empty()), &last) {
                        examples.inputs.entry(last.clone()).or_default().push(input.clone());
                    }
                    // A name stands for the call that made it.
                    if let Node::Name(name) = &line.node {
                        last = answers.get(name.as_str()).cloned();
                    } else if let Node::Text(on) = &line.node {
                        last = class_of(&names, on).map(Callee::Class);
                    }
                    line.bind.names().iter().for_each(|name| inlined.unbind(name));
                    if let Some(name) = line.bind.name() {
                        let is_made = matches!(line.node, Node::New { .. } | Node::Name(_));
                        let class =
                            class_of(&names, &line.node).filter(|_| is_made || is_called_on(case, name));
                        if class.is_none() {
                            inlined.bind(name, node);
                        }
                        names.remove(name);
                        answers.remove(name);
                        names.extend(class.map(|class| (name, class)));
                        answers.extend(last.clone().map(|callee| (name, callee)));
                    }
                }
                examples.raises.extend(expect.raises.iter().map(|raises| (last.clone(), raises.clone())));
                if let (Some(last), Some(line)) = (&last, lines.last()) {
                    for (name, matcher) in &expect.writes {
                        let written = WrittenFile::of(&line.node, name, matcher);
                        let known = examples.writes.entry(last.clone()).or_default();
                        match known.iter_mut().find(|known| known.has_the_name_of(&written)) {
                            // What one case does not fix is not fixed.
                            Some(known) => known.is_fixed &= written.is_fixed,
                            None => known.push(written),
                        }
                    }
                }
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

    /// Whether a call in the cases passes this text.
    pub(super) fn passes(&self, text: &str) -> bool {
        self.values.iter().any(|(_, value)| text_of(value) == Some(text))
    }

    /// Notes that calls may also pass another text where the cases pass this one.
    pub(super) fn pass_too(&mut self, text: &str, other: &str) {
        let replaced = |value: &Value| (text_of(value) == Some(text)).then(|| Value::from(other));
        let values: Vec<(Place, Value)> =
            self.values.iter().filter_map(|(place, value)| Some((place.clone(), replaced(value)?))).collect();
        self.values.extend(values);
        for known in self.calls.values_mut() {
            let mut more = known.clone();
            more.retain_mut(|args| {
                let mut is_other = false;
                for arg in args {
                    if let Some(value) = arg.given.plain().and_then(replaced) {
                        arg.given = ArgumentValue::Plain(value);
                        is_other = true;
                    }
                }
                is_other
            });
            known.extend(more);
        }
    }

    fn note(&mut self, callee: Callee, given: Vec<GivenArg>) {
        for arg in &given {
            if let (Some(place), Some(value)) = (self.place(&callee, arg.position), arg.given.plain()) {
                self.values.push((place, value.clone()));
            }
        }
        let known = self.calls.entry(callee).or_default();
        if !known.contains(&given) {
            known.push(given);
        }
    }
}

/// The text that a value is, if it is one.
pub(super) fn text_of(value: &Value) -> Option<&str> {
    if let Value::Str(text) = value { text.as_str() } else { None }
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

/// Whether a case uses this name as that of an object: it calls something on it, or looks at it alone.
fn is_called_on(case: &Case, name: &str) -> bool {
    let is_it = |node: &Node| matches!(node, Node::Name(own) if own == name);
    case.plan.steps.iter().flat_map(PlanStep::lines).any(|line| {
        let mut is_called = is_it(&line.node);
        line.node.visit(&mut |node| {
            is_called |= match node {
                Node::Method { on, .. } | Node::Attribute { on, .. } | Node::Text(on) => is_it(on.as_ref()),
                _ => false,
            };
        });
        is_called
    })
}

/// The class of a value, if it is one of the exercise.
fn class_of(names: &BTreeMap<&str, String>, node: &Node) -> Option<String> {
    match node {
        Node::New { class, .. } => Some(class.clone()),
        Node::Name(name) => names.get(name.as_str()).cloned(),
        // Of a method on whose result something is called: it returns the object, as far as cases go.
        Node::Method { on, .. } => class_of(names, on),
        _ => None,
    }
}

/// The callees in an expression that run code of the submission: an operator does if an operand is an object
/// of the exercise.
pub(super) fn callees(exercise: &Exercise, names: &BTreeMap<&str, String>, node: &Node) -> Vec<Callee> {
    let mut all = Vec::new();
    node.visit(&mut |node| {
        let is_plain = |(_, parts): (String, Vec<&Node>)| {
            node.is_operation() && parts.iter().all(|part| class_of(names, part).is_none())
        };
        if !form(node).is_some_and(is_plain) {
            all.extend(callee(exercise, names, node));
        }
    });
    all
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
