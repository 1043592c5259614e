//! Grades what is not yet known of many submissions.

use super::Run;
use keur_core::event::RunError;
use keur_core::grade::{GradedCases, Grader, Worker};
use keur_core::judge::KnownCases;
use std::path::PathBuf;

/// A submission, some of whose cases are known.
#[derive(Clone, Debug)]
pub struct GradeTask {
    /// The name in reports.
    pub name: String,
    /// The path of the submission.
    pub path: PathBuf,
    /// The file in it that an instructor chose.
    pub chosen: Option<String>,
    /// The known outcomes of the cases, which are not graded again, but for what passed quickly if that
    /// counts no more.
    pub known: KnownCases,
    /// The least number of gradings; the request may ask for more.
    pub repeat: u32,
}

/// A submission whose cases were graded as far as they were not known.
#[derive(Clone, Debug)]
pub struct CompletedTask {
    /// The name in reports.
    pub name: String,
    /// The new outcomes, or the reason why there are none.
    pub graded: Result<GradedCases, RunError>,
}

impl Run {
    /// Grades what is not known of each task, on the requested number of workers. A task is taken when a
    /// worker is free for it; `tell` hears of each when it is done, on this thread. The submissions of the
    /// request are not looked at.
    ///
    /// Once the run is cancelled, no task is taken, and those that are being graded are not reported.
    #[doc(hidden)]
    pub fn complete(
        &self,
        tasks: impl Iterator<Item = GradeTask> + Send,
        tell: &mut dyn FnMut(CompletedTask),
    ) {
        self.pool(
            self.request.jobs.max(1),
            tasks,
            &|worker, task: GradeTask, _| CompletedTask {
                graded: self.completed(worker, &task),
                name: task.name,
            },
            tell,
        );
    }

    fn completed(&self, worker: &mut Worker, task: &GradeTask) -> Result<GradedCases, RunError> {
        let gradings = self.request.repeat.max(task.repeat);
        self.prepare(worker, gradings, &task.path);
        let (loaded, submission) = self.open(&task.path, task.chosen.as_deref())?;
        Grader::new(&loaded, &self.request.settings, &self.request.interpreters)
            .with_references(&self.references)
            .repeated(gradings)
            .complete(worker, &submission, &task.known)
            .map_err(RunError::from)
    }
}
