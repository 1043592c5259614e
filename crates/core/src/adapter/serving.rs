//! The serving side of the protocol (`docs/protocol.md`): answers requests with a program in this process.

use super::session::Session;
use super::transcript::{Exception, Missing, Observation, StepOutcome};
use super::wire;
use crate::case::{Arg, Bind, Builtin, Items, Line, Node, Operator, View, ViewPart, Want};
use crate::languages::python::Python;
use crate::languages::rust::names::{NAME, PANIC};
use crate::named::Named;
use crate::value::Text;
use crate::value::program::Program;
use serde_json::{Value as Json, json};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// The most characters of an exception's message in a reply.
const MOST_MESSAGE: usize = 4000;

/// Answers requests on a fresh `program` until there are no more. Names are spelled as in the exercise, and
/// `definitions` are the names that the program has.
///
/// # Errors
/// The channel fails, or a request breaks the protocol.
pub fn serve(
    program: Box<dyn Program>,
    definitions: &[&str],
    mut requests: impl Read,
    mut replies: impl Write,
) -> io::Result<()> {
    // The other side writes plain values itself: their text is never asked of a program.
    let mut session = Session::new(program, &Python);
    let panic_message = keep_panics();
    loop {
        let mut header = [0; wire::HEADER];
        if requests.read_exact(&mut header).is_err() {
            return Ok(());
        }
        let (length, nonce) = wire::header(header);
        let mut payload = vec![0; length];
        requests.read_exact(&mut payload)?;
        let request: Json = serde_json::from_slice(&payload)?;
        let reply = match request["op"].as_str() {
            Some("start") => json!({ "ready": {
                "protocol": wire::VERSION, "language": NAME, "version": env!("CARGO_PKG_VERSION"),
                "names": "as-is", "operators": true,
            } }),
            Some("load") => json!({ "loaded": { "defined": definitions, "names": definitions } }),
            Some("run") => {
                let (line, want) = run(&request).ok_or(io::ErrorKind::InvalidData)?;
                // The state that a panic leaves is the submission's own problem.
                match catch_unwind(AssertUnwindSafe(|| session.line(&line, &want))) {
                    Ok(observation) => observed(&observation),
                    Err(_) => {
                        let message = panic_message.lock().map(|message| message.clone()).unwrap_or_default();
                        observed(&Observation::bare(StepOutcome::Raised(panic(&message))))
                    }
                }
            }
            Some("end") => return Ok(()),
            Some(_) | None => json!({ "error": "unknown operation" }),
        };
        replies.write_all(&wire::frame(nonce, reply.to_string().as_bytes()))?;
        replies.flush()?;
    }
}

/// Keeps a panic's message and source location instead of printing it.
fn keep_panics() -> Arc<Mutex<String>> {
    let last = Arc::<Mutex<String>>::default();
    let kept = Arc::clone(&last);
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        if let Ok(mut message) = kept.lock() {
            *message = info.payload_as_str().unwrap_or("a panic").to_owned() + &place.unwrap_or_default();
        }
    }));
    last
}

fn panic(message: &str) -> Exception {
    Exception {
        kind: PANIC.to_owned(),
        bases: vec![PANIC.to_owned()],
        message: Some(Text::from(message)),
        ..Exception::default()
    }
}

/// The reply that reports an observation.
fn observed(observation: &Observation) -> Json {
    match &observation.outcome {
        StepOutcome::Value { value, text } => {
            let mut reply = json!({ "done": true });
            if !observation.is.is_empty() {
                reply["is"] = json!(observation.is);
            }
            if !observation.types.is_empty() {
                reply["types"] = json!(observation.types);
            }
            for (key, value) in [("value", value), ("text", text)] {
                if let Some(value) = value {
                    reply[key] = wire::encode(value);
                }
            }
            reply
        }
        StepOutcome::Raised(Exception { kind, bases, message, .. }) => {
            let message = message.as_ref().map(Text::to_lossy).unwrap_or_default();
            let message: String = message.chars().take(MOST_MESSAGE).collect();
            json!({ "raised": { "type": kind, "bases": bases, "message": message, "trace": [] } })
        }
        StepOutcome::Missing(Missing { kind, name, on, .. }) => {
            json!({ "missing": { "kind": kind.name(), "name": name, "on": on, "near": [] } })
        }
        StepOutcome::Halted(_) | StepOutcome::Unbound(_) => json!({ "error": "not run" }),
    }
}

