//! A custom check of TESTed as a check of keur.
//!
//! The instructor's file stays as it is. What TESTed gives it stands before it, and what keur calls after it.

use super::python::PyExpr;
use super::suite::{Signature, SuiteOracle};
use super::toml_value::value;
use keur_core::case::written::string;

/// The prefix of the function that keur calls.
const PREFIX: &str = "keur_";

/// The prefix of the function that keur calls with an output.
const PREFIX_OF_OUTPUT: &str = "output_keur_";

/// The parameters of a check in the submission's language.
const SPECIFIC: &str = "value, *arguments";

/// Names that TESTed offers a check and keur does not.
const LACKING: &[&str] = &[
    "execution_directory", "evaluation_directory", "submission_path", "programming_language",
    "natural_language",
];

/// The content of TESTed's module `evaluation_utils`, and the calls.
const BEFORE: &str = r#"# What TESTed gives a custom check; its own text follows below.
import sys as _sys
import types as _types


class _Context:
    def __init__(self, expected, actual):
        self.expected = expected
        self.actual = actual


class _Message:
    def __init__(self, description, format="text", permission=None):
        self.description = description


class _EvaluationResult:
    def __init__(self, result, readable_expected=None, readable_actual=None, messages=None,
                 dsl_expected=None, dsl_actual=None):
        self.result = result
        self.messages = messages or []


_utils = _types.ModuleType("evaluation_utils")
_utils.EvaluationResult = _EvaluationResult
_utils.Message = _Message
_utils.ConvertedOracleContext = _Context
_sys.modules["evaluation_utils"] = _utils


def _argument(value):
    if isinstance(value, list) and len(value) == 2 and value[0] == "literal":
        return eval(value[1], {"__builtins__": {}, "set": set, "inf": float("inf"), "nan": float("nan")})
    return value


def _output(text):
    return text + "\n" if text else text


def _answer(result):
    if isinstance(result, bool):
        return result
    messages = [getattr(message, "description", message) for message in result.messages]
    right = result.result
    if not isinstance(right, bool):
        right = str(getattr(right, "value", right)).rsplit(".", 1)[-1].lower() == "correct"
    return (right, "\n".join(map(str, messages))) if messages else right


"#;

/// The heading of what is added below the instructor's text.
const AFTER: &str = "\n\n# What keur calls.\n";

/// The first name in a check that TESTed offers and keur does not.
pub(super) fn lacking(source: &str) -> Option<&'static str> {
    LACKING.iter().find(|name| source.contains(**name)).copied()
}

/// The instructor's file with the functions of TESTed that it may use.
pub(super) fn add_shims(source: &str) -> String {
    // Such a line must be the first statement of a file.
    let (future, rest): (Vec<&str>, Vec<&str>) =
        source.lines().partition(|line| line.starts_with("from __future__ "));
    let future = future.iter().map(|line| format!("{line}\n")).collect::<String>();
    format!("{future}{BEFORE}{}\n{AFTER}", rest.join("\n").trim_end())
}

/// The instructor's text in a file that was adapted.
pub(super) fn original(file: &str) -> Option<&str> {
    let (_, rest) = file.split_once(BEFORE)?;
    rest.split_once(AFTER).map(|(source, _)| source)
}

/// Whether `function`, which keur calls in an adapted file, is a check in the submission's language.
pub(super) fn is_specific(file: &str, function: &str) -> bool {
    file.contains(&format!("\ndef {function}({SPECIFIC}):"))
}

/// The name of the function that keur calls for a check.
pub(super) fn offered(oracle: &SuiteOracle) -> String {
    let prefix = if oracle.is_of_output { PREFIX_OF_OUTPUT } else { PREFIX };
    format!("{prefix}{}", oracle.function)
}

/// The function of the instructor behind one that keur calls.
pub(super) fn function_behind(offered: &str) -> Option<&str> {
    offered.strip_prefix(PREFIX_OF_OUTPUT).or_else(|| offered.strip_prefix(PREFIX))
}

/// Adds the function that keur calls for a check, unless it is there.
pub(super) fn offer(file: &mut String, oracle: &SuiteOracle) {
    let function = &oracle.function;
    let name = format!("def {}(", offered(oracle));
    if file.contains(&name) {
        return;
    }
    // keur takes the newline at the end of an output away.
    let value = if oracle.is_of_output { "_output(value)" } else { "value" };
    let (parameters, call) = match oracle.signature {
        Signature::Legacy => (
            "value, expected, *arguments",
            format!(
                "{function}(_argument(expected), {value}, [_argument(argument) for argument in arguments])"
            ),
        ),
        Signature::Context => {
            let context = format!("_Context(_argument(expected), {value})");
            let call = format!("{function}({context}, *[_argument(argument) for argument in arguments])");
            ("value, expected, *arguments", call)
        }
        Signature::Specific => {
            (SPECIFIC, format!("{function}(value, *[eval(argument, globals()) for argument in arguments])"))
        }
    };
    if !file.ends_with(AFTER) {
        file.push_str("\n\n");
    }
    file.push_str(&format!("{name}{parameters}):\n    return _answer({call})\n"));
}

/// The values after the answer that keur gives the function, as TOML.
pub(super) fn arguments(oracle: &SuiteOracle) -> Vec<String> {
    let expected = (oracle.signature != Signature::Specific).then_some(&oracle.expected);
    expected.into_iter().chain(&oracle.arguments).map(argument).collect()
}

/// An argument of a check as TOML; what TOML cannot say is a literal of Python.
fn argument(expr: &PyExpr) -> String {
    let marked =
        matches!(expr, PyExpr::List(items) if items.first() == Some(&PyExpr::Text("literal".to_owned())));
    let written = match expr {
        PyExpr::Text(text) => Some(string(text)),
        _ => value(expr),
    };
    written.filter(|_| !marked).unwrap_or_else(|| format!("[\"literal\", {}]", string(&expr.neutral())))
}
