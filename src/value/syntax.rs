//! Writing values as Python, JavaScript, Java or Rust would, for sessions and findings.

use super::{Cut, Int, Text, Value};
use std::fmt::Write;

/// A language whose way of writing values is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Python, as `repr` writes.
    Python,
    /// JavaScript, as its own source writes.
    JavaScript,
    /// Java, as its own source writes.
    Java,
    /// Rust, as its own source writes.
    Rust,
}

/// An integer beyond this many bits is described, not written out: writing it takes quadratic time.
const WRITTEN_BITS: u64 = 1 << 12;

impl Syntax {
    /// The literal for `value`, as a session in this language shows it.
    pub fn literal(self, value: &Value) -> String {
        let all = |items: &[Value]| -> Vec<String> { items.iter().map(|item| self.literal(item)).collect() };
        match value {
            Value::None => self.pick(["None", "null", "null", "None"]).to_owned(),
            Value::Undefined => self.pick(["undefined", "undefined", "null", "None"]).to_owned(),
            Value::Bool(true) => self.pick(["True", "true", "true", "true"]).to_owned(),
            Value::Bool(false) => self.pick(["False", "false", "false", "false"]).to_owned(),
            Value::Int(int) | Value::BigInt(int) if self == Syntax::Java => java_integer(int),
            Value::Int(int) => written(int),
            Value::BigInt(int) if self == Syntax::Rust => written(int),
            Value::BigInt(int) => format!("{}n", written(int)),
            Value::Float(float) => self.float(*float),
            Value::Number(number) if self == Syntax::Java => java_double(*number),
            Value::Number(number) if self == Syntax::Rust => rust_float(*number),
            Value::Number(number) => javascript_number(*number),
            Value::Str(text) => self.string(text),
            Value::List(items) => self.list(&all(items)),
            Value::Tuple(items) => self.tuple(&all(items)),
            Value::Set(items) => self.set(&all(items)),
            Value::Dict(pairs) => {
                let pairs = pairs.iter().map(|(key, item)| (self.literal(key), self.literal(item)));
                self.dict(&pairs.collect::<Vec<_>>())
            }
            Value::Opaque(name) => format!("<{name}>"),
            Value::Cut(Cut::Size) => "<…: too large>".to_owned(),
            Value::Cut(Cut::Depth) => "<…: nested too deep>".to_owned(),
            Value::Cut(Cut::Cycle) => "<…: contains itself>".to_owned(),
        }
    }

    /// A list of what is written already.
    pub fn list(self, items: &[String]) -> String {
        let joined = items.join(", ");
        match self {
            Syntax::Python | Syntax::JavaScript => format!("[{joined}]"),
            // Those of `List.of` are not null.
            Syntax::Java if items.iter().any(|item| item == "null") => format!("Arrays.asList({joined})"),
            Syntax::Java => format!("List.of({joined})"),
            Syntax::Rust => format!("vec![{joined}]"),
        }
    }

    /// A tuple of what is written already; a list where there are none.
    pub fn tuple(self, items: &[String]) -> String {
        match (self, items) {
            (Syntax::Python | Syntax::Rust, [only]) => format!("({only},)"),
            (Syntax::Python | Syntax::Rust, _) => format!("({})", items.join(", ")),
            (Syntax::JavaScript | Syntax::Java, _) => self.list(items),
        }
    }

    /// A set of what is written already.
    pub fn set(self, items: &[String]) -> String {
        let joined = items.join(", ");
        match self {
            Syntax::Python if items.is_empty() => "set()".to_owned(),
            Syntax::Python => format!("{{{joined}}}"),
            Syntax::JavaScript if items.is_empty() => "new Set()".to_owned(),
            Syntax::JavaScript => format!("new Set([{joined}])"),
            Syntax::Java => format!("Set.of({joined})"),
            Syntax::Rust => format!("HashSet::from([{joined}])"),
        }
    }

