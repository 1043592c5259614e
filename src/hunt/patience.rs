//! How long a hunt may still take: all that is done with a submission counts, whatever it is for.

use super::Length;
use keur_core::case::Exercise;
use keur_core::judge::{BUDGET, Settings};
use std::time::{Duration, Instant};

/// The time that a hunt of one submission may take.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Time that the submission may still take.
    left: Duration,
    /// When the hunt ends whatever it was spent on.
    until: Option<Instant>,
}

impl Patience {
    /// The patience of a hunt of this length that begins now: the submission has its total time, or the time
    /// of the hunt if that is longer than the default.
    pub fn new(length: Length, settings: &Settings, exercise: &Exercise) -> Patience {
        let (until, least) = match length {
            Length::Sessions(_) => (None, Duration::ZERO),
            Length::Time(time) => (Instant::now().checked_add(time), time),
        };
        let given = settings.limits.over(&exercise.limits).budget;
        Patience { left: given.unwrap_or(BUDGET.max(least)), until }
    }

    /// Whether the time of the hunt is over.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether the submission has taken all its time.
    pub(super) fn is_used_up(&self) -> bool {
        self.left.is_zero()
    }

    /// Whether nothing more may be tried.
    pub(super) fn is_at_an_end(&self) -> bool {
        self.is_over() || self.is_used_up()
    }

    /// Takes off the time that something took which the submission ran in.
    pub(super) fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }
}
