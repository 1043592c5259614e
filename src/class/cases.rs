//! The exercises of a class as they are now, and what is known of the cases of a submission.

use super::data::{CurrentCase, KeptVerdict};
use super::error::ClassError;
use super::keys::case_keys;
use crate::run::GradeRequest;
use keur_core::adapter::Fault;
use keur_core::case::{Exercise, Loaded};
use keur_core::compare::diff::visible;
use keur_core::grade::{CountedCases, OutcomeError};
use keur_core::judge::{KnownCase, KnownCases, Settings};
use keur_core::messages::Lang;
use std::collections::BTreeMap;

/// The longest reason in a message, in characters.
const LONGEST_REASON: usize = 200;

/// The exercises of a class, with their cases.
#[derive(Debug)]
pub struct ClassCases {
    exercises: Vec<KeyedExercise>,
}

/// An exercise with the digests of its cases.
#[derive(Debug)]
pub struct KeyedExercise {
    /// The exercise and its cases.
    pub loaded: Loaded,
    /// The digest of each case, by name.
    pub keys: BTreeMap<String, String>,
}

impl ClassCases {
    /// Loads the exercises that a request grades.
    ///
    /// # Errors
    /// They, their cases, a reference or a check cannot be read or have errors.
    pub fn load(request: &GradeRequest) -> Result<ClassCases, ClassError> {
        let loaded = match &request.exercise {
            Some(name) => vec![request.library.load(name)?],
            None => request.library.load_all()?,
        };
        let keyed = loaded.into_iter().map(|loaded| {
            let keys = case_keys(&loaded).map_err(Fault::new)?;
            Ok(KeyedExercise { loaded, keys })
        });
        Ok(ClassCases { exercises: keyed.collect::<Result<_, ClassError>>()? })
    }

    /// The exercises, by name.
    pub fn exercises(&self) -> &[KeyedExercise] {
        &self.exercises
    }

    /// The exercise called `name`.
    pub fn exercise(&self, name: &str) -> Option<&KeyedExercise> {
        self.exercises.iter().find(|keyed| keyed.loaded.exercise.name == name)
    }

    /// The exercises that submissions may answer.
    pub fn candidates(&self) -> Vec<Exercise> {
        self.exercises.iter().map(|keyed| keyed.loaded.exercise.clone()).collect()
    }

    /// The exercises, for the judge.
    pub fn loaded(&self) -> Vec<&Loaded> {
        self.exercises.iter().map(|keyed| &keyed.loaded).collect()
    }

    /// The cases that count with these settings, for those who query the database; titles are in `lang`, else
    /// in the language of the exercise.
    pub fn rows(&self, settings: &Settings, lang: Option<Lang>) -> Vec<CurrentCase> {
        let rows = self.exercises.iter().flat_map(|keyed| {
            let exercise = &keyed.loaded.exercise;
            let counted = CountedCases::new(&keyed.loaded, settings);
            let cases = counted.cases().iter().zip(1..).map(|(case, place)| CurrentCase {
                exercise: exercise.name.clone(),
                name: case.name.clone(),
                place,
                key: keyed.keys.get(&case.name).cloned().unwrap_or_default(),
                title: case.title.get(lang.unwrap_or(exercise.lang)).to_owned(),
                points: case.points,
                hidden: case.hidden,
            });
            cases.collect::<Vec<_>>()
        });
        rows.collect()
    }
}

