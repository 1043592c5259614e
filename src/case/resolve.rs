//! Resolves the expressions of a case against its exercise: names to bindings, calls to parameters.

use super::diagnostic::did_you_mean;
use super::expr::{Argument, Expr, ExprKind, Statement, parse_expr, parse_statement};
use super::lexer::ExprError;
use super::model::{Exercise, Parameter};
use super::plan::{Arg, Items, Line, Node, View, ViewPart};
use std::collections::BTreeMap;
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

/// The names bound so far in a case, with their known types.
#[derive(Default)]
pub(super) struct Scope {
    names: BTreeMap<String, Type>,
}

impl Scope {
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
}

/// Reads a line of a step and resolves it against `exercise` and the names bound before it.
///
/// # Errors
/// The problem, with its bytes in the line.
pub(super) fn line(exercise: &Exercise, scope: &Scope, text: &str) -> Result<(Line, Type), ExprError> {
    let Statement { bind, expr } = parse_statement(text)?;
    if let Some((name, span)) = &bind
        && exercise.definitions().any(|defined| defined == name)
    {
        return Err(ExprError::new(format!("`{name}` is a name that the submission defines"), span.clone())
            .help("bind the value to another name"));
    }
    let resolver = Resolver { exercise, scope };
    let (node, known) = resolver.node(&expr)?;
    Ok((Line { bind: bind.map(|(name, _)| name), node }, known))
}

/// Reads a line over names that may have any type, with the view of its value; `None` if it does not fit `exercise`.
pub fn line_over(exercise: &Exercise, names: &[&str], text: &str) -> Option<(Line, Option<View>)> {
    let mut scope = Scope::default();
    names.iter().for_each(|name| scope.bind(name, Type::Unknown));
    let (line, known) = line(exercise, &scope, text).ok()?;
    let view = line_view(exercise, &line.node, &known);
    Some((line, view))
}

/// The most parts of a view, including those of nested views: they multiply.
const MOST_PARTS: usize = 100;

/// The progress of reading a view.
pub(super) struct Looking<'a> {
    /// The views being read, outermost first, so that none can contain itself.
    inside: Vec<&'a str>,
    /// The number of parts so far.
    parts: usize,
}

impl<'a> Looking<'a> {
    /// The state at the start of the view `name`.
    pub(super) fn at(name: &'a str) -> Looking<'a> {
        Looking { inside: vec![name], parts: 0 }
    }
}

/// The view of a value of type `known`; none for a plain one.
fn view(exercise: &Exercise, known: &Type) -> Option<View> {
    match known {
        Type::AnyOrder => Some(View { each: false, any_order: true, parts: Vec::new() }),
        Type::View(name, each) => build_view(exercise, name, *each, false, &mut Looking::at(name)).ok(),
        Type::Class(_) | Type::Unknown => None,
    }
}

/// Reads one expression of a `[view]`.
///
/// # Errors
/// The problem, with its bytes in the expression.
pub(super) fn view_part<'a>(
    exercise: &'a Exercise,
    text: &str,
    looking: &mut Looking<'a>,
) -> Result<ViewPart, ExprError> {
    looking.parts += 1;
    if looking.parts > MOST_PARTS {
        return Err(ExprError::new(format!("a view has more than {MOST_PARTS} parts"), 0..text.len())
            .help("those of the views inside it count too"));
    }
    let mut scope = Scope::default();
    scope.bind(View::IT, Type::Unknown);
    let expr = parse_expr(text)?;
    let (node, known) = Resolver { exercise, scope: &scope }.node(&expr)?;
    let view = match &known {
        Type::View(name, each) => {
            let (name, _) = exercise.views.get_key_value(name).ok_or_else(|| {
                ExprError::new(format!("there is no [view] for `{name}`"), expr.span.clone())
            })?;
            if looking.inside.contains(&name.as_str()) {
                return Err(ExprError::new(format!("the view of `{name}` contains itself"), expr.span));
            }
            looking.inside.push(name);
            let any_order = called_function(exercise, &node).is_some_and(|function| function.any_order);
            let view = build_view(exercise, name, *each, any_order, looking);
            looking.inside.pop();
            // The error inside has its place in another string; here it is reported on the expression that leads to
            // it.
            Some(view.map_err(|error| {
                let message = format!("in the view of `{name}`: {}", error.message);
                ExprError { message, span: expr.span, help: error.help }
            })?)
        }
        Type::AnyOrder | Type::Class(_) | Type::Unknown => view(exercise, &known),
    };
    Ok(ViewPart { node, view })
}

fn build_view<'a>(
    exercise: &'a Exercise,
    name: &str,
    each: bool,
    any_order: bool,
    looking: &mut Looking<'a>,
) -> Result<View, ExprError> {
    let parts = exercise.views.get(name).map(Vec::as_slice).unwrap_or_default();
    let parts = parts.iter().map(|part| view_part(exercise, part, looking)).collect::<Result<_, _>>()?;
    Ok(View { each, any_order, parts })
}

/// The view of a line's value, and whether its order is irrelevant.
pub(super) fn line_view(exercise: &Exercise, node: &Node, known: &Type) -> Option<View> {
    let mut view = view(exercise, known)?;
    view.any_order |= called_function(exercise, node).is_some_and(|function| function.any_order);
    Some(view)
}

fn called_function<'a>(exercise: &'a Exercise, node: &Node) -> Option<&'a super::model::Function> {
    match node {
        Node::Function { name, .. } => exercise.functions.get(name),
        Node::Literal(_)
        | Node::Name(_)
        | Node::New { .. }
        | Node::Method { .. }
        | Node::Text(_)
        | Node::Items(..)
        | Node::Pairs(_) => None,
    }
}

struct Resolver<'a> {
    exercise: &'a Exercise,
    scope: &'a Scope,
}

impl Resolver<'_> {
    fn node(&self, expr: &Expr) -> Result<(Node, Type), ExprError> {
        if let Some(value) = expr.literal() {
            return Ok((Node::Literal(value), Type::Unknown));
        }
        match &expr.kind {
            ExprKind::Name(name) => match self.scope.names.get(name) {
                Some(known) => Ok((Node::Name(name.clone()), known.clone())),
                None => Err(self.unbound(name, expr.span.clone())),
            },
            ExprKind::Call(name, args) => self.call(name, args, &expr.span),
            ExprKind::Method(on, name, at, args) => self.method(on, name, at, args, &expr.span),
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
        let method = self.exercise.classes.values().any(|class| class.methods.contains_key(name));
        let unknown = ExprError::new(format!("the exercise has no class or function `{name}`"), at);
        Err(match name {
            "str" | "print" | "repr" => {
                unknown.help("write `x.str()` for the text of x, and expect it with `shows`")
            }
            _ if method => unknown.help(format!("`{name}` is a method: write `x.{name}(…)`")),
            _ => ExprError { help: did_you_mean(name, self.exercise.definitions()), ..unknown },
        })
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
            return Err(ExprError { help: did_you_mean(name, methods), ..ExprError::new(whose, at.clone()) });
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
        let error = ExprError::new(format!("`{name}` is used before it is bound"), span);
        match did_you_mean(name, self.scope.names()) {
            Some(help) => error.help(help),
            None => error.help(format!("bind it in an earlier step: `{name} = …`")),
        }
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
