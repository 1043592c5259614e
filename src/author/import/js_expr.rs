//! Expressions and values of JavaScript in the language of cases.

use super::names::SessionNames;
use super::tokens::{CodeToken, CodeTokenKind, quoted_text};

/// The deepest nesting, so that no text exhausts the stack.
const DEEPEST: usize = 60;

/// An expression in the language of cases.
#[derive(Clone, Debug, Default)]
pub(super) struct NeutralText {
    pub(super) text: String,
    /// How much its outermost operator binds; the most for what needs no parentheses.
    level: u8,
    /// The two sides of a division, or of `in`.
    sides: Option<(String, String)>,
    /// The test of identity that the expression is, if it is one.
    pub(super) identity: Option<IdentityTest>,
}

/// A comparison of an expression with a name: whether they are the same object.
#[derive(Clone, Debug)]
pub(super) struct IdentityTest {
    pub(super) expression: String,
    pub(super) name: String,
    /// Whether they must be the same object, or must not.
    pub(super) same: bool,
}

const ATOM: u8 = 9;
const UNARY: u8 = 6;
const COMPARISON: u8 = 2;
const NOT: u8 = 1;

/// Operators with two operands: their sign in JavaScript, in a case, and how much they bind there.
const BINARY: [(&str, &str, u8); 14] = [
    ("===", "==", COMPARISON),
    ("!==", "!=", COMPARISON),
    ("==", "==", COMPARISON),
    ("!=", "!=", COMPARISON),
    ("<", "<", COMPARISON),
    ("<=", "<=", COMPARISON),
    (">", ">", COMPARISON),
    (">=", ">=", COMPARISON),
    ("+", "+", 4),
    ("-", "-", 4),
    ("*", "*", 5),
    ("/", "/", 5),
    ("%", "%", 5),
    ("**", "**", 7),
];

impl NeutralText {
    fn atom(text: impl Into<String>) -> NeutralText {
        NeutralText { text: text.into(), level: ATOM, ..NeutralText::default() }
    }

    fn of(text: String, level: u8) -> NeutralText {
        NeutralText { text, level, ..NeutralText::default() }
    }

    /// In parentheses, unless it binds at least so much.
    fn at(self, level: u8) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }
}

/// Reads an expression or a value of JavaScript.
pub(super) struct JsParser<'t, 'n> {
    tokens: &'t [CodeToken],
    at: usize,
    depth: usize,
    names: &'n SessionNames<'n>,
}

type Read = Result<NeutralText, String>;

impl<'t, 'n> JsParser<'t, 'n> {
    pub(super) fn new(tokens: &'t [CodeToken], names: &'n SessionNames<'n>) -> JsParser<'t, 'n> {
        JsParser { tokens, at: 0, depth: 0, names }
    }

