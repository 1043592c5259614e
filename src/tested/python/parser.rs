//! Reads statements and values.

use super::{Cast, PyExpr, PyStatement, PythonArgument, cast, class_name, typed};
use keur_core::case::syntax::{self, Argument, Dialect, Expr, ExprError, ExprKind, Target};
use keur_core::named::Named;
use keur_core::value::operator::Operator;
use keur_core::value::{Text, Value};
use std::ops::Range;

/// Reads a statement of TESTed.
///
/// # Errors
/// The first error.
pub(in crate::tested) fn parse_statement(text: &str) -> Result<PyStatement, ExprError> {
    Converter { own: None }.statement(text)
}

/// Reads a line of a `do` as a statement of TESTed. The exercise defines the functions called as `own` says.
///
/// # Errors
/// The part that TESTed lacks, or would take for one of its own.
pub(in crate::tested) fn parse_line(
    text: &str,
    own: &dyn Fn(&str) -> bool,
) -> Result<PyStatement, ExprError> {
    Converter { own: Some(own) }.statement(text)
}

/// Reads a value: a literal.
///
/// # Errors
/// The first error, or that it is not a literal.
pub(in crate::tested) fn parse_value(text: &str) -> Result<PyExpr, ExprError> {
    let statement = parse_statement(text)?;
    if statement.target.is_none() && statement.value.is_literal() {
        Ok(statement.value)
    } else {
        Err(ExprError::new("an expected value is a literal", 0..text.len()))
    }
}

fn lacking(what: &str, span: Range<usize>) -> ExprError {
    ExprError::new(format!("TESTed has no {what}"), span)
}

/// Makes expressions of TESTed of those of the neutral language.
struct Converter<'a> {
    /// Tells which functions are the exercise's own, in a line of a `do`; without it, a line is one of
    /// TESTed.
    own: Option<&'a dyn Fn(&str) -> bool>,
}

impl Converter<'_> {
    fn statement(&self, text: &str) -> Result<PyStatement, ExprError> {
        let dialect = if self.own.is_some() { Dialect::Neutral } else { Dialect::Python("TESTed") };
        let statement = syntax::parse_statement(text, dialect)?;
        let target = match statement.target {
            Target::Nothing => None,
            Target::Name((name, span)) => {
                let target = self.named(name, span.clone())?;
                if target.is_literal() {
                    return Err(ExprError::new("only names, attributes and items can be assigned to", span));
                }
                Some(target)
            }
            Target::Names(_) => return Err(lacking("assignment to several names", 0..text.len())),
            Target::Place(place) => Some(self.expr(place)?),
        };
        let class = statement.annotation.filter(|name| cast(name).is_none()).map(|name| class_name(&name));
        Ok(PyStatement { target, class, value: self.expr(statement.expr)? })
    }

    fn expr(&self, Expr { kind, span, .. }: Expr) -> Result<PyExpr, ExprError> {
        Ok(match kind {
            ExprKind::Literal(Value::None) => PyExpr::Nothing,
            ExprKind::Literal(Value::Bool(truth)) => PyExpr::Bool(truth),
            ExprKind::Literal(Value::Int(int)) => PyExpr::Int(int.to_string()),
            ExprKind::Literal(Value::Float(float)) => PyExpr::Float(float),
            ExprKind::Literal(Value::Str(Text::Unicode(text))) => PyExpr::Text(text),
            ExprKind::Literal(_) => return Err(lacking("literal like this", span)),
            ExprKind::Name(name) => self.named(name, span)?,
            ExprKind::Call(name, args) => self.call(name, self.arguments(args)?, span)?,
            ExprKind::Method(on, name, _, args) => {
                PyExpr::Method(Box::new(self.expr(*on)?), name, self.arguments(args)?)
            }
            ExprKind::Attribute(on, name, _) => PyExpr::Attribute(Box::new(self.expr(*on)?), name),
            ExprKind::Index(on, index) => {
                PyExpr::Index(Box::new(self.expr(*on)?), Box::new(self.expr(*index)?))
            }
            ExprKind::Slice(..) => return Err(lacking("slices", span)),
            ExprKind::Operation(Operator::Negate, _) => return Err(lacking("operator `-`", span)),
            ExprKind::Operation(operator, _) => {
                return Err(lacking(&format!("operator `{}`", operator.name()), span));
            }
            ExprKind::List(items) => PyExpr::List(self.exprs(items)?),
            ExprKind::Tuple(items) => PyExpr::Tuple(self.exprs(items)?),
            ExprKind::Set(items) => PyExpr::Set(self.exprs(items)?),
            ExprKind::Dict(pairs) => {
                let pairs = pairs.into_iter().map(|(key, value)| Ok((self.expr(key)?, self.expr(value)?)));
                PyExpr::Dict(pairs.collect::<Result<_, ExprError>>()?)
            }
        })
    }

    /// The meaning of a name.
    fn named(&self, name: String, span: Range<usize>) -> Result<PyExpr, ExprError> {
        Ok(match name.as_str() {
            "Null" | "Undefined" if self.own.is_some() => {
                return Err(ExprError::new(format!("TESTed has a `{name}` of its own"), span));
            }
            "None" | "Null" => PyExpr::Nothing,
            "Undefined" => return Err(ExprError::new("keur does not tell `undefined` from `null`", span)),
            "True" => PyExpr::Bool(true),
            "False" => PyExpr::Bool(false),
            _ => PyExpr::Name(name),
        })
    }

    fn exprs(&self, all: Vec<Expr>) -> Result<Vec<PyExpr>, ExprError> {
        all.into_iter().map(|item| self.expr(item)).collect()
    }

    fn arguments(&self, args: Vec<Argument>) -> Result<Vec<PythonArgument>, ExprError> {
        let args = args.into_iter().map(|Argument { keyword, value }| {
            Ok(PythonArgument { keyword: keyword.map(|(name, _)| name), value: self.expr(value)? })
        });
        args.collect()
    }

    /// A call; that of a type of TESTed is a value of this type.
    fn call(&self, name: String, args: Vec<PythonArgument>, span: Range<usize>) -> Result<PyExpr, ExprError> {
        if cast(&name).is_some() && self.own.is_some_and(|own| own(&name)) {
            return Err(ExprError::new(format!("TESTed has a `{name}` of its own"), span));
        }
        let value = match (cast(&name), args.as_slice()) {
            (None, _) if self.own.is_none() && name.starts_with(char::is_uppercase) => {
                return Ok(PyExpr::Call(class_name(&name), args));
            }
            (None, _) => return Ok(PyExpr::Call(name, args)),
            (Some(Cast::List | Cast::Tuple | Cast::Set | Cast::Dict), []) => PyExpr::Nothing,
            (Some(_), [PythonArgument { keyword: None, value }]) => value.clone(),
            (Some(_), _) => return Err(ExprError::new(format!("`{name}` needs one argument"), span)),
        };
        typed(&name, value).unwrap_or(Ok(PyExpr::Call(name, args))).map_err(|why| ExprError::new(why, span))
    }
}
