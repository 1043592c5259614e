//! The penalty for handing in late.

use keur_core::case::Points;
use keur_core::event::Late;
use keur_core::named;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A share of something, in hundredths of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percentage(u32);

impl Percentage {
    /// All of it.
    pub const WHOLE: Percentage = Percentage(100 * 100);

    /// Reads a percentage from 0 to 100 with at most two decimals, such as `10%`.
    ///
    /// # Errors
    /// A sentence that shows how to write it.
    pub fn parse(text: &str) -> Result<Percentage, String> {
        let number = text.strip_suffix('%').map(str::trim_end).and_then(Points::parse);
        let share = number.and_then(|number| u32::try_from(number.hundredths()).ok()).map(Percentage);
        share
            .filter(|share| *share <= Percentage::WHOLE)
            .ok_or_else(|| format!("`{text}` is not a percentage from 0% to 100%; write it like `10%`"))
    }

    /// `times` such shares of `points`, at most the share `most`; rounded half up to a hundredth.
    fn of(self, points: Points, times: u64, most: Percentage) -> Points {
        let share = u64::from(self.0).saturating_mul(times).min(u64::from(most.0));
        Points::from_hundredths(share).scaled(Points::from_hundredths(u64::from(Percentage::WHOLE.0)), points)
    }
}

/// The points from which the shares of a [`LateRule`] are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PenaltyBase {
    /// The highest possible grade, so that a day costs everyone the same.
    #[default]
    Possible,
    /// The points that the submission earns.
    Earned,
}

named!(PenaltyBase {
    Possible = "possible",
    Earned = "earned",
});

/// The rule for submissions that are handed in after they are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateRule {
    /// When submissions of students are due for whom the roster has no date, in seconds since 1970 (UTC).
    pub due: Option<i64>,
    /// The time after `due` in which a submission costs nothing.
    pub grace: Duration,
    /// The share that each day costs; a day that has begun costs a whole one.
    pub per_day: Percentage,
    /// The largest share that being late costs.
    pub at_most: Percentage,
    /// The time after `due` from which a submission earns nothing.
    pub nothing_after: Option<Duration>,
    /// The points from which the shares are taken.
    pub base: PenaltyBase,
}

impl Default for LateRule {
    fn default() -> LateRule {
        LateRule {
            due: None,
            grace: Duration::ZERO,
            per_day: Percentage::default(),
            at_most: Percentage::WHOLE,
            nothing_after: None,
            base: PenaltyBase::default(),
        }
    }
}

impl LateRule {
    /// The penalty of a submission that was `due` and `handed_in` at these times, in seconds since 1970, and
    /// earns `earned` of `possible` points; `None` if it is in time.
    pub fn penalty(&self, due: i64, handed_in: i64, earned: Points, possible: Points) -> Option<Late> {
        let by = Duration::from_secs(u64::try_from(handed_in.saturating_sub(due)).unwrap_or(0));
        if by.is_zero() {
            return None;
        }
        if by <= self.grace {
            return Some(Late { by: Some(by), lost: Points::ZERO });
        }
        if self.nothing_after.is_some_and(|limit| by > limit) {
            return Some(Late { by: Some(by), lost: earned });
        }
        let days = by.as_secs().div_ceil(DAY.as_secs());
        Some(Late { by: Some(by), lost: self.lost(days, earned, possible) })
    }

    /// The penalty of a submission that the learning platform marks as late, without a time: that of the
    /// shortest lateness, which is one day that has begun.
    pub fn penalty_of_mark(&self, earned: Points, possible: Points) -> Late {
        Late { by: None, lost: self.lost(1, earned, possible) }
    }

    /// The points that so many days cost.
    fn lost(&self, days: u64, earned: Points, possible: Points) -> Points {
        let base = match self.base {
            PenaltyBase::Possible => possible,
            PenaltyBase::Earned => earned,
        };
        self.per_day.of(base, days, self.at_most).min(earned)
    }
}

/// Reads how late something is, such as `15min`, `2h` or `7d`.
///
/// # Errors
/// A sentence that shows how to write it.
pub(super) fn parse_lateness(text: &str) -> Result<Duration, String> {
    let not_a_time = || format!("`{text}` is not a time; write it like `15min`, `2h` or `7d`");
    let end = text.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: u32 = number.parse().map_err(|_| not_a_time())?;
    let unit = match unit.trim_start() {
        "s" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        "h" => Duration::from_secs(60 * 60),
        "d" => DAY,
        _ => return Err(not_a_time()),
    };
    Ok(unit * number)
}

#[cfg(test)]
mod tests {
    use super::{LateRule, PenaltyBase, Percentage, parse_lateness};
    use keur_core::case::Points;
    use std::time::Duration;

    const HOUR: i64 = 60 * 60;

    fn lost(rule: &LateRule, hours: i64, earned: u64) -> Option<String> {
        let earned = Points::from_hundredths(earned);
        let possible = Points::from_hundredths(2000);
        rule.penalty(1000, 1000 + hours * HOUR, earned, possible).map(|late| late.lost.to_string())
    }

    #[test]
    fn a_day_that_has_begun_counts_up_to_the_most_and_then_nothing_is_left() {
        let rule = LateRule {
            grace: Duration::from_secs(2 * 60 * 60),
            per_day: Percentage::parse("10%").unwrap(),
            at_most: Percentage::parse("50 %").unwrap(),
            nothing_after: Some(Duration::from_secs(10 * 24 * 60 * 60)),
            ..LateRule::default()
        };
        let expected = [
            (-5, None),
            (0, None),
            (2, Some("0")),
            (3, Some("2")),
            (24, Some("2")),
            (25, Some("4")),
            (9 * 24, Some("10")),
            (10 * 24, Some("10")),
            (10 * 24 + 1, Some("15")),
        ];
        for (hours, expected) in expected {
            assert_eq!(lost(&rule, hours, 1500).as_deref(), expected, "{hours} hours");
        }
        assert_eq!(lost(&rule, 9 * 24, 300).as_deref(), Some("3"), "never more than was earned");
        let points = Points::from_hundredths;
        let marked = |earned| rule.penalty_of_mark(points(earned), points(2000)).lost.to_string();
        assert_eq!((marked(1500).as_str(), marked(150).as_str()), ("2", "1.5"), "a mark counts as one day");
        let rule = LateRule { base: PenaltyBase::Earned, ..rule };
        assert_eq!(lost(&rule, 25, 1555).as_deref(), Some("3.11"));
    }

    #[test]
    fn texts_that_are_no_share_or_no_time_are_refused() {
        for text in ["", "10", "-1%", "101%", "0.005%", "ten%", "%"] {
            assert!(Percentage::parse(text).is_err(), "{text}");
        }
        assert_eq!(parse_lateness("15 min"), Ok(Duration::from_secs(900)));
        assert_eq!(parse_lateness("7d"), Ok(Duration::from_secs(7 * 86_400)));
        for text in ["", "1", "d", "1.5h", "-1d", "1 week", "99999999999d"] {
            assert!(parse_lateness(text).is_err(), "{text}");
        }
    }
}
