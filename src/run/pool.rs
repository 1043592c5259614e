//! The pool of workers that a run has for its submissions.

use super::{Run, SEED};
use keur_core::adapter::Launcher;
use std::iter::Peekable;
use std::sync::{Mutex, PoisonError, mpsc};

/// A worker, with the interpreters that it keeps running.
pub(super) struct Worker<'r> {
    run: &'r Run,
    /// One for each time that a submission was graded.
    launchers: Vec<Launcher>,
    /// Whether tasks are left after this one.
    more: bool,
}

impl Worker<'_> {
    /// A launcher for each of the `repeat` gradings of a submission.
    pub(super) fn launchers(&mut self, repeat: u32) -> &mut [Launcher] {
        let missing = (SEED..SEED + repeat).skip(self.launchers.len());
        self.launchers.extend(missing.map(|seed| self.run.launcher(seed)));
        let launchers = self.launchers.get_mut(..repeat as usize).unwrap_or_default();
        launchers.iter_mut().for_each(|launcher| launcher.expect_more(self.more));
        launchers
    }
}

/// Grades a task with a worker. What it passes to the function is received before what it returns.
type PoolWork<'g, T, U> = dyn Fn(&mut Worker<'_>, T, &dyn Fn(U)) -> U + Sync + 'g;

impl Run {
    /// Has each task graded by the next free one of so many workers. A task is taken when a worker is free for it.
    ///
    /// `take` receives on this thread what `grade` gives. Once the run is cancelled, no task is taken, and what is still being graded is
    /// not passed on.
    pub(super) fn pool<T: Send, U: Send>(
        &self,
        workers: usize,
        tasks: impl Iterator<Item = T> + Send,
        grade: &PoolWork<'_, T, U>,
        take: impl FnMut(U),
    ) {
        let tasks = Mutex::new(tasks.peekable());
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (sender, tasks) = (sender.clone(), &tasks);
                scope.spawn(move || {
                    keur_sandbox::keep_to_core(worker, workers);
                    self.work(tasks, grade, &sender);
                });
            }
            drop(sender);
            receiver.into_iter().for_each(take);
        });
    }

    /// Grades one task after the other until none is left.
    fn work<T, U>(
        &self,
        tasks: &Mutex<Peekable<impl Iterator<Item = T>>>,
        grade: &PoolWork<'_, T, U>,
        sender: &mpsc::Sender<U>,
    ) {
        let cancel = &self.request.cancel;
        let mut worker = Worker { run: self, launchers: Vec::new(), more: false };
        while !cancel.is_cancelled() {
            let task = {
                let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                let task = tasks.next();
                worker.more = tasks.peek().is_some();
                task
            };
            let Some(task) = task else { break };
            // The receiver lives until the last worker ends.
            let graded = grade(&mut worker, task, &|update| drop(sender.send(update)));
            // A cancelled grading is not a result.
            if cancel.is_cancelled() || sender.send(graded).is_err() {
                break;
            }
        }
    }
}
