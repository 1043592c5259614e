//! Resolves the views of an exercise: how to look at values of a submission's own types.

use super::model::Exercise;
use super::node::Node;
use super::plan::{Line, View, ViewPart};
use super::resolve::{self, Resolver, Scope, Type};
use super::syntax::{ExprError, parse_expr};

/// Reads a line over names that may have any type, with the view of its value; `None` if it does not fit
/// `exercise`.
pub(crate) fn line_over(exercise: &Exercise, names: &[&str], text: &str) -> Option<(Line, Option<View>)> {
    let mut scope = Scope::default();
    names.iter().for_each(|name| scope.bind(name, Type::Unknown));
    let (line, known) = resolve::line(exercise, &scope, text).ok()?;
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

/// The views of an exercise, each with the type that it is for. One that cannot be read is left out: it is an
/// error of the exercise, told where that is read.
pub(crate) fn views(exercise: &Exercise) -> Vec<(&str, View)> {
    let read = |name: &String| build_view(exercise, name, false, false, &mut Looking::at(name)).ok();
    exercise.views.keys().filter_map(|name| Some((name.as_str(), read(name)?))).collect()
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
            // The error inside has its place in another string; here it is reported on the expression that
            // leads to it.
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
        _ => None,
    }
}
