//! The attempts of a student in order, the last of which counts.
//!
//! The number or the time that a platform gives decides. Without one, what is given later was handed in
//! later.

use super::names::Platform;
use crate::class::data::Taken;
use crate::class::reading::refusal_of;
use keur_core::named::Named;
use keur_core::submission::FilesProblem;
use std::cmp::Ordering;

/// The attempts of a student after downloads were taken in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OrderedAttempts {
    /// The attempts, numbered from 1. The last counts.
    pub(super) attempts: Vec<Taken>,
    /// The number of given submissions that are known.
    pub(super) known: usize,
    /// The number of new attempts that the platform places before one that the class had.
    pub(super) earlier: usize,
    /// How it was decided which one counts, if the downloads do not say it.
    pub(super) undated: Option<UndatedAttempt>,
}

/// How it was decided whether an attempt counts, where the downloads do not say which is the later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UndatedAttempt {
    /// The attempt counts, since it was given last.
    GivenLast,
    /// The attempt that counts is not this one: the roster has no time after the other's.
    NotLater,
}

/// Puts submissions that were given, in this order, among the attempts of a student. `listed` is the time at
/// which the student handed in last, by a roster that was given with them.
pub(super) fn ordered(stored: &[Taken], mut given: Vec<Taken>, listed: Option<i64>) -> OrderedAttempts {
    let mut done = OrderedAttempts { attempts: stored.to_vec(), ..OrderedAttempts::default() };
    let mut is_outdated = false;
    if let (Some(time), Some(last)) = (listed, given.last_mut())
        && !has_moment(last)
    {
        let latest = stored.iter().filter_map(|taken| taken.handed_in).max();
        let order = latest.map_or(Ordering::Greater, |latest| time.cmp(&latest));
        let counts = stored.last().is_some_and(|counts| is_same(counts, last));
        is_outdated = !counts
            && match order {
                Ordering::Less => true,
                // The roster may be older than the download.
                Ordering::Equal => stored.iter().any(|taken| is_same(taken, last)),
                Ordering::Greater => false,
            };
        if order != Ordering::Equal {
            last.handed_in = Some(time);
        }
    }
    let repeated = repeated(stored, &given);
    for (place, taken) in given.into_iter().enumerate() {
        let attempts = &mut done.attempts;
        let later = attempts.iter().position(|other| compare(other, &taken) == Some(Ordering::Greater));
        let later = later.or((is_outdated && !has_moment(&taken)).then(|| attempts.len() - 1));
        let last = attempts.last();
        let is_dated = last.is_none_or(|last| compare(&taken, last) == Some(Ordering::Greater));
        let is_same = |other: &Taken| is_same(other, &taken);
        let is_known = match later {
            Some(_) => attempts.iter().any(is_same),
            None => {
                let same_moment = |other: &Taken| compare(other, &taken) == Some(Ordering::Equal);
                last.is_some_and(is_same)
                    || attempts.iter().any(|other| is_same(other) && same_moment(other))
                    || (!is_dated && place < repeated)
            }
        };
        match later {
            _ if is_known => {
                done.known += 1;
                if let Some(last) = attempts.last_mut().filter(|last| later.is_none() && is_same(last)) {
                    raise(last, taken);
                }
            }
            Some(later) => {
                done.earlier += 1;
                attempts.insert(later, taken);
            }
            None => {
                let replaces = last.is_some_and(|last| !is_contested(last));
                done.undated = (replaces && !is_dated).then_some(UndatedAttempt::GivenLast);
                attempts.push(taken);
            }
        }
    }
    if is_outdated {
        done.undated = Some(UndatedAttempt::NotLater);
    }
    if let (Some(time), Some((last, before))) = (listed, done.attempts.split_last_mut()) {
        // The roster may be older than the attempt.
        if last.handed_in.is_none() && !is_contested(last) && is_after_all(time, before) {
            last.handed_in = Some(time);
        }
    }
    for (attempt, taken) in (1..).zip(&mut done.attempts) {
        taken.attempt = attempt;
    }
    done
}

/// Whether a submission that is given is the same as an attempt of the student, whatever an instructor chose
/// or changed in that.
pub(super) fn is_same(attempt: &Taken, given: &Taken) -> bool {
    attempt.received == given.received
}

