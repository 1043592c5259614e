//! The operators and common functions of the neutral language, by name.

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

impl Operator {
    /// All of them, each as the protocol writes it.
    pub const ALL: [(Operator, &'static str); 16] = [
        (Operator::Add, "+"),
        (Operator::Subtract, "-"),
        (Operator::Multiply, "*"),
        (Operator::Divide, "/"),
        (Operator::FloorDivide, "//"),
        (Operator::Modulo, "%"),
        (Operator::Power, "**"),
        (Operator::Equal, "=="),
        (Operator::NotEqual, "!="),
        (Operator::Less, "<"),
        (Operator::LessEqual, "<="),
        (Operator::Greater, ">"),
        (Operator::GreaterEqual, ">="),
        (Operator::In, "in"),
        (Operator::Negate, "neg"),
        (Operator::Not, "not"),
    ];

    /// The name in the protocol, which is also the sign, except for `neg`.
    pub fn name(self) -> &'static str {
        Operator::ALL.iter().find(|(operator, _)| *operator == self).map_or("", |(_, name)| name)
    }

    /// The operator with this name in the protocol.
    pub fn named(name: &str) -> Option<Operator> {
        Operator::ALL.iter().find(|(_, known)| *known == name).map(|(operator, _)| *operator)
    }
}

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

impl Builtin {
    /// All of them, with their names.
    pub const ALL: [(Builtin, &'static str); 6] = [
        (Builtin::Len, "len"),
        (Builtin::Str, "str"),
        (Builtin::Repr, "repr"),
        (Builtin::List, "list"),
        (Builtin::Sorted, "sorted"),
        (Builtin::IsInstance, "isinstance"),
    ];

    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(builtin, _)| *builtin == self).map_or("", |(_, name)| name)
    }

    /// The function with this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().find(|(_, known)| *known == name).map(|(builtin, _)| *builtin)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Builtin::Len | Builtin::Str | Builtin::Repr | Builtin::List | Builtin::Sorted => 1,
            Builtin::IsInstance => 2,
        }
    }
}
