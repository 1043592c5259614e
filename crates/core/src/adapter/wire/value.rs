//! Values as JSON.

use crate::value::{Cut, Int, Text, Value};
use serde_json::{Value as Json, json};

/// Integers up to this magnitude are plain JSON numbers.
const PLAIN: i64 = 1 << 53;

/// The most characters in a name of a type, a function or a file.
pub(super) const MOST_NAME: usize = 200;

/// A value as the protocol writes it.
pub fn encode(value: &Value) -> Json {
    let all = |items: &[Value]| items.iter().map(encode).collect::<Vec<_>>();
    match value {
        Value::None => Json::Null,
        Value::Undefined => json!({ "undefined": true }),
        Value::Bool(truth) => json!(truth),
        Value::Int(int) => match int.to_i64().filter(|small| (-PLAIN..=PLAIN).contains(small)) {
            Some(small) => json!(small),
            None => json!({ "int": int.to_hex() }),
        },
        Value::Float(float) => json!({ "float": float_text(*float) }),
        Value::Number(number) => json!({ "number": float_text(*number) }),
        Value::BigInt(int) => json!({ "bigint": int.to_hex() }),
        Value::Str(Text::Unicode(text)) => json!(text),
        Value::Str(Text::IllFormed(units)) => json!({ "units": units }),
        Value::List(items) => json!({ "list": all(items) }),
        Value::Tuple(items) => json!({ "tuple": all(items) }),
        Value::Set(items) => json!({ "set": all(items) }),
        Value::Dict(pairs) => {
            json!({ "dict": pairs.iter().map(|(key, value)| json!([encode(key), encode(value)])).collect::<Vec<_>>() })
        }
        Value::Opaque(name) => json!({ "object": name }),
        Value::Cut(Cut::Size) => json!({ "cut": "size" }),
        Value::Cut(Cut::Depth) => json!({ "cut": "depth" }),
        Value::Cut(Cut::Cycle) => json!({ "cut": "cycle" }),
    }
}

fn float_text(float: f64) -> String {
    if float.is_nan() { "nan".to_owned() } else { format!("{float:?}") }
}

/// The value that `json` represents.
///
/// # Errors
/// The text breaks the protocol; says how.
pub fn decode(json: &Json) -> Result<Value, String> {
    match json {
        Json::Null => Ok(Value::None),
        Json::Bool(truth) => Ok(Value::Bool(*truth)),
        Json::Number(number) => {
            number.as_i64().map(Value::from).ok_or_else(|| format!("`{number}` is not a 64-bit integer"))
        }
        Json::String(text) => Ok(Value::str(text.as_str())),
        Json::Array(_) => Err("a bare array is not a value".to_owned()),
        Json::Object(object) => {
            let mut entries = object.iter();
            match (entries.next(), entries.next()) {
                (Some((kind, body)), None) => decode_kind(kind, body),
                _ => Err("a value has one kind".to_owned()),
            }
        }
    }
}

fn decode_kind(kind: &str, body: &Json) -> Result<Value, String> {
    let wrong = || format!("`{kind}` has the wrong content");
    let text = || body.as_str().ok_or_else(wrong);
    let all =
        || -> Result<Vec<Value>, String> { body.as_array().ok_or_else(wrong)?.iter().map(decode).collect() };
    match kind {
        "undefined" => Ok(Value::Undefined),
        "int" => Int::from_hex(text()?).map(Value::Int).ok_or_else(wrong),
        "bigint" => Int::from_hex(text()?).map(Value::BigInt).ok_or_else(wrong),
        "float" => text()?.parse().map(Value::Float).map_err(|_| wrong()),
        "number" => text()?.parse().map(Value::Number).map_err(|_| wrong()),
        "units" => {
            let units = body.as_array().ok_or_else(wrong)?;
            let units = units.iter().map(|unit| u16::try_from(unit.as_u64()?).ok());
            Ok(Value::Str(Text::from_units(units.collect::<Option<_>>().ok_or_else(wrong)?)))
        }
        "list" => all().map(Value::List),
        "tuple" => all().map(Value::Tuple),
        "set" => all().map(Value::Set),
        "dict" => {
            let pairs = body.as_array().ok_or_else(wrong)?.iter().map(|pair| {
                match pair.as_array().map(Vec::as_slice) {
                    Some([key, value]) => Ok((decode(key)?, decode(value)?)),
                    _ => Err(wrong()),
                }
            });
            pairs.collect::<Result<_, _>>().map(Value::Dict)
        }
        "object" => text().map(|name| Value::Opaque(cut(name, MOST_NAME))),
        "cut" => match text()? {
            "size" => Ok(Value::Cut(Cut::Size)),
            "depth" => Ok(Value::Cut(Cut::Depth)),
            "cycle" => Ok(Value::Cut(Cut::Cycle)),
            _ => Err(wrong()),
        },
        _ => Err(format!("`{}` is not a kind of value", cut(kind, MOST_NAME))),
    }
}

/// The beginning of a text, at most `most` characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]).to_owned()
}
