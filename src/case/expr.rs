//! The neutral `do` language: `name = expr`, with calls, chains and literals.
//!
//! An expression is only syntax here; [`super::resolve`] resolves its names to what an exercise defines.

use super::lexer::{ExprError, Token, TokenKind, tokens};
use crate::value::{Int, Value};
use std::ops::Range;

/// A line of a step: an expression whose value may be bound to a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    /// The name that the value is bound to, with its place.
    pub(super) bind: Option<(String, Range<usize>)>,
    /// The expression.
    pub(super) expr: Expr,
}

/// An expression with its bytes in the line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    /// The expression itself.
    pub(super) kind: ExprKind,
    /// Its bytes in the line.
    pub(super) span: Range<usize>,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    /// A scalar literal.
    Literal(Value),
    /// A bound name.
    Name(String),
    /// A call of a constructor or a function.
    Call(String, Vec<Argument>),
    /// A call of a method.
    Method(Box<Expr>, String, Range<usize>, Vec<Argument>),
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
pub(super) struct Argument {
    /// The keyword, if there is one.
    pub(super) keyword: Option<(String, Range<usize>)>,
    /// Its value.
    pub(super) value: Expr,
}

impl Expr {
    /// The value of an expression that consists of literals only.
    pub(super) fn literal(&self) -> Option<Value> {
        let all = |items: &[Expr]| items.iter().map(Expr::literal).collect::<Option<Vec<_>>>();
        match &self.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            ExprKind::Name(_) | ExprKind::Call(..) | ExprKind::Method(..) => None,
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

/// The deepest nesting of expressions, so that no input can exhaust the stack.
const DEEPEST: usize = 100;

/// Reads a line of a step: an expression, optionally bound to a name.
///
/// # Errors
/// The first syntax error, with its bytes in `text`.
pub(super) fn parse_statement(text: &str) -> Result<Statement, ExprError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let bind = match (&parser.peek().kind, parser.tokens.get(1).map(|token| &token.kind)) {
        (TokenKind::Name(name), Some(TokenKind::Mark('='))) => {
            let bind = (name.clone(), parser.peek().span.clone());
            parser.at += 2;
            Some(bind)
        }
        _ => None,
    };
    let expr = parser.whole()?;
    Ok(Statement { bind, expr })
}

/// Reads a single expression.
///
/// # Errors
/// The first syntax error, with its bytes in `text`.
pub(super) fn parse_expr(text: &str) -> Result<Expr, ExprError> {
    Parser { tokens: tokens(text)?, at: 0, depth: 0 }.whole()
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        // The last token is the end, which is never consumed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.peek().kind == TokenKind::Mark(mark);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: char) -> Result<usize, ExprError> {
        let token = self.next();
        if token.kind == TokenKind::Mark(mark) { Ok(token.span.end) } else { Err(expected(mark, &token)) }
    }

    fn whole(&mut self) -> Result<Expr, ExprError> {
        let expr = self.expr()?;
        let rest = self.peek();
        match &rest.kind {
            TokenKind::End => Ok(expr),
            TokenKind::Mark('=') => {
                Err(ExprError::new("only a plain name can be bound", expr.span).help("write `name = …`"))
            }
            TokenKind::Mark(ch @ ('+' | '-')) => {
                Err(ExprError::new(format!("unexpected `{ch}`"), rest.span.clone())
                    .help("a step is one call or literal; operators are not part of the language"))
            }
            TokenKind::Name(_) if matches!(&expr.kind, ExprKind::Name(new) if new == "new") => {
                Err(ExprError::new("`new` is not part of the language", expr.span)
                    .help("call the class by its name: `Quixo(5)`"))
            }
            TokenKind::Name(_) | TokenKind::Literal(_) | TokenKind::Mark(_) => {
                Err(ExprError::new("the expression should end here", rest.span.clone()))
            }
        }
    }

    fn expr(&mut self) -> Result<Expr, ExprError> {
        let outside = self.depth;
        self.deeper()?;
        let mut expr = self.atom()?;
        while self.eat('.') {
            // Each call of a chain contains the ones before it.
            self.deeper()?;
            let token = self.next();
            let TokenKind::Name(method) = token.kind else {
                return Err(ExprError::new("expected a method name", token.span));
            };
            if !self.eat('(') {
                return Err(ExprError::new(format!("`{method}` is not called"), token.span)
                    .help(format!("only calls can be tested: write `.{method}()`")));
            }
            let (args, end) = self.arguments()?;
            let span = expr.span.start..end;
            expr = Expr { kind: ExprKind::Method(Box::new(expr), method, token.span, args), span };
        }
        self.depth = outside;
        Ok(expr)
    }

