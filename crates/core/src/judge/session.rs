//! The session of a case in a submission's own language, ready to paste.

use super::rust_lines;
use crate::adapter::{Bundle, Dialect, Observation, Ran, StepOutcome};
use crate::case::{Arg, Bind, Items, Line, Naming, Node, Operator, StepNo};
use crate::compare::{exception_text, printed, without_addresses};
use crate::event::SessionLine;
use crate::exercises::{self, rust_trait::RustTrait};
use crate::languages::rust;
use crate::value::Value;
use crate::value::notation::Notation;
use std::collections::BTreeSet;

/// Writes lines of a case in a submission's own language.
pub struct SessionWriter<'a> {
    naming: &'a Naming<'a>,
    dialect: &'a Dialect,
    /// The submission's files; without them nothing is imported, and the names of functions have no prefix.
    bundle: Option<&'a Bundle>,
    /// The names that are bound to objects of the submission's own, which are compared by their own methods.
    objects: BTreeSet<&'a str>,
    /// The names that a crate's lines change, of those that they declare.
    changed: BTreeSet<&'a str>,
    /// The trait that the submission implements, if it is a Rust crate for a built-in exercise.
    rust: Option<&'static RustTrait>,
}

/// The part of a step that a session shows.
pub(super) struct ShownStep<'s> {
    pub(super) number: StepNo,
    pub(super) lines: &'s [Line],
    /// Whether the session prints the text of the last line's value.
    pub(super) prints_last: bool,
    /// Whether the last line is the one that failed, and the last one of the session.
    pub(super) has_failed: bool,
    /// The observations of the first lines; the session shows nothing below the others.
    pub(super) observations: &'s [Observation],
}

