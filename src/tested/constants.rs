//! Lines that name constants of the submission.

use super::exercise_text::ImportedStep;
use super::names::BoundNames;
use super::python::{PyExpr, PyStatement, class_name};
use keur_core::case::written::strings;

/// A line without the submission's constants, which keur's lines have no words for: `f(MAX)` is `f(max)`
/// after a step that binds `max` in each of these languages.
pub(super) fn with_constants(
    statement: &PyStatement,
    namespace: &str,
    languages: &[&str],
    bound: &mut BoundNames,
) -> (PyStatement, Vec<ImportedStep>) {
    let class = class_name(namespace);
    let mut line = statement.clone();
    let mut steps = Vec::new();
    let mut bind = |expr: &PyExpr| {
        let constant = expr.constant().filter(|constant| !bound.contains_key(*constant))?;
        let name = constant.to_lowercase();
        if bound.insert(name.clone(), None).is_none() {
            let codes = languages.iter().map(|language| {
                let code = match *language {
                    "python" => format!("{name} = {constant}"),
                    "java" => format!("var {name} = {class}.{constant};"),
                    _ => format!("const {name} = {constant}"),
                };
                ((*language).to_owned(), code)
            });
            let mut step = ImportedStep::default();
            step.text.native(&codes.collect());
            step.text.key("binds", strings([name.as_str()]));
            steps.push(step);
        }
        Some(PyExpr::Name(name))
    };
    line.value.change(&mut bind);
    if let Some(target @ (PyExpr::Attribute(..) | PyExpr::Index(..))) = &mut line.target {
        target.change(&mut bind);
    }
    (line, steps)
}
