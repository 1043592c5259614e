//! Values of suites as TOML.

use super::python::{PyExpr, float_text};
use keur_core::case::written::{string, text};

/// A value that TOML can say: no None, tuple, set or dictionary anywhere, and no large integer.
pub(super) fn value(expr: &PyExpr) -> Option<String> {
    Some(match expr {
        PyExpr::Bool(truth) => truth.to_string(),
        PyExpr::Int(digits) => digits.parse::<i64>().ok()?.to_string(),
        PyExpr::Float(float) => float_text(*float),
        PyExpr::Text(content) => text(content),
        PyExpr::List(items) => {
            let items = items.iter().map(list_item).collect::<Option<Vec<_>>>()?;
            format!("[{}]", items.join(", "))
        }
        _ => return None,
    })
}

fn list_item(expr: &PyExpr) -> Option<String> {
    if let PyExpr::Text(text) = expr { Some(string(text)) } else { value(expr) }
}

#[cfg(test)]
mod tests {
    use super::value;
    use crate::tested::python::parse_value;

    #[test]
    fn values_that_toml_lacks_are_left_to_literals() {
        let check = |python: &str| value(&parse_value(python).unwrap());
        assert_eq!(check("[1, [True, 'x'], 2.0]").as_deref(), Some("[1, [true, \"x\"], 2.0]"));
        for python in ["None", "(1, 2)", "[(1,)]", "{1}", "{'a': 1}", "99999999999999999999"] {
            assert_eq!(check(python), None, "{python}");
        }
    }
}
