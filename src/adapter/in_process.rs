//! Replays a plan on a program in this process.

use super::transcript::{Exception, Load, Observation, Outcome, Transcript};
use super::{Adapter, Fault, Guide};
use crate::case::{Arg, Items, Line, Node, Plan, View, Want};
use crate::sandbox::Limits;
use crate::value::program::{Call, Live, Program, Raised};
use crate::value::syntax::Syntax;
use crate::value::{Text, Value};
use std::collections::HashMap;

/// A program in this process, opened afresh for each replay. Limits do not hold for it: it is trusted.
pub struct InProcess {
    open: Box<dyn Fn() -> Box<dyn Program>>,
    syntax: Syntax,
}

impl InProcess {
    /// The program that `open` starts; the text of plain values is that of `syntax`.
    pub fn new(open: impl Fn() -> Box<dyn Program> + 'static, syntax: Syntax) -> InProcess {
        InProcess { open: Box::new(open), syntax }
    }
}

impl Adapter for InProcess {
    fn replay(&mut self, plan: &Plan, _limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault> {
        let mut session = Session::new((self.open)(), self.syntax);
        let nothing = Want::default();
        let steps = plan
            .steps
            .iter()
            .enumerate()
            .map(|(index, step)| {
                if step.game().is_some() {
                    return guided(index, guide, &mut |line, want| session.line(line, want));
                }
                let last = step.lines.len().saturating_sub(1);
                let wants = |index| if index == last { &step.want } else { &nothing };
                step.lines.iter().enumerate().map(|(index, line)| session.line(line, wants(index))).collect()
            })
            .collect();
        Ok(Transcript { load: Load::default(), steps })
    }
}

/// Runs the lines of a match on whatever runs lines, and gives what was observed of the last.
pub(super) fn guided(
    step: usize,
    guide: &mut dyn Guide,
    run: &mut dyn FnMut(&Line, &Want) -> Observation,
) -> Vec<Observation> {
    let mut last = None;
    while let Some((line, want)) = guide.next(step, last.as_ref()) {
        let observation = run(&line, &want);
        let halted = matches!(observation.outcome, Outcome::Halted(_));
        last = Some(observation);
        if halted {
            // Its guide learns how it ended, and has nothing more to ask.
            guide.next(step, last.as_ref());
            break;
        }
    }
    last.into_iter().collect()
}

/// A program in this process that goes along with a replay on another one, line by line.
pub struct Follower {
    session: Session,
}

impl Follower {
    /// Starts along `program`; the text of plain values is that of `syntax`.
    pub fn new(program: Box<dyn Program>, syntax: Syntax) -> Follower {
        Follower { session: Session::new(program, syntax) }
    }

    /// Runs lines that nothing is wanted of.
    pub fn run(&mut self, lines: &[Line]) {
        for line in lines {
            self.session.line(line, &Want::default());
        }
    }

    /// Runs the last line of a step, and gives the value that is wanted of it.
    pub fn answer(&mut self, line: &Line, want: &Want) -> Option<Value> {
        match self.session.line(line, want).outcome {
            Outcome::Value { value, .. } => value,
            Outcome::Raised(_)
            | Outcome::Missing(_)
            | Outcome::Halted(_)
            | Outcome::Unbound(_)
            | Outcome::Ran(_) => None,
        }
    }

    /// The value bound to `name`.
    pub fn bound(&self, name: &str) -> Option<&Live> {
        self.session.names.get(name)
    }

    /// Binds `name` to a value of the program's.
    pub fn bind(&mut self, name: &str, value: Live) {
        self.session.unbound.retain(|unbound| unbound != name);
        self.session.names.insert(name.to_owned(), value);
    }
}

/// A program and the names that the lines so far have bound.
pub(super) struct Session {
    program: Box<dyn Program>,
    names: HashMap<String, Live>,
    /// Names that a failed line would have bound.
    unbound: Vec<String>,
    syntax: Syntax,
}

impl Session {
    /// Nothing is bound yet; the text of plain values is that of `syntax`.
    pub(super) fn new(program: Box<dyn Program>, syntax: Syntax) -> Session {
        Session { program, names: HashMap::new(), unbound: Vec::new(), syntax }
    }

    /// Runs a line, and observes of its value what is wanted.
    pub(super) fn line(&mut self, line: &Line, want: &Want) -> Observation {
        if let Some(name) =
            line.node.names().into_iter().find(|name| self.unbound.iter().any(|unbound| unbound == name))
        {
            self.unbound.extend(line.bind.clone());
            return Observation::bare(Outcome::Unbound(name.to_owned()));
        }
        match self.observe(line, want) {
            Ok(observation) => observation,
            Err(raised) => {
                if let Some(name) = line.bind.as_deref().filter(|name| !self.names.contains_key(*name)) {
                    self.unbound.push(name.to_owned());
                }
                Observation::bare(Outcome::Raised(exception(raised)))
            }
        }
    }

