//! Parts of the readers of both formats: problems with their places, files, options and oracles.

use super::languages::Restriction;
use super::python::{self, PyExpr, PyStatement, class_name};
use super::suite::{Input, LanguageCode, NativeCall, TextOptions};
use super::yaml::{YamlKind, YamlNode};
use keur_core::case::syntax::ExprError;
use keur_core::case::{Convention, Diagnostic, did_you_mean};
use std::ops::Range;

/// The languages of TESTed that keur has too.
pub(super) const LANGUAGES: &[&str] = &["python", "javascript", "typescript", "java", "cpp", "c"];

/// Those in which keur calls functions: in C, a call needs a signature, which a suite lacks.
pub(super) const CALLED: &[&str] = &["python", "javascript", "typescript", "java", "cpp"];

/// Those in which a case has code.
pub(super) const WITH_CODE: &[&str] = &["python", "javascript", "typescript", "java"];

/// Reads a suite: its text, the files beside it, and the problems so far.
pub(super) struct Reader<'a> {
    /// The text of the suite.
    pub(super) source: &'a str,
    /// The text of a file by its path in the exercise's folder, if it is there.
    pub(super) file: &'a dyn Fn(&str) -> Option<String>,
    /// The parts that keur has no words for, in the order in which they were found.
    pub(super) problems: Vec<Diagnostic>,
    /// The parts that only some languages can do.
    pub(super) restrictions: Vec<Restriction>,
}

