//! Reads statements and values.

use super::tokens::{PyToken, PyTokenKind, tokens};
use super::{Cast, PyExpr, PyStatement, PythonArgument, SyntaxError, cast, typed};
use std::ops::Range;

/// The deepest nesting of a statement.
const DEEPEST: usize = 60;

/// Reads a statement.
///
/// # Errors
/// The first error.
pub(in crate::tested) fn parse_statement(text: &str) -> Result<PyStatement, SyntaxError> {
    let mut parser = PyParser::new(text)?;
    let first = parser.expr()?;
    let mut class = None;
    let mut annotated = false;
    if parser.eat(":") {
        annotated = true;
        class = match parser.next().kind.clone() {
            PyTokenKind::Name(name) | PyTokenKind::Text(name) if cast(&name).is_none() => Some(name),
            PyTokenKind::Name(_) | PyTokenKind::Text(_) => None,
            PyTokenKind::Number(_) | PyTokenKind::Mark(_) | PyTokenKind::End => {
                return Err(SyntaxError::new("expected a type", parser.at()));
            }
        };
    }
    let statement = if parser.eat("=") {
        if !matches!(first, PyExpr::Name(_) | PyExpr::Attribute(..) | PyExpr::Index(..)) {
            return Err(SyntaxError::new(
                "only a name, an attribute or an item can be assigned",
                parser.at(),
            ));
        }
        PyStatement { target: Some(first), class, value: parser.expr()? }
    } else if annotated {
        return Err(SyntaxError::new("expected `=`", parser.at()));
    } else {
        PyStatement { target: None, class: None, value: first }
    };
    match parser.tokens[parser.position].kind {
        PyTokenKind::End => Ok(statement),
        PyTokenKind::Name(_) | PyTokenKind::Number(_) | PyTokenKind::Text(_) | PyTokenKind::Mark(_) => Err(
            SyntaxError::new("TESTed has no more syntax than calls, literals and assignments", parser.at()),
        ),
    }
}

/// Reads a value: a literal.
///
/// # Errors
/// The first error, or that it is not a literal.
pub(in crate::tested) fn parse_value(text: &str) -> Result<PyExpr, SyntaxError> {
    let statement = parse_statement(text)?;
    if statement.target.is_none() && statement.value.is_literal() {
        Ok(statement.value)
    } else {
        Err(SyntaxError::new("an expected value is a literal", 0..text.len()))
    }
}

struct PyParser {
    tokens: Vec<PyToken>,
    position: usize,
    depth: usize,
}

impl PyParser {
    fn new(text: &str) -> Result<PyParser, SyntaxError> {
        Ok(PyParser { tokens: tokens(text)?, position: 0, depth: 0 })
    }

    fn at(&self) -> Range<usize> {
        self.tokens[self.position].span.clone()
    }

