//! How Python writes values, like `repr`, and statements.

use crate::value::Text;
use crate::value::notation::{Notation, SessionFile, TypeNames, both, infix, pairs, quoted, short_escape};
use crate::value::operator::{Builtin, Operator};

/// Python.
#[derive(Debug)]
pub struct Python;

impl Notation for Python {
    fn language(&self) -> &'static str {
        "python"
    }

    fn none(&self) -> &'static str {
        "None"
    }

    fn undefined(&self) -> &'static str {
        "undefined"
    }

    fn has_one_nothing(&self) -> bool {
        false
    }

    fn bool(&self, truth: bool) -> &'static str {
        if truth { "True" } else { "False" }
    }

    fn float(&self, number: f64) -> String {
        if number.is_nan() {
            return "nan".to_owned();
        }
        if number.is_infinite() {
            return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
        }
        // Python switches to an exponent outside 1e-4 … 1e16, and writes at least two digits of it.
        let size = number.abs();
        if size == 0.0 || (1e-4..1e16).contains(&size) {
            return format!("{number:?}");
        }
        let text = format!("{number:e}");
        match text.split_once('e') {
            Some((digits, exponent)) => {
                let (sign, exponent) = match exponent.strip_prefix('-') {
                    Some(exponent) => ('-', exponent),
                    None => ('+', exponent),
                };
                format!("{digits}e{sign}{exponent:0>2}")
            }
            None => text,
        }
    }

    fn string(&self, text: &Text) -> String {
        // Single quotes, unless the text contains them and no double ones.
        let plain = text.to_lossy();
        let quote = if plain.contains('\'') && !plain.contains('"') { '"' } else { '\'' };
        quoted(text, quote, short_escape)
    }

    fn list(&self, items: &[String]) -> String {
        format!("[{}]", items.join(", "))
    }

    fn tuple(&self, items: &[String]) -> String {
        match items {
            [only] => format!("({only},)"),
            _ => format!("({})", items.join(", ")),
        }
    }

    fn set(&self, items: &[String]) -> String {
        if items.is_empty() { "set()".to_owned() } else { format!("{{{}}}", items.join(", ")) }
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        format!("{{{}}}", pairs(items, ": "))
    }

    fn has_tuples(&self) -> bool {
        true
    }

    fn has_own_operators(&self) -> bool {
        true
    }

    fn this(&self) -> &'static str {
        "self"
    }

    fn text_method(&self) -> &'static str {
        "__str__"
    }

    fn is_object_text(&self, text: &str) -> bool {
        text.starts_with('<') && text.contains(" object at 0x") && text.ends_with('>')
    }

    fn markdown(&self) -> &'static str {
        "pycon"
    }

    fn dodona(&self) -> &'static str {
        "pycon"
    }

    fn types(&self) -> TypeNames {
        TypeNames {
            none: "NoneType",
            undefined: "NoneType",
            bool: "bool",
            int: "int",
            big_int: "int",
            float: "float",
            string: "str",
            list: "list",
            tuple: "tuple",
            set: "set",
            dict: "dict",
        }
    }

    fn interpreter(&self) -> &'static str {
        "python3"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn same_object(&self) -> &'static str {
        "is"
    }

    fn prompt(&self) -> &'static str {
        ">>> "
    }

    fn new_object(&self, class: &str, args: &str) -> String {
        format!("{class}({args})")
    }

    fn text_of(&self, expr: &str) -> String {
        format!("str({expr})")
    }

    fn binding(&self, name: &str, expr: &str) -> String {
        format!("{name} = {expr}")
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("print({expr})")
    }

    fn continuation(&self) -> &'static str {
        "... "
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        let comma = if names.len() == 1 { "," } else { "" };
        format!("{}{comma} = {expr}", names.join(", "))
    }

    fn item(&self, on: &str, index: &str) -> String {
        format!("{on}[{index}]")
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let step = step.map(|step| format!(":{step}")).unwrap_or_default();
        format!("{on}[{}:{}{step}]", start.unwrap_or_default(), stop.unwrap_or_default())
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        match operator {
            Operator::Negate => infix("-", operands),
            Operator::Not => infix("not ", operands),
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::FloorDivide
            | Operator::Modulo
            | Operator::Power
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
            | Operator::In => infix(operator.name(), operands),
        }
    }

    fn not_in(&self, operands: &[String]) -> String {
        let (item, within) = both(operands);
        format!("{item} not in {within}")
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        format!("{}({})", builtin.name(), args.join(", "))
    }

    fn imports(&self, names: &[String], files: &[SessionFile<'_>]) -> Vec<String> {
        let loaded: Vec<&str> = files.iter().filter(|file| file.loaded).map(|file| file.module).collect();
        let import = |module: &&str| match loaded.len() {
            1 if !names.is_empty() => format!("from {module} import {}", names.join(", ")),
            _ => format!("from {module} import *"),
        };
        // If two modules define a name the first one counts, so it comes last here.
        loaded.iter().rev().map(import).collect()
    }
}
