//! The lines of a session as lines of a case, with what the prompt shows of each.

/// A line of a session as a line of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskLine {
    /// The line as `do` has it.
    pub(super) line: String,
    /// The way in which the session shows its value.
    pub(super) shown: PromptShows,
    /// If the line is code of a programming language, what is beside the code.
    pub(super) native: Option<NativeCall>,
}

/// The parts of a step with code of a programming language that are beside the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NativeCall {
    pub(super) language: &'static str,
    /// The names that the code binds for later steps.
    pub(super) binds: Vec<String>,
    /// Whether the code is one expression.
    pub(super) is_expression: bool,
}

impl AskLine {
    pub(super) fn new(line: String, shown: PromptShows) -> AskLine {
        AskLine { line, shown, native: None }
    }
}

/// The way in which a session shows the value of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PromptShows {
    /// The value, as the prompt writes it.
    Value,
    /// The printed text of the value.
    Text,
    /// The text of the value, as the prompt writes a string.
    TextValue,
    /// The value as `console.log` writes it: a text as it is.
    Logged,
    /// Not at all.
    Bound,
    /// Whether it is the object of this name, or is not.
    Same(String, bool),
    /// Whether it is nothing, or is something.
    IsNone(bool),
    /// The name of its type.
    Type,
}