impl Reader<'_> {
    /// Reports a problem.
    pub(super) fn problem(&mut self, message: impl Into<String>, span: &Range<usize>) {
        self.problems.push(Diagnostic::new(message, span.clone()));
    }

    /// Notes that only submissions in `languages` can be graded by a part of the suite.
    pub(super) fn restrict(
        &mut self,
        what: &'static str,
        languages: &[impl AsRef<str>],
        span: &Range<usize>,
    ) {
        let languages = languages.iter().map(|language| language.as_ref().to_owned()).collect();
        self.restrictions.push(Restriction { what, languages, lost: Vec::new(), span: span.clone() });
    }

    /// Reports the keys of `map` that are not in `known`.
    pub(super) fn unknown(&mut self, map: &YamlNode, known: &[&str]) {
        for (key, _) in map.as_map().unwrap_or_default() {
            let name = key.as_text().unwrap_or_default();
            if !known.contains(&name) {
                let message = match key.as_text() {
                    Some(name) => format!("unknown key `{name}`"),
                    None => "this key is not a text".to_owned(),
                };
                let help = did_you_mean(name, known.iter().copied());
                self.problems.push(Diagnostic::new(message, key.span.clone()).maybe_help(help));
            }
        }
    }

    /// A text, or nothing and a problem.
    pub(super) fn text(&mut self, node: &YamlNode) -> Option<String> {
        let text = node.scalar_text();
        if text.is_none() {
            self.problem("expected a text", &node.span);
        }
        text
    }

    /// Whether `node` is true.
    pub(super) fn truth(&mut self, node: Option<&YamlNode>) -> bool {
        match node.map(|node| (&node.kind, &node.span)) {
            Some((YamlKind::Bool(truth), _)) => *truth,
            Some((
                YamlKind::Null
                | YamlKind::Int(_)
                | YamlKind::Float(_)
                | YamlKind::Text(_)
                | YamlKind::List(_)
                | YamlKind::Map(_),
                span,
            )) => {
                self.problem("expected true or false", span);
                false
            }
            None => false,
        }
    }

    /// The items of a list, or none and a problem.
    pub(super) fn list<'n>(&mut self, node: &'n YamlNode) -> &'n [YamlNode] {
        match node.as_list() {
            Some(items) => items,
            None => {
                self.problem("expected a list", &node.span);
                &[]
            }
        }
    }

    /// A file of the suite's own folder.
    pub(super) fn evaluation_file(&mut self, path: &str, span: &Range<usize>) -> Option<String> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let text = is_inside(path).then(|| (self.file)(&format!("evaluation/{path}"))).flatten();
        if text.is_none() {
            self.problem(format!("`{path}` is not a text file beside the suite"), span);
        }
        text
    }

    /// Reports `error` of the text of `node` at its place in the suite.
    pub(super) fn syntax_error(&mut self, error: ExprError, text: &str, node: &YamlNode) {
        let inside = self.source.get(node.span.clone()).and_then(|written| written.find(text));
        let span = match inside {
            Some(at) => {
                let start = node.span.start + at;
                start + error.span.start..start + error.span.end
            }
            None => node.span.clone(),
        };
        self.problem(error.message, &span);
    }

    /// A line of TESTed, as the input of a test case.
    pub(super) fn input(&mut self, mut statement: PyStatement, namespace: &str) -> Input {
        if statement.target.is_none()
            && let Some(constant) = statement.value.constant()
        {
            let java = format!("{}.{constant}", class_name(namespace));
            let codes = WITH_CODE.iter().map(|language| {
                let code = if *language == "java" { java.clone() } else { constant.to_owned() };
                ((*language).to_owned(), code)
            });
            return Input::Native(LanguageCode { codes: codes.collect(), calls: Vec::new() });
        }
        // `Submission.f()` is the submission's own `f()`.
        statement.value.unqualify(&namespaces(namespace));
        Input::Neutral(statement)
    }

    /// Code per language, of those that keur has.
    pub(super) fn native(&mut self, map: &YamlNode, namespace: &str) -> Option<Input> {
        let mut native = LanguageCode::default();
        let languages = map.as_map().unwrap_or_default();
        for (language, code) in languages {
            let name = language.as_text().unwrap_or_default();
            if !WITH_CODE.contains(&name) {
                // A language that keur lacks has no submissions to judge.
                continue;
            }
            if let Some(code) = self.text(code) {
                let is_java = name == "java";
                native
                    .codes
                    .insert(name.to_owned(), unqualified(&code, namespace, is_java, &mut native.calls));
            }
        }
        if let Some((language, _)) = languages.first().filter(|_| native.codes.is_empty()) {
            let name = language.as_text().unwrap_or_default();
            self.problem(lacking(name), &language.span);
        }
        (!native.codes.is_empty()).then_some(Input::Native(native))
    }

    /// The options of a text, on top of those that it inherits.
    pub(super) fn options(
        &mut self,
        inherited: InheritedOptions,
        node: Option<&YamlNode>,
    ) -> InheritedOptions {
        let mut options = inherited;
        let Some(node) = node else { return options };
        self.unknown(node, OPTIONS);
        let mut truth = |key: &str, option: &mut bool| {
            if let Some(node) = node.get(key) {
                *option = self.truth(Some(node));
            }
        };
        truth("ignoreWhitespace", &mut options.ignore_whitespace);
        truth("caseInsensitive", &mut options.case_insensitive);
        truth("tryFloatingPoint", &mut options.try_floating_point);
        truth("applyRounding", &mut options.apply_rounding);
        truth("normalizeTrailingNewlines", &mut options.normalize);
        let mut hidden = false;
        truth("hideExpected", &mut hidden);
        if let Some(node) = node.get("hideExpected").filter(|_| hidden) {
            self.problem(
                "keur cannot hide the expected text of a step alone; hide the whole tab",
                &node.span,
            );
        }
        if let Some(node) = node.get("roundTo") {
            match &node.kind {
                YamlKind::Int(digits) => match digits.parse() {
                    Ok(decimals @ 0..=15) => options.round_to = decimals,
                    Ok(_) | Err(_) => self.problem("keur rounds to 0 to 15 decimals", &node.span),
                },
                _ => {
                    self.problem("expected a whole number", &node.span);
                }
            }
        }
        options
    }

    /// An expected text and how it is compared.
    pub(super) fn expected(
        &mut self,
        text: String,
        options: InheritedOptions,
        span: &Range<usize>,
    ) -> (String, TextOptions) {
        if !options.normalize && !text.is_empty() && !options.ignore_whitespace {
            self.problem("keur never counts one newline at the end of a text: `normalizeTrailingNewlines` has no effect", span);
        }
        let mut compared = TextOptions {
            ignore_whitespace: options.ignore_whitespace,
            case_insensitive: options.case_insensitive,
            ..TextOptions::default()
        };
        // Numbers are compared only if the whole text is one.
        let Ok(number) = text.trim().parse::<f64>() else { return (text, compared) };
        if !options.try_floating_point || !number.is_finite() {
            return (text, compared);
        }
        compared.floating_point = true;
        if !options.apply_rounding {
            return (text, compared);
        }
        compared.round_to = Some(options.round_to);
        let decimals = usize::try_from(options.round_to).unwrap_or_default();
        let rounded = format!("{number:.decimals$}");
        // A text that is rounded already stays as it was written.
        let same = rounded.parse::<f64>().is_ok_and(|rounded| rounded == number);
        (if same { text } else { rounded }, compared)
    }
}

