//! Limits on what a program may use.

use std::time::Duration;

/// Processor seconds above the limit of a program after which the kernel ends it, if keur has not done so.
#[cfg(unix)]
const KERNEL_MARGIN: u64 = 3;

/// Processor time above its limit from which a program that was killed counts as ended by the kernel: less than
/// [`KERNEL_MARGIN`], because the kernel counts whole seconds.
const KERNEL_ENDED: Duration = Duration::from_secs(1);

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
    /// Processor seconds after which the kernel ends a program, if keur has not done so.
    #[cfg(unix)]
    pub(super) fn kernel_cpu_seconds(&self) -> u64 {
        self.cpu.as_secs() + KERNEL_MARGIN
    }

    /// The processor time from which a killed program counts as ended by the kernel for it.
    pub(super) fn ended_by_kernel(&self) -> Duration {
        self.cpu + KERNEL_ENDED
    }

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