    /// A dictionary of keys and values that are written already.
    pub fn dict(self, pairs: &[(String, String)]) -> String {
        let joined = |between: &str| {
            pairs.iter().map(|(key, item)| format!("{key}{between}{item}")).collect::<Vec<_>>().join(", ")
        };
        match self {
            Syntax::Python | Syntax::JavaScript => format!("{{{}}}", joined(": ")),
            Syntax::Java => format!("Map.of({})", joined(", ")),
            Syntax::Rust => {
                let pairs: Vec<String> = pairs.iter().map(|(key, item)| format!("({key}, {item})")).collect();
                format!("HashMap::from([{}])", pairs.join(", "))
            }
        }
    }

    /// The text of `value`: what `str(x)` gives in Python, `String(x)` in JavaScript and `String.valueOf(x)` in Java.
    pub fn text(self, value: &Value) -> Text {
        let all = |items: &[Value]| -> Vec<String> {
            items.iter().map(|item| self.text(item).to_lossy()).collect()
        };
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
            (Syntax::JavaScript | Syntax::Java | Syntax::Rust, Value::Int(int) | Value::BigInt(int)) => {
                Text::from(written(int))
            }
            (Syntax::Java, Value::List(items) | Value::Tuple(items) | Value::Set(items)) => {
                Text::from(format!("[{}]", all(items).join(", ")))
            }
            (Syntax::Java, Value::Dict(pairs)) => {
                let pair = |(key, item): &(Value, Value)| {
                    format!("{}={}", self.text(key).to_lossy(), self.text(item).to_lossy())
                };
                Text::from(format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", ")))
            }
            _ => Text::from(self.literal(value)),
        }
    }

    /// Whether the language tells tuples from lists, so that a list is no answer where a tuple is expected.
    pub fn tells_tuples(self) -> bool {
        match self {
            Syntax::Python => true,
            Syntax::JavaScript | Syntax::Java | Syntax::Rust => false,
        }
    }

    /// The word for something in this language, of those in Python, JavaScript, Java and Rust.
    pub fn pick(self, [python, javascript, java, rust]: [&str; 4]) -> &str {
        match self {
            Syntax::Python => python,
            Syntax::JavaScript => javascript,
            Syntax::Java => java,
            Syntax::Rust => rust,
        }
    }

    fn float(self, float: f64) -> String {
        match self {
            Syntax::JavaScript => javascript_number(float),
            Syntax::Java => java_double(float),
            Syntax::Rust => rust_float(float),
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

    fn string(self, text: &Text) -> String {
        let plain = text.to_lossy();
        // Python prefers single quotes unless the text has them and no double ones; the others show double.
        let quote = match self {
            Syntax::Python if plain.contains('\'') && !plain.contains('"') => '"',
            Syntax::Python => '\'',
            Syntax::JavaScript | Syntax::Java | Syntax::Rust => '"',
        };
        let mut out = String::from(quote);
        match text {
            Text::Unicode(unicode) => unicode.chars().for_each(|ch| self.escape(&mut out, ch, quote)),
            Text::IllFormed(units) => {
                for unit in char::decode_utf16(units.iter().copied()) {
                    match unit {
                        Ok(ch) => self.escape(&mut out, ch, quote),
                        Err(lone) => {
                            let _ = write!(out, "\\u{:04x}", lone.unpaired_surrogate());
                        }
                    }
                }
            }
        }
        out.push(quote);
        out
    }

    fn escape(self, out: &mut String, ch: char, quote: char) {
        match ch {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if ch == quote => {
                out.push('\\');
                out.push(ch);
            }
            _ if self == Syntax::Rust && (ch.is_control() || is_mark(ch)) => {
                let _ = write!(out, "\\u{{{:x}}}", ch as u32);
            }
            // Controls, C1 ones too, and the marks that reorder or hide text, are written so that they can be seen.
            '\0'..'\x20' | '\u{7f}'..='\u{9f}' if self != Syntax::Java => {
                let _ = write!(out, "\\x{:02x}", ch as u32);
            }
            _ if ch.is_control() || is_mark(ch) => {
                let _ = write!(out, "\\u{:04x}", ch as u32);
            }
            _ => out.push(ch),
        }
    }
}

/// Whether a character reorders or hides text.
fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn written(int: &Int) -> String {
    if int.bits() > WRITTEN_BITS { format!("<integer of {} bits>", int.bits()) } else { int.to_string() }
}

/// An integer as the smallest of Java's types holds it.
fn java_integer(int: &Int) -> String {
    match int.bits() {
        ..32 => int.to_string(),
        32..64 => format!("{int}L"),
        _ => format!("new BigInteger(\"{}\")", written(int)),
    }
}

/// A number as Rust's source has it.
fn rust_float(number: f64) -> String {
    match number {
        _ if number.is_nan() => "f64::NAN".to_owned(),
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        _ => format!("{number:?}"),
    }
}

/// A number as Java's `Double.toString` writes it: with an exponent from 1e7 up and below 1e-3.
fn java_double(number: f64) -> String {
    if number.is_nan() {
        return "Double.NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Double.POSITIVE_INFINITY" } else { "Double.NEGATIVE_INFINITY" }.to_owned();
    }
    if number == 0.0 || (1e-3..1e7).contains(&number.abs()) {
        return format!("{number:?}");
    }
    let text = format!("{number:E}");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        Some(_) | None => text,
    }
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
    fn check(value: Value, python: &str, javascript: &str, java: &str, rust: &str) {
        assert_eq!(Syntax::Python.literal(&value), python);
        assert_eq!(Syntax::JavaScript.literal(&value), javascript);
        assert_eq!(Syntax::Java.literal(&value), java);
        assert_eq!(Syntax::Rust.literal(&value), rust);
    }

    #[test]
    fn values_are_written_as_each_language_writes_them() {
        check(Value::None, "None", "null", "null", "None");
        check(Value::from(true), "True", "true", "true", "true");
        check(Value::Tuple(vec![Value::from(1)]), "(1,)", "[1]", "List.of(1)", "(1,)");
        check(
            Value::Tuple(vec![Value::from(1), Value::from(2)]),
            "(1, 2)",
            "[1, 2]",
            "List.of(1, 2)",
            "(1, 2)",
        );
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
    }

    #[test]
    fn floats_are_written_as_each_language_writes_them() {
        check(Value::Float(1.0), "1.0", "1", "1.0", "1.0");
        check(Value::Float(-0.0), "-0.0", "-0", "-0.0", "-0.0");
        check(Value::Float(1e16), "1e+16", "10000000000000000", "1.0E16", "1e16");
        check(Value::Float(1.5e-7), "1.5e-07", "1.5e-7", "1.5E-7", "1.5e-7");
        check(Value::Float(1e22), "1e+22", "1e+22", "1.0E22", "1e22");
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
        assert_eq!(Syntax::Python.text(&Value::from("a b")), Text::from("a b"));
        let nested = Value::List(vec![Value::from(1), Value::None, Value::from("x")]);
        assert_eq!(Syntax::JavaScript.text(&nested), Text::from("1,,x"));
        assert_eq!(Syntax::Python.text(&nested), Text::from("[1, None, 'x']"));
        assert_eq!(Syntax::Java.text(&nested), Text::from("[1, null, x]"));
        let dict = Value::Dict(vec![(Value::from("a"), Value::from(1 << 40))]);
        assert_eq!(Syntax::Java.text(&dict), Text::from("{a=1099511627776}"));
    }

    #[test]
    fn an_enormous_integer_is_described() {
        let huge = Value::int(format!("1{}", "0".repeat(5000)).parse::<crate::value::Int>().unwrap());
        assert_eq!(Syntax::Python.literal(&huge), "<integer of 16610 bits>");
    }
}
