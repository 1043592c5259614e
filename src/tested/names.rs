//! The names that a submission must define, inferred from the calls of a suite.

use super::python::{PyExpr, PyStatement, PythonArgument};
use super::reading::Reader;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The classes and functions that a suite uses.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    pub(super) classes: BTreeMap<String, ClassUse>,
    pub(super) functions: BTreeMap<String, Calls>,
    /// Uses of a value whose class is unknown.
    unknown: Vec<Unknown>,
}

/// The uses of a class.
#[derive(Debug, Default)]
pub(super) struct ClassUse {
    pub(super) new: Calls,
    pub(super) methods: BTreeMap<String, Calls>,
    pub(super) attributes: BTreeSet<String>,
}

/// The calls of a function.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The keyword of each argument of each call.
    calls: Vec<Vec<Option<String>>>,
}

#[derive(Debug)]
struct Unknown {
    name: String,
    /// The arguments of a method; `None` for an attribute.
    call: Option<Vec<Option<String>>>,
    span: Range<usize>,
}

/// The names of a context, with the class of those that hold an object.
pub(super) type BoundNames = BTreeMap<String, Option<String>>;

impl UsedNames {
    /// Notes what a statement uses, and the name that it binds.
    pub(super) fn statement(&mut self, statement: &PyStatement, bound: &mut BoundNames, span: &Range<usize>) {
        let class = self.expr(&statement.value, bound, span);
        if let Some(class) = &statement.class {
            self.classes.entry(class.clone()).or_default();
        }
        match &statement.target {
            Some(PyExpr::Name(name)) => {
                bound.insert(name.clone(), statement.class.clone().or(class));
            }
            Some(target) => {
                self.expr(target, bound, span);
            }
            None => {}
        }
    }

    /// Notes a call in the code of a language.
    pub(super) fn native(&mut self, name: &str, count: usize) {
        let calls = if name.starts_with(char::is_uppercase) {
            &mut self.classes.entry(name.to_owned()).or_default().new
        } else {
            self.functions.entry(name.to_owned()).or_default()
        };
        calls.calls.push(vec![None; count]);
    }

    /// Notes what an expression uses. The answer is its class, as far as known.
    fn expr(&mut self, expr: &PyExpr, bound: &BoundNames, span: &Range<usize>) -> Option<String> {
        match expr {
            PyExpr::Nothing | PyExpr::Bool(_) | PyExpr::Int(_) | PyExpr::Float(_) | PyExpr::Text(_) => None,
            PyExpr::Name(name) => bound.get(name).cloned().flatten(),
            PyExpr::Call(name, args) => {
                let keywords = self.arguments(args, bound, span);
                if name.starts_with(char::is_uppercase) {
                    self.classes.entry(name.clone()).or_default().new.calls.push(keywords);
                    return Some(name.clone());
                }
                self.functions.entry(name.clone()).or_default().calls.push(keywords);
                None
            }
            PyExpr::Method(on, name, args) => {
                let class = self.expr(on, bound, span);
                let keywords = self.arguments(args, bound, span);
                self.member(class, name, Some(keywords), span);
                None
            }
            PyExpr::Attribute(on, name) => {
                let class = self.expr(on, bound, span);
                self.member(class, name, None, span);
                None
            }
            PyExpr::Index(on, index) => {
                self.expr(on, bound, span);
                self.expr(index, bound, span);
                None
            }
            PyExpr::List(items) | PyExpr::Tuple(items) | PyExpr::Set(items) => {
                for item in items {
                    self.expr(item, bound, span);
                }
                None
            }
            PyExpr::Dict(pairs) => {
                for (key, value) in pairs {
                    self.expr(key, bound, span);
                    self.expr(value, bound, span);
                }
                None
            }
        }
    }

    fn arguments(
        &mut self,
        args: &[PythonArgument],
        bound: &BoundNames,
        span: &Range<usize>,
    ) -> Vec<Option<String>> {
        args.iter()
            .map(|arg| {
                self.expr(&arg.value, bound, span);
                arg.keyword.clone()
            })
            .collect()
    }

