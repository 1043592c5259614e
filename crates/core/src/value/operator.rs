//! The operators and common functions of the neutral language, by name.

use crate::named;

/// An operator. On plain values it means what it means in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-` with two operands
    Subtract,
    /// `*`
    Multiply,
    /// `/`: a float
    Divide,
    /// `//`: rounded down
    FloorDivide,
    /// `%`: with the sign of the divisor
    Modulo,
    /// `**`
    Power,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`: the first operand is in the second
    In,
    /// `-` with one operand
    Negate,
    /// `not`
    Not,
}

// Names in the protocol, which are also signs, except for `neg`.
named!(Operator {
    Add = "+",
    Subtract = "-",
    Multiply = "*",
    Divide = "/",
    FloorDivide = "//",
    Modulo = "%",
    Power = "**",
    Equal = "==",
    NotEqual = "!=",
    Less = "<",
    LessEqual = "<=",
    Greater = ">",
    GreaterEqual = ">=",
    In = "in",
    Negate = "neg",
    Not = "not",
});

/// A function that cases may use on every value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The number of items.
    Len,
    /// The text of a value.
    Str,
    /// The representation of a value.
    Repr,
    /// A list of the items.
    List,
    /// A list of the items in order.
    Sorted,
    /// Whether a value is an object of a class.
    IsInstance,
}

named!(Builtin {
    Len = "len",
    Str = "str",
    Repr = "repr",
    List = "list",
    Sorted = "sorted",
    IsInstance = "isinstance",
});

impl Builtin {
    /// The number of its arguments.
    pub fn arity(self) -> usize {
        match self {
            Builtin::Len | Builtin::Str | Builtin::Repr | Builtin::List | Builtin::Sorted => 1,
            Builtin::IsInstance => 2,
        }
    }
}