    fn deeper(&mut self) -> Result<(), ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExprError::new("nested too deep", self.peek().span.clone()));
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<Expr, ExprError> {
        let token = self.next();
        let start = token.span.start;
        let (kind, end) = match token.kind {
            TokenKind::Literal(value) => (ExprKind::Literal(value), token.span.end),
            TokenKind::Name(name) if self.eat('(') => {
                let (args, end) = self.arguments()?;
                if name == "set" && args.is_empty() {
                    (ExprKind::Set(Vec::new()), end)
                } else {
                    (ExprKind::Call(name, args), end)
                }
            }
            TokenKind::Name(name) => (ExprKind::Name(name), token.span.end),
            TokenKind::Mark(sign @ ('-' | '+')) => {
                let number = self.next();
                match (sign, number.kind) {
                    ('-', TokenKind::Literal(Value::Int(int))) => {
                        (ExprKind::Literal(Value::Int(negated(&int))), number.span.end)
                    }
                    ('-', TokenKind::Literal(Value::Float(float))) => {
                        (ExprKind::Literal(Value::Float(-float)), number.span.end)
                    }
                    ('+', TokenKind::Literal(value @ (Value::Int(_) | Value::Float(_)))) => {
                        (ExprKind::Literal(value), number.span.end)
                    }
                    _ => return Err(ExprError::new("expected a number", number.span)),
                }
            }
            TokenKind::Mark('[') => {
                let (items, end, _) = self.items(']')?;
                (ExprKind::List(items), end)
            }
            TokenKind::Mark('(') => {
                let (mut items, end, comma) = self.items(')')?;
                if items.len() == 1 && !comma {
                    // Plain parentheses: the inner expression, with the bytes of both parentheses.
                    let inner = items.remove(0);
                    return Ok(Expr { kind: inner.kind, span: start..end });
                }
                (ExprKind::Tuple(items), end)
            }
            TokenKind::Mark('{') => self.braces()?,
            TokenKind::Mark(_) | TokenKind::End => {
                return Err(ExprError::new("expected an expression", token.span));
            }
        };
        Ok(Expr { kind, span: start..end })
    }

    /// Items up to `close`, the end of `close`, and whether a comma stood before it.
    fn items(&mut self, close: char) -> Result<(Vec<Expr>, usize, bool), ExprError> {
        let mut items = Vec::new();
        let mut comma = false;
        loop {
            if self.peek().kind == TokenKind::Mark(close) {
                return Ok((items, self.next().span.end, comma));
            }
            items.push(self.expr()?);
            comma = self.eat(',');
            if !comma {
                return Ok((items, self.expect(close)?, comma));
            }
        }
    }

    /// The rest after an opening brace: a set or a dictionary; `{}` is the empty dictionary.
    fn braces(&mut self) -> Result<(ExprKind, usize), ExprError> {
        if self.peek().kind == TokenKind::Mark('}') {
            return Ok((ExprKind::Dict(Vec::new()), self.next().span.end));
        }
        let first = self.expr()?;
        if !self.eat(':') {
            let mut items = vec![first];
            let end = if self.eat(',') {
                let (rest, end, _) = self.items('}')?;
                items.extend(rest);
                end
            } else {
                self.expect('}')?
            };
            return Ok((ExprKind::Set(items), end));
        }
        let mut pairs = vec![(first, self.expr()?)];
        while self.eat(',') && self.peek().kind != TokenKind::Mark('}') {
            let key = self.expr()?;
            self.expect(':')?;
            pairs.push((key, self.expr()?));
        }
        Ok((ExprKind::Dict(pairs), self.expect('}')?))
    }

    /// Arguments after the opening parenthesis, and the end of the closing one.
    fn arguments(&mut self) -> Result<(Vec<Argument>, usize), ExprError> {
        let mut args: Vec<Argument> = Vec::new();
        loop {
            if self.peek().kind == TokenKind::Mark(')') {
                return Ok((args, self.next().span.end));
            }
            let keyword = match (&self.peek().kind, self.tokens.get(self.at + 1).map(|token| &token.kind)) {
                (TokenKind::Name(name), Some(TokenKind::Mark('='))) => {
                    let keyword = (name.clone(), self.peek().span.clone());
                    self.at += 2;
                    Some(keyword)
                }
                _ => None,
            };
            let value = self.expr()?;
            if keyword.is_none() && args.last().is_some_and(|arg| arg.keyword.is_some()) {
                return Err(ExprError::new("a positional argument follows a keyword argument", value.span));
            }
            args.push(Argument { keyword, value });
            if !self.eat(',') {
                return Ok((args, self.expect(')')?));
            }
        }
    }
}

