//! The source that a submission is compiled as: it includes the submission's files, and adds what its exercise asks for
//! to the driver's table, one definition a line.
//!
//! An exercise may ask for functions and classes that are not there. The compiler says so, and [`settled`] removes them.

use super::GLUE;
use super::sources::included_in;
use crate::languages::AskedFor;
use crate::languages::pattern::pattern;
use crate::value::Bundle;
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

/// How the line of a function begins, of one with others of its name, and of a class.
const FUNCTION: &str = "KEUR_FUNCTION(";
const OVERLOADED: &str = "KEUR_OVERLOADED(";
const CLASS: &str = "KEUR_CLASS(";

/// The glue for these files, and for these definitions.
pub(super) fn written(bundle: &Bundle, asked: &AskedFor) -> String {
    let mains = || bundle.files.iter().take(bundle.mains);
    // A program is no part of this library, and what it includes is.
    let is_program = |name: &String| asked.programs.contains(name) && mains().all(|file| file.name != *name);
    let parts = bundle.files.iter().filter(|file| !is_program(&file.name));
    let included: BTreeSet<String> =
        parts.flat_map(|file| included_in(&String::from_utf8_lossy(&file.bytes))).collect();
    let mut glue = String::new();
    for file in mains().filter(|file| !included.contains(&file.name)) {
        let _ = writeln!(glue, "#include \"{}\"", file.name);
    }
    glue.push_str("#include <keur.hpp>\nextern \"C\" void keur_library(keur::Library &library) {\n");
    for class in &asked.classes {
        let _ = write!(glue, "{CLASS}{})", class.name);
        for method in &class.methods {
            let _ = write!(glue, " KEUR_METHOD({method})");
        }
        for attribute in &class.attributes {
            let _ = write!(glue, " KEUR_ATTRIBUTE({attribute}, {})", capitalized(attribute));
        }
        glue.push_str(" KEUR_END\n");
    }
    for function in &asked.functions {
        let _ = writeln!(glue, "{FUNCTION}{function})");
    }
    glue.push_str("(void)library; }\n");
    glue
}

/// An attribute as it follows `get` in the name of a method.
fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The first line of a glue whose submission is not compiled after the header. That one is precompiled, but names of
/// the standard library may collide with the submission's.
const HEADER_FOLLOWS: &str = "// The header follows.\n";

/// Whether the submission is compiled after the header.
pub(super) fn header_leads(glue: &str) -> bool {
    !glue.starts_with(HEADER_FOLLOWS)
}

/// The glue after a compilation that said this: without the definitions that are not there. A function that has others
/// of its name is added as such. If there is nothing to leave out, the submission is compiled before the header.
pub(super) fn settled(glue: &str, said: &str) -> String {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^{GLUE}:(\d+):\d+:\s+(.*)$")));
    let mut lines: Vec<String> = glue.lines().map(str::to_owned).collect();
    let mut last_error = "";
    let mut settled_lines = BTreeSet::new();
    for line in said.lines() {
        let is_error = line.contains(" error: ");
        if is_error {
            last_error = line;
        }
        let Some(found) = PLACE.captures(line) else { continue };
        let notes = ["in expansion of macro", "required from here", "requested here"];
        if !is_error && !notes.iter().any(|note| found[2].contains(note)) {
            continue;
        }
        let number = found[1].parse().ok().filter(|number| settled_lines.insert(*number));
        let Some(line) = number.and_then(|at: usize| lines.get_mut(at.wrapping_sub(1))) else { continue };
        let is_one_of_many = last_error.contains("overloaded") || last_error.contains("couldn't deduce");
        if line.starts_with(FUNCTION) && is_one_of_many {
            *line = line.replacen(FUNCTION, OVERLOADED, 1);
        } else if [FUNCTION, OVERLOADED, CLASS].iter().any(|begin| line.starts_with(begin)) {
            line.clear();
        }
    }
    let settled: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if settled == glue && header_leads(glue) { format!("{HEADER_FOLLOWS}{glue}") } else { settled }
}
