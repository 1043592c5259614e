//! Random sessions of the game of dots, read as text.

use super::session;
use crate::exercises::pipopipette::rules::{ClaimError, Pipopipette, Segment};
use crate::exercises::session_checks::{calls, check_counts, check_sessions};
use crate::exercises::sessions::RandomStep;
use std::collections::BTreeMap;

/// The events of a session, which is followed on the rules. Panics if something in it depends on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut games: BTreeMap<&str, Pipopipette> = BTreeMap::new();
    let mut events = Vec::new();
    for step in steps {
        for (index, line) in step.lines.iter().enumerate() {
            let compared = index + 1 == step.lines.len();
            if let Some((name, given)) = line.split_once(" = ") {
                let sizes =
                    given.strip_prefix("Pipopipette(").and_then(|sizes| sizes.strip_suffix(')')).unwrap();
                if !sizes.contains(',') {
                    events.push("a size is left out");
                }
                let sizes: Vec<usize> = sizes.split(", ").map(|size| size.parse().unwrap()).collect();
                games.insert(name, Pipopipette::new(sizes[0], sizes[sizes.len() - 1]).unwrap());
                continue;
            }
            let (name, calls) = calls(line);
            let game = games.get_mut(name).expect("a game that was made");
            for (index, (call, arguments)) in calls.iter().enumerate() {
                let may_raise = compared && index + 1 == calls.len();
                let ended = game.outcome().is_some();
                match *call {
                    "player" => assert!(!ended, "whose turn it is after the end depends on a ruling"),
                    "score" if ended => events.push("the score of an ended game"),
                    "score" => {}
                    "claim" => events.push(claim(game, arguments.trim_matches('\''), may_raise)),
                    _ => panic!("no such method: {line}"),
                }
            }
            if game.outcome().is_some() {
                events.push("a game ends");
            }
        }
    }
    if games.len() > 1 {
        events.push("several games");
    }
    events
}

/// The event of a claim. Which other spellings name a line depends on rulings, which `sessions` lists.
fn claim(game: &mut Pipopipette, position: &str, may_raise: bool) -> &'static str {
    assert!(
        !position.starts_with(['h', 'v']) && !position.contains([' ', '+', '.', '_']),
        "{position} depends on a ruling"
    );
    let mut numbers = position.split(|ch: char| !ch.is_ascii_digit()).skip(1);
    assert!(
        numbers.clone().all(|number| number == "0" || !number.starts_with('0')),
        "{position} depends on a ruling"
    );
    let two_digits = numbers.any(|number| number.len() > 1);
    let claimed = line(position).map(|line| game.claim(line));
    assert!(matches!(claimed, Some(Ok(_))) || may_raise, "only the last call of a step may raise");
    match claimed {
        Some(Ok(2)) => "a line completes two boxes",
        Some(Ok(1)) => "a line completes a box",
        Some(Ok(_)) if two_digits => "a coordinate of several digits",
        Some(Ok(_)) => "a line is drawn",
        Some(Err(ClaimError::AlreadyDrawn(_))) => "a drawn line is refused",
        Some(Err(ClaimError::OffBoard(_))) | None => "an invalid position is refused",
    }
}

/// The line that a position names, perhaps off the board.
fn line(position: &str) -> Option<Segment> {
    let (row, col) = position.get(1..)?.split_once(',')?;
    let (row, col) = (row.parse().ok()?, col.parse().ok()?);
    match position.chars().next()? {
        'H' => Some(Segment::horizontal(row, col)),
        'V' => Some(Segment::vertical(row, col)),
        _ => None,
    }
}

#[test]
fn sessions_keep_to_what_is_fixed() {
    check_sessions(session, |steps| drop(happens(steps)));
}

#[test]
fn sessions_reach_every_kind_of_state() {
    check_counts(
        session,
        happens,
        &[
            ("a coordinate of several digits", 50),
            ("a drawn line is refused", 300),
            ("a game ends", 300),
            ("a line completes a box", 800),
            ("a line completes two boxes", 200),
            ("a line is drawn", 1000),
            ("a size is left out", 300),
            ("an invalid position is refused", 500),
            ("several games", 400),
            ("the score of an ended game", 100),
        ],
    );
}
