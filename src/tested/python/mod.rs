//! The Python-like statements and values of TESTed.
//!
//! TESTed knows literals, calls, attributes, indexes and assignments, and writes the type of a value as a
//! call: `int8(5)`, `set([1, 2])`. Both formats read into this tree, and [`PyExpr`] writes itself as a line
//! of a case.

mod parser;

pub(super) use parser::{parse_line, parse_statement, parse_value};

use std::fmt::Write;

/// A statement: an expression whose value may be assigned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PyStatement {
    /// The target of the assignment: a name, an attribute or an item.
    pub(super) target: Option<PyExpr>,
    /// The annotated type of the name, if it is one of the submission's own.
    pub(super) class: Option<String>,
    /// The expression.
    pub(super) value: PyExpr,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PyExpr {
    Nothing,
    Bool(bool),
    /// The digits, with a sign if negative.
    Int(String),
    Float(f64),
    Text(String),
    Name(String),
    /// A function, or a constructor if the name begins with a capital.
    Call(String, Vec<PythonArgument>),
    Method(Box<PyExpr>, String, Vec<PythonArgument>),
    Attribute(Box<PyExpr>, String),
    Index(Box<PyExpr>, Box<PyExpr>),
    List(Vec<PyExpr>),
    Tuple(Vec<PyExpr>),
    Set(Vec<PyExpr>),
    Dict(Vec<(PyExpr, PyExpr)>),
}

/// An argument, with its keyword if it has one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PythonArgument {
    pub(super) keyword: Option<String>,
    pub(super) value: PyExpr,
}

/// The meaning of a type of TESTed for a value in keur.
enum Cast {
    /// The value as it is: keur does not tell this type from the plain one.
    Plain,
    Float,
    List,
    Tuple,
    Set,
    Dict,
    /// keur has no such value, for this reason.
    Unknown(&'static str),
}

fn cast(name: &str) -> Option<Cast> {
    Some(match name {
        "integer" | "int8" | "uint8" | "int16" | "uint16" | "int32" | "uint32" | "int64" | "uint64"
        | "bigint" | "text" | "char" | "string" | "boolean" | "nothing" | "null" | "any" => Cast::Plain,
        "real" | "single_precision" | "double_precision" | "double_extended" => Cast::Float,
        "sequence" | "array" | "list" => Cast::List,
        "tuple" => Cast::Tuple,
        "set" => Cast::Set,
        "map" | "dictionary" | "object" => Cast::Dict,
        "fixed_precision" => Cast::Unknown("keur has no decimal numbers"),
        "undefined" => Cast::Unknown("keur does not tell `undefined` from `null`"),
        _ => return None,
    })
}

/// The value of the type `name` of TESTed; `None` if that is not a type.
///
/// # Errors
/// Why keur has no such value.
pub(super) fn typed(name: &str, value: PyExpr) -> Option<Result<PyExpr, String>> {
    let needs =
        |what: &str, value: &PyExpr| Err(format!("`{name}` needs a {what}, not `{}`", value.neutral()));
    let items = |value: PyExpr| match value {
        PyExpr::List(items) | PyExpr::Tuple(items) | PyExpr::Set(items) => Ok(items),
        PyExpr::Dict(pairs) => Ok(pairs.into_iter().map(|(key, _)| key).collect()),
        PyExpr::Nothing => Ok(Vec::new()),
        _ => needs("list", &value),
    };
    Some(match cast(name)? {
        Cast::Plain => Ok(value),
        Cast::Float => {
            if let PyExpr::Int(digits) | PyExpr::Text(digits) = &value {
                digits.parse().map(PyExpr::Float).map_err(|_| format!("`{digits}` is not a number"))
            } else {
                Ok(value)
            }
        }
        Cast::List => items(value).map(PyExpr::List),
        Cast::Tuple => items(value).map(PyExpr::Tuple),
        Cast::Set => items(value).map(PyExpr::Set),
        Cast::Dict => {
            if matches!(value, PyExpr::Dict(_)) {
                Ok(value)
            } else if value == PyExpr::Nothing {
                Ok(PyExpr::Dict(Vec::new()))
            } else {
                needs("map", &value).map(PyExpr::List)
            }
        }
        Cast::Unknown(why) => Err(why.to_owned()),
    })
}

impl PyStatement {
    /// Whether it names a constant of the submission.
    pub(super) fn names_constant(&self) -> bool {
        let mut found = false;
        self.value.walk(&mut |expr| found |= expr.constant().is_some());
        if let Some(target @ (PyExpr::Attribute(..) | PyExpr::Index(..))) = &self.target {
            target.walk(&mut |expr| found |= expr.constant().is_some());
        }
        found
    }
}

impl PyExpr {
    /// Whether it consists of literals only.
    pub(super) fn is_literal(&self) -> bool {
        match self {
            PyExpr::Nothing | PyExpr::Bool(_) | PyExpr::Int(_) | PyExpr::Float(_) | PyExpr::Text(_) => true,
            PyExpr::List(items) | PyExpr::Tuple(items) | PyExpr::Set(items) => {
                items.iter().all(PyExpr::is_literal)
            }
            PyExpr::Dict(pairs) => pairs.iter().all(|(key, value)| key.is_literal() && value.is_literal()),
            _ => false,
        }
    }

