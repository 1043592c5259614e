//! What one run of a program may use, and what it has used.

use super::Limits;
use super::clock::Instant;
use std::time::Duration;

/// The limits of one run, and what it has used.
pub(super) struct Meter {
    pub(super) limits: Limits,
    pub(super) began: Instant,
    /// Processor time that the process had used when the run began.
    pub(super) cpu_before: Duration,
    /// Time that it had waited for a processor by then.
    pub(super) delay_before: Duration,
    /// Time in which keur did not get to check on it: a machine that keeps keur from running keeps it too.
    pub(super) unwatched: Duration,
    /// Whether it was found suspended, by a signal that stops a process.
    pub(super) was_suspended: bool,
}

impl Meter {
    /// Begins a run of a process that has used this processor time, and waited this long for a processor.
    pub(super) fn begin(limits: &Limits, cpu: Duration, delay: Duration) -> Meter {
        Meter {
            limits: limits.clone(),
            began: Instant::now(),
            cpu_before: cpu,
            delay_before: delay,
            unwatched: Duration::ZERO,
            was_suspended: false,
        }
    }

    /// Wall-clock time of the run that counts.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.unwatched)
    }
}
