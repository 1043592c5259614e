//! Resolves the expressions of a case against its exercise: names to bindings, calls to parameters.

use super::diagnostic::{did_you_mean, near};
use super::model::{Class, Exercise, Parameter};
use super::node::{Arg, Builtin, Items, NativeCode, Node, Operator};
use super::plan::{Bind, Line};
use super::syntax::{
    Argument, Dialect, Expr, ExprError, ExprKind, NATIVE, Name, Statement, Target, parse_statement,
};
use crate::named::Named;
use crate::value::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The methods of every value: its text.
const TEXT: [&str; 2] = ["str", "toString"];

/// The static type of a value, as far as known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// An object of a class.
    Class(String),
    /// A value of a `[view]` type, or a list of them.
    View(String, bool),
    /// A list whose order is irrelevant.
    AnyOrder,
    /// Unknown.
    Unknown,
}

/// The names bound so far in a case, with their known types, and the values that its row gives.
#[derive(Default)]
pub(super) struct Scope {
    names: BTreeMap<String, Type>,
    given: BTreeMap<String, Value>,
    /// The names of given values that were used.
    used: RefCell<BTreeSet<String>>,
}

impl Scope {
    /// The scope of a row that gives these values.
    pub(super) fn with(given: BTreeMap<String, Value>) -> Scope {
        Scope { given, ..Scope::default() }
    }

    /// The value that the row gives by this name.
    fn given(&self, name: &str) -> Option<&Value> {
        let value = self.given.get(name)?;
        self.used.borrow_mut().insert(name.to_owned());
        Some(value)
    }

    /// Whether a line used the value that the row gives by this name.
    pub(super) fn has_used(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }

    /// Whether `name` is bound.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The bound names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Binds `name`.
    pub(super) fn bind(&mut self, name: &str, known: Type) {
        self.names.insert(name.to_owned(), known);
    }

    /// Binds the names of a line whose value is of type `known`.
    pub(super) fn bind_line(&mut self, line: &Line, known: &Type) {
        for name in line.bind.names() {
            let known = if line.bind.name().is_some() { known.clone() } else { Type::Unknown };
            self.bind(name, known);
        }
    }
}

/// Reads a line of a step and resolves it against `exercise` and the names bound before it.
///
/// # Errors
/// The problem, with its bytes in the line.
pub(super) fn line(exercise: &Exercise, scope: &Scope, text: &str) -> Result<(Line, Type), ExprError> {
    let Statement { target, annotation: _, expr } = parse_statement(text, Dialect::Neutral)?;
    let resolver = Resolver { exercise, scope };
    let bind = match target {
        Target::Nothing => Bind::Nothing,
        Target::Name(name) => Bind::Name(free(exercise, scope, name)?),
        Target::Names(names) => {
            Bind::Unpack(names.into_iter().map(|name| free(exercise, scope, name)).collect::<Result<_, _>>()?)
        }
        Target::Place(place) => Bind::Place(Box::new(resolver.node(&place)?.0)),
    };
    let (node, known) = resolver.node(&expr)?;
    Ok((Line::bound(bind, node), known))
}

/// A name that a case may bind.
pub(super) fn free(exercise: &Exercise, scope: &Scope, (name, span): Name) -> Result<String, ExprError> {
    if exercise.definitions().any(|defined| defined == name) {
        return Err(ExprError::new(format!("`{name}` is a name that the submission defines"), span)
            .help("bind the value to another name"));
    }
    if scope.given.contains_key(&name) {
        return Err(ExprError::new(format!("`{name}` is a value that the rows give"), span)
            .help("bind the value to another name"));
    }
    Ok(name)
}