    /// A global constant of the submission, as TESTed writes one: in capitals.
    pub(super) fn constant(&self) -> Option<&str> {
        if let PyExpr::Name(name) = self {
            Some(name.as_str()).filter(|name| is_constant(name))
        } else {
            None
        }
    }

    /// Visits it and all expressions in it.
    pub(super) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a PyExpr)) {
        visit(self);
        match self {
            PyExpr::Nothing
            | PyExpr::Bool(_)
            | PyExpr::Int(_)
            | PyExpr::Float(_)
            | PyExpr::Text(_)
            | PyExpr::Name(_) => {}
            PyExpr::Call(_, args) => args.iter().for_each(|arg| arg.value.walk(visit)),
            PyExpr::Method(on, _, args) => {
                on.walk(visit);
                args.iter().for_each(|arg| arg.value.walk(visit));
            }
            PyExpr::Attribute(on, _) => on.walk(visit),
            PyExpr::Index(on, index) => {
                on.walk(visit);
                index.walk(visit);
            }
            PyExpr::List(items) | PyExpr::Tuple(items) | PyExpr::Set(items) => {
                items.iter().for_each(|item| item.walk(visit));
            }
            PyExpr::Dict(pairs) => pairs.iter().for_each(|(key, value)| {
                key.walk(visit);
                value.walk(visit);
            }),
        }
    }

    /// Replaces the expressions in it for which `change` has another, the inner ones first.
    pub(super) fn change(&mut self, change: &mut impl FnMut(&PyExpr) -> Option<PyExpr>) {
        match self {
            PyExpr::Nothing
            | PyExpr::Bool(_)
            | PyExpr::Int(_)
            | PyExpr::Float(_)
            | PyExpr::Text(_)
            | PyExpr::Name(_) => {}
            PyExpr::Call(_, args) => args.iter_mut().for_each(|arg| arg.value.change(change)),
            PyExpr::Method(on, _, args) => {
                on.change(change);
                args.iter_mut().for_each(|arg| arg.value.change(change));
            }
            PyExpr::Attribute(on, _) => on.change(change),
            PyExpr::Index(on, index) => {
                on.change(change);
                index.change(change);
            }
            PyExpr::List(items) | PyExpr::Tuple(items) | PyExpr::Set(items) => {
                items.iter_mut().for_each(|item| item.change(change));
            }
            PyExpr::Dict(pairs) => pairs.iter_mut().for_each(|(key, value)| {
                key.change(change);
                value.change(change);
            }),
        }
        if let Some(other) = change(self) {
            *self = other;
        }
    }

    /// Takes the name of the submission, one of `namespaces`, from its functions.
    pub(super) fn unqualify(&mut self, namespaces: &[String]) {
        self.change(&mut |expr| match expr {
            PyExpr::Method(on, name, args) => match &**on {
                PyExpr::Name(namespace) if namespaces.contains(namespace) => {
                    Some(PyExpr::Call(name.clone(), args.clone()))
                }
                _ => None,
            },
            _ => None,
        });
    }

    /// The line as a case writes it.
    pub(super) fn neutral(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            PyExpr::Nothing => out.push_str("None"),
            PyExpr::Bool(true) => out.push_str("True"),
            PyExpr::Bool(false) => out.push_str("False"),
            PyExpr::Int(digits) => out.push_str(digits),
            PyExpr::Float(float) => out.push_str(&float_text(*float)),
            PyExpr::Text(text) => out.push_str(&quoted(text)),
            PyExpr::Name(name) => out.push_str(name),
            PyExpr::Call(name, args) => {
                out.push_str(name);
                write_arguments(args, out);
            }
            PyExpr::Method(on, name, args) => {
                on.write(out);
                out.push('.');
                out.push_str(name);
                write_arguments(args, out);
            }
            PyExpr::Attribute(on, name) => {
                on.write(out);
                out.push('.');
                out.push_str(name);
            }
            PyExpr::Index(on, index) => {
                on.write(out);
                out.push('[');
                index.write(out);
                out.push(']');
            }
            PyExpr::List(items) => write_items('[', items, "]", out),
            PyExpr::Tuple(items) if items.len() == 1 => write_items('(', items, ",)", out),
            PyExpr::Tuple(items) => write_items('(', items, ")", out),
            PyExpr::Set(items) if items.is_empty() => out.push_str("set()"),
            PyExpr::Set(items) => write_items('{', items, "}", out),
            PyExpr::Dict(pairs) => {
                out.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    key.write(out);
                    out.push_str(": ");
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl PyStatement {
    /// The expression as a case writes it.
    pub(super) fn neutral(&self) -> String {
        match &self.target {
            Some(target) => format!("{} = {}", target.neutral(), self.value.neutral()),
            None => self.value.neutral(),
        }
    }
}

fn write_items(open: char, items: &[PyExpr], close: &str, out: &mut String) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        item.write(out);
    }
    out.push_str(close);
}

