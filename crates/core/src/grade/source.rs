//! What answers for a submission.

use crate::adapter::{Command, Fault, Source};
use crate::languages::Interpreters;
use crate::submission::{Found, Runs};

/// What answers for a submission: the given command, the program that it was built into, or the driver of its
/// language.
///
/// # Errors
/// There is no interpreter of its language, or a program should have been named.
pub fn source_of(
    found: &Found,
    command: Option<&Command>,
    interpreters: &Interpreters,
) -> Result<Source, Fault> {
    match (command, &found.runs) {
        (Some(command), _) => Ok(Source::Command(command.clone())),
        (None, Runs::Built(built)) => Ok(Source::Command(built.command.clone())),
        (None, Runs::Language(language)) => {
            let interpreter = interpreters.find(language).map_err(|error| Fault::new(error.message))?;
            Ok(Source::Engine(interpreter.engine, interpreter.program))
        }
        (None, Runs::Crate { .. }) => Err(Fault::new("the crate was not built")),
        (None, Runs::Asked) => Err(Fault::new("no program was named that runs the submission")),
    }
}
