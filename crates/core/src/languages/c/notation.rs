//! How C writes values and statements in source code: as C++, where it can.

use crate::languages::cpp::{self, Cpp};
use crate::value::notation::{Notation, TypeNames};
use crate::value::operator::Builtin;
use crate::value::syntax::Syntax;
use crate::value::{Bundle, Int, Text, Value};

/// C.
#[derive(Debug)]
pub struct C;

const SYNTAX: Syntax = Syntax { none: "NULL", undefined: "NULL", print: "printf", ..cpp::SYNTAX };

impl Notation for C {
    fn language(&self) -> &'static str {
        "c"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    fn types(&self) -> TypeNames {
        TypeNames { none: "NULL", undefined: "NULL", string: "char*", ..Cpp.types() }
    }

    fn int(&self, int: &Int) -> String {
        Cpp.int(int)
    }

    fn list(&self, items: &[String]) -> String {
        Cpp.list(items)
    }

    fn set(&self, items: &[String]) -> String {
        Cpp.list(items)
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        Cpp.dict(items)
    }

    fn text(&self, value: &Value) -> Text {
        if let Value::Str(text) = value { text.clone() } else { Text::from(self.literal(value)) }
    }

    /// The value of a struct with these fields.
    fn new_object(&self, class: &str, args: &str) -> String {
        format!("({class}){{{args}}}")
    }

    fn printing(&self, expr: &str, is_text: bool) -> String {
        let format = if is_text { "%s" } else { "%d" };
        format!("printf(\"{format}\\n\", {expr})")
    }

    /// C23 has `auto`, but not for an array, and a text that a function may change is one.
    fn binding(&self, name: &str, expr: &str) -> String {
        if expr.starts_with('"') {
            return format!("char {name}[] = {expr}");
        }
        let Some(items) = expr.strip_prefix('{') else { return format!("auto {name} = {expr}") };
        let item = match items.chars().next() {
            Some('"') => "char *",
            Some('{' | '}') | None => return format!("auto {name} = {expr}"),
            Some(_) if items.contains('.') => "double ",
            Some(_) => "int ",
        };
        format!("{item}{name}[] = {expr}")
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        Cpp.unpacking(names, expr)
    }

    fn slice(&self, on: &str, bounds: [Option<&str>; 3]) -> String {
        Cpp.slice(on, bounds)
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        Cpp.builtin(builtin, args)
    }

    fn imports(&self, names: &[String], bundle: &Bundle) -> Vec<String> {
        Cpp.imports(names, bundle)
    }
}
