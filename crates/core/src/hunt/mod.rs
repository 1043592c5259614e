//! Tries random sessions on a submission, and makes one that differs as short as it can be.
//!
//! A case may consist of sessions, each made from a seed: see [`SessionMaker`]. A session is tried quickly where the submission's language allows that, and strictly: see [`Trials`]. One that
//! differs is shrunk by [`shortest()`], while the [`Patience`] lasts.

mod patience;
mod seeded;
mod shortest;
mod shrink;
mod trials;

pub use patience::Patience;
pub use seeded::{SessionMaker, session};
pub use shortest::{Shortest, shortest};
pub use trials::{Glimpse, Trials};
