//! Code of Python in a session, as a step that runs the code as it stands: for what the language of cases
//! does not have.

use super::ask::{AskLine, NativeCall, PromptShows};
use super::names::SessionNames;
use keur_core::languages::python::{self, Python};
use keur_core::languages::{TokenKind, Tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// Keywords of statements that have a block.
const BLOCKS: [&str; 12] =
    ["async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"];

/// Keywords of other statements.
const STATEMENTS: [&str; 12] = [
    "assert", "break", "continue", "del", "from", "global", "import", "nonlocal", "pass", "raise", "return",
    "yield",
];

/// Marks that look like an assignment with an operator, and compare.
const COMPARISONS: [&str; 4] = ["==", "!=", "<=", ">="];

/// The code typed at a prompt as a line of a case that is code. It binds the names that are used `later`. Where
/// the prompt has `written`, the values that it writes of statements are printed.
///
/// # Errors
/// A case cannot have the code.
pub(super) fn native_line(
    code: &str,
    names: &SessionNames<'_>,
    later: &dyn Fn(&str) -> bool,
    written: bool,
) -> Result<AskLine, String> {
    let code = without_session_names(code, names);
    let statements = statements(&code);
    let Some(last) = statements.last() else { return Err("there is no code".to_owned()) };
    if statements.iter().any(|statement| statement.begins("assert")) {
        return Err("an `assert` would give the submission the expected answer".to_owned());
    }
    let is_value = last.column == 0 && !last.is_body && last.is_expression();
    let is_bound = !is_value || last.called() == Some("print");
    let shown = if is_bound { PromptShows::Bound } else { PromptShows::Value };
    let own = bound(&statements);
    let imports = names.imports(&words(&code), &own);
    let is_expression = is_value && statements.len() == 1 && imports.is_empty();
    let prints = statements.iter().flat_map(|statement| &statement.tokens).any(|token| token.text == "print");
    let body = if written && !prints { printing_values(&code, &statements, is_value) } else { code.clone() };
    let has_blocks = body.contains('\n') || statements.iter().any(Statement::has_block);
    let line = imports.into_iter().chain([body]).collect::<Vec<_>>();
    let line = line.join(if has_blocks { "\n" } else { "; " });
    let binds = own.into_iter().filter(|name| later(name) && !names.is_defined(name)).collect();
    let native = NativeCall { language: python::LANGUAGE.name, binds, is_expression };
    Ok(AskLine { line, shown, native: Some(native) })
}

/// The words of a text, names among them.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    text.split(|ch: char| !(ch.is_alphanumeric() || ch == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A token in the code.
struct Piece<'c> {
    kind: TokenKind,
    text: &'c str,
    at: Range<usize>,
}

impl Piece<'_> {
    fn nesting(&self) -> i32 {
        match self.text {
            "(" | "[" | "{" if self.kind == TokenKind::Mark => 1,
            ")" | "]" | "}" if self.kind == TokenKind::Mark => -1,
            _ => 0,
        }
    }
}

/// A statement, or the head of one that has a block.
struct Statement<'c> {
    tokens: Vec<Piece<'c>>,
    /// Where its line begins, in bytes.
    column: usize,
    /// Whether it stands on the line of the head whose block it is in.
    is_body: bool,
}

impl Statement<'_> {
    fn begins(&self, keyword: &str) -> bool {
        self.tokens.first().is_some_and(|first| first.text == keyword)
    }

    fn has_block(&self) -> bool {
        BLOCKS.iter().any(|keyword| self.begins(keyword))
    }

    /// The places of marks outside brackets for which `is` holds.
    fn marks(&self, is: impl Fn(&str) -> bool) -> Vec<usize> {
        let mut depth = 0;
        let mut places = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            depth += token.nesting();
            if depth == 0 && token.kind == TokenKind::Mark && is(token.text) {
                places.push(index);
            }
        }
        places
    }

    fn assignments(&self) -> Vec<usize> {
        self.marks(|mark| mark.ends_with('=') && !COMPARISONS.contains(&mark) && mark != ":=")
    }

    fn is_expression(&self) -> bool {
        let is_statement = STATEMENTS.iter().any(|keyword| self.begins(keyword));
        !self.has_block() && !is_statement && !self.begins("@") && self.assignments().is_empty()
    }

    /// The function, if the statement is one call of a function.
    fn called(&self) -> Option<&str> {
        let [name, rest @ ..] = self.tokens.as_slice() else { return None };
        let closed = self.marks(|mark| mark == ")");
        let is_call = name.kind == TokenKind::Name && rest.first().is_some_and(|open| open.text == "(");
        (is_call && closed == [self.tokens.len() - 1]).then_some(name.text)
    }

    fn span(&self) -> Option<Range<usize>> {
        Some(self.tokens.first()?.at.start..self.tokens.last()?.at.end)
    }
}

