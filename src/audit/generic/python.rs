//! The places of a program in Python where mutants are made, found with Python's own parser.

use super::super::error::AuditError;
use super::site::{ChangeKind, ChangeSite};
use keur_core::languages::{self, Interpreters};
use keur_core::named::Named;
use keur_sandbox::Tools;
use serde::Deserialize;
use std::io::Write;

/// Lists the places of the program in a file, each as a [`ListedSite`].
const SCRIPT: &str = include_str!("python.py");

/// A place of a program as [`SCRIPT`] lists it, an array in JSON.
#[derive(Deserialize)]
struct ListedSite {
    /// The function that it is in, or `top`.
    function: String,
    /// The name of a [`ChangeKind`].
    kind: String,
    start: usize,
    end: usize,
    /// The text that replaces the bytes from `start` to `end`.
    put: String,
    /// See [`ChangeSite::reach`].
    reach: Option<(usize, String)>,
}

/// The places in a file, given its name and its text. The program is parsed, and never run.
///
/// # Errors
/// The program cannot be parsed, or there is no Python.
pub(super) fn sites(
    name: &str,
    text: &str,
    tools: &Tools,
    interpreters: &Interpreters,
) -> Result<Vec<ChangeSite>, AuditError> {
    let python = interpreters.find(&languages::python::LANGUAGE).map_err(AuditError::Interpreter)?;
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
        return Err(not_parsed(name, errors.lines().last().unwrap_or("Python did not answer")));
    }
    read_sites(name, &finished.output)
}

/// Reads the output of the script for the file `name`.
fn read_sites(name: &str, output: &[u8]) -> Result<Vec<ChangeSite>, AuditError> {
    let listed: Vec<ListedSite> =
        serde_json::from_slice(output).map_err(|error| not_parsed(name, &error.to_string()))?;
    let sites = listed.into_iter().map(|ListedSite { function, kind, start, end, put, reach }| {
        let kind = ChangeKind::from_name(&kind)
            .ok_or_else(|| not_parsed(name, &format!("there is no kind of change `{kind}`")))?;
        Ok(ChangeSite { function, kind, at: start..end, put, reach })
    });
    sites.collect()
}

fn not_parsed(name: &str, why: &str) -> AuditError {
    AuditError::Program(name.to_owned(), format!("cannot be parsed: {why}"))
}

#[cfg(test)]
mod tests {
    use super::read_sites;
    use crate::audit::generic::site::ChangeKind;

    #[test]
    fn the_list_of_the_script_is_read() {
        let sites = read_sites("it.py", br#"[["f", "border", 3, 4, "<=", [0, "exit; "]]]"#).unwrap();
        assert_eq!((sites.len(), sites[0].kind, &sites[0].at), (1, ChangeKind::Border, &(3..4)));
        assert_eq!((sites[0].function.as_str(), sites[0].put.as_str()), ("f", "<="));
        assert_eq!(sites[0].reach, Some((0, "exit; ".to_owned())));
    }

    #[test]
    fn a_kind_of_change_that_keur_does_not_know_is_an_error() {
        let Err(error) = read_sites("it.py", br#"[["f", "moved", 3, 4, "<=", null]]"#) else {
            panic!("no error")
        };
        assert_eq!(error.to_string(), "it.py: cannot be parsed: there is no kind of change `moved`");
    }
}
