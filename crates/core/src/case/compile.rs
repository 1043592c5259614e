//! Reads how an exercise has submissions compiled.

use super::diagnostic::Diagnostic;
use super::keys::{Key, Shape, key};
use super::reader;
use crate::languages::{self, CompileOptions};
use std::collections::BTreeMap;
use toml::de::DeTable;

pub(super) const KEY: Key = key(
    "compile",
    "How submissions are compiled, by programming language: c or cpp",
    Shape::MapOf(&Shape::Table(&[
        key("standard", "The standard, such as c++17; c++20 or c17 by default", Shape::Text),
        key("sanitize", "Whether sanitizers look for undefined behaviour; true by default", Shape::Bool),
        key("leaks", "Whether memory that is lost is a fault", Shape::Bool),
    ])),
);

/// The options of each language, in `[compile]`.
pub(super) fn options(table: &DeTable<'_>, errors: &mut Vec<Diagnostic>) -> BTreeMap<String, CompileOptions> {
    let mut all = BTreeMap::new();
    for (language, span, entry) in reader::entries(table, "compile") {
        let build = languages::find(language).and_then(|language| language.build);
        let standards = build.map_or(&[][..], |build| build.standards);
        if standards.is_empty() {
            let message = format!("how `{language}` is compiled cannot be chosen");
            errors.push(Diagnostic::new(message, span).help("only that of `c` and `cpp` can"));
            continue;
        }
        let Some(own) = entry.get_ref().as_table() else { continue };
        let mut options = CompileOptions::default();
        if let Some(entry) = reader::get(own, "standard") {
            let name = entry.get_ref().as_str();
            options.standard = standards.iter().find(|known| Some(**known) == name).copied();
            if options.standard.is_none() {
                let message = format!("keur does not compile `{language}` by this standard");
                let help = format!("choose {}", standards.join(" or "));
                errors.push(Diagnostic::new(message, entry.span()).help(help));
            }
        }
        options.sanitize =
            reader::get(own, "sanitize").and_then(|entry| entry.get_ref().as_bool()).unwrap_or(true);
        options.leaks = reader::truth(own, "leaks");
        if let Some(entry) = reader::get(own, "leaks").filter(|_| options.leaks && !options.sanitize) {
            let message = "without sanitizers keur cannot look for leaks".to_owned();
            errors.push(Diagnostic::new(message, entry.span()).help("remove `sanitize = false`, or `leaks`"));
        }
        all.insert(language.to_owned(), options);
    }
    all
}
