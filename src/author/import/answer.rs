//! Reads the output below a prompt of a session as the expectation of a step.

use super::ask::PromptShows;
use super::language::{SeenException, SessionLanguage};
use super::names::SessionNames;
use keur_core::case::{Exercise, Expect, Matcher, RaisedType, Raises, Returns, TextMatcher};
use keur_core::value::{Text, Value};

/// Types of exceptions that say nothing about the exception.
const ANY_TYPE: [&str; 4] = ["BaseException", "Error", "Exception", "Throwable"];

/// Ends of names of exceptions, by which one is known without a traceback.
const EXCEPTIONS: [&str; 6] = ["Error", "Exception", "Exit", "Interrupt", "Iteration", "Warning"];

/// The output below a line of a session, as read.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenAnswer {
    /// The expectation that a case makes of the output.
    pub(super) expect: Expect,
    /// Whether this is expected of the value's representation instead.
    pub(super) is_repr: bool,
    /// The part that cannot be read, and the reason.
    pub(super) unread: Option<String>,
}

/// Reads answers in one language.
pub(super) struct AnswerReader<'a> {
    pub(super) exercise: &'a Exercise,
    pub(super) language: &'static dyn SessionLanguage,
    pub(super) names: &'a SessionNames<'a>,
}

impl AnswerReader<'_> {
    /// Reads the `output` below a line. If the output is not `closed`, words may follow it that do not belong
    /// to it.
    pub(super) fn read(&self, shown: &PromptShows, output: &[String], closed: bool) -> SeenAnswer {
        let mut seen = SeenAnswer::default();
        if let Some(SeenException { at, line, more }) = self.language.exception(output, closed) {
            seen.expect.raises = Some(self.raised(&line, &more));
            seen.expect.prints = printed(&output[..at]);
            return seen;
        }
        let has_value = !output.last().is_some_and(|last| self.language.is_no_value(last));
        let lines = &output[..output.len() - usize::from(!has_value)];
        if lines.is_empty() {
            return seen;
        }
        match shown {
            // A class without a text of its own shows an address, or what node knows of the object.
            PromptShows::Text | PromptShows::Logged
                if matches!(self.language.object(&lines.join("\n"), self.names), Some(SeenValue::Object)) => {
            }
            PromptShows::Text => seen.expect.shows = printed(lines),
            PromptShows::Bound => seen.expect.prints = printed(lines),
            PromptShows::Logged => self.logged(lines, &mut seen),
            _ => {
                self.value(shown, lines, closed, &mut seen);
            }
        }
        seen
    }

    /// Reads output of `console.log`, of a value that may be a text.
    fn logged(&self, lines: &[String], seen: &mut SeenAnswer) {
        match self.language.literal(&lines.join("\n"), self.names) {
            Some(
                value @ (Value::None | Value::Bool(_) | Value::List(_) | Value::Set(_) | Value::Dict(_)),
            ) => {
                seen.expect.value = Some(returned(value));
            }
            Some(_) | None => seen.expect.shows = printed(lines),
        }
    }

    /// The value at the prompt; lines before it were printed, and lines after it may be words.
    fn value(&self, shown: &PromptShows, lines: &[String], closed: bool, seen: &mut SeenAnswer) {
        let read = |lines: &[String]| self.seen_value(shown, &lines.join("\n"));
        let whole = read(lines).map(|value| (value, 0));
        // What was printed before the value.
        let last = || (1..lines.len()).find_map(|start| Some((read(&lines[start..])?, start)));
        let first = || (1..lines.len()).find_map(|end| Some((read(&lines[..end])?, 0)));
        let found = whole.or_else(|| if closed { last().or_else(first) } else { first().or_else(last) });
        if let Some((found, start)) = found {
            seen.expect.prints = printed(&lines[..start]);
            match found {
                SeenValue::Object => {}
                SeenValue::Value(value) => seen.expect.value = Some(returned(value)),
                SeenValue::Matcher(matcher) => seen.expect.value = Some(Returns { matcher, span: 0..0 }),
                SeenValue::Same(name) => seen.expect.same = Some(name),
                SeenValue::Text(text) => seen.expect.shows = Some(TextMatcher::Plain(text)),
                SeenValue::Repr(text) => {
                    seen.expect.value = Some(returned(Value::str(text)));
                    seen.is_repr = true;
                }
            }
            return;
        }
        match lines.iter().find(|line| looks_like_value(line)) {
            Some(line) => seen.unread = Some(format!("`{}` is not a value that keur can read", line.trim())),
            None if *shown == PromptShows::Value => seen.expect.prints = printed(lines),
            None => seen.unread = Some("this answer does not fit the line above it".to_owned()),
        }
    }

    fn seen_value(&self, shown: &PromptShows, text: &str) -> Option<SeenValue> {
        let text = text.trim();
        match shown {
            PromptShows::Same(name, is) => match (self.language.literal(text, self.names)?, is) {
                (Value::Bool(truth), is) if truth == *is => Some(SeenValue::Same(name.clone())),
                (Value::Bool(_), _) => Some(SeenValue::Matcher(Matcher::NotSame(name.clone()))),
                (_, _) => None,
            },
            PromptShows::IsNone(is) => (self.language.literal(text, self.names)? == Value::Bool(*is))
                .then_some(SeenValue::Value(Value::None)),
            PromptShows::Type => {
                let name = text.strip_prefix("<class '")?.strip_suffix("'>")?;
                let name = name.rsplit('.').next()?.to_owned();
                Some(SeenValue::Matcher(Matcher::Type(name)))
            }
            PromptShows::TextValue => {
                let Value::Str(Text::Unicode(text)) = self.language.literal(text, self.names)? else {
                    return None;
                };
                Some(SeenValue::Text(text))
            }
            PromptShows::Value | PromptShows::Text | PromptShows::Logged | PromptShows::Bound => {
                match self.language.literal(text, self.names) {
                    Some(value) => Some(SeenValue::Value(value)),
                    None => self.language.object(text, self.names),
                }
            }
        }
    }

    /// The exception of a line, with further lines of its message.
    fn raised(&self, line: &str, more: &[String]) -> Raises {
        let (kind, message) = match line.split_once(':') {
            Some((kind, message)) if is_type(type_of(kind)) => {
                (type_of(kind), message.strip_prefix(' ').unwrap_or(message))
            }
            _ if is_type(type_of(line)) => (type_of(line), ""),
            // JavaScript can throw any value.
            _ => ("Error", line),
        };
        let kind = kind.rsplit('.').next().unwrap_or(kind);
        let message =
            std::iter::once(message).chain(more.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
        let message = Some(message).filter(|message| !message.is_empty());
        let implied = self.exercise.raises.as_deref();
        let plain = ANY_TYPE.contains(&kind);
        let kind = match &message {
            Some(_) if implied == Some(kind) || plain => {
                implied.map(|name| RaisedType::Exercise(name.to_owned()))
            }
            None if plain => None,
            Some(_) | None => Some(RaisedType::Step(kind.to_owned())),
        };
        Raises { kind, message: message.map(Text::from) }
    }
}

