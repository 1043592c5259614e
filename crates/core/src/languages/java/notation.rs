//! How Java writes values and statements in source code.

use crate::value::notation::{Notation, TypeNames, both, int_text, pairs, unicode_escape};
use crate::value::operator::{Builtin, Operator};
use crate::value::syntax::{BY_METHODS, Floats, Syntax};
use crate::value::{Bundle, Int, Text, Value};

/// Java.
#[derive(Debug)]
pub struct Java;

const SYNTAX: Syntax = Syntax {
    // As `Double.toString` writes them.
    floats: Floats {
        nan: "Double.NaN",
        infinity: "Double.POSITIVE_INFINITY",
        negative_infinity: "Double.NEGATIVE_INFINITY",
        plain: 1e-3..1e7,
        whole: ".0",
        scientific: |digits, exponent| {
            let point = if digits.contains('.') { "" } else { ".0" };
            format!("{digits}{point}E{exponent}")
        },
    },
    escape: unicode_escape,
    operations: &[
        (Operator::Equal, |left, right| equality(left, right, "==", "")),
        (Operator::NotEqual, |left, right| equality(left, right, "!=", "!")),
        (Operator::Divide, |left, right| format!("(double) {left} / {right}")),
        (Operator::FloorDivide, |left, right| format!("Math.floorDiv({left}, {right})")),
        (Operator::Modulo, |left, right| format!("Math.floorMod({left}, {right})")),
        (Operator::Power, |left, right| format!("Math.pow({left}, {right})")),
        (Operator::In, |item, list| format!("{list}.contains({item})")),
    ],
    comparisons: BY_METHODS,
    declaration: "var ",
    interpreter: "java",
    prompt: "jshell> ",
    continuation: "   ...> ",
    ..Syntax::USUAL
};

impl Notation for Java {
    fn language(&self) -> &'static str {
        "java"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    fn is_object_text(&self, text: &str) -> bool {
        text.split_once('@').is_some_and(|(class, hash)| {
            let is = |text: &str, of: fn(char) -> bool| !text.is_empty() && text.chars().all(of);
            is(class, |ch| ch.is_alphanumeric() || ".$_".contains(ch))
                && is(hash, |ch| ch.is_ascii_hexdigit())
        })
    }

    /// The smallest type that holds it.
    fn int(&self, int: &Int) -> String {
        match int.bits() {
            ..32 => int.to_string(),
            32..64 => format!("{int}L"),
            _ => format!("new BigInteger(\"{}\")", int_text(int)),
        }
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
            Value::Int(int) | Value::BigInt(int) => Text::from(int_text(int)),
            Value::List(items) | Value::Tuple(items) | Value::Set(items) => {
                let items: Vec<String> = items.iter().map(|item| self.text(item).to_lossy()).collect();
                Text::from(format!("[{}]", items.join(", ")))
            }
            Value::Dict(items) => {
                let text = |value: &Value| self.text(value).to_lossy();
                let items: Vec<_> = items.iter().map(|(key, item)| (text(key), text(item))).collect();
                Text::from(format!("{{{}}}", pairs(&items, "=")))
            }
            _ => Text::from(self.literal(value)),
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

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        format!("System.out.println({expr})")
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        let parts = names.iter().enumerate().map(|(at, name)| format!("; var {name} = items.get({at})"));
        format!("var items = {expr}{}", parts.collect::<String>())
    }

    fn item(&self, on: &str, index: &str) -> String {
        format!("{on}.get({})", self.index(on, index))
    }

    fn set_item(&self, on: &str, index: &str, value: &str) -> String {
        let set = if index.starts_with('"') { "put" } else { "set" };
        format!("{on}.{set}({}, {value})", self.index(on, index))
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let bound = |bound: Option<&str>| bound.map(|bound| self.index(on, bound));
        let start = bound(start).unwrap_or_else(|| "0".to_owned());
        let stop = bound(stop).unwrap_or_else(|| format!("{on}.size()"));
        let step = step.map(|step| format!(" /* every {step} */")).unwrap_or_default();
        format!("{on}.subList({start}, {stop}){step}")
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        let (of, class) = both(args);
        match builtin {
            Builtin::Len => format!("{of}.size()"),
            Builtin::Str => format!("String.valueOf({of})"),
            Builtin::Repr => format!("{of}.toString()"),
            Builtin::List => format!("new ArrayList<>({of})"),
            Builtin::Sorted => format!("{of}.stream().sorted().toList()"),
            Builtin::IsInstance => format!("{of} instanceof {class}"),
        }
    }

    fn imports(&self, _names: &[String], bundle: &Bundle) -> Vec<String> {
        bundle.files.iter().map(|file| format!("/open {}", file.name)).collect()
    }

    /// The class that has the function.
    fn owner(&self, function: &str, bundle: &Bundle) -> String {
        let class = bundle.files.iter().find_map(|file| {
            let source = String::from_utf8_lossy(&file.bytes);
            let call = format!(" {function}(");
            let at = source.lines().position(|line| line.contains("static ") && line.contains(&call))?;
            // A single file may have any name, whatever its class is called.
            let class = source.lines().take(at + 1).filter_map(class_of).last();
            Some(class.or(file.module.as_deref()).unwrap_or_default().to_owned())
        });
        class.map_or_else(String::new, |class| format!("{class}."))
    }
}

/// The class that a line begins, if it is not inside another one.
fn class_of(line: &str) -> Option<&str> {
    const MODIFIERS: [&str; 5] = ["public", "final", "abstract", "sealed", "strictfp"];
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let mut words = line.split_whitespace().skip_while(|word| MODIFIERS.contains(word));
    let name = words.next().filter(|word| *word == "class").and_then(|_| words.next())?;
    name.split(['{', '<']).next().filter(|name| !name.is_empty())
}

/// Whether two values are equal: with `sign` if one is a number, which has no methods, else with `not` before
/// `equals`.
fn equality(left: &str, right: &str, sign: &str, not: &str) -> String {
    let is_number = |text: &str| text.starts_with(|ch: char| ch.is_ascii_digit() || ch == '-');
    if is_number(left) || is_number(right) {
        format!("{left} {sign} {right}")
    } else {
        format!("{not}{left}.equals({right})")
    }
}

#[cfg(test)]
mod tests {
    use super::Java;
    use crate::value::notation::Notation;
    use crate::value::{Bundle, SourceFile};

    #[test]
    fn a_function_belongs_to_its_class_whatever_the_file_is_called() {
        let source = "class Other {}\npublic final class Lists{\n    static class Node {}\n    static int depth(int a) {}\n}\n";
        for (text, owner) in
            [(source, "Lists."), ("    static int depth(int a) {}", "an."), ("class A {}", "")]
        {
            let (name, module) = ("an.java".to_owned(), Some("an".to_owned()));
            let file = SourceFile { name, module, path: None, bytes: text.as_bytes().into() };
            assert_eq!(Java.owner("depth", &Bundle { files: vec![file], mains: 1 }), owner);
        }
    }
}