    fn next(&mut self) -> &PyToken {
        let position = self.position;
        // The last token is the end, which is never passed.
        self.position = (position + 1).min(self.tokens.len() - 1);
        &self.tokens[position]
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = matches!(self.tokens[self.position].kind, PyTokenKind::Mark(ch) if mark.starts_with(ch));
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Result<(), SyntaxError> {
        if self.eat(mark) { Ok(()) } else { Err(SyntaxError::new(format!("expected `{mark}`"), self.at())) }
    }

    fn expr(&mut self) -> Result<PyExpr, SyntaxError> {
        let outside = self.depth;
        self.deeper()?;
        let mut expr = self.atom()?;
        loop {
            if self.eat(".") {
                self.deeper()?;
                let at = self.at();
                let PyTokenKind::Name(name) = self.next().kind.clone() else {
                    return Err(SyntaxError::new("expected a name", at));
                };
                expr = if self.eat("(") {
                    PyExpr::Method(Box::new(expr), name, self.arguments()?)
                } else {
                    PyExpr::Attribute(Box::new(expr), name)
                };
            } else if self.eat("[") {
                self.deeper()?;
                let index = self.expr()?;
                self.expect("]")?;
                expr = PyExpr::Index(Box::new(expr), Box::new(index));
            } else {
                break;
            }
        }
        self.depth = outside;
        Ok(expr)
    }

    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(SyntaxError::new("nested too deep", self.at())) } else { Ok(()) }
    }

    fn atom(&mut self) -> Result<PyExpr, SyntaxError> {
        let at = self.at();
        match self.next().kind.clone() {
            PyTokenKind::Number(number) => Ok(number),
            PyTokenKind::Text(mut text) => {
                // Literals beside one another are one.
                while let PyTokenKind::Text(more) = &self.tokens[self.position].kind {
                    text.push_str(more);
                    self.next();
                }
                Ok(PyExpr::Text(text))
            }
            PyTokenKind::Name(name) if self.eat("(") => {
                let args = self.arguments()?;
                self.call(name, args, at)
            }
            PyTokenKind::Name(name) => Ok(match name.as_str() {
                "None" | "Null" => PyExpr::Nothing,
                "Undefined" => {
                    return Err(SyntaxError::new("keur does not tell `undefined` from `null`", at));
                }
                "True" => PyExpr::Bool(true),
                "False" => PyExpr::Bool(false),
                _ => PyExpr::Name(name),
            }),
            PyTokenKind::Mark('-') => match self.next().kind.clone() {
                PyTokenKind::Number(PyExpr::Int(digits)) => Ok(PyExpr::Int(format!("-{digits}"))),
                PyTokenKind::Number(PyExpr::Float(float)) => Ok(PyExpr::Float(-float)),
                PyTokenKind::Name(_)
                | PyTokenKind::Number(_)
                | PyTokenKind::Text(_)
                | PyTokenKind::Mark(_)
                | PyTokenKind::End => Err(SyntaxError::new("`-` needs a number", at)),
            },
            PyTokenKind::Mark('[') => Ok(PyExpr::List(self.items("]")?.0)),
            PyTokenKind::Mark('(') => {
                let (mut items, comma) = self.items(")")?;
                Ok(if items.len() == 1 && !comma { items.remove(0) } else { PyExpr::Tuple(items) })
            }
            PyTokenKind::Mark('{') => self.braces(),
            PyTokenKind::Mark(_) | PyTokenKind::End => Err(SyntaxError::new("expected an expression", at)),
        }
    }

    /// A call; that of a type of TESTed is a value of this type.
    fn call(&self, name: String, args: Vec<PythonArgument>, at: Range<usize>) -> Result<PyExpr, SyntaxError> {
        let value = match (cast(&name), args.as_slice()) {
            (None, _) => return Ok(PyExpr::Call(name, args)),
            (Some(Cast::List | Cast::Tuple | Cast::Set | Cast::Dict), []) => PyExpr::Nothing,
            (Some(_), [PythonArgument { keyword: None, value }]) => value.clone(),
            (Some(_), _) => return Err(SyntaxError::new(format!("`{name}` needs one argument"), at)),
        };
        typed(&name, value).unwrap_or(Ok(PyExpr::Call(name, args))).map_err(|why| SyntaxError::new(why, at))
    }

    fn items(&mut self, close: &str) -> Result<(Vec<PyExpr>, bool), SyntaxError> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.eat(close) {
            if !items.is_empty() && !comma {
                return Err(SyntaxError::new(format!("expected `{close}`"), self.at()));
            }
            items.push(self.expr()?);
            comma = self.eat(",");
        }
        Ok((items, comma))
    }

    fn braces(&mut self) -> Result<PyExpr, SyntaxError> {
        if self.eat("}") {
            return Ok(PyExpr::Dict(Vec::new()));
        }
        let first = self.expr()?;
        if !self.eat(":") {
            let mut items = vec![first];
            if self.eat(",") {
                items.extend(self.items("}")?.0);
            } else {
                self.expect("}")?;
            }
            return Ok(PyExpr::Set(items));
        }
        let mut pairs = vec![(first, self.expr()?)];
        while self.eat(",") {
            if self.eat("}") {
                return Ok(PyExpr::Dict(pairs));
            }
            let key = self.expr()?;
            self.expect(":")?;
            pairs.push((key, self.expr()?));
        }
        self.expect("}")?;
        Ok(PyExpr::Dict(pairs))
    }

    fn arguments(&mut self) -> Result<Vec<PythonArgument>, SyntaxError> {
        let mut args = Vec::new();
        while !self.eat(")") {
            let named = match (&self.tokens[self.position].kind, self.tokens.get(self.position + 1)) {
                (PyTokenKind::Name(name), Some(PyToken { kind: PyTokenKind::Mark('='), .. })) => {
                    Some(name.clone())
                }
                _ => None,
            };
            if named.is_some() {
                self.position += 2;
            }
            args.push(PythonArgument { keyword: named, value: self.expr()? });
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(args)
    }
}
