//! Sessions in Python: statements as lines of a case, and what is printed below.

use super::answer::{SeenValue, is_exception, is_known_exception};
use super::ask::{AskLine, PromptShows};
use super::language::{SeenException, SessionLanguage};
use super::names::SessionNames;
use super::native::native_line;
use super::prompts::{PastedEntry, PromptKind, TRACEBACK};
use super::tokens::{CodeToken, CodeTokenKind, code_tokens, written_code};
use keur_core::case::literal;
use keur_core::languages::python::{self, Python};
use keur_core::languages::{Language, Tokens};
use keur_core::value::Value;

/// Keywords of statements that a case cannot have.
const STATEMENTS: [&str; 19] = [
    "assert", "async", "await", "break", "class", "continue", "def", "del", "for", "global", "if", "lambda",
    "nonlocal", "raise", "return", "try", "while", "with", "yield",
];

/// Operators after which parentheses are needed where two lines become one.
const OPERATORS: [&str; 17] =
    ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", ","];

/// Sessions in Python.
pub(super) struct PythonSession;

impl SessionLanguage for PythonSession {
    fn language(&self) -> &'static Language {
        &python::LANGUAGE
    }

    fn tokens(&self) -> &'static dyn Tokens {
        &Python
    }

    fn prompt(&self) -> PromptKind {
        PromptKind::Triple
    }

    fn signs(&self, entry: &PastedEntry) -> usize {
        let types = ["print(", "from ", "import ", "#"].iter().any(|word| entry.code.starts_with(word));
        let shows = entry.output.iter().any(|line| ["True", "False", "None"].contains(&line.trim()));
        let raised = entry.output.iter().any(|line| line.starts_with(TRACEBACK));
        usize::from(types) + usize::from(shows || raised)
    }

    fn case_lines(&self, code: &str, names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
        let tokens = code_tokens(code, &Python)?;
        let tokens: Vec<CodeToken> =
            tokens.into_iter().filter(|token| token.kind != CodeTokenKind::Comment).collect();
        let is_end = |token: &CodeToken| token.kind == CodeTokenKind::Newline || token.is_mark(";");
        let mut lines = Vec::new();
        for statement in tokens.split(is_end).filter(|tokens| !tokens.is_empty()) {
            lines.extend(self::statement(statement, names)?);
        }
        Ok(lines)
    }

    fn native_lines(
        &self,
        code: &str,
        names: &mut SessionNames<'_>,
        later: &dyn Fn(&str) -> bool,
        written: bool,
    ) -> Result<Vec<AskLine>, String> {
        native_line(code, names, later, written).map(|line| vec![line])
    }

    fn object(&self, text: &str, names: &SessionNames<'_>) -> Option<SeenValue> {
        let enclosed = text.starts_with(['<', '[', '(', '{']) && text.ends_with(['>', ']', ')', '}']);
        let address = enclosed && text.contains(" at 0x");
        if address && !text.contains('\n') {
            return Some(SeenValue::Object);
        }
        let (class, _) = text.split_once('(').filter(|_| text.ends_with(')'))?;
        let is_call = names.is_class(class) && code_tokens(text, &Python).is_ok();
        is_call.then(|| SeenValue::Repr(text.to_owned()))
    }

    fn literal(&self, text: &str, _names: &SessionNames<'_>) -> Option<Value> {
        let tokens = code_tokens(text, &Python).ok()?;
        // The language of cases also knows the names of other languages.
        let foreign = ["true", "false", "null"];
        let other = tokens.iter().any(|token| foreign.iter().any(|word| token.is_name(word)));
        if other { None } else { literal(text) }
    }

    fn exception(&self, output: &[String], closed: bool) -> Option<SeenException> {
        let begins = |line: &String| line.starts_with(TRACEBACK) || line.starts_with("  File \"<");
        let first = output.iter().position(begins);
        let last = output.iter().rposition(begins);
        let (first, at) = match first.zip(last) {
            Some((first, last)) => {
                let named = output.iter().skip(last + 1).position(|line| is_exception(line))?;
                (first, last + 1 + named)
            }
            None => {
                let at = output.iter().position(|line| is_known_exception(line))?;
                (at, at)
            }
        };
        let more = if closed { output[at + 1..].to_vec() } else { Vec::new() };
        Some(SeenException { at: first, line: output[at].clone(), more })
    }
}

