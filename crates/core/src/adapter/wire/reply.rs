//! Parses replies of a driver, and names the key of what breaks the protocol.

use super::value::{MOST_NAME, cut, decode};
use crate::adapter::transcript::{Exception, Frame, Missing, MissingKind, Names, Syntax};
use crate::case::{Convention, near};
use crate::messages::shortened;
use crate::named::Named;
use crate::value::{Text, Value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use regex::Regex;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The most list items and object members in a reply: parsed, each takes many times its bytes. A long string
/// with lone surrogates has the most, a number for each code unit.
const MOST_ITEMS: usize = 1 << 19;

/// The most lists and objects in a reply, which take the most memory. Of the items and members that are not
/// numbers there may be twice as many. A driver's 20,000 values have fewer.
const MOST_CONTAINERS: usize = 1 << 16;

/// The most names kept from a reply for suggestions: each is compared with the missing one.
const MOST_NAMES: usize = 200;

/// The most required names, or names of bound objects, kept from a reply.
const MOST_KNOWN: usize = 2000;

/// The most characters of a value as the submission itself shows it.
const MOST_SHOWN: usize = 1000;

/// The most supertypes of an exception kept from a reply.
const MOST_BASES: usize = 20;

/// The most trace lines kept from a reply, the innermost ones: each is looked up in the submission.
const MOST_FRAMES: usize = 20;

/// The most characters of an exception's message.
const MOST_MESSAGE: usize = 4000;

/// The most characters of a wrong value that a message shows.
const MOST_BRIEF: usize = 40;

/// A driver's compiled code by module, in its own format.
pub type Code = BTreeMap<String, String>;

/// A driver's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The content of the answer.
    pub body: Body,
    /// The output of the submission, if the driver has to report that.
    pub out: Option<String>,
    /// The bytes in the file of its output so far, if there is one.
    pub at: Option<u64>,
}

/// The content of a driver's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// The driver is ready.
    Ready(Ready),
    /// The submission is loaded, as far as possible.
    Loaded {
        /// Required names that it defines.
        defined: Vec<String>,
        /// Names that it defines, for suggestions.
        names: Names,
        /// The exception that was raised while loading.
        raised: Option<Exception>,
        /// The compiled code, if the driver gives it; only sent back to a driver of the same submission.
        code: Option<Code>,
    },
    /// Something is left of what ran before.
    Traced,
    /// A line was run.
    Done {
        /// The value, if wanted.
        value: Option<Value>,
        /// The text of the value, if wanted.
        text: Option<Value>,
        /// Names that refer to this very object.
        is: Vec<String>,
        /// The names of its type and supertypes, if wanted.
        types: Vec<String>,
        /// The names of types of which values were written as ones of a builtin type.
        subclasses: Vec<String>,
        /// The value as the submission itself would show it, if wanted.
        shown: Option<String>,
    },
    /// The line raised an exception.
    Raised(Exception),
    /// A name is missing.
    Missing(Missing),
    /// A program waits for input.
    Waits,
    /// A program has ended.
    Ended {
        /// With this status; `None` if its process ends with it.
        status: Option<i32>,
        /// With an exception.
        raised: Option<Exception>,
    },
}

/// The report of a driver about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The version of the protocol that it speaks.
    pub protocol: u64,
    /// The language of its submissions.
    pub language: String,
    /// The version of the interpreter.
    pub version: String,
    /// The naming convention, if it says so.
    pub convention: Option<Convention>,
    /// Whether it takes arguments by keyword.
    pub keywords: bool,
    /// Whether it runs programs.
    pub programs: bool,
    /// Whether it knows operators, attributes and items.
    pub operators: bool,
    /// Whether it runs code that stands in a case.
    pub native: bool,
    /// Whether its calls can read standard input.
    pub stdin: bool,
    /// Whether its language has tuples, if it says so.
    pub tuples: Option<bool>,
    /// The compiled form of the driver itself, if it was asked for.
    pub driver: Option<Vec<u8>>,
}