fn write_arguments(args: &[PythonArgument], out: &mut String) {
    out.push('(');
    for (index, arg) in args.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        if let Some(keyword) = &arg.keyword {
            out.push_str(keyword);
            out.push('=');
        }
        arg.value.write(out);
    }
    out.push(')');
}

/// A float as Python writes it, in a form that both formats read.
pub(super) fn float_text(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    if float.is_infinite() {
        return if float < 0.0 { "-inf".to_owned() } else { "inf".to_owned() };
    }
    format!("{float:?}")
}

/// A string literal: in single quotes unless it contains one and no double quote.
pub(super) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for ch in text.chars() {
        match ch {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            ch if ch == quote => {
                out.push('\\');
                out.push(ch);
            }
            ch if ch.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(ch));
            }
            ch => out.push(ch),
        }
    }
    out.push(quote);
    out
}

/// A class in the spelling of every language: `Equal_checker` and `equal_checker` are `EqualChecker`.
pub(super) fn class_name(name: &str) -> String {
    name.split('_').map(capital).collect()
}

/// The word with a capital.
pub(super) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Whether a name is one of a constant: in capitals.
pub(super) fn is_constant(name: &str) -> bool {
    let is_of_name = |ch: char| ch == '_' || ch.is_alphanumeric() && !ch.is_lowercase();
    name.chars().any(char::is_uppercase) && name.chars().all(is_of_name)
}

#[cfg(test)]
mod tests {
    use super::{parse_line, parse_statement, parse_value};

    #[track_caller]
    fn check(python: &str, neutral: &str) {
        assert_eq!(parse_statement(python).unwrap().neutral(), neutral);
    }

    #[track_caller]
    fn check_error(python: &str, message: &str, under: &str) {
        let error = parse_statement(python).unwrap_err();
        assert_eq!((error.message.as_str(), &python[error.span]), (message, under), "{python}");
    }

    #[test]
    fn statements_become_lines_of_a_case() {
        check("echo(\"hello\")", "echo('hello')");
        check("min(5, min(4, 1))  # the least", "min(5, min(4, 1))");
        check("the_function(5, named=6)", "the_function(5, named=6)");
        check("x: integer = f()", "x = f()");
        check("c: Counter = make(1)", "c = make(1)");
        check("Equal_checker(Other_one(1)).check(URL())", "EqualChecker(OtherOne(1)).check(URL())");
        check("a.b.c(1)[0].d", "a.b.c(1)[0].d");
        check("a.total = -2.50", "a.total = -2.5");
        check("x[1] = 'it\\'s'", "x[1] = \"it's\"");
        check("f('a' \"b\", r'\\d', '''x\ny''')", "f('ab', '\\\\d', 'x\\ny')");
        check("f(1e-10, 0x1F, 1_000, .5)", "f(1e-10, 31, 1000, 0.5)");
        check("{'a': [1, (2,)], 3: {4}}", "{'a': [1, (2,)], 3: {4}}");
    }

    #[test]
    fn types_of_tested_become_plain_values() {
        check("f(int8(5), uint64(6))", "f(5, 6)");
        check("set([1, 2])", "{1, 2}");
        check("f(set(), map(), tuple())", "f(set(), {}, ())");
        check("tuple([1])", "(1,)");
        check("list([1])", "[1]");
        check("real(5)", "5.0");
        check("char('a')", "'a'");
        check("Null", "None");
    }

