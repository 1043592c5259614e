//! How a command on a class ends that cannot go on.

use crate::class::{ClassError, SettingsError, StoreError};
use crate::cli::args::StyleArgs;
use crate::cli::exit::{RunStatus, library_error};
use crate::cli::{grade, output, underlined};
use std::io;

/// Prints why something cannot be done with a class, and returns the exit code.
pub(super) fn failed(error: &ClassError, style: &StyleArgs) -> RunStatus {
    let exit = match error {
        ClassError::Store(StoreError::NoClass(_)) => RunStatus::Usage,
        ClassError::Settings(SettingsError::Bad(errors)) => {
            output::err(&underlined(errors, output::colour(style.color, io::stderr())));
            return RunStatus::BadCase;
        }
        ClassError::Cases(error) => return library_error(error, style),
        ClassError::Request(error) => return grade::refused(error, style),
        ClassError::Store(
            StoreError::Busy(_)
            | StoreError::Failed(_)
            | StoreError::DamagedRows { .. }
            | StoreError::Foreign { .. },
        )
        | ClassError::Settings(SettingsError::Unreadable(_) | SettingsError::Weaker(_))
        | ClassError::Fault(_) => RunStatus::Fault,
    };
    output::err(&format!("error: {error}\n"));
    exit
}