/// Parses a reply.
///
/// # Errors
/// The reply breaks the protocol; says how.
pub fn reply(payload: &[u8], files: &[String]) -> Result<Reply, String> {
    reply_of(&json(payload)?, files)
}

/// Parses the replies to a batch of requests.
///
/// # Errors
/// The reply breaks the protocol; says how.
pub fn replies(payload: &[u8], files: &[String]) -> Result<Vec<Reply>, String> {
    let json = json(payload)?;
    let batch = json.get("batch").and_then(Json::as_array).ok_or("a reply is no batch")?;
    batch.iter().map(|json| reply_of(json, files)).collect()
}

fn json(payload: &[u8]) -> Result<Json, String> {
    if !is_modest(payload) {
        return Err("a reply holds too many values".to_owned());
    }
    serde_json::from_slice(payload).map_err(|error| format!("a reply is not JSON: {error}"))
}

fn reply_of(json: &Json, files: &[String]) -> Result<Reply, String> {
    let object = json.as_object().ok_or("a reply is not an object")?;
    let out = match object.get("out").map(decode) {
        Some(Ok(Value::Str(text))) => Some(text.to_lossy()),
        Some(Ok(_) | Err(_)) | None => None,
    };
    let at = object.get("at").and_then(Json::as_u64);
    Ok(Reply { body: body(object, files)?, out, at })
}

/// Whether a reply stays small when parsed; counted before parsing.
fn is_modest(payload: &[u8]) -> bool {
    let (mut items, mut not_numbers, mut containers) = (0, 0, 0);
    let (mut quoted, mut escaped, mut before) = (false, false, b' ');
    for &byte in payload {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                items += 1;
                not_numbers += usize::from(!before.is_ascii_digit());
            }
            b'[' | b'{' if !quoted => containers += 1,
            _ => {}
        }
        before = byte;
    }
    items <= MOST_ITEMS && not_numbers <= 2 * MOST_CONTAINERS && containers <= MOST_CONTAINERS
}

fn body(object: &Map<String, Json>, files: &[String]) -> Result<Body, String> {
    let raised = object.get("raised").map(|json| exception(json, files)).transpose()?;
    if let Some(loaded) = object.get("loaded") {
        let must = |key: &str, most| names(loaded.get(key), most).ok_or(format!("`loaded` lacks `{key}`"));
        let of_kind = |key| {
            Members { of: "loaded", json: loaded }
                .may(key, "a list of names", |json| names(Some(json), MOST_NAMES))
        };
        let code = object.get("code").map(code).transpose()?;
        let defined = must("defined", MOST_KNOWN)?;
        let all = must("names", MOST_NAMES)?;
        let names = Names { all, classes: of_kind("classes")?, functions: of_kind("functions")? };
        return Ok(Body::Loaded { defined, names, raised, code });
    }
    if let Some(ended) = object.get("ended") {
        let status = |json: &Json| json.as_i64().and_then(|status| i32::try_from(status).ok());
        let status = Members { of: "ended", json: ended }.may("status", "a whole number", status)?;
        return Ok(Body::Ended { status, raised });
    }
    if object.contains_key("traced") {
        return Ok(Body::Traced);
    }
    if object.contains_key("waits") {
        return Ok(Body::Waits);
    }
    if let Some(raised) = raised {
        return Ok(Body::Raised(raised));
    }
    if let Some(json) = object.get("missing") {
        return missing(json).map(Body::Missing);
    }
    if let Some(ready) = object.get("ready") {
        return ready_of(ready).map(Body::Ready);
    }
    if object.contains_key("done") {
        let value = |key: &str| object.get(key).map(decode).transpose();
        let all = |key| object.get(key).map_or(Some(Vec::new()), |json| names(Some(json), MOST_KNOWN));
        return Ok(Body::Done {
            value: value("value")?,
            text: value("text")?,
            is: all("is").ok_or("`is` is not a list of names")?,
            types: all("types").ok_or("`types` is not a list of names")?,
            shown: object.get("shown").and_then(Json::as_str).map(|shown| cut(shown, MOST_SHOWN)),
            subclasses: all("subclasses").ok_or("`subclasses` is not a list of names")?,
        });
    }
    Err(match object.get("error").and_then(Json::as_str) {
        Some(error) => format!("the driver reports: {}", cut(error, MOST_NAME)),
        None => "a reply is none of ready, loaded, traced, done, raised, missing, waits, ended".to_owned(),
    })
}

