//! Common parts of the judges for other systems: one source text and its grading request.

use super::error::CliError;
use crate::run::GradeRequest;
use keur_core::case::{Exercise, Library};
use keur_sandbox::Tier;
use std::path::Path;
use tempfile::TempDir;

/// The request to a judge.
pub(super) struct Job {
    library: Library,
    exercise: Exercise,
}

impl Job {
    /// The exercise called `name`, or the only one, from `cases` or the built-in ones.
    pub(super) fn new(cases: Option<&Path>, name: Option<&str>) -> Result<Job, CliError> {
        let library = cases.map_or(Library::BuiltIn, |folder| Library::Folder(folder.to_owned()));
        let name = match name {
            Some(name) => name.to_owned(),
            None => match library.names()?.as_slice() {
                [only] => only.clone(),
                several => {
                    return Err(CliError::Usage(format!(
                        "it is not clear which exercise to grade; name it with --exercise: {}",
                        several.join(", ")
                    )));
                }
            },
        };
        let exercise = library.describe(&name)?;
        Ok(Job { library, exercise })
    }

    pub(super) fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// The request to grade `source`, a program in `language`, under the file name of the exercise. It is in
    /// a temporary folder that exists as long as the returned guard.
    pub(super) fn request(
        self,
        source: &[u8],
        language: &str,
        confine: Option<Tier>,
    ) -> Result<(TempDir, GradeRequest), CliError> {
        let Some(name) = self.exercise.files_in(language).first() else {
            let languages: Vec<&str> = self.exercise.files.keys().map(String::as_str).collect();
            return Err(CliError::Usage(format!(
                "{} does not take submissions in {language}; it takes {}",
                self.exercise.name,
                languages.join(", ")
            )));
        };
        let folder = tempfile::tempdir().map_err(|error| {
            CliError::fault(format!("no temporary folder for the submission can be made: {error}"))
        })?;
        let file = folder.path().join(name);
        std::fs::write(&file, source).map_err(CliError::write(&file))?;
        let mut request = GradeRequest::new(file);
        request.library = self.library;
        request.exercise = Some(self.exercise.name);
        request.tier = confine.unwrap_or_default();
        Ok((folder, request))
    }
}
