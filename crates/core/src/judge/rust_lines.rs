//! Calls in Rust, with the types of the trait that a submission implements.

use crate::adapter::Bundle;
use crate::case::{Arg, Bind, Line, Node};
use crate::exercises::rust_trait::{Gives, Parameter, RustCall, RustTrait};
use crate::value::notation::Notation;
use crate::value::{Int, Value};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// The name of an object that a case does not name.
const IT: &str = "it";

/// The end of a call that gives a `Result`.
pub(super) const UNWRAP: &str = ".unwrap()";

/// The lines that bring the trait into scope, and the type if a test of the crate names it.
pub(super) fn imports(of: &RustTrait, bundle: &Bundle) -> Vec<String> {
    static TYPE: LazyLock<Regex> =
        LazyLock::new(|| crate::languages::pattern(r"\bsubmit::(\w+)::<\s*((?:\w+::)*(\w+))\s*>"));
    let mut imports = vec![format!("use keur_core::submit::{} as _;", of.name)];
    let tests = bundle.files.iter().filter(|file| Path::new(&file.name).starts_with("tests"));
    let named = tests.filter_map(|test| {
        let source = String::from_utf8_lossy(&test.bytes);
        let found = TYPE.captures_iter(&source).find(|found| found[1].eq_ignore_ascii_case(of.name))?;
        let renamed = if found[3] == *of.class { String::new() } else { format!(" as {}", of.class) };
        Some(format!("use {}{renamed};", &found[2]))
    });
    imports.extend(named.take(1));
    imports
}

/// Takes the calls that give their own object out of a line: each becomes a line before it, since the method
/// of the trait gives nothing. A call that is the whole line stays.
pub(super) fn split(line: &Line, of: &RustTrait, prints: bool) -> (Vec<Line>, Line) {
    let mut before = Vec::new();
    let node = match &line.node {
        Node::Method { on, name, args } if line.bind == Bind::Nothing && !prints => {
            let on = Box::new(object(on, name, of, &mut before));
            Node::Method { on, name: name.clone(), args: args.clone() }
        }
        node => taken_out(node, of, &mut before),
    };
    (before, Line { node, ..line.clone() })
}

/// The node without calls that give their own object.
fn taken_out(node: &Node, of: &RustTrait, before: &mut Vec<Line>) -> Node {
    match node {
        Node::Method { on, name, args } => {
            let on = object(on, name, of, before);
            let call = Node::Method { on: Box::new(on.clone()), name: name.clone(), args: args.clone() };
            if gives_itself(name, of) {
                before.push(Line::plain(call));
                return on;
            }
            call
        }
        Node::Text(on) => Node::Text(Box::new(taken_out(on, of, before))),
        Node::Index { on, index } => {
            Node::Index { on: Box::new(taken_out(on, of, before)), index: index.clone() }
        }
        node => node.clone(),
    }
}

/// The object of a call. If the call gives nothing, a new object gets a name first.
fn object(on: &Node, method: &str, of: &RustTrait, before: &mut Vec<Line>) -> Node {
    let on = taken_out(on, of, before);
    if !gives_itself(method, of) || !matches!(on, Node::New { .. }) {
        return on;
    }
    before.push(Line { bind: Bind::Name(IT.to_owned()), ..Line::plain(on) });
    Node::Name(IT.to_owned())
}

fn gives_itself(method: &str, of: &RustTrait) -> bool {
    of.call(method).is_some_and(|call| call.gives == Gives::Itself)
}

/// Adds the names of the objects that a line changes, or of which it takes a reference to change them.
pub(super) fn add_changed<'l>(line: &'l Line, of: &RustTrait, names: &mut BTreeSet<&'l str>) {
    match (&line.bind, &line.node) {
        (Bind::Name(_), Node::Name(name)) => {
            names.insert(name);
        }
        (Bind::Place(place), _) => {
            if let Node::Attribute { on, .. } | Node::Index { on, .. } = place.as_ref() {
                names.extend(on.names());
            }
        }
        _ => {}
    }
    add_changed_by(&line.node, of, names);
}

fn add_changed_by<'l>(node: &'l Node, of: &RustTrait, names: &mut BTreeSet<&'l str>) {
    match node {
        Node::New { args, .. } | Node::Function { args, .. } | Node::Method { args, .. } => {
            let parameters = call_of(node, of).map(|call| call.parameters).unwrap_or_default();
            for arg in args {
                if let (Some(Parameter::Changed), Node::Name(name)) =
                    (parameters.get(arg.position), &arg.node)
                {
                    names.insert(name);
                }
                add_changed_by(&arg.node, of, names);
            }
        }
        Node::Text(on) | Node::Index { on, .. } => add_changed_by(on, of, names),
        _ => {}
    }
    if let Node::Method { on, name: method, .. } = node {
        if let (Node::Name(name), true) = (on.as_ref(), gives_itself(method, of)) {
            names.insert(name);
        }
        add_changed_by(on, of, names);
    }
}

