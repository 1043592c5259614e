//! Reads the tokens of a line.

use super::Dialect;
use super::expr::{Argument, Expr, ExprKind, Name, Statement, Target};
use super::lexer::{ExprError, KEYWORDS, NATIVE, PREFIXES, Token, TokenKind, tokens};
use crate::case::node::Operator;
use crate::value::{Int, Text, Value};
use std::ops::Range;

/// The deepest nesting of expressions, so that no input can exhaust the stack.
const DEEPEST: usize = 100;

/// Reads a line of a step: an expression, whose value may go to a name, several names, an attribute or an
/// item.
///
/// # Errors
/// The first syntax error, with its bytes in `text`.
pub fn parse_statement(text: &str, dialect: Dialect) -> Result<Statement, ExprError> {
    let mut parser = Parser::new(text, dialect)?;
    if let Some(mut names) = parser.targets() {
        let expr = parser.whole()?;
        let target = match (names.len(), names.pop()) {
            (1, Some(name)) => Target::Name(name),
            (_, last) => Target::Names(names.into_iter().chain(last).collect()),
        };
        return Ok(Statement { target, annotation: None, expr });
    }
    let first = parser.expr()?;
    let annotation = parser.annotation()?;
    if annotation.is_none() && !parser.eat("=") {
        parser.ended(&first)?;
        return Ok(Statement { target: Target::Nothing, annotation, expr: first });
    }
    match &first.kind {
        ExprKind::Attribute(..) | ExprKind::Index(..) => {
            let expr = parser.whole()?;
            Ok(Statement { target: Target::Place(first), annotation, expr })
        }
        ExprKind::Name(name) if parser.dialect.is_python() => {
            let target = Target::Name((name.clone(), first.span));
            Ok(Statement { target, annotation, expr: parser.whole()? })
        }
        ExprKind::Slice(..) => Err(ExprError::new("a slice cannot be assigned to", first.span).help(NATIVE)),
        ExprKind::Tuple(_) | ExprKind::List(_) => {
            Err(ExprError::new("only names, attributes and items can be assigned to", first.span)
                .help("write `a, b = …`, without parentheses"))
        }
        _ => Err(ExprError::new("only names, attributes and items can be assigned to", first.span)
            .help("write `name = …`")),
    }
}

/// Reads a single expression.
///
/// # Errors
/// The first syntax error, with its bytes in `text`.
pub(in crate::case) fn parse_expr(text: &str) -> Result<Expr, ExprError> {
    Parser::new(text, Dialect::Neutral)?.whole()
}

/// The value of a literal; `None` if the text is none.
pub fn literal(text: &str) -> Option<Value> {
    parse_expr(text).ok()?.literal()
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    dialect: Dialect,
}

/// Operators with two operands, from the one that binds least; those of a row bind equally.
const SUMS: [(&str, Operator); 2] = [("+", Operator::Add), ("-", Operator::Subtract)];
const PRODUCTS: [(&str, Operator); 4] = [
    ("*", Operator::Multiply),
    ("/", Operator::Divide),
    ("//", Operator::FloorDivide),
    ("%", Operator::Modulo),
];
const COMPARISONS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterEqual),
];

/// The items between two brackets.
struct ItemList {
    items: Vec<Expr>,
    /// The end of the closing bracket.
    end: usize,
    trailing_comma: bool,
}