/// A value in an answer.
pub(super) enum SeenValue {
    Value(Value),
    Matcher(Matcher),
    Same(String),
    /// The text of the value.
    Text(String),
    /// The value's representation.
    Repr(String),
    /// An object of which nothing is seen.
    Object,
}

/// The name of an exception's type, without what node adds: `AssertionError [ERR_ASSERTION]`.
fn type_of(text: &str) -> &str {
    let text = text.trim();
    match text.split_once(" [") {
        Some((name, code)) if code.ends_with(']') => name,
        _ => text,
    }
}

fn is_type(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|ch: char| ch.is_alphabetic() || ch == '_')
            && part.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
    })
}

/// Whether a line after a traceback names the exception.
pub(super) fn is_exception(line: &str) -> bool {
    let name = line.split_once(':').map_or(line, |(name, _)| name);
    !line.starts_with(char::is_whitespace) && is_type(type_of(name))
}

/// Whether a line is an exception without a traceback.
pub(super) fn is_known_exception(line: &str) -> bool {
    let name = type_of(line.split_once(':').map_or(line, |(name, _)| name));
    is_exception(line)
        && name.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase))
        && EXCEPTIONS.iter().any(|end| name.ends_with(end))
}

/// Whether a line looks like a value that keur does not know, not like text that was printed.
fn looks_like_value(line: &str) -> bool {
    let line = line.trim();
    let pairs = [('[', ']'), ('{', '}'), ('(', ')'), ('<', '>')];
    let enclosed = pairs.iter().any(|(open, close)| line.starts_with(*open) && line.ends_with(*close));
    let call = line.split_once('(').is_some_and(|(name, _)| is_type(name)) && line.ends_with(')');
    let bytes = line.starts_with("b'") && line.ends_with('\'');
    line.len() > 1 && (enclosed || call || bytes)
}

/// The lines as a text that is printed.
fn printed(lines: &[String]) -> Option<TextMatcher> {
    (!lines.is_empty()).then(|| TextMatcher::Plain(lines.join("\n")))
}

/// A value that is returned: in TOML's own form where it has one.
fn returned(value: Value) -> Returns {
    let matcher = if value.is_toml() { Matcher::Plain(value) } else { Matcher::Exact(value) };
    Returns { matcher, span: 0..0 }
}
