//! A program in this process with the names that lines have bound: runs a line, and observes it.

use super::live::{NoAnswer, call_builtin, collected, is_instance, items, missing, operation, plain};
use super::sequence;
use super::transcript::{Exception, MissingKind, Observation, StepOutcome};
use crate::case::{Arg, Bind, Builtin, Items, Line, Node, View, Want};
use crate::named::Named;
use crate::value::notation::Notation;
use crate::value::program::{Call, Live, Program, Raised};
use crate::value::{Text, Value};
use std::collections::HashMap;

/// A program and the names that the lines so far have bound.
pub(super) struct Session {
    program: Box<dyn Program>,
    names: HashMap<String, Live>,
    notation: &'static dyn Notation,
    /// The bytes that values may still take, of [`MOST_MADE`].
    room: usize,
}

/// The most memory of all values that the lines of a session make, in bytes. Each use of a name makes a copy.
const MOST_MADE: usize = 256 << 20;

/// The approximate memory of a value, in bytes; an object is the program's own.
fn memory(live: &Live) -> usize {
    match live {
        Live::Plain(value) => value.memory(),
        Live::Object(_) => size_of::<Live>(),
        Live::List(items) => size_of::<Live>() + items.iter().map(memory).sum::<usize>(),
    }
}

impl Session {
    /// Nothing is bound yet; `notation` writes the text of plain values.
    pub(super) fn new(program: Box<dyn Program>, notation: &'static dyn Notation) -> Session {
        Session { program, names: HashMap::new(), notation, room: MOST_MADE }
    }

    /// Runs a line and observes what is wanted of its value.
    pub(super) fn line(&mut self, line: &Line, want: &Want) -> Observation {
        self.observe(line, want).unwrap_or_else(|none| {
            Observation::bare(match none {
                NoAnswer::Raised(raised) => StepOutcome::Raised(exception(raised)),
                NoAnswer::Missing(missing) => StepOutcome::Missing(missing),
            })
        })
    }

    fn observe(&mut self, line: &Line, want: &Want) -> Result<Observation, NoAnswer> {
        let live = self.evaluate(&line.node)?;
        self.bind(&line.bind, &live)?;
        let mut is: Vec<String> =
            self.names.iter().filter(|(_, bound)| same(bound, &live)).map(|(name, _)| name.clone()).collect();
        is.sort_unstable();
        let value = if want.value { Some(self.apply_view(&live, want.view.as_ref())?) } else { None };
        let text = if want.text { Some(Value::Str(self.text(&live)?)) } else { None };
        // What a program in this process says of an object is its class alone.
        let types = match &live {
            Live::Object(object) if want.types => vec![object.class().to_owned()],
            Live::Object(_) | Live::Plain(_) | Live::List(_) => Vec::new(),
        };
        Ok(Observation { is, types, ..Observation::bare(StepOutcome::Value { value, text }) })
    }

    /// Puts the value of a line where it goes.
    fn bind(&mut self, bind: &Bind, live: &Live) -> Result<(), NoAnswer> {
        match bind {
            Bind::Nothing | Bind::Made(_) => Ok(()),
            Bind::Name(name) => {
                self.bind_name(name, live.clone());
                Ok(())
            }
            Bind::Unpack(names) => {
                let items = items(live)?;
                if items.len() != names.len() {
                    let few = if items.len() < names.len() { "not enough" } else { "too many" };
                    let message =
                        format!("{few} values to unpack (expected {}, got {})", names.len(), items.len());
                    return Err(Raised::new("ValueError", message).into());
                }
                names.iter().zip(items).for_each(|(name, item)| self.bind_name(name, item));
                Ok(())
            }
            Bind::Place(place) => self.assign(place, live.clone()),
        }
    }

    /// The value bound to `name`.
    pub(super) fn bound(&self, name: &str) -> Option<&Live> {
        self.names.get(name)
    }

