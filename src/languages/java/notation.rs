//! How Java writes values and statements in source code.

use crate::value::notation::{Notation, SessionFile, TypeNames, pairs, quoted, unicode_escape, written};
use crate::value::{Int, Text, Value};

/// Java.
#[derive(Debug)]
pub struct Java;

impl Notation for Java {
    fn language(&self) -> &'static str {
        "java"
    }

    /// The smallest type that holds it.
    fn int(&self, int: &Int) -> String {
        match int.bits() {
            ..32 => int.to_string(),
            32..64 => format!("{int}L"),
            _ => format!("new BigInteger(\"{}\")", written(int)),
        }
    }

    fn big_int(&self, int: &Int) -> String {
        self.int(int)
    }

    /// As `Double.toString` writes it: with an exponent from 1e7 up and below 1e-3.
    fn float(&self, number: f64) -> String {
        if number.is_nan() {
            return "Double.NaN".to_owned();
        }
        if number.is_infinite() {
            return if number > 0.0 { "Double.POSITIVE_INFINITY" } else { "Double.NEGATIVE_INFINITY" }
                .to_owned();
        }
        if number == 0.0 || (1e-3..1e7).contains(&number.abs()) {
            return format!("{number:?}");
        }
        let text = format!("{number:E}");
        match text.split_once('E') {
            Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
            Some(_) | None => text,
        }
    }

    fn number(&self, number: f64) -> String {
        self.float(number)
    }

    fn string(&self, text: &Text) -> String {
        quoted(text, '"', unicode_escape)
    }

    fn list(&self, items: &[String]) -> String {
        // Items of `List.of` are not null.
        let of = if items.iter().any(|item| item == "null") { "Arrays.asList" } else { "List.of" };
        format!("{of}({})", items.join(", "))
    }

    fn set(&self, items: &[String]) -> String {
        format!("Set.of({})", items.join(", "))
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        format!("Map.of({})", pairs(items, ", "))
    }

    fn text(&self, value: &Value) -> Text {
        match value {
            Value::Str(text) => text.clone(),
            Value::Int(int) | Value::BigInt(int) => Text::from(written(int)),
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                let items: Vec<String> = items.iter().map(|item| self.text(item).to_lossy()).collect();
                Text::from(format!("[{}]", items.join(", ")))
            }
            Value::Dict(items) => {
                let text = |value: &Value| self.text(value).to_lossy();
                let items: Vec<_> = items.iter().map(|(key, item)| (text(key), text(item))).collect();
                Text::from(format!("{{{}}}", pairs(&items, "=")))
            }
            Value::None
            | Value::Undefined
            | Value::Bool(_)
            | Value::Float(_)
            | Value::Number(_)
            | Value::Opaque(_)
            | Value::Cut(_) => Text::from(self.literal(value)),
        }
    }

    fn types(&self) -> TypeNames {
        TypeNames {
            none: "null",
            undefined: "null",
            bool: "boolean",
            int: "int",
            big_int: "BigInteger",
            float: "double",
            string: "String",
            list: "List",
            tuple: "List",
            set: "Set",
            dict: "Map",
        }
    }

    fn interpreter(&self) -> &'static str {
        "java"
    }

    fn prompt(&self) -> &'static str {
        "jshell> "
    }

    fn binding(&self, name: &str, expr: &str) -> String {
        format!("var {name} = {expr}")
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("System.out.println({expr})")
    }

    fn imports(&self, _names: &[String], files: &[SessionFile<'_>]) -> Vec<String> {
        files.iter().map(|file| format!("/open {}", file.name)).collect()
    }

    /// The class that has the function.
    fn owner(&self, function: &str, files: &[SessionFile<'_>]) -> String {
        let has = |bytes: &[u8]| {
            let source = String::from_utf8_lossy(bytes);
            source.lines().any(|line| line.contains("static ") && line.contains(&format!(" {function}(")))
        };
        let class = files.iter().find(|file| has(file.bytes)).map(|file| file.module);
        class.map_or_else(String::new, |class| format!("{class}."))
    }
}
