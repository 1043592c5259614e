//! Reads the value that a step expects: a plain one, a literal, a matcher, or an object that it must be equal to by
//! the submission's own `==`.

use super::case_file::CaseReader;
use super::columns::columns;
use super::expect::{Asked, Matcher, Returns};
use super::files::{self, Problem};
use super::keys;
use super::node::{Node, Operator};
use super::plan::{Bind, Line};
use super::reader;
use super::resolve::{self, Resolver, Type};
use super::syntax::{Expr, ExprError, parse_expr};
use crate::value::Value;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The name of the value that is compared, with a number if a case has a use for it.
const COMPARED: &str = "answer";

impl CaseReader<'_> {
    /// The expected value; `lines` are those of the step, of which the last gives the value.
    pub(super) fn value(&mut self, table: &DeTable<'_>, lines: &mut Vec<Line>) -> Option<Returns> {
        if let Some(entry) = reader::get(table, "equals") {
            if let Some(source) = entry.get_ref().as_table() {
                let matcher = Matcher::Plain(self.columns(source, entry.span())?);
                return Some(Returns { matcher, span: entry.span() });
            }
            let text = entry.get_ref().as_str()?;
            let matcher = parse_expr(text).and_then(|expr| match expr.literal() {
                Some(value) => Ok(Matcher::Exact(value)),
                None => self.own_equality(&expr, lines),
            });
            return match matcher {
                Ok(matcher) => Some(Returns { matcher, span: entry.span() }),
                Err(error) => {
                    self.expr_error(error, text, &entry.span());
                    None
                }
            };
        }
        let entry = reader::get(table, "returns")?;
        let matcher = match entry.get_ref() {
            DeValue::Table(matcher) => self.matcher(matcher, entry.span())?,
            _ => Matcher::Plain(reader::plain(entry.get_ref())?),
        };
        Some(Returns { matcher, span: entry.span() })
    }

    /// The columns of a table in the exercise's folder.
    fn columns(&mut self, source: &DeTable<'_>, span: Range<usize>) -> Option<Value> {
        let name = reader::text(source, "csv")?;
        let read = files::read_file(self.exercise.folder.as_deref(), name).and_then(|bytes| {
            let help = "write a table with the names of its columns in the first row";
            columns(&bytes).map_err(|error| Problem::new(format!("`{name}` is no table: {error}"), help))
        });
        match read {
            Ok(value) => Some(value),
            Err(problem) => {
                self.errors.push(problem.at(span));
                None
            }
        }
    }

    fn matcher(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Matcher> {
        let besides = ["within", "of", "depth", "with"];
        let is_known = |key: &&str| !besides.contains(key) && keys::is_matcher(key);
        let mut kinds = reader::in_order(table).map(|(key, _, _)| key).filter(is_known);
        let kind = kinds.next();
        if let Some(second) = kinds.next() {
            let first = kind.unwrap_or_default();
            self.error(
                format!("a value has one matcher, not both `{first}` and `{second}`"),
                span,
                Some("a table here is a matcher; a dictionary is written `equals = \"{'a': 1}\"`".to_owned()),
            );
            return None;
        }
        let within = reader::get(table, "within");
        if let Some(within) = within.filter(|_| kind != Some("approx")) {
            self.error("`within` needs `approx`", within.span(), None);
        }
        for key in ["of", "depth"] {
            if let Some(entry) = reader::get(table, key).filter(|_| kind != Some("oracle")) {
                self.error(format!("`{key}` needs `oracle`"), entry.span(), None);
            }
        }
        self.check_with(table, kind);
        let values = |key: &str| {
            let Value::List(values) = reader::plain(reader::get(table, key)?.get_ref())? else { return None };
            Some(values)
        };
        match kind {
            Some("any_order") => values("any_order").map(Matcher::AnyOrder),
            Some("one_of") => {
                let values = values("one_of")?;
                if values.is_empty() {
                    self.error("`one_of` has nothing to be equal to", span, None);
                }
                Some(Matcher::OneOf(values))
            }
            Some("approx") => {
                let value = reader::get(table, "approx").and_then(|entry| reader::number(entry.get_ref()))?;
                let Some(within) = within else {
                    self.error("`approx` needs `within`: the largest difference that is allowed", span, None);
                    return None;
                };
                let within = reader::number(within.get_ref())?;
                if within.is_nan() || within < 0.0 {
                    self.error("`within` must not be negative", span, None);
                }
                Some(Matcher::Approx { value, within })
            }
            Some("matches") => self.regex(table, "matches").map(Matcher::Matches),
            Some("type") => reader::text(table, "type").map(|name| Matcher::Type(name.to_owned())),
            Some("instance") => {
                reader::text(table, "instance").map(|name| Matcher::Instance(name.to_owned()))
            }
            Some("not_same") => self.name(table, "not_same").map(Matcher::NotSame),
            Some("reference") => {
                if self.exercise.reference.is_none() {
                    self.error("the exercise has no reference to answer", span, None);
                }
                Some(Matcher::Reference)
            }
            Some("oracle") => self.asked(table, span).map(Matcher::Oracle),
            Some("check") => self.custom_check(table).map(Matcher::Check),
            // Any other key is unknown and already reported.
            Some(_) => None,
            None => {
                // Other keys are unknown, and already reported.
                if !table.is_empty() {
                    return None;
                }
                self.error(
                    "an empty table has no matcher",
                    span,
                    Some("the empty dictionary is written `equals = \"{}\"`".to_owned()),
                );
                None
            }
        }
    }

    /// The question to an oracle.
    fn asked(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Asked> {
        if reader::get(table, "of").is_none() {
            self.error("an oracle needs `of`: the name that it is asked about", span.clone(), None);
        }
        let (oracle, depth) = self.oracle(table, span)?;
        Some(Asked { oracle, of: self.name(table, "of")?, depth })
    }

    /// Whether the value of the last line is equal to an object of the submission, by the submission's own `==`: one
    /// more line asks for that.
    fn own_equality(&mut self, expr: &Expr, lines: &mut Vec<Line>) -> Result<Matcher, ExprError> {
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
