//! Writing values and statements as a programming language does, for sessions and findings.

use super::operator::{Builtin, Operator};
use super::syntax::{Floats, PREFIXES, Syntax, form};
use super::{Bundle, Cut, Int, Text, Value};
use crate::named::Named;
use std::fmt::{Debug, Write};

/// A larger integer than this many bits is described, not written out: writing it takes quadratic time.
const WRITTEN_BITS: u64 = 1 << 12;

/// The notation of values, and of the statements of a session, in a programming language.
///
/// Each language has one, with a name to compare by.
pub trait Notation: Debug + Sync {
    /// The language, as exercise files name it.
    fn language(&self) -> &'static str;

    /// The words and signs of the language, and its forms of numbers and operators.
    fn syntax(&self) -> &'static Syntax;

    /// The names of the types of values.
    fn types(&self) -> TypeNames;

    /// Whether the values for nothing and for a missing value are the same in this language.
    fn has_one_nothing(&self) -> bool {
        true
    }

    /// The type of dictionaries whose keys may be any values, if a usual dictionary of the language has only texts
    /// as keys.
    fn any_keyed(&self) -> Option<&'static str> {
        None
    }

    /// A boolean.
    fn bool(&self, truth: bool) -> &'static str {
        if truth { "true" } else { "false" }
    }

    /// An integer.
    fn int(&self, int: &Int) -> String {
        int_text(int)
    }

    /// An integer of a separate type for large ones.
    fn big_int(&self, int: &Int) -> String {
        format!("{}{}", self.int(int), self.syntax().big_int)
    }

    /// A floating-point number.
    fn float(&self, number: f64) -> String {
        self.syntax().floats.write(number)
    }

    /// A number in a language with one number type.
    fn number(&self, number: f64) -> String {
        self.float(number)
    }

    /// A text, in quotes.
    fn string(&self, text: &Text) -> String {
        quoted(text, '"', self.syntax().escape)
    }

    /// A list of items that are already written.
    fn list(&self, items: &[String]) -> String {
        format!("[{}]", items.join(", "))
    }

    /// A tuple of items that are already written; a list if there are no tuples.
    fn tuple(&self, items: &[String]) -> String {
        match items {
            _ if self.types().tuple == self.types().list => self.list(items),
            [only] => format!("({only},)"),
            _ => format!("({})", items.join(", ")),
        }
    }

    /// A set of items that are already written.
    fn set(&self, items: &[String]) -> String;

    /// A dictionary of keys and values that are already written.
    fn dict(&self, items: &[(String, String)]) -> String {
        format!("{{{}}}", pairs(items, ": "))
    }

    /// The literal for `value`, as a session in this language shows it.
    fn literal(&self, value: &Value) -> String {
        let all = |items: &[Value]| -> Vec<String> { items.iter().map(|item| self.literal(item)).collect() };
        match value {
            Value::None => self.syntax().none.to_owned(),
            Value::Undefined => self.syntax().undefined.to_owned(),
            Value::Bool(truth) => self.bool(*truth).to_owned(),
            Value::Int(int) => self.int(int),
            Value::BigInt(int) => self.big_int(int),
            Value::Float(float) => self.float(*float),
            Value::Number(number) => self.number(*number),
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

    /// The text of `value`: what `str(x)` gives in Python, `String(x)` in JavaScript and `String.valueOf(x)`
    /// in Java.
    fn text(&self, value: &Value) -> Text {
        if let Value::Str(text) = value { text.clone() } else { Text::from(self.literal(value)) }
    }

    /// Whether this is the text of an object whose class has no method for its text.
    fn is_object_text(&self, _text: &str) -> bool {
        false
    }

    /// Whether the language has tuples as well as lists, so that a list is wrong where a tuple is expected.
    fn has_tuples(&self) -> bool {
        false
    }

    /// Whether a class can have this arithmetic operator, `repr` or slices (`[:]`), as `__add__` is for `+` in Python.
    fn has_own(&self, _operation: &str) -> bool {
        false
    }

    /// Markdown's name for a session in this language.
    fn markdown(&self) -> &'static str {
        self.language()
    }

    /// Dodona's name for a session in this language.
    fn dodona(&self) -> &'static str {
        self.language()
    }

    /// A new object of `class`.
    fn new_object(&self, class: &str, args: &str) -> String {
        format!("new {class}({args})")
    }

    /// The text of the result of `expr`.
    fn text_of(&self, expr: &str) -> String {
        format!("{expr}.toString()")
    }

    /// The statement that assigns the result of `expr`.
    fn binding(&self, name: &str, expr: &str) -> String {
        self.statement(&format!("{}{name} = {expr}", self.syntax().declaration))
    }

    /// The statement that prints the result of `expr`, which `is_text` or is an object.
    fn printing(&self, expr: &str, is_text: bool) -> String;

    /// The command that runs the program in a file, as users type it: what a compiled one becomes has its name.
    fn running(&self, file: &str) -> String {
        match (self.syntax().interpreter, file.rsplit_once('.')) {
            ("", Some((stem, _))) => format!("./{stem}"),
            ("", None) => format!("./{file}"),
            (interpreter, _) => format!("{interpreter} {file}"),
        }
    }

    /// The statement that only runs `expr`.
    fn statement(&self, expr: &str) -> String {
        expr.to_owned()
    }

    /// The statement that gives each of `names` an item of the result of `expr`.
    fn unpacking(&self, names: &[String], expr: &str) -> String;

    /// An attribute of `on`.
    fn attribute(&self, on: &str, name: &str) -> String {
        format!("{on}.{name}")
    }

    /// The statement that sets an attribute of `on`.
    fn set_attribute(&self, on: &str, name: &str, value: &str) -> String {
        self.statement(&format!("{} = {value}", self.attribute(on, name)))
    }

    /// An index or a bound of `on`, which may count from the end.
    fn index(&self, on: &str, index: &str) -> String {
        match index.strip_prefix('-') {
            Some(back) if !self.syntax().negative_indices => {
                format!("{} - {back}", self.builtin(Builtin::Len, &[on.to_owned()]))
            }
            Some(_) | None => index.to_owned(),
        }
    }

    /// An item of `on`.
    fn item(&self, on: &str, index: &str) -> String {
        format!("{on}[{}]", self.index(on, index))
    }

    /// The statement that sets an item of `on`.
    fn set_item(&self, on: &str, index: &str, value: &str) -> String {
        self.statement(&format!("{on}[{}] = {value}", self.index(on, index)))
    }

    /// A part of `on`, from the first bound to before the second, at distances of the third; each may be
    /// omitted.
    fn slice(&self, on: &str, bounds: [Option<&str>; 3]) -> String;

    /// An operator with its operands.
    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        let (left, right) = both(operands);
        match form(self.syntax().operations, operator).or_else(|| form(PREFIXES, operator)) {
            Some(operation) => operation(left, right),
            None => format!("{left} {} {right}", operator.name()),
        }
    }

    /// A comparison of operands of which one is an object of the submission's own.
    fn comparison(&self, operator: Operator, operands: &[String]) -> String {
        let (left, right) = both(operands);
        match form(self.syntax().comparisons, operator) {
            Some(comparison) => comparison(left, right),
            None => self.operation(operator, operands),
        }
    }

    /// Whether the first operand is not in the second.
    fn not_in(&self, operands: &[String]) -> String {
        format!("!{}", self.operation(Operator::In, operands))
    }

    /// A function that every language has in some form, with its arguments.
    fn builtin(&self, builtin: Builtin, args: &[String]) -> String;

    /// The lines that import `names` of a submission into a session.
    fn imports(&self, _names: &[String], _bundle: &Bundle) -> Vec<String> {
        Vec::new()
    }

    /// The prefix of the name of a function that a submission defines.
    fn owner(&self, _function: &str, _bundle: &Bundle) -> String {
        String::new()
    }
}

