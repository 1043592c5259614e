//! What answers for a submission.

use crate::adapter::{Fault, Source};
use crate::languages::Interpreters;
use crate::submission::{Found, Product, Runner};

/// The program or driver that answers for a submission: the program that runs it, or the driver of its
/// language.
///
/// # Errors
/// There is no interpreter of its language.
pub fn source_of(found: &Found, interpreters: &Interpreters) -> Result<Source, Fault> {
    match &found.runner {
        Runner::Driver(language) => {
            let interpreter = interpreters.find(language).map_err(|error| Fault::new(error.message))?;
            Ok(Source::Engine(interpreter.engine, interpreter.program))
        }
        Runner::Crate { .. } => Err(Fault::new("the crate was not built")),
        Runner::Built(built) => Ok(match &built.product {
            Product::Program(words) => Source::Built(words.clone()),
            Product::Library(library) => Source::Library(library.clone()),
        }),
        Runner::Program { command, .. } => Ok(Source::Trusted(command.clone())),
    }
}
