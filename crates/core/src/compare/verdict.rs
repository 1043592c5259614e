//! Verdicts on a case or a step.

use crate::named;
use crate::named::Named;
use std::fmt;

/// The result of a case or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Verdict {
    /// Passed.
    Passed,
    /// Unexpected value or object.
    WrongValue,
    /// Unexpected text.
    WrongText,
    /// Unexpected output.
    WrongOutput,
    /// Unexpected exception.
    Raised,
    /// No exception where one was expected.
    DidNotRaise,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The output limit was reached.
    OutputLimit,
    /// The process of the submission ended.
    Crashed,
    /// The submission broke the protocol.
    ProtocolViolation,
    /// The submission cannot be loaded, or lacks what the case needs.
    LoadError,
    /// The case was not run.
    NotRun,
    /// The case failed without details: a hidden case in a report to a student.
    Failed,
}

named!(Verdict {
    Passed = "passed",
    WrongValue = "wrong value",
    WrongText = "wrong text",
    WrongOutput = "wrong output",
    Raised = "raised",
    DidNotRaise = "did not raise",
    TimeLimit = "time limit",
    MemoryLimit = "memory limit",
    OutputLimit = "output limit",
    Crashed = "crashed",
    ProtocolViolation = "protocol violation",
    LoadError = "load error",
    NotRun = "not run",
    Failed = "failed",
});

impl Verdict {
    /// Whether the process ended, by itself or by a limit.
    pub const fn is_an_end(self) -> bool {
        match self {
            Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::Crashed
            | Verdict::ProtocolViolation => true,
            Verdict::Passed
            | Verdict::WrongValue
            | Verdict::WrongText
            | Verdict::WrongOutput
            | Verdict::Raised
            | Verdict::DidNotRaise
            | Verdict::LoadError
            | Verdict::NotRun
            | Verdict::Failed => false,
        }
    }
}

impl From<Verdict> for &'static str {
    fn from(verdict: Verdict) -> &'static str {
        verdict.name()
    }
}

impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(name: String) -> Result<Verdict, String> {
        Verdict::from_name(&name).ok_or_else(|| format!("`{name}` is not a verdict"))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
