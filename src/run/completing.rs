//! Grades what is not yet known of many submissions.

use super::{Run, SEED};
use keur_core::adapter::Hosts;
use keur_core::event::RunError;
use keur_core::grade::{GradedCases, Grader, KnownCases};
#[cfg(target_os = "linux")]
use std::iter::Peekable;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};

/// A submission, some of whose cases are known.
#[derive(Clone, Debug)]
pub struct GradeTask {
    /// Its name.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// The file in it that an instructor chose.
    pub chosen: Option<String>,
    /// What is known of its cases, which is not graded again, but for what passed quickly if that counts no more.
    pub known: KnownCases,
    /// How often it is graded at least; the request may ask for more.
    pub repeat: u32,
}

/// A submission whose cases were graded as far as they were not known.
#[derive(Clone, Debug)]
pub struct CompletedTask {
    /// Its name.
    pub name: String,
    /// What is new, or why it cannot be graded.
    pub graded: Result<GradedCases, RunError>,
}

impl Run {
    /// Grades what is not known of each task, on the requested number of workers. A task is taken when a worker is free for
    /// it; `tell` hears of each when it is done, on this thread. The submissions of the request are not looked at.
    ///
    /// Once the run is cancelled, no task is taken, and those that are being graded are not reported.
    pub fn complete(
        &self,
        tasks: impl Iterator<Item = GradeTask> + Send,
        tell: &mut dyn FnMut(CompletedTask),
    ) {
        let workers = self.request.jobs.max(1);
        let tasks = Mutex::new(tasks.peekable());
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (sender, tasks) = (sender.clone(), &tasks);
                scope.spawn(move || {
                    #[cfg(target_os = "linux")]
                    keur_sandbox::keep_to_core(worker, workers);
                    #[cfg(not(target_os = "linux"))]
                    let _ = worker;
                    self.work_on(tasks, &sender);
                });
            }
            drop(sender);
            receiver.into_iter().for_each(tell);
        });
    }

    /// Completes one task after the other until none is left.
    fn work_on<T: Iterator<Item = GradeTask>>(
        &self,
        tasks: &Mutex<Peekable<T>>,
        sender: &mpsc::Sender<CompletedTask>,
    ) {
        let cancel = &self.request.cancel;
        let mut hosts = self.hosts();
        while !cancel.is_cancelled() {
            let (task, more) = {
                let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                (tasks.next(), tasks.peek().is_some())
            };
            let Some(task) = task else { break };
            let repeat = self.request.repeat.max(task.repeat);
            hosts.extend((SEED..SEED + repeat).skip(hosts.len()).map(|seed| self.host(seed)));
            let hosts = hosts.get_mut(..repeat as usize).unwrap_or_default();
            hosts.iter_mut().for_each(|hosts| hosts.expect_more(more));
            let graded = self.completed(hosts, &task);
            // A cancelled grading is not a result.
            if cancel.is_cancelled() || sender.send(CompletedTask { name: task.name, graded }).is_err() {
                break;
            }
        }
    }

    fn completed(&self, hosts: &mut [Hosts], task: &GradeTask) -> Result<GradedCases, RunError> {
        self.prepare(hosts, &task.path);
        let (loaded, submission) = self.open(&task.path, task.chosen.as_deref())?;
        Grader::new(&loaded, &self.request.settings, &self.request.interpreters)
            .with_references(&self.references)
            .complete(hosts, (&task.name, &submission), &task.known)
            .map_err(RunError::from)
    }
}
