//! Statements of JavaScript as lines of a case.

use super::ask::{AskLine, PromptShows};
use super::js_expr::JsParser;
use super::names::SessionNames;
use super::tokens::{CodeToken, CodeTokenKind, SessionSyntax, code_tokens};

/// Keywords of statements that a case cannot have.
const STATEMENTS: [&str; 12] = [
    "async", "class", "delete", "do", "export", "for", "function", "if", "return", "switch", "throw", "while",
];

/// The lines of a case for what is typed at a prompt, and how the value of each is shown; none if it only imports.
///
/// # Errors
/// What is not part of the language of cases.
pub(super) fn asked(code: &str, names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    // Commands of node, such as `.load`.
    let is_command = code.starts_with('.') && code[1..].starts_with(|ch: char| ch.is_ascii_alphabetic());
    if is_command {
        return Ok(Vec::new());
    }
    let tokens = code_tokens(code, SessionSyntax::JavaScript)?;
    let tokens: Vec<CodeToken> =
        tokens.into_iter().filter(|token| token.kind != CodeTokenKind::Comment).collect();
    let mut lines = Vec::new();
    for statement in statements(&tokens) {
        lines.extend(self::statement(statement, names)?);
    }
    Ok(lines)
}

/// The statements: a line that begins with a point goes on with the one before.
fn statements(tokens: &[CodeToken]) -> Vec<&[CodeToken]> {
    let mut depth = 0;
    let mut found = Vec::new();
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        depth += token.nesting();
        let goes_on = || {
            let next = tokens.get(index + 1);
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            next.is_some_and(|next| next.is_mark("."))
                || before.is_some_and(|before| before.is_mark("=") || before.is_mark("."))
        };
        let ends = token.is_mark(";") || token.kind == CodeTokenKind::Newline && !goes_on();
        if depth == 0 && ends {
            found.push(&tokens[start..index]);
            start = index + 1;
        }
    }
    found.push(&tokens[start..]);
    found.retain(|statement| !statement.is_empty());
    found
}

fn statement(tokens: &[CodeToken], names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    let Some(first) = tokens.first() else { return Ok(Vec::new()) };
    if let Some(keyword) = STATEMENTS.iter().find(|keyword| first.is_name(keyword)) {
        return Err(format!("`{keyword}` is not part of the language of cases"));
    }
    if loads(tokens) {
        import(tokens, names);
        return Ok(Vec::new());
    }
    let declares = ["const", "let", "var"].iter().any(|word| first.is_name(word));
    if declares {
        return declaration(&tokens[1..], names);
    }
    if let [console, point, log, open, args @ .., close] = tokens
        && console.is_name("console")
        && point.is_mark(".")
        && ["log", "info"].contains(&log.text.as_str())
        && open.is_mark("(")
        && close.is_mark(")")
    {
        return logged(args, names);
    }
    let mut parser = JsParser::new(tokens, names);
    let value = parser.expression()?;
    if parser.eat("=") {
        let (assigned, rest) = (parser.expression()?, parser.rest());
        if !rest.is_empty() {
            return Err(unexpected(rest));
        }
        let place = bound(&value.text, names);
        return Ok(vec![AskLine::new(format!("{place} = {}", assigned.text), PromptShows::Value)]);
    }
    for step in ["++", "--"] {
        if parser.eat(step) && parser.rest().is_empty() {
            let line = format!("{0} = {0} {1} 1", value.text, &step[1..]);
            return Ok(vec![AskLine::new(line, PromptShows::Bound)]);
        }
    }
    for operator in ["+", "-", "*", "/", "%", "**"] {
        if parser.eat(&format!("{operator}=")) {
            let by = parser.operand()?;
            if !parser.rest().is_empty() {
                return Err(unexpected(parser.rest()));
            }
            let line = format!("{0} = {0} {operator} {by}", value.text);
            return Ok(vec![AskLine::new(line, PromptShows::Value)]);
        }
    }
    if !parser.rest().is_empty() {
        return Err(unexpected(parser.rest()));
    }
    Ok(vec![match value.same {
        Some((on, name, is)) => AskLine { shown: PromptShows::Same(name, is), line: on },
        None => AskLine::new(value.text, PromptShows::Value),
    }])
}