/// The line of a `run` request, and what to observe of it.
fn run(request: &Json) -> Option<(Line, Want)> {
    let name = |json: &Json| json.as_str().map(str::to_owned);
    let bind = match (request.get("set"), request.get("bind")) {
        (Some(place), _) => Bind::Place(Box::new(node(place)?)),
        (None, None) => Bind::Nothing,
        (None, Some(Json::Array(names))) => Bind::Unpack(names.iter().map(name).collect::<Option<_>>()?),
        (None, Some(bound)) => Bind::Name(name(bound)?),
    };
    let line = Line::bound(bind, node(&request["expr"])?);
    let wanted = |what: &str| request[what].as_bool().unwrap_or(false);
    let view = match request.get("view") {
        Some(json) => Some(view(json)?),
        None => None,
    };
    let [value, text, types, shown] = ["value", "text", "types", "shown"].map(wanted);
    Some((line, Want { value, view, text, types, shown }))
}

fn node(json: &Json) -> Option<Node> {
    let object = json.as_object()?;
    let text = |key: &str| object.get(key).and_then(Json::as_str).map(str::to_owned);
    let args = || args(object.get("args")?);
    let items = |key: &str| object.get(key)?.as_array()?.iter().map(node).collect::<Option<Vec<_>>>();
    if let Some(literal) = object.get("literal") {
        return wire::decode(literal).ok().map(Node::Literal);
    }
    if let Some(name) = text("name") {
        return Some(Node::Name(name));
    }
    if let Some(class) = text("new") {
        return Some(Node::New { class, args: args()? });
    }
    if let Some(name) = text("call") {
        return Some(Node::Function { name, args: args()? });
    }
    if let Some(name) = text("method") {
        return Some(Node::Method { on: Box::new(node(object.get("on")?)?), name, args: args()? });
    }
    if let Some(of) = object.get("text") {
        return Some(Node::Text(Box::new(node(of)?)));
    }
    let on = || node(object.get("on")?).map(Box::new);
    let plain_args = || object.get("args")?.as_array()?.iter().map(node).collect::<Option<Vec<_>>>();
    if let Some(name) = text("get") {
        return Some(Node::Attribute { on: on()?, name });
    }
    if let Some(index) = object.get("index") {
        return Some(Node::Index { on: on()?, index: Box::new(node(index)?) });
    }
    if let Some(bounds) = object.get("slice") {
        let bound = |at: usize| if bounds[at].is_null() { Some(None) } else { node(&bounds[at]).map(Some) };
        return Some(Node::Slice { on: on()?, bounds: Box::new([bound(0)?, bound(1)?, bound(2)?]) });
    }
    if let Some(operator) = text("op") {
        return Some(Node::Operation(Operator::from_name(&operator)?, plain_args()?));
    }
    if let Some(builtin) = text("builtin") {
        return Some(Node::Builtin(Builtin::from_name(&builtin)?, plain_args()?));
    }
    if let Some(class) = text("class") {
        return Some(Node::Class(class));
    }
    for (key, kind) in [("list", Items::List), ("tuple", Items::Tuple), ("set", Items::Set)] {
        if object.contains_key(key) {
            return Some(Node::Items(kind, items(key)?));
        }
    }
    let pairs = object.get("dict")?.as_array()?.iter().map(|pair| Some((node(&pair[0])?, node(&pair[1])?)));
    pairs.collect::<Option<_>>().map(Node::Pairs)
}

/// Arguments by position: this side takes no keyword arguments.
fn args(json: &Json) -> Option<Vec<Arg>> {
    let args = json.as_array()?.iter().enumerate();
    args.map(|(position, arg)| Some(Arg { keyword: None, position, node: node(&arg["value"])? })).collect()
}

fn view(json: &Json) -> Option<View> {
    let parts = json["parts"].as_array()?.iter().map(|part| {
        let view = match part.get("view") {
            Some(json) => Some(view(json)?),
            None => None,
        };
        Some(ViewPart { node: node(&part["expr"])?, view })
    });
    Some(View { each: json["each"].as_bool()?, any_order: false, parts: parts.collect::<Option<_>>()? })
}
