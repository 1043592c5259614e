//! Samples: submissions that students may try, right and wrong. An instructor gives them for this.

use super::SiteError;
use keur_core::submission::opened::is_noise;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folder of a site with a file for each exercise that has samples.
pub(super) const FOLDER: &str = "samples";

/// The beginning of the names of right samples.
const CORRECT: &str = "correct";

/// A submission to try.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Sample {
    name: String,
    files: Vec<SampleFile>,
}

/// A file of a sample.
#[derive(Debug, PartialEq, Serialize)]
struct SampleFile {
    /// The path in the sample, with `/` between names.
    name: String,
    text: String,
}

impl Sample {
    /// The name of its file or folder.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// The samples of an exercise, by name, right ones first: each file or folder in `folder` is one. There are none without
/// the folder.
pub(super) fn samples(folder: &Path) -> Result<Vec<Sample>, SiteError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = entries(folder)?;
    found.sort_by_key(|(name, _)| !name.starts_with(CORRECT));
    let samples = found.into_iter().map(|(name, path)| {
        let files = if path.is_dir() { below(&path)? } else { vec![file(&path, name.clone())?] };
        Ok(Sample { name, files })
    });
    samples.collect()
}

/// The entries in a folder of samples that belong to no exercise of the site.
pub(super) fn others(folder: &Path, is_of_site: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, SiteError> {
    let others = entries(folder)?.into_iter().filter(|(name, _)| !is_of_site(name));
    Ok(others.map(|(_, path)| path).collect())
}

/// The names and paths in a folder, without what is hidden or of a tool.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, SiteError> {
    let unreadable = |source| SiteError::Unreadable { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        if !is_noise(&entry.file_name(), is_folder) {
            found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// The files below the folder of a sample.
fn below(folder: &Path) -> Result<Vec<SampleFile>, SiteError> {
    let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in walk.filter_entry(|entry| !is_noise(entry.file_name(), entry.file_type().is_dir())) {
        let entry =
            entry.map_err(|error| SiteError::Unreadable { path: folder.to_owned(), source: error.into() })?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
            files.push(file(entry.path(), names.join("/"))?);
        }
    }
    Ok(files)
}

fn file(path: &Path, name: String) -> Result<SampleFile, SiteError> {
    let text =
        fs::read_to_string(path).map_err(|source| SiteError::Unreadable { path: path.to_owned(), source })?;
    Ok(SampleFile { name, text })
}
