//! Replays a plan on a program in this process.

use super::transcript::{Exception, Load, Observation, StepOutcome, Transcript};
use super::{Adapter, Fault, Guide};
use crate::case::{Arg, Items, Line, Node, Plan, View, Want};
use crate::sandbox::Limits;
use crate::value::notation::Notation;
use crate::value::program::{Call, Live, Program, Raised};
use crate::value::{Text, Value};
use std::collections::HashMap;

/// A program in this process, opened again for each replay. It is trusted, so limits do not apply.
pub struct InProcess {
    open: Box<dyn Fn() -> Box<dyn Program>>,
    notation: &'static dyn Notation,
}

impl InProcess {
    /// The program that `open` starts; `notation` writes the text of plain values.
    pub fn new(open: impl Fn() -> Box<dyn Program> + 'static, notation: &'static dyn Notation) -> InProcess {
        InProcess { open: Box::new(open), notation }
    }
}

impl Adapter for InProcess {
    fn replay(&mut self, plan: &Plan, _limits: &Limits, guide: &mut dyn Guide) -> Result<Transcript, Fault> {
        let mut session = Session::new((self.open)(), self.notation);
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

/// Runs the lines of a match and returns the observation of the last one.
pub(super) fn guided(
    step: usize,
    guide: &mut dyn Guide,
    run: &mut dyn FnMut(&Line, &Want) -> Observation,
) -> Vec<Observation> {
    let mut last = None;
    while let Some((line, want)) = guide.next(step, last.as_ref()) {
        let observation = run(&line, &want);
        let halted = matches!(observation.outcome, StepOutcome::Halted(_));
        last = Some(observation);
        if halted {
            // Its guide learns how it ended; there is nothing more to ask.
            guide.next(step, last.as_ref());
            break;
        }
    }
    last.into_iter().collect()
}

/// A program in this process that follows a replay on another one, line by line.
pub struct Follower {
    session: Session,
}

impl Follower {
    /// Starts following with `program`; `notation` writes the text of plain values.
    pub fn new(program: Box<dyn Program>, notation: &'static dyn Notation) -> Follower {
        Follower { session: Session::new(program, notation) }
    }

    /// Runs lines without observing them.
    pub fn run(&mut self, lines: &[Line]) {
        for line in lines {
            self.session.line(line, &Want::default());
        }
    }

    /// Runs the last line of a step and returns the observed value.
    pub fn answer(&mut self, line: &Line, want: &Want) -> Option<Value> {
        match self.session.line(line, want).outcome {
            StepOutcome::Value { value, .. } => value,
            StepOutcome::Raised(_)
            | StepOutcome::Missing(_)
            | StepOutcome::Halted(_)
            | StepOutcome::Unbound(_)
            | StepOutcome::Ran(_) => None,
        }
    }

    /// The value bound to `name`.
    pub fn bound(&self, name: &str) -> Option<&Live> {
        self.session.names.get(name)
    }

    /// Binds `name` to a value of the program.
    pub fn bind(&mut self, name: &str, value: Live) {
        self.session.unbound.retain(|unbound| unbound != name);
        self.session.names.insert(name.to_owned(), value);
    }
}

/// A program and the names that the lines so far have bound.
pub(super) struct Session {
    program: Box<dyn Program>,
    names: HashMap<String, Live>,
    /// Names that a failed line did not bind.
    unbound: Vec<String>,
    notation: &'static dyn Notation,
}

impl Session {
    /// Nothing is bound yet; `notation` writes the text of plain values.
    pub(super) fn new(program: Box<dyn Program>, notation: &'static dyn Notation) -> Session {
        Session { program, names: HashMap::new(), unbound: Vec::new(), notation }
    }

    /// Runs a line and observes what is wanted of its value.
    pub(super) fn line(&mut self, line: &Line, want: &Want) -> Observation {
        if let Some(name) =
            line.node.names().into_iter().find(|name| self.unbound.iter().any(|unbound| unbound == name))
        {
            self.unbound.extend(line.bind.clone());
            return Observation::bare(StepOutcome::Unbound(name.to_owned()));
        }
        match self.observe(line, want) {
            Ok(observation) => observation,
            Err(raised) => {
                if let Some(name) = line.bind.as_deref().filter(|name| !self.names.contains_key(*name)) {
                    self.unbound.push(name.to_owned());
                }
                Observation::bare(StepOutcome::Raised(exception(raised)))
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
        Ok(Observation { outcome: StepOutcome::Value { value, text }, output: Vec::new(), is })
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

    /// Arguments by position; one omitted before another is undefined.
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
            Live::Plain(value) => Ok(self.notation.text(value)),
            Live::List(_) => Ok(self.notation.text(&plain(live.clone()))),
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

/// A live value as data; for an object, only the name of its class.
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