/// Code by programming language, with the bound names that occur in it, and the values in it that the row
/// gives.
pub(super) fn native(scope: &Scope, code: BTreeMap<String, String>) -> (NativeCode, Vec<(String, Value)>) {
    let words = |text: &str| -> Vec<String> {
        text.split(|ch: char| !(ch.is_alphanumeric() || ch == '_')).map(str::to_owned).collect()
    };
    let words: BTreeSet<String> = code.values().flat_map(|text| words(text)).collect();
    let uses = scope.names().filter(|name| words.contains(*name)).map(str::to_owned).collect();
    let given = words.iter().filter_map(|word| Some((word.clone(), scope.given(word)?.clone())));
    (NativeCode { code, uses }, given.collect())
}

/// The type of a list of the items of a value.
fn items_of(known: Type) -> Type {
    match known {
        Type::View(name, true) => Type::View(name, true),
        Type::View(_, false) | Type::Class(_) | Type::AnyOrder | Type::Unknown => Type::Unknown,
    }
}

/// Functions of Python that this language does not have, however much they look like those that it has.
const PYTHONS: [&str; 14] = [
    "abs", "any", "all", "bool", "dict", "float", "int", "max", "min", "range", "round", "sum", "tuple",
    "type",
];

/// Resolves expressions against an exercise and the names bound so far.
pub(super) struct Resolver<'a> {
    pub exercise: &'a Exercise,
    pub(super) scope: &'a Scope,
}