impl<'a> SessionWriter<'a> {
    /// A writer that knows no objects and no files of the submission.
    pub fn new(naming: &'a Naming<'a>, dialect: &'a Dialect) -> SessionWriter<'a> {
        let is_rust = dialect.language.known() == Some(&rust::LANGUAGE);
        let built_in = exercises::find(&naming.exercise().name).filter(|_| is_rust);
        let rust = built_in.map(|exercise| exercise.rust);
        let (objects, changed) = (BTreeSet::new(), BTreeSet::new());
        SessionWriter { naming, dialect, bundle: None, objects, changed, rust }
    }

    /// The writer with the objects that these lines make, and those that they change.
    pub fn with_objects(mut self, lines: impl IntoIterator<Item = &'a Line>) -> SessionWriter<'a> {
        for line in lines {
            if let (Node::New { .. }, Some(name)) = (&line.node, line.bind.name()) {
                self.objects.insert(name);
            }
            if let Some(of) = self.rust {
                rust_lines::add_changed(line, of, &mut self.changed);
            }
        }
        self
    }

    /// The writer with the submission's files.
    pub fn with_files(self, bundle: Option<&'a Bundle>) -> SessionWriter<'a> {
        SessionWriter { bundle, ..self }
    }

    /// The lines that load these classes and functions of the submission.
    pub fn imports(&self, definitions: &[&str]) -> Vec<SessionLine> {
        if let (Some(of), Some(bundle)) = (self.rust, self.bundle) {
            let imports = rust_lines::imports(of, bundle).into_iter();
            return imports.map(|import| self.statement(None, &import, String::new())).collect();
        }
        let names: Vec<String> = definitions.iter().map(|name| self.naming.spell(name)).collect();
        let imports = self.bundle.map(|bundle| self.dialect.notation().imports(&names, bundle));
        let imports = imports.into_iter().flatten();
        imports.map(|import| self.statement(None, &import, String::new())).collect()
    }

    /// The lines of a step, each with what it gave.
    pub(super) fn step(&self, step: &ShownStep<'_>) -> Vec<SessionLine> {
        let notation = self.dialect.notation();
        let mut session = Vec::new();
        for (at, line) in step.lines.iter().enumerate() {
            let number = (at == 0).then_some(step.number);
            let prints = step.prints_last && at + 1 == step.lines.len();
            let observation = step.observations.get(at);
            let output = observation.map(output_of).unwrap_or_default();
            let is_bound = !matches!(line.bind, Bind::Nothing | Bind::Made(_));
            let answer = observation.and_then(|seen| answer(seen, prints, is_bound, notation));
            let answer = answer.unwrap_or_default();
            let raised = observation.is_some_and(|seen| matches!(seen.outcome, StepOutcome::Raised(_)));
            let code = match self.rust {
                Some(of) => {
                    // A program shows a value only if it prints it, unlike a prompt.
                    let is_failed = step.has_failed && at + 1 == step.lines.len();
                    let shows =
                        is_failed && line.bind == Bind::Nothing && rust_lines::gives_value(&line.node, of);
                    self.rust_line(line, of, prints || shows, raised)
                }
                None => self.line(line, prints),
            };
            let input = line.stdin.as_ref().map(|stdin| stdin.text.as_str()).unwrap_or_default();
            match line.bind.name().filter(|_| prints) {
                Some(name) => {
                    let look = Line::plain(Node::Name(name.to_owned()));
                    session.extend(self.statement_lines(number, &code, input, output));
                    session.push(self.statement(None, &self.line(&look, true), answer));
                }
                None => session.extend(self.statement_lines(number, &code, input, output + &answer)),
            }
        }
        session
    }

    /// A statement on one line.
    fn statement(&self, step: Option<StepNo>, code: &str, gave: String) -> SessionLine {
        SessionLine { step, text: format!("{}{code}", self.dialect.notation().syntax().prompt), gave }
    }

    /// The lines of a statement, and of the `input` that is typed for it; code that stands in the case may have
    /// several.
    fn statement_lines(
        &self,
        step: Option<StepNo>,
        code: &str,
        input: &str,
        gave: String,
    ) -> Vec<SessionLine> {
        let syntax = self.dialect.notation().syntax();
        let mut lines: Vec<SessionLine> = Vec::new();
        for line in code.lines() {
            let prompt = if lines.is_empty() { syntax.prompt } else { syntax.continuation };
            let step = step.filter(|_| lines.is_empty());
            lines.push(SessionLine { step, text: format!("{prompt}{line}"), gave: String::new() });
        }
        if lines.is_empty() {
            lines.push(self.statement(step, "", String::new()));
        }
        lines.extend(input.lines().map(|typed| SessionLine {
            step: None,
            text: typed.to_owned(),
            gave: String::new(),
        }));
        if let Some(last) = lines.last_mut() {
            last.gave = gave;
        }
        lines
    }

    /// One line, without its prompt. With `prints`, the line shows the text of its value.
    pub fn line(&self, line: &Line, prints: bool) -> String {
        match self.rust {
            Some(of) => self.rust_line(line, of, prints, false),
            None => self.simple_line(line, prints),
        }
    }

    /// One line of which an error is expected, without its prompt; in Rust, a statement that checks it.
    pub fn failing_line(&self, line: &Line) -> String {
        match self.rust {
            Some(of) => self.rust_line(line, of, false, true),
            None => self.simple_line(line, false),
        }
    }

    /// The text of a value that the call of a line gives, in the types of the submission.
    pub fn value_text(&self, line: &Line, text: String) -> String {
        match self.rust {
            Some(of) => rust_lines::value_text(&line.node, of, text),
            None => text,
        }
    }

    /// One line as statements of Rust. A call that has `raised` is expected to give `Err` again.
    fn rust_line(&self, line: &Line, of: &RustTrait, prints: bool, raised: bool) -> String {
        let (before, last) = rust_lines::split(line, of, prints);
        let call = rust_lines::call_of(&last.node, of).filter(|call| raised && call.fails);
        let last = match (&last.bind, &last.node) {
            (_, node) if call.is_some() => {
                format!("assert!({}.is_err());", self.node(node).trim_end_matches(rust_lines::UNWRAP))
            }
            (Bind::Nothing, node) if prints => {
                // `{}` takes the text of an object by itself.
                let node = if let Node::Text(of) = node { of } else { node };
                format!("println!(\"{}\", {});", rust_lines::placeholder(node, of), self.node(node))
            }
            // Neither may take the object away from the lines below.
            (Bind::Nothing, Node::Name(name)) => format!("let _ = &{name};"),
            (Bind::Name(name), Node::Name(of)) => format!("let {name} = &mut {of};"),
            // The traits take collections as slices.
            (Bind::Name(name), Node::Literal(Value::Set(items) | Value::Tuple(items)))
                if items.iter().all(|item| matches!(item, Value::Tuple(_))) =>
            {
                self.declared(name, &self.dialect.notation().literal(&Value::List(items.clone())))
            }
            (Bind::Name(name), node) => self.declared(name, &self.node(node)),
            _ => self.simple_line(&last, prints),
        };
        let before = before.iter().map(|line| self.simple_line(line, false));
        before.chain([last]).collect::<Vec<_>>().join(" ")
    }

    /// The declaration of a name in Rust, which warns of a `mut` without need.
    fn declared(&self, name: &str, expr: &str) -> String {
        let mutable = if self.changed.contains(name) { "mut " } else { "" };
        format!("let {mutable}{name} = {expr};")
    }

    fn simple_line(&self, line: &Line, prints: bool) -> String {
        let expr = self.node(&line.node);
        let notation = self.dialect.notation();
        match &line.bind {
            Bind::Name(name) => notation.binding(name, &expr),
            Bind::Unpack(names) => notation.unpacking(names, &expr),
            Bind::Place(place) => {
                if let Node::Attribute { on, name } = place.as_ref() {
                    notation.set_attribute(&self.operand(on), &self.naming.spell(name), &expr)
                } else if let Node::Index { on, index } = place.as_ref() {
                    notation.set_item(&self.operand(on), &self.node(index), &expr)
                } else {
                    notation.binding(&self.node(place), &expr)
                }
            }
            Bind::Made(_) => expr,
            Bind::Nothing if prints => notation.printing(&expr, matches!(line.node, Node::Text(_))),
            Bind::Nothing => notation.statement(&expr),
        }
    }

    /// Whether an expression is an object of the submission's own, as far as the plan tells.
    fn is_object(&self, node: &Node) -> bool {
        match node {
            Node::New { .. } => true,
            Node::Name(name) => self.objects.contains(name.as_str()),
            _ => false,
        }
    }

    /// A call of the trait that a crate implements; `None` if the trait does not have it.
    fn rust_call(&self, node: &Node) -> Option<String> {
        let of = self.rust?;
        let call = rust_lines::call_of(node, of)?;
        let on = match node {
            Node::Method { on, .. } => format!("{}.", self.operand(on)),
            _ => format!("{}::", of.class),
        };
        let (Node::New { args, .. } | Node::Function { args, .. } | Node::Method { args, .. }) = node else {
            return None;
        };
        let args = rust_lines::arguments(call, args, self.dialect.notation(), |node| self.node(node));
        let unwrap = if call.fails { rust_lines::UNWRAP } else { "" };
        Some(format!("{on}{}({args}){unwrap}", call.method))
    }

    fn node(&self, node: &Node) -> String {
        if let Some(call) = self.rust_call(node) {
            return call;
        }
        let notation = self.dialect.notation();
        match node {
            Node::Literal(value) => notation.literal(value),
            Node::Name(name) => name.clone(),
            Node::New { class, args } => notation.new_object(&self.naming.spell(class), &self.args(args)),
            Node::Function { name, args } => {
                let name = self.naming.spell(name);
                format!("{}{name}({})", self.owner(&name), self.args(args))
            }
            Node::Method { on, name, args } => {
                format!("{}.{}({})", self.operand(on), self.naming.spell(name), self.args(args))
            }
            Node::Text(of) => notation.text_of(&self.operand(of)),
            Node::Attribute { on, name } => notation.attribute(&self.operand(on), &self.naming.spell(name)),
            Node::Index { on, index } => notation.item(&self.operand(on), &self.node(index)),
            Node::Slice { on, bounds } => {
                let [start, stop, step] = bounds.as_ref();
                let bound = |bound: &Option<Node>| bound.as_ref().map(|bound| self.node(bound));
                let bounds = [bound(start), bound(stop), bound(step)];
                notation.slice(&self.operand(on), bounds.each_ref().map(Option::as_deref))
            }
            Node::Operation(Operator::Not, args) => match args.as_slice() {
                [Node::Operation(Operator::In, inside)] => notation.not_in(&self.operands(inside)),
                args => notation.operation(Operator::Not, &self.operands(args)),
            },
            Node::Operation(operator, args) if args.iter().any(|arg| self.is_object(arg)) => {
                notation.comparison(*operator, &self.operands(args))
            }
            Node::Operation(operator, args) => notation.operation(*operator, &self.operands(args)),
            Node::Builtin(builtin, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.node(arg)).collect();
                notation.builtin(*builtin, &args)
            }
            Node::Class(class) => self.naming.spell(class),
            Node::Native(native) => {
                native.code(self.dialect.name()).unwrap_or_default().trim_end().to_owned()
            }
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

    /// An operand: one with an operator of its own in parentheses.
    fn operand(&self, node: &Node) -> String {
        let written = self.node(node);
        if matches!(node, Node::Operation(..)) { format!("({written})") } else { written }
    }

    fn operands(&self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|node| self.operand(node)).collect()
    }

    /// The prefix of a function's name, such as the class that has it.
    fn owner(&self, function: &str) -> String {
        self.bundle.map_or_else(String::new, |bundle| self.dialect.notation().owner(function, bundle))
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
                    None => self.dialect.notation().literal(&Value::Undefined),
                })
                .collect()
        };
        args.join(", ")
    }
}

