//! Taking in the download of a learning platform: from its files to the rows of a class's database.
//!
//! [`admit()`] does all of it. `download` opens a folder or a zip, `sorting` sorts it out by student with
//! `names`, which knows what each platform writes. `unpack` gets the files of an attempt out of zips, and
//! `owners` finds the students, with `enrol` and the `roster` if there is one. `attempts` says which of a
//! student's attempts counts.

mod admit;
mod answered;
mod attempts;
mod cases;
mod download;
mod draft;
mod enrol;
mod error;
mod files;
mod logins;
mod moment;
mod names;
mod owners;
mod people;
mod request;
mod roster;
mod sorting;
mod summary;
mod unpack;
mod unread;

pub use admit::admit;
pub use download::DownloadError;
pub use error::IntakeError;
pub use files::{read_folder_digest, read_submission_digest};
pub use names::NamedBy;
pub(in crate::class) use people::key as name_key;
pub use request::IntakeRequest;
pub use roster::RosterError;
pub(in crate::class) use roster::{RosterColumn, columns, decoded, number_of};
pub use sorting::{SortedFile, sort_by_name};
pub use summary::{EntryConflict, IntakeSummary};
