//! Tries random sessions on a submission, and makes one that differs as short as it can be.
//!
//! A session is tried quickly where the submission's language allows that, and strictly: see [`Trials`]. One that
//! differs is shrunk by [`shortest`], while the [`Patience`] lasts.

mod patience;
mod shortest;
mod shrink;
mod trials;

pub use patience::Patience;
pub use shortest::{Shortest, shortest};
pub use trials::{Glimpse, Trials};
