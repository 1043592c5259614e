//! Sessions in JavaScript: statements as lines of a case, and what is printed below.

use super::answer::{SeenValue, is_known_exception};
use super::ask::{AskLine, PromptShows};
use super::js_expr::JsParser;
use super::language::{SeenException, SessionLanguage};
use super::names::SessionNames;
use super::prompts::{PastedEntry, PromptKind};
use super::tokens::{CodeToken, CodeTokenKind, code_tokens};
use keur_core::case::literal;
use keur_core::languages::javascript::{self, JavaScript};
use keur_core::languages::{Language, Tokens};
use keur_core::value::Value;

/// Keywords of statements that a case cannot have.
const STATEMENTS: [&str; 12] = [
    "async", "class", "delete", "do", "export", "for", "function", "if", "return", "switch", "throw", "while",
];

/// Sessions in JavaScript.
pub(super) struct JavaScriptSession;

impl SessionLanguage for JavaScriptSession {
    fn language(&self) -> &'static Language {
        &javascript::LANGUAGE
    }

    fn tokens(&self) -> &'static dyn Tokens {
        &JavaScript
    }

    fn prompt(&self) -> PromptKind {
        PromptKind::Single
    }

    fn signs(&self, entry: &PastedEntry) -> usize {
        let code = entry.code.as_str();
        let declares = ["const ", "let ", "var ", "console.", "//"].iter().any(|word| code.starts_with(word));
        let values = ["true", "false", "null", "undefined"];
        let shows = entry.output.iter().any(|line| values.contains(&line.trim()));
        let uncaught = entry.output.iter().any(|line| line.starts_with("Uncaught"));
        usize::from(declares || code.contains("= new "))
            + usize::from(code.ends_with(';') || code.contains("==="))
            + usize::from(shows || uncaught)
    }

    fn case_lines(&self, code: &str, names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
        // Commands of node, such as `.load`.
        let is_command = code.starts_with('.') && code[1..].starts_with(|ch: char| ch.is_ascii_alphabetic());
        if is_command {
            return Ok(Vec::new());
        }
        let tokens = code_tokens(code, &JavaScript)?;
        let tokens: Vec<CodeToken> =
            tokens.into_iter().filter(|token| token.kind != CodeTokenKind::Comment).collect();
        let mut lines = Vec::new();
        for statement in statements(&tokens) {
            lines.extend(self::statement(statement, names)?);
        }
        Ok(lines)
    }

    fn is_no_value(&self, line: &str) -> bool {
        line == "undefined"
    }

    fn object(&self, text: &str, names: &SessionNames<'_>) -> Option<SeenValue> {
        let (class, _) = text.split_once('{').filter(|_| text.ends_with('}'))?;
        let class = class.trim_end().strip_prefix("<ref *1> ").unwrap_or_else(|| class.trim_end());
        names.is_class(class).then_some(SeenValue::Object)
    }

    fn literal(&self, text: &str, names: &SessionNames<'_>) -> Option<Value> {
        let text = text.trim();
        // Browsers write the number of items first: `(2) [0, 1]`.
        let counted = text.strip_prefix('(').and_then(|rest| rest.split_once(") "));
        let text = match counted {
            Some((count, rest)) if count.bytes().all(|byte| byte.is_ascii_digit()) => rest,
            Some(_) | None => text,
        };
        // The language of cases also knows the names of other languages.
        let foreign = ["True", "False", "None", "inf", "nan", "set"];
        let tokens = code_tokens(text, &JavaScript).ok()?;
        if tokens.iter().any(|token| foreign.iter().any(|word| token.is_name(word))) {
            return None;
        }
        let mut parser = JsParser::new(&tokens, names);
        let written = parser.expression().ok()?;
        if parser.rest().is_empty() { literal(&written.text) } else { None }
    }

    fn exception(&self, output: &[String], closed: bool) -> Option<SeenException> {
        let uncaught = |line: &str| {
            let line = line.rsplit_once("Uncaught");
            line.filter(|(before, after)| {
                (before.is_empty() || before.starts_with("VM")) && after.starts_with([' ', ':'])
                    || before.is_empty() && after.is_empty()
            })
            .map(|(_, after)| after.trim_start_matches(':').trim().to_owned())
        };
        let at = output.iter().position(|line| uncaught(line).is_some() || is_known_exception(line))?;
        let mut line = uncaught(&output[at]).unwrap_or_else(|| output[at].clone());
        let mut rest = &output[at + 1..];
        if line.is_empty() {
            (line, rest) = (rest.first()?.clone(), &rest[1..]);
        }
        let is_trace = |line: &String| line.trim_start().starts_with("at ") || line.trim() == "{";
        let more = match rest.iter().position(is_trace) {
            Some(end) => &rest[..end],
            None if closed => rest,
            None => &[],
        };
        let more = more.iter().filter(|line| *line != "undefined").cloned().collect();
        Some(SeenException { at, line, more })
    }
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
    Ok(vec![match value.identity {
        Some(test) => AskLine::new(test.expression, PromptShows::Same(test.name, test.same)),
        None => AskLine::new(value.text, PromptShows::Value),
    }])
}

/// Whether a statement loads a file.
fn loads(tokens: &[CodeToken]) -> bool {
    let calls = |name: &str| tokens.windows(2).any(|pair| pair[0].is_name(name) && pair[1].is_mark("("));
    tokens.first().is_some_and(|first| first.is_name("import")) || calls("require") || calls("import")
}

/// Notes the names by which a file is loaded: `const m = require(…)` and `import * as m from …` name the
/// module itself.
fn import(tokens: &[CodeToken], names: &mut SessionNames<'_>) {
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == CodeTokenKind::Name) {
        let before = index.checked_sub(1).and_then(|at| tokens.get(at));
        let next = tokens.get(index + 1);
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

/// The names that a line binds: an array of names is several names.
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
