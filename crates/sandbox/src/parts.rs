//! The parts of a running program, on any system, that a [`Process`](super::Process) controls.

use super::Exit;
use std::io;
#[cfg(unix)]
use std::sync::Arc;
use std::time::Duration;

/// A started program, with its channel and its output.
pub(super) struct Parts {
    pub(super) child: Box<dyn Child>,
    pub(super) channel: Box<dyn Channel>,
    /// Its standard output, if that is not its channel.
    pub(super) output: Box<dyn Written>,
    /// Its standard error.
    pub(super) errors: Box<dyn Written>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitInfo {
    pub(super) exit: Exit,
    /// Its peak memory, in bytes; 0 if the system does not report it.
    pub(super) peak: u64,
    /// Processor time of its whole life; `None` if the system does not report it.
    pub(super) cpu: Duration,
    /// Whether its memory group ended it, which is so only if the group has reached its limit.
    pub(super) is_out_of_memory: bool,
}

/// A group of processes with a memory limit of its own. It is removed with this value, and what still runs in it is ended.
#[cfg(unix)]
pub(super) trait MemoryGroup: Send + Sync {
    /// Whether the system ended a process of the group because the group reached its limit.
    fn has_killed(&self) -> bool;
}

/// The memory group of a process, if it has its own.
#[cfg(unix)]
pub(super) type OwnGroup = Option<Arc<dyn MemoryGroup>>;

/// A program that can be started.
#[cfg(unix)]
pub(super) struct Startable {
    pub(super) command: std::process::Command,
    /// Its memory group, which must outlive the process.
    pub(super) group: OwnGroup,
}

/// What a process does at one moment.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux reports it"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunState {
    /// It waits for something of its own choice, or the system does not tell.
    Asleep,
    /// It runs, or waits for a processor.
    Runnable,
    /// It is frozen, or waits for a disk.
    Held,
}

/// The state of a process at one moment; the default where it tells nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProcessStatus {
    /// Its number of threads.
    pub(super) threads: u64,
    /// Whether a signal or a debugger has stopped it.
    pub(super) is_stopped: bool,
}

/// A process of the system.
pub(super) trait Child: Send {
    /// Ends it and, as far as the system tracks them, the processes it started.
    fn kill(&mut self);

    /// How it ended: at once if it has ended, waiting for it if it `must`. Not asked again after an answer.
    fn wait(&mut self, must: bool) -> Option<ExitInfo>;

    /// Ends it; nobody asks how it ended.
    fn abandon(&mut self) {
        self.kill();
        self.wait(true);
    }

    /// Processor time that it has used, if the system reports it.
    fn cpu_time(&self) -> Option<Duration>;

    /// Time that it waited for a processor; `None` where the system does not count it.
    fn run_delay(&self) -> Option<Duration>;

    /// What it does now.
    fn state(&self) -> RunState {
        RunState::Asleep
    }

    /// Its threads, and whether it is stopped.
    fn status(&self) -> ProcessStatus {
        ProcessStatus::default()
    }

    /// Bytes that it has written in its whole life, to whatever; 0 if the system does not report it.
    fn written(&self) -> u64 {
        0
    }
}

/// The two directions of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChannelDirection {
    /// From the program.
    In,
    /// To the program.
    Out,
}

/// A channel for bytes. Only `ready` waits: if nothing is available at once, the error is
/// [`io::ErrorKind::WouldBlock`].
pub(super) trait Channel: Send {
    /// Sends bytes; returns how many it took.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads bytes into `buffer`; returns how many, 0 at the end.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Waits until this direction is ready, or the other side has gone.
    fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool;

    /// Whether there are unread bytes.
    fn has_unread(&self) -> bool;
}

/// What a program has written outside its channel.
pub(super) trait Written: Send {
    /// Bytes since the last [`clear`](Written::clear).
    fn len(&self) -> u64;

    /// The bytes since the last call, at most `most`.
    fn take(&mut self, most: u64) -> Vec<u8>;

    /// Starts counting from zero.
    fn clear(&mut self) -> io::Result<()>;
}
