//! The session of a case in a submission's own language, ready to paste.

use crate::adapter::{Bundle, Dialect, Ran};
use crate::case::{Arg, Items, Line, Naming, Node, Plan};
use crate::value::Value;
use crate::value::notation::SessionFile;

/// The lines of `plan` up to and including the zero-based `line` of the zero-based `step`, each with its prompt;
/// before them the lines that load the submission. `prints` says that the last line's text is shown.
pub(super) fn session(
    plan: &Plan,
    (step, line): (usize, usize),
    prints: bool,
    naming: &Naming<'_>,
    dialect: &Dialect,
    bundle: Option<&Bundle>,
) -> Vec<String> {
    let prompt = dialect.notation.prompt();
    let mut lines = Vec::new();
    if let Some(bundle) = bundle {
        let names: Vec<String> = plan.definitions().into_iter().map(|name| naming.spell(name)).collect();
        let imports = dialect.notation.imports(&names, &session_files(bundle));
        lines.extend(imports.into_iter().map(|import| format!("{prompt}{import}")));
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

/// The most lines of a conversation with a program in a finding; the last ones are kept.
const MOST_SAID: usize = 60;

/// The conversation with a program, as a terminal shows it below the command: up to its output at the zero-based
/// exchange `until`.
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

/// One line of a session, without its prompt, in the submission's language.
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
    match &line.bind {
        Some(name) => dialect.notation.binding(name, &expr),
        None if prints => dialect.notation.printing(&expr, matches!(line.node, Node::Text(_))),
        None => dialect.notation.statement(&expr),
    }
}

fn session_files(bundle: &Bundle) -> Vec<SessionFile<'_>> {
    let files = bundle.files.iter();
    files
        .map(|(name, module, bytes)| SessionFile {
            name,
            module,
            loaded: bundle.modules.contains(module),
            bytes,
        })
        .collect()
}

struct Writer<'a> {
    naming: &'a Naming<'a>,
    dialect: &'a Dialect,
    bundle: Option<&'a Bundle>,
}

impl Writer<'_> {
    fn node(&self, node: &Node) -> String {
        let notation = self.dialect.notation;
        match node {
            Node::Literal(value) => notation.literal(value),
            Node::Name(name) => name.clone(),
            Node::New { class, args } => notation.new_object(&self.naming.spell(class), &self.args(args)),
            Node::Function { name, args } => {
                let name = self.naming.spell(name);
                format!("{}{name}({})", self.owner(&name), self.args(args))
            }
            Node::Method { on, name, args } => {
                format!("{}.{}({})", self.node(on), self.naming.spell(name), self.args(args))
            }
            Node::Text(of) => notation.text_of(&self.node(of)),
            Node::Items(kind, items) => {
                let items: Vec<String> = items.iter().map(|item| self.node(item)).collect();
                match kind {
                    Items::List => notation.list(&items),
                    Items::Tuple => notation.tuple(&items),
                    Items::Set => notation.set(&items),
                }
            }
            Node::Pairs(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (self.node(key), self.node(value)));
                notation.dict(&pairs.collect::<Vec<_>>())
            }
        }
    }

    /// The prefix of a function's name, such as the class that has it.
    fn owner(&self, function: &str) -> String {
        self.bundle
            .map_or_else(String::new, |bundle| self.dialect.notation.owner(function, &session_files(bundle)))
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
                    None => self.dialect.notation.literal(&Value::Undefined),
                })
                .collect()
        };
        args.join(", ")
    }
}
