//! Expressions and statements as cases write them.

use super::super::expr::{Expr, ExprKind, Target};
use super::{Dialect, parse_expr, parse_statement};
use crate::languages::python::Python;
use crate::named::Named;
use crate::value::notation::Notation;
use crate::value::{Text, Value};

#[track_caller]
fn check_literal(text: &str, python: &str) {
    let value = parse_expr(text).unwrap().literal().unwrap();
    assert_eq!(Python.literal(&value), python);
}

#[track_caller]
fn check_error(text: &str, message: &str, under: &str) {
    let error = parse_statement(text, Dialect::Neutral).unwrap_err();
    assert_eq!((error.message.as_str(), &text[error.span]), (message, under));
}

#[test]
fn literals_of_every_kind_are_read() {
    check_literal("-12", "-12");
    check_literal("- 340282366920938463463374607431768211456", "-340282366920938463463374607431768211456");
    check_literal("-1.5e3", "-1500.0");
    check_literal(".5", "0.5");
    check_literal("1_000", "1000");
    check_literal("-1_000_000_000_000_000_000_000", "-1000000000000000000000");
    check_literal("1_0.2_5e1_0", "102500000000.0");
    check_literal("-inf", "-inf");
    check_literal("true", "True");
    check_literal("null", "None");
    check_literal("(1,)", "(1,)");
    check_literal("(1)", "1");
    check_literal("()", "()");
    check_literal("[1, [2, 'x'],]", "[1, [2, 'x']]");
    check_literal("{(2, 1), (3, 1)}", "{(2, 1), (3, 1)}");
    check_literal("set()", "set()");
    check_literal("{}", "{}");
    check_literal("{'a': 1, 2: None,}", "{'a': 1, 2: None}");
    check_literal(r#""a\n\x41\u00e9\u{1F600}\'""#, "\"a\\nAé😀'\"");
}

#[test]
fn surrogates_pair_up_or_stay_alone() {
    assert_eq!(parse_expr(r"'\ud83d\ude00'").unwrap().literal(), Some(Value::from("😀")));
    let lone = Value::Str(Text::from_units(vec![0xd83d]));
    assert_eq!(parse_expr(r"'\ud83d'").unwrap().literal(), Some(lone));
}

#[test]
fn calls_chain_and_bind() {
    let statement = parse_statement("a = B(1, k='x').c(d).e()", Dialect::Neutral).unwrap();
    assert!(matches!(&statement.target, Target::Name((name, _)) if name == "a"));
    let ExprKind::Method(on, name, _, args) = statement.expr.kind else { panic!("a method call") };
    assert_eq!((name.as_str(), args.len(), on.span), ("e", 0, 4..20));
}

#[test]
fn characters_outside_the_language_are_pointed_at() {
    check_error("a = ", "expected an expression", "");
    check_error("a.", "expected the name of a method or an attribute", "");
    check_error("f(1, k=2, 3)", "a positional argument follows a keyword argument", "3");
    check_error("f(1", "expected `)`", "");
    check_error("1 + ", "expected an expression", "");
    check_error("a & b", "unexpected `&`", "&");
    check_error("a < b < c", "comparisons cannot be chained", "<");
    check_error("a === b", "there is no such operator", "=");
    check_error("a += 1", "an operator cannot assign", "=");
    check_error("a and b", "the expression should end here", "and");
    check_error("!a", "unexpected `!`", "!");
    check_error("-'a'", "expected a number", "'a'");
    check_error("+a", "expected a number", "a");
    check_error("a[]", "there is no index", "[]");
    check_error("a[1:2:3:4]", "a slice has at most two `:`", "4");
    check_error("a[0, 1]", "expected `]`", ",");
    check_error("a[1:2] = b", "a slice cannot be assigned to", "a[1:2]");
    check_error("(a, b) = c", "only names, attributes and items can be assigned to", "(a, b)");
    check_error("a, b", "the expression should end here", ",");
    check_error("a = b = c", "a line has one `=`", "=");
    check_error("'abc", "this string is not closed", "'abc");
    check_error(r"'\q'", "unknown escape `\\q`", "\\q");
    check_error("12ab", "`12ab` is not a number", "12ab");
    for wrong in ["1__0", "1_", "1_.5", "1._5", "1_e5"] {
        check_error(wrong, &format!("`{wrong}` is not a number"), wrong);
    }
    check_error("a.b() = 2", "only names, attributes and items can be assigned to", "a.b()");
    check_error("x = new Quixo(5)", "`new` is not part of the language", "new");
    for (line, word) in [
        ("for i in items: f(i)", "for"),
        ("import math", "import"),
        ("f(lambda x: x)", "lambda"),
        ("assert f(1) == 1", "assert"),
        ("f'{x}'", "f"),
        ("g(r'x')", "r"),
    ] {
        check_error(line, &format!("unexpected `{word}`"), word);
    }
    check_error("[f(i) for i in x]", "expected `]`", "for");
    check_error(">>> f(1)", "expected an expression", ">");
    for right in ["r + 1", "del(f)", "f(b, 'r')", "lambda"] {
        assert!(parse_expr(right).is_ok(), "{right}");
    }
    check_error(r"'\u{110000}'", "this escape is not a valid character", r"\u{110000");
}

/// Without optimisation each level takes the most of a thread's stack, of which a test has 2 MiB.
#[test]
fn as_deep_as_is_allowed_fits_the_stack_of_a_thread() {
    for (open, close) in
        [("f(", ")"), ("{1: ", "}"), ("{", "}"), ("[", "]"), ("(", ",)"), ("-f(", ")"), ("not (", ")")]
    {
        let levels = if open.starts_with(['-', 'n']) { 45 } else { 98 };
        let deep = format!("{}x{}", open.repeat(levels), close.repeat(levels));
        assert!(parse_expr(&deep).is_ok(), "{open}: {:?}", parse_expr(&deep).unwrap_err());
        assert!(parse_expr(&open.repeat(1_000)).is_err(), "{open}");
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = "[".repeat(100_000);
    assert_eq!(parse_expr(&deep).unwrap_err().message, "nested too deep");
    let chain = format!("a{}", ".b()".repeat(100_000));
    assert_eq!(parse_expr(&chain).unwrap_err().message, "nested too deep");
    assert!(parse_expr(&format!("[{}]", "a.b().c(), ".repeat(1000))).is_ok());
    for part in ["-", "not ", "a + ", "a ** ", "a[", "a.b + (", "(a == "] {
        assert_eq!(parse_expr(&part.repeat(100_000)).unwrap_err().message, "nested too deep", "{part}");
    }
    for part in ["[0]", ".b", "[1:2]", " + 1", " * 1"] {
        let chain = format!("a{}", part.repeat(100_000));
        assert_eq!(parse_expr(&chain).unwrap_err().message, "nested too deep", "{part}");
        // Parentheses around chains do not make room for more.
        let chain = part.repeat(90);
        assert_eq!(parse_expr(&format!("(a{chain}){chain}")).unwrap_err().message, "nested too deep");
    }
}

/// The expression with an operator before its operands, in parentheses.
fn tree(expr: &Expr) -> String {
    let all = |items: &[Expr]| items.iter().map(tree).collect::<Vec<_>>().join(" ");
    match &expr.kind {
        ExprKind::Literal(value) => Python.literal(value),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Attribute(on, name, _) => format!("{}.{name}", tree(on)),
        ExprKind::Index(on, index) => format!("{}[{}]", tree(on), tree(index)),
        ExprKind::Slice(on, bounds) => {
            let bounds = bounds.iter().map(|bound| bound.as_ref().map(tree).unwrap_or_default());
            format!("{}[{}]", tree(on), bounds.collect::<Vec<_>>().join(":"))
        }
        ExprKind::Operation(operator, of) => format!("({} {})", operator.name(), all(of)),
        ExprKind::Call(name, args) => format!("{name}/{}", args.len()),
        ExprKind::Method(on, name, _, args) => format!("{}.{name}/{}", tree(on), args.len()),
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
            format!("[{}]", all(items))
        }
        ExprKind::Dict(_) => "{}".to_owned(),
    }
}

#[test]
fn operators_bind_as_in_python() {
    for (text, expected) in [
        ("1 + 2 * 3", "(+ 1 (* 2 3))"),
        ("(1 + 2) * 3", "(* (+ 1 2) 3)"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("-2 ** 2", "(neg (** 2 2))"),
        ("2 ** -1", "(** 2 -1)"),
        ("2 ** 3 ** 2", "(** 2 (** 3 2))"),
        ("-a.b // 2 % 3", "(% (// (neg a.b) 2) 3)"),
        ("- 5", "-5"),
        ("a.b[0].c() + d", "(+ a.b[0].c/0 d)"),
        ("not a == b", "(not (== a b))"),
        ("a + 1 not in b", "(not (in (+ a 1) b))"),
        ("a in b", "(in a b)"),
        ("not not(a)", "(not (not a))"),
        ("f(not)", "f/1"),
        ("in", "in"),
        ("x[1:]", "x[1::]"),
        ("x[:-1]", "x[:-1:]"),
        ("x[::2][i + 1]", "x[::2][(+ i 1)]"),
        ("[1, 2][0] <= 3", "(<= [1 2][0] 3)"),
    ] {
        assert_eq!(tree(&parse_expr(text).unwrap()), expected, "{text}");
    }
}

#[test]
fn a_value_goes_to_a_name_several_names_or_a_place() {
    for (text, expected) in [
        ("a == b", "nothing"),
        ("a = b", "a"),
        ("not = b", "not"),
        ("a, b = f()", "a, b"),
        ("a.b = c", "place a.b"),
        ("a.b[0] = c == d", "place a.b[0]"),
    ] {
        let names = |names: &[(String, _)]| -> String {
            names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let target = match &parse_statement(text, Dialect::Neutral).unwrap().target {
            Target::Nothing => "nothing".to_owned(),
            Target::Name(name) => names(std::slice::from_ref(name)),
            Target::Names(all) => names(all),
            Target::Place(place) => format!("place {}", tree(place)),
        };
        assert_eq!(target, expected, "{text}");
    }
}
