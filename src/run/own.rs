//! The own reference of an exercise, to replay plans on.

use super::build::Builder;
use keur_core::adapter::{Launcher, Subprocess};
use keur_core::case::{Exercise, ExerciseReference};
use keur_core::judge::{GradeError, reference_files, reference_path, reference_process};
use keur_core::languages::{Interpreters, LANGUAGES, Language};
use keur_core::submission::{self, Submission};
use std::path::{Path, PathBuf};

/// The own reference of an exercise in one language: opened, and built if its language asks for that.
pub struct OwnReference {
    /// The path of the reference.
    pub path: PathBuf,
    /// The language of the reference.
    pub language: &'static Language,
    submission: Submission,
    launcher: Launcher,
}

impl OwnReference {
    /// Opens the reference of `exercise` in the first language that has one and that `suits`, in processes
    /// that `launcher` starts. `None` if there is none.
    ///
    /// # Errors
    /// It does not exist, or cannot be opened or built.
    pub fn open(
        builder: &Builder,
        launcher: Launcher,
        exercise: &Exercise,
        suits: &dyn Fn(&'static Language) -> bool,
    ) -> Result<Option<OwnReference>, GradeError> {
        let Some(ExerciseReference::Own(paths)) = &exercise.reference else { return Ok(None) };
        let mut languages = LANGUAGES.iter().filter(|known| paths.contains_key(known.name));
        let Some(language) = languages.find(|known| suits(known)) else { return Ok(None) };
        let path = reference_path(exercise, language.name)?;
        let submission = opened(builder, exercise, &path)?;
        reference_files(&submission, &path, language)?;
        Ok(Some(OwnReference { path, language, submission, launcher }))
    }

    /// The processes of the reference.
    ///
    /// # Errors
    /// There is no interpreter of its language.
    pub fn process<'a>(
        &'a mut self,
        exercise: &'a Exercise,
        interpreters: &Interpreters,
    ) -> Result<Subprocess<'a>, GradeError> {
        let found = reference_files(&self.submission, &self.path, self.language)?;
        reference_process(exercise, found, &mut self.launcher, interpreters)
    }
}

/// Opens the submission at a path as an answer to an exercise, and builds it if its language asks for that.
pub(super) fn opened(builder: &Builder, exercise: &Exercise, path: &Path) -> Result<Submission, GradeError> {
    let opened = submission::opened::open(path).map_err(|error| GradeError::Exercise(error.to_string()))?;
    Ok(builder.submission(opened, exercise)?)
}
