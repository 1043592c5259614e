//! Reads what TESTed's YAML expects of a value, and the functions of the instructor that judge.

use super::languages::Restriction;
use super::python;
use super::reading::{self, LANGUAGES, Reader};
use super::suite::{Output, Signature, SuiteOracle};
use super::yaml::YamlNode;

pub(super) fn returns(reader: &mut Reader<'_>, node: &YamlNode, raw: bool) -> Output {
    let is_oracle = node.tag.as_deref() == Some("!oracle") || (raw && node.as_map().is_some());
    if is_oracle {
        let kind = node.get("oracle").or_else(|| node.get("evaluator"));
        let kind = kind.and_then(YamlNode::as_text).unwrap_or("builtin");
        if kind == "specific_check" {
            return specific_check(reader, node, "functions").map_or(Output::Ignored, Output::Check);
        }
        let Some(value) = node.get("value") else {
            reader.problem("an oracle has a `value`", &node.span);
            return Output::Ignored;
        };
        let Some(expected) = self::value(reader, value, raw) else { return Output::Ignored };
        return match kind {
            "builtin" => Output::Is(expected),
            "custom_check" | "custom" => match oracle(reader, node, expected) {
                Some(oracle) => Output::Check(SuiteOracle {
                    signature: if kind == "custom" { Signature::Legacy } else { Signature::Context },
                    ..oracle
                }),
                None => Output::Ignored,
            },
            other => {
                reader.problem(format!("unknown oracle `{other}`"), &node.span);
                Output::Ignored
            }
        };
    }
    match value(reader, node, raw) {
        Some(python::PyExpr::Nothing) => Output::Nothing,
        Some(value) => Output::Is(value),
        None => Output::Ignored,
    }
}

/// An expected value; in `return_raw` a text is Python-like.
fn value(reader: &mut Reader<'_>, node: &YamlNode, raw: bool) -> Option<python::PyExpr> {
    if let Some(text) = node.as_text().filter(|_| raw || node.tag.as_deref() == Some("!expression")) {
        return match python::parse_value(text) {
            Ok(value) => Some(value),
            Err(error) => {
                reader.syntax_error(error, text, node);
                None
            }
        };
    }
    match reading::value(node) {
        Ok(value) => Some(value),
        Err((message, span)) => {
            reader.problem(message, &span);
            None
        }
    }
}

pub(super) fn oracle(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    expected: python::PyExpr,
) -> Option<SuiteOracle> {
    let Some(file) = node.get("file") else {
        reader.problem("a custom check has a `file`", &node.span);
        return None;
    };
    let path = reader.text(file)?;
    if let Some(languages) = node.get("languages") {
        let names: Vec<String> =
            reader.list(languages).iter().filter_map(|language| reader.text(language)).collect();
        reader.restrict("the check is for submissions", &names, &languages.span);
    }
    let function = match node.get("name") {
        Some(name) => reader.text(name)?,
        None => "evaluate".to_owned(),
    };
    let mut arguments = Vec::new();
    for argument in node.get("arguments").map(|list| reader.list(list)).unwrap_or_default() {
        arguments.push(value(reader, argument, false)?);
    }
    Some(SuiteOracle {
        file: path,
        function,
        expected,
        arguments,
        signature: Signature::Context,
        is_of_output: false,
        span: file.span.clone(),
    })
}

/// A check with a function in each language, in the table `functions`: keur runs that in Python.
pub(super) fn specific_check(
    reader: &mut Reader<'_>,
    node: &YamlNode,
    functions: &str,
) -> Option<SuiteOracle> {
    let Some(functions) = node.get(functions) else {
        reader.problem(format!("a check in the submission's language has `{functions}`"), &node.span);
        return None;
    };
    let Some(function) = functions.get("python") else {
        reader.problem("keur runs checks in Python; this check has no function in it", &functions.span);
        return None;
    };
    let Some(file) = function.get("file") else {
        reader.problem("a check has a `file`", &function.span);
        return None;
    };
    let path = reader.text(file)?;
    let name = match function.get("name") {
        Some(name) => reader.text(name)?,
        None => "evaluate".to_owned(),
    };
    let mut arguments = Vec::new();
    let given = node.get("arguments").and_then(|arguments| arguments.get("python"));
    for argument in given.map(|list| reader.list(list)).unwrap_or_default() {
        arguments.push(python::PyExpr::Text(reader.text(argument)?));
    }
    let mut lost = Vec::new();
    for (language, _) in functions.as_map().unwrap_or_default() {
        let name = language.as_text().unwrap_or_default();
        if name != "python" && LANGUAGES.contains(&name) {
            lost.push((name.to_owned(), language.span.clone()));
        }
    }
    reader.restrictions.push(Restriction {
        what: "keur runs checks of a language",
        languages: vec!["python".to_owned()],
        lost,
        span: functions.span.clone(),
    });
    let expected = python::PyExpr::Nothing;
    let signature = Signature::Specific;
    let span = file.span.clone();
    let is_of_output = false;
    Some(SuiteOracle { file: path, function: name, expected, arguments, signature, is_of_output, span })
}