    /// Binds `name` to a value of the program.
    pub(super) fn bind_name(&mut self, name: &str, live: Live) {
        self.names.insert(name.to_owned(), live);
    }

    /// Gives an item another value. Values are copied when they are bound, so only the name that the place
    /// begins with shows the change.
    fn assign(&mut self, place: &Node, live: Live) -> Result<(), NoAnswer> {
        let Node::Index { on, index } = place else {
            let on = if let Node::Attribute { on, .. } = place { self.evaluate(on)? } else { live };
            let name = if let Node::Attribute { name, .. } = place { name } else { "=" };
            return Err(missing(MissingKind::Attribute, name, &on));
        };
        let index = plain(self.evaluate(index)?);
        let mut container = self.evaluate(on)?;
        match &mut container {
            Live::Plain(value) => sequence::set_item(value, &index, plain(live))?,
            Live::List(items) => {
                let at = sequence::position("list assignment", &index, items.len())?;
                if let Some(item) = items.get_mut(at) {
                    *item = live;
                }
            }
            Live::Object(_) => return Err(missing(MissingKind::Method, "[]=", &container)),
        }
        match on.as_ref() {
            Node::Name(name) => {
                self.bind_name(name, container);
                Ok(())
            }
            Node::Index { .. } | Node::Attribute { .. } => self.assign(on, container),
            // The value has no name that shows the change.
            _ => Ok(()),
        }
    }

    fn evaluate(&mut self, node: &Node) -> Result<Live, NoAnswer> {
        let live = self.evaluate_unmetered(node)?;
        let left = self.room.checked_sub(memory(&live));
        self.room = left.ok_or_else(|| Raised::new("MemoryError", ""))?;
        Ok(live)
    }