    fn member(
        &mut self,
        class: Option<String>,
        name: &str,
        call: Option<Vec<Option<String>>>,
        span: &Range<usize>,
    ) {
        match class.and_then(|class| self.classes.get_mut(&class)) {
            Some(class) => class.add(name, call),
            None => self.unknown.push(Unknown { name: name.to_owned(), call, span: span.clone() }),
        }
    }

    /// Gives the members of values of an unknown class to the class that has such a member, or to the only
    /// class.
    pub(super) fn settle(&mut self, reader: &mut Reader<'_>) {
        for Unknown { name, call, span } in std::mem::take(&mut self.unknown) {
            let has = |class: &ClassUse| match &call {
                Some(_) => class.methods.contains_key(&name),
                None => class.attributes.contains(&name),
            };
            let only = self.classes.len() == 1;
            match self.classes.values_mut().find(|class| has(class) || only) {
                Some(class) => class.add(&name, call),
                None => reader.problem(
                    format!("the class that has `{name}` is unknown; annotate the name: `x: Class = …`"),
                    &span,
                ),
            }
        }
    }
}

impl ClassUse {
    fn add(&mut self, name: &str, call: Option<Vec<Option<String>>>) {
        match call {
            Some(keywords) => self.methods.entry(name.to_owned()).or_default().calls.push(keywords),
            None => {
                self.attributes.insert(name.to_owned());
            }
        }
    }
}

impl Calls {
    /// The parameters, `?` after those that some call leaves out. A parameter that no call names is a letter.
    pub(super) fn parameters(&self) -> Vec<String> {
        let count = self.calls.iter().map(Vec::len).max().unwrap_or_default();
        let mut names: Vec<Option<&str>> = vec![None; count];
        for call in &self.calls {
            for (index, keyword) in call.iter().enumerate() {
                let Some(keyword) = keyword.as_deref() else { continue };
                if names.contains(&Some(keyword)) {
                    continue;
                }
                match names.get_mut(index) {
                    Some(name @ None) => *name = Some(keyword),
                    Some(Some(_)) | None => names.push(Some(keyword)),
                }
            }
        }
        let given = |index: usize, name: Option<&str>, call: &[Option<String>]| {
            let positional = call.iter().take_while(|keyword| keyword.is_none()).count();
            index < positional || (name.is_some() && call.iter().any(|keyword| keyword.as_deref() == name))
        };
        let mut letters = ('a'..='z').map(String::from).filter(|letter| !names.contains(&Some(letter)));
        let mut optional = false;
        let mut parameters = Vec::new();
        for (index, name) in names.iter().enumerate() {
            // What follows an optional parameter is optional too.
            optional |= !self.calls.iter().all(|call| given(index, *name, call));
            let name = name.map(str::to_owned).or_else(|| letters.next());
            let name = name.unwrap_or_else(|| format!("parameter_{}", index + 1));
            parameters.push(if optional { name + "?" } else { name });
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::{BoundNames, UsedNames};
    use crate::tested::python::parse_statement;

    #[track_caller]
    fn check(lines: &[&str], name: &str, expected: &[&str]) {
        let mut names = UsedNames::default();
        let mut bound = BoundNames::new();
        for line in lines {
            names.statement(&parse_statement(line).unwrap(), &mut bound, &(0..0));
        }
        let calls = match name.split_once('.') {
            Some((class, "new")) => &names.classes[class].new,
            Some((class, method)) => &names.classes[class].methods[method],
            None => &names.functions[name],
        };
        assert_eq!(calls.parameters(), expected);
    }

    #[test]
    fn parameters_are_inferred_from_the_calls() {
        check(&["f()"], "f", &[]);
        check(&["f(1, 2)", "f(1)"], "f", &["a", "b?"]);
        check(&["f(1, size=2)", "f(1, 2)"], "f", &["a", "size"]);
        check(&["f(1, size=2)", "f(1)", "f(1, colour=3)"], "f", &["a", "size?", "colour?"]);
        check(&["f(a=1)", "f(2, b=3)"], "f", &["a", "b?"]);
        check(&["x = Counter(5)", "x.add(1)", "x.add(1, 2)"], "Counter.add", &["a", "b?"]);
        check(&["x = Counter(5)", "x.add(1)"], "Counter.new", &["a"]);
        check(&["x: Counter = make()", "x.add(g(1))"], "Counter.add", &["a"]);
    }
}
