//! How what is known of a case is stored: the name of its verdict, and the rest as JSON.

use super::outcome::{CaseOutcome, KnownCase};
use crate::compare::Verdict;
use std::fmt;

/// The name of a case that does not count, in place of a verdict.
const NOT_COUNTED: &str = "not counted";

/// Why what is stored of a case cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeError {
    /// The problem, in a sentence.
    pub message: String,
}

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OutcomeError {}

impl KnownCase {
    /// The name of its verdict; `not counted` if it has none.
    pub fn verdict_name(&self) -> &'static str {
        match self {
            KnownCase::Graded(outcome) => outcome.verdict.name(),
            KnownCase::NotCounted => NOT_COUNTED,
        }
    }

    /// All else of it, as JSON; `None` if it passed and there is nothing else to know, or if it does not count.
    pub fn to_stored(&self) -> Option<String> {
        let KnownCase::Graded(outcome) = self else { return None };
        // Strings and numbers alone: nothing that JSON cannot have.
        (*outcome != CaseOutcome::passed()).then(|| serde_json::to_string(outcome).unwrap_or_default())
    }

    /// What [`KnownCase::verdict_name`] and [`KnownCase::to_stored`] gave.
    ///
    /// # Errors
    /// They are damaged, or of another version.
    pub fn from_stored(verdict: &str, outcome: Option<&str>) -> Result<KnownCase, OutcomeError> {
        let wrong =
            |why: String| OutcomeError { message: format!("an outcome `{verdict}` cannot be read: {why}") };
        match outcome {
            None if verdict == NOT_COUNTED => Ok(KnownCase::NotCounted),
            None if verdict == Verdict::Passed.name() => Ok(KnownCase::Graded(CaseOutcome::passed())),
            None => Err(wrong("only its verdict is stored".to_owned())),
            Some(json) => {
                let outcome: CaseOutcome =
                    serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
                if outcome.verdict.name() != verdict {
                    return Err(wrong(format!("its verdict is `{}`", outcome.verdict)));
                }
                Ok(KnownCase::Graded(outcome))
            }
        }
    }
}
