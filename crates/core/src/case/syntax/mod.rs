//! The lines of a `do` as syntax: reads them, within bounds, and points at the first mistake.

mod expr;
mod lexer;
mod parser;

pub use expr::{Argument, Expr, ExprKind, Name, Statement, Target};
pub use lexer::ExprError;
pub(super) use lexer::{NATIVE, is_name};
pub use parser::{literal, parse_expr, parse_statement};
