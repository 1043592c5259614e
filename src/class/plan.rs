//! The tasks of a run: the cases of submissions that have no verdict yet.

use super::cases::{ClassCases, KeyedExercise};
use super::data::{Taken, VerdictKey};
use super::digest::no_files_digest;
use super::error::ClassError;
use super::folder::{ClassFolder, is_empty};
use super::intake::read_submission_digest;
use super::reading::{read, read_with};
use super::store::Store;
use crate::run::GradeTask;
use keur_core::adapter::Fault;
use keur_core::grade::CountedCases;
use keur_core::judge::{KnownCase, KnownCases, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The work of a run. Submissions with the same files are one.
#[derive(Debug, Default)]
pub struct ClassPlan {
    /// The submissions that lack verdicts.
    pub tasks: Vec<PlannedTask>,
    /// The number of submissions that count and can be graded.
    pub submissions: usize,
    /// The number of those whose files are the same as those of another.
    pub same: usize,
    /// The number of submissions that cannot be read.
    pub unreadable: usize,
    /// The students with a submission in a language that their exercise does not ask for and nothing here
    /// grades, by language.
    pub ungraded: BTreeMap<String, Vec<String>>,
    /// The number of cases that are known.
    pub known: usize,
    /// The number of cases that are not.
    pub missing: usize,
}

/// A submission that lacks verdicts.
#[derive(Debug)]
pub struct PlannedTask {
    /// The submission to grade, named by the digest of its files.
    pub task: GradeTask,
    /// The students who handed it in.
    pub students: Vec<String>,
    /// The exercise that it answers.
    pub exercise: String,
    /// The digest of the judge.
    pub judge: String,
    /// The number of its cases that are missing.
    pub missing: usize,
    /// Whether earlier gradings of it differ.
    pub conflict: bool,
    /// Whether it is graded again, whatever is stored.
    pub again: bool,
}

/// The part of a class that a run takes.
pub struct PlanScope<'a> {
    /// Whether it takes a submission with these files.
    pub has: &'a dyn Fn(&str) -> bool,
    /// The students whose submissions it leaves out.
    pub left_out: &'a [String],
    /// The students whose submissions are graded again, whatever is stored.
    pub again: &'a [String],
    /// The number of gradings of a case: a verdict of fewer gradings is missing.
    pub gradings: u32,
}

impl ClassPlan {
    /// Plans a run of the submissions that count and that are in its scope.
    ///
    /// # Errors
    /// The database cannot be read, or a language has no judge yet.
    pub fn new(
        folder: &ClassFolder,
        store: &Store,
        cases: &ClassCases,
        settings: &Settings,
        scope: &PlanScope<'_>,
    ) -> Result<ClassPlan, ClassError> {
        let judges: BTreeMap<String, String> =
            store.judges()?.into_iter().map(|judge| (judge.language, judge.key)).collect();
        let conflicts: BTreeSet<VerdictKey> = store
            .conflicts()?
            .into_iter()
            .filter(|conflict| conflict.settled.is_none())
            .map(|it| it.key)
            .collect();
        let exercises: BTreeMap<&str, (&KeyedExercise, CountedCases<'_>)> = cases
            .exercises()
            .iter()
            .map(|keyed| {
                let counted = CountedCases::new(&keyed.loaded, settings);
                (keyed.loaded.exercise.name.as_str(), (keyed, counted))
            })
            .collect();
        let mut plan = ClassPlan::default();
        let mut planned: BTreeMap<(String, String), Option<usize>> = BTreeMap::new();
        let in_scope = |taken: &Taken| (scope.has)(&taken.files) && !scope.left_out.contains(&taken.student);
        let latest = store.latest()?;
        let is_again = |taken: &&Taken| scope.again.contains(&taken.student);
        let again: BTreeSet<String> =
            latest.iter().filter(is_again).map(|taken| taken.files.clone()).collect();
        for taken in latest.into_iter().filter(in_scope) {
            let answered = taken.exercise.as_deref().and_then(|name| exercises.get(name));
            let (Some((keyed, counted)), Some(language), None) = (answered, &taken.language, &taken.problem)
            else {
                plan.unreadable += 1;
                continue;
            };
            let Some(judge) = judges.get(language) else {
                if keyed.loaded.exercise.languages().any(|asked| asked == language) {
                    return Err(no_judge(folder, language));
                }
                plan.ungraded.entry(language.clone()).or_default().push(taken.student);
                continue;
            };
            plan.submissions += 1;
            let exercise = keyed.loaded.exercise.name.clone();
            if let Some(place) = planned.get(&(taken.files.clone(), exercise.clone())) {
                plan.same += 1;
                if let Some(planned) = place.and_then(|place| plan.tasks.get_mut(place)) {
                    planned.students.push(taken.student);
                }
                continue;
            }
            let verdicts = store.verdicts(&taken.files)?;
            let again = again.contains(&taken.files);
            let known = if again {
                KnownCases::new()
            } else {
                keyed.known_outcomes(counted, &verdicts, judge, scope.gradings)?
            };
            let missing = counted.missing(&known);
            plan.known += known.len();
            plan.missing += missing.len();
            let key = (taken.files.clone(), exercise.clone());
            planned.insert(key, (!missing.is_empty()).then_some(plan.tasks.len()));
            if !missing.is_empty() {
                let in_conflict = |name: &String| {
                    let case = keyed.keys.get(name).cloned().unwrap_or_default();
                    conflicts.contains(&VerdictKey { files: taken.files.clone(), case, judge: judge.clone() })
                };
                let conflict = missing.iter().any(|case| in_conflict(&case.name));
                let path = folder.submissions().join(&taken.folder);
                plan.tasks.push(PlannedTask {
                    task: GradeTask {
                        name: taken.files,
                        path,
                        chosen: taken.chosen,
                        known: without_findings(known),
                        repeat: scope.gradings,
                    },
                    students: vec![taken.student],
                    exercise,
                    judge: judge.clone(),
                    missing: missing.len(),
                    conflict,
                    again,
                });
            }
        }
        Ok(plan)
    }
}

/// The meaning of a submission's files in the class, where they are not those that were taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangedFiles {
    /// The files take the place of those that were taken in.
    Count,
    /// Nothing: other machines know only what was taken in.
    Wait,
}

