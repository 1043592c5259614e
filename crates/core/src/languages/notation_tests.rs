//! How each language writes values.

use super::{c::C, cpp::Cpp, java::Java, javascript::JavaScript, python::Python, rust::Rust};
use crate::value::notation::Notation;
use crate::value::{Text, Value};

#[track_caller]
fn check(value: Value, python: &str, javascript: &str, java: &str, rust: &str) {
    assert_eq!(Python.literal(&value), python);
    assert_eq!(JavaScript.literal(&value), javascript);
    assert_eq!(Java.literal(&value), java);
    assert_eq!(Rust.literal(&value), rust);
}

#[test]
fn values_are_written_as_each_language_writes_them() {
    check(Value::None, "None", "null", "null", "None");
    check(Value::Undefined, "undefined", "undefined", "null", "None");
    check(Value::from(true), "True", "true", "true", "true");
    check(Value::Tuple(vec![Value::from(1)]), "(1,)", "[1]", "List.of(1)", "(1,)");
    check(Value::Tuple(vec![Value::from(1), Value::from(2)]), "(1, 2)", "[1, 2]", "List.of(1, 2)", "(1, 2)");
    check(Value::Set(vec![]), "set()", "new Set()", "Set.of()", "HashSet::from([])");
    check(Value::Set(vec![Value::from(1)]), "{1}", "new Set([1])", "Set.of(1)", "HashSet::from([1])");
    check(Value::from("it's"), "\"it's\"", "\"it's\"", "\"it's\"", "\"it's\"");
    check(
        Value::from("a\n\"b\"\u{1b}\u{202e}"),
        "'a\\n\"b\"\\x1b\\u202e'",
        "\"a\\n\\\"b\\\"\\x1b\\u202e\"",
        "\"a\\n\\\"b\\\"\\u001b\\u202e\"",
        "\"a\\n\\\"b\\\"\\u{1b}\\u{202e}\"",
    );
    check(
        Value::Dict(vec![(Value::from("a"), Value::from(1))]),
        "{'a': 1}",
        "{\"a\": 1}",
        "Map.of(\"a\", 1)",
        "HashMap::from([(\"a\", 1)])",
    );
}

#[test]
fn integers_are_written_as_their_language_can_read_them() {
    check(Value::from(1 << 31), "2147483648", "2147483648", "2147483648L", "2147483648");
    let huge = Value::int("9223372036854775808".parse::<crate::value::Int>().unwrap());
    let plain = "9223372036854775808";
    check(huge, plain, plain, "new BigInteger(\"9223372036854775808\")", plain);
    check(Value::BigInt(7.into()), "7n", "7n", "7", "7");
}

#[test]
fn floats_are_written_as_each_language_writes_them() {
    check(Value::Float(1.0), "1.0", "1", "1.0", "1.0");
    check(Value::Float(-0.0), "-0.0", "-0", "-0.0", "-0.0");
    check(Value::Float(1e16), "1e+16", "10000000000000000", "1.0E16", "1e16");
    check(Value::Float(1.5e-7), "1.5e-07", "1.5e-7", "1.5E-7", "1.5e-7");
    check(Value::Float(1e22), "1e+22", "1e+22", "1.0E22", "1e22");
    check(Value::Float(1e7), "10000000.0", "10000000", "1.0E7", "10000000.0");
    check(Value::Float(1e-3), "0.001", "0.001", "0.001", "0.001");
    check(Value::Float(9e-4), "0.0009", "0.0009", "9.0E-4", "0.0009");
    check(Value::Float(9e-5), "9e-05", "0.00009", "9.0E-5", "9e-5");
    check(Value::Float(9e-7), "9e-07", "9e-7", "9.0E-7", "9e-7");
    check(Value::Number(1.0), "1", "1", "1.0", "1.0");
    check(Value::Float(f64::NAN), "nan", "NaN", "Double.NaN", "f64::NAN");
    check(
        Value::Float(f64::NEG_INFINITY),
        "-inf",
        "-Infinity",
        "Double.NEGATIVE_INFINITY",
        "f64::NEG_INFINITY",
    );
}

#[test]
fn a_lone_surrogate_is_written_as_its_escape() {
    let escaped = "\"a\\ud800\"";
    check(Value::Str(Text::from_units(vec![0x61, 0xd800])), "'a\\ud800'", escaped, escaped, escaped);
}

#[test]
fn text_of_a_string_is_the_string_itself() {
    assert_eq!(Python.text(&Value::from("a b")), Text::from("a b"));
    let nested = Value::List(vec![Value::from(1), Value::None, Value::from("x")]);
    assert_eq!(JavaScript.text(&nested), Text::from("1,,x"));
    assert_eq!(Python.text(&nested), Text::from("[1, None, 'x']"));
    assert_eq!(Java.text(&nested), Text::from("[1, null, x]"));
    let dict = Value::Dict(vec![(Value::from("a"), Value::from(1 << 40))]);
    assert_eq!(Java.text(&dict), Text::from("{a=1099511627776}"));
}

#[test]
fn the_command_of_a_program_is_what_users_type() {
    let commands: [(&dyn Notation, &str); 4] =
        [(&Python, "python3 sum.x"), (&Java, "java sum.x"), (&Cpp, "./sum"), (&C, "./sum")];
    for (notation, command) in commands {
        assert_eq!(notation.running("sum.x"), command);
    }
}

#[test]
fn a_variable_in_c_has_a_type_that_its_items_have() {
    for (expr, in_c, in_cpp) in [
        ("{1, 2}", "int v[] = {1, 2}", "std::vector v = {1, 2}"),
        ("\"a\"", "char v[] = \"a\"", "auto v = \"a\""),
        ("{1.5}", "double v[] = {1.5}", "std::vector v = {1.5}"),
        ("{\"a.b\"}", "char *v[] = {\"a.b\"}", "std::vector v = {\"a.b\"}"),
        ("f(1)", "auto v = f(1)", "auto v = f(1)"),
        ("{{1, 2}}", "auto v = {{1, 2}}", "auto v = {{1, 2}}"),
    ] {
        assert_eq!(C.binding("v", expr), in_c);
        assert_eq!(Cpp.binding("v", expr), in_cpp);
    }
}

#[test]
fn an_enormous_integer_is_described() {
    let huge = Value::int(format!("1{}", "0".repeat(5000)).parse::<crate::value::Int>().unwrap());
    assert_eq!(Python.literal(&huge), "<integer of 16610 bits>");
}

#[test]
fn the_text_of_an_object_without_one_is_known() {
    for (notation, text) in [
        (&Python as &dyn Notation, "<quixo.Quixo object at 0x7f3a2c0d1e50>"),
        (&JavaScript, "[object Object]"),
        (&Java, "Quixo@1b2c3d"),
    ] {
        assert!(notation.is_object_text(text), "{text}");
        for other in ["", "<a>", "ada@lovelace.org", "X-O", "[object]"] {
            assert!(!notation.is_object_text(other), "{other}");
        }
    }
}