/// The code without comments, with the names of a case, and with plain quotes: a word processor writes others.
fn without_session_names(code: &str, names: &SessionNames<'_>) -> String {
    let tokens = Python.tokens(code);
    let text = |index: usize| tokens.get(index).map_or("", |token| &code[token.at.clone()]);
    let mut out = String::with_capacity(code.len());
    let mut end = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        out.push_str(&code[end..token.at.start]);
        end = token.at.end;
        let word = text(index);
        let is_member = index > 0 && text(index - 1) == ".";
        match token.kind {
            TokenKind::Comment => out.truncate(out.trim_end_matches([' ', '\t']).len()),
            TokenKind::Name if is_member => out.push_str(word),
            // The submission's own module is not needed for its names.
            TokenKind::Name
                if names.is_module(word) && text(index + 1) == "." && names.is_defined(text(index + 2)) =>
            {
                index += 1;
                end = tokens[index].at.end;
            }
            TokenKind::Name if text(index + 1) == "(" => out.push_str(names.imported(word)),
            TokenKind::Name => out.push_str(names.renamed(word)),
            TokenKind::Text => out.push_str(&plain_quotes(word)),
            TokenKind::Mark if matches!(word, "–" | "−") => out.push('-'),
            TokenKind::Mark | TokenKind::Number | TokenKind::Expression => out.push_str(word),
        }
        index += 1;
    }
    out.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

fn plain_quotes(text: &str) -> String {
    let mut chars = text.chars();
    let quote = match chars.next() {
        Some('‘' | '’' | '‚' | '‛' | '′') => '\'',
        Some('“' | '”' | '„' | '″') => '"',
        _ => return text.to_owned(),
    };
    chars.next_back();
    format!("{quote}{}{quote}", chars.as_str())
}

fn statements(code: &str) -> Vec<Statement<'_>> {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    let mut statement = Statement { tokens: Vec::new(), column: 0, is_body: false };
    let (mut depth, mut end) = (0, 0);
    let mut finish = |statement: &mut Statement<'_>, column: usize, is_body: bool| {
        let next = Statement { tokens: Vec::new(), column, is_body };
        let finished = std::mem::replace(statement, next);
        if !finished.tokens.is_empty() {
            let Statement { tokens, column, is_body } = finished;
            let tokens = tokens
                .into_iter()
                .map(|token| Piece { text: &code[token.at.clone()], kind: token.kind, at: token.at })
                .collect();
            statements.push(Statement { tokens, column, is_body });
        }
    };
    for token in Python.tokens(code) {
        let between = &code[end..token.at.start];
        let goes_on = statement.tokens.last().is_some_and(|last| last.text == "\\");
        if let Some((_, indent)) = between.rsplit_once('\n').filter(|_| depth <= 0 && !goes_on) {
            finish(&mut statement, indent.len(), false);
        }
        end = token.at.end;
        let piece = Piece { kind: token.kind, text: &code[token.at.clone()], at: token.at };
        depth += piece.nesting();
        if depth <= 0 && piece.text == ";" {
            let (column, is_body) = (statement.column, statement.is_body);
            finish(&mut statement, column, is_body);
            continue;
        }
        let ends_head = depth <= 0 && piece.text == ":" && statement.has_block();
        statement.tokens.push(piece);
        if ends_head {
            let column = statement.column;
            finish(&mut statement, column, true);
        }
    }
    finish(&mut statement, 0, false);
    statements
}

/// Those statements that are not in the block of a function or class.
fn outside_definitions<'s, 'c>(statements: &'s [Statement<'c>]) -> Vec<&'s Statement<'c>> {
    let mut inside: Option<usize> = None;
    let mut outside = Vec::new();
    for statement in statements {
        inside = inside.filter(|column| statement.column > *column || statement.is_body);
        if inside.is_some() {
            continue;
        }
        outside.push(statement);
        let defines = statement.tokens.iter().take(2).any(|token| matches!(token.text, "def" | "class"));
        inside = (statement.has_block() && defines).then_some(statement.column);
    }
    outside
}

/// The names that the statements bind.
fn bound(statements: &[Statement<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for statement in outside_definitions(statements) {
        let tokens = &statement.tokens;
        let last = statement.assignments().last().copied().unwrap_or_default();
        let is_import = statement.begins("import") || statement.begins("from");
        let imports = tokens.iter().position(|token| token.text == "import").filter(|_| is_import);
        let mut depth = 0;
        let mut in_for = false;
        // An annotation binds nothing.
        let annotation = statement.marks(|mark| mark == ":").first().copied().unwrap_or(usize::MAX);
        for (index, token) in tokens.iter().enumerate() {
            depth += token.nesting();
            let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
            let next = tokens.get(index + 1).map_or("", |next| next.text);
            in_for = (in_for || before == "for" && depth == 0) && token.text != "in";
            let is_target = (index < last.min(annotation) || in_for) && !matches!(next, "." | "[" | "(");
            let is_imported = imports.is_some_and(|import| index > import) && next != "as";
            let binds = is_target || is_imported || next == ":=" || matches!(before, "as" | "def" | "class");
            if token.kind == TokenKind::Name
                && before != "."
                && binds
                && !names.iter().any(|name| name == token.text)
            {
                names.push(token.text.to_owned());
            }
        }
    }
    names
}

/// The code with each value printed that a prompt writes of a statement, but for the last one's.
fn printing_values(code: &str, statements: &[Statement<'_>], is_value: bool) -> String {
    let mut out = code.to_owned();
    let last = statements.last().and_then(Statement::span).filter(|_| is_value);
    for statement in outside_definitions(statements).into_iter().rev().filter(|one| one.is_expression()) {
        if let Some(span) = statement.span().filter(|span| last.as_ref() != Some(span)) {
            let value = format!("print(repr({}))", &code[span.clone()]);
            out.replace_range(span, &value);
        }
    }
    out
}
