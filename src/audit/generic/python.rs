//! The places of a program in Python, found with Python's own parser.

use super::super::error::AuditError;
use super::site::{ChangeKind, ChangeSite};
use keur_core::languages::{self, Interpreters};
use keur_core::named::Named;
use keur_sandbox::Tools;
use std::io::Write;

/// A place of the script's list: the function, the kind of the change, the bytes, and their replacement.
type ListedSite = (String, String, usize, usize, String);

/// The script that lists them.
const SCRIPT: &str = include_str!("python.py");

/// The places in a file, given its name and its text. The program is parsed, and never run.
///
/// # Errors
/// It cannot be parsed, or there is no Python.
pub(super) fn sites(
    name: &str,
    text: &str,
    tools: &Tools,
    interpreters: &Interpreters,
) -> Result<Vec<ChangeSite>, AuditError> {
    let python = interpreters.find(&languages::python::LANGUAGE).map_err(AuditError::Interpreter)?;
    let failed = |why: &str| AuditError::Program(name.to_owned(), format!("cannot be parsed: {why}"));
    let written = tempfile::NamedTempFile::new().and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        Ok(file)
    });
    let file = written.map_err(|error| AuditError::Files(std::env::temp_dir(), error))?;
    let path = file.path().to_string_lossy();
    let finished = tools.ask(&python.program, &["-I", "-S", "-c", SCRIPT, &path]);
    let finished = finished.map_err(|error| AuditError::Files(python.program.clone(), error))?;
    if !finished.status.is_some_and(|status| status.success()) {
        let errors = String::from_utf8_lossy(&finished.errors);
        return Err(failed(errors.lines().last().unwrap_or("Python did not answer")));
    }
    let found: Result<Vec<ListedSite>, _> = serde_json::from_slice(&finished.output);
    let found = found.map_err(|error| failed(&error.to_string()))?;
    let site = |(function, kind, start, end, put): ListedSite| {
        let kind = ChangeKind::from_name(&kind)?;
        Some(ChangeSite { function, kind, at: start..end, put })
    };
    Ok(found.into_iter().filter_map(site).collect())
}