const OPTIONS: &[&str] = &[
    "ignoreWhitespace", "caseInsensitive", "tryFloatingPoint", "applyRounding", "roundTo",
    "normalizeTrailingNewlines", "hideExpected", "mode",
];

/// The options of TESTed for a text, with its defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct InheritedOptions {
    ignore_whitespace: bool,
    case_insensitive: bool,
    try_floating_point: bool,
    apply_rounding: bool,
    round_to: i32,
    normalize: bool,
}

impl Default for InheritedOptions {
    fn default() -> InheritedOptions {
        InheritedOptions {
            ignore_whitespace: false,
            case_insensitive: false,
            try_floating_point: false,
            apply_rounding: false,
            round_to: 3,
            normalize: true,
        }
    }
}

impl InheritedOptions {
    /// Whether an expected text gets a newline at its end.
    pub(super) fn normalizes(&self) -> bool {
        self.normalize
    }
}

/// The message about code in a language in which no case has code.
pub(super) fn lacking(language: &str) -> String {
    if LANGUAGES.contains(&language) {
        format!("a case cannot have code in `{language}`")
    } else {
        format!("keur does not grade submissions in `{language}`")
    }
}

/// Whether a path stays inside its folder.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0', ':'])
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// A value of YAML as an expression.
///
/// # Errors
/// The value that keur lacks, in words, and its place.
pub(super) fn value(node: &YamlNode) -> Result<PyExpr, (String, Range<usize>)> {
    let all = |items: &[YamlNode]| items.iter().map(value).collect::<Result<Vec<_>, _>>();
    let plain = match &node.kind {
        YamlKind::Null => PyExpr::Nothing,
        YamlKind::Bool(truth) => PyExpr::Bool(*truth),
        YamlKind::Int(digits) => PyExpr::Int(digits.clone()),
        YamlKind::Float(float) => PyExpr::Float(*float),
        YamlKind::Text(text) => PyExpr::Text(text.clone()),
        YamlKind::List(items) => PyExpr::List(all(items)?),
        YamlKind::Map(pairs) => PyExpr::Dict(
            pairs
                .iter()
                .map(|(key, item)| Ok((value(key)?, value(item)?)))
                .collect::<Result<_, (String, Range<usize>)>>()?,
        ),
    };
    match node.tag.as_deref() {
        None | Some("!!str" | "!!int" | "!!float" | "!!bool" | "!!null" | "!!seq" | "!!map") => Ok(plain),
        Some("!v" | "!value") => Ok(plain),
        Some("!!set") => match typed("set", plain) {
            Ok(set) => Ok(set),
            Err(message) => Err((message, node.span.clone())),
        },
        Some("!expression") => {
            let text = node.as_text().unwrap_or_default();
            python::parse_value(text).map_err(|error| (error.message, node.span.clone()))
        }
        Some(tag) => {
            let name = tag.trim_start_matches('!');
            typed(name, plain).map_err(|message| (message, node.span.clone()))
        }
    }
}

fn typed(name: &str, plain: PyExpr) -> Result<PyExpr, String> {
    python::typed(name, plain).unwrap_or_else(|| Err(format!("unknown tag `!{name}`")))
}

