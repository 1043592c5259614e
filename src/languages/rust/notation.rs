//! How Rust writes values and statements in source code.

use crate::value::notation::{Notation, SessionFile, TypeNames, is_hidden, quoted, written};
use crate::value::{Int, Text, Value};

/// Rust.
#[derive(Debug)]
pub struct Rust;

impl Notation for Rust {
    fn language(&self) -> &'static str {
        "rust"
    }

    fn none(&self) -> &'static str {
        "None"
    }

    fn big_int(&self, int: &Int) -> String {
        written(int)
    }

    fn float(&self, number: f64) -> String {
        match number {
            _ if number.is_nan() => "f64::NAN".to_owned(),
            f64::INFINITY => "f64::INFINITY".to_owned(),
            f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
            _ => format!("{number:?}"),
        }
    }

    fn number(&self, number: f64) -> String {
        self.float(number)
    }

    fn string(&self, text: &Text) -> String {
        quoted(text, '"', |ch| is_hidden(ch).then(|| format!("\\u{{{:x}}}", ch as u32)))
    }

    fn list(&self, items: &[String]) -> String {
        format!("vec![{}]", items.join(", "))
    }

    fn tuple(&self, items: &[String]) -> String {
        match items {
            [only] => format!("({only},)"),
            _ => format!("({})", items.join(", ")),
        }
    }

    fn set(&self, items: &[String]) -> String {
        format!("HashSet::from([{}])", items.join(", "))
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        let items: Vec<String> = items.iter().map(|(key, item)| format!("({key}, {item})")).collect();
        format!("HashMap::from([{}])", items.join(", "))
    }

    fn text(&self, value: &Value) -> Text {
        match value {
            Value::Str(text) => text.clone(),
            Value::Int(int) | Value::BigInt(int) => Text::from(written(int)),
            Value::None
            | Value::Undefined
            | Value::Bool(_)
            | Value::Float(_)
            | Value::Number(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Set(_)
            | Value::Dict(_)
            | Value::Opaque(_)
            | Value::Cut(_) => Text::from(self.literal(value)),
        }
    }

    fn this(&self) -> &'static str {
        "self"
    }

    fn types(&self) -> TypeNames {
        TypeNames {
            none: "Option",
            undefined: "Option",
            bool: "bool",
            int: "integer",
            big_int: "integer",
            float: "f64",
            string: "String",
            list: "Vec",
            tuple: "tuple",
            set: "HashSet",
            dict: "HashMap",
        }
    }

    fn interpreter(&self) -> &'static str {
        ""
    }

    fn prompt(&self) -> &'static str {
        ""
    }

    fn new_object(&self, class: &str, args: &str) -> String {
        format!("{class}::new({args})")
    }

    fn text_of(&self, expr: &str) -> String {
        format!("{expr}.to_string()")
    }

    fn binding(&self, name: &str, expr: &str) -> String {
        format!("let mut {name} = {expr};")
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("println!(\"{{}}\", {expr});")
    }

    fn statement(&self, expr: &str) -> String {
        format!("{expr};")
    }

    /// None: the crate's test imports them.
    fn imports(&self, _names: &[String], _files: &[SessionFile<'_>]) -> Vec<String> {
        Vec::new()
    }
}
