//! Classes: submissions taken in from a learning platform, graded with an embedded database that forgets nothing, and
//! reported.
//!
//! [`ClassFolder`] is the folder of a class. [`Store`] is its database, the truth about it: who handed in what, and every verdict by
//! what it rests on, so that a run grades only what is not yet known.

pub mod against;
mod data;
mod feedback;
mod folder;
mod late;
mod receipt;
mod settings;
pub mod signing;
mod store;

pub use data::{Attempt, ClassJudge, CurrentCase, HandSet, KeptVerdict, Student, Taken, VerdictKey};
pub use feedback::FeedbackZip;
pub use folder::ClassFolder;
pub use late::{LateRule, PenaltyBase, Percentage};
pub use receipt::{Receipt, ReceiptRow};
pub use settings::{ClassSettings, SettingsError};
pub use store::{Access, Store, StoreError};
