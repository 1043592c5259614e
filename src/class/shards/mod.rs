//! A class on more than one machine: which submissions are dealt to whom, and how verdicts come together
//! again.
//!
//! Start with [`Shard`], the part of a machine. The machine works on an [`Outpost`]: a copy of the class's
//! database on its own disk, because locks are unreliable on network file systems. It publishes what it
//! graded as a whole database in the folder `shards` of the class. [`take_in`] takes that into the database
//! of the class, once `checking` has found that it can be.

mod checking;
mod deal;
mod outpost;
mod snapshot;
mod taking;

pub use deal::Shard;
pub use outpost::Outpost;
pub use taking::{TakenShards, take_in};

#[cfg(test)]
mod tests;
