//! Mistakes that show when a submission is loaded.

use super::{Reach, Traits};
use crate::messages::Message;

/// A mistake that shows when a submission is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum LoadMistake {
    /// A file has a syntax error.
    Syntax,
    /// A file has syntax of a newer interpreter.
    NewerSyntax {
        /// The syntax.
        what: String,
        /// The first version that has it.
        since: String,
        /// The version that was found.
        version: String,
    },
    /// Loading raised an exception before everything required was defined.
    Loading,
    /// The submission asks for input while it is loaded.
    AsksInput,
    /// A module is not available.
    NoModule {
        /// The name of the module.
        name: String,
    },
    /// A package is not one of those that the exercise allows.
    NotAllowed {
        /// The name of its module.
        name: String,
    },
    /// A file of the submission is missing.
    NoFile {
        /// The name of the file.
        file: String,
    },
    /// A program is missing.
    NoProgram {
        /// The file of the program.
        file: String,
    },
}

#[warn(clippy::wildcard_enum_match_arm)]
impl LoadMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            LoadMistake::Syntax => Message::new("mistake-syntax"),
            LoadMistake::NewerSyntax { what, since, version } => Message::new("mistake-newer-syntax")
                .with("what", what)
                .with("since", since)
                .with("version", version),
            LoadMistake::Loading => Message::new("mistake-loading"),
            LoadMistake::AsksInput => Message::new("mistake-asks-input"),
            LoadMistake::NoModule { name } => Message::new("mistake-no-module").with("name", name),
            LoadMistake::NotAllowed { name } => Message::new("mistake-not-allowed").with("name", name),
            LoadMistake::NoFile { file } => Message::new("mistake-no-file").with("file", file),
            LoadMistake::NoProgram { file } => Message::new("mistake-no-program").with("file", file),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        Traits::plain(match self {
            LoadMistake::NoProgram { .. } => Reach::Submission,
            LoadMistake::Syntax
            | LoadMistake::NewerSyntax { .. }
            | LoadMistake::Loading
            | LoadMistake::AsksInput
            | LoadMistake::NoModule { .. }
            | LoadMistake::NotAllowed { .. }
            | LoadMistake::NoFile { .. } => Reach::Case,
        })
    }
}
