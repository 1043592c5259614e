//! What a process is to be confined to: plain data, filled in by whoever starts the process.

use std::os::fd::{OwnedFd, RawFd};
use std::path::PathBuf;

/// How much confinement is asked for; each tier includes the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Landlock, seccomp and resource limits: needs no privilege.
    Standard,
    /// Also namespaces of its own: nothing but the listed paths exists.
    Isolated,
    /// Also a cgroup that caps memory and tasks.
    Strict,
}

/// What kind of program is confined, which decides the system calls it may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// A Python that forks a child for each submission; each child adds
    /// [`inner_filter`](super::inner_filter).
    PythonForkServer,
    /// A Node process for one submission.
    Node,
    /// A Java virtual machine for one submission.
    Jvm,
    /// A compiler with the programs that it starts, which write below [`Request::writable`].
    Compiler,
    /// A program that a submission was compiled into.
    Compiled,
    /// Code of this program in a forked child ([`Confinement::fork`](super::Confinement::fork)): an embedded
    /// engine.
    Native,
}

/// The kernel's resource limits; both the soft and the hard one, so that they cannot be raised again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rlimits {
    /// Bytes of address space, which shared memory counts for too. `None` for Node and Java, which reserve far more than
    /// they use.
    pub address_space: Option<u64>,
    /// Bytes of private writable memory.
    pub data: Option<u64>,
    /// Bytes a file may grow to.
    pub file_size: u64,
    /// One more than the highest descriptor.
    pub open_files: u64,
    /// Tasks of the same user. For a plain user this counts everything that user runs, so `None` is the
    /// choice there; where root is dropped to an id of its own it counts this process alone.
    pub processes: Option<u64>,
    /// Seconds of CPU time after which the kernel kills the process: a backstop behind the harness's own
    /// clock.
    pub cpu_seconds: u64,
}

/// Caps of the cgroup of the strict tier, over all processes of one confinement together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimits {
    /// Bytes of memory; there is no swap on top.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// What a process is to be confined to.
#[derive(Clone, Debug)]
pub struct Request {
    /// How much confinement.
    pub tier: Tier,
    /// What kind of program.
    pub flavour: Flavour,
    /// The program: a real executable, not a script or a version manager's shim.
    pub executable: PathBuf,
    /// Files and trees that may be read. Nothing else can be opened but what is listed below.
    pub readable: Vec<PathBuf>,
    /// Trees whose programs may be executed besides, and read.
    pub executables: Vec<PathBuf>,
    /// Files and trees that may be written, and whose programs may be executed. Only a [`Flavour::Compiler`] writes.
    pub writable: Vec<PathBuf>,
    /// Trees below a readable one whose files may not be read after all, such as `site-packages`.
    pub hidden: Vec<PathBuf>,
    /// Whether Python may start threads. Node and Java cannot do without; native code has none.
    pub allow_threads: bool,
    /// The kernel's resource limits.
    pub rlimits: Rlimits,
    /// The cgroup's caps; only the strict tier looks at them.
    pub group: GroupLimits,
}

/// A descriptor that the confined process keeps, and the number it has there.
#[derive(Debug)]
pub struct Kept {
    /// The descriptor here; closed here together with the command it was given to.
    pub ours: OwnedFd,
    /// Its number in the confined process, 3 to 62. Numbers 0 to 2 are given to the command as ever.
    pub number: RawFd,
}
