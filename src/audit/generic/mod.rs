//! Mutants that keur makes of a right program itself, where its language is known well enough.
//!
//! Each has one change: a comparison turned, or off by one at its border; `and` for `or`; a `not`, a statement or a
//! `return` left out; a constant or a message changed; `+` for `-`.

mod javascript;
mod python;
mod site;
mod tokens;

use super::error::AuditError;
use super::mutants::{CodeChange, RightProgram};
use keur_core::languages::{self, Interpreters};
use keur_sandbox::Tools;
use site::{ChangeKind, ChangeSite};
use std::collections::BTreeMap;

/// A mutant that keur made.
pub(super) struct GenericMutant {
    /// What it does wrong: a sentence without a full stop.
    pub(super) what: String,
    /// Its change.
    pub(super) change: CodeChange,
}

/// The generic mutants of a program, each with its name; none for other languages than Python and JavaScript.
///
/// A name consists of the function, the kind of the change, and a number among those of the function: it stays the same when
/// other functions change.
///
/// # Errors
/// The program cannot be parsed.
pub(super) fn mutants(
    program: &RightProgram,
    tools: &Tools,
    interpreters: &Interpreters,
) -> Result<Vec<(String, GenericMutant)>, AuditError> {
    let mut numbers: BTreeMap<(String, ChangeKind), usize> = BTreeMap::new();
    let mut mutants = Vec::new();
    for (name, text) in &program.files {
        let mut sites = match () {
            () if program.language == languages::python::LANGUAGE.name => {
                python::sites((name, text), tools, interpreters)?
            }
            () if program.language == languages::javascript::LANGUAGE.name => javascript::sites(text),
            () => Vec::new(),
        };
        sites.sort_by_key(|site| (site.at.start, site.at.end, site.kind));
        for ChangeSite { function, kind, at, put } in sites {
            let Some(old) = text.get(at.clone()) else { continue };
            let what = format!("`{function}` {}", kind.what(old, &put));
            let function = function.trim_matches('_');
            let number = numbers.entry((function.to_owned(), kind)).or_default();
            *number += 1;
            let change = CodeChange { file: name.clone(), at, put };
            mutants.push((format!("{function}_{}_{number}", kind.name()), GenericMutant { what, change }));
        }
    }
    Ok(mutants)
}
