//! Declarations of functions in C, as an exercise writes them, and what keur passes for their parameters.

use super::structure::Structure;
use super::types::{Base, Declared, Type, is_name};
use std::collections::BTreeMap;

/// The name of a function's result among `lengths` and `frees`. No parameter can be called so.
pub(super) const RETURN: &str = "return";

/// A function in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Its name in submissions.
    pub(super) name: String,
    /// Its declaration, as the exercise writes it.
    pub(super) text: String,
    pub(super) returns: Type,
    pub(super) parameters: Vec<Parameter>,
    keys: Keys,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) of: Type,
    /// Whether it is an array in the declaration.
    is_array: bool,
}

/// The keys of a function that go with its declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The arguments of a case.
    pub(crate) args: Vec<String>,
    /// The parameter that holds the length of an array, by the array's name.
    pub(crate) lengths: BTreeMap<String, String>,
    /// The parameters that point to where a result is put, with the room there: `quotient`, `text[100]`.
    pub(crate) results: Vec<String>,
    /// The pointers that the caller of the function frees.
    pub(crate) frees: Vec<String>,
    /// Whether a call that sets `errno` raises.
    pub(crate) errno: bool,
}

/// The argument that keur passes for a parameter.
pub(super) enum Passed<'s> {
    /// An argument of the case.
    Argument,
    /// The place of an argument that is also a result.
    InOut,
    /// The items of an argument that is a list, or the characters of a text.
    Array,
    /// The length of these arrays.
    LengthOf(Vec<&'s str>),
    /// The place of a result.
    Result,
    /// The place of a result with room for so many items.
    Room(usize),
    /// The place of the length of the array that is returned.
    ReturnedLength,
}

impl Signature {
    /// Parses a declaration such as `int *sorted(const int *values, size_t n)` of the function of this name.
    ///
    /// # Errors
    /// It is none, or it does not say what a pointer is for.
    pub(crate) fn parse(
        name: &str,
        text: &str,
        keys: Keys,
        structs: &[Structure],
    ) -> Result<Signature, String> {
        let form = || "write it as `int sum(const int *values, size_t n)`".to_owned();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.trim_end_matches(';').trim_end();
        let (head, inside) = text.split_once('(').ok_or_else(form)?;
        let inside = inside.strip_suffix(')').ok_or_else(form)?;
        let declared = Declared::parse(head).filter(|declared| declared.items.is_none()).ok_or_else(form)?;
        if declared.name != name {
            return Err(format!("it declares `{}`, and the function is `{name}`", declared.name));
        }
        let mut parameters = Vec::new();
        for text in inside.split(',').map(str::trim).filter(|text| !["", "void"].contains(text)) {
            let Declared { of, name, items } =
                Declared::parse(text).ok_or_else(|| format!("`{text}` has no type or no name"))?;
            let pointer = if items.is_some() { "*" } else { "" };
            let of = Type::parse(&format!("{of}{pointer}"), structs)?;
            parameters.push(Parameter { name: name.to_owned(), of, is_array: items.is_some() });
        }
        let returns = Type::parse(declared.of, structs)?;
        let signature = Signature { name: name.to_owned(), text: text.to_owned(), returns, parameters, keys };
        signature.check()?;
        Ok(signature)
    }

    /// Checks that each pointer is for something that keur knows.
    fn check(&self) -> Result<(), String> {
        let Keys { args, lengths, results, frees, .. } = &self.keys;
        let is_parameter = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        let arrays = lengths.keys().map(String::as_str).filter(|name| *name != RETURN);
        let results = results.iter().map(|result| room(result).map(|(name, _)| name).unwrap_or(result));
        let freed = frees.iter().map(String::as_str).filter(|name| *name != RETURN);
        let mut names = arrays.chain(lengths.values().map(String::as_str)).chain(results).chain(freed);
        if let Some(unknown) = names.find(|name| !is_parameter(name)) {
            return Err(format!("it has no parameter `{unknown}`"));
        }
        for parameter @ Parameter { name, of, .. } in &self.parameters {
            let (base, depth) = (&of.base, of.depth());
            let is_number = matches!(base, Base::Number | Base::Bool | Base::Char);
            let is_known = match self.passed(parameter) {
                Passed::Argument if parameter.is_array => false,
                Passed::Argument => {
                    depth == 0 && *base != Base::Void || of.is_text() || of.is(&Base::Struct, 1)
                }
                Passed::InOut => depth == 1 && is_number,
                Passed::Array => match base {
                    Base::Char => depth == 1 || depth == 2,
                    Base::Number | Base::Struct => depth == 1,
                    Base::Void | Base::Bool => false,
                },
                Passed::LengthOf(_) => *base == Base::Number && depth <= 1,
                Passed::ReturnedLength => of.is(&Base::Number, 1),
                Passed::Result => {
                    depth == 1 && *base != Base::Void
                        || depth == 2 && [Base::Struct, Base::Char].contains(base)
                }
                Passed::Room(_) => depth == 1 && [Base::Number, Base::Char].contains(base),
            };
            if !is_known {
                return Err(format!(
                    "keur does not know what to pass as `{name}`; say it in `lengths` or `results`"
                ));
            }
        }
        let (base, depth) = (&self.returns.base, self.returns.depth());
        let is_returned = match self.lengths(RETURN) {
            Some(_) => {
                depth == 1 && [Base::Number, Base::Char, Base::Struct].contains(base)
                    || depth == 2 && *base == Base::Char
            }
            None => depth == 0 || self.returns.is_text() || depth == 1 && *base == Base::Struct,
        };
        if !is_returned {
            return Err("say the length of what is returned: `lengths = { return = \"n\" }`".to_owned());
        }
        if frees.iter().any(|name| name == RETURN) && depth == 0 {
            return Err("it returns no pointer that could be freed".to_owned());
        }
        if let Some(name) = frees.iter().find(|name| *name != RETURN && !self.is_result(name)) {
            return Err(format!("`{name}` is freed, but it is no result"));
        }
        let passed = self.parameters.iter().filter(|parameter| self.is_argument(parameter)).count();
        if passed != args.len() {
            return Err(format!(
                "{passed} of its parameters are arguments of a case, and `args` has {}",
                args.len()
            ));
        }
        Ok(())
    }

