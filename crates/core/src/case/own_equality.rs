//! Steps whose value must be equal to an object of the submission, by the submission's own `==`.

use super::case_file::CaseReader;
use super::expect::Matcher;
use super::node::{Node, Operator};
use super::plan::{Bind, Line};
use super::resolve::{self, Resolver, Type};
use super::syntax::{Expr, ExprError};
use crate::value::Value;

/// The name of the value that is compared, with a number if a case has a use for it.
const COMPARED: &str = "answer";

impl CaseReader<'_> {
    /// Whether the value of the last line is equal to an object of the submission, by the submission's own `==`: one
    /// more line asks for that.
    pub(super) fn own_equality(&mut self, expr: &Expr, lines: &mut Vec<Line>) -> Result<Matcher, ExprError> {
        let (object, _) = Resolver { exercise: self.exercise, scope: &self.scope }.node(expr)?;
        let mut makes_object = false;
        object.visit(&mut |node| makes_object |= matches!(node, Node::New { .. }));
        let Some(last) = lines.last_mut().filter(|_| makes_object) else {
            let error = ExprError::new("`equals` takes a literal or a new object", expr.span.clone());
            return Err(error.help(
                "write a value such as \"(1, 2)\" or \"Song('a')\"; other names and calls belong in `do`",
            ));
        };
        if last.bind == Bind::Nothing {
            last.bind = Bind::Name(self.unused_name());
        }
        let Bind::Name(name) = last.bind.clone() else {
            let error = ExprError::new("`equals` with an object compares one value", expr.span.clone());
            return Err(error.help("give the value of `do` one name, or none"));
        };
        self.scope.bind(&name, Type::Unknown);
        let node = Node::Operation(Operator::Equal, vec![Node::Name(name), object]);
        lines.push(Line::plain(node));
        Ok(Matcher::Exact(Value::Bool(true)))
    }

    /// A name for the value that is compared.
    fn unused_name(&self) -> String {
        let numbered = (2..).map(|number| format!("{COMPARED}{number}"));
        let mut names = std::iter::once(COMPARED.to_owned()).chain(numbered);
        let is_unused = |name: &String| {
            !self.scope.has(name) && resolve::free(self.exercise, &self.scope, (name.clone(), 0..0)).is_ok()
        };
        names.find(is_unused).unwrap_or_default()
    }
}