fn statement(tokens: &[CodeToken], names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    let Some(first) = tokens.first() else { return Ok(Vec::new()) };
    if first.is_name("import") || first.is_name("from") {
        import(tokens, names);
        return Ok(Vec::new());
    }
    if first.is_name("pass") && tokens.len() == 1 {
        return Ok(Vec::new());
    }
    let is_keyword = |token: &CodeToken| STATEMENTS.iter().any(|keyword| token.is_name(keyword));
    if let Some(keyword) = tokens.iter().find(|token| is_keyword(token)) {
        return Err(format!("`{}` is not part of the language of cases", keyword.text));
    }
    let equals = top_level(tokens, |token| token.is_mark("="));
    if !equals.is_empty() {
        return assignment(tokens, &equals, names);
    }
    let augmented = |token: &CodeToken| {
        token.kind == CodeTokenKind::Mark
            && token.text.len() > 1
            && token.text.ends_with('=')
            && !OPERATORS.contains(&token.text.as_str())
    };
    if let [at] = top_level(tokens, augmented).as_slice() {
        let (place, value) = (&tokens[..*at], &tokens[at + 1..]);
        let operator = tokens[*at].text.trim_end_matches('=').to_owned();
        let (place, value) = (expression(place, names), operand(value, names));
        return Ok(vec![AskLine::new(format!("{place} = {place} {operator} {value}"), PromptShows::Bound)]);
    }
    if let Some(args) = call_of("print", tokens) {
        return printed(args, names);
    }
    if let Some(args) = call_of("type", tokens) {
        return Ok(vec![AskLine::new(expression(args, names), PromptShows::Type)]);
    }
    if let Some(args) = call_of("str", tokens) {
        let value = AskLine::new(expression(args, names), PromptShows::TextValue);
        return Ok(vec![value]);
    }
    if let [.., at] = top_level(tokens, |token| token.is_name("is")).as_slice() {
        return identity(&tokens[..*at], &tokens[at + 1..], names);
    }
    Ok(vec![AskLine::new(tuple(tokens, names), PromptShows::Value)])
}

/// Notes what is imported; names of other modules are not known, and are reported where they are used.
fn import(tokens: &[CodeToken], names: &mut SessionNames<'_>) {
    let from = tokens.first().is_some_and(|first| first.is_name("from"));
    let at = if from { tokens.iter().position(|token| token.is_name("import")) } else { Some(0) };
    let Some(at) = at else { return };
    let module = tokens.get(1).map_or("", |module| module.text.as_str());
    let mut bound = Vec::new();
    for part in tokens[at + 1..].split(|token| token.is_mark(",")) {
        let words: Vec<&str> = part
            .iter()
            .filter(|token| token.kind == CodeTokenKind::Name)
            .map(|token| token.text.as_str())
            .collect();
        match words.as_slice() {
            [.., "as", name] => bound.push((*name).to_owned()),
            [name, ..] => bound.push((*name).to_owned()),
            [] => {}
        }
        match words.as_slice() {
            [name, "as", alias] if from => names.import_as(name, alias),
            [.., "as", alias] => names.import_module(alias),
            [name] if !from => names.import_module(name),
            _ => {}
        }
    }
    names.import_other(written_code(tokens), module, bound);
}

/// `a = f()`, `a, b = f()`, `a = b = f()`, `a: int = f()`
fn assignment(
    tokens: &[CodeToken],
    equals: &[usize],
    names: &mut SessionNames<'_>,
) -> Result<Vec<AskLine>, String> {
    let last = equals.last().copied().unwrap_or_default();
    let mut value = tuple(&tokens[last + 1..], names);
    let mut start = 0;
    let mut places = Vec::new();
    for at in equals {
        places.push(&tokens[start..*at]);
        start = at + 1;
    }
    let mut lines = Vec::new();
    for place in places.into_iter().rev() {
        // An annotation says nothing that a case needs.
        let end = top_level(place, |token| token.is_mark(":")).first().copied().unwrap_or(place.len());
        let place = target(&place[..end], names)?;
        lines.push(AskLine::new(format!("{place} = {value}"), PromptShows::Bound));
        value = place;
    }
    Ok(lines)
}

/// Reads the target of an assignment: names are bound.
fn target(tokens: &[CodeToken], names: &mut SessionNames<'_>) -> Result<String, String> {
    let inner = match tokens {
        [open, inner @ .., close] if (open.is_mark("(") || open.is_mark("[")) && close.nesting() < 0 => inner,
        tokens => tokens,
    };
    let parts: Vec<&[CodeToken]> =
        inner.split(|token| token.is_mark(",")).filter(|part| !part.is_empty()).collect();
    let are_names = parts.iter().all(|part| matches!(part, [only] if only.kind == CodeTokenKind::Name));
    if !are_names || parts.is_empty() {
        if tokens.iter().any(|token| token.is_mark("*")) {
            return Err("`*` is not part of the language of cases".to_owned());
        }
        return Ok(expression(tokens, names));
    }
    let bound: Vec<String> = parts.iter().map(|part| names.bind(&part[0].text)).collect();
    Ok(bound.join(", "))
}