    /// The tokens that are not read yet.
    pub(super) fn rest(&self) -> &'t [CodeToken] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// Reads a mark, if it comes next.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let found = self.rest().first().is_some_and(|token| token.is_mark(mark));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.eat(mark) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> String {
        match self.rest().first() {
            Some(token) => format!("`{}` is not part of the language of cases", token.text),
            None => "the expression is not complete".to_owned(),
        }
    }

    fn is_mark(&self, further: usize, mark: &str) -> bool {
        self.rest().get(further).is_some_and(|token| token.is_mark(mark))
    }

    /// An expression that other operators stand beside.
    pub(super) fn operand(&mut self) -> Result<String, String> {
        Ok(self.expression()?.at(ATOM))
    }

    /// An expression.
    pub(super) fn expression(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("nested too deep".to_owned());
        }
        let read = self.binary(0);
        self.depth -= 1;
        read
    }

    fn binary(&mut self, least: u8) -> Read {
        let mut left = self.unary()?;
        loop {
            let Some(token) = self.rest().first() else { return Ok(left) };
            if token.is_name("instanceof") && least <= COMPARISON {
                self.at += 1;
                let class = self.unary()?;
                left = NeutralText::atom(format!("isinstance({}, {})", left.text, class.text));
                continue;
            }
            let operator = BINARY.iter().find(|(sign, _, level)| token.is_mark(sign) && *level >= least);
            let Some((_, sign, level)) = operator else { return Ok(left) };
            self.at += 1;
            // Only `**` groups to the right.
            let right = self.binary(if *level == 7 { *level } else { level + 1 })?;
            left = joined(left, sign, *level, right, self.names);
        }
    }

    fn unary(&mut self) -> Read {
        let Some(token) = self.rest().first() else { return Err(self.unexpected()) };
        if self.depth > DEEPEST {
            return Err("nested too deep".to_owned());
        }
        if token.is_mark("!") || token.is_mark("-") || token.is_mark("+") {
            self.at += 1;
            self.depth += 1;
            let of = self.unary()?;
            self.depth -= 1;
            return Ok(match (token.text.as_str(), of) {
                ("!", NeutralText { text, sides: Some((left, right)), .. })
                    if text == format!("{left} in {right}") =>
                {
                    NeutralText::of(format!("{left} not in {right}"), COMPARISON)
                }
                ("!", NeutralText { text, sides: Some((left, right)), .. })
                    if text == format!("{left} == {right}") =>
                {
                    NeutralText::of(format!("{left} != {right}"), COMPARISON)
                }
                ("!", of) => NeutralText::of(format!("not {}", of.at(COMPARISON)), NOT),
                ("-", of) => NeutralText::of(format!("-{}", of.at(UNARY)), UNARY),
                (_, of) => of,
            });
        }
        if token.is_name("await") {
            self.at += 1;
            self.depth += 1;
            let of = self.unary();
            self.depth -= 1;
            return of;
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Read {
        let mut value = self.atom()?;
        let mut length = 0;
        loop {
            length += 1;
            if length > 10 * DEEPEST {
                return Err("nested too deep".to_owned());
            }
            if self.eat(".") {
                let Some(name) = self.rest().first().filter(|token| token.kind == CodeTokenKind::Name) else {
                    return Err(self.unexpected());
                };
                self.at += 1;
                let called = self.eat("(");
                value =
                    if called { self.method(value, &name.text)? } else { self.attribute(value, &name.text) };
            } else if self.is_mark(0, "[") {
                self.at += 1;
                let index = self.expression()?;
                self.expect("]")?;
                value = NeutralText::atom(format!("{}[{}]", value.at(ATOM), index.text));
            } else {
                return Ok(value);
            }
        }
    }

    fn attribute(&self, on: NeutralText, name: &str) -> NeutralText {
        if ["length", "size"].contains(&name) && !self.names.is_member(name) {
            return NeutralText::atom(format!("len({})", on.text));
        }
        NeutralText::atom(format!("{}.{}", on.at(ATOM), self.names.called(name)))
    }

    /// A call of a method, after its opening parenthesis. Methods of the platform have another form in a
    /// case.
    fn method(&mut self, on: NeutralText, name: &str) -> Read {
        let own = self.names.called(name);
        let args = self.arguments(self.names.is_member(name).then_some(own.as_str()))?;
        let list = on.text.strip_prefix("list(").and_then(|of| of.strip_suffix(')')).map(str::to_owned);
        let known = if self.names.is_member(name) { "" } else { name };
        Ok(match (known, args.as_slice()) {
            ("at", [index]) => NeutralText::atom(format!("{}[{index}]", on.at(ATOM))),
            ("slice", []) => NeutralText::atom(format!("{}[:]", on.at(ATOM))),
            ("slice", [start]) => NeutralText::atom(format!("{}[{start}:]", on.at(ATOM))),
            ("slice", [start, stop]) => {
                let start = if start == "0" { "" } else { start };
                NeutralText::atom(format!("{}[{start}:{stop}]", on.at(ATOM)))
            }
            ("includes" | "has", [item]) => {
                let within = on.at(4);
                let text = format!("{item} in {within}");
                NeutralText { sides: Some((item.clone(), within)), ..NeutralText::of(text, COMPARISON) }
            }
            ("equals", [other]) => {
                let on = on.at(4);
                let text = format!("{on} == {other}");
                NeutralText { sides: Some((on, other.clone())), ..NeutralText::of(text, COMPARISON) }
            }
            ("compareTo", [other]) => {
                let sign =
                    BINARY.iter().find(|(sign, ..)| sign.starts_with(['<', '>']) && self.is_mark(0, sign));
                let zero = self.rest().get(1).is_some_and(|token| token.text == "0");
                let Some((sign, ..)) = sign.filter(|_| zero) else { return Err(self.unexpected()) };
                self.at += 2;
                NeutralText::of(format!("{} {sign} {other}", on.at(4)), COMPARISON)
            }
            ("sort", []) if list.is_some() => {
                NeutralText::atom(format!("sorted({})", list.unwrap_or_default()))
            }
            ("reverse", []) if list.is_some() => {
                NeutralText::atom(format!("{}[::-1]", list.unwrap_or_default()))
            }
            (_, args) => NeutralText::atom(format!("{}.{own}({})", on.at(ATOM), args.join(", "))),
        })
    }

    /// The arguments after the opening parenthesis of a call of `own`, as the exercise calls it.
    fn arguments(&mut self, own: Option<&str>) -> Result<Vec<String>, String> {
        let mut args: Vec<Option<String>> = Vec::new();
        while !self.eat(")") {
            let left_out = self.rest().first().is_some_and(|token| token.is_name("undefined"))
                && (self.is_mark(1, ",") || self.is_mark(1, ")"));
            if left_out && own.is_some() {
                self.at += 1;
                args.push(None);
            } else {
                args.push(Some(self.expression()?.text));
            }
            if !self.eat(",") && !self.is_mark(0, ")") {
                return Err(self.unexpected());
            }
        }
        // What follows an argument that is left out is named.
        let parameters = own.and_then(|own| self.names.parameters(own)).unwrap_or_default();
        let mut named = false;
        let mut written = Vec::new();
        for (index, arg) in args.into_iter().enumerate() {
            match (arg, parameters.get(index)) {
                (None, Some(_)) => named = true,
                (None, None) => written.push("None".to_owned()),
                (Some(arg), Some(parameter)) if named => written.push(format!("{}={arg}", parameter.name)),
                (Some(arg), _) => written.push(arg),
            }
        }
        Ok(written)
    }

    fn atom(&mut self) -> Read {
        let Some(token) = self.rest().first() else { return Err(self.unexpected()) };
        let spread = self.is_mark(0, "[") && self.is_mark(1, "...");
        match token.kind {
            CodeTokenKind::Text => {
                self.at += 1;
                Ok(NeutralText::atom(quoted_text(&token.text)))
            }
            CodeTokenKind::Number => {
                self.at += 1;
                Ok(NeutralText::atom(token.text.trim_end_matches('n')))
            }
            CodeTokenKind::Name => self.name(&token.text),
            CodeTokenKind::Mark if spread => {
                self.at += 2;
                let of = self.expression()?;
                self.expect("]")?;
                Ok(NeutralText::atom(format!("list({})", of.text)))
            }
            CodeTokenKind::Mark if token.is_mark("[") => {
                self.at += 1;
                let items = self.items("]")?;
                Ok(NeutralText::atom(format!("[{}]", items.join(", "))))
            }
            CodeTokenKind::Mark if token.is_mark("(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            CodeTokenKind::Mark if token.is_mark("{") => {
                self.at += 1;
                self.pairs(":")
            }
            CodeTokenKind::Mark | CodeTokenKind::Comment | CodeTokenKind::Newline => Err(self.unexpected()),
        }
    }

    /// Items up to `close`.
    fn items(&mut self, close: &str) -> Result<Vec<String>, String> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.expression()?.text);
            if !self.eat(",") && !self.is_mark(0, close) {
                return Err(self.unexpected());
            }
        }
        Ok(items)
    }

    /// Keys and values up to the closing brace: those of an object, or of a `Map` as node writes it.
    fn pairs(&mut self, between: &str) -> Read {
        let mut pairs = Vec::new();
        while !self.eat("}") {
            let bare =
                self.rest().first().filter(|token| token.kind == CodeTokenKind::Name && between == ":");
            let key = match bare {
                Some(token) => {
                    self.at += 1;
                    quoted_text(&token.text)
                }
                None => self.expression()?.text,
            };
            self.expect(between)?;
            pairs.push(format!("{key}: {}", self.expression()?.text));
            if !self.eat(",") && !self.is_mark(0, "}") {
                return Err(self.unexpected());
            }
        }
        Ok(NeutralText::atom(format!("{{{}}}", pairs.join(", "))))
    }

    fn name(&mut self, name: &str) -> Read {
        self.at += 1;
        let word = match name {
            "true" => Some("True"),
            "false" => Some("False"),
            "null" | "undefined" => Some("None"),
            "NaN" => Some("nan"),
            "Infinity" => Some("inf"),
            _ => None,
        };
        if let Some(word) = word {
            return Ok(NeutralText::atom(word));
        }
        if name == "new" {
            return self.new_object();
        }
        // As node writes them: `Set(2) { 1, 2 }`.
        let counted = self.is_mark(0, "(") && self.is_mark(2, ")") && self.is_mark(3, "{");
        if counted && ["Set", "Map"].contains(&name) {
            self.at += 4;
            return if name == "Map" { self.pairs("=>") } else { Ok(set(&self.items("}")?)) };
        }
        if self.names.is_module(name) && self.eat(".") {
            let own = self.rest().first().filter(|token| !self.names.is_module(&token.text));
            let Some(token) = own else { return Err(self.unexpected()) };
            return self.name(&token.text);
        }
        let of_platform = !self.names.is_defined(name);
        if of_platform
            && name == "Math"
            && self.is_mark(0, ".")
            && self.rest().get(1).is_some_and(|token| token.is_name("floor"))
        {
            self.at += 2;
            self.expect("(")?;
            let of = self.expression()?;
            self.expect(")")?;
            let (over, by) =
                of.sides.ok_or("`Math.floor` is only for a division in the language of cases")?;
            return Ok(NeutralText::of(format!("{over} // {by}"), 5));
        }
        if !self.eat("(") {
            return Ok(NeutralText::atom(self.names.looked_at(name)));
        }
        let called = self.names.called(name);
        let args = self.arguments((!of_platform).then_some(called.as_str()))?;
        let called = if of_platform && name == "String" { "str".to_owned() } else { called };
        Ok(NeutralText::atom(format!("{called}({})", args.join(", "))))
    }

    /// A new object, after `new`.
    fn new_object(&mut self) -> Read {
        let Some(class) = self.rest().first().filter(|token| token.kind == CodeTokenKind::Name) else {
            return Err(self.unexpected());
        };
        self.at += 1;
        let mut class = class.text.as_str();
        if self.names.is_module(class) && self.eat(".") {
            class = self.rest().first().map(|token| token.text.as_str()).unwrap_or_default();
            self.at += 1;
        }
        let own = self.names.called(class);
        let defined = self.names.is_defined(class);
        let args = if self.eat("(") { self.arguments(defined.then_some(own.as_str()))? } else { Vec::new() };
        let inside =
            |arg: &String| arg.strip_prefix('[').and_then(|arg| arg.strip_suffix(']')).map(str::to_owned);
        match (class, args.as_slice()) {
            ("Set", []) if !defined => Ok(set(&[])),
            ("Set", [items]) if !defined => match inside(items) {
                Some(items) if items.is_empty() => Ok(set(&[])),
                Some(items) => Ok(set(&[items])),
                None => Err("a set is made of an array in the language of cases".to_owned()),
            },
            ("Map", []) if !defined => Ok(NeutralText::atom("{}")),
            (_, args) => Ok(NeutralText::atom(format!("{own}({})", args.join(", ")))),
        }
    }
}

