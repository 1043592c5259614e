//! A run of a class: grades what its plan lacks, and stores each verdict as soon as it is known.

use super::cases::ClassCases;
use super::data::{Attempt, KeptVerdict, Taken, VerdictKey};
use super::error::ClassError;
use super::folder::{ClassFolder, is_empty};
use super::intake::read_submission_digest;
use super::judge::{freeze, replace};
use super::machine::{attempt_id, host, now};
use super::plan::{ChangedFiles, ChangedStudents, ClassPlan, PlanScope, PlannedTask, no_judge, read_again};
use super::reading::problem_stored;
use super::store::{KeptCount, Store, StoreError, VERDICTS};
use crate::run::{CompletedTask, GradeRequest, GradeTask, Run};
use keur_core::adapter::Fault;
use keur_core::event::RunError;
use keur_core::judge::{GradeError, KnownCase, KnownCases};
use keur_core::messages::Lang;
use keur_sandbox::Cancel;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::mem;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long to gather verdicts before they are stored together: waiting for the disk takes longer than
/// grading a submission that passes.
const GATHERING: Duration = Duration::from_millis(100);

/// How often a submission is graded on which earlier gradings differ, unless more is asked for.
const SETTLING: u32 = 3;

/// A run of a class that is ready to start.
pub struct ClassRun {
    store: Store,
    request: GradeRequest,
    cases: ClassCases,
    plan: ClassPlan,
    settles: bool,
    attempt: Attempt,
    changed: Vec<String>,
    lost: Vec<String>,
    damaged: Vec<String>,
}

/// A part of a class.
pub struct ShardOption<'a> {
    /// The name of the part, such as `2/8`.
    pub name: String,
    /// Whether the part has the submission whose files have this digest.
    pub has: &'a dyn Fn(&str) -> bool,
}

/// The submissions that a run grades, and the way it does so.
#[derive(Default)]
pub struct RunOptions<'a> {
    /// The language of titles in the database; that of the exercise by default.
    pub lang: Option<Lang>,
    /// Whether this machine's interpreters take the place of those of the class.
    pub new_judge: bool,
    /// The part of the class that is graded; all by default.
    pub shard: Option<ShardOption<'a>>,
    /// The students whose submissions are graded again, whatever is stored of them.
    pub again: Vec<String>,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct GradedClass {
    /// The number of submissions that were graded.
    pub submissions: usize,
    /// The number of their cases that were run and count.
    pub cases: usize,
    /// The number of their cases that count as not run: they need one that failed, or come after a limit.
    pub not_run: usize,
    /// The number of cases on which this run and an earlier one differ.
    pub conflicts: usize,
    /// The submissions that could not be graded: their students, and why.
    pub failed: Vec<(Vec<String>, RunError)>,
    /// The number of submissions that were not graded, because the run was cancelled; those with the same
    /// files all count.
    pub left: usize,
}

impl ClassRun {
    /// Prepares a run of the class in `folder` as the request says. The caller may write the class, and its
    /// store is open for that.
    ///
    /// # Errors
    /// The database cannot be used, the exercises have errors, or this machine would grade otherwise than the
    /// class was begun.
    pub fn prepare(
        folder: &ClassFolder,
        store: Store,
        request: GradeRequest,
        options: &RunOptions<'_>,
    ) -> Result<ClassRun, ClassError> {
        let cases = ClassCases::load(&request)?;
        let all = |_: &str| true;
        let has = options.shard.as_ref().map_or(&all as &dyn Fn(&str) -> bool, |shard| shard.has);
        let of_changed = if options.shard.is_some() { ChangedFiles::Wait } else { ChangedFiles::Count };
        let ChangedStudents { edited: changed, mut lost } =
            read_again(folder, &store, &cases, has, of_changed)?;
        if options.new_judge {
            replace(&store, &request, &cases.loaded())?;
        } else {
            let judges = store.judges()?;
            freeze(&store, &request, &cases.loaded())?;
            // What a machine freezes for its shard, the others do not know.
            let new = store.judges()?.into_iter().find(|judge| !judges.contains(judge));
            if let Some(new) = new.filter(|_| options.shard.is_some()) {
                return Err(no_judge(folder, &new.language));
            }
        }
        let rows = cases.rows(&request.settings, options.lang);
        // If they are damaged, they are written again.
        if store.cases().ok().as_ref() != Some(&rows) {
            store.put_cases(&rows)?;
        }
        let left_out = if of_changed == ChangedFiles::Wait { changed.as_slice() } else { &[] };
        let damaged = match store.check_rows() {
            Err(StoreError::DamagedRows { table: VERDICTS, .. }) => store.forget_damaged_verdicts()?,
            checked => checked.map(|()| Vec::new())?,
        };
        let scope = PlanScope { has, left_out, again: &options.again, gradings: request.repeat };
        let plan = ClassPlan::new(folder, &store, &cases, &request.settings, &scope)?;
        // Of those that are still to be graded, grading says so.
        let planned: BTreeSet<&String> = plan.tasks.iter().flat_map(|task| &task.students).collect();
        lost.retain(|student| !planned.contains(student));
        let started = now();
        let shard = options.shard.as_ref().map(|shard| shard.name.clone());
        let attempt = Attempt { id: attempt_id(started), host: host(), shard, started, finished: None };
        let settles = options.shard.is_none();
        Ok(ClassRun { store, request, cases, plan, settles, attempt, changed, lost, damaged })
    }

