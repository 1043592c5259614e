//! What compares asks of a reference, where a case leaves the answer to one.

use crate::case::Asked;
use crate::value::Value;
use crate::value::oracle::Refused;

/// A reference at one step of a case.
pub trait Oracle {
    /// What it answers itself.
    fn answer(&self) -> Option<&Value>;

    /// Whether it accepts an answer.
    ///
    /// # Errors
    /// Why not; an oracle that cannot be asked accepts nothing.
    fn judge(&self, asked: &Asked, answer: &Value) -> Result<(), Refused>;
}

/// No reference: for cases that ask none.
pub struct NoOracle;

impl Oracle for NoOracle {
    fn answer(&self) -> Option<&Value> {
        None
    }

    fn judge(&self, _: &Asked, _: &Value) -> Result<(), Refused> {
        Err(Refused { why: crate::value::oracle::Refusal::NoAnswer, accepted: Vec::new() })
    }
}
