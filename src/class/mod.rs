//! Classes: submissions taken in from a learning platform, graded with an embedded database that forgets nothing, and
//! reported.
//!
//! [`ClassFolder`] is the folder of a class. [`Store`] is its database, the truth about it: who handed in what, and every verdict by
//! what it rests on, so that a run grades only what is not yet known.

mod data;
mod folder;
mod shards;
mod store;

pub use data::{Attempt, CurrentCase, HandSet, ClassJudge, KeptVerdict, Student, Taken, VerdictKey};
pub use folder::ClassFolder;
pub use shards::{Outpost, Shard, TakenIn, take_in};
pub use store::{Access, Store, StoreError};
