//! The session of a case in a submission's own language, ready to paste.

use crate::adapter::{Bundle, Dialect};
use crate::case::{Arg, Items, Line, Naming, Node, Plan};
use crate::value::syntax::Syntax;

/// The prompt of a language's interactive session.
fn prompt(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Python => ">>> ",
        Syntax::JavaScript => "> ",
    }
}

/// The lines of `plan` up to and with line `line` (from 0) of step `step` (from 0), each with its prompt; before them
/// what brings the submission into the session. `prints` says that the last line's text is looked at.
pub(super) fn session(
    plan: &Plan,
    (step, line): (usize, usize),
    prints: bool,
    naming: &Naming<'_>,
    dialect: &Dialect,
    bundle: Option<&Bundle>,
) -> Vec<String> {
    let prompt = prompt(dialect.syntax);
    let mut lines = Vec::new();
    if let Some(bundle) = bundle {
        lines.extend(
            imports(plan, naming, dialect.syntax, bundle)
                .into_iter()
                .map(|import| format!("{prompt}{import}")),
        );
    }
    for (index, planned) in plan.steps.iter().enumerate().take(step + 1) {
        let until = if index == step { line + 1 } else { planned.lines.len() };
        for (at, planned_line) in planned.lines.iter().enumerate().take(until) {
            let last = index < step && planned.want.text && at + 1 == until;
            let shown = last || prints && index == step && at == line;
            lines.push(format!("{prompt}{}", session_line(planned_line, shown, naming, dialect)));
            if let Some(name) = planned_line.bind.as_ref().filter(|_| shown) {
                let look = Line { bind: None, node: Node::Name(name.clone()) };
                lines.push(format!("{prompt}{}", session_line(&look, true, naming, dialect)));
            }
        }
    }
    lines
}

/// One line of a session, without its prompt: as the language writes it.
pub fn session_line(line: &Line, prints: bool, naming: &Naming<'_>, dialect: &Dialect) -> String {
    let writer = Writer { naming, dialect };
    let expr = writer.node(&line.node);
    match (&line.bind, dialect.syntax, prints) {
        (Some(name), Syntax::Python, _) => format!("{name} = {expr}"),
        (Some(name), Syntax::JavaScript, _) => format!("{name} = {expr}"),
        (None, Syntax::Python, true) => format!("print({expr})"),
        (None, Syntax::JavaScript, true) if matches!(line.node, Node::Text(_)) => {
            format!("console.log({expr})")
        }
        (None, Syntax::JavaScript, true) => format!("console.log({expr}.toString())"),
        (None, Syntax::Python | Syntax::JavaScript, false) => expr,
    }
}

fn imports(plan: &Plan, naming: &Naming<'_>, syntax: Syntax, bundle: &Bundle) -> Vec<String> {
    let names: Vec<String> = plan.definitions().into_iter().map(|name| naming.spell(name)).collect();
    match syntax {
        Syntax::Python => bundle
            .modules
            .iter()
            // Of two modules that define a name the first counts, so it comes last here.
            .rev()
            .map(|module| match bundle.modules.len() {
                1 => format!("from {module} import {}", names.join(", ")),
                _ => format!("from {module} import *"),
            })
            .collect(),
        Syntax::JavaScript => {
            let files = bundle.files.iter().filter(|(_, module, _)| bundle.modules.contains(module));
            files
                .rev()
                .map(|(name, _, bytes)| javascript_import(name, &String::from_utf8_lossy(bytes), &names))
                .collect()
        }
    }
}

/// What brings a file into a session of node: as it exports its definitions, else its very text.
fn javascript_import(file: &str, source: &str, names: &[String]) -> String {
    let wanted: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| names.len() == 1 || source.contains(*name)).collect();
    let several = format!("var {{ {} }}", wanted.join(", "));
    let default = wanted.iter().any(|name| source.contains(&format!("export default class {name}")));
    let alone = wanted.iter().any(|name| {
        let exports = source.split("module.exports").skip(1).map(|rest| rest.trim_start_matches([' ', '=']));
        exports.into_iter().any(|rest| rest.starts_with(name) || rest.starts_with("class"))
    });
    let exports = source.lines().any(|line| line.starts_with("export "));
    match () {
        () if default => format!("var {{ default: {} }} = await import('./{file}')", wanted.join(", ")),
        () if exports => format!("{several} = await import('./{file}')"),
        () if alone => format!("var {} = require('./{file}')", wanted.join(", ")),
        () if source.contains("exports") => format!("{several} = require('./{file}')"),
        () => format!(".load {file}"),
    }
}

struct Writer<'a> {
    naming: &'a Naming<'a>,
    dialect: &'a Dialect,
}

impl Writer<'_> {
    fn node(&self, node: &Node) -> String {
        let syntax = self.dialect.syntax;
        match node {
            Node::Literal(value) => syntax.literal(value),
            Node::Name(name) => name.clone(),
            Node::New { class, args } => {
                let new = if syntax == Syntax::JavaScript { "new " } else { "" };
                format!("{new}{}({})", self.naming.spell(class), self.args(args))
            }
            Node::Function { name, args } => format!("{}({})", self.naming.spell(name), self.args(args)),
            Node::Method { on, name, args } => {
                format!("{}.{}({})", self.node(on), self.naming.spell(name), self.args(args))
            }
            Node::Text(of) => match syntax {
                Syntax::Python => format!("str({})", self.node(of)),
                Syntax::JavaScript => format!("{}.toString()", self.node(of)),
            },
            Node::Items(kind, items) => {
                let items: Vec<String> = items.iter().map(|item| self.node(item)).collect();
                let joined = items.join(", ");
                match (kind, syntax) {
                    (Items::Tuple, Syntax::Python) if items.len() == 1 => format!("({joined},)"),
                    (Items::Tuple, Syntax::Python) => format!("({joined})"),
                    (Items::List, _) | (Items::Tuple, Syntax::JavaScript) => format!("[{joined}]"),
                    (Items::Set, Syntax::Python) => format!("{{{joined}}}"),
                    (Items::Set, Syntax::JavaScript) => format!("new Set([{joined}])"),
                }
            }
            Node::Pairs(pairs) => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| format!("{}: {}", self.node(key), self.node(value)))
                    .collect();
                format!("{{{}}}", pairs.join(", "))
            }
        }
    }

    fn args(&self, args: &[Arg]) -> String {
        let args: Vec<String> = if self.dialect.keywords {
            args.iter()
                .map(|arg| match &arg.keyword {
                    Some(keyword) => format!("{keyword}={}", self.node(&arg.node)),
                    None => self.node(&arg.node),
                })
                .collect()
        } else {
            let count = args.iter().map(|arg| arg.position + 1).max().unwrap_or(0);
            (0..count)
                .map(|position| match args.iter().find(|arg| arg.position == position) {
                    Some(arg) => self.node(&arg.node),
                    None => "undefined".to_owned(),
                })
                .collect()
        };
        args.join(", ")
    }
}
