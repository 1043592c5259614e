//! How long a hunt may still take: all that is done with a submission counts, whatever it is for.

use crate::sandbox::clock::Instant;
use std::time::Duration;

/// The time that a hunt of one submission may take.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Time that the submission may still take.
    left: Duration,
    /// When the hunt ends whatever it was spent on.
    until: Option<Instant>,
}

impl Patience {
    /// Time that the submission may take, until this instant if there is one.
    pub fn new(left: Duration, until: Option<Instant>) -> Patience {
        Patience { left, until }
    }

    /// Whether the time of the hunt is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// When the hunt ends, if that is fixed.
    pub fn until(&self) -> Option<Instant> {
        self.until
    }

    /// The time until the hunt ends, if that is fixed.
    pub(super) fn until_the_end(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether the submission has taken all its time.
    pub fn is_used_up(&self) -> bool {
        self.left.is_zero()
    }

    /// Whether nothing more may be tried.
    pub fn is_at_an_end(&self) -> bool {
        self.is_over() || self.is_used_up()
    }

    /// Takes off the time that something took which the submission ran in.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }
}