fn set(items: &[String]) -> NeutralText {
    NeutralText::atom(if items.is_empty() { "set()".to_owned() } else { format!("{{{}}}", items.join(", ")) })
}

/// An operator with its operands.
fn joined(
    left: NeutralText,
    sign: &str,
    level: u8,
    right: NeutralText,
    names: &SessionNames<'_>,
) -> NeutralText {
    let is_word = |text: &str| text.chars().all(|ch| ch.is_alphanumeric() || ch == '_');
    let word = right.text.clone();
    let named = is_word(&word)
        && word.starts_with(|ch: char| !ch.is_ascii_digit())
        && !["True", "False", "None", "nan", "inf"].contains(&word.as_str())
        && !names.is_defined(&word);
    let on = left.text.clone();
    // Comparisons are not chained in a case, and only `**` groups to the right.
    let (of_left, of_right) = match level {
        COMPARISON => (4, 4),
        7 => (ATOM, UNARY),
        level => (level, level + 1),
    };
    let (left, right) = (left.at(of_left), right.at(of_right));
    let mut text = NeutralText::of(format!("{left} {sign} {right}"), level);
    match sign {
        "==" | "!=" if named => {
            text.identity = Some(IdentityTest { expression: on, name: word, same: sign == "==" });
        }
        "/" => text.sides = Some((left, right)),
        _ => {}
    }
    text
}