/// The text that a line printed.
fn output_of(observation: &Observation) -> String {
    without_addresses(&printed(&observation.output))
}

/// The result of a line besides its output, as a terminal shows it: the text that the session prints, its
/// value unless that is bound to a name, or the exception that it raised.
fn answer(observation: &Observation, shown: bool, is_bound: bool, notation: &dyn Notation) -> Option<String> {
    match &observation.outcome {
        StepOutcome::Value { text, .. } if shown => {
            Some(without_addresses(&notation.text(text.as_ref()?).to_lossy()))
        }
        StepOutcome::Value { .. } if is_bound => None,
        StepOutcome::Value { value: None | Some(Value::Undefined), .. } => None,
        StepOutcome::Value { value: Some(Value::None), .. } if notation.has_one_nothing() => None,
        StepOutcome::Value { value: Some(value), .. } => Some(notation.literal(value)),
        StepOutcome::Raised(raised) => Some(exception_text(raised)),
        _ => None,
    }
}

/// The most lines of a conversation with a program in a finding; the last ones are kept.
const MOST_SAID: usize = 60;

/// The conversation with a program, as a terminal shows it below the command: up to its output at the
/// zero-based turn `until`.
pub(super) fn conversation(step: StepNo, ran: &Ran, until: usize) -> Vec<SessionLine> {
    let said: String = ran
        .turns
        .iter()
        .take(until + 1)
        .enumerate()
        .map(|(index, turn)| {
            let sent = turn.sent.as_deref().filter(|_| index < until);
            printed(&turn.printed) + sent.unwrap_or_default()
        })
        .collect();
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let skipped = lines.len().saturating_sub(MOST_SAID);
    let gap = (skipped > 0).then(|| "…".to_owned());
    let command = format!("$ {}", ran.command);
    let said = gap.into_iter().chain(lines.into_iter().skip(skipped)).map(|line| (None, line));
    let lines = std::iter::once((Some(step), command)).chain(said);
    lines.map(|(step, text)| SessionLine { step, text, gave: String::new() }).collect()
}

