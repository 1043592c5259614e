//! What the random sessions of every game must be.

use super::sessions::{MakeSession, RandomSession, RandomStep};
use crate::value::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// The number of sessions that are looked at.
pub(super) const SESSIONS: u64 = 2000;

/// The first sessions of a game.
pub(super) fn sessions(make: MakeSession) -> impl Iterator<Item = Box<dyn RandomSession>> {
    (0..SESSIONS).map(move |seed| make(&mut Random::new(seed)))
}

/// Every session and what is simpler passes `check`; simplification ends; the same seed makes the same
/// session.
pub(super) fn check_sessions(make: MakeSession, check: fn(&[RandomStep])) {
    for (seed, session) in (0..).zip(sessions(make)) {
        let steps = session.steps();
        assert_eq!(make(&mut Random::new(seed)).steps(), steps);
        check(&steps);
        check_until(&*session);
        // A session costs a thousand times what it takes to make it.
        if seed % 400 == 0 {
            check_simpler(session, check, seed);
        }
    }
}

fn check_until(session: &dyn RandomSession) {
    let steps = session.steps();
    for count in [0, 1, steps.len() / 2, steps.len()] {
        let cut = session.until(count).steps();
        // The names of boards tell how many there are.
        assert_eq!(cut.len(), count.min(steps.len()));
        assert!(cut.iter().zip(&steps).all(|(cut, step)| cut.lines.len() == step.lines.len()));
    }
}

fn check_simpler(mut session: Box<dyn RandomSession>, check: fn(&[RandomStep]), seed: u64) {
    let mut random = Random::new(seed);
    for round in 0.. {
        let mut simpler = session.simpler();
        assert!(round < 2000, "there is always something simpler: {:?}", session.steps());
        if simpler.is_empty() {
            break;
        }
        if round % 5 == 0 {
            simpler.iter().for_each(|session| check(&session.steps()));
        }
        // What is hardly simpler leads through more of them.
        let from = simpler.len() / 2;
        session = simpler.swap_remove(from + random.below(simpler.len() - from));
        check(&session.steps());
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
        for what in happens(&session.steps()).into_iter().collect::<BTreeSet<_>>() {
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
