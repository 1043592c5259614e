//! How Rust writes values and statements in source code.

use crate::value::notation::{Notation, TypeNames, both, is_hidden};
use crate::value::operator::{Builtin, Operator};
use crate::value::syntax::{Floats, Syntax};

/// Rust.
#[derive(Debug)]
pub struct Rust;

/// There is no command and no prompt, because a session is a part of a test.
const SYNTAX: Syntax = Syntax {
    none: "None",
    undefined: "None",
    // As `{:?}` writes them.
    floats: Floats {
        nan: "f64::NAN",
        infinity: "f64::INFINITY",
        negative_infinity: "f64::NEG_INFINITY",
        plain: 1e-4..1e16,
        whole: ".0",
        scientific: |digits, exponent| format!("{digits}e{exponent}"),
    },
    escape: |ch| is_hidden(ch).then(|| format!("\\u{{{:x}}}", ch as u32)),
    operations: &[
        (Operator::Divide, |left, right| format!("{left} as f64 / {right} as f64")),
        (Operator::FloorDivide, |left, right| format!("{left}.div_euclid({right})")),
        (Operator::Modulo, |left, right| format!("{left}.rem_euclid({right})")),
        (Operator::Power, |left, right| format!("{left}.pow({right})")),
        (Operator::In, |item, list| format!("{list}.contains(&{item})")),
    ],
    this: "self",
    declaration: "let mut ",
    redeclares: true,
    returns_errors: true,
    ..Syntax::USUAL
};

impl Notation for Rust {
    fn language(&self) -> &'static str {
        "rust"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    fn list(&self, items: &[String]) -> String {
        format!("vec![{}]", items.join(", "))
    }

    fn set(&self, items: &[String]) -> String {
        format!("HashSet::from([{}])", items.join(", "))
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        let items: Vec<String> = items.iter().map(|(key, item)| format!("({key}, {item})")).collect();
        format!("HashMap::from([{}])", items.join(", "))
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

    fn new_object(&self, class: &str, args: &str) -> String {
        format!("{class}::new({args})")
    }

    fn text_of(&self, expr: &str) -> String {
        format!("{expr}.to_string()")
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("println!(\"{{}}\", {expr});")
    }

    fn statement(&self, expr: &str) -> String {
        format!("{expr};")
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        let names: Vec<String> = names.iter().map(|name| format!("mut {name}")).collect();
        format!("let ({}) = {expr};", names.join(", "))
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let bound = |bound: Option<&str>| bound.map(|bound| self.index(on, bound)).unwrap_or_default();
        let part = format!("{on}[{}..{}]", bound(start), bound(stop));
        match step {
            None => part,
            Some("-1") => format!("{part}.iter().rev()"),
            Some(step) => format!("{part}.iter().step_by({step})"),
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
}
