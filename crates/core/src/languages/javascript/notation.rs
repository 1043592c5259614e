//! How JavaScript writes values and statements in source code.

use crate::value::notation::{Notation, TypeNames, both, int_text};
use crate::value::operator::{Builtin, Operator};
use crate::value::syntax::{BY_METHODS, Syntax};
use crate::value::{Bundle, Text, Value};

/// JavaScript.
#[derive(Debug)]
pub struct JavaScript;

const SYNTAX: Syntax = Syntax {
    undefined: "undefined",
    big_int: "n",
    operations: &[
        (Operator::FloorDivide, |left, right| format!("Math.floor({left} / {right})")),
        (Operator::Equal, |left, right| format!("{left} === {right}")),
        (Operator::NotEqual, |left, right| format!("{left} !== {right}")),
        (Operator::In, |item, list| format!("{list}.includes({item})")),
    ],
    comparisons: BY_METHODS,
    negative_indices: true,
    same_object: "===",
    interpreter: "node",
    prompt: "> ",
    continuation: "... ",
    ..Syntax::USUAL
};

impl Notation for JavaScript {
    fn language(&self) -> &'static str {
        "javascript"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    fn any_keyed(&self) -> Option<&'static str> {
        Some("Map")
    }

    fn is_object_text(&self, text: &str) -> bool {
        text == "[object Object]"
    }

    fn set(&self, items: &[String]) -> String {
        if items.is_empty() { "new Set()".to_owned() } else { format!("new Set([{}])", items.join(", ")) }
    }

    fn text(&self, value: &Value) -> Text {
        match value {
            Value::Str(text) => text.clone(),
            Value::List(items) | Value::Tuple(items) => {
                let text = |item: &Value| {
                    if matches!(item, Value::None | Value::Undefined) {
                        String::new()
                    } else {
                        self.text(item).to_lossy()
                    }
                };
                Text::from(items.iter().map(text).collect::<Vec<_>>().join(","))
            }
            Value::Dict(_) => Text::from("[object Object]"),
            Value::Set(_) => Text::from("[object Set]"),
            Value::Int(int) | Value::BigInt(int) => Text::from(int_text(int)),
            _ => Text::from(self.literal(value)),
        }
    }

    fn markdown(&self) -> &'static str {
        "js"
    }

    fn types(&self) -> TypeNames {
        TypeNames {
            none: "null",
            undefined: "undefined",
            bool: "boolean",
            int: "number",
            big_int: "bigint",
            float: "number",
            string: "string",
            list: "Array",
            tuple: "Array",
            set: "Set",
            dict: "Object",
        }
    }

    fn printing(&self, expr: &str, is_text: bool) -> String {
        if is_text {
            format!("console.log({expr})")
        } else {
            format!("console.log({}.toString())", operand(expr))
        }
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        format!("[{}] = {expr}", names.join(", "))
    }

    fn item(&self, on: &str, index: &str) -> String {
        if index.starts_with('-') { format!("{on}.at({index})") } else { format!("{on}[{index}]") }
    }

    fn slice(&self, on: &str, bounds: [Option<&str>; 3]) -> String {
        let part = |start: Option<&str>, stop: Option<&str>| match (start, stop) {
            (start, Some(stop)) => format!("{on}.slice({}, {stop})", start.unwrap_or("0")),
            (start, None) => format!("{on}.slice({})", start.unwrap_or_default()),
        };
        match bounds {
            [start, stop, None] => part(start, stop),
            [None, None, Some("-1")] => format!("[...{on}].reverse()"),
            [start, stop, Some(step)] => {
                format!("[...{}].filter((_, i) => i % {step} === 0)", part(start, stop))
            }
        }
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        let (of, class) = both(args);
        match builtin {
            Builtin::Len => format!("{of}.length"),
            Builtin::Str => format!("String({of})"),
            Builtin::Repr => format!("JSON.stringify({of})"),
            Builtin::List => format!("[...{of}]"),
            Builtin::Sorted => format!("[...{of}].sort()"),
            Builtin::IsInstance => format!("{of} instanceof {class}"),
        }
    }

    fn imports(&self, names: &[String], bundle: &Bundle) -> Vec<String> {
        // Without a name, a file that exports would give the session nothing.
        if names.is_empty() {
            return Vec::new();
        }
        let mains = bundle.files.iter().take(bundle.mains).rev();
        mains.map(|file| import(&file.name, &String::from_utf8_lossy(&file.bytes), names)).collect()
    }
}

/// An expression before a call of a method: one with an operator, and a number, in parentheses.
fn operand(expr: &str) -> String {
    let mut depth = 0;
    let mut quoted = false;
    let mut escaped = false;
    // The blank of `new X()` is none of an operator.
    let rest = expr.strip_prefix("new ").unwrap_or(expr);
    let blank = rest.chars().any(|ch| {
        match ch {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => return ch == ' ' && depth == 0,
        }
        false
    });
    let binds = expr.starts_with(|ch: char| "-!{".contains(ch) || ch.is_ascii_digit());
    if blank || binds { format!("({expr})") } else { expr.to_owned() }
}

/// The line that loads a file into a session of node: as it exports its definitions, else its very text.
fn import(file: &str, source: &str, names: &[String]) -> String {
    let wanted: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| names.len() == 1 || source.contains(*name)).collect();
    let several = format!("var {{ {} }}", wanted.join(", "));
    if wanted.iter().any(|name| source.contains(&format!("export default class {name}"))) {
        format!("var {{ default: {} }} = await import('./{file}')", wanted.join(", "))
    } else if source.lines().any(|line| line.starts_with("export ")) {
        format!("{several} = await import('./{file}')")
    } else if wanted.iter().any(|name| exports_alone(source, name)) {
        format!("var {} = require('./{file}')", wanted.join(", "))
    } else if source.contains("exports") {
        format!("{several} = require('./{file}')")
    } else {
        format!(".load {file}")
    }
}

/// Whether a module itself is the definition with this name.
fn exports_alone(source: &str, name: &str) -> bool {
    let exports = source.split("module.exports").skip(1).map(|rest| rest.trim_start_matches([' ', '=']));
    exports.into_iter().any(|rest| rest.starts_with(name) || rest.starts_with("class"))
}
