//! Reads what a class stores of a submission: the exercise that it answers and its language, or why it cannot be graded.

use super::data::Taken;
use super::digest::{KeyDigest, chosen_digest, digest, no_files_digest};
use super::keys::contract;
use keur_core::case::Exercise;
use keur_core::event::RunError;
use keur_core::languages::{self, Language};
use keur_core::messages::Lang;
use keur_core::report::words::Words;
use keur_core::submission::opened::{self, Unopened, shown};
use keur_core::submission::{FilesProblem, SkippedFile, UnclearExercise};
use std::path::Path;
use walkdir::WalkDir;

/// The properties of a submission, as the fields of a [`Taken`] have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The exercise that it answers.
    pub exercise: Option<String>,
    pub language: Option<String>,
    /// The reason why it cannot be graded.
    pub problem: Option<String>,
    /// The files that are skipped.
    pub skipped: Option<String>,
}

impl ReadAs {
    /// Puts it into the row of a submission, which was read for these exercises.
    pub fn put(self, taken: &mut Taken, exercises: &[Exercise]) {
        let ReadAs { exercise, language, problem, skipped } = self;
        (taken.exercise, taken.language, taken.problem, taken.skipped) =
            (exercise, language, problem, skipped);
        taken.read_with = read_with(exercises);
    }

    /// Puts it into the row of a submission with files of this digest, one of which is chosen.
    pub fn put_chosen(
        self,
        taken: &mut Taken,
        files: String,
        chosen: Option<String>,
        exercises: &[Exercise],
    ) {
        taken.files = chosen_digest(files, chosen.as_deref());
        taken.chosen = chosen;
        self.put(taken, exercises);
    }

    /// The files of which keur cannot tell which one is meant.
    fn several(&self) -> Option<Vec<String>> {
        let problem = problem_of(self.problem.as_deref()?);
        if let RunError::Nothing(FilesProblem::Several { found, .. }) = problem { Some(found) } else { None }
    }
}

/// Reads the submission in a folder, of which keur cannot tell which file is meant, with the file that is
/// chosen; `None` if there is no such doubt, or this file is none of those that may be meant.
pub fn read_in_doubt(folder: &Path, exercises: &[Exercise], chosen: &str) -> Option<ReadAs> {
    let found = read(folder, exercises, None).several()?;
    let read = read(folder, exercises, Some(chosen));
    let is_among = found.contains(&shown(Path::new(chosen)));
    (is_among && read.several().is_none()).then_some(read)
}

/// Reads the submission in a folder as an answer to one of these exercises, with the file that is chosen, if
/// one is. Nothing of it is run.
pub fn read(folder: &Path, exercises: &[Exercise], chosen: Option<&str>) -> ReadAs {
    let opened = match opened::open(folder) {
        Ok(opened) => opened.choosing(chosen),
        Err(Unopened::Problem(problem)) => {
            return ReadAs { problem: Some(problem_stored(&problem)), ..ReadAs::default() };
        }
        Err(error) => return ReadAs { problem: Some(error.to_string()), ..ReadAs::default() },
    };
    let choices: Vec<&Exercise> = exercises.iter().collect();
    if let Some(problem) = opened.nothing(&choices) {
        return ReadAs { problem: Some(problem_stored(&problem)), ..ReadAs::default() };
    }
    let exercise = match choices.as_slice() {
        [only] => *only,
        several => match opened.exercise(several) {
            Ok(exercise) => exercise,
            Err(unclear) => return ReadAs { problem: Some(unclear_sentence(&unclear)), ..ReadAs::default() },
        },
    };
    let submission = opened.submission(exercise);
    let skipped = stored_skipped(&submission.skipped);
    if let Some(problem) = submission.nothing() {
        return ReadAs { problem: Some(problem_stored(problem)), skipped, ..ReadAs::default() };
    }
    let language = match &submission.found {
        Ok(found) => found.language(),
        // It is graded all the same: its cases cannot be loaded.
        Err(_) => None,
    };
    let language = language.or_else(|| likely(folder, exercise)).map(|language| language.name.to_owned());
    ReadAs { exercise: Some(exercise.name.clone()), language, problem: None, skipped }
}

