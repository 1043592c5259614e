//! What is not written to, and how that is said.

use std::io::{self, ErrorKind};
use std::path::Path;

/// The treatment of a file that has the name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Replaced,
    Refused,
}

/// The treatment of a missing folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingFolder {
    Made,
    Refused,
}

pub(super) fn no_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file")
}

pub(super) fn not_regular() -> io::Error {
    io::Error::new(
        ErrorKind::InvalidInput,
        "it exists and is not a regular file; name another one, or remove it first",
    )
}

pub(super) fn is_link(path: &Path) -> io::Error {
    let shown = path.display();
    io::Error::other(format!(
        "{shown} is a link, and keur follows none where it writes; name what it leads to, or remove it first"
    ))
}

/// Whether a new file could not be made because of its name: another file is in the way, or the system does
/// not take the name.
pub(crate) fn is_about_name(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}
