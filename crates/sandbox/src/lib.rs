//! Runs a program that nobody trusts: its limits, its output, and how it ended.
//!
//! A [`Process`] is a program that exchanges bytes under [`Limits`]; what stops the exchange is a [`Stop`],
//! which is a fact about the program and never an error of this crate. A [`Launch`] names the program, and
//! its [`Jail`] what it may read.
//!
//! ```
//! use keur_sandbox::{Exit, Launch, Limits, Process, Stop};
//!
//! # #[cfg(unix)] {
//! let launch = Launch { args: vec!["-c".into(), "echo hello".into()], ..Launch::new("/bin/sh") };
//! let mut process = Process::start(&launch, &Limits::default())?;
//! // It says nothing on its channel, so what comes instead of a byte is how it ended.
//! let stop = process.read_exact(&mut [0]).unwrap_err();
//! assert_eq!(stop, Stop::Exited(Exit::Code(0)));
//! assert_eq!(process.take_output(), b"hello\n");
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Without a jail, as here, a program has limits and an empty environment. `examples/stranger.rs` confines
//! one; [`available`] says whether this machine can, and why not.
//!
//! [`parts`] lists what a system must provide; `unix` and `portable` provide it, `linux` confines, and a
//! program may bring parts of its own. This crate knows no protocol.
#![warn(missing_docs)]

mod availability;
mod beneath;
mod cancel;
mod cleared;
pub mod clock;
mod compiler;
#[cfg(target_os = "linux")]
mod cores;
mod folder;
#[cfg(target_os = "linux")]
mod jail;
mod kind;
mod launch;
mod limits;
#[cfg(target_os = "linux")]
pub mod linux;
mod lock;
mod meter;
pub mod parts;
mod portable;
mod process;
pub mod random;
pub mod tools;
#[cfg(unix)]
mod unix;

pub use availability::{Availability, available, findings, portable_guarantees};
pub use beneath::Beneath;
pub use cancel::Cancel;
pub use cleared::clear;
pub use compiler::Compilation;
#[cfg(target_os = "linux")]
pub use cores::keep_to_core;
pub use folder::{Folder, FolderEntry};
pub use kind::ProgramKind;
pub use launch::{Launch, Transport};
pub use limits::Limits;
pub use lock::lock;
pub use process::Process;
pub use tools::Tools;
#[cfg(unix)]
pub use unix::inherited_socket;
#[cfg(target_os = "linux")]
pub use unix::{ForkServer, Offspring, serve_forks};

use std::io;
use std::path::PathBuf;

/// Does nothing on this system; on Linux it pins the worker to a processor core.
#[cfg(not(target_os = "linux"))]
pub fn keep_to_core(_worker: usize, _workers: usize) {}

/// Whether starting a program failed because the system does not accept it as one, not for another reason.
pub fn is_refused_program(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    if let Some(fault) = error.get_ref().and_then(|error| error.downcast_ref::<linux::StartFault>()) {
        return fault.step == linux::StartStep::Execute;
    }
    !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
}

/// The confinement tier of programs. A lower tier than requested is never used silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The limits that every system has: resource limits and an empty environment. They contain honest
    /// mistakes, not malice.
    Portable,
    /// The confinement of Linux without privileges: Landlock, a filter of system calls, no new privileges.
    Standard,
    /// Also new namespaces and a control group, if the machine provides them.
    Strict,
}

impl Default for Tier {
    /// The standard tier on Linux, the portable one elsewhere.
    fn default() -> Tier {
        if cfg!(target_os = "linux") { Tier::Standard } else { Tier::Portable }
    }
}

impl Tier {
    /// The strictness of this tier; `None` if it does not confine.
    pub fn strictness(self) -> Option<Strictness> {
        match self {
            Tier::Portable => None,
            Tier::Standard => Some(Strictness::Standard),
            Tier::Strict => Some(Strictness::Strict),
        }
    }
}

/// The strictness of confinement on Linux; each level includes the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    /// Landlock, seccomp and resource limits: needs no privilege.
    Standard,
    /// Also new namespaces: nothing but the listed paths exists.
    Isolated,
    /// Also a cgroup that caps memory and tasks.
    Strict,
}

/// The permissions of a confined program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jail {
    /// The kind of program, which decides its system calls.
    pub kind: ProgramKind,
    /// The strictness of its confinement.
    pub strictness: Strictness,
    /// Files and folders that it may read.
    pub readable: Vec<PathBuf>,
    /// Folders below those that it may not read.
    pub hidden: Vec<PathBuf>,
}

/// The reason why a program stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program used all its processor time.
    Cpu,
    /// The program used all its wall-clock time.
    Wall,
    /// The program exceeded its memory limit.
    Memory,
    /// The program exceeded its output limit.
    Output,
    /// The program wrote too much into its working folder.
    Files,
    /// The program ended by itself.
    Exited(Exit),
    /// The program was ended by `SIGKILL`, for no reason that keur knows of. A confined program cannot send
    /// it to itself.
    Killed,
    /// The program's wall-clock time passed, and meanwhile a signal such as `SIGSTOP` had stopped it. A
    /// confined program cannot send that to itself either.
    Suspended,
}

impl Stop {
    /// Whether it is somebody else's doing, if the program was confined.
    pub fn is_by_others(&self) -> bool {
        matches!(self, Stop::Killed | Stop::Suspended)
    }
}

/// The end of a program on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// With this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// The system does not tell how.
    Unknown,
}
