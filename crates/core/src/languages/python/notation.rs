//! How Python writes values, like `repr`, and statements.

use crate::named::Named;
use crate::value::notation::{Notation, TypeNames, both, double, quoted};
use crate::value::operator::{Builtin, Operator};
use crate::value::syntax::{Floats, Syntax};
use crate::value::{Bundle, Text};

/// Python.
#[derive(Debug)]
pub struct Python;

const SYNTAX: Syntax = Syntax {
    none: "None",
    undefined: "undefined",
    big_int: "n",
    floats: Floats {
        nan: "nan",
        infinity: "inf",
        negative_infinity: "-inf",
        plain: 1e-4..1e16,
        whole: ".0",
        scientific: |digits, exponent| {
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            format!("{digits}e{sign}{exponent:0>2}")
        },
    },
    operations: &[(Operator::Not, |of, _| format!("not {of}"))],
    negative_indices: true,
    same_object: "is",
    this: "self",
    text_method: "__str__",
    comment: "#",
    interpreter: "python3",
    prompt: ">>> ",
    continuation: "... ",
    ..Syntax::USUAL
};

impl Notation for Python {
    fn language(&self) -> &'static str {
        "python"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    fn has_one_nothing(&self) -> bool {
        false
    }

    fn bool(&self, truth: bool) -> &'static str {
        if truth { "True" } else { "False" }
    }

    fn number(&self, number: f64) -> String {
        double(number)
    }

    fn string(&self, text: &Text) -> String {
        // Single quotes, unless the text contains them and no double ones.
        let plain = text.to_lossy();
        let quote = if plain.contains('\'') && !plain.contains('"') { '"' } else { '\'' };
        quoted(text, quote, SYNTAX.escape)
    }

    fn set(&self, items: &[String]) -> String {
        if items.is_empty() { "set()".to_owned() } else { format!("{{{}}}", items.join(", ")) }
    }

    fn has_tuples(&self) -> bool {
        true
    }

    fn has_own(&self, _operation: &str) -> bool {
        true
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

    fn new_object(&self, class: &str, args: &str) -> String {
        format!("{class}({args})")
    }

    fn text_of(&self, expr: &str) -> String {
        format!("str({expr})")
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("print({expr})")
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        let comma = if names.len() == 1 { "," } else { "" };
        format!("{}{comma} = {expr}", names.join(", "))
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let step = step.map(|step| format!(":{step}")).unwrap_or_default();
        format!("{on}[{}:{}{step}]", start.unwrap_or_default(), stop.unwrap_or_default())
    }

    fn not_in(&self, operands: &[String]) -> String {
        let (item, within) = both(operands);
        format!("{item} not in {within}")
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        format!("{}({})", builtin.name(), args.join(", "))
    }

    fn imports(&self, names: &[String], bundle: &Bundle) -> Vec<String> {
        let modules = bundle.modules();
        let import = |module: &&str| match modules.len() {
            1 if !names.is_empty() => format!("from {module} import {}", names.join(", ")),
            _ => format!("from {module} import *"),
        };
        // If two modules define a name the first one counts, so it comes last here.
        modules.iter().rev().map(import).collect()
    }
}