    fn evaluate_unmetered(&mut self, node: &Node) -> Result<Live, NoAnswer> {
        match node {
            Node::Literal(value) => Ok(Live::Plain(value.clone())),
            Node::Name(name) => self
                .names
                .get(name.as_str())
                .cloned()
                .ok_or_else(|| Raised::new("NameError", format!("name '{name}' is not defined")).into()),
            Node::New { class, args } => {
                let args = self.arguments(args)?;
                Ok(self.program.call(Call::New { class }, &args)?)
            }
            Node::Function { name, args } => {
                let args = self.arguments(args)?;
                Ok(self.program.call(Call::Function { name }, &args)?)
            }
            Node::Method { on, name, args } => self.call_method(on, name, args),
            Node::Text(of) => {
                let of = self.evaluate(of)?;
                Ok(Live::Plain(Value::Str(self.text(&of)?)))
            }
            Node::Attribute { on, name } => {
                let on = self.evaluate(on)?;
                Err(missing(MissingKind::Attribute, name, &on))
            }
            Node::Index { on, index } => self.item(on, index),
            Node::Slice { on, bounds } => self.slice(on, bounds),
            Node::Operation(operator, operands) => {
                let operands = operands.iter().map(|of| self.evaluate(of)).collect::<Result<Vec<_>, _>>()?;
                operation(*operator, operands)
            }
            Node::Builtin(builtin, args) => self.run_builtin(*builtin, args),
            Node::Class(_) => Ok(Live::Plain(Value::Opaque("type".to_owned()))),
            Node::Native(_) => Err(Raised::type_error("this program runs no code of a case").into()),
            Node::Items(kind, items) => {
                let items = items.iter().map(|item| self.evaluate(item)).collect::<Result<Vec<_>, _>>()?;
                Ok(collected(*kind, items))
            }
            Node::Pairs(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| Ok((plain(self.evaluate(key)?), plain(self.evaluate(value)?))))
                    .collect::<Result<Vec<_>, NoAnswer>>()?;
                Ok(Live::Plain(Value::Dict(pairs)))
            }
        }
    }

    fn call_method(&mut self, on: &Node, name: &str, args: &[Arg]) -> Result<Live, NoAnswer> {
        let on = self.evaluate(on)?;
        let args = self.arguments(args)?;
        let Live::Object(object) = &on else {
            let message = format!("a plain value has no method '{name}'");
            return Err(Raised::new("AttributeError", message).into());
        };
        Ok(self.program.call(Call::Method { on: object, name }, &args)?)
    }

    fn item(&mut self, on: &Node, index: &Node) -> Result<Live, NoAnswer> {
        let on = self.evaluate(on)?;
        let index = plain(self.evaluate(index)?);
        match on {
            Live::Plain(value) => Ok(Live::Plain(sequence::item(&value, &index)?)),
            Live::List(mut items) => {
                let at = sequence::position("list", &index, items.len())?;
                Ok(items.swap_remove(at))
            }
            Live::Object(_) => Err(missing(MissingKind::Method, "[]", &on)),
        }
    }

    fn slice(&mut self, on: &Node, [start, stop, step]: &[Option<Node>; 3]) -> Result<Live, NoAnswer> {
        let on = self.evaluate(on)?;
        let mut bound = |bound: &Option<Node>| -> Result<Option<Value>, NoAnswer> {
            bound.as_ref().map(|bound| Ok(plain(self.evaluate(bound)?))).transpose()
        };
        let bounds = [bound(start)?, bound(stop)?, bound(step)?];
        match on {
            Live::Plain(value) => Ok(Live::Plain(sequence::slice(&value, &bounds)?)),
            Live::List(items) => {
                let positions = sequence::positions(&bounds, items.len())?;
                let picked = positions.into_iter().filter_map(|at| items.get(at).cloned());
                Ok(collected(Items::List, picked.collect()))
            }
            Live::Object(_) => Err(missing(MissingKind::Method, "[]", &on)),
        }
    }

    fn run_builtin(&mut self, builtin: Builtin, args: &[Node]) -> Result<Live, NoAnswer> {
        if builtin == Builtin::IsInstance {
            let [value, class] = args else {
                return Err(Raised::type_error("isinstance takes 2 arguments").into());
            };
            let value = self.evaluate(value)?;
            return Ok(Live::Plain(Value::Bool(is_instance(&value, class))));
        }
        let args = args.iter().map(|arg| self.evaluate(arg)).collect::<Result<Vec<_>, _>>()?;
        let Some(of) = args.into_iter().next() else {
            return Err(Raised::type_error(format!("{} takes 1 argument", builtin.name())).into());
        };
        match (builtin, of) {
            (Builtin::Str, of @ Live::Object(_)) => Ok(Live::Plain(Value::Str(self.text(&of)?))),
            (_, of) => call_builtin(builtin, of),
        }
    }

    /// Arguments by position; one omitted before another is undefined.
    fn arguments(&mut self, args: &[Arg]) -> Result<Vec<Live>, NoAnswer> {
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

    fn apply_view(&mut self, live: &Live, view: Option<&View>) -> Result<Value, NoAnswer> {
        match (live, view) {
            (Live::List(items), Some(view)) if view.each => items
                .iter()
                .map(|item| self.view_parts(item, view))
                .collect::<Result<_, _>>()
                .map(Value::List),
            (Live::Object(_), Some(view)) if !view.each && !view.parts.is_empty() => {
                self.view_parts(live, view)
            }
            (Live::Object(_) | Live::List(_) | Live::Plain(_), _) => Ok(plain(live.clone())),
        }
    }

    fn view_parts(&mut self, live: &Live, view: &View) -> Result<Value, NoAnswer> {
        let outer = self.names.insert(View::IT.to_owned(), live.clone());
        let parts = view
            .parts
            .iter()
            .map(|part| {
                let value = self.evaluate(&part.node)?;
                self.apply_view(&value, part.view.as_ref())
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

fn exception(raised: Raised) -> Exception {
    Exception {
        bases: vec![raised.kind.clone(), "Exception".to_owned()],
        kind: raised.kind,
        message: Some(Text::from(raised.message)),
        ..Exception::default()
    }
}
