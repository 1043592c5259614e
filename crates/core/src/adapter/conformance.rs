//! The conformance suite: checks a program against `docs/protocol.md` with a known submission.
//!
//! The submission is a class `Conformance`, written in the program's language as `docs/new-language.md` says.
//! The program's answers are compared with what the class must do; nothing here knows the language.

use super::exchange::{exchange, receive, send, starting};
use super::source::{Command, Library};
use super::transcript::{Exception, Halt, Missing, MissingKind};
use super::wire::{self, Body, LoadMode, LoadRequest, Ready, Reply, Request};
use super::{Fault, Launcher};
use crate::languages;
use crate::languages::python::Python;
use crate::messages::shortened;
use crate::sandbox::{Exit, Launch, Limits, Process, Stop};
use crate::value::notation::Notation;
use crate::value::{Int, SourceFile, Text, Value};
use serde_json::{Value as Json, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The name of the submission's class.
const CLASS: &str = "Conformance";

/// The text of its objects.
const TEXT: &str = "conforms";

/// The time to wait for unexpected bytes.
const UNASKED: Duration = Duration::from_millis(100);

/// The time that a program has to end after its input ends.
const ENDING: Duration = Duration::from_secs(20);

/// The longest part of an answer that a finding shows, in characters.
const MOST_SHOWN: usize = 200;

/// A check and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The requirement, as a sentence.
    pub name: String,
    /// The outcome.
    pub outcome: CheckOutcome,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The requirement is met.
    Holds,
    /// Not applicable: the language says that it does not have this kind of value.
    Lacks(String),
    /// The requirement is not met.
    Broken {
        /// The expected answer.
        expected: String,
        /// The actual answer.
        got: String,
    },
}

/// Runs the suite on the driver of a `library`, as `launcher` confines it, with the submission in `file` that the library
/// was built from. The suite leaves out what the compiler has checked before: that the file is a program. An exception
/// need not have a trace.
///
/// # Errors
/// The driver cannot be started.
#[doc(hidden)]
pub fn check_library(
    launcher: Launcher,
    library: &Library,
    file: &SourceFile,
    tell: &mut dyn FnMut(&Check),
) -> Result<(), Fault> {
    run(Subject::Library(Box::new(launcher), library), file, tell)
}

/// Runs the suite on the program with these `words`, with the submission in `file`. Each check is reported as
/// soon as it is made; the suite stops if the program does not get ready. Each check runs under the default
/// limits of a case.
///
/// # Errors
/// The program cannot be started.
pub fn check(words: &[String], file: &SourceFile, tell: &mut dyn FnMut(&Check)) -> Result<(), Fault> {
    run(Subject::Program(words), file, tell)
}

fn run(subject: Subject<'_>, file: &SourceFile, tell: &mut dyn FnMut(&Check)) -> Result<(), Fault> {
    let mut suite = Checks {
        subject,
        file,
        files: [file.name.clone()],
        process: None,
        keywords: false,
        operators: false,
        tuples: false,
        tell,
    };
    if suite.starts()? {
        suite.framing();
        suite.loading();
        suite.values();
        suite.calls();
        if suite.operators {
            suite.operations();
        }
        suite.errors();
        suite.output();
        suite.limits();
        suite.endings();
    }
    Ok(())
}

/// The driver that the suite checks.
enum Subject<'a> {
    /// A program, by its words.
    Program(&'a [String]),
    /// A driver that loads a library.
    Library(Box<Launcher>, &'a Library),
}

struct Checks<'a> {
    subject: Subject<'a>,
    file: &'a SourceFile,
    files: [String; 1],
    /// A process that has loaded the submission; `None` once it is gone.
    process: Option<Process>,
    keywords: bool,
    /// Whether it says that it knows operators.
    operators: bool,
    /// Whether its language distinguishes tuples from lists, if it says so.
    tuples: bool,
    tell: &'a mut dyn FnMut(&Check),
}

/// A description of a wrong answer.
type Checked<T> = Result<T, String>;

