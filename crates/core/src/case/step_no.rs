//! Numbers of steps, and where a step stands.

use std::fmt;
use std::num::NonZeroUsize;

/// The number of a step in its case, counted from 1 as people count.
///
/// Before the first step is `None` of an `Option<StepNo>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct StepNo(NonZeroUsize);

impl StepNo {
    /// The first step.
    pub const FIRST: StepNo = StepNo(NonZeroUsize::MIN);

    /// The step with this number; `None` for 0.
    pub fn new(number: usize) -> Option<StepNo> {
        NonZeroUsize::new(number).map(StepNo)
    }

    /// The step at a position of a list.
    pub fn at(index: usize) -> StepNo {
        StepNo(NonZeroUsize::MIN.saturating_add(index))
    }

    /// The number.
    pub fn get(self) -> usize {
        self.0.get()
    }

    /// The position in a list of all steps.
    pub fn index(self) -> usize {
        self.get() - 1
    }
}

impl fmt::Display for StepNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A line of a case's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePlace {
    /// The path of the file, as given.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for CasePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}
