//! Mutants that keur makes of a right program itself, where its language is known well enough.
//!
//! Each has one change: a comparison turned, or off by one at its border; `and` for `or`; a `not`, a
//! statement or a `return` left out; a constant or a message changed; another operator; two statements in the
//! other order; a copy that is the original; a `return` or the end of a loop that comes too early.

mod javascript;
mod python;
mod site;

use super::error::AuditError;
use super::mutants::{CodeChange, RightProgram};
use keur_core::languages::{self, Interpreters, Language};
use keur_core::named::Named;
use keur_sandbox::Tools;
use site::{ChangeKind, ChangeSite};
use std::collections::BTreeMap;

/// A language whose programs keur makes mutants of.
pub(super) struct ChangedLanguage {
    pub(super) language: &'static Language,
    sites: FindSites,
}

/// Finds the places in a file, given its name and its text. The program is read, and never run.
type FindSites = fn(&str, &str, &Tools, &Interpreters) -> Result<Vec<ChangeSite>, AuditError>;

/// The languages whose programs keur makes mutants of.
pub(super) static CHANGED: [ChangedLanguage; 2] = [
    ChangedLanguage { language: &languages::python::LANGUAGE, sites: python::sites },
    ChangedLanguage {
        language: &languages::javascript::LANGUAGE,
        sites: |_, text, _, _| Ok(javascript::sites(text)),
    },
];

/// A mutant that keur made.
pub(super) struct GenericMutant {
    /// The mistake: a sentence without a full stop.
    pub(super) what: String,
    pub(super) change: CodeChange,
    /// The change that ends the right program where the changed statement would be reached.
    pub(super) reach: Option<CodeChange>,
}

/// The generic mutants of a program, each with its name; none for a language that is not among [`CHANGED`].
///
/// A name consists of the function, the kind of the change, and a number among those of the function: it
/// stays the same when other functions change.
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
    let Some(changed) = CHANGED.iter().find(|changed| changed.language.name == program.language) else {
        return Ok(mutants);
    };
    for (name, text) in &program.files {
        let mut sites = (changed.sites)(name, text, tools, interpreters)?;
        sites.sort_by_key(|site| (site.at.start, site.at.end, site.kind));
        for ChangeSite { function, kind, at, put, reach } in sites {
            let Some(old) = text.get(at.clone()) else { continue };
            let what = format!("`{function}` {}", kind.what(old, &put));
            let function = function.trim_matches('_');
            let number = numbers.entry((function.to_owned(), kind)).or_default();
            *number += 1;
            let change = |at, put| CodeChange { file: name.clone(), at, put };
            let reach = reach.map(|(at, put)| change(at..at, put));
            let mutant = GenericMutant { what, change: change(at, put), reach };
            mutants.push((format!("{function}_{}_{number}", kind.name()), mutant));
        }
    }
    Ok(mutants)
}
