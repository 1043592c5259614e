//! Writing values as Python or JavaScript would, for sessions and findings.

use super::{Cut, Int, Text, Value};
use std::fmt::Write;

/// A language whose way of writing values is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Python, as `repr` writes.
    Python,
    /// JavaScript, as its own source writes.
    JavaScript,
}

/// An integer beyond this many bits is described, not written out: writing it takes quadratic time.
const WRITTEN_BITS: u64 = 1 << 12;

impl Syntax {
    /// The literal for `value`, as a session in this language shows it.
    pub fn literal(self, value: &Value) -> String {
        let mut out = String::new();
        self.write(&mut out, value);
        out
    }

    /// The text of `value`: what `str(x)` gives in Python and `String(x)` in JavaScript.
    pub fn text(self, value: &Value) -> Text {
        match (self, value) {
            (_, Value::Str(text)) => text.clone(),
            (Syntax::JavaScript, Value::List(items) | Value::Tuple(items)) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| {
                        let nothing = matches!(item, Value::None | Value::Undefined);
                        if nothing { String::new() } else { self.text(item).to_lossy() }
                    })
                    .collect();
                Text::from(items.join(","))
            }
            (Syntax::JavaScript, Value::Dict(_)) => Text::from("[object Object]"),
            (Syntax::JavaScript, Value::Set(_)) => Text::from("[object Set]"),
            (Syntax::JavaScript, Value::BigInt(int)) => Text::from(written(int)),
            _ => Text::from(self.literal(value)),
        }
    }

    fn write(self, out: &mut String, value: &Value) {
        match value {
            Value::None => out.push_str(self.pick("None", "null")),
            Value::Undefined => out.push_str("undefined"),
            Value::Bool(true) => out.push_str(self.pick("True", "true")),
            Value::Bool(false) => out.push_str(self.pick("False", "false")),
            Value::Int(int) => out.push_str(&written(int)),
            Value::BigInt(int) => {
                out.push_str(&written(int));
                out.push('n');
            }
            Value::Float(float) => out.push_str(&self.float(*float)),
            Value::Number(number) => out.push_str(&javascript_number(*number)),
            Value::Str(text) => self.string(out, text),
            Value::List(items) => self.sequence(out, "[", items, "]"),
            Value::Tuple(items) => match self {
                Syntax::Python if items.len() == 1 => self.sequence(out, "(", items, ",)"),
                Syntax::Python => self.sequence(out, "(", items, ")"),
                Syntax::JavaScript => self.sequence(out, "[", items, "]"),
            },
            Value::Set(items) => match self {
                Syntax::Python if items.is_empty() => out.push_str("set()"),
                Syntax::Python => self.sequence(out, "{", items, "}"),
                Syntax::JavaScript if items.is_empty() => out.push_str("new Set()"),
                Syntax::JavaScript => self.sequence(out, "new Set([", items, "])"),
            },
            Value::Dict(pairs) => {
                out.push('{');
                for (index, (key, item)) in pairs.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    self.write(out, key);
                    out.push_str(": ");
                    self.write(out, item);
                }
                out.push('}');
            }
            Value::Opaque(name) => {
                let _ = write!(out, "<{name}>");
            }
            Value::Cut(Cut::Size) => out.push_str("<…: too large>"),
            Value::Cut(Cut::Depth) => out.push_str("<…: nested too deep>"),
            Value::Cut(Cut::Cycle) => out.push_str("<…: contains itself>"),
        }
    }

    fn pick(self, python: &'static str, javascript: &'static str) -> &'static str {
        match self {
            Syntax::Python => python,
            Syntax::JavaScript => javascript,
        }
    }

    fn sequence(self, out: &mut String, open: &str, items: &[Value], close: &str) {
        out.push_str(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            self.write(out, item);
        }
        out.push_str(close);
    }

    fn float(self, float: f64) -> String {
        match self {
            Syntax::JavaScript => javascript_number(float),
            Syntax::Python if float.is_nan() => "nan".to_owned(),
            Syntax::Python if float.is_infinite() => if float > 0.0 { "inf" } else { "-inf" }.to_owned(),
            Syntax::Python => {
                // Python switches to an exponent outside 1e-4 … 1e16, and writes at least two digits of it.
                let size = float.abs();
                if size != 0.0 && !(1e-4..1e16).contains(&size) {
                    let text = format!("{float:e}");
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
                } else {
                    format!("{float:?}")
                }
            }
        }
    }

    fn string(self, out: &mut String, text: &Text) {
        let plain = text.to_lossy();
        // Python prefers single quotes unless the text has them and no double ones; JavaScript sessions show double.
        let quote = match self {
            Syntax::Python if plain.contains('\'') && !plain.contains('"') => '"',
            Syntax::Python => '\'',
            Syntax::JavaScript => '"',
        };
        out.push(quote);
        match text {
            Text::Unicode(unicode) => unicode.chars().for_each(|ch| escape(out, ch, quote)),
            Text::IllFormed(units) => {
                for unit in char::decode_utf16(units.iter().copied()) {
                    match unit {
                        Ok(ch) => escape(out, ch, quote),
                        Err(lone) => {
                            let _ = write!(out, "\\u{:04x}", lone.unpaired_surrogate());
                        }
                    }
                }
            }
        }
        out.push(quote);
    }
}

