//! Taking in the download of a learning platform: from its files to the rows of a class's database.
//!
//! [`admit()`] does all of it. `download` opens a folder or a zip, and sorts it out by student with `names`, which knows what
//! each platform writes. `unpack` gets the files of an attempt out of zips, and `enrol` finds the student, with the `roster` if there is one.

mod admit;
mod cases;
mod download;
mod enrol;
mod error;
mod files;
mod moment;
mod names;
mod people;
mod roster;
mod unpack;

pub use admit::{IntakeRequest, IntakeSummary, admit};
pub use download::DownloadError;
pub use error::IntakeError;
pub use files::{read_folder_digest, read_submission_digest};
pub use names::platform_id;
pub(in crate::class) use roster::{RosterColumn, columns, decoded};
pub use roster::{RosterError, number_of};