#[cfg(test)]
mod tests {
    use super::SessionWriter;
    use crate::adapter::{Bundle, Dialect, SourceFile};
    use crate::case::{Library, parse_cases, parse_exercise};
    use crate::languages;

    const EXERCISE: &str = r#"
title = "Accounts"
session = "python"
[class.Account]
new = ["balance"]
methods = { pay_in = ["amount"] }
attributes = ["balance", "owned_by"]
[function]
parts = { args = ["text"] }
"#;

    /// The line in Python, JavaScript, Java and Rust, without a semicolon at its end.
    fn lines(text: &str) -> [String; 4] {
        let exercise = parse_exercise("accounts", "exercise.toml", EXERCISE).unwrap();
        let source = format!(
            "title = 'One'\nstep = [{{ do = 'a = Account(1)' }}, {{ do = \"x = parts('a')\" }}, {{ do = \"\"\"{text}\"\"\" }}]"
        );
        let case = parse_cases(&exercise, "one", "one.toml", &source).unwrap().remove(0);
        let line = &case.plan.steps.last().unwrap().lines()[0];
        ["python", "javascript", "java", "rust"].map(|name| {
            let dialect = Dialect::of(languages::find(name).unwrap());
            let naming = dialect.naming(&exercise);
            let made = case.plan.steps.iter().flat_map(|step| step.lines());
            let writer = SessionWriter::new(&naming, &dialect).with_objects(made);
            writer.line(line, false).trim_end_matches(';').to_owned()
        })
    }

