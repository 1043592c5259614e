//! What one worker starts processes with.

use crate::adapter::Launcher;
use crate::languages::Engine;
use std::path::Path;

/// The launchers of one worker, whose interpreters run on from one submission to the next.
pub struct Worker {
    /// Starts the submissions in their first grading.
    pub(super) first: Launcher,
    /// Start the submissions in their further gradings, each with a seed of its own.
    pub(super) others: Vec<Launcher>,
    /// Starts the exercise's own reference and checks, in processes that no submission runs in. Its seed is
    /// always the same.
    pub(super) trusted: Launcher,
}

impl Worker {
    /// A worker that starts submissions with `launcher`; the seeds of further gradings follow its own.
    pub fn new(launcher: Launcher) -> Worker {
        let trusted = launcher.with_seed(0);
        Worker { first: launcher, others: Vec::new(), trusted }
    }

    /// The launcher of the first grading.
    pub fn launcher(&mut self) -> &mut Launcher {
        &mut self.first
    }

    /// Sets whether another submission follows the next one.
    pub fn expect_more(&mut self, more: bool) {
        self.launchers().for_each(|launcher| launcher.expect_more(more));
    }

    /// Starts what `gradings` gradings of a submission on `engine` will need, without waiting.
    pub fn prepare(&mut self, gradings: u32, engine: &'static Engine, program: &Path) {
        self.provide(gradings);
        let launchers = self.launchers().take(gradings as usize);
        launchers.for_each(|launcher| launcher.prepare(engine, program));
    }

    /// Adds the launchers that so many gradings of a submission lack.
    pub(super) fn provide(&mut self, gradings: u32) {
        let missing = (1..gradings).skip(self.others.len());
        let launchers = missing.map(|further| self.first.with_seed(self.first.seed() + further));
        self.others.extend(launchers);
    }

    fn launchers(&mut self) -> impl Iterator<Item = &mut Launcher> {
        std::iter::once(&mut self.first).chain(&mut self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::Worker;
    use crate::adapter::Launcher;
    use crate::sandbox::Tier;

    #[test]
    fn each_grading_has_a_seed_of_its_own_and_trusted_programs_have_always_the_same() {
        let mut worker = Worker::new(Launcher::new(Tier::Portable, 5));
        for gradings in [1, 3, 2] {
            worker.provide(gradings);
        }
        assert_eq!(worker.launchers().map(|launcher| launcher.seed()).collect::<Vec<_>>(), [5, 6, 7]);
        assert_eq!(worker.trusted.seed(), 0);
    }
}