impl Parser {
    fn new(text: &str, dialect: Dialect) -> Result<Parser, ExprError> {
        Ok(Parser { tokens: tokens(text, dialect)?, at: 0, depth: 0, dialect })
    }

    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, further: usize) -> &Token {
        // The last token is the end, which is never consumed.
        &self.tokens[(self.at + further).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn eat(&mut self, mark: &'static str) -> bool {
        let found = self.peek().kind == TokenKind::Mark(mark);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: &'static str) -> Result<usize, ExprError> {
        let token = self.next();
        if token.kind == TokenKind::Mark(mark) { Ok(token.span.end) } else { Err(expected(mark, &token)) }
    }

    /// The names before a `=`, if the line begins with names only.
    fn targets(&mut self) -> Option<Vec<Name>> {
        let mut names = Vec::new();
        let mut at = 0;
        loop {
            let token = self.peek_at(at);
            let TokenKind::Name(name) = &token.kind else { return None };
            names.push((name.clone(), token.span.clone()));
            match self.peek_at(at + 1).kind {
                TokenKind::Mark("=") => {
                    self.at += at + 2;
                    return Some(names);
                }
                TokenKind::Mark(",") => at += 2,
                TokenKind::Mark(_) | TokenKind::Name(_) | TokenKind::Literal(_) | TokenKind::End => {
                    return None;
                }
            }
        }
    }

    /// The type after a target, up to the `=` that follows it.
    fn annotation(&mut self) -> Result<Option<String>, ExprError> {
        if !(self.dialect.is_python() && self.eat(":")) {
            return Ok(None);
        }
        let token = self.next();
        match token.kind {
            TokenKind::Name(name) | TokenKind::Literal(Value::Str(Text::Unicode(name))) => {
                self.expect("=")?;
                Ok(Some(name))
            }
            TokenKind::Literal(_) | TokenKind::Mark(_) | TokenKind::End => {
                Err(ExprError::new("expected a type", token.span))
            }
        }
    }

    fn whole(&mut self) -> Result<Expr, ExprError> {
        let expr = self.expr()?;
        self.ended(&expr)?;
        Ok(expr)
    }

    /// Checks that a name, which was just read, does not begin what only a programming language has.
    fn no_keyword(&self, name: &str, span: &Range<usize>) -> Result<(), ExprError> {
        let next = self.peek();
        let begins = match &next.kind {
            TokenKind::Literal(Value::Str(_)) if next.span.start == span.end => PREFIXES.contains(&name),
            TokenKind::Name(word) if ["in", "not", "is", "and", "or"].contains(&word.as_str()) => false,
            TokenKind::Name(_) | TokenKind::Literal(_) => KEYWORDS.contains(&name),
            TokenKind::Mark(_) | TokenKind::End => false,
        };
        if begins {
            Err(ExprError::new(format!("unexpected `{name}`"), span.clone()).help(NATIVE))
        } else {
            Ok(())
        }
    }

    /// Checks that nothing follows `expr`.
    fn ended(&self, expr: &Expr) -> Result<(), ExprError> {
        let rest = self.peek();
        let here = || match self.dialect {
            Dialect::Neutral => ExprError::new("the expression should end here", rest.span.clone()),
            Dialect::Python(format) => {
                let message = format!("{format} has no more syntax than calls, literals and assignments");
                ExprError::new(message, rest.span.clone())
            }
        };
        match &rest.kind {
            TokenKind::End => Ok(()),
            TokenKind::Mark("=") => Err(ExprError::new("a line has one `=`", rest.span.clone())),
            TokenKind::Name(class) if matches!(&expr.kind, ExprKind::Name(new) if new == "new") => {
                Err(ExprError::new("`new` is not part of the language", expr.span.clone())
                    .help(format!("call the class by its name: `{class}(…)`")))
            }
            TokenKind::Name(word) => Err(match word.as_str() {
                "is" => here().help("compare with `==`, or expect the very object with `same`"),
                "and" | "or" | "if" | "for" => here().help(NATIVE),
                _ => here(),
            }),
            TokenKind::Literal(_) | TokenKind::Mark(_) => Err(here()),
        }
    }

    fn expr(&mut self) -> Result<Expr, ExprError> {
        let outside = self.depth;
        self.deeper()?;
        let expr = if self.dialect.is_python() { self.signed()? } else { self.inverted()? };
        self.depth = outside;
        Ok(expr)
    }

    fn deeper(&mut self) -> Result<(), ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(too_deep(self.peek().span.clone())) } else { Ok(()) }
    }

    /// `not x`, or what binds more.
    fn inverted(&mut self) -> Result<Expr, ExprError> {
        // A name may be `not` where no operand follows.
        let operand = match &self.peek_at(1).kind {
            TokenKind::Name(_) | TokenKind::Literal(_) => true,
            TokenKind::Mark(mark) => ["(", "[", "{", "-", "+"].contains(mark),
            TokenKind::End => false,
        };
        if !(operand && self.is_word(0, "not")) {
            return self.comparison();
        }
        let start = self.next().span.start;
        self.deeper()?;
        let of = self.inverted()?;
        operation(Operator::Not, vec![of], start)
    }

    fn is_word(&self, further: usize, word: &str) -> bool {
        matches!(&self.peek_at(further).kind, TokenKind::Name(name) if name == word)
    }

    fn comparison(&mut self) -> Result<Expr, ExprError> {
        let left = self.sum()?;
        match self.comparing()? {
            Some((operator, inverted)) => self.compared(left, operator, inverted),
            None => Ok(left),
        }
    }

    /// A comparison after its operator.
    fn compared(&mut self, left: Expr, operator: Operator, inverted: bool) -> Result<Expr, ExprError> {
        let start = left.span.start;
        let right = self.sum()?;
        let at = self.peek().span.clone();
        if self.comparing()?.is_some() {
            return Err(ExprError::new("comparisons cannot be chained", at)
                .help("compare in two steps, or write the parentheses"));
        }
        let compared = operation(operator, vec![left, right], start)?;
        if inverted { operation(Operator::Not, vec![compared], start) } else { Ok(compared) }
    }

    /// The comparison that comes next, and whether its result is inverted, as that of `not in`.
    fn comparing(&mut self) -> Result<Option<(Operator, bool)>, ExprError> {
        if let Some(operator) = self.operator(&COMPARISONS) {
            if self.peek().kind == TokenKind::Mark("=") {
                return Err(ExprError::new("there is no such operator", self.peek().span.clone())
                    .help("write `==` or `!=`"));
            }
            return Ok(Some((operator, false)));
        }
        if self.is_word(0, "in") {
            self.at += 1;
            return Ok(Some((Operator::In, false)));
        }
        if self.is_word(0, "not") && self.is_word(1, "in") {
            self.at += 2;
            return Ok(Some((Operator::In, true)));
        }
        Ok(None)
    }

    /// The operator that comes next, if it is one of these.
    fn operator(&mut self, of: &[(&'static str, Operator)]) -> Option<Operator> {
        of.iter().find(|(mark, _)| self.eat(mark)).map(|(_, operator)| *operator)
    }

    fn sum(&mut self) -> Result<Expr, ExprError> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&SUMS) {
            left = self.applied(operator, left, Self::product)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Expr, ExprError> {
        let mut left = self.signed()?;
        while let Some(operator) = self.operator(&PRODUCTS) {
            left = self.applied(operator, left, Self::signed)?;
        }
        Ok(left)
    }

    /// An operator that was just read, with its left operand and with the right one, which is read as `right`
    /// does.
    fn applied(
        &mut self,
        operator: Operator,
        left: Expr,
        right: fn(&mut Self) -> Result<Expr, ExprError>,
    ) -> Result<Expr, ExprError> {
        self.no_assignment()?;
        let start = left.span.start;
        operation(operator, vec![left, right(self)?], start)
    }

    /// Checks that the operator just read is not that of `x += 1`.
    fn no_assignment(&self) -> Result<(), ExprError> {
        let next = self.peek();
        if next.kind != TokenKind::Mark("=") {
            return Ok(());
        }
        Err(ExprError::new("an operator cannot assign", next.span.clone()).help("write `x = x + 1`"))
    }

    /// A number with its sign, `-x`, or what binds more.
    fn signed(&mut self) -> Result<Expr, ExprError> {
        if let TokenKind::Mark(sign @ ("-" | "+")) = self.peek().kind {
            self.with_sign(sign)
        } else {
            self.power()
        }
    }

    /// A number or an operand with this sign, which comes next.
    fn with_sign(&mut self, sign: &str) -> Result<Expr, ExprError> {
        let start = self.next().span.start;
        let outside = self.depth;
        self.deeper()?;
        let is_number = matches!(self.peek().kind, TokenKind::Literal(Value::Int(_) | Value::Float(_)));
        if self.dialect.is_python() && !is_number {
            return Err(ExprError::new("expected a number", self.peek().span.clone()));
        }
        let of = self.signed()?;
        self.depth = outside;
        let span = start..of.span.end;
        let kind = match (sign, of.kind) {
            ("-", ExprKind::Literal(Value::Int(int))) => ExprKind::Literal(Value::Int(negated(&int))),
            ("-", ExprKind::Literal(Value::Float(float))) => ExprKind::Literal(Value::Float(-float)),
            ("+", kind @ ExprKind::Literal(Value::Int(_) | Value::Float(_))) => kind,
            (_, ExprKind::Literal(_)) | ("+", _) => {
                return Err(ExprError::new("expected a number", of.span));
            }
            (_, kind) => {
                let of = Expr { kind, ..of };
                return operation(Operator::Negate, vec![of], span.start);
            }
        };
        made(kind, span)
    }

    fn power(&mut self) -> Result<Expr, ExprError> {
        let base = self.postfix()?;
        if self.eat("**") { self.raised_to(base) } else { Ok(base) }
    }

    /// A power after its operator.
    fn raised_to(&mut self, base: Expr) -> Result<Expr, ExprError> {
        let outside = self.depth;
        self.deeper()?;
        let start = base.span.start;
        let exponent = self.signed()?;
        self.depth = outside;
        operation(Operator::Power, vec![base, exponent], start)
    }

    /// An atom, with calls, attributes and items.
    fn postfix(&mut self) -> Result<Expr, ExprError> {
        let mut expr = self.atom()?;
        loop {
            expr = if self.peek().kind == TokenKind::Mark(".") {
                self.member(expr)?
            } else if self.peek().kind == TokenKind::Mark("[") {
                self.item(expr)?
            } else {
                return Ok(expr);
            };
        }
    }

    /// A method or an attribute of `on`, at its point.
    fn member(&mut self, on: Expr) -> Result<Expr, ExprError> {
        self.at += 1;
        let start = on.span.start;
        let token = self.next();
        let TokenKind::Name(name) = token.kind else {
            return Err(ExprError::new("expected the name of a method or an attribute", token.span));
        };
        if self.eat("(") {
            let (args, end) = self.arguments()?;
            return made(ExprKind::Method(Box::new(on), name, token.span, args), start..end);
        }
        let end = token.span.end;
        made(ExprKind::Attribute(Box::new(on), name, token.span), start..end)
    }

    /// An item or a slice of `on`, at its opening bracket.
    fn item(&mut self, on: Expr) -> Result<Expr, ExprError> {
        let open = self.next().span;
        let start = on.span.start;
        let mut bounds: [Option<Expr>; 3] = [None, None, None];
        let mut colons = 0;
        let mut end = None;
        for bound in &mut bounds {
            if !matches!(self.peek().kind, TokenKind::Mark(":" | "]")) {
                *bound = Some(self.expr()?);
            }
            if !self.eat(":") {
                end = Some(self.subscript_end()?);
                break;
            }
            colons += 1;
        }
        let end = match end {
            Some(end) => end,
            None => return Err(ExprError::new("a slice has at most two `:`", self.peek().span.clone())),
        };
        let kind = match (colons, bounds) {
            (0, [Some(index), _, _]) => ExprKind::Index(Box::new(on), Box::new(index)),
            (0, _) => return Err(ExprError::new("there is no index", open.start..end)),
            (_, bounds) => ExprKind::Slice(Box::new(on), Box::new(bounds)),
        };
        made(kind, start..end)
    }

    fn subscript_end(&mut self) -> Result<usize, ExprError> {
        if self.peek().kind == TokenKind::Mark(",") {
            return Err(ExprError::new("expected `]`", self.peek().span.clone())
                .help("for an item whose key is a tuple, write its parentheses: `x[(0, 1)]`"));
        }
        self.expect("]")
    }

    fn atom(&mut self) -> Result<Expr, ExprError> {
        let token = self.next();
        let start = token.span.start;
        let (kind, end) = match token.kind {
            TokenKind::Literal(Value::Str(Text::Unicode(text))) if self.dialect.is_python() => {
                self.joined(text, token.span.end)
            }
            TokenKind::Literal(value) => (ExprKind::Literal(value), token.span.end),
            TokenKind::Name(name) if self.eat("(") => {
                let (args, end) = self.arguments()?;
                if name == "set" && args.is_empty() {
                    (ExprKind::Set(Vec::new()), end)
                } else {
                    (ExprKind::Call(name, args), end)
                }
            }
            TokenKind::Name(name) => {
                if self.dialect == Dialect::Neutral {
                    self.no_keyword(&name, &token.span)?;
                }
                (ExprKind::Name(name), token.span.end)
            }
            TokenKind::Mark("[") => {
                let ItemList { items, end, .. } = self.items("]")?;
                (ExprKind::List(items), end)
            }
            TokenKind::Mark("(") => {
                let ItemList { mut items, end, trailing_comma } = self.items(")")?;
                if items.len() == 1 && !trailing_comma {
                    // Plain parentheses: the inner expression, with the bytes of both parentheses.
                    return Ok(Expr { span: start..end, ..items.remove(0) });
                }
                (ExprKind::Tuple(items), end)
            }
            TokenKind::Mark("{") => self.braces()?,
            TokenKind::Mark("!") => {
                return Err(ExprError::new("unexpected `!`", token.span).help("write `not x`"));
            }
            TokenKind::Mark(">") if token.span.start == 0 => {
                return Err(ExprError::new("expected an expression", token.span)
                    .help("leave out the prompt; `keur import` turns a whole session into a case"));
            }
            TokenKind::Mark(_) | TokenKind::End => {
                return Err(ExprError::new("expected an expression", token.span));
            }
        };
        made(kind, start..end)
    }

    /// A string that ends at `end`, with those beside it.
    fn joined(&mut self, mut text: String, mut end: usize) -> (ExprKind, usize) {
        while let TokenKind::Literal(Value::Str(Text::Unicode(more))) = &self.peek().kind {
            text.push_str(more);
            end = self.next().span.end;
        }
        (ExprKind::Literal(Value::Str(Text::Unicode(text))), end)
    }

    /// Items up to and including `close`.
    fn items(&mut self, close: &'static str) -> Result<ItemList, ExprError> {
        let mut items = Vec::new();
        let mut trailing_comma = false;
        loop {
            if self.peek().kind == TokenKind::Mark(close) {
                return Ok(ItemList { items, end: self.next().span.end, trailing_comma });
            }
            items.push(self.expr()?);
            trailing_comma = self.eat(",");
            if !trailing_comma {
                return Ok(ItemList { items, end: self.expect(close)?, trailing_comma });
            }
        }
    }

    /// The rest after an opening brace: a set or a dictionary; `{}` is the empty dictionary.
    fn braces(&mut self) -> Result<(ExprKind, usize), ExprError> {
        if self.peek().kind == TokenKind::Mark("}") {
            return Ok((ExprKind::Dict(Vec::new()), self.next().span.end));
        }
        let first = self.expr()?;
        if !self.eat(":") {
            let mut items = vec![first];
            let end = if self.eat(",") {
                let ItemList { items: rest, end, .. } = self.items("}")?;
                items.extend(rest);
                end
            } else {
                self.expect("}")?
            };
            return Ok((ExprKind::Set(items), end));
        }
        let mut pairs = vec![(first, self.expr()?)];
        while self.eat(",") && self.peek().kind != TokenKind::Mark("}") {
            let key = self.expr()?;
            self.expect(":")?;
            pairs.push((key, self.expr()?));
        }
        Ok((ExprKind::Dict(pairs), self.expect("}")?))
    }

    /// Arguments after the opening parenthesis, and the end of the closing one.
    fn arguments(&mut self) -> Result<(Vec<Argument>, usize), ExprError> {
        let mut args: Vec<Argument> = Vec::new();
        loop {
            if self.peek().kind == TokenKind::Mark(")") {
                return Ok((args, self.next().span.end));
            }
            let keyword = match (&self.peek().kind, self.tokens.get(self.at + 1).map(|token| &token.kind)) {
                (TokenKind::Name(name), Some(TokenKind::Mark("="))) => {
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
            if !self.eat(",") {
                return Ok((args, self.expect(")")?));
            }
        }
    }
}

/// An operator applied to its operands, from the byte `start`.
fn operation(operator: Operator, operands: Vec<Expr>, start: usize) -> Result<Expr, ExprError> {
    let end = operands.last().map_or(start, |last| last.span.end);
    made(ExprKind::Operation(operator, operands), start..end)
}

/// An expression, unless it is nested too deep: chains nest as parentheses do.
fn made(kind: ExprKind, span: Range<usize>) -> Result<Expr, ExprError> {
    let highest = |items: &[Expr]| items.iter().map(|item| item.height).max().unwrap_or(0);
    let of_args = |args: &[Argument]| args.iter().map(|arg| arg.value.height).max().unwrap_or(0);
    let inside = match &kind {
        ExprKind::Literal(_) | ExprKind::Name(_) => 0,
        ExprKind::Call(_, args) => of_args(args),
        ExprKind::Method(on, _, _, args) => on.height.max(of_args(args)),
        ExprKind::Attribute(on, ..) => on.height,
        ExprKind::Index(on, index) => on.height.max(index.height),
        ExprKind::Slice(on, bounds) => {
            bounds.iter().flatten().map(|bound| bound.height).fold(on.height, usize::max)
        }
        ExprKind::Operation(_, items)
        | ExprKind::List(items)
        | ExprKind::Tuple(items)
        | ExprKind::Set(items) => highest(items),
        ExprKind::Dict(pairs) => {
            pairs.iter().map(|(key, value)| key.height.max(value.height)).max().unwrap_or(0)
        }
    };
    if inside >= DEEPEST { Err(too_deep(span)) } else { Ok(Expr { kind, span, height: inside + 1 }) }
}

fn too_deep(span: Range<usize>) -> ExprError {
    ExprError::new("nested too deep", span)
}

fn expected(mark: &str, token: &Token) -> ExprError {
    let error = ExprError::new(format!("expected `{mark}`"), token.span.clone());
    match &token.kind {
        // Such as a comprehension.
        TokenKind::Name(word) if KEYWORDS.contains(&word.as_str()) => error.help(NATIVE),
        TokenKind::Name(_) | TokenKind::Literal(_) | TokenKind::Mark(_) | TokenKind::End => error,
    }
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
mod tests;
