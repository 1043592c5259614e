//! The points of a case that failed: when its steps earn shares, or a check of the instructor's own gives
//! one.

use crate::case::{Case, Expect, Points, StepNo};
use crate::compare::Share;

/// The shares of a case's points that a submission earned, whatever the number of points. By default all of
/// them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EarnedShares {
    /// The share that the whole case earns, if its steps earn no shares.
    whole: Share,
    /// The earned part of each share; empty if nothing or all of the case is earned.
    parts: Vec<Share>,
}

impl Default for EarnedShares {
    fn default() -> EarnedShares {
        EarnedShares { whole: Share::ALL, parts: Vec::new() }
    }
}

impl EarnedShares {
    /// Nothing.
    pub(super) fn none() -> EarnedShares {
        EarnedShares { whole: Share::NONE, parts: Vec::new() }
    }

    /// Whether all of the case is earned.
    pub fn is_all(&self) -> bool {
        self.whole == Share::ALL
    }

    /// The points that the case earns.
    pub fn points(&self, case: &Case) -> Points {
        if self.is_all() || !case.partial || self.parts.is_empty() {
            return self.whole.of(case.points);
        }
        self.parts_of(case.points)
    }

    /// The earned part of `points`: equal shares in hundredths, the first ones larger where they do not
    /// divide.
    fn parts_of(&self, points: Points) -> Points {
        let count = self.parts.len().max(1) as u64;
        let (each, rest) = (points.hundredths() / count, points.hundredths() % count);
        let part = |index| Points::from_hundredths(each + u64::from(index < rest));
        (0..).zip(&self.parts).map(|(index, share)| share.of(part(index))).sum()
    }
}

/// The shares of a case: one for each step that expects something.
///
/// A step that expects nothing belongs to the next one that does, or to the last one: so only a case that
/// passed earns everything.
pub(super) struct Shares {
    /// The share that each step belongs to.
    share_of: Vec<usize>,
    earned: EarnedShares,
}

impl Shares {
    /// The shares of `case`, all of which can be earned.
    pub(super) fn of(case: &Case) -> Shares {
        let expects = || case.expect.iter().map(Expect::has_any);
        let count = expects().filter(|expects| *expects).count();
        let before = expects().scan(0, |before, expects| {
            let share = *before;
            *before += usize::from(expects);
            Some(share)
        });
        let share_of = before.map(|share| share.min(count.saturating_sub(1))).collect();
        let earned = EarnedShares { whole: Share::ALL, parts: vec![Share::ALL; count] };
        Shares { share_of, earned }
    }

    /// Takes note of the most that a step leaves to be earned: all if it passed.
    pub(super) fn note(&mut self, step: StepNo, left: Share) {
        let share = self.share_of.get(step.index()).copied();
        if let Some(earned) = share.and_then(|share| self.earned.parts.get_mut(share)) {
            *earned = left.min(*earned);
        }
        self.earned.whole = left.min(self.earned.whole);
    }

    /// The shares that are earned.
    pub(super) fn earned(self) -> EarnedShares {
        if self.earned.is_all() { EarnedShares::default() } else { self.earned }
    }
}

#[cfg(test)]
mod tests {
    use super::EarnedShares;
    use crate::case::Points;
    use crate::compare::Share;

    #[track_caller]
    fn check(points: u64, steps: &[bool], earned: u64) {
        let parts = steps.iter().map(|passed| if *passed { Share::ALL } else { Share::NONE }).collect();
        let shares = EarnedShares { whole: Share::NONE, parts };
        assert_eq!(shares.parts_of(Points::from_hundredths(points)).hundredths(), earned);
    }

    #[test]
    fn shares_differ_by_a_hundredth_at_most_and_add_up() {
        check(100, &[true, true, true], 100);
        check(100, &[true, false, false], 34);
        check(100, &[false, true, false], 33);
        check(200, &[true, true, false], 134);
        check(1, &[false, true], 0);
        check(1, &[true, false], 1);
        check(0, &[true, false], 0);
        check(100, &[], 0);
    }
}
