//! How Rust writes values and statements in source code.

use crate::value::notation::{Notation, SessionFile, TypeNames, both, infix, is_hidden, quoted, written};
use crate::value::operator::{Builtin, Operator};
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
    fn continuation(&self) -> &'static str {
        self.prompt()
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        let names: Vec<String> = names.iter().map(|name| format!("mut {name}")).collect();
        format!("let ({}) = {expr};", names.join(", "))
    }

    fn item(&self, on: &str, index: &str) -> String {
        format!("{on}[{}]", from_start(on, index))
    }

    fn set_item(&self, on: &str, index: &str, value: &str) -> String {
        format!("{on}[{}] = {value};", from_start(on, index))
    }

    fn set_attribute(&self, on: &str, name: &str, value: &str) -> String {
        format!("{on}.{name} = {value};")
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let bound = |bound: Option<&str>| bound.map(|bound| from_start(on, bound)).unwrap_or_default();
        let part = format!("{on}[{}..{}]", bound(start), bound(stop));
        match step {
            None => part,
            Some("-1") => format!("{part}.iter().rev()"),
            Some(step) => format!("{part}.iter().step_by({step})"),
        }
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        let (left, right) = both(operands);
        match operator {
            Operator::Divide => format!("{left} as f64 / {right} as f64"),
            Operator::FloorDivide => format!("{left}.div_euclid({right})"),
            Operator::Modulo => format!("{left}.rem_euclid({right})"),
            Operator::Power => format!("{left}.pow({right})"),
            Operator::In => format!("{right}.contains(&{left})"),
            Operator::Negate => infix("-", operands),
            Operator::Not => infix("!", operands),
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual => infix(operator.name(), operands),
        }
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        let (of, class) = both(args);
        match builtin {
            Builtin::Len => format!("{of}.len()"),
            Builtin::Str => format!("{of}.to_string()"),
            Builtin::Repr => format!("format!(\"{{:?}}\", {of})"),
            Builtin::List => format!("{of}.to_vec()"),
            Builtin::Sorted => format!("sorted({of})"),
            Builtin::IsInstance => format!("matches!({of}, {class} {{ .. }})"),
        }
    }

    fn imports(&self, _names: &[String], _files: &[SessionFile<'_>]) -> Vec<String> {
        Vec::new()
    }
}

/// An index that counts from the start.
fn from_start(on: &str, index: &str) -> String {
    match index.strip_prefix('-') {
        Some(index) => format!("{on}.len() - {index}"),
        None => index.to_owned(),
    }
}
