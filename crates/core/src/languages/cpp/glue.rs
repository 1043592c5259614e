//! The source that a submission is compiled as: it includes the submission's files, and adds what its exercise asks for
//! to the driver's table, one definition or method a line.
//!
//! An exercise may ask for functions and classes that are not there, or that keur cannot call. The compiler says so, and
//! `settled` (`settle.rs`) removes the first ones and replaces the others.

use super::sources::{INCLUDES, base_name, included_in};
use crate::languages::AskedFor;
use crate::value::Bundle;
use regex::Captures;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

/// The line that follows the submission: the compiler names it if a block does not end.
pub(super) const END: &str = "namespace keur_end {}";

/// The glue for these files, and for these definitions.
pub(super) fn written(bundle: &Bundle, asked: &AskedFor) -> String {
    let mut glue = String::new();
    for file in entries(bundle, &asked.programs) {
        let _ = writeln!(glue, "#include \"{file}\"");
    }
    let _ = writeln!(glue, "{END}\n#include <keur.hpp>");
    glue.push_str("extern \"C\" void keur_library(keur::Library &library) {\n");
    for class in &asked.classes {
        let signature = asked.signatures.get(&class.name).and_then(|all| all.first());
        let _ = writeln!(glue, "KEUR_CLASS({}, {})", class.name, signature.unwrap_or(&class.name));
        for method in &class.methods {
            let _ = writeln!(glue, "KEUR_METHOD({method})\nKEUR_HIDDEN({method})");
        }
        for attribute in &class.attributes {
            let _ = writeln!(glue, "KEUR_ATTRIBUTE({attribute}, {})", capitalized(attribute));
        }
        glue.push_str("KEUR_END\n");
    }
    for function in &asked.functions {
        let signatures = asked.signatures.get(function).map_or(&[][..], Vec::as_slice);
        if signatures.is_empty() {
            let _ = writeln!(glue, "KEUR_FUNCTION({function})");
        }
        for signature in signatures {
            let _ = writeln!(glue, "KEUR_DECLARED({function}, {signature})");
        }
    }
    glue.push_str("(void)library; }\n");
    glue
}

/// An attribute as it follows `get` in the name of a method.
fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The files to include, with which every file that the exercise names is compiled once. If a header includes a file
/// that includes that header, it is the header. A program is no part of this library, and what it includes is.
pub(in crate::languages) fn entries<'b>(bundle: &'b Bundle, programs: &[String]) -> Vec<&'b str> {
    let mains = || bundle.files.iter().take(bundle.mains).map(|file| file.name.as_str());
    let is_program = |name: &String| programs.contains(name) && mains().all(|main| main != name);
    let included: BTreeMap<&str, BTreeSet<String>> = bundle
        .files
        .iter()
        .filter(|file| !is_program(&file.name))
        .map(|file| (file.name.as_str(), included_in(&String::from_utf8_lossy(&file.bytes)).collect()))
        .collect();
    let includer = |name: &str| {
        let mut others = included.iter().filter(|(other, all)| **other != name && all.contains(name));
        others.next().map(|(other, _)| *other)
    };
    let mut entries = Vec::new();
    let mut reached = BTreeSet::new();
    let (roots, others): (Vec<&str>, Vec<&str>) = mains().partition(|name| includer(name).is_none());
    for main in roots.into_iter().chain(others) {
        if reached.contains(main) {
            continue;
        }
        let entry = includer(main).unwrap_or(main);
        entries.push(entry);
        let mut next = vec![entry.to_owned()];
        while let Some(name) = next.pop() {
            next.extend(included.get(name.as_str()).into_iter().flatten().cloned());
            if !reached.insert(name) {
                next.retain(|name| !reached.contains(name));
            }
        }
    }
    entries
}

/// The first line of a glue whose submission is not compiled after the header. That one is precompiled, but names of
/// the standard library may collide with the submission's.
pub(super) const HEADER_FOLLOWS: &str = "// The header follows.\n";

/// Whether the submission is compiled after the header.
pub(super) fn header_leads(glue: &str) -> bool {
    !glue.starts_with(HEADER_FOLLOWS)
}

/// The files that include one of another folder of the submission, which lies beside them here.
pub(in crate::languages) fn with_own_includes(bundle: &Bundle) -> Vec<(PathBuf, Vec<u8>)> {
    let mut changed = Vec::new();
    for file in &bundle.files {
        let source = String::from_utf8_lossy(&file.bytes);
        let own = INCLUDES.replace_all(&source, |found: &Captures<'_>| {
            let name = base_name(&found[2]);
            let is_own = bundle.files.iter().any(|file| file.name == name);
            if is_own { format!("{}\"{name}\"", &found[1]) } else { found[0].to_owned() }
        });
        if own != source {
            changed.push((PathBuf::from(&file.name), own.into_owned().into_bytes()));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::{with_own_includes, written};
    use crate::languages::AskedFor;
    use crate::value::{Bundle, SourceFile};

    fn bundle(files: &[(&str, &str)], mains: usize) -> Bundle {
        let file = |(name, text): &(&str, &str)| SourceFile {
            name: (*name).to_owned(),
            module: None,
            path: None,
            bytes: text.as_bytes().into(),
        };
        Bundle { files: files.iter().map(file).collect(), mains }
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], mains: usize, included: &[&str]) {
        let glue = written(&bundle(files, mains), &AskedFor::default());
        let lines: Vec<String> = included.iter().map(|name| format!("#include \"{name}\"")).collect();
        let found: Vec<&str> = glue.lines().take_while(|line| line.starts_with("#include \"")).collect();
        assert_eq!(found, lines);
    }

    #[test]
    fn each_file_is_compiled_once_whatever_file_includes_it() {
        let (header, source) = (("a.h", "#include \"a.cpp\"\n"), ("a.cpp", "#include \"a.h\"\n"));
        check(&[("a.cpp", "#include \"a.h\"\n"), ("a.h", "")], 1, &["a.cpp"]);
        check(&[source, header], 1, &["a.h"]);
        check(&[("a.cpp", ""), ("b.cpp", "#include \"./a.cpp\"\n")], 2, &["b.cpp"]);
        check(
            &[("a.cpp", "#include \"sub/b.h\"\n"), ("b.cpp", ""), ("b.h", "#include \"b.cpp\"\n")],
            2,
            &["a.cpp"],
        );
    }

    #[test]
    fn an_include_finds_a_file_of_another_folder() {
        let source = "#include \"../game/board.h\"\n#  include \"./b.h\"\n#include \"x/none.h\"\n";
        let files = [("a.cpp", source), ("board.h", ""), ("b.h", "#include \"board.h\"\n")];
        let changed = "#include \"board.h\"\n#  include \"b.h\"\n#include \"x/none.h\"\n";
        assert_eq!(with_own_includes(&bundle(&files, 1)), [("a.cpp".into(), changed.as_bytes().to_vec())]);
    }
}
