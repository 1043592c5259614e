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
        let mains: Vec<_> = mains.map(|file| (&file.name, String::from_utf8_lossy(&file.bytes))).collect();
        // A name comes from the file that exports it, else from one that has it.
        let owner = |name: &String| {
            let exporting = mains.iter().find(|(_, source)| exports(source, name));
            let having = || mains.iter().find(|(_, source)| has_word(source, name));
            exporting.or_else(having).or(mains.first()).map(|(file, _)| *file)
        };
        let from = |file: &String| -> Vec<String> {
            names.iter().filter(|name| owner(name) == Some(file)).cloned().collect()
        };
        let loaded = mains.iter().map(|(file, source)| (*file, source, from(file)));
        let needed = loaded.filter(|(_, source, names)| !names.is_empty() || !source.contains("export"));
        needed.map(|(file, source, names)| import(file, source, &names)).collect()
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
    let several = format!("var {{ {} }}", names.join(", "));
    if names.iter().any(|name| source.contains(&format!("export default class {name}"))) {
        format!("var {{ default: {} }} = await import('./{file}')", names.join(", "))
    } else if source.lines().any(|line| line.starts_with("export ")) {
        format!("{several} = await import('./{file}')")
    } else if names.iter().any(|name| exports_alone(source, name)) {
        format!("var {} = require('./{file}')", names.join(", "))
    } else if source.contains("exports") {
        format!("{several} = require('./{file}')")
    } else {
        format!(".load {file}")
    }
}

/// The names, keywords and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|ch: char| !ch.is_alphanumeric() && ch != '_' && ch != '$')
}

fn has_word(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
}

/// Whether a module seems to export a definition of this name: one of its exports has the word.
fn exports(source: &str, name: &str) -> bool {
    source.match_indices("export").any(|(at, _)| {
        let rest = &source[at..];
        if let Some(member) = rest.strip_prefix("exports.") {
            return words(member).next() == Some(name);
        }
        let before = rest.split('{').next().unwrap_or_default().replace(' ', "");
        let end: &[char] = match before.as_str() {
            "export" | "exports=" => &['}'],
            before if before.starts_with("exports") => &['\n'],
            _ => &['(', '=', '{', ';', '\n'],
        };
        has_word(rest.split(end).next().unwrap_or_default(), name)
    })
}

/// Whether a module itself is the definition with this name.
fn exports_alone(source: &str, name: &str) -> bool {
    let exports = source.split("module.exports").skip(1).map(|rest| rest.trim_start_matches([' ', '=']));
    exports.into_iter().any(|rest| rest.starts_with(name) || rest.starts_with("class"))
}

#[cfg(test)]
mod tests {
    use super::JavaScript;
    use crate::value::notation::Notation;
    use crate::value::{Bundle, SourceFile};

    #[test]
    fn a_name_is_imported_from_the_file_that_exports_it() {
        let file = |name: &str, source: &str| SourceFile {
            name: name.to_owned(),
            bytes: source.as_bytes().into(),
            ..SourceFile::default()
        };
        let board =
            "class Board {}\nmodule.exports = {\n  Board,\n  copy,\n};\nfunction copy() { return move; }\n";
        let of = |other: &str, names: &[&str]| {
            let files = vec![file("board.js", board), file("move.js", other)];
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            JavaScript.imports(&names, &Bundle { mains: files.len(), files })
        };
        let required = "const { copy } = require('./board.js');\nexports.move = () => copy;\n";
        let from_board = "var { copy } = require('./board.js')";
        assert_eq!(of(required, &["copy", "move"]), ["var { move } = require('./move.js')", from_board]);
        assert_eq!(of(required, &["copy"]), [from_board]);
        let module = "import { copy } from './board.js';\nexport function move() { return copy; }\n";
        let imported = "var { move } = await import('./move.js')";
        assert_eq!(of(module, &["move", "copy"]), [imported, from_board]);
        assert_eq!(of("function move() {}\n", &["move", "copy"]), [".load move.js", from_board]);
    }
}
