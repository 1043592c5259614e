//! Wrong submissions in a folder that the caller names.

use super::error::AuditError;
use super::matrix::{WrongKind, WrongProgram};
use crate::run::SamplesError;
use keur_core::case::{Diagnostic, FileErrors, Loaded, read_text};
use keur_core::submission::opened;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The file that says which submissions of a folder are wrong, and how.
const VERDICTS: &str = "verdicts.toml";

/// The folder of wrong submissions, beside right ones.
const WRONG: &str = "wrong";

/// The wrong submissions in `folder`, or in its folder for this exercise, or in the folders of several
/// languages below that.
///
/// Where a file of verdicts lies beside them, it says which are wrong: those with a `defect`, or with a case
/// that they fail. Otherwise all are, or those in a folder `wrong`.
///
/// # Errors
/// The folder or the file cannot be read.
pub(super) fn given_programs(
    folder: &Path,
    loaded: &Loaded,
) -> Result<Vec<(WrongProgram, PathBuf)>, AuditError> {
    let of_exercise = folder.join(&loaded.exercise.name);
    let folder = if of_exercise.is_dir() { of_exercise } else { folder.to_owned() };
    let inside = entries(&folder)?;
    if let Some(wrong) = inside.iter().find(|path| path.is_dir() && path.ends_with(WRONG)) {
        return Ok(entries(wrong)?.into_iter().map(|path| wrong_at(path, String::new(), false)).collect());
    }
    let mut folders: Vec<PathBuf> = inside.into_iter().filter(|path| path.join(VERDICTS).is_file()).collect();
    if folders.is_empty() || folder.join(VERDICTS).is_file() {
        folders = vec![folder];
    }
    let mut found = Vec::new();
    for folder in folders {
        found.extend(programs_in(&folder, loaded)?);
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, AuditError> {
    opened::entries(folder).map_err(|problem| AuditError::Samples(SamplesError::Folder(problem)))
}

/// The wrong submissions directly in a folder.
fn programs_in(folder: &Path, loaded: &Loaded) -> Result<Vec<(WrongProgram, PathBuf)>, AuditError> {
    let path = folder.join(VERDICTS);
    let paths = entries(folder)?.into_iter().filter(|path| !path.ends_with(VERDICTS));
    if !path.is_file() {
        return Ok(paths.map(|path| wrong_at(path, String::new(), false)).collect());
    }
    let text = read_text(&path).map_err(|error| AuditError::Files(path.clone(), error))?;
    let (table, errors) = DeTable::parse_recoverable(&text);
    if !errors.is_empty() {
        let problems = errors
            .iter()
            .map(|error| Diagnostic::new(error.message().trim(), error.span().unwrap_or(0..0)))
            .collect();
        return Err(AuditError::Bad(FileErrors::new(&path.display().to_string(), &text, problems)));
    }
    let is_ruling = |name: &str| loaded.cases.iter().any(|case| case.name == name && case.is_ruling());
    let wrong = paths.filter_map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let entry = table.get_ref().get(name.as_ref()).or_else(|| table.get_ref().get(stem.as_ref()))?;
        let entry = entry.get_ref().as_table()?;
        let defect = entry.get("defect").and_then(|defect| defect.get_ref().as_str());
        let fails = match entry.get("fails").map(|fails| fails.get_ref()) {
            Some(DeValue::Table(fails)) => fails.iter().map(|(case, _)| case.get_ref().to_string()).collect(),
            Some(_) | None => Vec::new(),
        };
        let rulings_only = !fails.is_empty() && fails.iter().all(|case| is_ruling(case));
        // A right submission may settle a ruling in another way.
        let is_wrong = defect.is_some() || !fails.is_empty() && !rulings_only;
        is_wrong.then(|| wrong_at(path.clone(), defect.unwrap_or_default().to_owned(), rulings_only))
    });
    Ok(wrong.collect())
}

/// A wrong submission at a path.
fn wrong_at(path: PathBuf, what: String, ruling: bool) -> (WrongProgram, PathBuf) {
    let wrong = WrongProgram {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        kind: WrongKind::Sample,
        what,
        place: path.display().to_string(),
        patch: Vec::new(),
        ruling,
        equivalent: None,
    };
    (wrong, path)
}