fn code(json: &Json) -> Result<Code, String> {
    let wrong = || "`code` has the wrong content".to_owned();
    let mut modules = Code::new();
    for (module, code) in json.as_object().ok_or_else(wrong)? {
        modules.insert(module.clone(), code.as_str().ok_or_else(wrong)?.to_owned());
    }
    Ok(modules)
}

fn ready_of(json: &Json) -> Result<Ready, String> {
    let keys = Members { of: "ready", json };
    let text = |key| keys.must(key, "a string", Json::as_str).map(|text| cut(text, MOST_NAME));
    let names = |json: &Json| Convention::from_name(json.as_str()?);
    let truth = |key| keys.may(key, "true or false", Json::as_bool);
    Ok(Ready {
        protocol: keys.must("protocol", "a number", Json::as_u64)?,
        language: text("language")?,
        version: text("version")?,
        convention: keys.may("names", "`snake_case`, `camelCase` or `as-is`", names)?,
        keywords: truth("keywords")?.unwrap_or(false),
        programs: truth("programs")?.unwrap_or(false),
        operators: truth("operators")?.unwrap_or(false),
        native: truth("native")?.unwrap_or(false),
        stdin: truth("stdin")?.unwrap_or(false),
        tuples: truth("tuples")?,
        driver: keys.may("driver", "base64", |json| BASE64.decode(json.as_str()?).ok())?,
    })
}

/// The kinds of a missing name.
const KINDS: &str = "`definition`, `method`, `property`, `attribute` or `called`";

fn missing(json: &Json) -> Result<Missing, String> {
    let keys = Members { of: "missing", json };
    let kind = |json: &Json| MissingKind::from_name(json.as_str()?);
    let text = |key| keys.must(key, "a string", Json::as_str).map(|text| cut(text, MOST_NAME));
    let known = keys.must("near", "a list of names", |json| names(Some(json), MOST_NAMES))?;
    let name = text("name")?;
    Ok(Missing {
        kind: keys.must("kind", KINDS, kind)?,
        near: near(&name, known.iter().map(String::as_str)).map(str::to_owned),
        name,
        on: text("on")?,
    })
}

/// The keys of an object in a reply, read so that an error names the key.
#[derive(Clone, Copy)]
struct Members<'a> {
    /// The key in the reply that holds the object.
    of: &'static str,
    json: &'a Json,
}

