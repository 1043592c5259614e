//! The words and signs of a programming language, and its forms of numbers and operators: a [`Notation`] as
//! far as a table can say it.
//!
//! [`Notation`]: super::notation::Notation

use super::notation::short_escape;
use super::operator::Operator;
use std::ops::Range;

/// The words and signs of a language, and its forms of numbers and operators.
#[derive(Debug)]
pub struct Syntax {
    /// The value for nothing.
    pub none: &'static str,
    /// The value for a missing value.
    pub undefined: &'static str,
    /// The end of an integer of a separate type for large ones.
    pub big_int: &'static str,
    /// The forms of floating-point numbers.
    pub floats: Floats,
    /// The escape of a character of a text that has no short one, if it needs one.
    pub escape: fn(char) -> Option<String>,
    /// The operators that it writes unlike most languages.
    pub operations: &'static [(Operator, Operation)],
    /// The operators that it writes in yet another way if an operand is an object of the submission's own.
    pub comparisons: &'static [(Operator, Operation)],
    /// Whether a negative index counts from the end.
    pub negative_indices: bool,
    /// The operator that tells whether two values are the very same object.
    pub same_object: &'static str,
    /// The beginning of a statement that makes a name.
    pub declaration: &'static str,
    /// Whether a statement that gives a name another value declares it again.
    pub redeclares: bool,
    /// Whether an error is a value that is returned, `Err(…)`, and not raised.
    pub returns_errors: bool,
    /// The name of a method's own object.
    pub this: &'static str,
    /// The function or stream that prints.
    pub print: &'static str,
    /// The method that gives the text of an object.
    pub text_method: &'static str,
    /// The beginning of a comment.
    pub comment: &'static str,
    /// The command that runs a program, as users type it; empty for a compiled one.
    pub interpreter: &'static str,
    /// The prompt of each line of a session.
    pub prompt: &'static str,
    /// The prompt of the further lines of a statement.
    pub continuation: &'static str,
}

impl Syntax {
    /// The syntax that most languages share.
    pub const USUAL: Syntax = Syntax {
        none: "null",
        undefined: "null",
        big_int: "",
        floats: Floats::ECMASCRIPT,
        escape: short_escape,
        operations: &[],
        comparisons: &[],
        negative_indices: false,
        same_object: "==",
        declaration: "",
        redeclares: false,
        returns_errors: false,
        this: "this",
        print: "print",
        text_method: "toString",
        comment: "//",
        interpreter: "",
        prompt: "",
        continuation: "",
    };
}

/// Writes an operator with its operands, of which the right one is empty if there is only one.
pub type Operation = fn(left: &str, right: &str) -> String;

/// The form of `operator`, if it is one of `forms`.
pub(super) fn form(forms: &[(Operator, Operation)], operator: Operator) -> Option<Operation> {
    forms.iter().find(|(known, _)| *known == operator).map(|(_, form)| *form)
}

/// The usual form of operators with one operand.
pub(super) const PREFIXES: &[(Operator, Operation)] =
    &[(Operator::Negate, |of, _| format!("-{of}")), (Operator::Not, |of, _| format!("!{of}"))];

/// Comparisons of objects by their methods `equals` and `compareTo`.
pub const BY_METHODS: &[(Operator, Operation)] = &[
    (Operator::Equal, |left, right| format!("{left}.equals({right})")),
    (Operator::NotEqual, |left, right| format!("!{left}.equals({right})")),
    (Operator::Less, |left, right| format!("{left}.compareTo({right}) < 0")),
    (Operator::LessEqual, |left, right| format!("{left}.compareTo({right}) <= 0")),
    (Operator::Greater, |left, right| format!("{left}.compareTo({right}) > 0")),
    (Operator::GreaterEqual, |left, right| format!("{left}.compareTo({right}) >= 0")),
];

/// The notation of floating-point numbers in a language.
#[derive(Debug)]
pub struct Floats {
    /// Not a number.
    pub nan: &'static str,
    /// Infinity.
    pub infinity: &'static str,
    /// Infinity below zero.
    pub negative_infinity: &'static str,
    /// The sizes of numbers without an exponent, besides zero.
    pub plain: Range<f64>,
    /// The end of a whole number without an exponent.
    pub whole: &'static str,
    /// Writes a number with these digits and this exponent.
    pub scientific: fn(digits: &str, exponent: &str) -> String,
}

impl Floats {
    /// ECMAScript's: with an exponent from 1e21 up and below 1e-6.
    pub const ECMASCRIPT: Floats = Floats {
        nan: "NaN",
        infinity: "Infinity",
        negative_infinity: "-Infinity",
        plain: 1e-6..1e21,
        whole: "",
        scientific: |digits, exponent| {
            let plus = if exponent.starts_with('-') { "" } else { "+" };
            format!("{digits}e{plus}{exponent}")
        },
    };

    /// The literal for `number`.
    pub fn write(&self, number: f64) -> String {
        match number {
            _ if number.is_nan() => self.nan.to_owned(),
            f64::INFINITY => self.infinity.to_owned(),
            f64::NEG_INFINITY => self.negative_infinity.to_owned(),
            _ if number == 0.0 || self.plain.contains(&number.abs()) => {
                let end = if number.fract() == 0.0 { self.whole } else { "" };
                format!("{number}{end}")
            }
            _ => {
                let text = format!("{number:e}");
                let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                (self.scientific)(digits, exponent)
            }
        }
    }
}