    pub(super) fn passed(&self, parameter: &Parameter) -> Passed<'_> {
        let name = &parameter.name;
        if let Some((_, items)) =
            self.keys.results.iter().filter_map(|text| room(text)).find(|found| found.0 == name)
        {
            return match items {
                Some(items) => Passed::Room(items),
                None if self.keys.args.contains(name) => Passed::InOut,
                None => Passed::Result,
            };
        }
        let arrays = self.keys.lengths.iter().filter(|(array, length)| *length == name && *array != RETURN);
        let arrays: Vec<&str> = arrays.map(|(array, _)| array.as_str()).collect();
        if !arrays.is_empty() {
            Passed::LengthOf(arrays)
        } else if self.keys.lengths.contains_key(name) {
            Passed::Array
        } else if parameter.of.depth() == 1 && self.lengths(RETURN) == Some(name) {
            Passed::ReturnedLength
        } else {
            Passed::Argument
        }
    }

    fn is_argument(&self, parameter: &Parameter) -> bool {
        matches!(self.passed(parameter), Passed::Argument | Passed::Array | Passed::InOut)
    }

    fn is_result(&self, name: &str) -> bool {
        self.keys.results.iter().any(|result| result == name)
    }

    /// The parameter that holds the length of an array.
    pub(super) fn lengths(&self, array: &str) -> Option<&str> {
        self.keys.lengths.get(array).map(String::as_str)
    }

    pub(super) fn is_freed(&self, name: &str) -> bool {
        self.keys.frees.iter().any(|freed| freed == name)
    }

    pub(super) fn sets_errno(&self) -> bool {
        self.keys.errno
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The declaration of a pointer of this name to such a function.
    pub(super) fn pointer(&self, name: &str, spelled: impl Fn(&Type) -> String) -> String {
        let types: Vec<String> = self.parameters.iter().map(|parameter| spelled(&parameter.of)).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        format!("{} (*const {name})({types})", spelled(&self.returns))
    }
}

/// The name and the room of a result: `quotient`, `text[100]`. None if it is no such text.
fn room(text: &str) -> Option<(&str, Option<usize>)> {
    let Some((name, rest)) = text.split_once('[') else { return Some((text, None)) };
    let items = rest.strip_suffix(']')?.trim().parse().ok().filter(|items| *items > 0)?;
    is_name(name.trim()).then_some((name.trim(), Some(items)))
}

#[cfg(test)]
mod tests {
    use super::{Keys, Signature};
    use crate::languages::c::structure::Unread;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    fn parse(
        args: &[&str],
        text: &str,
        lengths: &[(&str, &str)],
        results: &[&str],
    ) -> Result<Signature, String> {
        let lengths =
            lengths.iter().map(|(array, length)| ((*array).to_owned(), (*length).to_owned())).collect();
        let keys = Keys { args: texts(args), lengths, results: texts(results), ..Keys::default() };
        let point = Unread::parse("Point", "struct point { int x; }").unwrap().head();
        Signature::parse("f", text, keys, &[point])
    }

    #[test]
    fn a_declaration_becomes_a_pointer_that_needs_no_header() {
        #[track_caller]
        fn check(args: &[&str], text: &str, lengths: &[(&str, &str)], pointer: &str) {
            let found = parse(args, text, lengths, &[]).unwrap();
            assert_eq!(found.pointer("p", |of| of.in_c()), pointer);
        }
        let both = [("values", "n"), ("return", "n")];
        let sorted = "int * (*const p)(const int *, __SIZE_TYPE__)";
        check(&["values"], "int *f(const int values[], size_t n);", &both, sorted);
        check(&[], "bool f(void)", &[], "_Bool (*const p)(void)");
        check(
            &["a"],
            "struct point f(const struct point *a)",
            &[],
            "struct point (*const p)(const struct point *)",
        );
        let texts = "long (*const p)(const char *const*, int)";
        check(&["a"], "long f(const char *const a[], int n)", &[("a", "n")], texts);
    }

    #[test]
    fn a_declaration_that_says_too_little_is_refused() {
        #[track_caller]
        fn check(args: &[&str], text: &str, lengths: &[(&str, &str)], results: &[&str], why: &str) {
            let found = parse(args, text, lengths, results).unwrap_err();
            assert!(found.contains(why), "{found}");
        }
        check(&["a"], "int f", &[], &[], "write it as");
        check(&["a"], "int g(int a)", &[], &[], "it declares `g`");
        check(&["a"], "int f(FILE *a)", &[], &[], "keur passes no `FILE`");
        check(&["a"], "int f(struct line a)", &[], &[], "keur passes no `struct line`");
        check(&["a"], "int f(int)", &[], &[], "no type or no name");
        check(&["a"], "int f(int *a)", &[], &[], "what to pass as `a`");
        check(&["a"], "int f(int a[])", &[], &[], "what to pass as `a`");
        check(&["a"], "int f(int *a)", &[("a", "n")], &[], "no parameter `n`");
        check(&[], "int f(char *a)", &[], &["a[x]"], "no parameter `a[x]`");
        check(&["a"], "int *f(int a)", &[], &[], "the length of what is returned");
        check(&["a", "b"], "int f(const int *a, int n)", &[("a", "n")], &[], "1 of its parameters");
    }
}