/// Whether a statement loads a file.
fn loads(tokens: &[CodeToken]) -> bool {
    let calls = |name: &str| tokens.windows(2).any(|pair| pair[0].is_name(name) && pair[1].is_mark("("));
    tokens.first().is_some_and(|first| first.is_name("import")) || calls("require") || calls("import")
}

/// Notes the names by which a file is loaded: `const m = require(…)` and `import * as m from …` name the module itself.
fn import(tokens: &[CodeToken], names: &mut SessionNames<'_>) {
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == CodeTokenKind::Name) {
        let (before, next) = (index.checked_sub(1).and_then(|at| tokens.get(at)), tokens.get(index + 1));
        let after_as = before.is_some_and(|before| before.is_name("as"));
        let assigned = next.is_some_and(|next| next.is_mark("="));
        if (after_as || assigned) && !names.is_defined(&token.text) {
            names.import_module(&token.text);
        }
    }
}

/// `const a = f(), b = 1`, `let [a, b] = f()`
fn declaration(tokens: &[CodeToken], names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    let mut parser = JsParser::new(tokens, names);
    let mut found = Vec::new();
    while !parser.rest().is_empty() {
        let place = parser.operand()?;
        // Without a value, a name is only declared.
        if parser.eat("=") {
            found.push((place, parser.expression()?.text));
        }
        if !parser.eat(",") && !parser.rest().is_empty() {
            return Err(unexpected(parser.rest()));
        }
    }
    let line = |(place, value): (String, String)| {
        let place = bound(&place, names);
        AskLine::new(format!("{place} = {value}"), PromptShows::Bound)
    };
    Ok(found.into_iter().map(line).collect())
}

/// What a line binds: an array of names is several names.
fn bound(place: &str, names: &mut SessionNames<'_>) -> String {
    let inner = place.strip_prefix('[').and_then(|place| place.strip_suffix(']')).unwrap_or(place);
    let is_name = |part: &str| part.chars().all(|ch| ch.is_alphanumeric() || ch == '_' || ch == '$');
    let parts: Vec<&str> = inner.split(", ").collect();
    if !parts.iter().all(|part| is_name(part)) {
        return place.to_owned();
    }
    parts.into_iter().map(|part| names.bind(part)).collect::<Vec<_>>().join(", ")
}

/// `console.log(a)` shows a text as it is, and another value as node writes it.
fn logged(args: &[CodeToken], names: &SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    let mut parser = JsParser::new(args, names);
    let mut values = Vec::new();
    while !parser.rest().is_empty() {
        values.push(parser.expression()?);
        if !parser.eat(",") && !parser.rest().is_empty() {
            return Err(unexpected(parser.rest()));
        }
    }
    match values.as_slice() {
        [] => Ok(Vec::new()),
        [only] => Ok(vec![match only.text.strip_suffix(".toString()") {
            Some(of) => AskLine::new(of.to_owned(), PromptShows::Text),
            None => AskLine::new(only.text.clone(), PromptShows::Logged),
        }]),
        values => {
            let text = |value: &str| {
                if value.starts_with(['\'', '"']) { value.to_owned() } else { format!("str({value})") }
            };
            let texts: Vec<String> = values.iter().map(|value| text(&value.text)).collect();
            Ok(vec![AskLine::new(texts.join(" + ' ' + "), PromptShows::Text)])
        }
    }
}

/// The problem where a statement should end.
fn unexpected(rest: &[CodeToken]) -> String {
    let token = rest.first().map(|token| token.text.as_str()).unwrap_or_default();
    format!("`{token}` is not part of the language of cases")
}