    #[test]
    fn numbers_and_strings_are_those_of_python() {
        for (python, neutral) in [
            ("007", "7"),
            ("0X1f", "31"),
            ("0x_F_F", "255"),
            ("0o17", "15"),
            ("0b101", "5"),
            ("0x1E", "30"),
            ("0xffffffffffffffffffff", "1208925819614629174706175"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1_0.2_5", "10.25"),
            ("1.", "1.0"),
            ("1E5", "100000.0"),
            ("- 5", "-5"),
            ("-.5", "-0.5"),
            ("1e400", "inf"),
            (r"'\n\t\r\\\'\x41\u0042\U00000043'", r#""\n\t\r\\'ABC""#),
            (r"'\a\b\f\v'", r"'\u0007\u0008\u000c\u000b'"),
            (r"'\0\101\1018\18'", r"'\u0000AA8\u00018'"),
            (r"'\d\N{DASH}\é'", r"'\\d\\N{DASH}\\é'"),
            ("'a\\\nb'", "'ab'"),
            ("'''a\n'b''c'''", r#""a\n'b''c""#),
            (r#""""""""#, "''"),
            ("''", "''"),
            (r#"r'\n' R"\d" u'\n' U'b'"#, r"'\\n\\d\nb'"),
            ("'#' # '", "'#'"),
            ("[1, # one\n2]", "[1, 2]"),
        ] {
            check(python, neutral);
        }
    }

    #[test]
    fn statements_have_the_forms_of_tested() {
        for (python, neutral) in [
            ("x: 'Counter' = f()", "x = f()"),
            ("a.b: Counter = f()", "a.b = f()"),
            ("(x) = 5", "x = 5"),
            ("x.True", "x.True"),
            ("true", "true"),
            ("inf", "inf"),
            ("not(x)", "not(x)"),
            ("f(in, not)", "f(in, not)"),
            ("(1)", "1"),
            ("(1,)", "(1,)"),
            ("()", "()"),
            ("[1, 2,]", "[1, 2]"),
            ("{}", "{}"),
            ("{1, 2,}", "{1, 2}"),
            ("{1: 2,}", "{1: 2}"),
            ("f(1, a=2,)", "f(1, a=2)"),
            ("'a'.join([])[0]", "'a'.join([])[0]"),
        ] {
            check(python, neutral);
        }
        let class = |python: &str| parse_statement(python).unwrap().class;
        assert_eq!(class("x: Counter = f()").as_deref(), Some("Counter"));
        assert_eq!(class("x: 'Counter' = f()").as_deref(), Some("Counter"));
        assert_eq!(class("x: equal_checker = f()").as_deref(), Some("EqualChecker"));
        assert_eq!(class("x: integer = f()"), None);
        assert_eq!(class("x = f()"), None);
    }

    #[test]
    fn a_line_that_is_no_statement_is_pointed_at() {
        for (python, message, under) in [
            ("12ab", "`12ab` is not a number", "12ab"),
            ("1.2.3", "`1.2.3` is not a number", "1.2.3"),
            ("1__0", "`1__0` is not a number", "1__0"),
            ("0x", "`0x` is not a number", "0x"),
            ("0b12", "`0b12` is not a number", "0b12"),
            ("1e", "`1e` is not a number", "1e"),
            ("1e+", "`1e+` is not a number", "1e+"),
            ("5j", "`5j` is not a number", "5j"),
            ("f('abc)", "this string is not closed", "'abc)"),
            ("'ab\nc'", "this string is not closed", "'ab"),
            ("'''ab'", "this string is not closed", "'''ab'"),
            (r"r'\", "this string is not closed", r"r'\"),
            (r"'\x4'", "this escape is not a valid character", r"\x4'"),
            (r"'\u{41}'", "this escape is not a valid character", r"\u{41}"),
            (r"'\ud83d'", "this escape is not a valid character", r"\ud83d"),
            ("b'x'", "TESTed has no strings with the prefix `b`", "b"),
            ("a & b", "TESTed has no operator `&`", "&"),
            ("a == b", "TESTed has no operator `==`", "=="),
            ("a != b", "TESTed has no operator `!=`", "!="),
            ("a += 1", "TESTed has no operator `+`", "+"),
            ("a ? b", "TESTed has no operator `?`", "?"),
            ("-x", "expected a number", "x"),
            ("--5", "expected a number", "-"),
            ("-(5)", "expected a number", "("),
            ("-5[0]", "TESTed has no operator `-`", "-5[0]"),
            ("a - b", "TESTed has no more syntax than calls, literals and assignments", "-"),
            ("not x", "TESTed has no more syntax than calls, literals and assignments", "x"),
            ("a in b", "TESTed has no more syntax than calls, literals and assignments", "in"),
            ("a, b = c", "TESTed has no assignment to several names", "a, b = c"),
            ("a = b = c", "a line has one `=`", "="),
            ("new A()", "`new` is not part of the language", "new"),
            ("a.5", "TESTed has no more syntax than calls, literals and assignments", ".5"),
            ("(a, b) = c", "only names, attributes and items can be assigned to", "(a, b)"),
            ("None = c", "only names, attributes and items can be assigned to", "None"),
            ("f() = c", "only names, attributes and items can be assigned to", "f()"),
            ("a[1:2] = c", "a slice cannot be assigned to", "a[1:2]"),
            ("x: integer", "expected `=`", ""),
            ("x: 5 = f()", "expected a type", "5"),
            ("a[]", "there is no index", "[]"),
            ("a[1:2]", "TESTed has no slices", "a[1:2]"),
            ("a[1, 2]", "expected `]`", ","),
            ("a.(b)", "expected the name of a method or an attribute", "("),
            ("[1 2]", "expected `]`", "2"),
            ("(,)", "expected an expression", ","),
            ("{1: 2, 3}", "expected `:`", "}"),
            ("{1, 2: 3}", "expected `}`", ":"),
            ("f(a=)", "expected an expression", ")"),
            ("f(a=1, 2)", "a positional argument follows a keyword argument", "2"),
            ("int8()", "`int8` needs one argument", "int8()"),
            ("f(set(1, 2))", "`set` needs one argument", "set(1, 2)"),
            ("list(5)", "`list` needs a list, not `5`", "list(5)"),
            ("map([])", "`map` needs a map, not `[]`", "map([])"),
            ("real('x')", "`x` is not a number", "real('x')"),
            ("f(Undefined)", "keur does not tell `undefined` from `null`", "Undefined"),
        ] {
            check_error(python, message, under);
        }
        let literal = |python: &str| parse_value(python).unwrap_err();
        assert_eq!(literal("[f(1)]").message, "an expected value is a literal");
        assert_eq!(literal("x = 1").span, 0..5);
    }

    #[test]
    fn lines_of_a_case_are_read_as_a_case_means_them() {
        let read = |line: &str| match parse_line(line, &|name| name == "text") {
            Ok(statement) => statement.neutral(),
            Err(error) => error.message,
        };
        for (line, expected) in [
            ("x.y = f(true, null, k=-1_000)", "x.y = f(True, None, k=-1000)"),
            (r"f('\u{41}\01')", r"f('A\u00001')"),
            ("-x", "TESTed has no operator `-`"),
            ("text(1)", "TESTed has a `text` of its own"),
            ("list([1])", "[1]"),
            ("f(Null)", "TESTed has a `Null` of its own"),
            ("x // 2 < y", "TESTed has no operator `<`"),
            ("x not in y", "TESTed has no operator `not`"),
            ("x[1:]", "TESTed has no slices"),
            ("a, b = f()", "TESTed has no assignment to several names"),
            (r"f('\ud83d')", "TESTed has no literal like this"),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        for part in ["[", "f(", "a[", "a.b(", "{1: ", "f(a="] {
            assert_eq!(parse_statement(&part.repeat(1000)).unwrap_err().message, "nested too deep", "{part}");
        }
        for part in [".b", ".b()", "[0]"] {
            let chain = format!("a{}", part.repeat(1000));
            assert_eq!(parse_statement(&chain).unwrap_err().message, "nested too deep", "{part}");
        }
    }

    #[test]
    fn a_part_that_tested_or_keur_lacks_is_pointed_at() {
        check_error("1 + 2", "TESTed has no operator `+`", "+");
        check_error("f(x for x in y)", "expected `)`", "for");
        check_error("f(", "expected an expression", "");
        check_error("'abc", "this string is not closed", "'abc");
        check_error("fixed_precision('1.5')", "keur has no decimal numbers", "fixed_precision('1.5')");
        check_error("Undefined", "keur does not tell `undefined` from `null`", "Undefined");
        check_error("f'{x}'", "TESTed has no strings with the prefix `f`", "f");
        check_error("5 = 5", "only names, attributes and items can be assigned to", "5");
        assert!(parse_value("f(1)").is_err());
        assert!(parse_value("[1, (2, 3)]").is_ok());
    }
}