/// The name of the submission in the languages: as it is in Python, `ForJava` and `forJavascript`.
fn namespaces(namespace: &str) -> [String; 3] {
    [namespace.to_owned(), class_name(namespace), Convention::Camel.spell(namespace)]
}

/// Native code without the name of the submission in front of its names, because keur runs it among them. The
/// calls of these names are added to `calls`.
fn unqualified(code: &str, namespace: &str, is_java: bool, calls: &mut Vec<NativeCall>) -> String {
    let prefixes = namespaces(namespace).map(|name| name + ".");
    let mut out = String::with_capacity(code.len());
    let mut quote = None;
    let mut rest = code;
    while let Some(ch) = rest.chars().next() {
        let boundary =
            !out.ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == '.');
        if quote.is_none() && boundary {
            let prefix = prefixes.iter().find(|prefix| rest.starts_with(prefix.as_str()));
            if let Some(prefix) = prefix {
                let named = &rest[prefix.len()..];
                let end = named.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(named.len());
                // In Java a field has its class in front.
                if is_java && !named[end..].starts_with('(') {
                    out.push_str(prefix);
                }
                rest = named;
                if let Some(args) = rest[end..].strip_prefix('(') {
                    let name = &rest[..end];
                    let class = name.starts_with(char::is_uppercase);
                    let name = if class { name.to_owned() } else { Convention::Snake.spell(name) };
                    calls.push(NativeCall { name, arguments: argument_count(args) });
                }
                continue;
            }
        }
        match (quote, ch) {
            (None, '\'' | '"' | '`') => quote = Some(ch),
            (Some(open), ch) if open == ch => quote = None,
            (Some(_), '\\') => {
                out.push(ch);
                rest = &rest[1..];
                let Some(escaped) = rest.chars().next() else { break };
                out.push(escaped);
                rest = &rest[escaped.len_utf8()..];
                continue;
            }
            (Some(_) | None, _) => {}
        }
        out.push(ch);
        rest = &rest[ch.len_utf8()..];
    }
    out
}

/// The number of arguments before the parenthesis that closes a call.
fn argument_count(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut commas = 0;
    let mut some = false;
    let mut quote = None;
    for ch in text.chars() {
        match (quote, ch) {
            (Some(open), ch) => quote = (ch != open).then_some(open),
            (None, ')' | ']' | '}') if depth == 0 => break,
            (None, '\'' | '"' | '`') => quote = Some(ch),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => commas += 1,
            (None, _) => {}
        }
        some |= !ch.is_whitespace();
    }
    if some { commas + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{is_inside, unqualified};

    #[test]
    fn native_code_loses_the_name_of_the_submission() {
        let check = |code: &str, namespace: &str, plain: &str, calls: &[(&str, usize)]| {
            let mut found = Vec::new();
            assert_eq!(unqualified(code, namespace, false, &mut found), plain);
            let found: Vec<(&str, usize)> =
                found.iter().map(|call| (call.name.as_str(), call.arguments)).collect();
            assert_eq!(found, calls);
        };
        check("submission.f(submission.g(1), 2)", "submission", "f(g(1), 2)", &[("f", 2), ("g", 1)]);
        check("Submission.f('submission.g(1)')", "submission", "f('submission.g(1)')", &[("f", 1)]);
        check("my_submission.f(x.submission.g)", "submission", "my_submission.f(x.submission.g)", &[]);
        check("myBank.openNew() + MyBank.x", "my_bank", "openNew() + x", &[("open_new", 0)]);
        check("submission.Box([1, 2], ',')", "submission", "Box([1, 2], ',')", &[("Box", 2)]);
        assert_eq!(unqualified("Bank.f(Bank.MAX)", "bank", true, &mut Vec::new()), "f(Bank.MAX)");
    }

    #[test]
    fn paths_stay_inside_their_folder() {
        for path in ["a.txt", "media/a.txt"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "/a", "../a", "a/../b", "a//b", "c:a", "a\\b", "."] {
            assert!(!is_inside(path), "{path}");
        }
    }
}