impl KeyedExercise {
    /// The outcomes that these verdicts of a submission give for the cases as they are now, by the judge with
    /// this digest. Verdicts that were graded less often than asked give none, nor do those of a quick pass
    /// that no longer counts beside the others.
    ///
    /// # Errors
    /// A stored outcome cannot be read.
    pub fn known_outcomes(
        &self,
        counted: &CountedCases<'_>,
        verdicts: &[KeptVerdict],
        judge: &str,
        gradings: u32,
    ) -> Result<KnownCases, ClassError> {
        let counts = |verdict: &&KeptVerdict| verdict.key.judge == judge && verdict.gradings >= gradings;
        let by_judge = verdicts.iter().filter(counts);
        let by_case: BTreeMap<&str, &KeptVerdict> =
            by_judge.map(|verdict| (verdict.key.case.as_str(), verdict)).collect();
        let mut known = KnownCases::new();
        for (name, key) in &self.keys {
            if let Some(kept) = by_case.get(key.as_str()) {
                let stored = KnownCase::from_stored(&kept.verdict, kept.outcome.as_deref());
                let stored = stored.map_err(|error| unreadable(name, kept, &error))?;
                known.insert(name.clone(), stored);
            }
        }
        Ok(counted.still_valid(known))
    }

    /// The outcomes that verdicts of a submission gave for the cases with the digests that they had; where
    /// one cannot be read, there are none of it.
    pub fn earlier_outcomes(
        &self,
        digests: &BTreeMap<String, String>,
        verdicts: &[KeptVerdict],
        judge: &str,
    ) -> KnownCases {
        let outcome = |(name, digest): (&String, &String)| {
            let is_it = |kept: &&KeptVerdict| kept.key.judge == judge && kept.key.case == *digest;
            let kept = verdicts.iter().find(is_it)?;
            let stored = KnownCase::from_stored(&kept.verdict, kept.outcome.as_deref());
            Some((name.clone(), stored.ok()?))
        };
        digests.iter().filter_map(outcome).collect()
    }
}

/// The error for a verdict that this keur cannot read.
fn unreadable(case: &str, kept: &KeptVerdict, error: &OutcomeError) -> ClassError {
    let reason: String = visible(&error.to_string(), false).chars().take(LONGEST_REASON).collect();
    let problem = match error {
        OutcomeError::Version(_) => format!(
            "was stored by another keur: {reason}; use that keur, or grade all submissions again with this one: \
             `keur class run CLASS --new-judge`"
        ),
        OutcomeError::Damaged { .. } => format!(
            "is not one that keur writes: {reason}; put back a copy of class.db, which `keur class backup` makes"
        ),
    };
    let files = visible(&kept.key.files, false);
    Fault::new(format!("class.db: the verdict on the case {case} of the files {files} {problem}")).into()
}

#[cfg(test)]
mod tests {
    use super::KeyedExercise;
    use crate::class::data::{KeptVerdict, VerdictKey};
    use keur_core::case::Library;
    use keur_core::grade::CountedCases;
    use keur_core::judge::Settings;
    use std::collections::BTreeMap;

    #[track_caller]
    fn check(outcome: &str, advice: &str) {
        let loaded = Library::BuiltIn.load("codenames").unwrap();
        let keys = BTreeMap::from([(loaded.cases[0].name.clone(), "case".to_owned())]);
        let keyed = KeyedExercise { loaded, keys };
        let key =
            VerdictKey { files: "files".to_owned(), case: "case".to_owned(), judge: "judge".to_owned() };
        let kept = KeptVerdict {
            key,
            verdict: "raised".to_owned(),
            share: 0.0,
            outcome: Some(outcome.to_owned()),
            gradings: 1,
            attempt: "run".to_owned(),
        };
        let settings = Settings::default();
        let counted = CountedCases::new(&keyed.loaded, &settings);
        let error = keyed.known_outcomes(&counted, &[kept], "judge", 1).unwrap_err().to_string();
        assert!(error.ends_with(advice), "{error} does not end with: {advice}");
    }

    #[test]
    fn an_outcome_of_another_keur_can_be_graded_again_and_a_damaged_one_put_back() {
        check(
            r#"{"version":2,"verdict":"raised"}"#,
            "was stored by another keur: the outcome is of version 2, and this keur reads version 1; use that keur, or grade all \
             submissions again with this one: `keur class run CLASS --new-judge`",
        );
        check("{}", "put back a copy of class.db, which `keur class backup` makes");
    }
}
