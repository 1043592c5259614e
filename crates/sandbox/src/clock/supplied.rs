//! A clock that the program supplies.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<&'static dyn Clock> = OnceLock::new();

/// A clock that never goes back.
pub trait Clock: Sync {
    /// The time since some moment, which is the same for all calls.
    fn now(&self) -> Duration;

    /// Returns when this time has passed.
    fn sleep(&self, time: Duration);
}

/// Supplies the clock for the whole life of this program; without one no time passes, so that no limit of
/// time is ever reached.
///
/// # Errors
/// The clock that was supplied before is kept; this one is given back.
pub fn supply(clock: &'static dyn Clock) -> Result<(), &'static dyn Clock> {
    CLOCK.set(clock)
}

/// Returns when this time has passed.
pub fn sleep(time: Duration) {
    if let Some(clock) = CLOCK.get() {
        clock.sleep(time);
    }
}

/// A moment, as far as this crate needs [`std::time::Instant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The present moment.
    pub fn now() -> Instant {
        Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock.now()))
    }

    /// The time from `earlier` to this moment; none if that is later.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Instant, sleep, supply};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// A clock that goes only while somebody sleeps, in milliseconds.
    struct Slept(AtomicU64);

    impl Clock for Slept {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.load(Ordering::Relaxed))
        }

        fn sleep(&self, time: Duration) {
            let millis = u64::try_from(time.as_millis()).unwrap();
            self.0.fetch_add(millis, Ordering::Relaxed);
        }
    }

    #[test]
    fn time_is_that_of_the_supplied_clock() {
        const MINUTE: Duration = Duration::from_secs(60);
        static CLOCK: Slept = Slept(AtomicU64::new(5));
        let before = Instant::now();
        sleep(MINUTE);
        assert_eq!(before.elapsed(), Duration::ZERO);
        assert!(supply(&CLOCK).is_ok());
        let begun = Instant::now();
        sleep(MINUTE);
        assert_eq!(begun.elapsed(), MINUTE);
        assert_eq!(Instant::now().saturating_duration_since(begun), MINUTE);
        assert_eq!(begun.saturating_duration_since(Instant::now()), Duration::ZERO);
        assert!(begun < Instant::now() && Instant::now() == begun + MINUTE);
        assert!(supply(&CLOCK).is_err());
    }
}
