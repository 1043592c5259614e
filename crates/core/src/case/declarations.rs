//! Reads the declarations in C and C++ of an exercise.

use super::diagnostic::Diagnostic;
use super::keys::{Key, Shape, key, required};
use super::reader::{self, Entry};
use crate::languages::c::{Declarations, Keys, Signature, Structure, Unread};
use std::collections::BTreeMap;
use toml::de::DeTable;

pub(super) const STRUCT: Key =
    key("c", "The struct that it is in C, such as \"struct point { int x; int y; }\"", Shape::Text);
pub(super) const TEMPLATE: Key =
    key("cpp", "The type that it is in C++, if it is a template, such as \"Stack<int>\"", Shape::Text);

/// The keys of a function.
pub(super) const FUNCTION: &[Key] = &[
    required("args", "Parameters, `?` after an optional one", Shape::Texts),
    key("returns", "A type of [view] that it returns, `[Type]` for a list of them", Shape::Text),
    key("any_order", "Whether the order of the returned list does not matter", Shape::Bool),
    key("c", "Its declaration in C, such as \"int sum(const int *values, size_t n)\"", Shape::Text),
    key("lengths", "In C, the parameter that is each array's length", Shape::MapOf(&Shape::Text)),
    key(
        "results",
        "The parameters in C that point to where a result is put, `name[100]` for one with room for so many",
        Shape::Texts,
    ),
    key(
        "frees",
        "The pointers in C that the caller frees: `return`, or a parameter of `results`",
        Shape::Texts,
    ),
    key("errno", "Whether a call in C that sets `errno` raises", Shape::Bool),
    key(
        "cpp",
        "Its declaration in C++, if it is a template, such as \"int largest(std::vector<int> values)\"; or several",
        Shape::TextOrTexts,
    ),
];

/// The keys of a function that go with its declaration.
const WITH_DECLARATION: [&str; 4] = ["lengths", "results", "frees", "errno"];