/// The digest of what decides how submissions are read: keur itself, and what the exercises ask for.
pub fn read_with(exercises: &[Exercise]) -> String {
    let mut key = KeyDigest::new();
    key.add(env!("KEUR_BUILD"));
    for exercise in exercises {
        key.add(&exercise.name);
        key.add(contract(exercise));
    }
    key.digits()
}

/// A problem with the files of a submission, for [`Taken::problem`].
pub fn problem_stored(problem: &FilesProblem) -> String {
    serde_json::to_string(problem).unwrap_or_default()
}

/// Why a submission cannot be graded, from [`Taken::problem`]: a problem with its files, or a sentence.
pub fn problem_of(stored: &str) -> RunError {
    match serde_json::from_str(stored) {
        Ok(problem) => RunError::Nothing(problem),
        Err(_) => RunError::Usage(stored.to_owned()),
    }
}

/// Why no files of a submission were kept, beside what the exercises want, from [`Taken::problem`].
pub(super) fn refusal_of(problem: Option<&str>) -> Option<FilesProblem> {
    let RunError::Nothing(problem) = problem_of(problem?) else { return None };
    Some(problem).filter(|problem| !matches!(problem, FilesProblem::NoSource { .. }))
}

/// The digest of what a student handed in: the same for the same files, or for none that can be kept, for the
/// same reason.
pub(super) fn received_digest(student: &str, files: &str, problem: Option<&str>) -> String {
    match refusal_of(problem) {
        Some(refusal) if files == no_files_digest(student) => digest([files, &problem_stored(&refusal)]),
        Some(_) | None => files.to_owned(),
    }
}

/// The files that were skipped, for [`Taken::skipped`].
pub fn stored_skipped(skipped: &[SkippedFile]) -> Option<String> {
    if skipped.is_empty() { None } else { serde_json::to_string(skipped).ok() }
}

/// The files that were skipped, from [`Taken::skipped`].
pub fn skipped_of(stored: Option<&str>) -> Vec<SkippedFile> {
    stored.and_then(|stored| serde_json::from_str(stored).ok()).unwrap_or_default()
}

/// Why the exercise cannot be determined, in a sentence.
fn unclear_sentence(unclear: &UnclearExercise) -> String {
    let UnclearExercise { matches, choices, nearest, lacks_test } = unclear;
    if let Some(test) = lacks_test {
        format!("the crate has no {test}, which names the exercise")
    } else if let Some(nearest) = nearest {
        format!("it looks like none of the exercises: {}", nearest.message().say(&Words::new(Lang::En)))
    } else if matches.is_empty() {
        format!("it looks like none of the exercises {}", choices.join(", "))
    } else {
        format!("it may answer each of {}", matches.join(", "))
    }
}

/// The language of a submission with a problem in its files: that of a file in it, else the first one of the
/// exercise.
fn likely(folder: &Path, exercise: &Exercise) -> Option<&'static Language> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let mut named = entries.filter_map(|entry| languages::of_file(&entry.file_name().to_string_lossy()));
    let takes = |language: &&'static Language| exercise.languages().any(|name| name == language.name);
    named.find(takes).or_else(|| exercise.languages().find_map(languages::find))
}

#[cfg(test)]
mod tests {
    use super::unclear_sentence;
    use keur_core::submission::{NearestExercise, Nearness, UnclearExercise};

    #[test]
    fn an_unclear_exercise_is_explained_by_the_nearest_one() {
        let why = Nearness::FileName { file: "qixo.py".to_owned(), wanted: "quixo.py".to_owned() };
        let unclear = UnclearExercise {
            matches: Vec::new(),
            choices: vec!["quixo".to_owned(), "yinyang".to_owned()],
            nearest: Some(Box::new(NearestExercise { exercise: "quixo".to_owned(), why })),
            lacks_test: None,
        };
        let near = "it looks like none of the exercises: quixo comes nearest, but asks for quixo.py, and the file is \
                    called qixo.py";
        assert_eq!(unclear_sentence(&unclear), near);
        let none = UnclearExercise { nearest: None, ..unclear };
        assert_eq!(unclear_sentence(&none), "it looks like none of the exercises quixo, yinyang");
    }
}
