//! What the random sessions of every game must be.

use super::sessions::{MakeSession, RandomStep};
use crate::value::choices::{Choice, Reduction};
use crate::value::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// The number of sessions that are looked at.
pub(super) const SESSIONS: u64 = 2000;

/// The first sessions of a game.
pub(super) fn sessions(make: MakeSession) -> impl Iterator<Item = Vec<RandomStep>> {
    (0..SESSIONS).map(move |seed| make(&mut Random::new(seed)))
}

/// Every session and what is made of fewer and smaller choices passes `check`; the same choices make the same
/// session.
pub(super) fn check_sessions(make: MakeSession, check: fn(&[RandomStep])) {
    for seed in 0..SESSIONS {
        let mut random = Random::new(seed);
        let steps = make(&mut random);
        check(&steps);
        let choices = random.choices();
        assert_eq!(make(&mut Random::again(choices.clone())), steps);
        // Simpler sessions are much like others.
        if seed % 40 == 0 {
            check_simpler(make, check, choices, seed);
        }
    }
}

/// The simpler choices of a session that are tried.
const SIMPLER: usize = 40;

fn check_simpler(make: MakeSession, check: fn(&[RandomStep]), choices: Vec<Choice>, seed: u64) {
    let mut chance = Random::new(seed);
    let mut reduction = Reduction::of(choices);
    for _ in 0..SIMPLER {
        let Some(choices) = reduction.simpler() else { break };
        let mut random = Random::again(choices);
        check(&make(&mut random));
        if chance.below(2) == 0 {
            reduction.keep(random.choices());
        }
    }
}

/// Checks which events happen in the sessions, and in how many of them at least.
pub(super) fn check_counts(
    make: MakeSession,
    happens: fn(&[RandomStep]) -> Vec<&'static str>,
    least: &[(&'static str, usize)],
) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for session in sessions(make) {
        for what in happens(&session).into_iter().collect::<BTreeSet<_>>() {
            *counts.entry(what).or_default() += 1;
        }
    }
    assert!(counts.keys().eq(least.iter().map(|(what, _)| what)), "{counts:?}");
    assert!(counts.values().zip(least).all(|(count, (_, least))| count >= least), "{counts:?}");
}

/// The name of the board in `line`, and the calls on it with their arguments. A name that the value gets is
/// left out.
pub(super) fn calls(line: &str) -> (&str, Vec<(&str, &str)>) {
    let line = line.split_once(" = ").map_or(line, |(_, value)| value);
    let Some((board, mut rest)) = line.split_once('.') else { return (line, Vec::new()) };
    let mut calls = Vec::new();
    while let Some((name, after)) = rest.split_once('(') {
        let mut open = 1;
        let end = after.find(|ch| {
            open += i32::from(ch == '(') - i32::from(ch == ')');
            open == 0
        });
        let (arguments, after) = after.split_at(end.unwrap());
        calls.push((name, arguments));
        rest = after[1..].strip_prefix('.').unwrap_or("");
    }
    (board, calls)
}
