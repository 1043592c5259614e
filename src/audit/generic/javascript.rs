//! The places of a program in JavaScript that can be changed, found among its tokens.

use super::site::{ChangeKind, ChangeSite};
use keur_core::languages::javascript::{HEADS, JavaScript};
use keur_core::languages::{TokenKind, Tokens};
use std::ops::Range;

/// Comparisons, the opposite of each, and what differs at its border.
const COMPARISONS: [(&str, &str, Option<&str>); 8] = [
    ("<", ">", Some("<=")),
    (">", "<", Some(">=")),
    ("<=", ">=", Some("<")),
    (">=", "<=", Some(">")),
    ("==", "!=", None),
    ("!=", "==", None),
    ("===", "!==", None),
    ("!==", "===", None),
];

/// Operators, and what comes in place of each.
const OPERATORS: [(&str, &str); 10] = [
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("%", "/"),
    ("**", "*"),
    ("+=", "-="),
    ("-=", "+="),
    ("&", "|"),
    ("|", "&"),
];

/// Words that begin a loop or a condition.
const COMPOUND: [&str; 5] = ["if", "for", "while", "switch", "try"];

/// Words that begin a statement after which none of its block is reached.
const ENDS: [&str; 4] = ["return", "throw", "break", "continue"];

/// Never ends, and no `catch` stops it: a case that reaches it comes to the time limit.
const ENDLESS: &str = "for (;;); ";

/// Words that do not begin a statement that can be left out.
const NOT_DROPPED: [&str; 29] = [
    "async", "case", "catch", "class", "const", "debugger", "default", "do", "else", "export", "finally",
    "for", "function", "get", "if", "import", "let", "new", "return", "set", "static", "super", "switch",
    "try", "var", "while", "with", "yield", "enum",
];

/// Words before parentheses that are followed by a block, but not of a function.
const NOT_FUNCTIONS: [&str; 6] = ["if", "while", "for", "with", "switch", "catch"];

/// A token that is no comment.
struct CodeToken {
    kind: TokenKind,
    /// The bytes of the token in the text.
    at: Range<usize>,
    /// Whether a line ends between the token before it and this one.
    on_new_line: bool,
}

/// The places in a program.
pub(super) fn sites(text: &str) -> Vec<ChangeSite> {
    let tokens = code(text);
    let mut finder = SiteFinder { text, tokens: &tokens, open: Vec::new(), sites: Vec::new(), thrown: None };
    for index in 0..tokens.len() {
        finder.token(index);
    }
    finder.sites
}

/// The tokens of a program without its comments.
fn code(text: &str) -> Vec<CodeToken> {
    let mut before = None;
    let code = JavaScript.tokens(text).into_iter().filter(|token| token.kind != TokenKind::Comment);
    code.map(|token| {
        let between = before.replace(token.at.end).map(|end| &text[end..token.at.start]);
        let on_new_line = between.is_none_or(|between| between.contains(['\n', '\r']));
        CodeToken { kind: token.kind, at: token.at, on_new_line }
    })
    .collect()
}

/// A bracket that is open.
struct OpenBracket {
    /// The function whose body it begins, if it is one.
    function: Option<String>,
    /// Whether statements are directly in it.
    is_block: bool,
    /// Whether it begins the body of a loop.
    is_loop: bool,
    /// The index of the token that begins the last statement directly in it.
    statement: Option<usize>,
    /// The bytes of the last statement that may change places with the next one.
    swapped: Option<Range<usize>>,
}

struct SiteFinder<'s> {
    text: &'s str,
    tokens: &'s [CodeToken],
    open: Vec<OpenBracket>,
    sites: Vec<ChangeSite>,
    /// The number of brackets around the `throw` that the token belongs to.
    thrown: Option<usize>,
}