/// The declarations in C of an exercise: of all its functions and structs, or of none.
pub(super) fn declarations(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> Declarations {
    let mut texts = Vec::new();
    let structs = structs(table, &mut texts, errors);
    let functions: Vec<Signature> = reader::entries(table, "function")
        .filter_map(|(name, _, entry)| {
            function(name, entry.get_ref().as_table()?, &structs, &mut texts, errors)
        })
        .collect();
    let is_declared =
        |entry: &Entry<'_>| entry.get_ref().as_table().is_some_and(|table| reader::get(table, "c").is_some());
    for (key, what) in [("class", "class"), ("function", "function")] {
        let missing =
            reader::entries(table, key).filter(|(_, _, entry)| !texts.is_empty() && !is_declared(entry));
        errors.extend(missing.map(|(name, span, _)| {
            Diagnostic::new(format!("the {what} `{name}` is not declared in C, and others are"), span.clone())
                .help("add its declaration as `c`")
        }));
    }
    Declarations { structs, functions, texts }
}

/// The structs that are classes of the exercise.
fn structs(table: &DeTable<'_>, texts: &mut Vec<String>, errors: &mut Vec<Diagnostic>) -> Vec<Structure> {
    let mut heads = Vec::new();
    for (class, _, entry) in reader::entries(table, "class") {
        let Some(table) = entry.get_ref().as_table() else { continue };
        let Some(text) = reader::text(table, "c") else { continue };
        texts.push(format!("{class} {text}"));
        let span = reader::get(table, "c").map_or(0..0, Entry::span);
        match Unread::parse(class, text) {
            Ok(head) => heads.push((head, reader::texts(table, "new").len(), span)),
            Err(problem) => errors.push(Diagnostic::new(problem, span)),
        }
    }
    let known: Vec<Structure> = heads.iter().map(|(head, ..)| head.head()).collect();
    let mut read = Vec::new();
    for (head, parameters, span) in heads {
        match head.read(&known, parameters) {
            Ok(structure) => read.push(structure),
            Err(problem) => errors.push(Diagnostic::new(problem, span)),
        }
    }
    // A field of an unknown type is an error already.
    if read.len() == known.len() { read } else { known }
}

fn function(
    name: &str,
    table: &DeTable<'_>,
    structs: &[Structure],
    declared: &mut Vec<String>,
    errors: &mut Vec<Diagnostic>,
) -> Option<Signature> {
    let Some(text) = reader::text(table, "c") else {
        if let Some(entry) = WITH_DECLARATION.iter().find_map(|key| reader::get(table, key)) {
            errors.push(Diagnostic::new("this goes with `c`, a declaration".to_owned(), entry.span()));
        }
        return None;
    };
    let texts = |key| reader::texts(table, key).into_iter().map(|(text, _)| text.to_owned()).collect();
    let lengths: BTreeMap<String, String> = reader::entries(table, "lengths")
        .filter_map(|(array, _, length)| Some((array.to_owned(), length.get_ref().as_str()?.to_owned())))
        .collect();
    let args: Vec<String> = texts("args");
    let args = args.iter().map(|arg| arg.trim_end_matches('?').to_owned()).collect();
    let errno = reader::truth(table, "errno");
    let keys = Keys { args, lengths, results: texts("results"), frees: texts("frees"), errno };
    let Keys { lengths, results, frees, errno, .. } = &keys;
    declared.push(format!("{name} {text} {lengths:?} {results:?} {frees:?} {errno}"));
    let found = Signature::parse(name, text, keys, structs);
    found
        .map_err(|problem| {
            let span = reader::get(table, "c").map_or(0..0, Entry::span);
            errors.push(Diagnostic::new(problem, span));
        })
        .ok()
}

/// The declarations in C++ of functions, and the types that class templates are, by name.
pub(super) fn in_cpp(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for (key, bracket, example) in
        [("class", '<', "Stack<int>"), ("function", '(', "int larger(int a, int b)")]
    {
        for (name, _, entry) in reader::entries(table, key) {
            let Some(own) = entry.get_ref().as_table().and_then(|table| reader::get(table, "cpp")) else {
                continue;
            };
            let texts = reader::entry_texts(own);
            for (text, span) in &texts {
                let begins = text.match_indices(name).any(|(at, _)| {
                    let is_whole = !text[..at].ends_with(|ch: char| ch.is_alphanumeric() || ch == '_');
                    is_whole && text[at + name.len()..].trim_start().starts_with(bracket)
                });
                let begins = begins && !["static ", "template"].iter().any(|word| text.starts_with(word));
                if !begins || text.contains([';', '{', '#', '\n', '\\']) {
                    let message = format!("this does not declare `{name}` in C++");
                    errors.push(
                        Diagnostic::new(message, span.clone()).help(format!("write it as \"{example}\"")),
                    );
                }
            }
            all.insert(name.to_owned(), texts.into_iter().map(|(text, _)| text.to_owned()).collect());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::case::parse_exercise;

    #[track_caller]
    fn check(definitions: &str, why: &str) {
        let source =
            format!("title = \"Box\"\nsession = \"python\"\n[files]\nc = [\"box.c\"]\n{definitions}");
        let errors = parse_exercise("box", "exercise.toml", &source).err().map(|errors| errors.to_string());
        assert!(errors.as_ref().is_some_and(|errors| errors.contains(why)), "{errors:?}");
    }

    #[test]
    fn an_exercise_declares_all_in_c_or_nothing() {
        let half = "half = { args = [\"a\"], c = \"double half(double a)\" }\n";
        let why = "the function `twice` is not declared in C, and others are; add its declaration as `c`";
        check(&format!("[function]\n{half}twice = [\"a\"]\n"), why);
        check(&format!("[function]\n{half}[class.Box]\nnew = []\n"), "the class `Box` is not declared in C");
        check("[function]\nhalf = { args = [], errno = true }\n", "this goes with `c`, a declaration");
    }

    #[test]
    fn a_declaration_in_cpp_has_the_name_of_what_it_declares() {
        let why = "this does not declare `twice` in C++; write it as \"int larger(int a, int b)\"";
        check("[function]\ntwice = { args = [\"a\"], cpp = \"int half(int a)\" }\n", why);
        check("[function]\ntwice = { args = [\"a\"], cpp = [\"int twice(int a);\"] }\n", why);
        check("[function]\ntwice = { args = [\"a\"], cpp = \"int notwice(int a)\" }\n", why);
        check("[function]\ntwice = { args = [\"a\"], cpp = \"static int twice(int a)\" }\n", why);
        check("[class.Stack]\ncpp = \"Stack\"\n", "this does not declare `Stack` in C++");
    }

    #[test]
    fn a_struct_has_fields_that_keur_reads() {
        for (class, why) in [
            ("c = \"struct box\"\nnew = [\"a\"]", "it has none here"),
            ("c = \"struct box { int a; }\"\nnew = [\"a\", \"b\"]", "has 1 fields, and `new` has 2"),
            ("c = \"struct box { }\"", "the struct has no fields"),
            ("c = \"struct box { int a, b; }\"", "write each field for itself"),
            ("c = \"struct box { int *a; }\"", "how to read the field `a`"),
            ("c = \"struct box { int a[n]; }\"", "the length of `a` is not a number"),
            ("c = \"typedef struct { int a; }\"", "write it as"),
            ("c = \"union box\"", "write it as"),
        ] {
            check(&format!("[class.Box]\n{class}\n"), why);
        }
    }
}
