//! How C++ writes values and statements in source code.

use crate::value::notation::{Notation, TypeNames, both, unicode_escape};
use crate::value::operator::{Builtin, Operator};
use crate::value::syntax::{Floats, Syntax};
use crate::value::{Bundle, Int, Text, Value};

/// C++.
#[derive(Debug)]
pub struct Cpp;

/// The value for nothing, which `operators.hpp` has too: most functions that may give nothing give an `optional`.
const NOTHING: &str = "std::nullopt";

/// The words and signs of C++.
pub(in crate::languages) const SYNTAX: Syntax = Syntax {
    none: NOTHING,
    undefined: NOTHING,
    floats: Floats {
        nan: "NAN",
        infinity: "INFINITY",
        negative_infinity: "-INFINITY",
        plain: 1e-5..1e17,
        whole: ".0",
        scientific: |digits, exponent| format!("{digits}e{exponent}"),
    },
    escape: unicode_escape,
    operations: &[
        (Operator::Divide, |left, right| format!("double({left}) / {right}")),
        (Operator::FloorDivide, |left, right| format!("std::floor(double({left}) / {right})")),
        (Operator::Power, |left, right| format!("std::pow({left}, {right})")),
        (Operator::In, |item, list| format!("{list}.contains({item})")),
    ],
    declaration: "auto ",
    this: "*this",
    print: "std::cout",
    ..Syntax::USUAL
};

/// The parts around an expression whose text is a value.
const AS_TEXT: [&str; 2] = ["(std::ostringstream() << ", ").str()"];

impl Notation for Cpp {
    fn language(&self) -> &'static str {
        "cpp"
    }

    fn syntax(&self) -> &'static Syntax {
        &SYNTAX
    }

    /// The smallest type that holds it.
    fn int(&self, int: &Int) -> String {
        if int.bits() < 32 { int.to_string() } else { format!("{int}LL") }
    }

    fn list(&self, items: &[String]) -> String {
        format!("{{{}}}", items.join(", "))
    }

    fn set(&self, items: &[String]) -> String {
        self.list(items)
    }

    fn dict(&self, items: &[(String, String)]) -> String {
        let pairs: Vec<String> = items.iter().map(|(key, item)| format!("{{{key}, {item}}}")).collect();
        self.list(&pairs)
    }

    fn text(&self, value: &Value) -> Text {
        if let Value::Str(text) = value { text.clone() } else { Text::from(self.literal(value)) }
    }

    fn types(&self) -> TypeNames {
        TypeNames {
            none: NOTHING,
            undefined: NOTHING,
            bool: "bool",
            int: "int",
            big_int: "long long",
            float: "double",
            string: "std::string",
            list: "std::vector",
            tuple: "std::vector",
            set: "std::set",
            dict: "std::map",
        }
    }

    fn has_own(&self, operation: &str) -> bool {
        matches!(operation, "+" | "-" | "*" | "/" | "%" | "repr")
    }

    fn new_object(&self, class: &str, args: &str) -> String {
        format!("{class}({args})")
    }

    fn text_of(&self, expr: &str) -> String {
        format!("{}{expr}{}", AS_TEXT[0], AS_TEXT[1])
    }

    fn printing(&self, expr: &str, _is_text: bool) -> String {
        let inner = expr.strip_prefix(AS_TEXT[0]).and_then(|rest| rest.strip_suffix(AS_TEXT[1]));
        // The text of an object is what its operator prints.
        format!("std::cout << {}", inner.filter(|inner| !inner.contains(AS_TEXT[1])).unwrap_or(expr))
    }

    /// The items in braces alone have no type.
    fn binding(&self, name: &str, expr: &str) -> String {
        let is_list = expr.starts_with('{') && !expr.starts_with("{{");
        format!("{} {name} = {expr}", if is_list { "std::vector" } else { "auto" })
    }

    fn unpacking(&self, names: &[String], expr: &str) -> String {
        format!("auto [{}] = {expr}", names.join(", "))
    }

    fn slice(&self, on: &str, [start, stop, step]: [Option<&str>; 3]) -> String {
        let start = start.map_or_else(|| format!("{on}.begin()"), |at| format!("{on}.begin() + {at}"));
        let stop = stop.map_or_else(|| format!("{on}.end()"), |at| format!("{on}.begin() + {at}"));
        let step = step.map(|step| format!(" /* every {step} */")).unwrap_or_default();
        format!("std::vector({start}, {stop}){step}")
    }

    fn builtin(&self, builtin: Builtin, args: &[String]) -> String {
        let (of, class) = both(args);
        match builtin {
            Builtin::Len => format!("{of}.size()"),
            Builtin::Str | Builtin::Repr => self.text_of(of),
            Builtin::List => format!("std::vector({of})"),
            Builtin::Sorted => format!("std::ranges::sort({of})"),
            Builtin::IsInstance => format!("dynamic_cast<{class}*>(&{of}) != nullptr"),
        }
    }

    fn imports(&self, _names: &[String], bundle: &Bundle) -> Vec<String> {
        bundle.files.iter().map(|file| format!("#include \"{}\"", file.name)).collect()
    }
}