impl<'s> SiteFinder<'s> {
    fn word(&self, index: usize) -> &'s str {
        self.tokens.get(index).map_or("", |token| &self.text[token.at.clone()])
    }

    fn before(&self, index: usize) -> &'s str {
        index.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// Whether a token ends a value, so that an operator may follow.
    fn is_value(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else { return false };
        match token.kind {
            TokenKind::Name => {
                !["return", "typeof", "case", "in", "of", "void", "throw"].contains(&self.word(index))
            }
            TokenKind::Mark => [")", "]", "}"].contains(&self.word(index)),
            TokenKind::Number | TokenKind::Text | TokenKind::Expression => true,
            TokenKind::Comment => false,
        }
    }

    fn function(&self) -> String {
        let named = self.open.iter().rev().find_map(|open| open.function.clone());
        named.unwrap_or_else(|| "top".to_owned())
    }

    fn add(&mut self, kind: ChangeKind, at: Range<usize>, put: &str) {
        let function = self.function();
        let block = self.open.iter().rev().find(|open| open.is_block);
        let statement = block.and_then(|block| block.statement).filter(|_| function != "top");
        let reach = statement.map(|index| (self.tokens[index].at.start, ENDLESS.to_owned()));
        self.sites.push(ChangeSite { function, kind, at, put: put.to_owned(), reach });
    }

    fn token(&mut self, index: usize) {
        let token = &self.tokens[index];
        let word = self.word(index);
        let at = token.at.clone();
        if self.begins_statement(index) {
            self.returns_early(index);
            if let Some(open) = self.open.last_mut().filter(|_| word != "}") {
                open.statement = Some(index);
            }
            self.statement(index);
        }
        self.copy(index);
        match token.kind {
            TokenKind::Mark => self.sign(index, word),
            TokenKind::Number => {
                if let Ok(number) = word.parse::<u32>() {
                    self.add(ChangeKind::Constant, at, &(u64::from(number) + 1).to_string());
                }
            }
            TokenKind::Text if self.is_shown(index) => {
                let kind = if self.thrown.is_some() { ChangeKind::Message } else { ChangeKind::Constant };
                self.add(kind, at.end - 1..at.end - 1, "!");
            }
            TokenKind::Name if word == "true" => self.add(ChangeKind::Constant, at, "false"),
            TokenKind::Name if word == "false" => self.add(ChangeKind::Constant, at, "true"),
            TokenKind::Name | TokenKind::Text | TokenKind::Expression | TokenKind::Comment => {}
        }
    }

    fn sign(&mut self, index: usize, sign: &str) {
        let at = self.tokens[index].at.clone();
        match sign {
            "(" | "[" | "{" => {
                let function = (sign == "{").then(|| self.function_of(index)).flatten();
                let is_block = sign == "{" && self.is_block(index);
                let is_loop = is_block && self.is_loop(index);
                self.open.push(OpenBracket { function, is_block, is_loop, statement: None, swapped: None });
            }
            ")" | "]" | "}" => {
                self.ends_loop(index);
                self.open.pop();
                self.thrown = self.thrown.filter(|depth| self.open.len() >= *depth);
            }
            ";" => self.thrown = self.thrown.filter(|depth| self.open.len() > *depth),
            "&&" => self.add(ChangeKind::Boolean, at, "||"),
            "||" => self.add(ChangeKind::Boolean, at, "&&"),
            "!" => self.add(ChangeKind::Negation, at, ""),
            _ => {
                let is_between = index > 0 && self.is_value(index - 1);
                // Those of a generator are no operators.
                let is_operator = is_between && !["function", "yield"].contains(&self.before(index));
                if let Some((_, put)) = OPERATORS.iter().find(|(known, _)| is_operator && *known == sign) {
                    self.add(ChangeKind::Arithmetic, at.clone(), put);
                }
                if let Some((_, turned, border)) = COMPARISONS.iter().find(|(known, _, _)| *known == sign) {
                    self.add(ChangeKind::Turned, at.clone(), turned);
                    border.iter().for_each(|border| self.add(ChangeKind::Border, at.clone(), border));
                }
            }
        }
    }

    /// Whether a brace begins the body of a loop.
    fn is_loop(&self, index: usize) -> bool {
        match self.before(index) {
            "do" => true,
            ")" => {
                let head = self.opening(index - 1).map_or("", |open| self.before(open));
                ["for", "while", "await"].contains(&head)
            }
            _ => false,
        }
    }

    /// Ends a loop after its first round, where this token closes its body.
    fn ends_loop(&mut self, index: usize) {
        let Some(body) = self.open.last().filter(|open| open.is_loop) else { return };
        let is_over = body.statement.is_some_and(|last| ENDS.contains(&self.word(last)));
        if !is_over && self.function() != "top" {
            let at = self.tokens[index].at.start;
            self.add(
                ChangeKind::Early,
                at..at,
                if self.before(index) == ";" { "break; " } else { "; break; " },
            );
        }
    }

    /// Returns from a function before a loop or a condition that is not its first statement.
    fn returns_early(&mut self, index: usize) {
        let body = self.open.last().filter(|open| open.function.is_some() && open.statement.is_some());
        let is_of_other = match self.before(index) {
            "else" => true,
            ")" => self.closes_head(index - 1),
            "}" => !self.tokens[index].on_new_line && self.word(index) == "while",
            _ => false,
        };
        if body.is_some() && !is_of_other && COMPOUND.contains(&self.word(index)) {
            let at = self.tokens[index].at.start;
            self.add(ChangeKind::Early, at..at, "return; ");
        }
    }

    /// Notes that a copy of a named object which begins with this token can be the object itself.
    fn copy(&mut self, index: usize) {
        let (first, end, named) = match (self.word(index), self.word(index + 1), self.word(index + 2)) {
            ("structuredClone", "(", _) => (index + 2, ")", true),
            ("new", "Set" | "Map", "(") => (index + 3, ")", true),
            ("Array", ".", "from") if self.word(index + 3) == "(" => (index + 4, ")", true),
            ("[", "...", _) => (index + 2, "]", index == 0 || !self.is_value(index - 1)),
            ("{", "...", _) => (index + 2, "}", true),
            _ => (index, ".", self.before(index) != "."),
        };
        let mut last = first;
        while self.word(last + 1) == "." && (end != "." || self.word(last + 2) != "slice") {
            last += 2;
        }
        let close = if end == "." { last + 4 } else { last + 1 };
        let is_copy = match end {
            "." => (last + 1..=close).map(|at| self.word(at)).eq([".", "slice", "(", ")"]),
            _ => self.word(close) == end,
        };
        let is_name = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Name);
        if named && is_copy && (first..=last).step_by(2).all(is_name) && self.function() != "top" {
            let original = &self.text[self.tokens[first].at.start..self.tokens[last].at.end];
            self.add(ChangeKind::Shared, self.tokens[index].at.start..self.tokens[close].at.end, original);
        }
    }

    /// Whether a text is one that a program shows or compares: not the key of an object, the name of a
    /// module, or a directive such as `'use strict'`.
    fn is_shown(&self, index: usize) -> bool {
        let (before, after) = (self.before(index), self.word(index + 1));
        let of_module = matches!(before, "from" | "import")
            || before == "(" && index > 1 && matches!(self.word(index - 2), "require" | "import");
        let closed = self.tokens[index].at.len() > 1;
        let is_key = after == ":" && matches!(before, "{" | ",");
        closed && !of_module && !is_key && !self.begins_statement(index)
    }

    /// Whether a brace begins a block, not an object.
    fn is_block(&self, index: usize) -> bool {
        if index == 0 {
            return true;
        }
        let before = self.before(index);
        match self.tokens[index - 1].kind {
            TokenKind::Mark => [")", ";", "{", "}", "=>"].contains(&before),
            TokenKind::Name => {
                // After a name, a brace begins the body of a class.
                !["return", "typeof", "case", "in", "of", "throw", "default", "await", "yield"]
                    .contains(&before)
            }
            TokenKind::Number | TokenKind::Text | TokenKind::Expression | TokenKind::Comment => false,
        }
    }

    /// The name of the function whose body a brace begins.
    fn function_of(&self, index: usize) -> Option<String> {
        let head = index.checked_sub(1)?;
        let is_arrow = self.word(head) == "=>";
        let last = if is_arrow { head.checked_sub(1)? } else { head };
        // An arrow may follow a single parameter.
        let first = if self.word(last) == ")" { self.opening(last)? } else { last };
        if !is_arrow && self.word(last) != ")" {
            return None;
        }
        let before = first.checked_sub(1)?;
        let name = match self.word(before) {
            "function" | "async" | "=" => {
                let assigned = (0..=before)
                    .rev()
                    .find(|at| !["function", "async", "=", "*"].contains(&self.word(*at)))?;
                (self.word(assigned + 1) == "=").then_some(assigned)?
            }
            _ if is_arrow => return None,
            _ => before,
        };
        let is_name = self.tokens[name].kind == TokenKind::Name && !NOT_FUNCTIONS.contains(&self.word(name));
        is_name.then(|| self.word(name).trim_start_matches('#').to_owned())
    }

    /// The index of the parenthesis that the one at `index` closes.
    fn opening(&self, index: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=index).rev().find(|at| {
            depth += i32::from(self.word(*at) == ")") - i32::from(self.word(*at) == "(");
            depth == 0
        })
    }

    /// Whether a statement begins with a token.
    fn begins_statement(&self, index: usize) -> bool {
        let in_block = self.open.last().is_none_or(|open| open.is_block);
        if !in_block {
            return false;
        }
        match self.before(index) {
            "" | ";" | "{" | "}" | "else" | "do" => true,
            ")" if self.closes_head(index - 1) => true,
            _ => self.tokens[index].on_new_line && self.ends_at_line(index),
        }
    }

    /// Whether a parenthesis closes that of an `if` or a loop.
    fn closes_head(&self, index: usize) -> bool {
        self.opening(index).is_some_and(|open| HEADS.contains(&self.before(open)))
    }

    /// Whether the statement before a token on a new line has ended without a semicolon.
    fn ends_at_line(&self, index: usize) -> bool {
        let word = self.word(index);
        let begins = self.tokens[index].kind == TokenKind::Name && !["in", "instanceof"].contains(&word);
        index > 0 && self.is_value(index - 1) && (begins || word == "}")
    }

    /// Notes how a statement that begins with this token can be changed.
    fn statement(&mut self, index: usize) {
        let word = self.word(index);
        let start = self.tokens[index].at.start;
        self.thrown = (word == "throw").then_some(self.open.len());
        if self.tokens[index].kind != TokenKind::Name || self.function() == "top" {
            return;
        }
        let Some(end) = self.end_of_statement(index) else { return };
        // Without a statement, `if (…)` would be about the next one.
        let nothing = if self.text[end..].trim_start().starts_with(';') { "" } else { ";" };
        if word == "return" {
            match self.tokens.get(index + 1).filter(|next| next.at.start < end) {
                None => self.add(ChangeKind::Return, start..end, nothing),
                // In parentheses, an object is not a block.
                Some(value) => {
                    let value = &self.text[value.at.start..end];
                    self.add(ChangeKind::Return, start..end, &format!("void ({value})"));
                }
            }
        } else if !NOT_DROPPED.contains(&word) {
            self.add(ChangeKind::Dropped, start..end, nothing);
            if word == "continue" {
                self.add(ChangeKind::Early, start..end, "break");
            }
            if !ENDS.contains(&word) {
                self.swap(start..end);
            }
        }
    }

    /// Notes that a statement can change places with the one before, if they have a name in common.
    fn swap(&mut self, statement: Range<usize>) {
        let Some(open) = self.open.last_mut() else { return };
        let Some(before) = open.swapped.replace(statement.clone()) else { return };
        let between = before.end..statement.start;
        let is_next = self.tokens_in(&between).all(|token| self.text[token.at.clone()] == *";");
        let names = |at: &Range<usize>| -> Vec<&str> {
            let names = self.tokens_in(at).filter(|token| token.kind == TokenKind::Name);
            names.map(|token| &self.text[token.at.clone()]).filter(|name| *name != "this").collect()
        };
        let others = names(&statement);
        if is_next && names(&before).iter().any(|name| others.contains(name)) {
            let [one, between, other] = [&before, &between, &statement].map(|at| &self.text[at.clone()]);
            self.add(ChangeKind::Swapped, before.start..statement.end, &format!("{other}{between}{one}"));
        }
    }

    /// The tokens in these bytes.
    fn tokens_in(&self, at: &Range<usize>) -> impl Iterator<Item = &'s CodeToken> {
        let first = self.tokens.partition_point(|token| token.at.start < at.start);
        let tokens: &'s [CodeToken] = self.tokens;
        let end = at.end;
        tokens[first..].iter().take_while(move |token| token.at.start < end)
    }

    /// The byte after the last token of a statement without its semicolon; none if its end is unclear.
    fn end_of_statement(&self, index: usize) -> Option<usize> {
        let mut depth = 0;
        for at in index..self.tokens.len() {
            let word = self.word(at);
            let ends = depth == 0 && at > index && (word == ";" || word == "}" || self.ends_at_new_line(at));
            if ends {
                return Some(self.tokens[at - 1].at.end);
            }
            match word {
                "{" if depth == 0 && self.before(at) == ")" => return None,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether a token begins a new line and a new statement, or ends the block.
    fn ends_at_new_line(&self, index: usize) -> bool {
        self.tokens[index].on_new_line && self.ends_at_line(index)
    }
}

#[cfg(test)]
mod tests {
    use super::sites;
    use crate::audit::generic::site::ChangeKind;
    use keur_core::named::Named;

    /// The changes of a program, each as `function kind: old > new`.
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<String> = sites(source)
            .into_iter()
            .map(|site| {
                let old = &source[site.at.clone()];
                format!("{} {}: {old} > {}", site.function, site.kind.name(), site.put)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn comparisons_and_operators_are_changed() {
        check(
            "function f(a) { if (a < 1 && !b) c(); }",
            &[
                "f turned: < > >", "f border: < > <=", "f constant: 1 > 2", "f boolean: && > ||",
                "f negation: ! > ", "f dropped: c() > ",
            ],
        );
        check(
            "const g = (a) => { x = a - -1 }",
            &["g dropped: x = a - -1 > ;", "g arithmetic: - > +", "g constant: 1 > 2"],
        );
    }

    #[test]
    fn operators_have_others_in_their_place() {
        check(
            "function f(a) { a += b * c % d }",
            &[
                "f dropped: a += b * c % d > ;",
                "f arithmetic: += > -=",
                "f arithmetic: * > +",
                "f arithmetic: % > /",
            ],
        );
        check("const g = function* () { yield* f; }", &[]);
    }

    #[test]
    fn copies_of_named_objects_are_the_objects() {
        check(
            "function f() { return g([...a.b], structuredClone(c), new Set(d), { ...this.e }, Array.from(h)); }",
            &[
                "f return: return g([...a.b], structuredClone(c), new Set(d), { ...this.e }, Array.from(h)) > void (g([...a.b], structuredClone(c), new Set(d), { ...this.e }, Array.from(h)))",
                "f shared: [...a.b] > a.b",
                "f shared: structuredClone(c) > c",
                "f shared: new Set(d) > d",
                "f shared: { ...this.e } > this.e",
                "f shared: Array.from(h) > h",
            ],
        );
        check(
            "function f() { const a = b.c.slice(), d = [...e, g], h = i().slice(), j = [...k()]; }",
            &["f shared: b.c.slice() > b.c"],
        );
    }

    #[test]
    fn statements_with_a_common_name_change_places() {
        check(
            "function f() { this.a = b; c(b); d(); return d; }",
            &[
                "f dropped: this.a = b > ",
                "f dropped: c(b) > ",
                "f swapped: this.a = b; c(b) > c(b); this.a = b",
                "f dropped: d() > ",
                "f return: return d > void (d)",
            ],
        );
    }

    #[test]
    fn loops_end_early_and_functions_return_early() {
        check(
            "function f() { a(); for (const b of c) { d(b); } while (e) { if (g) continue; break; } }",
            &[
                "f dropped: a() > ", "f early:  > return; ", "f dropped: d(b) > ", "f early:  > break; ",
                "f dropped: continue > ", "f early: continue > break", "f dropped: break > ",
            ],
        );
        check(
            "function f() { for (;;) { if (a) b(); else if (c) d() } }",
            &["f dropped: b() > ", "f dropped: d() > ;", "f early:  > ; break; "],
        );
    }

    #[test]
    fn a_loop_without_end_is_put_before_the_statement_that_is_changed() {
        let source = "function f() { a(); g(() => { b(c + d); }, e - h); }";
        let of = |old: &str| sites(source).into_iter().find(|site| &source[site.at.clone()] == old).unwrap();
        for (old, statement) in [("a()", "a();"), ("+", "b(c"), ("-", "g(()")] {
            let (at, put) = of(old).reach.unwrap();
            assert_eq!((&source[at..at + statement.len()], put.as_str()), (statement, "for (;;); "));
        }
        assert!(sites("a = b + c;")[0].reach.is_none());
    }

    #[test]
    fn statements_end_with_a_semicolon_or_a_line() {
        check(
            "class A {\n  m() {\n    this.a = b\n    c()\n    return this\n  }\n}",
            &["m dropped: this.a = b > ;", "m dropped: c() > ;", "m return: return this > void (this)"],
        );
        check("function f() { return { a: b }; }", &["f return: return { a: b } > void ({ a: b })"]);
        check(
            "function f() {\n  if (a) return;\n  else b\n    .c();\n}",
            &["f return: return > ", "f dropped: b\n    .c() > "],
        );
        check(
            "function f() { a = { b() { c(); } }; }",
            &["f dropped: a = { b() { c(); } } > ", "b dropped: c() > "],
        );
    }

    #[test]
    fn texts_are_messages_where_they_are_thrown() {
        check(
            "function f() { throw new Error('a'); g('b', true); }",
            &[
                "f dropped: throw new Error('a') > ",
                "f message:  > !",
                "f dropped: g('b', true) > ",
                "f constant:  > !",
                "f constant: true > false",
            ],
        );
    }

    #[test]
    fn names_of_modules_directives_and_keys_stay() {
        check("'use strict';\nimport { a } from './a.js';\nconst b = require('b');\nc = { 'd': e };", &[]);
    }

    #[test]
    fn every_kind_has_its_name() {
        let names: std::collections::BTreeSet<&str> = ChangeKind::NAMES.iter().copied().collect();
        assert_eq!(names.len(), ChangeKind::NAMES.len());
    }
}