impl PartialEq for dyn Notation {
    fn eq(&self, other: &dyn Notation) -> bool {
        self.language() == other.language()
    }
}

impl Eq for dyn Notation {}

/// A language's names for the types of values.
#[derive(Clone, Copy, Debug)]
pub struct TypeNames {
    /// The value for nothing.
    pub none: &'static str,
    /// A missing value.
    pub undefined: &'static str,
    /// Booleans.
    pub bool: &'static str,
    /// Integers.
    pub int: &'static str,
    /// Integers of a separate type for large ones.
    pub big_int: &'static str,
    /// Floating-point numbers.
    pub float: &'static str,
    /// Texts.
    pub string: &'static str,
    /// Lists.
    pub list: &'static str,
    /// Tuples.
    pub tuple: &'static str,
    /// Sets.
    pub set: &'static str,
    /// Dictionaries.
    pub dict: &'static str,
}

impl TypeNames {
    /// Whether it is the name of one of these types; a language may spell that of its objects with a capital.
    pub fn has(&self, name: &str) -> bool {
        let TypeNames { none, undefined, bool, int, big_int, float, string, list, tuple, set, dict } = self;
        let all = [none, undefined, bool, int, big_int, float, string, list, tuple, set, dict];
        all.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The two operands of an operator; those that are not there are empty.
pub(crate) fn both(operands: &[String]) -> (&str, &str) {
    let operand = |at: usize| operands.get(at).map_or("", String::as_str);
    (operand(0), operand(1))
}

/// `text` within `quote`. `hidden` writes invisible characters without an escape of their own.
pub(crate) fn quoted(text: &Text, quote: char, hidden: fn(char) -> Option<String>) -> String {
    let mut out = String::from(quote);
    let escape = |out: &mut String, ch: char| match ch {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        _ if ch == quote => out.extend(['\\', ch]),
        _ => match hidden(ch) {
            Some(escaped) => out.push_str(&escaped),
            None => out.push(ch),
        },
    };
    match text {
        Text::Unicode(unicode) => unicode.chars().for_each(|ch| escape(&mut out, ch)),
        Text::IllFormed(units) => {
            for unit in char::decode_utf16(units.iter().copied()) {
                match unit {
                    Ok(ch) => escape(&mut out, ch),
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

/// The escape of an invisible character, in a language with `\x1b` and `\u200b`: controls, including C1, and
/// the marks that reorder or hide text.
pub(crate) fn short_escape(ch: char) -> Option<String> {
    match ch {
        '\0'..'\x20' | '\u{7f}'..='\u{9f}' => Some(format!("\\x{:02x}", ch as u32)),
        _ => unicode_escape(ch),
    }
}

/// Like [`short_escape`], for a language with only `\u200b`.
pub(crate) fn unicode_escape(ch: char) -> Option<String> {
    is_hidden(ch).then(|| format!("\\u{:04x}", ch as u32))
}

/// Whether a character is invisible, or reorders or hides text.
#[doc(hidden)]
pub fn is_hidden(ch: char) -> bool {
    let mark = matches!(ch, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    ch.is_control() || mark
}

/// An integer in digits, or a description of its size.
pub(crate) fn int_text(int: &Int) -> String {
    if int.bits() > WRITTEN_BITS { format!("<integer of {} bits>", int.bits()) } else { int.to_string() }
}

/// Keys and values with a separator, joined by commas.
pub(crate) fn pairs(pairs: &[(String, String)], between: &str) -> String {
    pairs.iter().map(|(key, item)| format!("{key}{between}{item}")).collect::<Vec<_>>().join(", ")
}

/// A number as ECMAScript writes it.
#[doc(hidden)]
pub fn double(number: f64) -> String {
    Floats::ECMASCRIPT.write(number)
}
