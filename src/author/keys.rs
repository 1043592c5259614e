//! The expectations of a step as the keys of its TOML.

use keur_core::case::written::{key, string, strings, text};
use keur_core::case::{
    Asked, CustomCheck, Ending, Expect, Matcher, RaisedType, Raises, TextMatcher, TextTolerance, Tolerance,
};
use keur_core::languages::python;
use keur_core::value::{Text, Value};

/// The longest array on one line, in characters.
const LINE: usize = 100;

/// The keys that say what a step expects, with their values as TOML, in the order in which a person writes
/// them. The tolerance of the case and its exercise is `under` that of the step.
///
/// The files that a step writes, the turns of a dialogue and the results of a match are not among them: those
/// are tables of their own, or belong to what the step does.
pub fn expectation_keys(expect: &Expect, under: &Tolerance) -> Vec<(&'static str, String)> {
    let Expect { span: _, value, shows, prints, raises, same, writes: _, program, games: _, tolerance } =
        expect;
    let Ending { errors, exit, turns: _ } = program;
    let value = value.iter().map(|returns| {
        let is_literal = matches!(returns.matcher, Matcher::Exact(_));
        (if is_literal { "equals" } else { "returns" }, matcher_toml(&returns.matcher))
    });
    let texts =
        |name, matcher: &Option<TextMatcher>| matcher.as_ref().map(|matcher| (name, text_toml(matcher)));
    let same = same.iter().map(|name| ("same", string(name)));
    let raises = raises.iter().map(|raises| ("raises", raises_toml(raises)));
    let exit = exit.iter().map(|status| ("exit", status.to_string()));
    let compare = (tolerance != under).then(|| ("compare", tolerance_toml(tolerance, under)));
    let mut keys: Vec<(&'static str, String)> = value.collect();
    keys.extend(same);
    keys.extend(texts("shows", shows));
    keys.extend(raises);
    keys.extend(texts("prints", prints));
    keys.extend(texts("errors", errors));
    keys.extend(exit);
    keys.extend(compare);
    keys
}

/// A plain value as TOML; a value that TOML lacks is the text of its literal.
fn value_toml(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(number) if number.is_nan() => "nan".to_owned(),
        Value::Float(number) => format!("{number:?}"),
        Value::Str(Text::Unicode(content)) => text(content),
        Value::List(items) => array(items),
        _ => string(&python::LANGUAGE.notation.literal(value)),
    }
}

/// An array on one line; a long one has its items on lines of their own, unless they are short.
fn array(items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(value_toml).collect();
    let line = format!("[{}]", items.join(", "));
    let is_nested = items.iter().any(|item| item.starts_with('[') || item.contains('\n'));
    if line.chars().count() <= LINE || !is_nested {
        return line;
    }
    let lines: String = items.iter().map(|item| format!("    {item},\n")).collect();
    format!("[\n{lines}]")
}

fn matcher_toml(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Plain(value) => value_toml(value),
        Matcher::Exact(value) => string(&python::LANGUAGE.notation.literal(value)),
        Matcher::AnyOrder(items) => format!("{{ any_order = {} }}", array(items)),
        Matcher::OneOf(items) => format!("{{ one_of = {} }}", array(items)),
        Matcher::Approx { value, within } => format!("{{ approx = {value:?}, within = {within:?} }}"),
        Matcher::Matches(regex) => format!("{{ matches = {} }}", string(regex.as_str())),
        Matcher::Type(name) => format!("{{ type = {} }}", string(name)),
        Matcher::Instance(name) => format!("{{ instance = {} }}", string(name)),
        Matcher::NotSame(name) => format!("{{ not_same = {} }}", string(name)),
        Matcher::Reference => "{ reference = true }".to_owned(),
        Matcher::Oracle(Asked { oracle, of, depth }) => {
            let depth = depth.map(|depth| format!(", depth = {depth}")).unwrap_or_default();
            format!("{{ oracle = {}, of = {}{depth} }}", string(oracle), string(of))
        }
        Matcher::Check(check) => check_toml(check),
    }
}