    #[test]
    fn operators_are_written_as_each_language_writes_them() {
        for (text, python, javascript, java, rust) in [
            ("a.owned_by", "a.owned_by", "a.ownedBy", "a.ownedBy", "a.owned_by"),
            ("a.balance = 5", "a.balance = 5", "a.balance = 5", "a.balance = 5", "a.balance = 5"),
            ("x[0]", "x[0]", "x[0]", "x.get(0)", "x[0]"),
            ("x[-1]", "x[-1]", "x.at(-1)", "x.get(x.size() - 1)", "x[x.len() - 1]"),
            ("x[0] = 1", "x[0] = 1", "x[0] = 1", "x.set(0, 1)", "x[0] = 1"),
            ("x['k'] = 1", "x['k'] = 1", "x[\"k\"] = 1", "x.put(\"k\", 1)", "x[\"k\"] = 1"),
            ("x[1:3]", "x[1:3]", "x.slice(1, 3)", "x.subList(1, 3)", "x[1..3]"),
            ("x[:-1]", "x[:-1]", "x.slice(0, -1)", "x.subList(0, x.size() - 1)", "x[..x.len() - 1]"),
            ("x[1:]", "x[1:]", "x.slice(1)", "x.subList(1, x.size())", "x[1..]"),
            (
                "x[::-1]",
                "x[::-1]",
                "[...x].reverse()",
                "x.subList(0, x.size()) /* every -1 */",
                "x[..].iter().rev()",
            ),
            ("7 // 2", "7 // 2", "Math.floor(7 / 2)", "Math.floorDiv(7, 2)", "7.div_euclid(2)"),
            ("7 / 2", "7 / 2", "7 / 2", "(double) 7 / 2", "7 as f64 / 2 as f64"),
            ("7 % 2", "7 % 2", "7 % 2", "Math.floorMod(7, 2)", "7.rem_euclid(2)"),
            ("2 ** 3", "2 ** 3", "2 ** 3", "Math.pow(2, 3)", "2.pow(3)"),
            ("(x + 1) * 2", "(x + 1) * 2", "(x + 1) * 2", "(x + 1) * 2", "(x + 1) * 2"),
            ("-x", "-x", "-x", "-x", "-x"),
            ("not x", "not x", "!x", "!x", "!x"),
            ("1 in x", "1 in x", "x.includes(1)", "x.contains(1)", "x.contains(&1)"),
            ("1 not in x", "1 not in x", "!x.includes(1)", "!x.contains(1)", "!x.contains(&1)"),
            ("a == x", "a == x", "a.equals(x)", "a.equals(x)", "a == x"),
            ("x != a", "x != a", "!x.equals(a)", "!x.equals(a)", "x != a"),
            ("a <= x", "a <= x", "a.compareTo(x) <= 0", "a.compareTo(x) <= 0", "a <= x"),
            ("x == x", "x == x", "x === x", "x.equals(x)", "x == x"),
            ("x == 1", "x == 1", "x === 1", "x == 1", "x == 1"),
            ("len(x) < 3", "len(x) < 3", "x.length < 3", "x.size() < 3", "x.len() < 3"),
            ("str(a)", "str(a)", "String(a)", "String.valueOf(a)", "a.to_string()"),
            ("list(x)", "list(x)", "[...x]", "new ArrayList<>(x)", "x.to_vec()"),
            ("sorted(x)", "sorted(x)", "[...x].sort()", "x.stream().sorted().toList()", "sorted(x)"),
            (
                "isinstance(a, Account)", "isinstance(a, Account)", "a instanceof Account",
                "a instanceof Account", "matches!(a, Account { .. })",
            ),
            (
                "b, c = parts('x')",
                "b, c = parts('x')",
                "[b, c] = parts(\"x\")",
                "var items = parts(\"x\"); var b = items.get(0); var c = items.get(1)",
                "let (mut b, mut c) = parts(\"x\")",
            ),
        ] {
            assert_eq!(lines(text), [python, javascript, java, rust], "{text}");
        }
    }

