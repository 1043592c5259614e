//! The wire protocol of `docs/protocol.md`: frames, requests and replies.

use crate::case::{Arg, Bind, Items, Line, Node, View, Want};
use crate::value::Value;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value as Json, json};

mod frame;
mod reply;
mod value;

pub use frame::{HEADER, MOST_LOADED, MOST_REPLY, VERSION, frame, header};
pub use reply::{Body, Code, Ready, Reply, replies, reply};
pub use value::{decode, encode};

// ---- requests -------------------------------------------------------------------------------------------------

/// How a language spells names and takes arguments.
pub trait Spelling {
    /// The spelling of a class, function or method.
    fn spell(&self, name: &str) -> String;
    /// Whether arguments can be given by keyword.
    fn keywords(&self) -> bool;
    /// The language.
    fn language(&self) -> &str;
}

/// A source file of a load request.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'a> {
    /// The file's name.
    pub name: &'a str,
    /// The name that its module is loaded under.
    pub module: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The first request.
pub fn start() -> String {
    json!({ "op": "start", "protocol": VERSION }).to_string()
}

/// Asks for a fresh state in the same process.
pub fn reset() -> String {
    json!({ "op": "reset" }).to_string()
}

/// Asks to load `files` and run `modules`; `needs` are the names that matter. `code` is what an earlier load of the
/// same files compiled; without it a driver that compiles is asked for it.
pub fn load(files: &[SourceFile<'_>], modules: &[&str], needs: &[String], code: Option<&Code>) -> String {
    load_request(files, modules, needs, code).to_string()
}

/// As [`load`], in a process that will be asked to load the same files [`again`].
pub fn load_watched(
    files: &[SourceFile<'_>],
    modules: &[&str],
    needs: &[String],
    code: Option<&Code>,
) -> String {
    let mut request = load_request(files, modules, needs, code);
    request["watch"] = json!(true);
    request.to_string()
}

fn load_request(files: &[SourceFile<'_>], modules: &[&str], needs: &[String], code: Option<&Code>) -> Json {
    let mut request = json!({ "op": "load", "files": sources(files), "modules": modules, "needs": needs });
    match code {
        Some(code) => request["code"] = json!(code),
        None => request["compile"] = json!(true),
    }
    request
}

/// Asks to load the same files again as if nothing had run, unless something is left of what ran. The `last` time a driver
/// looks everywhere; before that it may skip what takes long.
pub fn again(last: bool) -> String {
    let mut request = json!({ "op": "again" });
    if last {
        request["last"] = json!(true);
    }
    request.to_string()
}

/// Sends these requests at once, for replies that come at once.
pub fn batch(requests: &[String]) -> String {
    // As texts, which a driver parses one by one: what it allocates for a request comes just before that runs.
    json!({ "op": "batch", "requests": requests }).to_string()
}

fn sources(files: &[SourceFile<'_>]) -> Vec<Json> {
    let source = |file: &SourceFile<'_>| json!({ "name": file.name, "module": file.module, "data": BASE64.encode(file.bytes) });
    files.iter().map(source).collect()
}

/// Asks to run the program in `module`, one of `files`, with these arguments.
pub fn program(files: &[SourceFile<'_>], module: &str, args: &[String]) -> String {
    json!({ "op": "program", "files": sources(files), "module": module, "args": args }).to_string()
}

/// Gives a program that waits for input its next input; `None` when its input ends.
pub fn input(text: Option<&str>) -> String {
    match text {
        Some(text) => json!({ "op": "input", "data": text }).to_string(),
        None => json!({ "op": "input" }).to_string(),
    }
}

/// Asks to run a line and to report what is wanted of its value.
pub fn run(line: &Line, want: &Want, spelling: &dyn Spelling) -> String {
    let mut request = Map::new();
    request.insert("op".to_owned(), json!("run"));
    if let Node::Native(native) = &line.node {
        request.insert("native".to_owned(), json!(native.code(spelling.language()).unwrap_or_default()));
    } else {
        request.insert("expr".to_owned(), expr(&line.node, spelling));
    }
    let (key, bound) = match &line.bind {
        Bind::Nothing => ("bind", None),
        Bind::Name(name) => ("bind", Some(json!(name))),
        Bind::Unpack(names) => ("bind", Some(json!(names))),
        Bind::Place(place) => ("set", Some(expr(place, spelling))),
        Bind::Made(names) => ("binds", Some(json!(names))),
    };
    if let Some(bound) = bound {
        request.insert(key.to_owned(), bound);
    }
    if want.value {
        request.insert("value".to_owned(), json!(true));
    }
    if want.text {
        request.insert("text".to_owned(), json!(true));
    }
    if want.types {
        request.insert("types".to_owned(), json!(true));
    }
    if let Some(view) = want.view.as_ref().filter(|view| view.each || !view.parts.is_empty()) {
        request.insert("view".to_owned(), view_json(view, spelling));
    }
    Json::Object(request).to_string()
}

fn expr(node: &Node, spelling: &dyn Spelling) -> Json {
    match node {
        Node::Literal(value) => json!({ "literal": encode(value) }),
        Node::Name(name) => json!({ "name": name }),
        Node::New { class, args } => {
            json!({ "new": spelling.spell(class), "args": arguments(args, spelling) })
        }
        Node::Function { name, args } => {
            json!({ "call": spelling.spell(name), "args": arguments(args, spelling) })
        }
        Node::Method { on, name, args } => {
            json!({ "method": spelling.spell(name), "on": expr(on, spelling), "args": arguments(args, spelling) })
        }
        Node::Text(of) => json!({ "text": expr(of, spelling) }),
        Node::Attribute { on, name } => json!({ "get": spelling.spell(name), "on": expr(on, spelling) }),
        Node::Index { on, index } => json!({ "index": expr(index, spelling), "on": expr(on, spelling) }),
        Node::Slice { on, bounds } => {
            let bound =
                |bound: &Option<Node>| bound.as_ref().map_or(Json::Null, |bound| expr(bound, spelling));
            json!({ "slice": bounds.iter().map(bound).collect::<Vec<_>>(), "on": expr(on, spelling) })
        }
        Node::Operation(operator, args) => json!({ "op": operator.name(), "args": all(args, spelling) }),
        Node::Builtin(builtin, args) => json!({ "builtin": builtin.name(), "args": all(args, spelling) }),
        Node::Class(class) => json!({ "class": spelling.spell(class) }),
        // It is a whole request, never a part of one.
        Node::Native(_) => json!({ "literal": null }),
        Node::Items(kind, items) => {
            let items = all(items, spelling);
            let kind = match kind {
                Items::List => "list",
                Items::Tuple => "tuple",
                Items::Set => "set",
            };
            json!({ kind: items })
        }
        Node::Pairs(pairs) => {
            let pairs: Vec<Json> = pairs
                .iter()
                .map(|(key, value)| json!([expr(key, spelling), expr(value, spelling)]))
                .collect();
            json!({ "dict": pairs })
        }
    }
}

fn all(nodes: &[Node], spelling: &dyn Spelling) -> Vec<Json> {
    nodes.iter().map(|node| expr(node, spelling)).collect()
}

/// Arguments by keyword if the language has keywords; otherwise each at its position, where one omitted before
/// another is undefined.
fn arguments(args: &[Arg], spelling: &dyn Spelling) -> Vec<Json> {
    if spelling.keywords() {
        return args
            .iter()
            .map(|arg| match &arg.keyword {
                Some(keyword) => json!({ "keyword": keyword, "value": expr(&arg.node, spelling) }),
                None => json!({ "value": expr(&arg.node, spelling) }),
            })
            .collect();
    }
    let count = args.iter().map(|arg| arg.position + 1).max().unwrap_or(0);
    (0..count)
        .map(|position| match args.iter().find(|arg| arg.position == position) {
            Some(arg) => json!({ "value": expr(&arg.node, spelling) }),
            None => json!({ "value": { "literal": encode(&Value::Undefined) } }),
        })
        .collect()
}

fn view_json(view: &View, spelling: &dyn Spelling) -> Json {
    let parts: Vec<Json> = view
        .parts
        .iter()
        .map(|part| {
            let mut json = json!({ "expr": expr(&part.node, spelling) });
            if let Some(view) = part.view.as_ref().filter(|view| view.each || !view.parts.is_empty()) {
                json["view"] = view_json(view, spelling);
            }
            json
        })
        .collect();
    json!({ "each": view.each, "parts": parts })
}

// ---- values ---------------------------------------------------------------------------------------------------

#[cfg(test)]
mod tests {
    use super::{Body, decode, encode, frame, header, reply};
    use crate::value::{Cut, Text, Value};

    #[track_caller]
    fn check_value(value: Value) {
        let text = encode(&value).to_string();
        let back = decode(&serde_json::from_str(&text).unwrap()).unwrap();
        // NaN equals nothing, so the texts are compared.
        assert_eq!(encode(&back).to_string(), text);
        assert_eq!(format!("{back:?}"), format!("{value:?}"));
    }

    #[test]
    fn values_of_every_kind_cross_intact() {
        let huge = "-123456789012345678901234567890".parse::<crate::value::Int>().unwrap();
        for value in [
            Value::None,
            Value::Undefined,
            Value::from(true),
            Value::from(1 << 53),
            Value::from((1 << 53) + 1),
            Value::from(i64::MIN),
            Value::Int(huge.clone()),
            Value::BigInt(huge),
            Value::Float(f64::NAN),
            Value::Float(-0.0),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(5e-324),
            Value::Number(0.1),
            Value::from("a\0\u{10ffff}\"\\"),
            Value::Str(Text::from_units(vec![0xdc00, 0x61])),
            Value::List(vec![Value::Tuple(vec![]), Value::Set(vec![Value::from(1)])]),
            Value::Dict(vec![(Value::from("k"), Value::None)]),
            Value::Opaque("Move".to_owned()),
            Value::Cut(Cut::Depth),
        ] {
            check_value(value);
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [
            "[1]", "{}", "1.5", r#"{"int":5}"#, r#"{"int":"5"}"#, r#"{"list":1}"#, r#"{"a":1}"#,
            r#"{"dict":[[1]]}"#, r#"{"units":[70000]}"#, r#"{"list":[],"set":[]}"#, "18446744073709551615",
        ] {
            assert!(decode(&serde_json::from_str(text).unwrap()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_frame_carries_length_and_nonce() {
        let bytes = frame([7; 8], b"abc");
        assert_eq!(header(bytes[..12].try_into().unwrap()), (3, [7; 8]));
        assert_eq!(&bytes[12..], b"abc");
    }

    #[test]
    fn a_stack_names_only_the_lines_of_the_submission() {
        let text = r#"{"raised":{"type":"Error","message":"m","stack":"Error: m\n    at Quixo.beurt (quixo.js:12:7)\n    at node:vm:1:1\n    at quixo.js:30:1"}}"#;
        let Body::Raised(raised) = reply(text.as_bytes(), &["quixo.js".to_owned()]).unwrap().body else {
            panic!("raised")
        };
        let lines: Vec<(usize, &str)> =
            raised.trace.iter().map(|frame| (frame.line, frame.function.as_str())).collect();
        assert_eq!(lines, [(30, ""), (12, "Quixo.beurt")]);
    }

    #[test]
    fn of_a_long_trace_the_innermost_lines_are_kept() {
        let lines =
            |count: usize| (1..=count).map(|line| format!("    at f (a.js:{line}:1)\\n")).collect::<String>();
        let trace = (1..=30).map(|line| format!(r#"["a.js",{line},"f"]"#)).collect::<Vec<_>>().join(",");
        for (text, first, last) in [
            (format!(r#"{{"raised":{{"type":"E","stack":"{}"}}}}"#, lines(100_000)), 20, 1),
            (format!(r#"{{"raised":{{"type":"E","trace":[{trace}]}}}}"#), 11, 30),
        ] {
            let Body::Raised(raised) = reply(text.as_bytes(), &["a.js".to_owned()]).unwrap().body else {
                panic!("raised")
            };
            let found = (raised.trace.len(), raised.trace[0].line, raised.trace[19].line);
            assert_eq!(found, (20, first, last));
        }
    }

    #[test]
    fn of_many_names_to_suggest_from_the_first_are_kept() {
        let names = serde_json::json!(vec!["a"; 1000]);
        let text = serde_json::json!({ "loaded": { "defined": names, "names": names } }).to_string();
        let Body::Loaded { defined, names, .. } = reply(text.as_bytes(), &[]).unwrap().body else {
            panic!("loaded")
        };
        assert_eq!((defined.len(), names.all.len(), names.classes), (1000, 200, None));
        let missing = |near: &[&str]| {
            let missing = serde_json::json!({ "kind": "method", "name": "beurt", "on": "A", "near": near });
            let text = serde_json::json!({ "missing": missing }).to_string();
            let Body::Missing(missing) = reply(text.as_bytes(), &[]).unwrap().body else { panic!("missing") };
            missing.near
        };
        assert_eq!(missing(&["stoppen", "buert"]).as_deref(), Some("buert"));
        assert_eq!(missing(&[&["stoppen"; 1000][..], &["buert"]].concat()), None);
    }

    #[track_caller]
    fn check_size(items: &str, count: usize, expected: bool) {
        let text = format!(r#"{{"done":true,"value":{{"list":[{}0]}}}}"#, items.repeat(count));
        assert_eq!(reply(text.as_bytes(), &[]).is_ok(), expected);
    }

    #[test]
    fn a_reply_of_too_many_values_is_refused_before_it_is_parsed() {
        check_size("0,", 500_000, true);
        check_size("0,", 1 << 19, false);
        check_size(r#"{"list":[]},"#, 30_000, true);
        check_size(r#"{"list":[]},"#, 40_000, false);
        check_size(r#""\"[[[[{{{{,,,,","#, 100_000, true);
    }

    #[test]
    fn what_is_wrong_with_a_reply_is_told_by_its_key() {
        let missing = |change: &str, to: serde_json::Value| {
            let mut missing = serde_json::json!({ "kind": "method", "name": "b", "on": "A", "near": [] });
            missing[change] = to;
            serde_json::json!({ "missing": missing })
        };
        let ready = |change: &str, to: serde_json::Value| {
            let mut ready = serde_json::json!({ "protocol": 1, "language": "perl", "version": "5" });
            ready[change] = to;
            serde_json::json!({ "ready": ready })
        };
        for (said, expected) in [
            (
                missing("kind", "class".into()),
                "`kind` of `missing` should be `definition`, `method`, `property`, `attribute` or `called`, but is \"class\"",
            ),
            (missing("on", serde_json::Value::Null), "`on` of `missing` should be a string, but is null"),
            (
                missing("near", "b".repeat(99).into()),
                "`near` of `missing` should be a list of names, but is \"bbb",
            ),
            (
                serde_json::json!({ "missing": { "kind": "method", "near": [] } }),
                "`missing` lacks `name`, a string",
            ),
            (serde_json::json!({ "missing": 1 }), "`missing` lacks `near`, a list of names"),
            (ready("protocol", "1".into()), "`protocol` of `ready` should be a number, but is \"1\""),
            (
                ready("names", "snake".into()),
                "`names` of `ready` should be `snake_case`, `camelCase` or `as-is`, but is \"snake\"",
            ),
            (ready("keywords", 1.into()), "`keywords` of `ready` should be true or false, but is 1"),
            (
                serde_json::json!({ "ready": { "protocol": 1, "version": "5" } }),
                "`ready` lacks `language`, a string",
            ),
        ] {
            let error = reply(said.to_string().as_bytes(), &[]).unwrap_err();
            assert!(error.starts_with(expected) && error.len() < 120, "{error}");
        }
    }

    #[test]
    fn replies_that_say_nothing_are_refused() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"error":"x"}"#,
            r#"{"raised":{}}"#,
            r#"{"done":true,"value":[1]}"#,
            r#"{"loaded":{"defined":[],"names":[]},"code":[]}"#,
            r#"{"loaded":{"defined":[],"names":[]},"code":{"a":1.5}}"#,
        ] {
            assert!(reply(text.as_bytes(), &[]).is_err(), "{text}");
        }
    }
}
