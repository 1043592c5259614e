//! Mistakes that show when a submission is loaded.

use super::{Scope, Traits};
use crate::messages::Message;

/// A mistake that shows when a submission is loaded.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
            LoadMistake::Syntax => Message::new("mismatch-syntax"),
            LoadMistake::NewerSyntax { what, since, version } => Message::new("mismatch-newer-syntax")
                .with("what", what)
                .with("since", since)
                .with("version", version),
            LoadMistake::Loading => Message::new("mismatch-loading"),
            LoadMistake::AsksInput => Message::new("mismatch-asks-input"),
            LoadMistake::NoModule { name } => Message::new("mismatch-no-module").with("name", name),
            LoadMistake::NotAllowed { name } => Message::new("mismatch-not-allowed").with("name", name),
            LoadMistake::NoFile { file } => Message::new("mismatch-no-file").with("file", file),
            LoadMistake::NoProgram { file } => Message::new("mismatch-no-program").with("file", file),
        }
    }

    pub(super) fn traits(&self) -> Traits {
        Traits::plain(match self {
            LoadMistake::NoProgram { .. } => Scope::Submission,
            LoadMistake::Syntax
            | LoadMistake::NewerSyntax { .. }
            | LoadMistake::Loading
            | LoadMistake::AsksInput
            | LoadMistake::NoModule { .. }
            | LoadMistake::NotAllowed { .. }
            | LoadMistake::NoFile { .. } => Scope::Case,
        })
    }
}
