//! The parts of a running program, on any system, that a [`Process`](super::Process) controls.
//!
//! This crate provides them for processes of the operating system. Who has programs of another kind, such as
//! workers in a web page, implements [`Child`], [`Channel`] and [`Written`] for them and makes a
//! [`Process`](super::Process) of the [`Parts`]: its limits, its meters and what stopped it are then the
//! same.
//!
//! A program that sends back every byte in capitals, until it gets a point:
//!
//! ```
//! use keur_sandbox::parts::{Channel, ChannelDirection, Child, ExitInfo, Nothing, Parts};
//! use keur_sandbox::{Exit, Launch, Limits, Process, Stop};
//! use std::collections::VecDeque;
//! use std::io;
//! use std::sync::{Arc, Mutex};
//! use std::time::Duration;
//!
//! /// What it has sent and nobody has read.
//! #[derive(Clone, Default)]
//! struct Shouter(Arc<Mutex<VecDeque<u8>>>);
//!
//! impl Child for Shouter {
//!     fn kill(&mut self) {}
//!     fn try_wait(&mut self) -> Option<ExitInfo> { Some(self.wait()) }
//!     fn wait(&mut self) -> ExitInfo { ExitInfo::by(Exit::Code(0)) }
//!     fn cpu_time(&self) -> Option<Duration> { None }
//!     fn run_delay(&self) -> Option<Duration> { None }
//! }
//!
//! impl Channel for Shouter {
//!     fn write(&self, bytes: &[u8]) -> io::Result<usize> {
//!         self.0.lock().unwrap().extend(bytes.to_ascii_uppercase());
//!         Ok(bytes.len())
//!     }
//!     fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
//!         match self.0.lock().unwrap().pop_front() {
//!             Some(b'.') => Ok(0),
//!             Some(byte) => { buffer[0] = byte; Ok(1) }
//!             None => Err(io::ErrorKind::WouldBlock.into()),
//!         }
//!     }
//!     fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool {
//!         let ready = direction == ChannelDirection::Out || self.has_unread();
//!         if !ready { std::thread::sleep(timeout) }
//!         ready
//!     }
//!     fn has_unread(&self) -> bool { !self.0.lock().unwrap().is_empty() }
//! }
//!
//! let shouter = Shouter::default();
//! let (child, channel) = (Box::new(shouter.clone()), Box::new(shouter));
//! let parts = Parts { child, channel, output: Box::new(Nothing), errors: Box::new(Nothing) };
//! let mut process = Process::of(parts, &Launch::new("shouter"), &Limits::default());
//!
//! let mut answer = [0; 5];
//! process.write(b"hello").unwrap();
//! process.read_exact(&mut answer).unwrap();
//! assert_eq!(&answer, b"HELLO");
//! process.write(b".").unwrap();
//! assert_eq!(process.read_exact(&mut answer), Err(Stop::Exited(Exit::Code(0))));
//! ```

use super::{Exit, Launch, Limits};
use std::io;
#[cfg(unix)]
use std::sync::Arc;
use std::time::Duration;

/// A started program, with its channel and its output.
pub struct Parts {
    /// The program.
    pub child: Box<dyn Child>,
    /// The channel to the program.
    pub channel: Box<dyn Channel>,
    /// The program's standard output, if that is not its channel.
    pub output: Box<dyn Written>,
    /// The program's standard error.
    pub errors: Box<dyn Written>,
}

/// Starts programs of another kind than the system's processes.
pub trait Starter: Send + Sync {
    /// Starts a program.
    ///
    /// # Errors
    /// The program cannot be started, through no fault of its own.
    fn start(&self, launch: &Launch, limits: &Limits) -> io::Result<Parts>;
}

/// The end of a program.
#[derive(Clone, Copy, Debug)]
pub struct ExitInfo {
    /// With a status, or by a signal.
    pub exit: Exit,
    /// The peak memory, in bytes, if the system reports it.
    pub peak: Option<u64>,
    /// Processor time of its whole life; zero if the system does not report it.
    pub cpu: Duration,
    /// Whether its memory group ended it, which is so only if the group has reached its limit.
    pub is_out_of_memory: bool,
}

impl ExitInfo {
    /// The end `exit`, with no other figures.
    pub fn by(exit: Exit) -> ExitInfo {
        ExitInfo { exit, peak: None, cpu: Duration::ZERO, is_out_of_memory: false }
    }
}

/// A group of processes with a memory limit of its own. It is removed with this value, and what still runs in
/// it is ended.
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
    /// The memory group, which must outlive the process.
    pub(super) group: OwnGroup,
}

/// The activity of a program at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The program waits for something of its own choice, or the system does not tell.
    Asleep,
    /// The program runs, or waits for a processor.
    Runnable,
    /// The program is frozen, or waits for a disk.
    Held,
}

/// The state of a program at one moment; the default where the system tells nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessStatus {
    /// The number of threads.
    pub threads: u64,
    /// Whether a signal or a debugger has stopped it.
    pub is_stopped: bool,
    /// Resident memory, in bytes.
    pub resident: u64,
}

/// A program that runs. After one of the two methods that wait has said how it ended, no method is called
/// again.
pub trait Child: Send {
    /// Ends it and, as far as the system tracks them, the processes it started.
    fn kill(&mut self);

    /// The end of the program, if it has ended.
    fn try_wait(&mut self) -> Option<ExitInfo>;

    /// Waits until it has ended, and says how.
    fn wait(&mut self) -> ExitInfo;

    /// Ends it; nobody asks how it ended.
    fn abandon(&mut self) {
        self.kill();
        self.wait();
    }

    /// Processor time that it has used, if the system reports it.
    fn cpu_time(&self) -> Option<Duration>;

    /// Time that it waited for a processor; `None` where the system does not count it.
    fn run_delay(&self) -> Option<Duration>;

    /// The activity of the program now.
    fn state(&self) -> RunState {
        RunState::Asleep
    }

    /// The threads of the process, and whether it is stopped.
    fn status(&self) -> ProcessStatus {
        ProcessStatus::default()
    }

    /// Bytes that it has written in its whole life, to whatever, if the system reports it.
    fn written(&self) -> Option<u64> {
        None
    }
}

/// The two directions of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelDirection {
    /// From the program.
    In,
    /// To the program.
    Out,
}

/// A channel for bytes. Only `ready` waits: if nothing is available at once, the error is
/// [`io::ErrorKind::WouldBlock`].
pub trait Channel: Send {
    /// Sends bytes; returns how many it took.
    ///
    /// # Errors
    /// Nothing can be sent now, or the other side has gone.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads bytes into `buffer`; returns how many, 0 at the end.
    ///
    /// # Errors
    /// There is nothing to read now, or the channel is broken.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Waits until this direction is ready, or the other side has gone; false if `timeout` passed first.
    fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool;

    /// Whether there are unread bytes.
    fn has_unread(&self) -> bool;
}

/// The output of a program outside its channel.
#[expect(clippy::len_without_is_empty, reason = "nobody asks whether a program has written anything")]
pub trait Written: Send {
    /// Bytes since the last [`clear`](Written::clear).
    fn len(&self) -> u64;

    /// The bytes since the last call, at most `most`.
    fn take(&mut self, most: u64) -> Vec<u8>;

    /// Starts counting from zero.
    ///
    /// # Errors
    /// The output cannot be cleared.
    fn clear(&mut self) -> io::Result<()>;
}

/// The output of a program that has none, or whose channel it is.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Written for Nothing {
    fn len(&self) -> u64 {
        0
    }

    fn take(&mut self, _most: u64) -> Vec<u8> {
        Vec::new()
    }

    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}
