//! Taking in the download of a learning platform.
//!
//! [`names`] reads whose each file is, [`roster`] who should have handed in.

mod download;
mod files;
mod fingerprint;
mod lexer;
mod moment;
mod names;
mod people;
mod roster;
mod unpack;

pub use download::DownloadError;
pub use files::read_folder_digest;
pub use names::platform_id;
pub use roster::RosterError;
pub(in crate::class) use roster::{RosterColumn, columns, decoded, number_of};
