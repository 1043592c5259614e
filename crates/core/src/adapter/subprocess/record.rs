//! The part of a case's lines that keur keeps.

use super::allowance::Allowance;
use crate::adapter::bound_names::BoundNames;
use crate::adapter::exchange::Answer;
use crate::adapter::transcript::{Halt, Observation, StepOutcome};
use crate::adapter::wire::Body;
use crate::case::{Line, Want};

/// Bytes of standard error that are kept of a case.
const MOST_ERRORS: usize = 4096;

/// The names that the lines of a case have bound, and the bytes that may still be kept of it.
#[derive(Default)]
pub(super) struct CaseRecord {
    pub(super) names: BoundNames,
    pub(super) room: Allowance,
    /// Bytes of standard error that were kept.
    errors: usize,
}

impl CaseRecord {
    /// The part that is kept of what a line wrote to standard error.
    pub(super) fn errors(&mut self, mut written: Vec<u8>) -> Vec<u8> {
        written.truncate(MOST_ERRORS.saturating_sub(self.errors));
        self.errors += written.len();
        written
    }

    /// The observation of a line that was run, with this answer.
    pub(super) fn observation(&mut self, line: &Line, want: &Want, answer: Answer) -> Observation {
        self.names.note(line, matches!(answer.body, Ok(Body::Done { .. })));
        let mut observation = Observation::bare(StepOutcome::Value { value: None, text: None });
        observation.output = answer.printed;
        observation.outcome = match answer.body {
            Ok(Body::Done { value, text, mut is, types, subclasses, shown }) => {
                is.retain(|name| self.names.knows(name));
                is.dedup();
                is.truncate(self.names.len());
                observation.is = is;
                observation.shown = shown.filter(|_| want.shown);
                if want.types {
                    observation.types = types;
                }
                if want.value {
                    observation.subclasses = subclasses;
                }
                let value = value.filter(|_| want.value).map(|value| self.room.value(value));
                let text = text.filter(|_| want.text).map(|text| self.room.value(text));
                StepOutcome::Value { value, text }
            }
            Ok(Body::Raised(raised)) => StepOutcome::Raised(raised),
            Ok(Body::Missing(missing)) => StepOutcome::Missing(missing),
            Ok(_) => StepOutcome::Halted(Halt::Protocol("it does not answer `run` with `done`".to_owned())),
            Err(halt) => StepOutcome::Halted(halt),
        };
        self.room.observation(observation)
    }
}
