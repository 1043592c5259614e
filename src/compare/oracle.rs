//! The questions of a comparison to a reference.

use crate::case::Asked;
use crate::value::Value;
use crate::value::oracle::Refused;

/// A reference at one step of a case.
pub trait StepOracle {
    /// Its own answer.
    fn answer(&self) -> Option<&Value>;

    /// Whether it accepts an answer.
    ///
    /// # Errors
    /// The reason; an oracle that cannot be asked accepts nothing.
    fn judge(&self, asked: &Asked, answer: &Value) -> Result<(), Refused>;
}

/// No reference, for cases that do not need one.
pub struct NoOracle;

impl StepOracle for NoOracle {
    fn answer(&self) -> Option<&Value> {
        None
    }

    fn judge(&self, _: &Asked, _: &Value) -> Result<(), Refused> {
        Err(Refused { why: crate::value::oracle::Refusal::NoAnswer, accepted: Vec::new() })
    }
}