/// `print(a)` shows the text of a value; several are put together, as `print` does.
fn printed(args: &[CodeToken], names: &SessionNames<'_>) -> Result<Vec<AskLine>, String> {
    let mut values = Vec::new();
    let mut between = "' '".to_owned();
    for arg in parts(args) {
        match arg {
            [name, equals, value] if equals.is_mark("=") && value.kind == CodeTokenKind::Text => {
                match name.text.as_str() {
                    "sep" => between = written_code(std::slice::from_ref(value)),
                    "end" if value.text.is_empty() || value.text == "\\n" => {}
                    _ => {
                        return Err(format!(
                            "`print` with `{}` is not part of the language of cases",
                            name.text
                        ));
                    }
                }
            }
            [star, ..] if star.is_mark("*") || star.is_mark("**") => {
                return Err("`*` is not part of the language of cases".to_owned());
            }
            arg => values.push(arg),
        }
    }
    match values.as_slice() {
        [] => Ok(Vec::new()),
        [only] => {
            let value = call_of("str", only).unwrap_or(only);
            Ok(vec![AskLine::new(expression(value, names), PromptShows::Text)])
        }
        values => {
            let text = |value: &&[CodeToken]| match value {
                [only] if only.kind == CodeTokenKind::Text => written_code(value),
                value => format!("str({})", expression(value, names)),
            };
            let texts: Vec<String> = values.iter().map(text).collect();
            let between = if between == "''" { " + ".to_owned() } else { format!(" + {between} + ") };
            Ok(vec![AskLine::new(texts.join(&between), PromptShows::Text)])
        }
    }
}

/// `a is b`, `a is not b`, `a is None`
fn identity(
    left: &[CodeToken],
    right: &[CodeToken],
    names: &SessionNames<'_>,
) -> Result<Vec<AskLine>, String> {
    let (not, right) = match right {
        [not, right @ ..] if not.is_name("not") => (true, right),
        right => (false, right),
    };
    let value = tuple(left, names);
    match right {
        [none] if none.is_name("None") => Ok(vec![AskLine::new(value, PromptShows::IsNone(!not))]),
        [truth] if truth.is_name("True") || truth.is_name("False") => {
            let sign = if not { "!=" } else { "==" };
            Ok(vec![AskLine::new(format!("{value} {sign} {}", truth.text), PromptShows::Value)])
        }
        [name] if name.kind == CodeTokenKind::Name => {
            Ok(vec![AskLine::new(value, PromptShows::Same(names.looked_at(&name.text), !not))])
        }
        _ => Err("`is` compares with a name in a case: bind the object first".to_owned()),
    }
}

/// The code of an expression, with the names of a case.
fn expression(tokens: &[CodeToken], names: &SessionNames<'_>) -> String {
    written_code(&names.in_case(tokens))
}

/// An expression that other operators stand beside.
fn operand(tokens: &[CodeToken], names: &SessionNames<'_>) -> String {
    let code = tuple(tokens, names);
    let operator = |token: &CodeToken| {
        token.kind == CodeTokenKind::Mark && OPERATORS.contains(&token.text.as_str())
            || token.is_name("not")
            || token.is_name("in")
    };
    let is_simple = top_level(tokens, operator).is_empty();
    if is_simple || code.starts_with('(') { code } else { format!("({code})") }
}

/// An expression; commas outside brackets make a tuple.
fn tuple(tokens: &[CodeToken], names: &SessionNames<'_>) -> String {
    let code = expression(tokens, names);
    if top_level(tokens, |token| token.is_mark(",")).is_empty() { code } else { format!("({code})") }
}

/// The arguments, if the whole statement is one call of `name`.
fn call_of<'t>(name: &str, tokens: &'t [CodeToken]) -> Option<&'t [CodeToken]> {
    let [called, open, args @ .., close] = tokens else { return None };
    let mut depth = 1;
    let one = args.iter().all(|token| {
        depth += token.nesting();
        depth > 0
    });
    (called.is_name(name) && open.is_mark("(") && close.is_mark(")") && one).then_some(args)
}

/// The parts between commas outside brackets.
fn parts(tokens: &[CodeToken]) -> Vec<&[CodeToken]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in top_level(tokens, |token| token.is_mark(",")) {
        parts.push(&tokens[start..at]);
        start = at + 1;
    }
    parts.push(&tokens[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The places of tokens outside brackets for which `is` holds.
fn top_level(tokens: &[CodeToken], is: impl Fn(&CodeToken) -> bool) -> Vec<usize> {
    let mut depth = 0;
    let mut places = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        depth += token.nesting();
        if depth == 0 && is(token) {
            places.push(index);
        }
    }
    places
}