    #[test]
    fn a_crate_calls_what_its_trait_has() {
        let loaded = Library::BuiltIn.load("quixo").unwrap();
        let dialect = Dialect::of(languages::find("rust").unwrap());
        let naming = dialect.naming(&loaded.exercise);
        let writer = SessionWriter::new(&naming, &dialect);
        for (text, plain, failing) in [
            (
                "q = Quixo(3)",
                "let q = Quixo::new(3, None).unwrap();",
                "assert!(Quixo::new(3, None).is_err());",
            ),
            (
                "Quixo(-2, 'XO')",
                "Quixo::new(0, Some(\"XO\")).unwrap();",
                "assert!(Quixo::new(0, Some(\"XO\")).is_err());",
            ),
            (
                "q.beurt('X', 'A1', 'B1').beurt('O', 'A1', 'B1')",
                "q.beurt(\"X\", \"A1\", \"B1\").unwrap(); q.beurt(\"O\", \"A1\", \"B1\").unwrap();",
                "q.beurt(\"X\", \"A1\", \"B1\").unwrap(); assert!(q.beurt(\"O\", \"A1\", \"B1\").is_err());",
            ),
            (
                "Quixo(3).beurt('X', 'A1', 'B1').positie('A1')",
                "let mut it = Quixo::new(3, None).unwrap(); it.beurt(\"X\", \"A1\", \"B1\").unwrap(); \
                 it.positie(\"A1\").unwrap();",
                "let mut it = Quixo::new(3, None).unwrap(); it.beurt(\"X\", \"A1\", \"B1\").unwrap(); \
                 assert!(it.positie(\"A1\").is_err());",
            ),
            ("q", "let _ = &q;", "let _ = &q;"),
        ] {
            let source = format!("title = 'One'\nstep = [{{ do = 'q = Quixo(3)' }}, {{ do = \"{text}\" }}]");
            let case = parse_cases(&loaded.exercise, "one", "one.toml", &source).unwrap().remove(0);
            let line = &case.plan.steps.last().unwrap().lines()[0];
            let of = writer.rust.unwrap();
            let written = [false, true].map(|raised| writer.rust_line(line, of, false, raised));
            assert_eq!(written, [plain, failing], "{text}");
        }
    }

    #[test]
    fn a_session_of_a_crate_imports_the_type_that_its_test_names() {
        let loaded = Library::BuiltIn.load("quixo").unwrap();
        let dialect = Dialect::of(languages::find("rust").unwrap());
        let naming = dialect.naming(&loaded.exercise);
        for (test, imported) in [
            ("keur_core::submit::quixo::<quixo::Quixo>()", vec!["use quixo::Quixo;"]),
            ("submit::quixo::<an::board::Board>()", vec!["use an::board::Board as Quixo;"]),
            ("submit::codenames::<an::Spelbord>()", vec![]),
        ] {
            let name = "tests/grade.rs".to_owned();
            let file =
                SourceFile { module: Some(name.clone()), path: None, name, bytes: test.as_bytes().into() };
            let bundle = Bundle { files: vec![file], ..Bundle::default() };
            let imports = SessionWriter::new(&naming, &dialect).with_files(Some(&bundle)).imports(&["Quixo"]);
            let imports: Vec<&str> = imports.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(imports, [vec!["use keur_core::submit::Quixo as _;"], imported].concat());
        }
    }
}
