//! Classes: submissions taken in from a learning platform, graded with an embedded database that forgets nothing, and
//! reported.
//!
//! [`ClassFolder`] is the folder of a class. [`Store`] is its database, the truth about it: who handed in what, and every verdict by
//! what it rests on, so that a run grades only what is not yet known.

mod data;
mod digest;
mod folder;
mod intake;
mod late;
mod settings;
mod store;

pub use data::{Attempt, ClassJudge, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey};
pub use digest::{KeyDigest, digest};
pub use folder::ClassFolder;
pub use intake::{DownloadError, RosterError, platform_id, read_folder_digest};
pub use late::{LateRule, PenaltyBase, Percentage};
pub use settings::{ClassSettings, SettingsError};
pub use store::{Access, Store, StoreError};