fn check_toml(CustomCheck { file, function, with }: &CustomCheck) -> String {
    let with = if with.is_empty() { String::new() } else { format!(", with = {}", array(with)) };
    format!("{{ check = {}{with} }}", string(&format!("{file}:{function}")))
}

pub(crate) fn text_toml(matcher: &TextMatcher) -> String {
    match matcher {
        // One newline at the end does not count, so that the last line of a long text ends like the others.
        TextMatcher::Plain(content) if content.contains('\n') => text(&format!("{content}\n")),
        TextMatcher::Plain(content) => string(content),
        TextMatcher::Contains(parts) => match parts.as_slice() {
            [part] => format!("{{ contains = {} }}", string(part)),
            parts => format!("{{ contains = {} }}", strings(parts.iter().map(String::as_str))),
        },
        TextMatcher::Matches(regex) => format!("{{ matches = {} }}", string(regex.as_str())),
        TextMatcher::AnyOrder(lines) => format!("{{ any_order = {} }}", string(&lines.join("\n"))),
        TextMatcher::Check(check) => check_toml(check),
    }
}

fn raises_toml(Raises { kind, message }: &Raises) -> String {
    let message = message.as_ref().map(|message| string(&message.to_lossy()));
    let kind = kind.as_ref().and_then(|kind| match kind {
        RaisedType::Exercise(_) => None,
        RaisedType::Step(name) => Some(string(name)),
        RaisedType::PerLanguage(names) => {
            let names = names.iter().map(|(language, name)| format!("{} = {}", key(language), string(name)));
            Some(format!("{{ {} }}", names.collect::<Vec<_>>().join(", ")))
        }
    });
    match (kind, message) {
        (None, None) => "true".to_owned(),
        (None, Some(message)) => message,
        (Some(kind), None) => format!("{{ type = {kind} }}"),
        (Some(kind), Some(message)) => format!("{{ type = {kind}, message = {message} }}"),
    }
}

/// The settings of a tolerance beyond those of the one under it.
fn tolerance_toml(tolerance: &Tolerance, under: &Tolerance) -> String {
    let mut keys = Vec::new();
    let choice = |own: Option<bool>, under: Option<bool>, word: &str| {
        own.filter(|_| own != under).map(|own| if own { word.to_owned() } else { "exact".to_owned() })
    };
    let number =
        |own: Option<f64>, under: Option<f64>| own.filter(|_| own != under).map(|own| format!("{own:?}"));
    let quoted = |word: String| string(&word);
    let exact = tolerance.exact_types.filter(|_| tolerance.exact_types != under.exact_types);
    keys.extend(exact.map(|exact| ("exact", exact.to_string())));
    keys.extend(
        choice(tolerance.loose_numbers, under.loose_numbers, "loose").map(|word| ("numbers", quoted(word))),
    );
    keys.extend(number(tolerance.within, under.within).map(|number| ("within", number)));
    keys.extend(number(tolerance.relative, under.relative).map(|number| ("relative", number)));
    let (text, over): (&TextTolerance, &TextTolerance) = (&tolerance.text, &under.text);
    let mut texts = Vec::new();
    texts.extend(choice(text.ignore_case, over.ignore_case, "ignore").map(|word| ("case", quoted(word))));
    texts.extend(
        choice(text.collapse_blanks, over.collapse_blanks, "collapse").map(|word| ("blanks", quoted(word))),
    );
    texts.extend(
        choice(text.trim_line_ends, over.trim_line_ends, "trim").map(|word| ("line_ends", quoted(word))),
    );
    texts.extend(number(text.numbers_within, over.numbers_within).map(|number| ("numbers_within", number)));
    let table = |keys: &[(&str, String)]| {
        let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{{ {} }}", keys.join(", "))
    };
    if !texts.is_empty() {
        keys.push(("text", table(&texts)));
    }
    table(&keys)
}
