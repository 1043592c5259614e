//! The source in C that a submission is compiled as: it includes the submission's files, and points to what its exercise
//! declares, one struct or function after the other.
//!
//! The compiler says which of them are not there, or are of another type; `settled` (`settle.rs`) then puts the reason in
//! their place.

use super::declarations::Declarations;
use super::signature::Signature;
use super::structure::{Field, Structure};
use super::types::{Base, Type};
use std::fmt::Write;

/// From here on, a function of another type is an error; in the submission itself the compiler decides.
const CHECKED: &str = "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"\n\
                       #pragma GCC diagnostic error \"-Wint-conversion\"\n";

/// The glue for a submission with these files to include.
pub(super) fn written(files: &[&str], declarations: &Declarations) -> String {
    let mut glue = String::new();
    for file in files {
        let _ = writeln!(glue, "#include \"{file}\"");
    }
    glue.push_str(CHECKED);
    for structure in &declarations.structs {
        check_struct(structure, &mut glue);
    }
    for function @ Signature { name, text, .. } in &declarations.functions {
        let _ =
            writeln!(glue, "{} = {name}; // {text}", function.pointer(&format!("keur_f_{name}"), Type::in_c));
    }
    glue
}

/// Compares a struct with one of the fields that are asked. Each line ends with its class and fields.
fn check_struct(structure: &Structure, glue: &mut String) {
    let Structure { class, fields, .. } = structure;
    let name = structure.in_c();
    let shown = fields.as_ref().map(|fields| {
        let fields: Vec<String> = fields.iter().map(Field::in_c).collect();
        fields.join("; ")
    });
    let mark = format!("// struct {class}: {name}: {}", shown.unwrap_or_default());
    if let Some(fields) = fields {
        let asked = format!("struct keur_s_{class}");
        let own: String = fields.iter().map(|field| format!("{}; ", field.in_c())).collect();
        let _ = writeln!(glue, "enum {{ keur_o_{class} = sizeof({name}) }}; {mark}");
        let _ = writeln!(glue, "{asked} {{ {own}}}; {mark}");
        for Field { name: field, of, items } in fields {
            // An array is converted to a pointer.
            let pointer = if items.is_some() { "*" } else { "" };
            let (one, other) = (format!("(({name} *)0)->{field}"), format!("(({asked} *)0)->{field}"));
            let mut same = format!(
                "__builtin_offsetof({name}, {field}) == __builtin_offsetof({asked}, {field}) && sizeof({one}) == sizeof({other})"
            );
            if !(of.base == Base::Struct && of.depth() == 0) {
                let _ = write!(same, " && _Generic({one}, {}{pointer}: 1, default: 0)", of.in_c());
            }
            let _ = writeln!(glue, "_Static_assert({same}, \"\"); {mark}");
        }
        let _ = writeln!(glue, "_Static_assert(sizeof({name}) == sizeof({asked}), \"\"); {mark}");
    }
    let _ = writeln!(glue, "const char keur_t_{class}[] = \"\"; {mark}");
}
