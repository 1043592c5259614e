//! Runs a program apart from keur: its limits, its output, and how it ended.
//!
//! This module knows no language and no protocol. A [`Process`] is a program that bytes are exchanged with under
//! [`Limits`]; what stops such an exchange is a [`Stop`], which is a fact about the program, never an error of keur.
//! What a system has to give for that is in `parts`; `unix` and `portable` give it, and `linux` confines.

mod availability;
mod cancel;
#[cfg(feature = "cli")]
mod compiler;
#[cfg(fork_servers)]
mod cores;
#[cfg(target_os = "linux")]
mod jail;
mod limits;
#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(fork_servers)]
mod offspring;
mod parts;
mod portable;
mod process;
#[cfg(fork_servers)]
mod server;
pub mod tools;
#[cfg(unix)]
mod unix;

pub use availability::{Availability, PORTABLE, PORTABLE_WARNING, available, findings};
pub use cancel::Cancel;
#[cfg(feature = "cli")]
pub use compiler::Compilation;
#[cfg(fork_servers)]
pub use cores::keep_to_core;
pub use limits::Limits;
#[cfg(fork_servers)]
pub use offspring::{Offspring, serve_forks};
pub use process::{Launch, Process, Transport};
#[cfg(fork_servers)]
pub use server::ForkServer;
pub use tools::Tools;
#[cfg(unix)]
pub use unix::inherited_socket;

use std::io;
use std::path::PathBuf;

/// Whether starting a program failed because the system does not take it for one, and not because something else on the
/// way failed.
pub fn is_refused_program(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    if let Some(fault) = error.get_ref().and_then(|error| error.downcast_ref::<linux::Fault>()) {
        return fault.step == linux::Step::Execute;
    }
    !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
}

/// How firmly submissions are confined. A tier below the one asked for is never taken silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What every system has: limits on resources and an empty environment. It keeps honest mistakes apart, not
    /// malice.
    Portable,
    /// What Linux gives without privileges: Landlock, a filter of system calls, no new privileges.
    Standard,
    /// Also namespaces and a control group of its own, where the machine lends them.
    Strict,
}

impl Tier {
    /// The tier's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Standard => "standard",
            Tier::Strict => "strict",
        }
    }
}

impl Default for Tier {
    /// The standard tier on Linux, the portable one elsewhere.
    fn default() -> Tier {
        if cfg!(target_os = "linux") { Tier::Standard } else { Tier::Portable }
    }
}

/// What a confined program may do and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jail {
    /// What kind of program it is, which decides the system calls it may make.
    pub kind: Kind,
    /// Whether namespaces and a control group are added.
    pub strict: bool,
    /// Files and folders that it may read.
    pub readable: Vec<PathBuf>,
    /// Folders below those that it may not.
    pub hidden: Vec<PathBuf>,
}

/// Kinds of confined program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An interpreter that forks a child for each case.
    ForkServer,
    /// An engine with threads of its own that answers for all cases of a submission.
    Engine,
    /// A virtual machine of Java, which does the same.
    VirtualMachine,
    /// A program that a submission was compiled into.
    Compiled,
}

/// Why a program does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It used up its processor time.
    Cpu,
    /// It used up its time on the clock.
    Wall,
    /// It wanted more memory than it may have.
    Memory,
    /// It wrote more output than it may.
    Output,
    /// It ended by itself.
    Exited(Exit),
}

/// How a program ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}
