//! Limits, and other reasons why a submission was stopped.

use super::{Reach, Traits};
use crate::adapter::Halt;
use crate::compare::Verdict;
use crate::messages::Message;
use crate::sandbox::{Exit, Stop};

/// The number of `SIGKILL` on every system that has signals.
const KILLED: i32 = 9;

/// The signal that ends a program when its stack overflows (SIGSEGV).
const FAULT_IN_MEMORY: i32 = 11;

/// The signal of a process that calls `abort`.
const ABORT: i32 = 6;

/// A limit, or another reason why a submission was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum StopMistake {
    /// The processor time limit was reached.
    CpuLimit,
    /// The wall-clock time limit was reached.
    WallLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The output limit was reached.
    OutputLimit,
    /// Too much was written into the working folder.
    FilesLimit,
    /// The process ended.
    Ended(#[serde(with = "StoredExit")] Exit),
    /// The protocol was broken; says how.
    Protocol(String),
    /// A compiled program never got ready.
    NotReady {
        /// The reason.
        why: String,
    },
}

/// The stored form of how a program ended: the sandbox stores nothing.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Exit")]
enum StoredExit {
    Code(i32),
    Signal(i32),
    Unknown,
}

impl From<&Halt> for StopMistake {
    fn from(halt: &Halt) -> StopMistake {
        match halt {
            Halt::Stopped(Stop::Cpu) => StopMistake::CpuLimit,
            Halt::Stopped(Stop::Wall | Stop::Suspended) => StopMistake::WallLimit,
            Halt::Stopped(Stop::Memory) => StopMistake::MemoryLimit,
            Halt::Stopped(Stop::Output) => StopMistake::OutputLimit,
            Halt::Stopped(Stop::Files) => StopMistake::FilesLimit,
            Halt::Stopped(Stop::Exited(exit)) => StopMistake::Ended(*exit),
            Halt::Stopped(Stop::Killed) => StopMistake::Ended(Exit::Signal(KILLED)),
            Halt::Protocol(why) => StopMistake::Protocol(why.clone()),
            Halt::NotReady(why) => StopMistake::NotReady { why: why.clone() },
        }
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
impl StopMistake {
    /// The verdict on a step that was stopped so.
    pub fn verdict(&self) -> Verdict {
        match self {
            StopMistake::CpuLimit | StopMistake::WallLimit => Verdict::TimeLimit,
            StopMistake::MemoryLimit => Verdict::MemoryLimit,
            StopMistake::OutputLimit | StopMistake::FilesLimit => Verdict::OutputLimit,
            StopMistake::Ended(_) => Verdict::Crashed,
            StopMistake::Protocol(_) => Verdict::ProtocolViolation,
            StopMistake::NotReady { .. } => Verdict::LoadError,
        }
    }

    pub(super) fn message(&self) -> Message {
        match self {
            StopMistake::CpuLimit => Message::new("mistake-cpu-limit"),
            StopMistake::WallLimit => Message::new("mistake-wall-limit"),
            StopMistake::MemoryLimit => Message::new("mistake-memory-limit"),
            StopMistake::OutputLimit => Message::new("mistake-output-limit"),
            StopMistake::FilesLimit => Message::new("mistake-files-limit"),
            StopMistake::Ended(Exit::Code(code)) => Message::new("mistake-ended-code").with("code", code),
            // Stores of before `Unknown` have signal 0 for it.
            StopMistake::Ended(Exit::Unknown | Exit::Signal(0)) => Message::new("mistake-ended"),
            StopMistake::Ended(Exit::Signal(FAULT_IN_MEMORY)) => {
                Message::new("mistake-ended-fault-in-memory")
            }
            StopMistake::Ended(Exit::Signal(ABORT)) => Message::new("mistake-ended-abort"),
            StopMistake::Ended(Exit::Signal(signal)) => {
                Message::new("mistake-ended-signal").with("signal", signal)
            }
            StopMistake::Protocol(why) => Message::new("mistake-protocol").with("why", why),
            StopMistake::NotReady { why } => Message::new("mistake-not-ready").with("why", why),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        Traits::plain(match self {
            StopMistake::CpuLimit
            | StopMistake::WallLimit
            | StopMistake::MemoryLimit
            | StopMistake::OutputLimit
            | StopMistake::FilesLimit
            | StopMistake::Ended(_)
            | StopMistake::Protocol(_) => Reach::Function,
            StopMistake::NotReady { .. } => Reach::Case,
        })
    }
}