/// Gives the last attempt the moment at which the same was handed in again.
fn raise(attempt: &mut Taken, again: Taken) {
    let is_first = !has_moment(attempt) && has_moment(&again);
    if !is_first && compare(&again, attempt) != Some(Ordering::Greater) {
        return;
    }
    (attempt.handed_in, attempt.marked_late) = (again.handed_in, again.marked_late);
    if again.platform.is_some() && (attempt.platform.is_none() || attempt.platform == again.platform) {
        (attempt.original, attempt.platform, attempt.platform_id) =
            (again.original, again.platform, again.platform_id);
    }
}

/// Whether an attempt stands for a submission whose files are not certain.
pub(super) fn is_contested(taken: &Taken) -> bool {
    refusal_of(taken.problem.as_deref()) == Some(FilesProblem::Contested)
}

/// How many of the first submissions that are given only repeat what the class has, up to the one that
/// counts.
fn repeated(stored: &[Taken], given: &[Taken]) -> usize {
    let repeats = |count: &usize| {
        let Some((last, first)) = given[..*count].split_last() else { return false };
        let Some((counts, mut before)) = stored.split_last() else { return false };
        is_same(counts, last)
            && first.iter().all(|taken| match before.iter().position(|other| is_same(other, taken)) {
                Some(place) => {
                    before = &before[place + 1..];
                    true
                }
                None => false,
            })
    };
    (1..=given.len()).rev().find(repeats).unwrap_or_default()
}

/// Which of two attempts the platform says is the later one; `None` if it does not say so of both.
fn compare(one: &Taken, other: &Taken) -> Option<Ordering> {
    let numbers = number(one).zip(number(other)).filter(|_| one.platform == other.platform);
    let by_number = numbers.map(|(one, other)| one.cmp(&other));
    by_number.or_else(|| Some(one.handed_in?.cmp(&other.handed_in?)))
}

/// The platform's number of an attempt, if it gives them.
fn number(taken: &Taken) -> Option<u64> {
    Platform::from_name(taken.platform.as_deref()?)?.attempt_number(&taken.original)
}

fn has_moment(taken: &Taken) -> bool {
    taken.handed_in.is_some() || number(taken).is_some()
}

fn is_after_all(time: i64, attempts: &[Taken]) -> bool {
    attempts.iter().filter_map(|taken| taken.handed_in).all(|before| time > before)
}

#[cfg(test)]
mod tests {
    use super::{OrderedAttempts, UndatedAttempt, ordered};
    use crate::class::data::Taken;

    /// Attempts of a student, each as the letter of its files with the platform's time, as in `a B2`; with
    /// `#` a number of Canvas.
    fn attempts(text: &str) -> Vec<Taken> {
        let attempt = |(number, text): (u32, &str)| {
            let (files, moment) = text.split_at(1);
            let number_of = moment.strip_prefix('#').map(|number| format!("libo_102_{number}_prime.py"));
            Taken {
                attempt: number,
                received: files.to_owned(),
                handed_in: moment.parse().ok(),
                platform: number_of.as_ref().map(|_| "canvas".to_owned()),
                original: number_of.unwrap_or_default(),
                ..Taken::default()
            }
        };
        (1..).zip(text.split_whitespace()).map(attempt).collect()
    }