/// The call of a node, if it is one of the trait.
pub(super) fn call_of<'t>(node: &Node, of: &'t RustTrait) -> Option<&'t RustCall> {
    match node {
        Node::New { class: name, .. } | Node::Function { name, .. } | Node::Method { name, .. } => {
            of.call(name)
        }
        _ => None,
    }
}

/// The placeholder that prints the value of a node.
pub(super) fn placeholder(node: &Node, of: &RustTrait) -> &'static str {
    match call_of(node, of) {
        Some(call) if matches!(call.gives, Gives::Debugged | Gives::Tuple) => "{:?}",
        Some(_) | None => "{}",
    }
}

/// Whether a node is a text, or a call that gives a value to print: not an object, nor nothing.
pub(super) fn gives_value(node: &Node, of: &RustTrait) -> bool {
    match node {
        Node::Text(_) => true,
        Node::Function { .. } | Node::Method { .. } => {
            call_of(node, of).is_some_and(|call| call.gives != Gives::Itself)
        }
        _ => false,
    }
}

/// The text of a value that a call gives, with the list of the exercise as the tuple of the trait.
pub(super) fn value_text(node: &Node, of: &RustTrait, text: String) -> String {
    let gives_tuple = call_of(node, of).is_some_and(|call| call.gives == Gives::Tuple);
    let items = text.strip_prefix("vec![").and_then(|items| items.strip_suffix(']'));
    items.filter(|_| gives_tuple).map(|items| format!("({items})")).unwrap_or(text)
}

/// The arguments of a call, by the types of its parameters. `written` writes an expression of another type.
pub(super) fn arguments(
    call: &RustCall,
    args: &[Arg],
    notation: &dyn Notation,
    written: impl Fn(&Node) -> String,
) -> String {
    let parameters = call.parameters.iter().enumerate();
    let args = parameters.map(|(at, parameter)| {
        let given = args.iter().map(|arg| (arg.position, &arg.node)).find(|(position, _)| *position == at);
        match given {
            Some((_, Node::Literal(value))) => literal(*parameter, value, notation),
            Some((_, node)) => expression(*parameter, node, written(node)),
            None => literal(*parameter, &Value::Undefined, notation),
        }
    });
    args.collect::<Vec<_>>().join(", ")
}

/// An argument that is not a literal.
fn expression(parameter: Parameter, node: &Node, written: String) -> String {
    match parameter {
        Parameter::Size | Parameter::Index | Parameter::Field | Parameter::Position => written,
        Parameter::OptionalSize => format!("Some({written})"),
        Parameter::OptionalText => format!("Some(&{written})"),
        Parameter::Positions => match node {
            Node::Items(_, _) => format!("&{}", written.trim_start_matches("vec!")),
            _ => format!("&{written}"),
        },
        Parameter::Text | Parameter::Object => format!("&{written}"),
        Parameter::Changed => format!("&mut {written}"),
    }
}

/// An argument that is a literal, or what arrives instead of a value that the type excludes.
fn literal(parameter: Parameter, value: &Value, notation: &dyn Notation) -> String {
    match parameter {
        Parameter::OptionalSize | Parameter::OptionalText if *value == Value::Undefined => "None".to_owned(),
        Parameter::OptionalSize => format!("Some({})", literal(Parameter::Size, value, notation)),
        Parameter::OptionalText => format!("Some({})", literal(Parameter::Text, value, notation)),
        Parameter::Size => size(value).unwrap_or(0).to_string(),
        Parameter::Index => index(value),
        Parameter::Field => match int(value).and_then(Int::to_i64) {
            Some(field) => field.to_string(),
            None => "i64::MAX".to_owned(),
        },
        Parameter::Text => match value {
            Value::Str(text) if text.as_str().is_some() => notation.string(text),
            _ => "\"\"".to_owned(),
        },
        Parameter::Position => match value {
            Value::Tuple(pair) | Value::List(pair) => {
                format!("({})", pair.iter().map(index).collect::<Vec<_>>().join(", "))
            }
            _ => notation.literal(value),
        },
        Parameter::Positions => match value {
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                let position = |item| literal(Parameter::Position, item, notation);
                format!("&[{}]", items.iter().map(position).collect::<Vec<_>>().join(", "))
            }
            _ => notation.literal(value),
        },
        Parameter::Object | Parameter::Changed => notation.literal(value),
    }
}

fn int(value: &Value) -> Option<&Int> {
    if let Value::Int(int) | Value::BigInt(int) = value { Some(int) } else { None }
}

fn size(value: &Value) -> Option<usize> {
    match value {
        Value::Float(number) | Value::Number(number) => Int::of_double(*number)?.to_usize(),
        _ => int(value)?.to_usize(),
    }
}

fn index(value: &Value) -> String {
    int(value).and_then(Int::to_usize).map_or_else(|| "usize::MAX".to_owned(), |index| index.to_string())
}
