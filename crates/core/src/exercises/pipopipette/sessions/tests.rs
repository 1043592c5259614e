//! Random sessions of the game of dots, read as text.

use super::session;
use crate::exercises::pipopipette::rules::{Pipopipette, Segment};
use crate::exercises::session_checks::{calls, check_counts, check_sessions};
use crate::exercises::sessions::RandomStep;
use std::collections::BTreeMap;

/// Follows a session on the rules, and says what happens in it. Nothing may depend on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut games: BTreeMap<&str, Pipopipette> = BTreeMap::new();
    let mut happens = Vec::new();
    for step in steps {
        for (index, line) in step.lines.iter().enumerate() {
            let compared = index + 1 == step.lines.len();
            if let Some((name, given)) = line.split_once(" = ") {
                let sizes =
                    given.strip_prefix("Pipopipette(").and_then(|sizes| sizes.strip_suffix(')')).unwrap();
                happens.extend((!sizes.contains(',')).then_some("a size is left out"));
                let sizes: Vec<usize> = sizes.split(", ").map(|size| size.parse().unwrap()).collect();
                games.insert(name, Pipopipette::new(sizes[0], sizes[sizes.len() - 1]).unwrap());
                continue;
            }
            let (name, calls) = calls(line);
            let game = games.get_mut(name).expect("a game that was made");
            for (index, (call, arguments)) in calls.iter().enumerate() {
                let last = compared && index + 1 == calls.len();
                match *call {
                    "player" => {
                        assert!(
                            game.outcome().is_none(),
                            "whose turn it is after the end depends on a ruling"
                        )
                    }
                    "score" => {
                        happens.extend(game.outcome().is_some().then_some("the score of an ended game"))
                    }
                    _ => happens.push(follow(game, arguments.trim_matches('\''), last)),
                }
            }
            happens.extend(game.outcome().is_some().then_some("a game ends"));
        }
    }
    happens.extend((games.len() > 1).then_some("several games"));
    happens
}

fn follow(game: &mut Pipopipette, name: &str, last: bool) -> &'static str {
    assert!(
        !name.starts_with(['h', 'v']) && !name.contains([' ', '+', '.', '_']),
        "{name} depends on a ruling"
    );
    let numbers = name.split(|ch: char| !ch.is_ascii_digit()).skip(1);
    assert!(
        numbers.clone().all(|number| number == "0" || !number.starts_with('0')),
        "{name} depends on a ruling"
    );
    let two_digits = numbers.clone().any(|number| number.len() > 1);
    let result = match (name.chars().next(), name.get(1..).and_then(|rest| rest.split_once(','))) {
        (Some(letter @ ('H' | 'V')), Some((row, col))) => match (row.parse(), col.parse()) {
            (Ok(row), Ok(col)) => {
                let line =
                    if letter == 'H' { Segment::horizontal(row, col) } else { Segment::vertical(row, col) };
                game.claim(line).ok().map(Ok).unwrap_or(Err(game.is_drawn(line).is_some()))
            }
            _ => Err(false),
        },
        _ => Err(false),
    };
    assert!(result.is_ok() || last, "only the last call of a step may raise");
    match result {
        Ok(2) => "a line completes two boxes",
        Ok(1) => "a line completes a box",
        Ok(_) if two_digits => "a coordinate of several digits",
        Ok(_) => "a line is drawn",
        Err(true) => "a drawn line is refused",
        Err(false) => "an invalid position is refused",
    }
}

#[test]
fn sessions_keep_to_what_is_fixed() {
    check_sessions(session, |steps| {
        happens(steps);
    });
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