impl<'a> Members<'a> {
    /// A required key; an error says `what` it should be.
    fn must<T>(self, key: &str, what: &str, read: impl FnOnce(&'a Json) -> Option<T>) -> Result<T, String> {
        self.may(key, what, read)?.ok_or_else(|| format!("`{}` lacks `{key}`, {what}", self.of))
    }

    /// An optional key.
    fn may<T>(
        self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'a Json) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(json) = self.json.get(key) else { return Ok(None) };
        let wrong = || format!("`{key}` of `{}` should be {what}, but is {}", self.of, brief(json));
        read(json).ok_or_else(wrong).map(Some)
    }
}

/// The beginning of a value, for a message.
fn brief(json: &Json) -> String {
    shortened(&json.to_string(), MOST_BRIEF).into_owned()
}

/// The first names of a list, each shortened; names that are not well-formed Unicode are omitted.
fn names(json: Option<&Json>, most: usize) -> Option<Vec<String>> {
    let names = json?.as_array()?.iter().filter_map(Json::as_str);
    Some(names.take(most).map(|name| cut(name, MOST_NAME)).collect())
}

fn exception(json: &Json, files: &[String]) -> Result<Exception, String> {
    let text = |key: &str| -> Result<Option<Text>, String> {
        match json.get(key).map(decode).transpose()? {
            Some(Value::Str(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{key}` of an exception is not a string")),
            None => Ok(None),
        }
    };
    let kind = text("type")?.ok_or("an exception lacks its `type`")?.cut(MOST_NAME).to_lossy();
    let mut exception = Exception {
        bases: names(json.get("bases"), MOST_BASES).unwrap_or_default(),
        message: text("message")?.map(|message| message.cut(MOST_MESSAGE)),
        trace: json.get("trace").map(trace).unwrap_or_default(),
        syntax: match (json.get("syntax"), json.get("rejected")) {
            (Some(place), _) => syntax(place, false),
            (None, Some(place)) => syntax(place, true),
            (None, None) => None,
        },
        is_past_input: json.get("past_input").and_then(Json::as_bool).unwrap_or(false),
        kind,
    };
    if let Some(syntax) = &mut exception.syntax {
        syntax.brief = text("brief")?.map(|brief| brief.cut(MOST_MESSAGE).to_lossy());
    }
    if let Some(stack) = text("stack")? {
        read_stack(&mut exception, &stack.to_lossy(), files);
    }
    let outermost = exception.trace.len().saturating_sub(MOST_FRAMES);
    exception.trace.drain(..outermost);
    Ok(exception)
}

fn trace(json: &Json) -> Vec<Frame> {
    let frames = json.as_array().map(Vec::as_slice).unwrap_or_default();
    frames
        .iter()
        .filter_map(|frame| match frame.as_array()?.as_slice() {
            [file, line, function] => Some(Frame {
                file: cut(file.as_str()?, MOST_NAME),
                line: usize::try_from(line.as_u64()?).ok()?,
                function: cut(function.as_str()?, MOST_NAME),
            }),
            _ => None,
        })
        .collect()
}

fn syntax(json: &Json, well_formed: bool) -> Option<Syntax> {
    match json.as_array()?.as_slice() {
        [file, line, column] if column.is_u64() => Some(Syntax {
            well_formed,
            file: cut(file.as_str()?, MOST_NAME),
            line: usize::try_from(line.as_u64()?).ok()?,
            brief: None,
        }),
        _ => None,
    }
}

/// Reads a JavaScript stack: lines such as `    at Quixo.beurt (quixo.js:12:7)`, innermost first. The stack
/// of a file that cannot be read begins with its place instead: `quixo.js:12` in node, `    at quixo.js:12:7`
/// in QuickJS.
fn read_stack(exception: &mut Exception, stack: &str, files: &[String]) {
    static FRAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^\s*at (?:(?:async |new )*([^ (]+) .*?\(|\(?)([^()]+?):(\d+):\d+\)?$").ok()
    });
    let Some(regex) = FRAME.as_ref() else { return };
    let first = stack.lines().next().unwrap_or_default().trim_start();
    let place = match first.strip_prefix("at ") {
        Some(place) => place.rsplit_once(':').and_then(|(place, _column)| place.rsplit_once(':')),
        None => first.rsplit_once(':'),
    };
    if exception.kind == "SyntaxError"
        && let Some((file, line)) = place
        && files.iter().any(|known| known == file)
        && let Ok(line) = line.parse()
    {
        exception.syntax = Some(Syntax {
            well_formed: false,
            file: file.to_owned(),
            line,
            brief: exception.message.as_ref().map(Text::to_lossy),
        });
    }
    let mut frames = Vec::new();
    for line in stack.lines() {
        if frames.len() == MOST_FRAMES {
            break;
        }
        if let Some(found) = regex.captures(line)
            && files.iter().any(|known| known == &found[2])
            && let Ok(number) = found[3].parse()
        {
            let function = cut(found.get(1).map_or("", |name| name.as_str()), MOST_NAME);
            frames.push(Frame { file: found[2].to_owned(), line: number, function });
        }
    }
    frames.reverse();
    frames.append(&mut exception.trace);
    exception.trace = frames;
}
