//! Runs a program apart from keur: its limits, its output, and how it ended.
//!
//! This module knows no language and no protocol. A [`Process`] is a program that bytes are exchanged with under
//! [`Limits`]; what stops such an exchange is a [`Stop`], which is a fact about the program, never an error of keur.

mod capture;
mod limits;
#[cfg(target_os = "linux")]
pub mod linux;
mod process;

pub use limits::Limits;
pub use process::{Launch, Process, Transport};

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
