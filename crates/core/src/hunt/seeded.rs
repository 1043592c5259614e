//! The random sessions of a case, each made from a seed.

use crate::adapter::Launcher;
use crate::case::{Case, Loaded, RandomSessions, SeededCase};
use crate::judge::{GradeError, References, reference_files, reference_process};
use crate::languages::Interpreters;
use crate::sessions::{Answerer, NoSessions, RandomSession};
use crate::value::random::Random;
use std::sync::Arc;

/// Makes the random sessions of an exercise, and answers them.
pub struct SessionMaker<'a> {
    /// The exercise with its cases.
    pub loaded: &'a Loaded,
    /// The exercise's own reference, if it has one.
    pub references: Option<&'a References>,
    /// The interpreters of that reference.
    pub interpreters: &'a Interpreters,
}

impl SessionMaker<'_> {
    /// The sessions of a case, with the answers of the reference; its processes are started by `launcher`. A session
    /// without an answer that can be compared is left out.
    ///
    /// # Errors
    /// The exercise has no random sessions, or its reference does not run.
    pub fn cases(
        &self,
        case: &Case,
        random: &RandomSessions,
        launcher: &mut Launcher,
    ) -> Result<Arc<[SeededCase]>, GradeError> {
        let error = |why: &str| GradeError::Exercise(random.error(case, why).to_string());
        random.answered(|| {
            self.with_answerer(random, launcher, |answerer| {
                let mut cases = Vec::with_capacity(random.seeds.len());
                for seed in &random.seeds {
                    let steps = session(answerer, random, *seed)?.steps;
                    if let Some(made) = answerer.case(&steps)? {
                        cases.push(SeededCase { seed: *seed, case: of_case(case, made) });
                    }
                }
                if cases.is_empty() {
                    return Err(error("none of its random sessions has an answer that can be compared"));
                }
                Ok(cases)
            })
        })
    }

    /// Calls `work` with what makes and answers the sessions of a case; its processes are started by `launcher`.
    ///
    /// # Errors
    /// The exercise has no random sessions, or its reference cannot be opened; or that of `work`.
    pub fn with_answerer<T>(
        &self,
        random: &RandomSessions,
        launcher: &mut Launcher,
        work: impl FnOnce(&mut Answerer<'_>) -> Result<T, GradeError>,
    ) -> Result<T, GradeError> {
        let exercise = &self.loaded.exercise;
        let none = |why: NoSessions| GradeError::Exercise(why.to_string());
        if exercise.built_in().is_some() {
            return work(&mut Answerer::built_in(exercise).map_err(none)?);
        }
        let own = self.references.map(|references| references.first(exercise)).transpose()?.flatten();
        let Some(own) = own else { return Err(none(NoSessions { exercise: exercise.name.clone() })) };
        let found = reference_files(&own.submission, &own.path, own.language)?;
        let reference = reference_process(exercise, found, launcher, self.interpreters)?;
        let calls = random.calls.as_ref();
        work(&mut Answerer::own(self.loaded, own.language, &own.path, reference, calls, None).map_err(none)?)
    }
}

/// The session of a case with this seed.
///
/// # Errors
/// The reference does not run.
pub fn session(
    answerer: &mut Answerer<'_>,
    random: &RandomSessions,
    seed: u64,
) -> Result<RandomSession, GradeError> {
    let mut session = answerer.session(Random::new(seed))?;
    session.steps.truncate(random.steps.unwrap_or(usize::MAX));
    Ok(session)
}

/// A session as a case with the name, the file and the limits of `case`.
fn of_case(case: &Case, session: Case) -> Case {
    Case {
        name: case.name.clone(),
        file: case.file.clone(),
        title: Arc::clone(&case.title),
        points: case.points,
        hidden: case.hidden,
        limits: case.limits.clone(),
        path: case.path.clone(),
        source: Arc::clone(&case.source),
        ..session
    }
}