    fn shown(attempts: &[Taken]) -> String {
        let shown = attempts.iter().map(|taken| {
            let number = taken.original.split('_').nth(2).map(|number| format!("#{number}"));
            let time = taken.handed_in.map(|time| time.to_string());
            format!("{}{}", taken.received, number.or(time).unwrap_or_default())
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Checks the order of attempts when others are given, with the time in a roster; given again, they add
    /// nothing.
    #[track_caller]
    fn check(stored: &str, given: &str, listed: Option<i64>, expected: &str) -> OrderedAttempts {
        let done = ordered(&attempts(stored), attempts(given), listed);
        assert_eq!(shown(&done.attempts), expected, "{stored} + {given}");
        assert!(done.attempts.iter().zip(1..).all(|(taken, number)| taken.attempt == number));
        let again = ordered(&done.attempts, attempts(given), listed);
        assert_eq!(shown(&again.attempts), expected, "{stored} + {given}, again");
        assert_eq!((again.known, again.earlier), (attempts(given).len(), 0));
        done
    }

    #[test]
    fn without_a_number_or_a_time_what_is_given_last_counts() {
        for (stored, given, expected) in
            [("a b", "a", "a b a"), ("a", "b", "a b"), ("a b c", "a c b", "a b c b")]
        {
            let done = check(stored, given, None, expected);
            assert_eq!(done.undated, Some(UndatedAttempt::GivenLast), "{stored} + {given}");
        }
        for (stored, given, expected) in [("", "a", "a"), ("a b", "b", "a b"), ("a b c", "a c", "a b c")] {
            assert_eq!(check(stored, given, None, expected).undated, None, "{stored} + {given}");
        }
        check("a b", "a b a", None, "a b a");
        check("a b a", "a b", None, "a b a b");
    }

    #[test]
    fn the_time_or_the_number_of_the_platform_decides() {
        for (stored, given, expected) in [
            ("a1 b2", "a1", "a1 b2"),
            ("a1 b2", "a3", "a1 b2 a3"),
            ("a1 b2", "b3", "a1 b3"),
            ("a", "a3", "a3"),
            ("a1 b2", "a3 b4", "a1 b2 a3 b4"),
            ("b2", "a1", "a1 b2"),
            ("b2 c4", "a1 d3", "a1 b2 d3 c4"),
            ("a#9 b#10", "a#11", "a#9 b#10 a#11"),
            ("a#9 b#10", "a#9", "a#9 b#10"),
            ("b#10", "a#9", "a#9 b#10"),
            ("b#9", "b#10", "b#10"),
        ] {
            assert_eq!(check(stored, given, None, expected).undated, None, "{stored} + {given}");
        }
        assert_eq!(check("b2", "a1", None, "a1 b2").earlier, 1);
        // Of one minute, or where only one has a time.
        for (stored, given, expected) in [("a1", "b1", "a1 b1"), ("a1 b", "a2", "a1 b a2")] {
            let done = check(stored, given, None, expected);
            assert_eq!(done.undated, Some(UndatedAttempt::GivenLast), "{stored} + {given}");
        }
    }

    /// All orders of 0 up to `count`.
    fn orders(count: usize) -> Vec<Vec<usize>> {
        let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
        let with_last = |order: Vec<usize>| {
            (0..count).map(move |place| [&order[..place], &[last], &order[place..]].concat())
        };
        orders(last).into_iter().flat_map(with_last).collect()
    }

    #[test]
    fn the_latest_attempt_counts_in_whatever_order_they_are_given() {
        const ATTEMPTS: usize = 4;
        let orders = orders(ATTEMPTS);
        for files in 0..2_usize.pow(ATTEMPTS as u32) {
            let letter = |place: usize| ["a", "b"][files >> place & 1];
            for order in &orders {
                for mark in ["", "#"] {
                    let attempt = |place: &usize| format!("{}{mark}{}", letter(*place), place + 1);
                    let mut stored = Vec::new();
                    let mut with_roster = Vec::new();
                    for place in order {
                        stored = ordered(&stored, attempts(&attempt(place)), None).attempts;
                        let listed = i64::try_from(place + 1).unwrap();
                        with_roster = ordered(&with_roster, attempts(letter(*place)), Some(listed)).attempts;
                    }
                    let given: Vec<String> = order.iter().map(attempt).collect();
                    let together = ordered(&[], attempts(&given.join(" ")), None).attempts;
                    for attempts in [stored, together] {
                        let counts = shown(&attempts[attempts.len() - 1..]);
                        assert_eq!(counts, attempt(&(ATTEMPTS - 1)), "{given:?}: {}", shown(&attempts));
                    }
                    let counts = shown(&with_roster[with_roster.len() - 1..]);
                    let expected = format!("{}{ATTEMPTS}", letter(ATTEMPTS - 1));
                    assert_eq!(counts, expected, "{given:?} with a roster: {}", shown(&with_roster));
                }
            }
        }
    }

    #[test]
    fn a_roster_that_is_given_too_says_when_the_last_one_was_handed_in() {
        let outdated = Some(UndatedAttempt::NotLater);
        for (stored, given, listed, expected, undated) in [
            ("", "a", 1, "a1", None),
            ("a", "a", 1, "a1", None),
            ("a1", "b", 2, "a1 b2", None),
            ("a1 b2", "a", 3, "a1 b2 a3", None),
            ("a1 b2", "b", 3, "a1 b3", None),
            ("a3", "b", 2, "b2 a3", outdated),
            ("a1 b2", "a", 2, "a1 b2", outdated),
            ("a1 b2", "c a", 1, "a1 c b2", outdated),
            // The roster may be older than what it is given with.
            ("a1", "b", 1, "a1 b", Some(UndatedAttempt::GivenLast)),
            ("a1 b2", "", 3, "a1 b2", None),
        ] {
            let done = check(stored, given, Some(listed), expected);
            assert_eq!(done.undated, undated, "{stored} + {given}, {listed}");
        }
    }
}
