//! The requests that keur sends.

use super::{Code, MOST_LOADED, MOST_REPLY, VERSION, encode};
use crate::case::{Arg, Bind, Items, Line, LineInput, Node, ProgramRun, View, Want};
use crate::named::Named;
use crate::value::{SourceFile, Value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value as Json, json};

/// A request, as the text that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    text: String,
    most_reply: usize,
}

/// The spelling of names and arguments in a language.
pub trait Spelling {
    /// The spelling of a class, function or method.
    fn spell(&self, name: &str) -> String;
    /// Whether arguments can be given by keyword.
    fn keywords(&self) -> bool;
    /// The language.
    fn language(&self) -> &str;
}

/// The search for what ran before in a process, when the same files are loaded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceCheck {
    /// The driver may skip what takes long.
    Quick,
    /// The driver looks everywhere.
    Full,
}

/// The use that a load request makes of its files.
#[derive(Clone, Copy, Debug)]
pub enum LoadMode<'a> {
    /// Compile them and run none.
    Compile,
    /// Run these modules.
    Once(&'a [&'a str]),
    /// Run these modules, in a process that will be asked to load the same files [again](Request::again).
    Repeatedly(&'a [&'a str]),
}

/// What a load request says.
pub struct LoadRequest<'a> {
    /// The files of the submission.
    pub files: &'a [SourceFile],
    /// The use that is made of them.
    pub mode: LoadMode<'a>,
    /// The names that matter.
    pub needs: &'a [String],
    /// What an earlier load of the same files compiled; without it a driver that compiles is asked for it.
    pub code: Option<&'a Code>,
    /// How to look at values of the submission's own types, by the name of the type, as [`views`] writes it.
    pub views: Map<String, Json>,
}

/// The views of types, by the names of those in the language of `spelling`.
pub fn views(views: &[(&str, View)], spelling: &dyn Spelling) -> Map<String, Json> {
    views.iter().map(|(name, view)| (spelling.spell(name), view_json(view, spelling))).collect()
}

impl Request {
    pub(crate) fn of(json: &Json) -> Request {
        Request { text: json.to_string(), most_reply: MOST_REPLY }
    }

    /// The first request. A driver that is compiled at its start is asked for what it was compiled to if
    /// `compile`.
    pub fn start(compile: bool) -> Request {
        let mut request = json!({ "op": "start", "protocol": VERSION });
        if compile {
            request["compile"] = json!(true);
        }
        Request::of(&request)
    }

    /// Asks for a fresh state in the same process.
    pub fn reset() -> Request {
        Request::of(&json!({ "op": "reset" }))
    }

    /// Asks to load a submission.
    pub fn load(load: LoadRequest<'_>) -> Request {
        let modules: &[&str] = match load.mode {
            LoadMode::Compile => &[],
            LoadMode::Once(modules) | LoadMode::Repeatedly(modules) => modules,
        };
        let mut request =
            json!({ "op": "load", "files": sources(load.files), "modules": modules, "needs": load.needs });
        match load.code {
            Some(code) => request["code"] = json!(code),
            None => request["compile"] = json!(true),
        }
        if let LoadMode::Repeatedly(_) = load.mode {
            request["watch"] = json!(true);
        }
        if !load.views.is_empty() {
            request["views"] = Json::Object(load.views);
        }
        // The reply may have compiled code.
        Request { most_reply: MOST_LOADED, ..Request::of(&request) }
    }

    /// Asks to load the same files again as if nothing had run, unless something is left of what ran.
    pub fn again(check: TraceCheck) -> Request {
        let mut request = json!({ "op": "again" });
        if check == TraceCheck::Full {
            request["last"] = json!(true);
        }
        Request::of(&request)
    }

    /// Sends these requests at once, for replies that come at once.
    pub fn batch(requests: &[Request]) -> Request {
        // As texts, which a driver parses one by one: what it allocates for a request comes just before that
        // runs.
        let requests: Vec<&str> = requests.iter().map(Request::as_str).collect();
        Request::of(&json!({ "op": "batch", "requests": requests }))
    }

    /// Asks to run the program in `module`, one of `files`. `code` is what an earlier load of the same files
    /// compiled.
    pub fn program(files: &[SourceFile], module: &str, run: &ProgramRun, code: Option<&Code>) -> Request {
        let mut request =
            json!({ "op": "program", "files": sources(files), "module": module, "args": run.args });
        if let Some(code) = code {
            request["code"] = json!(code);
        }
        if run.is_silent {
            request["prompts"] = json!(false);
        }
        Request::of(&request)
    }

    /// Gives a program that waits for input its next input; `None` when its input ends.
    pub fn input(text: Option<&str>) -> Request {
        match text {
            Some(text) => Request::of(&json!({ "op": "input", "data": text })),
            None => Request::of(&json!({ "op": "input" })),
        }
    }

    /// Asks to run a line and to report what is wanted of its value.
    pub fn run(line: &Line, want: &Want, spelling: &dyn Spelling) -> Request {
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
        if let Some(LineInput { text, prompts }) = &line.stdin {
            request.insert("stdin".to_owned(), json!(text));
            if *prompts {
                request.insert("prompts".to_owned(), json!(true));
            }
        }
        if want.value {
            request.insert("value".to_owned(), json!(true));
        }
        if want.text {
            request.insert("text".to_owned(), json!(true));
        }
        if want.shown {
            request.insert("shown".to_owned(), json!(true));
        }
        if want.types {
            request.insert("types".to_owned(), json!(true));
        }
        if let Some(view) = want.view.as_ref().filter(|view| view.each || !view.parts.is_empty()) {
            request.insert("view".to_owned(), view_json(view, spelling));
        }
        Request::of(&Json::Object(request))
    }

    /// The most bytes of its reply.
    pub(crate) fn most_reply(&self) -> usize {
        self.most_reply
    }

    /// The text that is sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn sources(files: &[SourceFile]) -> Vec<Json> {
    let source = |file: &SourceFile| {
        let module = file.module.as_deref().unwrap_or_default();
        json!({ "name": file.name, "module": module, "data": BASE64.encode(&file.bytes) })
    };
    files.iter().map(source).collect()
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
        Node::Operation(operator, args) => json!({ "op": operator.name(), "args": exprs(args, spelling) }),
        Node::Builtin(builtin, args) => json!({ "builtin": builtin.name(), "args": exprs(args, spelling) }),
        Node::Class(class) => json!({ "class": spelling.spell(class) }),
        // It is a whole request, never a part of one.
        Node::Native(_) => json!({ "literal": null }),
        Node::Items(kind, items) => {
            let items = exprs(items, spelling);
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

fn exprs(nodes: &[Node], spelling: &dyn Spelling) -> Vec<Json> {
    nodes.iter().map(|node| expr(node, spelling)).collect()
}

/// Arguments by keyword if the language has keywords; otherwise each at its position, where one omitted
/// before another is undefined.
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
