//! What may be read of one submission: bytes, entries and time, over all its folders and zips together.

#[cfg(not(unix))]
use crate::sandbox::clock::Instant;
use crate::submission::FilesProblem;
#[cfg(not(unix))]
use std::sync::LazyLock;
use std::time::Duration;

/// The most entries of folders and zips that are listed.
const MOST_ENTRIES: usize = 20_000;

/// The most bytes that are read and unpacked, whatever they are: 64 MB of zips, 16 MB each of sources and
/// other files, and the rest for zips in them.
const MOST_BYTES: u64 = 128 << 20;

/// The most processor time. What the other limits allow takes a few seconds.
const MOST_TIME: Duration = Duration::from_secs(60);

/// The amounts that may still be read of a submission.
#[derive(Debug)]
pub struct ReadBudget {
    entries: usize,
    bytes: u64,
    /// The processor time of the thread when the time is up.
    deadline: Duration,
}

impl Default for ReadBudget {
    /// The budget of a submission, which this thread reads.
    fn default() -> ReadBudget {
        ReadBudget { entries: MOST_ENTRIES, bytes: MOST_BYTES, deadline: thread_time() + MOST_TIME }
    }
}

impl ReadBudget {
    /// A budget with fewer entries, for tests; its error still names the usual limit.
    pub fn of_entries(entries: usize) -> ReadBudget {
        ReadBudget { entries, ..ReadBudget::default() }
    }

    /// The bytes that were taken.
    pub fn taken_bytes(&self) -> u64 {
        MOST_BYTES - self.bytes
    }

    /// Takes one entry.
    pub fn take_entry(&mut self) -> Result<(), FilesProblem> {
        self.check_time()?;
        self.entries = self.entries.checked_sub(1).ok_or(FilesProblem::TooMany { most: MOST_ENTRIES })?;
        Ok(())
    }

    /// Takes bytes that are about to be read.
    pub fn take_bytes(&mut self, bytes: u64) -> Result<(), FilesProblem> {
        self.check_time()?;
        let rest = self.bytes.checked_sub(bytes);
        self.bytes = rest.ok_or(FilesProblem::TooLargeTogether { most: MOST_BYTES })?;
        Ok(())
    }

    /// Refuses to go on when the time is up.
    pub(crate) fn check_time(&self) -> Result<(), FilesProblem> {
        if thread_time() > self.deadline {
            return Err(FilesProblem::TooSlow { seconds: MOST_TIME.as_secs() });
        }
        Ok(())
    }
}

/// The processor time of this thread: a slow disk costs nothing.
#[cfg(unix)]
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// The time since the first call, where a thread does not know its processor time.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}

#[cfg(test)]
mod tests {
    use super::ReadBudget;
    use crate::submission::FilesProblem;
    use std::time::Duration;

    #[test]
    fn reading_beyond_the_budget_is_refused() {
        let mut budget = ReadBudget { entries: 1, bytes: 5, ..ReadBudget::default() };
        budget.take_entry().unwrap();
        assert_eq!(budget.take_entry(), Err(FilesProblem::TooMany { most: 20_000 }));
        budget.take_bytes(5).unwrap();
        assert_eq!(budget.take_bytes(1), Err(FilesProblem::TooLargeTogether { most: 128 << 20 }));
        budget.deadline = Duration::ZERO;
        let spent = (0..1_000_000).find_map(|_| budget.check_time().err());
        assert_eq!(spent, Some(FilesProblem::TooSlow { seconds: 60 }));
    }
}
