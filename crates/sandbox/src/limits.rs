//! Limits on what a program may use.

use std::time::Duration;

/// Limits on one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processor time. This limit decides, so that a busy machine fails nobody.
    pub cpu: Duration,
    /// Wall-clock time, for programs that wait instead of working.
    pub wall: Duration,
    /// Memory, in bytes.
    pub memory: u64,
    /// Output, in bytes.
    pub output: u64,
}

impl Limits {
    /// Limits that nothing reasonable reaches, for a process that only starts others.
    #[cfg(target_os = "linux")]
    pub(super) fn boundless() -> Limits {
        let time = Duration::from_secs(u64::from(u32::MAX));
        Limits { cpu: time, wall: time, memory: 1 << 40, output: u64::from(u32::MAX) }
    }
}

impl Default for Limits {
    /// One second of processor time, five of wall-clock time, 256 MB of memory, 64 KB of output.
    fn default() -> Limits {
        Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(5),
            memory: 256 << 20,
            output: 64 << 10,
        }
    }
}
