//! The lines of a `do` as syntax: reads them, within bounds, and points at the first mistake.
//!
//! [`parse_statement`] reads lines of either [`Dialect`]: the language of a `do`, or the part of Python that
//! another format has.

mod expr;
mod lexer;
mod parser;

pub use expr::{Argument, Expr, ExprKind, Name, Statement, Target};
pub use lexer::ExprError;
pub(super) use lexer::{NATIVE, is_name};
pub(super) use parser::parse_expr;
pub use parser::{literal, parse_statement};

/// A language of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The neutral language of a `do`.
    Neutral,
    /// The part of Python that a format of this name has: calls, literals and assignments, where a type may
    /// follow the target. The only operator is the sign of a number. Numbers, strings and comments are those of Python, and
    /// `None`, `True` and `False` are names.
    Python(&'static str),
}

impl Dialect {
    fn is_python(self) -> bool {
        matches!(self, Dialect::Python(_))
    }
}