impl Resolver<'_> {
    /// The node of an expression, and the type of its value as far as known.
    ///
    /// # Errors
    /// The problem, with its bytes in the line.
    pub(super) fn node(&self, expr: &Expr) -> Result<(Node, Type), ExprError> {
        if let Some(value) = expr.literal() {
            return Ok((Node::Literal(value), Type::Unknown));
        }
        match &expr.kind {
            ExprKind::Name(name) => match (self.scope.given(name), self.scope.names.get(name)) {
                (Some(value), _) => Ok((Node::Literal(value.clone()), Type::Unknown)),
                (None, Some(known)) => Ok((Node::Name(name.clone()), known.clone())),
                (None, None) if self.exercise.classes.contains_key(name) => {
                    Ok((Node::Class(name.clone()), Type::Unknown))
                }
                (None, None) => Err(self.unbound(name, expr.span.clone())),
            },
            ExprKind::Call(name, args) => self.call(name, args, &expr.span),
            ExprKind::Method(on, name, at, args) => self.method(on, name, at, args, &expr.span),
            ExprKind::Attribute(on, name, at) => self.attribute(on, name, at),
            ExprKind::Index(on, index) => {
                let (on, known) = self.node(on)?;
                let known = match known {
                    Type::View(name, true) => Type::View(name, false),
                    Type::View(_, false) | Type::Class(_) | Type::AnyOrder | Type::Unknown => Type::Unknown,
                };
                let index = Box::new(self.node(index)?.0);
                Ok((Node::Index { on: Box::new(on), index }, known))
            }
            ExprKind::Slice(on, bounds) => {
                let (on, known) = self.node(on)?;
                let bound = |bound: &Option<Expr>| -> Result<Option<Node>, ExprError> {
                    bound.as_ref().map(|bound| Ok(self.node(bound)?.0)).transpose()
                };
                let [start, stop, step] = bounds.as_ref();
                let bounds = Box::new([bound(start)?, bound(stop)?, bound(step)?]);
                Ok((Node::Slice { on: Box::new(on), bounds }, items_of(known)))
            }
            ExprKind::Operation(operator, operands) => self.operation(*operator, operands),
            ExprKind::List(items) => self.items(Items::List, items),
            ExprKind::Tuple(items) => self.items(Items::Tuple, items),
            ExprKind::Set(items) => self.items(Items::Set, items),
            ExprKind::Dict(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| Ok((self.node(key)?.0, self.node(value)?.0)))
                    .collect::<Result<_, _>>()?;
                Ok((Node::Pairs(pairs), Type::Unknown))
            }
            // Literals are handled above.
            ExprKind::Literal(value) => Ok((Node::Literal(value.clone()), Type::Unknown)),
        }
    }

    fn items(&self, kind: Items, items: &[Expr]) -> Result<(Node, Type), ExprError> {
        let items = items.iter().map(|item| Ok(self.node(item)?.0)).collect::<Result<_, _>>()?;
        Ok((Node::Items(kind, items), Type::Unknown))
    }

    fn call(&self, name: &str, args: &[Argument], span: &Range<usize>) -> Result<(Node, Type), ExprError> {
        if let Some(class) = self.exercise.classes.get(name) {
            let args = self.arguments(args, positions(name, &class.new, args, span)?)?;
            return Ok((Node::New { class: name.to_owned(), args }, Type::Class(name.to_owned())));
        }
        if let Some(function) = self.exercise.functions.get(name) {
            let args = self.arguments(args, positions(name, &function.args, args, span)?)?;
            let known = match &function.returns {
                Some((view, each)) => Type::View(view.clone(), *each),
                None if function.any_order => Type::AnyOrder,
                None => Type::Unknown,
            };
            return Ok((Node::Function { name: name.to_owned(), args }, known));
        }
        let at = span.start..span.start + name.len();
        if let Some(builtin) = Builtin::from_name(name) {
            let (args, known) = self.builtin_args(name, builtin.arity(), args, span)?;
            let known = match builtin {
                Builtin::List | Builtin::Sorted => items_of(known),
                Builtin::Len | Builtin::Str | Builtin::Repr | Builtin::IsInstance => Type::Unknown,
            };
            return Ok((Node::Builtin(builtin, args), known));
        }
        let method = self.exercise.classes.values().any(|class| class.methods.contains_key(name));
        let unknown = ExprError::new(format!("the exercise has no class or function `{name}`"), at);
        Err(match name {
            "print" => unknown.help("write `x.str()` for the text of x, and expect it with `shows`"),
            _ if method => unknown.help(format!("`{name}` is a method: write `x.{name}(…)`")),
            _ if PYTHONS.contains(&name) => unknown.help(NATIVE),
            _ => {
                let builtins = Builtin::NAMES.iter().copied();
                ExprError { help: did_you_mean(name, self.exercise.definitions().chain(builtins)), ..unknown }
            }
        })
    }

    /// The arguments of a function that every language has, all by position, and the type of the first.
    fn builtin_args(
        &self,
        name: &str,
        arity: usize,
        args: &[Argument],
        span: &Range<usize>,
    ) -> Result<(Vec<Node>, Type), ExprError> {
        if let Some((keyword, at)) = args.iter().find_map(|arg| arg.keyword.as_ref()) {
            return Err(
                ExprError::new(format!("`{name}` has no parameter `{keyword}`"), at.clone()).help(NATIVE)
            );
        }
        if args.len() != arity {
            let plural = if arity == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {arity} argument{plural}, not {}", args.len());
            return Err(ExprError::new(message, span.clone()));
        }
        let mut first = Type::Unknown;
        let mut nodes = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let (node, known) = self.node(&arg.value)?;
            nodes.push(node);
            if index == 0 {
                first = known;
            }
        }
        Ok((nodes, first))
    }

    fn operation(&self, operator: Operator, operands: &[Expr]) -> Result<(Node, Type), ExprError> {
        let operands = operands.iter().map(|operand| Ok(self.node(operand)?.0)).collect::<Result<_, _>>()?;
        Ok((Node::Operation(operator, operands), Type::Unknown))
    }

    fn attribute(&self, on: &Expr, name: &str, at: &Range<usize>) -> Result<(Node, Type), ExprError> {
        let (on, known) = self.node(on)?;
        let classes = self.classes_of(&known);
        if classes.iter().any(|(_, class)| class.attributes.iter().any(|attribute| attribute == name)) {
            return Ok((Node::Attribute { on: Box::new(on), name: name.to_owned() }, Type::Unknown));
        }
        if TEXT.contains(&name) || classes.iter().any(|(_, class)| class.methods.contains_key(name)) {
            return Err(ExprError::new(format!("`{name}` is not called"), at.clone())
                .help(format!("it is a method: write `.{name}()`")));
        }
        let whose = match &known {
            Type::Class(class) => format!("`{class}` has no attribute `{name}`"),
            Type::View(..) | Type::AnyOrder | Type::Unknown => format!("no class has an attribute `{name}`"),
        };
        let attributes = || classes.iter().flat_map(|(_, class)| class.attributes.iter().map(String::as_str));
        let class = match (&known, classes.first()) {
            (Type::Class(class), _) => class.as_str(),
            (Type::View(..) | Type::AnyOrder | Type::Unknown, Some((class, _))) => class.as_str(),
            (Type::View(..) | Type::AnyOrder | Type::Unknown, None) => "Name",
        };
        let declare =
            || format!("say that a submission must have it: [class.{class}] attributes = [\"{name}\"]");
        let meant = near(name, attributes()).and_then(|_| did_you_mean(name, attributes()));
        let help = meant.unwrap_or_else(declare);
        Err(ExprError::new(whose, at.clone()).help(help))
    }

    /// The classes that a value of type `known` may have.
    fn classes_of(&self, known: &Type) -> Vec<(&String, &Class)> {
        let may = |class: &String| !matches!(known, Type::Class(of) if of != class);
        self.exercise.classes.iter().filter(|(class, _)| may(class)).collect()
    }

    fn method(
        &self,
        on: &Expr,
        name: &str,
        at: &Range<usize>,
        args: &[Argument],
        span: &Range<usize>,
    ) -> Result<(Node, Type), ExprError> {
        let (on, known) = self.node(on)?;
        if TEXT.contains(&name) {
            if !args.is_empty() {
                return Err(ExprError::new(format!("`{name}` takes no arguments"), span.clone()));
            }
            return Ok((Node::Text(Box::new(on)), Type::Unknown));
        }
        let classes = &self.exercise.classes;
        let candidates: Vec<&Vec<Parameter>> = match &known {
            Type::Class(class) => {
                classes.get(class).and_then(|class| class.methods.get(name)).into_iter().collect()
            }
            Type::View(..) | Type::AnyOrder | Type::Unknown => {
                classes.values().filter_map(|class| class.methods.get(name)).collect()
            }
        };
        let Some(first) = candidates.first() else {
            let methods: Vec<&str> = classes
                .iter()
                .filter(|(class, _)| !matches!(&known, Type::Class(of) if of != *class))
                .flat_map(|(_, class)| class.methods.keys().map(String::as_str))
                .chain(TEXT)
                .collect();
            let whose = match &known {
                Type::Class(class) => format!("`{class}` has no method `{name}`"),
                Type::View(..) | Type::AnyOrder | Type::Unknown => format!("no class has a method `{name}`"),
            };
            let is_attribute = self
                .classes_of(&known)
                .iter()
                .any(|(_, class)| class.attributes.iter().any(|one| one == name));
            let help = if is_attribute {
                Some(format!("it is an attribute: write `.{name}`"))
            } else if matches!(known, Type::Class(_)) || near(name, methods.iter().copied()).is_some() {
                did_you_mean(name, methods)
            } else {
                Some(format!("only methods of the exercise's classes can be called; {NATIVE}"))
            };
            return Err(ExprError { help, ..ExprError::new(whose, at.clone()) });
        };
        // If several classes have the method, any with matching parameters will do.
        let positions = candidates
            .iter()
            .find_map(|parameters| positions(name, parameters, args, span).ok())
            .map_or_else(|| positions(name, first, args, span), Ok)?;
        let args = self.arguments(args, positions)?;
        Ok((Node::Method { on: Box::new(on), name: name.to_owned(), args }, Type::Unknown))
    }

    /// The arguments, each at its position. They are resolved once, however many methods match: calls nest.
    fn arguments(&self, args: &[Argument], positions: Vec<usize>) -> Result<Vec<Arg>, ExprError> {
        args.iter()
            .zip(positions)
            .map(|(arg, position)| {
                let keyword = arg.keyword.as_ref().map(|(keyword, _)| keyword.clone());
                Ok(Arg { keyword, position, node: self.node(&arg.value)?.0 })
            })
            .collect()
    }

    fn unbound(&self, name: &str, span: Range<usize>) -> ExprError {
        if self.exercise.functions.contains_key(name) {
            return ExprError::new(format!("`{name}` is not called"), span)
                .help(format!("it is a function: write `{name}(…)`"));
        }
        let error = ExprError::new(format!("`{name}` is used before it is bound"), span);
        let given = did_you_mean(name, self.scope.given.keys().map(String::as_str));
        // A new case has the names of parameters where its author has not yet written values.
        let is_parameter = self.exercise.parameters().any(|parameter| parameter.name == name);
        let value =
            || format!("write a value instead of `{name}`, or bind it in an earlier step: `{name} = …`");
        let files = self.exercise.files.values().flatten();
        let is_module = || files.clone().any(|file| file.split('.').next() == Some(name));
        let of_a_language = || match name {
            "console" => Some("write the call alone, and expect its output with `prints`".to_owned()),
            "undefined" | "nil" => Some("write `None`".to_owned()),
            "math" | "Math" | "random" | "Object" | "Array" => Some(NATIVE.to_owned()),
            _ if is_module() => Some("the names of a submission are used without their module".to_owned()),
            _ => None,
        };
        let help = given
            .or_else(|| is_parameter.then(value))
            .or_else(of_a_language)
            .or_else(|| did_you_mean(name, self.scope.names()))
            .unwrap_or_else(|| format!("bind it in an earlier step: `{name} = …`"));
        error.help(help)
    }
}