/// The students whose submission that counts is not in the class as it was taken in.
#[derive(Debug, Default)]
pub(super) struct ChangedStudents {
    /// The students whose files are others.
    pub(super) edited: Vec<String>,
    /// The students whose folder is gone or empty, or cannot be read.
    pub(super) lost: Vec<String>,
}

/// Reads again the submissions that were read for other exercises than these, or by another keur, and those
/// that count, are in `has` and whose files were changed since they were taken in.
///
/// # Errors
/// The database cannot be read or written.
pub(super) fn read_again(
    folder: &ClassFolder,
    store: &Store,
    cases: &ClassCases,
    has: &dyn Fn(&str) -> bool,
    changed: ChangedFiles,
) -> Result<ChangedStudents, ClassError> {
    let exercises = cases.candidates();
    let with = read_with(&exercises);
    let counting: BTreeMap<String, u32> =
        store.latest()?.into_iter().map(|taken| (taken.student, taken.attempt)).collect();
    let mut students = ChangedStudents::default();
    let mut read_now = Vec::new();
    for mut taken in store.taken()? {
        let path = folder.submissions().join(&taken.folder);
        let counts = counting.get(&taken.student) == Some(&taken.attempt) && has(&taken.files);
        let empty = is_empty(&path);
        let had_files = taken.problem.is_none() || taken.files != no_files_digest(&taken.student);
        // A folder that is gone or cannot be read for a moment says nothing of the submission.
        if fs::read_dir(&path).is_err() || (empty && had_files) {
            if counts && had_files {
                students.lost.push(taken.student);
            }
            continue;
        }
        // Files that cannot be read or are gone were not edited: grading them says so.
        let files = if counts && !empty { read_submission_digest(&taken, &path).ok() } else { None };
        let new = files.filter(|files| *files != taken.files);
        if new.is_some() {
            students.edited.push(taken.student.clone());
        }
        let new = new.filter(|_| changed == ChangedFiles::Count);
        if new.is_none() && taken.read_with == with {
            continue;
        }
        // What could not be unpacked has no files to read.
        if empty {
            taken.read_with.clone_from(&with);
        } else {
            read(&path, &exercises, taken.chosen.as_deref()).put(&mut taken, &exercises);
        }
        if let Some(new) = new {
            taken.files = new;
        }
        read_now.push(taken);
    }
    if !read_now.is_empty() {
        store.put_taken(&read_now)?;
    }
    Ok(students)
}

/// The outcomes of cases, as far as grading the others needs them: findings take memory.
fn without_findings(known: KnownCases) -> KnownCases {
    let bare = known.into_iter().map(|(name, known)| match known {
        KnownCase::Graded(mut outcome) => {
            outcome.finding = None;
            (name, KnownCase::Graded(outcome))
        }
        KnownCase::NotCounted => (name, KnownCase::NotCounted),
    });
    bare.collect()
}

/// The error for a class of which nobody has said what grades a language.
pub(super) fn no_judge(folder: &ClassFolder, language: &str) -> ClassError {
    let shown = folder.path().display();
    let help = "which settles that for all machines";
    Fault::new(format!(
        "{shown}: the class does not yet say what grades {language}; run `keur class init {shown}` once, {help}"
    ))
    .into()
}