fn expected(mark: char, token: &Token) -> ExprError {
    ExprError::new(format!("expected `{mark}`"), token.span.clone())
}

fn negated(int: &Int) -> Int {
    let digits = int.to_string();
    let flipped = match digits.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{digits}"),
    };
    // Digits can always be parsed; the number itself stands in for the impossible case.
    flipped.parse().unwrap_or_else(|_| int.clone())
}

#[cfg(test)]
mod tests {
    use super::{ExprKind, parse_expr, parse_statement};
    use crate::languages::python::Python;
    use crate::value::notation::Notation;
    use crate::value::{Text, Value};

    #[track_caller]
    fn check_literal(text: &str, python: &str) {
        let value = parse_expr(text).unwrap().literal().unwrap();
        assert_eq!(Python.literal(&value), python);
    }

    #[track_caller]
    fn check_error(text: &str, message: &str, under: &str) {
        let error = parse_statement(text).unwrap_err();
        assert_eq!((error.message.as_str(), &text[error.span]), (message, under));
    }

    #[test]
    fn literals_of_every_kind_are_read() {
        check_literal("-12", "-12");
        check_literal(
            "- 340282366920938463463374607431768211456",
            "-340282366920938463463374607431768211456",
        );
        check_literal("-1.5e3", "-1500.0");
        check_literal(".5", "0.5");
        check_literal("1_000", "1000");
        check_literal("-1_000_000_000_000_000_000_000", "-1000000000000000000000");
        check_literal("1_0.2_5e1_0", "102500000000.0");
        check_literal("-inf", "-inf");
        check_literal("true", "True");
        check_literal("null", "None");
        check_literal("(1,)", "(1,)");
        check_literal("(1)", "1");
        check_literal("()", "()");
        check_literal("[1, [2, 'x'],]", "[1, [2, 'x']]");
        check_literal("{(2, 1), (3, 1)}", "{(2, 1), (3, 1)}");
        check_literal("set()", "set()");
        check_literal("{}", "{}");
        check_literal("{'a': 1, 2: None,}", "{'a': 1, 2: None}");
        check_literal(r#""a\n\x41\u00e9\u{1F600}\'""#, "\"a\\nAé😀'\"");
    }

    #[test]
    fn surrogates_pair_up_or_stay_alone() {
        assert_eq!(parse_expr(r"'\ud83d\ude00'").unwrap().literal(), Some(Value::from("😀")));
        let lone = Value::Str(Text::from_units(vec![0xd83d]));
        assert_eq!(parse_expr(r"'\ud83d'").unwrap().literal(), Some(lone));
    }

    #[test]
    fn calls_chain_and_bind() {
        let statement = parse_statement("a = B(1, k='x').c(d).e()").unwrap();
        assert_eq!(statement.bind.map(|(name, _)| name).as_deref(), Some("a"));
        let ExprKind::Method(on, name, _, args) = statement.expr.kind else { panic!("a method call") };
        assert_eq!((name.as_str(), args.len(), on.span), ("e", 0, 4..20));
    }

    #[test]
    fn what_is_not_of_the_language_is_pointed_at() {
        check_error("a.b", "`b` is not called", "b");
        check_error("a = ", "expected an expression", "");
        check_error("f(1, k=2, 3)", "a positional argument follows a keyword argument", "3");
        check_error("f(1", "expected `)`", "");
        check_error("1 + 2", "unexpected `+`", "+");
        check_error("a.b() * 2", "unexpected `*`", "*");
        check_error("'abc", "this string is not closed", "'abc");
        check_error(r"'\q'", "unknown escape `\\q`", "\\q");
        check_error("12ab", "`12ab` is not a number", "12ab");
        for wrong in ["1__0", "1_", "1_.5", "1._5", "1_e5"] {
            check_error(wrong, &format!("`{wrong}` is not a number"), wrong);
        }
        check_error("a.b() = 2", "only a plain name can be bound", "a.b()");
        check_error("x = new Quixo(5)", "`new` is not part of the language", "new");
        check_error(r"'\u{110000}'", "this escape is not a valid character", r"\u{110000");
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = "[".repeat(100_000);
        assert_eq!(parse_expr(&deep).unwrap_err().message, "nested too deep");
        let chain = format!("a{}", ".b()".repeat(100_000));
        assert_eq!(parse_expr(&chain).unwrap_err().message, "nested too deep");
        assert!(parse_expr(&format!("[{}]", "a.b().c(), ".repeat(1000))).is_ok());
    }
}
