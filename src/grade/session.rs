//! The session of a case in a submission's own language, ready to paste.

use crate::adapter::{Bundle, Dialect, Ran};
use crate::case::{Arg, Items, Line, Naming, Node, Plan};
use crate::value::Value;
use crate::value::syntax::Syntax;

/// The prompt of a language's interactive session.
fn prompt(syntax: Syntax) -> &'static str {
    syntax.pick([">>> ", "> ", "jshell> ", ""])
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
            lines.push(format!("{prompt}{}", session_line_of(planned_line, shown, naming, dialect, bundle)));
            if let Some(name) = planned_line.bind.as_ref().filter(|_| shown) {
                let look = Line { bind: None, node: Node::Name(name.clone()) };
                lines.push(format!("{prompt}{}", session_line_of(&look, true, naming, dialect, bundle)));
            }
        }
    }
    lines
}

/// The most lines of a conversation with a program that a finding shows, the last ones.
const MOST_SAID: usize = 60;

/// What was said between a program and whoever typed, as a terminal shows it, below its command: up to what it
/// printed at the exchange `until` (from 0).
pub(super) fn conversation(ran: &Ran, until: usize) -> Vec<String> {
    let said: String = ran
        .exchanges
        .iter()
        .take(until + 1)
        .enumerate()
        .map(|(index, exchange)| {
            let printed = String::from_utf8_lossy(&exchange.printed).replace("\r\n", "\n");
            let sent = exchange.sent.as_deref().filter(|_| index < until);
            printed + sent.unwrap_or_default()
        })
        .collect();
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let skipped = lines.len().saturating_sub(MOST_SAID);
    let gap = (skipped > 0).then(|| "…".to_owned());
    let command = format!("$ {}", ran.command);
    std::iter::once(command).chain(gap).chain(lines.into_iter().skip(skipped)).collect()
}

/// One line of a session, without its prompt: as the language writes it.
pub fn session_line(line: &Line, prints: bool, naming: &Naming<'_>, dialect: &Dialect) -> String {
    session_line_of(line, prints, naming, dialect, None)
}

fn session_line_of(
    line: &Line,
    prints: bool,
    naming: &Naming<'_>,
    dialect: &Dialect,
    bundle: Option<&Bundle>,
) -> String {
    let writer = Writer { naming, dialect, bundle };
    let expr = writer.node(&line.node);
    match (&line.bind, dialect.syntax, prints) {
        (Some(name), Syntax::Python, _) => format!("{name} = {expr}"),
        (Some(name), Syntax::JavaScript, _) => format!("{name} = {expr}"),
        (Some(name), Syntax::Java, _) => format!("var {name} = {expr}"),
        (Some(name), Syntax::Rust, _) => format!("let mut {name} = {expr};"),
        (None, Syntax::Rust, true) => format!("println!(\"{{}}\", {expr});"),
        (None, Syntax::Rust, false) => format!("{expr};"),
        (None, Syntax::Java, true) => format!("System.out.println({expr})"),
        (None, Syntax::Python, true) => format!("print({expr})"),
        (None, Syntax::JavaScript, true) if matches!(line.node, Node::Text(_)) => {
            format!("console.log({expr})")
        }
        (None, Syntax::JavaScript, true) => format!("console.log({expr}.toString())"),
        (None, Syntax::Python | Syntax::JavaScript | Syntax::Java, false) => expr,
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
        Syntax::Java => bundle.files.iter().map(|(name, _, _)| format!("/open {name}")).collect(),
        // What the test of the crate brings in.
        Syntax::Rust => Vec::new(),
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
    bundle: Option<&'a Bundle>,
}

impl Writer<'_> {
    fn node(&self, node: &Node) -> String {
        let syntax = self.dialect.syntax;
        match node {
            Node::Literal(value) => syntax.literal(value),
            Node::Name(name) => name.clone(),
            Node::New { class, args } => {
                let (new, of) = (syntax.pick(["", "new ", "new ", ""]), syntax.pick(["", "", "", "::new"]));
                format!("{new}{}{of}({})", self.naming.spell(class), self.args(args))
            }
            Node::Function { name, args } => {
                let name = self.naming.spell(name);
                format!("{}{name}({})", self.class_of(&name), self.args(args))
            }
            Node::Method { on, name, args } => {
                format!("{}.{}({})", self.node(on), self.naming.spell(name), self.args(args))
            }
            Node::Text(of) => match syntax {
                Syntax::Python => format!("str({})", self.node(of)),
                Syntax::JavaScript | Syntax::Java => format!("{}.toString()", self.node(of)),
                Syntax::Rust => format!("{}.to_string()", self.node(of)),
            },
            Node::Items(kind, items) => {
                let items: Vec<String> = items.iter().map(|item| self.node(item)).collect();
                match kind {
                    Items::List => syntax.list(&items),
                    Items::Tuple => syntax.tuple(&items),
                    Items::Set => syntax.set(&items),
                }
            }
            Node::Pairs(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (self.node(key), self.node(value)));
                syntax.dict(&pairs.collect::<Vec<_>>())
            }
        }
    }

    /// What stands before the name of a function: in Java the class that has it.
    fn class_of(&self, function: &str) -> String {
        let (Syntax::Java, Some(bundle)) = (self.dialect.syntax, self.bundle) else { return String::new() };
        let has = |bytes: &[u8]| {
            let source = String::from_utf8_lossy(bytes);
            source.lines().any(|line| line.contains("static ") && line.contains(&format!(" {function}(")))
        };
        let class = bundle.files.iter().find(|(_, _, bytes)| has(bytes)).map(|(_, module, _)| module);
        class.map_or_else(String::new, |class| format!("{class}."))
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
                    None => self.dialect.syntax.literal(&Value::Undefined),
                })
                .collect()
        };
        args.join(", ")
    }
}
