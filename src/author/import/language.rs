//! The languages whose sessions can be read: a file and a row each.

use super::answer::SeenValue;
use super::ask::AskLine;
use super::javascript::JavaScriptSession;
use super::names::SessionNames;
use super::prompts::{PastedEntry, PromptKind};
use super::python::PythonSession;
use keur_core::languages::{Language, Tokens};
use keur_core::value::Value;

/// Every language whose sessions can be read. A session that could be in several is in the first.
pub(super) static SESSION_LANGUAGES: [&dyn SessionLanguage; 2] = [&PythonSession, &JavaScriptSession];

/// A language whose sessions can be read.
pub(super) trait SessionLanguage: Sync {
    fn language(&self) -> &'static Language;

    fn tokens(&self) -> &'static dyn Tokens;

    /// The prompt of the language's own interpreter.
    fn prompt(&self) -> PromptKind;

    /// The number of signs that what is typed at a prompt, and what is printed below, is of this language.
    fn signs(&self, entry: &PastedEntry) -> usize;

    /// The lines of a case for what is typed at a prompt, and how the value of each is shown; none if it only
    /// imports.
    ///
    /// # Errors
    /// The first part that the language of cases does not have.
    fn case_lines(&self, code: &str, names: &mut SessionNames<'_>) -> Result<Vec<AskLine>, String>;

    /// The same as code of the language, where a case can have that. The code binds the names that are used
    /// `later`; `written` says whether the prompt wrote anything.
    ///
    /// # Errors
    /// The first part that the case cannot have.
    fn native_lines(
        &self,
        code: &str,
        names: &mut SessionNames<'_>,
        _later: &dyn Fn(&str) -> bool,
        _written: bool,
    ) -> Result<Vec<AskLine>, String> {
        self.case_lines(code, names)
    }

    /// Whether the last line of an output says that there is no value.
    fn is_no_value(&self, _line: &str) -> bool {
        false
    }

    /// An object of the submission's own type, as the prompt writes it.
    fn object(&self, text: &str, names: &SessionNames<'_>) -> Option<SeenValue>;

    /// The value of a literal.
    fn literal(&self, text: &str, names: &SessionNames<'_>) -> Option<Value>;

    /// The exception that an output ends with. If the output is not `closed`, words may follow it that do not
    /// belong to it.
    fn exception(&self, output: &[String], closed: bool) -> Option<SeenException>;
}

/// An exception in an output.
pub(super) struct SeenException {
    /// The index of the line where it begins.
    pub(super) at: usize,
    /// The line with its type and message.
    pub(super) line: String,
    /// Further lines of the message.
    pub(super) more: Vec<String>,
}

/// The language with this prompt.
pub(super) fn with_prompt(prompt: PromptKind) -> &'static dyn SessionLanguage {
    let found = SESSION_LANGUAGES.into_iter().find(|language| language.prompt() == prompt);
    found.unwrap_or(SESSION_LANGUAGES[0])
}

#[cfg(test)]
mod tests {
    use super::SESSION_LANGUAGES;
    use crate::author::show::has_prompt;
    use keur_core::languages::{LANGUAGES, SESSIONS};

    #[test]
    fn sessions_of_each_language_of_sessions_are_read_and_shown() {
        assert_eq!(SESSION_LANGUAGES.map(|language| language.language().name), SESSIONS);
        let shown = LANGUAGES.iter().filter(|language| has_prompt(language));
        assert_eq!(shown.map(|language| language.name).collect::<Vec<_>>(), SESSIONS);
    }
}