    fn observe(&mut self, line: &Line, want: &Want) -> Result<Observation, Raised> {
        let live = self.evaluate(&line.node)?;
        if let Some(name) = line.bind.as_deref() {
            self.unbound.retain(|unbound| unbound != name);
            self.names.insert(name.to_owned(), live.clone());
        }
        let mut is: Vec<String> =
            self.names.iter().filter(|(_, bound)| same(bound, &live)).map(|(name, _)| name.clone()).collect();
        is.sort_unstable();
        let value = if want.value { Some(self.viewed(&live, want.view.as_ref())?) } else { None };
        let text = if want.text { Some(Value::Str(self.text(&live)?)) } else { None };
        Ok(Observation { outcome: Outcome::Value { value, text }, output: Vec::new(), is })
    }

    fn evaluate(&mut self, node: &Node) -> Result<Live, Raised> {
        match node {
            Node::Literal(value) => Ok(Live::Plain(value.clone())),
            Node::Name(name) => self
                .names
                .get(name.as_str())
                .cloned()
                .ok_or_else(|| Raised::new("NameError", format!("name '{name}' is not defined"))),
            Node::New { class, args } => {
                let args = self.arguments(args)?;
                self.program.call(Call::New { class }, &args)
            }
            Node::Function { name, args } => {
                let args = self.arguments(args)?;
                self.program.call(Call::Function { name }, &args)
            }
            Node::Method { on, name, args } => {
                let on = self.evaluate(on)?;
                let args = self.arguments(args)?;
                match &on {
                    Live::Object(object) => self.program.call(Call::Method { on: object, name }, &args),
                    Live::Plain(_) | Live::List(_) => {
                        Err(Raised::new("AttributeError", format!("a plain value has no method '{name}'")))
                    }
                }
            }
            Node::Text(of) => {
                let of = self.evaluate(of)?;
                self.text(&of).map(|text| Live::Plain(Value::Str(text)))
            }
            Node::Items(kind, items) => {
                let items = items.iter().map(|item| self.evaluate(item)).collect::<Result<Vec<_>, _>>()?;
                Ok(collected(*kind, items))
            }
            Node::Pairs(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| Ok((plain(self.evaluate(key)?), plain(self.evaluate(value)?))))
                    .collect::<Result<Vec<_>, Raised>>()?;
                Ok(Live::Plain(Value::Dict(pairs)))
            }
        }
    }

    /// Arguments by position; what is left out before another is undefined.
    fn arguments(&mut self, args: &[Arg]) -> Result<Vec<Live>, Raised> {
        let count = args.iter().map(|arg| arg.position + 1).max().unwrap_or(0);
        let mut placed = vec![Live::Plain(Value::Undefined); count];
        for arg in args {
            let value = self.evaluate(&arg.node)?;
            if let Some(place) = placed.get_mut(arg.position) {
                *place = value;
            }
        }
        Ok(placed)
    }

    fn text(&mut self, live: &Live) -> Result<Text, Raised> {
        match live {
            Live::Object(object) => self.program.text(object),
            Live::Plain(value) => Ok(self.syntax.text(value)),
            Live::List(_) => Ok(self.syntax.text(&plain(live.clone()))),
        }
    }

    fn viewed(&mut self, live: &Live, view: Option<&View>) -> Result<Value, Raised> {
        match (live, view) {
            (Live::List(items), Some(view)) if view.each => {
                items.iter().map(|item| self.seen(item, view)).collect::<Result<_, _>>().map(Value::List)
            }
            (Live::Object(_), Some(view)) if !view.each && !view.parts.is_empty() => self.seen(live, view),
            (Live::Object(_) | Live::List(_) | Live::Plain(_), _) => Ok(plain(live.clone())),
        }
    }

    fn seen(&mut self, live: &Live, view: &View) -> Result<Value, Raised> {
        let outer = self.names.insert(View::IT.to_owned(), live.clone());
        let parts = view
            .parts
            .iter()
            .map(|part| {
                let value = self.evaluate(&part.node)?;
                self.viewed(&value, part.view.as_ref())
            })
            .collect::<Result<_, _>>();
        match outer {
            Some(outer) => self.names.insert(View::IT.to_owned(), outer),
            None => self.names.remove(View::IT),
        };
        parts.map(Value::List)
    }
}

fn same(bound: &Live, live: &Live) -> bool {
    match (bound, live) {
        (Live::Object(bound), Live::Object(live)) => bound.is(live),
        _ => false,
    }
}

fn collected(kind: Items, items: Vec<Live>) -> Live {
    let objects = items.iter().any(|item| !matches!(item, Live::Plain(_)));
    match kind {
        Items::List if objects => Live::List(items),
        Items::List => Live::Plain(Value::List(items.into_iter().map(plain).collect())),
        Items::Tuple => Live::Plain(Value::Tuple(items.into_iter().map(plain).collect())),
        Items::Set => Live::Plain(Value::Set(items.into_iter().map(plain).collect())),
    }
}

/// A live value as data: of an object, only the name of its class.
fn plain(live: Live) -> Value {
    match live {
        Live::Plain(value) => value,
        Live::Object(object) => Value::Opaque(object.class().to_owned()),
        Live::List(items) => Value::List(items.into_iter().map(plain).collect()),
    }
}

fn exception(raised: Raised) -> Exception {
    Exception {
        bases: vec![raised.kind.clone(), "Exception".to_owned()],
        kind: raised.kind,
        message: Some(Text::from(raised.message)),
        trace: Vec::new(),
        syntax: None,
    }
}
