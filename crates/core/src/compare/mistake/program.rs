//! Mistakes in a run of a program, and in the files that a step leaves.

use super::Mistake;
use crate::messages::Message;

/// A mistake in a run of a program, or in the files that a step leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ProgramMistake {
    /// The program prints unexpected text at a turn of a dialogue.
    Dialogue,
    /// The program ended where it should wait for input.
    EndedEarly,
    /// The program ended with an unexpected status.
    Status,
    /// A file that the step should leave is wrong.
    Written {
        /// The name of the file.
        file: String,
        /// The problem.
        problem: WrittenProblem,
    },
}

/// The problem with a file that a step should leave.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum WrittenProblem {
    /// The file is missing.
    Missing,
    /// A folder has the name of the file.
    Folder,
    /// A link, or something else that is not a file, has its name; or the file cannot be read.
    Irregular,
    /// The file is larger than any file may be.
    TooLarge,
    /// The file is not text.
    Binary,
    /// The file is empty, and should not be.
    Empty,
    /// The text of the file is wrong.
    Text(Box<Mistake>),
}

#[warn(clippy::wildcard_enum_match_arm)]
impl ProgramMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            ProgramMistake::Dialogue => Message::new("mistake-dialogue"),
            ProgramMistake::EndedEarly => Message::new("mistake-ended-early"),
            ProgramMistake::Status => Message::new("mistake-status"),
            ProgramMistake::Written { file, problem } => problem.message().with("file", file),
        }
    }
}

impl WrittenProblem {
    fn message(&self) -> Message {
        match self {
            WrittenProblem::Missing => Message::new("mistake-written-missing"),
            WrittenProblem::Folder => Message::new("mistake-written-folder"),
            WrittenProblem::Irregular => Message::new("mistake-written-irregular"),
            WrittenProblem::TooLarge => Message::new("mistake-written-too-large"),
            WrittenProblem::Binary => Message::new("mistake-written-binary"),
            WrittenProblem::Empty => Message::new("mistake-written-empty"),
            WrittenProblem::Text(mistake) => {
                Message::new("mistake-written-text").with_message("what", mistake.message())
            }
        }
    }
}