/// The position of each argument among `parameters`.
fn positions(
    name: &str,
    parameters: &[Parameter],
    args: &[Argument],
    span: &Range<usize>,
) -> Result<Vec<usize>, ExprError> {
    let mut given = vec![false; parameters.len()];
    let mut positions = Vec::with_capacity(args.len());
    for (index, arg) in args.iter().enumerate() {
        let position = match &arg.keyword {
            None => index,
            Some((keyword, at)) => {
                parameters.iter().position(|parameter| parameter.name == *keyword).ok_or_else(|| {
                    let known = parameters.iter().map(|parameter| parameter.name.as_str());
                    let unknown =
                        ExprError::new(format!("`{name}` has no parameter `{keyword}`"), at.clone());
                    ExprError { help: did_you_mean(keyword, known), ..unknown }
                })?
            }
        };
        match given.get_mut(position) {
            None => return Err(wrong_count(name, parameters, args.len(), span)),
            Some(true) => {
                let again = format!("parameter `{}` is given twice", parameters[position].name);
                return Err(ExprError::new(again, arg.value.span.clone()));
            }
            Some(given) => *given = true,
        }
        positions.push(position);
    }
    let complete = parameters.iter().zip(&given).all(|(parameter, given)| *given || parameter.optional);
    if complete { Ok(positions) } else { Err(wrong_count(name, parameters, args.len(), span)) }
}

fn wrong_count(name: &str, parameters: &[Parameter], given: usize, span: &Range<usize>) -> ExprError {
    let least = parameters.iter().filter(|parameter| !parameter.optional).count();
    let count = match (least, parameters.len()) {
        (0, 0) => "no arguments".to_owned(),
        (1, 1) => "1 argument".to_owned(),
        (least, most) if least == most => format!("{most} arguments"),
        (least, most) => format!("{least} to {most} arguments"),
    };
    let names: Vec<String> = parameters
        .iter()
        .map(|parameter| format!("{}{}", parameter.name, if parameter.optional { "?" } else { "" }))
        .collect();
    ExprError::new(format!("`{name}` takes {count}, not {given}"), span.clone())
        .help(format!("its parameters: {name}({})", names.join(", ")))
}
