//! What a run has to do: the cases of submissions that have no verdict yet.

use super::cases::{ClassCases, KeyedExercise};
use super::data::{Taken, VerdictKey};
use super::error::ClassError;
use super::folder::ClassFolder;
use super::reading::{read, read_with};
use super::store::Store;
use crate::grade::{CaseAssembly, KnownCase, KnownCases, Settings};
use crate::run::GradeTask;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a run has to do. Submissions with the same files are one.
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
    /// The students with a submission in a language that their exercise does not ask for and nothing here grades, by language.
    pub ungraded: BTreeMap<String, Vec<String>>,
    /// The number of cases that are known.
    pub known: usize,
    /// The number of cases that are not.
    pub missing: usize,
}

/// A submission that lacks verdicts.
#[derive(Debug)]
pub struct PlannedTask {
    /// What to grade; its name is the digest of its files.
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
}

impl ClassPlan {
    /// Plans a run of the submissions that count and that `wanted` takes, by the digest of their files.
    ///
    /// # Errors
    /// The database cannot be read, or a language has no judge yet.
    pub fn new(
        (folder, store): (&ClassFolder, &Store),
        cases: &ClassCases,
        settings: &Settings,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<ClassPlan, ClassError> {
        let judges: BTreeMap<String, String> =
            store.judges()?.into_iter().map(|judge| (judge.language, judge.key)).collect();
        let conflicts: BTreeSet<VerdictKey> = store
            .conflicts()?
            .into_iter()
            .filter(|conflict| conflict.settled.is_none())
            .map(|it| it.key)
            .collect();
        let assemblies: BTreeMap<&str, (&KeyedExercise, CaseAssembly<'_>)> = cases
            .exercises()
            .iter()
            .map(|keyed| {
                let assembly = CaseAssembly::new(&keyed.loaded, settings);
                (keyed.loaded.exercise.name.as_str(), (keyed, assembly))
            })
            .collect();
        let mut plan = ClassPlan::default();
        let mut planned: BTreeMap<(String, String), Option<usize>> = BTreeMap::new();
        for taken in store.latest()?.into_iter().filter(|taken| wanted(&taken.files)) {
            let answered = taken.exercise.as_deref().and_then(|name| assemblies.get(name));
            let (Some((keyed, assembly)), Some(language), None) = (answered, &taken.language, &taken.problem)
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
            let known = keyed.known(&store.verdicts(&taken.files)?, judge)?;
            let missing = assembly.missing(&known);
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
                        repeat: 1,
                    },
                    students: vec![taken.student],
                    exercise,
                    judge: judge.clone(),
                    missing: missing.len(),
                    conflict,
                });
            }
        }
        Ok(plan)
    }
}

/// Reads again the submissions that were read for other exercises than these, or by another keur.
///
/// # Errors
/// The database cannot be read or written.
pub(super) fn read_again(folder: &ClassFolder, store: &Store, cases: &ClassCases) -> Result<(), ClassError> {
    let exercises = cases.described();
    let with = read_with(&exercises);
    let outdated = store.taken()?.into_iter().filter(|taken| taken.read_with != with);
    let read: Vec<Taken> = outdated
        .map(|mut taken| {
            let path = folder.submissions().join(&taken.folder);
            // What could not be unpacked has no files to read.
            let empty = fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none());
            if empty && taken.problem.is_some() {
                taken.read_with.clone_from(&with);
            } else {
                read(&path, &exercises, taken.chosen.as_deref()).put(&mut taken, &exercises);
            }
            taken
        })
        .collect();
    if !read.is_empty() {
        store.put_taken(&read)?;
    }
    Ok(())
}

/// What is known of cases, as far as grading the others needs it: findings take memory.
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
    ClassError::Fault(format!(
        "{shown}: the class does not yet say what grades {language}; run `keur class init {shown}` once, which settles that \
         for all machines"
    ))
}
