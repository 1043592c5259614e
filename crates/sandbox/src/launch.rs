//! A program to run, and its channel.

use super::{Folder, Jail};
#[cfg(unix)]
use super::{Limits, folder::MOST_FILE};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Open files a program may have.
#[cfg(unix)]
pub(super) const OPEN_FILES: u64 = 256;

/// The channel to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A socket at descriptor 3; its standard output is captured.
    Socket,
    /// The program's standard input and output; it must report what it prints itself.
    Pipes,
}

/// A program to run.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The arguments of the program.
    pub args: Vec<OsString>,
    /// The whole environment of the program.
    pub env: Vec<(String, String)>,
    /// The channel to the program.
    pub transport: Transport,
    /// Memory that the program needs at start, in bytes: the limit comes on top of it.
    pub baseline: u64,
    /// Whether the memory limit is one on resident memory, which keur watches: a program with sanitizers reserves
    /// terabytes of addresses.
    pub resident: bool,
    /// Whether it answers for several runs, so that processor time is only measured for each.
    pub shared: bool,
    /// The files that the program may read, if it is confined; `None` if it is not.
    pub jail: Option<Jail>,
    /// The working folder, which the program may change; without one it works in the root folder.
    pub folder: Option<Arc<Folder>>,
    /// The message that a fork server receives before all others; none if empty.
    pub first_message: Vec<u8>,
}

impl Launch {
    /// A program without arguments, environment, jail and folder, with a socket, that runs once.
    pub fn new(program: impl Into<PathBuf>) -> Launch {
        Launch {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            transport: Transport::Socket,
            baseline: 0,
            resident: false,
            shared: false,
            jail: None,
            folder: None,
            first_message: Vec::new(),
        }
    }
}

/// The bytes that a file of a program may grow to.
#[cfg(unix)]
pub(super) fn file_size(launch: &Launch, limits: &Limits) -> u64 {
    // Its output is a file too; keur measures that.
    limits.output.max(if launch.folder.is_some() { MOST_FILE } else { 0 })
}

/// Processor seconds after which the kernel ends a program, if keur has not done so.
#[cfg(unix)]
pub(super) fn kernel_cpu_seconds(launch: &Launch, limits: &Limits) -> u64 {
    // A process that answers for several runs has no processor time limit as a whole.
    if launch.shared { u64::from(u32::MAX) } else { limits.kernel_cpu_seconds() }
}
