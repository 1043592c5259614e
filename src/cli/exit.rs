//! The exit codes.

use std::process::ExitCode;

/// The result of a command; the highest one is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunStatus {
    /// Everything passed.
    Passed = 0,
    /// Something failed.
    Failed = 1,
    /// Usage error.
    Usage = 2,
    /// A case or exercise file has an error.
    BadCase = 3,
    /// Keur could not do its work.
    Fault = 4,
}

/// The exit codes that a command has for [`RunStatus::Passed`] and [`RunStatus::Failed`].
#[derive(Clone, Copy)]
pub(super) enum ExitCodes {
    /// The codes of most commands.
    Keur,
    /// The codes of `cargo test`.
    Tests,
    /// The codes of an output validator of Kattis, for which any other code is a judge error.
    Validator,
}

impl ExitCodes {
    /// The exit code for a status.
    pub(super) fn code(self, status: RunStatus) -> ExitCode {
        ExitCode::from(match (self, status) {
            (ExitCodes::Tests, RunStatus::Failed) => 101,
            (ExitCodes::Validator, RunStatus::Passed) => 42,
            (ExitCodes::Validator, RunStatus::Failed) => 43,
            (_, status) => status as u8,
        })
    }
}
