//! Pins a worker, and all that it starts, to a processor core.
//!
//! A worker and the process that it speaks with take turns, and on one core a turn costs less than between
//! two (`docs/performance.md`).

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::sync::LazyLock;

/// The cores that this process was given. They must be read here first, before any thread is pinned to one of
/// them.
static CORES: LazyLock<Option<CpuSet>> = LazyLock::new(|| sched_getaffinity(None).ok());

/// Pins this thread, which is worker `worker` (from 0) of `workers`, and what it starts, to one core; with
/// fewer workers than cores it is not pinned.
pub fn keep_to_core(worker: usize, workers: usize) {
    let Some(all) = &*CORES else { return };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|core| all.is_set(*core)).collect();
    if cores.is_empty() || workers < cores.len() {
        return;
    }
    let mut own = CpuSet::new();
    own.set(cores[worker % cores.len()]);
    // If pinning is not allowed, everything still works, but more slowly.
    let _ = sched_setaffinity(None, &own);
}

/// Whether this thread, and what it starts, may use more than one core.
pub(super) fn is_free() -> bool {
    sched_getaffinity(None).map_or(true, |own| own.count() > 1)
}

/// Starts a process that may use every core, however this thread is pinned: one that does not take turns.
pub(super) fn on_every_core<T>(start: impl FnOnce() -> T) -> T {
    let (Some(all), Ok(own)) = (&*CORES, sched_getaffinity(None)) else { return start() };
    let _ = sched_setaffinity(None, all);
    let started = start();
    let _ = sched_setaffinity(None, &own);
    started
}

#[cfg(test)]
mod tests {
    use super::{CORES, is_free, keep_to_core, on_every_core};
    use rustix::thread::{CpuSet, sched_getaffinity};

    #[test]
    fn workers_keep_to_a_core_each_where_there_are_enough_of_them() {
        let all = CORES.unwrap();
        let count = all.count() as usize;
        let kept = |worker, workers| {
            let thread = std::thread::spawn(move || {
                keep_to_core(worker, workers);
                assert_eq!(is_free(), sched_getaffinity(None).unwrap().count() > 1);
                let compiler = on_every_core(|| sched_getaffinity(None).unwrap());
                assert_eq!(compiler, CORES.unwrap());
                sched_getaffinity(None).unwrap()
            });
            thread.join().unwrap()
        };
        let each: Vec<CpuSet> = (0..count).map(|worker| kept(worker, count)).collect();
        assert!(each.iter().all(|own| own.count() == 1));
        let together = (0..CpuSet::MAX_CPU).filter(|core| each.iter().any(|own| own.is_set(*core))).count();
        assert_eq!(together, count);
        assert_eq!(kept(count, count + 1), each[0]);
        assert_eq!(kept(0, count - 1), if count == 1 { each[0] } else { all });
    }
}
