//! The result of a step, and its failure.

use super::{Mistake, Share, StopMistake, Verdict};
use crate::adapter::{Exception, Halt};
use crate::languages::cpp::names::{NOT_CALLABLE, REFUSED};
use crate::languages::rust::Rust;
use crate::value::Text;
use crate::value::notation::Notation;
use crate::value::program::ERR;
use regex::Regex;
use std::sync::LazyLock;

/// The result of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepResult {
    /// The step is as expected.
    Passed,
    /// Failed.
    Failed(Box<Failure>),
    /// Not run.
    NotRun,
}

impl StepResult {
    /// The share of the points that the step earns: all if it passed, what a check of the instructor's own
    /// gives, else none.
    pub fn share(&self) -> Share {
        match self {
            StepResult::Passed => Share::ALL,
            StepResult::NotRun => Share::NONE,
            StepResult::Failed(failure) => failure.mistake.share(),
        }
    }
}

/// The failure of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The verdict.
    pub verdict: Verdict,
    /// The zero-based line of the step; of a program, the turn.
    pub at: usize,
    /// The mistake behind the failure.
    pub mistake: Mistake,
    /// The expected value, in the submission's language; `None` if there is no single one.
    pub expected: Option<String>,
    /// The actual value.
    pub got: Option<String>,
    /// The exception.
    pub exception: Option<Exception>,
}

/// Exceptions for a name or module that does not exist, and for syntax: mistakes that no case is about.
const OF_NO_CASE: [&str; 8] = [
    "ImportError", "ModuleNotFoundError", "NameError", "NoClassDefFoundError", "NoSuchMethodException",
    "ReferenceError", "SyntaxError", "UnboundLocalError",
];

impl Failure {
    /// A failure that shows neither side, at a line of a step or a turn of a program.
    pub fn new(verdict: Verdict, at: usize, mistake: Mistake) -> Failure {
        Failure { verdict, at, mistake, expected: None, got: None, exception: None }
    }

    /// Returns true if the failure may be the mistake that its case is about, so that the hint of the case
    /// helps: not a limit or a slip, nor a mistake whose own message says what to change.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn may_be_of_the_case(&self) -> bool {
        let slip = |raised: &Exception| OF_NO_CASE.contains(&raised.kind.as_str());
        match self.verdict {
            Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::Crashed
            | Verdict::ProtocolViolation
            | Verdict::LoadError
            | Verdict::NotRun => false,
            Verdict::Passed
            | Verdict::WrongValue
            | Verdict::WrongText
            | Verdict::WrongOutput
            | Verdict::Raised
            | Verdict::DidNotRaise
            | Verdict::Failed => !self.exception.as_ref().is_some_and(slip) && !self.mistake.traits().advises,
        }
    }
}

/// The failure of a submission that was stopped at this line of a step or turn of a program.
pub fn halted(halt: &Halt, at: usize) -> Failure {
    let mistake = StopMistake::from(halt);
    Failure::new(mistake.verdict(), at, Mistake::Stop(mistake))
}

/// An exception as its language shows it in the last line of a trace; an error that a crate returns, as Rust
/// writes it. Of a call that keur refuses, the reason.
pub fn exception_text(raised: &Exception) -> String {
    if raised.kind == ERR {
        let message = raised.message.as_ref().map(Text::to_lossy).unwrap_or_default();
        return format!("{ERR}({})", Rust.string(&without_addresses(&message).into()));
    }
    match raised.message.as_ref().map(Text::to_lossy) {
        Some(message) if [REFUSED, NOT_CALLABLE].contains(&raised.kind.as_str()) => message,
        Some(message) if !message.is_empty() => format!("{}: {}", raised.kind, without_addresses(&message)),
        Some(_) | None => raised.kind.clone(),
    }
}

/// A text without the addresses that an interpreter puts into an object's text, which vary between runs.
pub(crate) fn without_addresses(text: &str) -> String {
    static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b0x[0-9a-f]{6,16}\b").ok());
    match ADDRESS.as_ref() {
        Some(address) => address.replace_all(text, "0x…").into_owned(),
        None => text.to_owned(),
    }
}