impl Checks<'_> {
    // ---- the checks -------------------------------------------------------------------------------------------

    fn starts(&mut self) -> Result<bool, Fault> {
        let mut process = self.start()?;
        let ready = ready(&mut process);
        self.tuples = ready.as_ref().is_ok_and(|ready| {
            let known = languages::find(&ready.language);
            ready.tuples.unwrap_or_else(|| known.is_none_or(|language| language.notation.has_tuples()))
        });
        self.operators = ready.as_ref().is_ok_and(|ready| ready.operators);
        self.keywords = ready.as_ref().is_ok_and(|ready| {
            ready.keywords || languages::find(&ready.language).is_some_and(|language| language.keywords)
        });
        let expected = format!("`ready` with protocol {}, a language and a version", wire::VERSION);
        let holds = ready.is_ok();
        let name = match &ready {
            Ok(ready) => format!("it gets ready: {} {}", ready.language, ready.version),
            Err(_) => "it gets ready".to_owned(),
        };
        self.holds(&name, &expected, ready.map(drop));
        Ok(holds)
    }

    fn framing(&mut self) {
        let answer = self.fresh().and_then(|mut process| {
            let nonce = send(&mut process, &Request::of(&json!({ "op": "keur" })), 5)
                .map_err(|halt| halt.to_string())?;
            let payload = receive(&mut process, nonce, wire::MOST_REPLY).map_err(|halt| halt.to_string())?;
            let reply: Json = serde_json::from_slice(&payload).map_err(|error| error.to_string())?;
            match reply.get("error").and_then(Json::as_str) {
                Some(_) => Ok(()),
                None => Err(shown(&reply.to_string())),
            }
        });
        let name = "a request that comes in pieces, of an unknown operation, is answered";
        self.holds(name, "`error` with a text", answer);
        let answer = self.fresh().and_then(|process| {
            std::thread::sleep(UNASKED);
            if process.has_unread() { Err("unexpected bytes".to_owned()) } else { Ok(()) }
        });
        self.holds("it sends nothing unasked", "silence between two requests", answer);
    }

    fn loading(&mut self) {
        let answer = self.fresh().and_then(|mut process| {
            let load = load_request(self.file);
            let body = exchange(&mut process, &load, &self.files).map_err(|halt| halt.to_string())?.body;
            let complete = matches!(
                &body,
                Body::Loaded { defined, names, raised: None, .. }
                    if *defined == [CLASS] && names.all.iter().any(|name| name == CLASS)
            );
            right(&body, complete)
        });
        let expected = format!("`loaded` with [\"{CLASS}\"] as `defined` and {CLASS} among `names`");
        self.holds("it loads the submission and reports what it defines", &expected, answer);
        if self.is_library() {
            return;
        }
        let answer = self.fresh().and_then(|mut process| {
            let wrong = SourceFile { bytes: b")(\n"[..].into(), ..self.file.clone() };
            let load = load_request(&wrong);
            let body = exchange(&mut process, &load, &self.files).map_err(|halt| halt.to_string())?.body;
            right(&body, matches!(&body, Body::Loaded { raised: Some(_), defined, .. } if defined.is_empty()))
        });
        self.holds(
            "a file that is not a program is reported",
            "`loaded` with nothing defined, and `raised`",
            answer,
        );
    }

    fn values(&mut self) {
        let huge = |text: &str| text.parse::<Int>().map_or(Value::None, Value::int);
        let list = |items: &[i64]| items.iter().copied().map(Value::from).collect::<Vec<_>>();
        let every = [
            ("null", vec![Value::None]),
            ("booleans", vec![Value::from(true), Value::from(false)]),
            ("integers", [0, 1, -1, 255, 1 << 31, 1 << 53, -(1 << 53)].map(Value::from).into()),
            (
                "strings",
                ["", "1", "a\"\\/b", "a\n\t\u{1}\0z", "\u{e9}\u{20ac}\u{1f600}"].map(Value::from).into(),
            ),
            (
                "lists",
                vec![
                    Value::List(vec![]),
                    Value::List(vec![Value::from(1), Value::List(vec![Value::from("a")]), Value::None]),
                ],
            ),
        ];
        for (kind, values) in every {
            self.echoes(kind, &values, true);
        }
        let some = [
            ("integers beyond 2^53", vec![huge("9007199254740993"), huge("-9223372036854775808")]),
            ("integers of any size", vec![huge("123456789012345678901234567890")]),
            ("fractions", [1.5, 0.1, -1e-300, 1e300].map(Value::Float).into()),
            ("negative zero", vec![Value::Float(-0.0)]),
            ("infinities and NaN", [f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(Value::Float).into()),
            ("strings with lone surrogates", vec![Value::Str(Text::from_units(vec![0xd800, 0x61]))]),
            ("tuples", vec![Value::Tuple(list(&[1, 2]))]),
            ("sets", vec![Value::Set(vec![]), Value::Set(list(&[1, 2]))]),
            ("dictionaries", vec![Value::Dict(vec![(Value::from("a"), Value::List(list(&[1])))])]),
            ("dictionaries with other keys", vec![Value::Dict(vec![(Value::from(1), Value::from("a"))])]),
        ];
        for (kind, values) in some {
            self.echoes(kind, &values, false);
        }
        if self.tuples {
            let argument = json!({ "literal": wire::encode(&Value::Tuple(list(&[1, 2]))) });
            let answer = self.run(&json!({ "expr": method("echo", &[argument]), "value": true }));
            let list = matches!(&answer, Ok(Body::Done { value: Some(Value::List(_)), .. }));
            let answer = answer.and_then(|body| right(&body, !list));
            let expected = "a value other than a list, or a `ready` with \"tuples\":false";
            self.holds("a tuple does not come back as a list", expected, answer);
        }
    }

    /// Checks that values of a kind come back unchanged; a language need not have every kind.
    fn echoes(&mut self, kind: &str, values: &[Value], must: bool) {
        let name = format!("values arrive and come back: {kind}");
        for value in values {
            let argument = json!({ "literal": wire::encode(value) });
            let expected = Python.literal(value);
            let outcome = match self.run(&json!({ "expr": method("echo", &[argument]), "value": true })) {
                Ok(Body::Done { value: Some(got), .. }) if agree(value, &got) => continue,
                Ok(Body::Done { value: Some(got @ Value::Opaque(_)), .. }) if !must => {
                    CheckOutcome::Lacks(format!("it comes back as {}", Python.literal(&got)))
                }
                Ok(Body::Raised(raised)) if !must => CheckOutcome::Lacks(exception(&raised)),
                Ok(body) => CheckOutcome::Broken { expected, got: described(&body) },
                Err(got) => CheckOutcome::Broken { expected, got },
            };
            return self.tell(name, outcome);
        }
        self.tell(name, CheckOutcome::Holds);
    }

    fn calls(&mut self) {
        let object = json!({ "name": "c" });
        let answer = self.run(&json!({ "expr": object, "value": true, "text": true }));
        let answer = answer.and_then(|body| right(&body, matches!(&body, Body::Done { value: Some(Value::Opaque(name)), text: Some(Value::Str(text)), .. }
                if name == CLASS && text.to_lossy() == TEXT)));
        let expected = format!("the value {{\"object\":\"{CLASS}\"}} and the text {TEXT:?}");
        self.holds("an object has the name of its class, and its text", &expected, answer);

        let answer = self.run(&json!({ "expr": object, "types": true }));
        let answer = answer.and_then(|body| {
            let named = |types: &[String]| types.iter().any(|name| name == CLASS);
            right(&body, matches!(&body, Body::Done { types, .. } if named(types)))
        });
        let expected = format!("`types` with {CLASS:?}");
        self.holds("the type of an object and its supertypes are named", &expected, answer);

        let answer = self.run(&json!({ "expr": method("same", &[]), "value": true }));
        let answer = answer.and_then(|body| {
            right(&body, matches!(&body, Body::Done { is, .. } if is.iter().any(|name| name == "c")))
        });
        self.holds("a method that returns its object is recognised", "`is` with [\"c\"]", answer);

        let one = || json!({ "literal": 1 });
        self.gives(
            "a call can be made on the value of a call",
            &on(&method("same", &[]), "echo", &[one()]),
            &Value::from(1),
        );
        let text = json!({ "text": { "name": "c" } });
        self.gives("the text of a value may be an argument", &method("echo", &[text]), &Value::from(TEXT));
        let list = json!({ "list": [one(), method("echo", &[one()])] });
        let ones = Value::List(vec![Value::from(1), Value::from(1)]);
        self.gives("a list may contain the value of a call", &method("echo", &[list]), &ones);
        self.gives("an argument may be omitted", &method("add", &[one()]), &Value::from(3));
        let both = method("add", &[one(), json!({ "literal": 5 })]);
        self.gives("an argument may be given", &both, &Value::from(6));
        if self.keywords {
            let mut by = method("add", &[one(), json!({ "literal": 5 })]);
            by["args"][1]["keyword"] = json!("b");
            self.gives("an argument may be given by keyword", &by, &Value::from(6));
        }
        let it = json!({ "method": "echo", "on": { "name": "it" }, "args": [{ "value": one() }] });
        let view = |each: bool| json!({ "each": each, "parts": [{ "expr": it }] });
        let seen = Value::List(vec![Value::from(1)]);
        let request = json!({ "expr": { "name": "c" }, "value": true, "view": view(false) });
        self.gives_to("an object is looked at through a view", &request, &seen);
        let list = method("echo", &[json!({ "list": [{ "name": "c" }] })]);
        let request = json!({ "expr": list, "value": true, "view": view(true) });
        self.gives_to("so is each of a list", &request, &Value::List(vec![seen]));
    }

    /// Checks that a driver which says `operators` treats plain values as Python does.
    fn operations(&mut self) {
        let plain = |value: i64| json!({ "literal": value });
        let list = || json!({ "literal": { "list": [1, 2, 3] } });
        let op = |name: &str, left: Json, right: Json| json!({ "op": name, "args": [left, right] });
        let ints = |items: &[i64]| Value::List(items.iter().copied().map(Value::from).collect());
        for (name, expr, expected) in [
            ("`//` rounds down", op("//", plain(-7), plain(2)), Value::from(-4)),
            ("`%` has the sign of the divisor", op("%", plain(-7), plain(3)), Value::from(2)),
            ("`/` divides exactly", op("/", plain(7), plain(2)), Value::Float(3.5)),
            ("`+` joins lists", op("+", list(), list()), ints(&[1, 2, 3, 1, 2, 3])),
            ("lists are compared by their items", op("==", list(), list()), Value::from(true)),
            ("`<` compares lists item by item", op("<", list(), list()), Value::from(false)),
            ("`in` finds an item", op("in", plain(2), list()), Value::from(true)),
            (
                "`not` inverts",
                json!({ "op": "not", "args": [{ "literal": { "list": [] } }] }),
                Value::from(true),
            ),
            ("an index may count from the end", json!({ "on": list(), "index": plain(-1) }), Value::from(3)),
            (
                "a slice has a start, an end and a step",
                json!({ "on": list(), "slice": [null, null, plain(-1)] }),
                ints(&[3, 2, 1]),
            ),
            ("`len` counts items", json!({ "builtin": "len", "args": [list()] }), Value::from(3)),
            (
                "`isinstance` knows a class",
                json!({ "builtin": "isinstance", "args": [{ "name": "c" }, { "class": CLASS }] }),
                Value::from(true),
            ),
        ] {
            self.gives(name, &expr, &expected);
        }
        let first = self.run(&json!({ "expr": list(), "bind": ["a1", "a2", "a3"] }));
        let set = json!({ "expr": plain(9), "set": { "on": { "name": "a" }, "index": plain(0) } });
        let bound = first
            .and_then(|body| right(&body, matches!(body, Body::Done { .. })))
            .and_then(|()| self.run(&json!({ "expr": { "name": "a2" }, "value": true })))
            .and_then(|body| {
                right(
                    &body,
                    matches!(&body, Body::Done { value: Some(got), .. } if agree(&Value::from(2), got)),
                )
            });
        self.holds("several names are bound to the items of a value", "2 for the second name", bound);
        let assigned = self
            .run(&json!({ "expr": list(), "bind": "a" }))
            .and_then(|_| self.run(&set))
            .and_then(|_| self.run(&json!({ "expr": { "name": "a" }, "value": true })))
            .and_then(|body| {
                let expected = ints(&[9, 2, 3]);
                right(&body, matches!(&body, Body::Done { value: Some(got), .. } if agree(&expected, got)))
            });
        self.holds("an item can be set", "[9, 2, 3]", assigned);
        let answer = self.run(&json!({ "expr": { "on": { "name": "c" }, "get": "nothing" } }));
        let answer = answer.and_then(|body| {
            let missing = |missing: &Missing| missing.kind == MissingKind::Attribute;
            right(&body, matches!(&body, Body::Missing(found) if missing(found)))
        });
        self.holds("a missing attribute is reported", "`missing` of kind `attribute`", answer);
    }

    fn errors(&mut self) {
        let message = "words of its own";
        let answer = self.run(&json!({ "expr": method("fail", &[json!({ "literal": message })]) }));
        let file = &self.file.name;
        let traced = !self.is_library();
        let answer = answer.and_then(|body| {
            let complete = |raised: &Exception| {
                raised.message.as_ref().is_some_and(|found| found.to_lossy() == message)
                    && raised.bases.contains(&raised.kind)
                    && (!traced || raised.trace.iter().any(|frame| frame.file == *file && frame.line > 0))
            };
            right(&body, matches!(&body, Body::Raised(raised) if complete(raised)))
        });
        let expected = format!(
            "`raised` with its `type`, that among `bases`, the message {message:?}, and a `trace` or `stack` in {file}"
        );
        self.holds("an exception is reported", &expected, answer);
        for (name, expr, kind) in [
            ("a missing method is reported", method("nothing", &[]), MissingKind::Method),
            ("a missing class is reported", json!({ "new": "Nothing", "args": [] }), MissingKind::Definition),
        ] {
            let answer = self.run(&json!({ "expr": expr })).and_then(|body| {
                right(&body, matches!(&body, Body::Missing(missing) if missing.kind == kind))
            });
            let expected = match kind {
                MissingKind::Definition => "`missing` of kind `definition`",
                _ => "`missing` of kind `method`",
            };
            self.holds(name, expected, answer);
        }
        let call = method("add", &[json!({ "literal": 1 })]);
        self.gives("after an error it goes on", &call, &Value::from(3));
    }

    fn output(&mut self) {
        let say = method("say", &[json!({ "literal": "so \u{e9}" })]);
        let answer = self.reply(&json!({ "expr": say })).and_then(|reply| {
            let out = reply.out.clone().unwrap_or_default().replace("\r\n", "\n");
            if out == "so \u{e9}\n" { Ok(()) } else { Err(format!("`out` with {out:?}")) }
        });
        self.holds("printed output comes with the reply", "`out` with \"so \u{e9}\\n\"", answer);
        let answer = self.reply(&json!({ "expr": method("same", &[]) })).and_then(|reply| match reply.out {
            None => Ok(()),
            Some(out) if out.is_empty() => Ok(()),
            Some(out) => Err(format!("`out` with {out:?}")),
        });
        self.holds("and with no other reply", "no `out`", answer);
    }

    fn limits(&mut self) {
        let long = Value::from("x".repeat(200_000));
        let argument = json!({ "literal": wire::encode(&long) });
        self.gives("a long string arrives whole", &method("echo", &[argument]), &long);
        for (name, call) in [("a list of a million", "big"), ("a list nested a thousand deep", "deep")] {
            let answer = self.run(&json!({ "expr": method(call, &[]), "value": true }));
            let answer =
                answer.and_then(|body| right(&body, matches!(&body, Body::Done { value: Some(_), .. })));
            let expected =
                "a value of which no more is sent than a reply may hold, such as {\"cut\":\"size\"}";
            self.holds(&format!("{name} is bounded"), expected, answer);
        }
        for (name, call) in [("an endless loop", "spin"), ("endless output", "flood")] {
            let answer = self.endless(call);
            self.holds(
                &format!("{name} ends at a limit"),
                "no reply, until a limit ends the program",
                answer,
            );
        }
    }

    fn endings(&mut self) {
        let answer = self.loaded().and_then(|process| {
            let nonce =
                send(process, &Request::of(&json!({ "op": "end" })), 1).map_err(|halt| halt.to_string())?;
            match receive(process, nonce, wire::MOST_REPLY) {
                Err(Halt::Stopped(Stop::Exited(Exit::Code(_)))) => Ok(()),
                Err(halt) => Err(halt.to_string()),
                Ok(payload) => Err(shown(&String::from_utf8_lossy(&payload))),
            }
        });
        self.process = None;
        self.holds("it ends on request", "its end, and no reply to `end`", answer);
        let Subject::Program(words) = self.subject else { return };
        let answer = ends_with_its_input(words);
        self.holds("it ends when its input ends", "its end", answer);
    }

    // ---- what they are made of --------------------------------------------------------------------------------

    fn tell(&mut self, name: String, outcome: CheckOutcome) {
        (self.tell)(&Check { name, outcome });
    }

    fn holds(&mut self, name: &str, expected: &str, answer: Checked<()>) {
        let outcome = match answer {
            Ok(()) => CheckOutcome::Holds,
            Err(got) => CheckOutcome::Broken { expected: expected.to_owned(), got },
        };
        self.tell(name.to_owned(), outcome);
    }

    fn gives(&mut self, name: &str, expr: &Json, expected: &Value) {
        self.gives_to(name, &json!({ "expr": expr, "value": true }), expected);
    }

    fn gives_to(&mut self, name: &str, request: &Json, expected: &Value) {
        let answer = self.run(request).and_then(|body| {
            right(&body, matches!(&body, Body::Done { value: Some(got), .. } if agree(expected, got)))
        });
        self.holds(name, &shown(&Python.literal(expected)), answer);
    }

    fn run(&mut self, request: &Json) -> Checked<Body> {
        self.reply(request).map(|reply| reply.body)
    }

    /// The reply to a `run`, from a process where `c` is the submission's object.
    fn reply(&mut self, request: &Json) -> Checked<Reply> {
        let mut request = request.clone();
        request["op"] = json!("run");
        let files = self.files.clone();
        let process = self.loaded()?;
        let mut reply = exchange(process, &Request::of(&request), &files).map_err(|halt| halt.to_string());
        // A driver of keur's own leaves standard output to the submission.
        let printed = process.take_output();
        if let (Ok(reply), false) = (&mut reply, printed.is_empty()) {
            reply.out.get_or_insert_default().push_str(&String::from_utf8_lossy(&printed));
        }
        if reply.is_err() {
            self.process = None;
        }
        reply
    }

    /// Calls a method that never ends.
    fn endless(&mut self, name: &str) -> Checked<()> {
        let request = Request::of(&json!({ "op": "run", "expr": method(name, &[]) }));
        let files = self.files.clone();
        let process = self.loaded()?;
        process.begin(&Limits::default()).map_err(|error| error.to_string())?;
        let reply = exchange(process, &request, &files);
        let full = process.output_is_full();
        self.process = None;
        match reply {
            Ok(_) if full => Ok(()),
            Err(Halt::Stopped(Stop::Cpu | Stop::Wall | Stop::Memory | Stop::Output)) => Ok(()),
            Err(halt) => Err(halt.to_string()),
            Ok(reply) => Err(described(&reply.body)),
        }
    }

    /// A process with the submission loaded and an object of it bound to `c`.
    fn loaded(&mut self) -> Checked<&mut Process> {
        if self.process.is_none() {
            let mut process = self.fresh()?;
            let load = load_request(self.file);
            exchange(&mut process, &load, &self.files).map_err(|halt| halt.to_string())?;
            let bind = json!({ "op": "run", "expr": { "new": CLASS, "args": [] }, "bind": "c" });
            let body = exchange(&mut process, &Request::of(&bind), &self.files)
                .map_err(|halt| halt.to_string())?
                .body;
            right(&body, matches!(&body, Body::Done { .. }))
                .map_err(|said| format!("no object of the class: {said}"))?;
            self.process = Some(process);
        }
        let process = self.process.as_mut().ok_or("no process")?;
        process.begin(&Limits::default()).map_err(|error| error.to_string())?;
        Ok(process)
    }

    /// A process that is ready.
    fn fresh(&mut self) -> Checked<Process> {
        let mut process = self.start().map_err(|fault| fault.to_string())?;
        ready(&mut process)?;
        process.begin(&Limits::default()).map_err(|error| error.to_string())?;
        Ok(process)
    }

    fn is_library(&self) -> bool {
        matches!(self.subject, Subject::Library(..))
    }

    fn start(&mut self) -> Result<Process, Fault> {
        let words = match &mut self.subject {
            Subject::Program(words) => *words,
            Subject::Library(launcher, library) => {
                let limits = Limits::default();
                let mut process = launcher.start_library(library, &limits, None)?;
                process.begin(&starting(&limits, None)).map_err(|error| Fault::new(error.to_string()))?;
                return Ok(process);
            }
        };
        // One process gets all the requests that a program gets over many cases.
        let command = Command::new(words.to_vec());
        let launch = Launch { shared: true, ..command.launch() };
        let limits = Limits::default();
        let mut process = Process::start(&launch, &limits).map_err(|error| {
            Fault::new(format!("{} cannot be started", launch.program.display())).because(error)
        })?;
        process
            .begin(&starting(&limits, Some(command.patience)))
            .map_err(|error| Fault::new(error.to_string()))?;
        Ok(process)
    }
}

