//! What a reference was seen to do in the steps of a session.

use crate::adapter::{Observation, StepOutcome, StepTranscript, Transcript};
use crate::sandbox::FolderEntry;

/// The observations of a step.
pub(super) fn observed(transcript: &Transcript, index: usize) -> &[Observation] {
    transcript.steps.get(index).map(StepTranscript::observations).unwrap_or_default()
}

/// Whether two replays saw the same of a step.
pub(super) fn are_same(one: &Transcript, other: &Transcript, index: usize) -> bool {
    let same = |(one, other): (&Observation, &Observation)| match (&one.outcome, &other.outcome) {
        (StepOutcome::Value { value: one, .. }, StepOutcome::Value { value: other, .. }) => one == other,
        (one, other) => raises(one) == raises(other),
    };
    let files = |seen: &Transcript| seen.steps.get(index).and_then(|step| step.files.clone());
    observed(one, index).iter().zip(observed(other, index)).all(same) && files(one) == files(other)
}

/// The text of a file that a step left, without its last newline, as cases write it; `None` if it is no text.
pub(super) fn written_text(seen: &StepTranscript, name: &str) -> Option<String> {
    let found = seen.files.iter().flatten().find(|file| file.name == name)?;
    let FolderEntry::File(bytes) = &found.entry else { return None };
    let text = std::str::from_utf8(bytes).ok()?.replace("\r\n", "\n");
    Some(text.strip_suffix('\n').map_or(text.clone(), str::to_owned))
}

/// Whether a line raised.
pub(super) fn raises(outcome: &StepOutcome) -> bool {
    matches!(outcome, StepOutcome::Raised(_))
}