fn escape(out: &mut String, ch: char, quote: char) {
    match ch {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        _ if ch == quote => {
            out.push('\\');
            out.push(ch);
        }
        _ if (ch as u32) < 0x20 || ch == '\u{7f}' => {
            let _ = write!(out, "\\x{:02x}", ch as u32);
        }
        // C1 controls, and the marks that reorder or hide text, are written so that they can be seen.
        '\u{80}'..='\u{9f}' => {
            let _ = write!(out, "\\x{:02x}", ch as u32);
        }
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
            let _ = write!(out, "\\u{:04x}", ch as u32);
        }
        _ => out.push(ch),
    }
}

fn written(int: &Int) -> String {
    if int.bits() > WRITTEN_BITS { format!("<integer of {} bits>", int.bits()) } else { int.to_string() }
}

fn javascript_number(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    // ECMAScript writes an exponent from 1e21 up and below 1e-6.
    let size = number.abs();
    if (1e-6..1e21).contains(&size) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Syntax;
    use crate::value::{Text, Value};

    #[track_caller]
    fn check(value: Value, python: &str, javascript: &str) {
        assert_eq!(Syntax::Python.literal(&value), python);
        assert_eq!(Syntax::JavaScript.literal(&value), javascript);
    }

    #[test]
    fn values_are_written_as_each_language_writes_them() {
        check(Value::None, "None", "null");
        check(Value::from(true), "True", "true");
        check(Value::Tuple(vec![Value::from(1)]), "(1,)", "[1]");
        check(Value::Tuple(vec![Value::from(1), Value::from(2)]), "(1, 2)", "[1, 2]");
        check(Value::Set(vec![]), "set()", "new Set()");
        check(Value::Set(vec![Value::from(1)]), "{1}", "new Set([1])");
        check(Value::from("it's"), "\"it's\"", "\"it's\"");
        check(
            Value::from("a\n\"b\"\u{1b}\u{202e}"),
            "'a\\n\"b\"\\x1b\\u202e'",
            "\"a\\n\\\"b\\\"\\x1b\\u202e\"",
        );
        check(Value::Dict(vec![(Value::from("a"), Value::from(1))]), "{'a': 1}", "{\"a\": 1}");
    }

    #[test]
    fn floats_are_written_as_each_language_writes_them() {
        check(Value::Float(1.0), "1.0", "1");
        check(Value::Float(-0.0), "-0.0", "-0");
        check(Value::Float(1e16), "1e+16", "10000000000000000");
        check(Value::Float(1.5e-7), "1.5e-07", "1.5e-7");
        check(Value::Float(1e22), "1e+22", "1e+22");
        check(Value::Float(f64::NAN), "nan", "NaN");
        check(Value::Float(f64::NEG_INFINITY), "-inf", "-Infinity");
    }

    #[test]
    fn a_lone_surrogate_is_written_as_its_escape() {
        check(Value::Str(Text::from_units(vec![0x61, 0xd800])), "'a\\ud800'", "\"a\\ud800\"");
    }

    #[test]
    fn text_of_a_string_is_the_string_itself() {
        assert_eq!(Syntax::Python.text(&Value::from("a b")), Text::from("a b"));
        let nested = Value::List(vec![Value::from(1), Value::None, Value::from("x")]);
        assert_eq!(Syntax::JavaScript.text(&nested), Text::from("1,,x"));
        assert_eq!(Syntax::Python.text(&nested), Text::from("[1, None, 'x']"));
    }

    #[test]
    fn an_enormous_integer_is_described() {
        let huge = Value::int(format!("1{}", "0".repeat(5000)).parse::<crate::value::Int>().unwrap());
        assert_eq!(Syntax::Python.literal(&huge), "<integer of 16610 bits>");
    }
}