/// The report of a program about itself at start.
fn ready(process: &mut Process) -> Checked<Ready> {
    match exchange(process, &Request::start(false), &[]) {
        Ok(Reply { body: Body::Ready(ready), .. }) => {
            let complete = ready.protocol == wire::VERSION && !ready.language.is_empty();
            if complete && !ready.version.is_empty() {
                Ok(ready)
            } else {
                Err(described(&Body::Ready(ready)))
            }
        }
        Ok(reply) => Err(described(&reply.body)),
        Err(halt) => {
            let errors = String::from_utf8_lossy(&process.take_errors()).trim().to_owned();
            Err(if errors.is_empty() { halt.to_string() } else { shown(&format!("{halt}: {errors}")) })
        }
    }
}

/// Checks that a program ends soon after its input ends.
fn ends_with_its_input(words: &[String]) -> Checked<()> {
    let launch = Command::new(words.to_vec()).launch();
    let mut child = std::process::Command::new(&launch.program)
        .current_dir("/")
        .args(&launch.args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let began = Instant::now();
    while began.elapsed() < ENDING {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // The check has failed already, whatever happens here.
    let _ = child.kill().and_then(|()| child.wait());
    Err(format!("it still runs after {} seconds", ENDING.as_secs()))
}

/// Asks to load a submission and run it.
fn load_request(file: &SourceFile) -> Request {
    let module = file.module.as_deref().unwrap_or_default();
    let needs = [CLASS, "Nothing"].map(str::to_owned);
    Request::load(LoadRequest {
        files: std::slice::from_ref(file),
        mode: LoadMode::Once(&[module]),
        needs: &needs,
        code: None,
        views: serde_json::Map::new(),
    })
}

/// A call of a method on the object that is bound to `c`.
fn method(name: &str, args: &[Json]) -> Json {
    on(&json!({ "name": "c" }), name, args)
}

fn on(object: &Json, name: &str, args: &[Json]) -> Json {
    let args: Vec<Json> = args.iter().map(|arg| json!({ "value": arg })).collect();
    json!({ "method": name, "on": object, "args": args })
}

/// Whether a value came back in a form that the language allows: a tuple as a list, an integer as the same
/// number.
fn agree(sent: &Value, got: &Value) -> bool {
    let all = |sent: &[Value], got: &[Value]| {
        sent.len() == got.len() && sent.iter().zip(got).all(|(sent, got)| agree(sent, got))
    };
    let exact = |int: &Int, number: f64| int.bits() <= 54 && int.to_f64().to_bits() == number.to_bits();
    match (sent, got) {
        (Value::None, Value::None | Value::Undefined) => true,
        (Value::Int(sent), Value::Int(got) | Value::BigInt(got)) => sent == got,
        (Value::Int(sent), Value::Number(got)) => exact(sent, *got),
        (Value::Float(sent), Value::Float(got) | Value::Number(got)) => {
            sent.to_bits() == got.to_bits() || sent.is_nan() && got.is_nan()
        }
        (Value::List(sent), Value::List(got))
        | (Value::Tuple(sent), Value::Tuple(got) | Value::List(got)) => all(sent, got),
        (Value::Set(sent), Value::Set(got)) => {
            sent.len() == got.len() && sent.iter().all(|sent| got.iter().any(|got| agree(sent, got)))
        }
        (Value::Dict(sent), Value::Dict(got)) => {
            let pair = |sent: &(Value, Value), got: &(Value, Value)| {
                agree(&sent.0, &got.0) && agree(&sent.1, &got.1)
            };
            sent.len() == got.len() && sent.iter().all(|sent| got.iter().any(|got| pair(sent, got)))
        }
        (Value::Bool(_) | Value::Str(_), _) => sent == got,
        _ => false,
    }
}

/// The answer, if it is not the expected one.
fn right(body: &Body, holds: bool) -> Checked<()> {
    if holds { Ok(()) } else { Err(described(body)) }
}

/// An answer, as a finding shows it.
fn described(body: &Body) -> String {
    let text = match body {
        Body::Ready(ready) => format!(
            "`ready` with protocol {}, language {:?} and version {:?}",
            ready.protocol, ready.language, ready.version
        ),
        Body::Loaded { defined, names, raised, .. } => {
            let raised =
                raised.as_ref().map_or_else(String::new, |raised| format!(", and {}", exception(raised)));
            format!("`loaded` with {defined:?} as `defined` and {:?} as `names`{raised}", names.all)
        }
        Body::Done { value, text, is, types, subclasses, shown } => {
            let written = |value: &Option<Value>| value.as_ref().map(|value| Python.literal(value));
            let parts = [
                ("value", written(value)),
                ("text", written(text)),
                ("is", Some(format!("{is:?}"))),
                ("types", Some(format!("{types:?}"))),
                ("shown", shown.clone()),
                ("subclasses", Some(format!("{subclasses:?}"))),
            ];
            let parts: Vec<String> =
                parts.into_iter().filter_map(|(name, part)| Some(format!("`{name}` {}", part?))).collect();
            format!("`done` with {}", parts.join(", "))
        }
        Body::Raised(raised) => exception(raised),
        Body::Missing(missing) => format!("`missing` {:?} {:?}", missing.kind, missing.name),
        Body::Traced => "`traced`".to_owned(),
        Body::Waits => "`waits`".to_owned(),
        Body::Ended { status: Some(status), .. } => format!("`ended` with status {status}"),
        Body::Ended { status: None, .. } => "`ended`".to_owned(),
    };
    shown(&text)
}

fn exception(raised: &Exception) -> String {
    let message = raised
        .message
        .as_ref()
        .map_or_else(|| "no message".to_owned(), |text| format!("{:?}", text.to_lossy()));
    let places: Vec<String> =
        raised.trace.iter().map(|frame| format!("{}:{}", frame.file, frame.line)).collect();
    shown(&format!(
        "`raised` with type {:?}, bases {:?}, {message} and the trace {places:?}",
        raised.kind, raised.bases
    ))
}

/// The beginning of a text, on one line.
fn shown(text: &str) -> String {
    shortened(&text.replace(char::is_control, " "), MOST_SHOWN).into_owned()
}
