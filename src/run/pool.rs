//! The pool of workers that a run has for its submissions.

use super::Run;
use keur_core::grade::Worker;
use keur_sandbox::lock;
use std::iter::Peekable;
use std::sync::{Mutex, mpsc};

/// Grades a task with a worker. What it passes to the function is received before what it returns.
type PoolWork<'g, T, U> = dyn Fn(&mut Worker, T, &dyn Fn(U)) -> U + Sync + 'g;

impl Run {
    /// Has each task graded by the next free one of so many workers. A task is taken when a worker is free
    /// for it.
    ///
    /// `take` receives on this thread what `grade` gives. Once the run is cancelled, no task is taken, and
    /// what is still being graded is not passed on.
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

    /// Does something with each item, as many at once as the request has jobs; the results are in any order.
    pub(crate) fn each<T: Send, U: Send>(&self, items: Vec<T>, work: &(dyn Fn(T) -> U + Sync)) -> Vec<U> {
        let mut results = Vec::new();
        let workers = self.request.jobs.min(items.len()).max(1);
        self.pool(workers, items.into_iter(), &|_, item, _| work(item), |result| results.push(result));
        results
    }

    /// Grades one task after the other until none is left.
    fn work<T, U>(
        &self,
        tasks: &Mutex<Peekable<impl Iterator<Item = T>>>,
        grade: &PoolWork<'_, T, U>,
        sender: &mpsc::Sender<U>,
    ) {
        let cancel = &self.request.cancel;
        let mut worker = Worker::new(self.launcher());
        while !cancel.is_cancelled() {
            let task = {
                let mut tasks = lock(tasks);
                let task = tasks.next();
                worker.expect_more(tasks.peek().is_some());
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