    pub fn plan(&self) -> &ClassPlan {
        &self.plan
    }

    /// The students whose files in the class are not those that were taken in: the run grades what is there
    /// now, but for a run of a shard, which leaves them out.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// The students who need no grading, but whose folder in the class is gone or empty, or cannot be read.
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// The students of whose verdicts some were damaged in the database and are forgotten. Those that count
    /// are graded again.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// The name of this run.
    pub fn attempt(&self) -> &str {
        &self.attempt.id
    }

    /// Grades what the plan lacks. `tell` hears of each submission when it is graded, and `stored` each time
    /// that verdicts were stored.
    ///
    /// # Errors
    /// The verdicts cannot be stored, or this machine cannot confine submissions. What was stored stays.
    pub fn grade(
        self,
        tell: &mut dyn FnMut(),
        stored: &mut (dyn FnMut() + Send),
    ) -> Result<GradedClass, ClassError> {
        let ClassRun { store, request, cases, plan, settles, mut attempt, .. } = self;
        let left = plan.tasks.iter().map(|task| task.students.len()).sum();
        let mut done = GradedClass { left, ..GradedClass::default() };
        if done.left == 0 {
            return Ok(done);
        }
        let cancel = request.cancel.clone();
        let run = Run::new(request)?;
        store.put_attempt(&attempt)?;
        let (tasks, mut planned) = taken_apart(plan, settles);
        let mut unreadable = Vec::new();
        let (sender, receiver) = mpsc::channel();
        let (store, written) = thread::scope(|scope| {
            let writer = scope.spawn(move || {
                let written = write(&store, &receiver, &cancel, stored);
                if written.is_err() {
                    cancel.cancel();
                }
                (store, written)
            });
            run.complete(tasks.into_iter(), &mut |CompletedTask { name, graded }| {
                let Some(task) = planned.remove(&name) else { return };
                done.left -= task.students.len();
                // What was removed or changed meanwhile is not what the students handed in.
                let graded = match not_as_taken_in(&task) {
                    Some(why) => Err(RunError::Fault(Fault::new(why))),
                    None => graded,
                };
                match graded {
                    Ok(graded) => {
                        let verdicts = rows(&cases, &task, &name, &attempt.id, &graded.added);
                        let new = graded.new;
                        let not_run = task.missing.saturating_sub(new + graded.killed.len());
                        if !graded.killed.is_empty() {
                            let error = GradeError::Killed(graded.killed.len());
                            done.failed.push((task.students.clone(), error.into()));
                        }
                        done.submissions += 1;
                        done.cases += new;
                        done.not_run += not_run;
                        let settles = task.conflict && settles;
                        let students = task.students.len();
                        // The writer ends early only after a failure, which is reported.
                        let again = task.again;
                        let _ = sender.send(Graded { verdicts, new, settles, again, students, not_run });
                    }
                    Err(RunError::Nothing(problem)) => unreadable.push((name, problem_stored(&problem))),
                    Err(error) => done.failed.push((task.students, error)),
                }
                tell();
            });
            drop(sender);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let (conflicts, lost) = written?;
        done.conflicts = conflicts;
        for lost in lost {
            done.left += lost.students;
            done.submissions -= 1;
            done.cases -= lost.new;
            done.not_run -= lost.not_run;
        }
        store.together(|| {
            note(&store, &unreadable)?;
            attempt.finished = Some(now());
            store.put_attempt(&attempt)
        })?;
        Ok(done)
    }
}

/// Why the files of a submission that was just graded are not those that were taken in; `None` if they are.
fn not_as_taken_in(planned: &PlannedTask) -> Option<String> {
    let GradeTask { name, path, chosen, .. } = &planned.task;
    let student = planned.students.first().cloned().unwrap_or_default();
    let taken = Taken { student, chosen: chosen.clone(), ..Taken::default() };
    let shown = path.display();
    let removed = || {
        Some(format!(
            "{shown}: was removed; put it back, or give the download to `keur class init` again, and then the same command"
        ))
    };
    match read_submission_digest(&taken, path) {
        Ok(files) if files == *name => None,
        Ok(_) if is_empty(path) => removed(),
        Ok(_) => Some(format!(
            "{shown}: the files were changed while they were graded; the same command grades them as they are now"
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => removed(),
        Err(error) => Some(format!("{shown}: cannot be read: {error}")),
    }
}

/// The tasks of a plan for grading, and the rest of each, by the digest of its files.
fn taken_apart(plan: ClassPlan, settles: bool) -> (Vec<GradeTask>, BTreeMap<String, PlannedTask>) {
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    let mut planned = BTreeMap::new();
    for mut entry in plan.tasks {
        if entry.conflict && settles {
            entry.task.repeat = entry.task.repeat.max(SETTLING);
        }
        let known = mem::take(&mut entry.task.known);
        tasks.push(GradeTask { known, ..entry.task.clone() });
        planned.insert(entry.task.name.clone(), entry);
    }
    (tasks, planned)
}

/// The verdicts of a submission, to be stored.
struct Graded {
    verdicts: Vec<KeptVerdict>,
    /// The number of those of cases that were not known.
    new: usize,
    /// Whether they settle what earlier gradings said.
    settles: bool,
    /// Whether they take the place of all that is stored of these files.
    again: bool,
    /// The number of students who handed it in.
    students: usize,
    /// The number of its cases that were not run.
    not_run: usize,
}

/// The rows of what was graded of a submission with these files, in this run.
fn rows(
    cases: &ClassCases,
    planned: &PlannedTask,
    files: &str,
    attempt: &str,
    known: &KnownCases,
) -> Vec<KeptVerdict> {
    let Some(keyed) = cases.exercise(&planned.exercise) else { return Vec::new() };
    let rows = keyed.loaded.cases.iter().filter_map(|case| {
        let known = known.get(&case.name)?;
        let share = match known {
            KnownCase::Graded(outcome) => outcome.share(case),
            KnownCase::NotCounted => 0.0,
        };
        let key = keyed.keys.get(&case.name)?.clone();
        Some(KeptVerdict {
            key: VerdictKey { files: files.to_owned(), case: key, judge: planned.judge.clone() },
            verdict: known.verdict_name().to_owned(),
            share,
            outcome: known.to_stored(),
            gradings: planned.task.repeat,
            attempt: attempt.to_owned(),
        })
    });
    rows.collect()
}

/// Stores what comes, as soon as it comes, and returns the number of conflicts, and what was not stored. What
/// comes while the disk is awaited is stored together.
///
/// A signal that ends keur may end submissions too, a moment before keur hears of it: what was graded so
/// shortly before is not stored, and graded again in the next run.
fn write(
    store: &Store,
    graded: &Receiver<Graded>,
    cancel: &Cancel,
    stored: &mut (dyn FnMut() + Send),
) -> Result<(usize, Vec<Graded>), StoreError> {
    let mut conflicts = 0;
    while let Ok(first) = graded.recv() {
        let mut batch = vec![first];
        let until = Instant::now() + GATHERING;
        while let Ok(next) = graded.recv_timeout(until.saturating_duration_since(Instant::now())) {
            batch.push(next);
        }
        if cancel.is_cancelled() {
            batch.extend(graded.iter());
            return Ok((conflicts, batch));
        }
        store.together(|| {
            batch.iter().try_for_each(|Graded { verdicts, settles, again, .. }| {
                if let Some(first) = verdicts.first().filter(|_| *again) {
                    store.forget(&first.key.files)?;
                }
                if *settles {
                    store.settle(verdicts)
                } else {
                    store.keep(verdicts).map(|KeptCount { conflicts: more, .. }| conflicts += more)
                }
            })
        })?;
        stored();
    }
    Ok((conflicts, Vec::new()))
}

/// Takes note of submissions that turned out to have nothing to grade: the digest of their files, and the
/// problem.
fn note(store: &Store, unreadable: &[(String, String)]) -> Result<(), StoreError> {
    if unreadable.is_empty() {
        return Ok(());
    }
    let mut taken = store.taken()?;
    taken.retain_mut(|taken| match unreadable.iter().find(|(files, _)| *files == taken.files) {
        Some((_, problem)) => {
            taken.problem = Some(problem.clone());
            true
        }
        None => false,
    });
    store.put_taken(&taken)
}

#[cfg(test)]
mod tests {
    use super::{Graded, write};
    use crate::class::data::{KeptVerdict, VerdictKey};
    use crate::class::store::Store;
    use keur_sandbox::Cancel;
    use std::sync::mpsc;

    /// The verdicts that are stored of two submissions, and those that are not.
    fn written(cancel: &Cancel) -> (usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create_at(&folder.path().join("class.db")).unwrap();
        let (sender, receiver) = mpsc::channel();
        for files in ["a", "b"] {
            let key = VerdictKey { files: files.to_owned(), case: "c".to_owned(), judge: "j".to_owned() };
            let verdict = KeptVerdict {
                key,
                verdict: "crashed".to_owned(),
                share: 0.0,
                outcome: None,
                gradings: 1,
                attempt: "run".to_owned(),
            };
            sender
                .send(Graded {
                    verdicts: vec![verdict],
                    new: 1,
                    settles: false,
                    again: false,
                    students: 1,
                    not_run: 0,
                })
                .unwrap();
        }
        drop(sender);
        let (_, lost) = write(&store, &receiver, cancel, &mut || {}).unwrap();
        let stored = ["a", "b"].map(|files| store.verdicts(files).unwrap().len());
        (stored.iter().sum(), lost.len())
    }

    #[test]
    fn verdicts_are_not_stored_after_a_signal() {
        let cancel = Cancel::default();
        assert_eq!(written(&cancel), (2, 0));
        cancel.cancel();
        assert_eq!(written(&cancel), (0, 2));
    }
}
