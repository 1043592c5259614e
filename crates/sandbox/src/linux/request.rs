//! A description of a process's confinement: plain data, filled in by the code that starts the process.

use crate::{ProgramKind, Strictness};
use std::os::fd::{OwnedFd, RawFd};
use std::path::PathBuf;

/// The kernel's resource limits, soft and hard, so that they cannot be raised again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rlimits {
    /// Bytes of address space, including shared memory. `None` for engines that reserve far more than they
    /// use.
    pub address_space: Option<u64>,
    /// Bytes of private writable memory.
    pub data: Option<u64>,
    /// Bytes a file may grow to.
    pub file_size: u64,
    /// One more than the highest descriptor.
    pub open_files: u64,
    /// Tasks of the same user. For a plain user this counts everything that user runs, so use `None` there;
    /// if root changes to a separate id it counts this process only.
    pub processes: Option<u64>,
    /// Seconds of CPU time after which the kernel kills the process: a backup for the harness's own clock.
    pub cpu_seconds: u64,
}

/// Caps of the cgroup of [`Strictness::Strict`], over all processes of one confinement together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimits {
    /// Bytes of memory; there is no swap on top.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// A folder that a process works in and may change, but execute nothing from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFolder {
    /// The path of the folder.
    pub path: PathBuf,
    /// The user that the process runs as, where root gives up root. Every process of one folder has the same.
    pub owner: u32,
}

/// A description of a process's confinement.
#[derive(Clone, Debug)]
pub struct Request {
    /// The confinement level.
    pub strictness: Strictness,
    /// The kind of program.
    pub kind: ProgramKind,
    /// The program: a real executable, not a script or a version manager's shim.
    pub executable: PathBuf,
    /// Files and trees that may be read. Only these and the ones listed below can be opened.
    pub readable: Vec<PathBuf>,
    /// More trees whose programs may be executed, and read.
    pub executables: Vec<PathBuf>,
    /// Trees that may be read, and that will belong to the user that the process runs as.
    pub owned: Vec<PathBuf>,
    /// Files and trees that may be written, and whose programs may be executed. Only a
    /// [`ProgramKind::Compiler`] writes.
    pub writable: Vec<PathBuf>,
    /// The folder that the process works in.
    pub folder: Option<WorkFolder>,
    /// Files and trees inside a readable one, or inside one of programs, that may not be read, such as
    /// `site-packages`.
    pub hidden: Vec<PathBuf>,
    /// The kernel's resource limits.
    pub rlimits: Rlimits,
    /// The cgroup's caps; only [`Strictness::Strict`] uses them.
    pub group: GroupLimits,
}

impl Request {
    /// Confines a program as [`Strictness::Standard`] does: it may read and write nothing, and start nothing
    /// else.
    pub fn new(kind: ProgramKind, executable: PathBuf, rlimits: Rlimits, group: GroupLimits) -> Request {
        Request {
            strictness: Strictness::Standard,
            kind,
            executable,
            readable: Vec::new(),
            executables: Vec::new(),
            owned: Vec::new(),
            writable: Vec::new(),
            folder: None,
            hidden: Vec::new(),
            rlimits,
            group,
        }
    }
}

/// A descriptor that the confined process keeps, and its number there.
#[derive(Debug)]
pub struct Kept {
    /// The descriptor here; closed here together with its command.
    pub ours: OwnedFd,
    /// The number in the confined process, 3 to 62. Numbers 0 to 2 are set on the command as usual.
    pub number: RawFd,
}
