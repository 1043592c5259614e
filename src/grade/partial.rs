//! The points of a case that failed: when its steps earn shares, or a check of the instructor's own gives one.

use crate::case::{Case, Expect, Points};
use crate::compare::Share;

/// The shares of a case: one for each step that expects something.
///
/// A step that expects nothing belongs to the next one that does, or to the last one: so only a case that passed earns
/// everything.
pub(super) struct Shares {
    /// The share that each step belongs to.
    share_of: Vec<usize>,
    /// How much of each share is earned so far.
    held: Vec<Share>,
    /// How much the whole case earns so far, if its steps earn no shares.
    whole: Share,
    /// The steps noted so far.
    noted: usize,
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
        Shares { share_of, held: vec![Share::ALL; count], whole: Share::ALL, noted: 0 }
    }

    /// Takes note of what the next step leaves: all if it holds.
    pub(super) fn note(&mut self, left: Share) {
        let share = self.share_of.get(self.noted).copied();
        if let Some(held) = share.and_then(|share| self.held.get_mut(share)) {
            *held = left.min(*held);
        }
        self.whole = left.min(self.whole);
        self.noted += 1;
    }

    /// What the case earns.
    pub(super) fn earned(&self, case: &Case) -> Points {
        if self.whole == Share::ALL || !case.partial {
            return self.whole.of(case.points);
        }
        self.parts(case.points)
    }

    /// The earned part of `points`: equal shares in hundredths, the first ones larger where they do not divide.
    fn parts(&self, points: Points) -> Points {
        let count = self.held.len().max(1) as u64;
        let (each, rest) = (points.hundredths() / count, points.hundredths() % count);
        let part = |index| Points::from_hundredths(each + u64::from(index < rest));
        (0..).zip(&self.held).map(|(index, held)| held.of(part(index))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Shares;
    use crate::case::Points;
    use crate::compare::Share;

    #[track_caller]
    fn check(points: u64, held: &[bool], earned: u64) {
        let held = held.iter().map(|held| if *held { Share::ALL } else { Share::NONE }).collect();
        let shares = Shares { share_of: Vec::new(), held, whole: Share::NONE, noted: 0 };
        assert_eq!(shares.parts(Points::from_hundredths(points)).hundredths(), earned);
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
