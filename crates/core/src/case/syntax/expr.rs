//! The tree of a line: `name = expr`, with calls, attributes, items, operators and literals.
//!
//! An expression is only syntax here: [`super::parser`] reads it, and `case::resolve` resolves its names to
//! what an exercise defines.

use crate::case::node::Operator;
use crate::value::Value;
use std::ops::Range;

/// A line of a step: an expression whose value may go somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The target of the value.
    pub target: Target,
    /// The type after the target, in a dialect that has it.
    pub annotation: Option<String>,
    /// The expression.
    pub expr: Expr,
}

/// The target of the value of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Nowhere.
    Nothing,
    /// To a name.
    Name(Name),
    /// Each item to one of these names.
    Names(Vec<Name>),
    /// To an attribute or an item.
    Place(Expr),
}

/// A name with its bytes in the line.
pub type Name = (String, Range<usize>);

/// An expression with its bytes in the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The expression itself.
    pub kind: ExprKind,
    /// The bytes of the name in the line.
    pub span: Range<usize>,
    /// The levels of expressions in it, with itself.
    pub(super) height: usize,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A scalar literal.
    Literal(Value),
    /// A bound name.
    Name(String),
    /// A call of a constructor or a function.
    Call(String, Vec<Argument>),
    /// A call of a method.
    Method(Box<Expr>, String, Range<usize>, Vec<Argument>),
    /// An attribute: `x.name`.
    Attribute(Box<Expr>, String, Range<usize>),
    /// `x[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `x[i:j:k]`
    Slice(Box<Expr>, Box<[Option<Expr>; 3]>),
    /// An operator with one or two operands.
    Operation(Operator, Vec<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `{a, b}` or `set()`
    Set(Vec<Expr>),
    /// `{a: b}`
    Dict(Vec<(Expr, Expr)>),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The keyword, if there is one.
    pub keyword: Option<(String, Range<usize>)>,
    /// The value that is given.
    pub value: Expr,
}

impl Expr {
    /// The value of an expression that consists of literals only.
    pub fn literal(&self) -> Option<Value> {
        let all = |items: &[Expr]| items.iter().map(Expr::literal).collect::<Option<Vec<_>>>();
        match &self.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            ExprKind::Name(_)
            | ExprKind::Call(..)
            | ExprKind::Method(..)
            | ExprKind::Attribute(..)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Operation(..) => None,
            ExprKind::List(items) => all(items).map(Value::List),
            ExprKind::Tuple(items) => all(items).map(Value::Tuple),
            ExprKind::Set(items) => all(items).map(Value::Set),
            ExprKind::Dict(pairs) => pairs
                .iter()
                .map(|(key, value)| Some((key.literal()?, value.literal()?)))
                .collect::<Option<Vec<_>>>()
                .map(Value::Dict),
        }
    }
}
