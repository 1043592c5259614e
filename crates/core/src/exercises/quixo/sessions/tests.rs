//! Random sessions of Quixo against boards of characters.

use super::session;
use crate::exercises::session_checks::{calls, check_counts, check_sessions};
use crate::exercises::sessions::{Look, RandomStep};
use std::collections::BTreeMap;

/// Follows a session with naive boards, and says what happens in it. Nothing may depend on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut boards: BTreeMap<&str, (Vec<Vec<char>>, bool)> = BTreeMap::new();
    let mut happens = Vec::new();
    for step in steps {
        assert!(matches!(step.look, Look::Value | Look::Text | Look::Nothing), "{steps:?}");
        for line in &step.lines {
            let (name, given) = line.split_once(" = ").unwrap_or(("", line));
            if let Some(given) = given.strip_prefix("Quixo(").and_then(|given| given.strip_suffix(')')) {
                match made(given) {
                    Some(board) => {
                        assert!(
                            !name.is_empty() && boards.insert(name, (board, false)).is_none(),
                            "{steps:?}"
                        );
                    }
                    None => {
                        assert!(name.is_empty() && step.look == Look::Value, "{steps:?}");
                        happens.push("a board is refused");
                    }
                }
                continue;
            }
            let (name, calls) = calls(line);
            let (board, turned) = boards.get_mut(name).expect("a board that was made");
            assert!(
                !calls.is_empty() || !*turned,
                "the text of a board after a turn is not fixed: {steps:?}"
            );
            let mut last = None;
            for (call, arguments) in calls {
                let texts: Vec<&str> = arguments.split(", ").map(|text| text.trim_matches('\'')).collect();
                if call == "positie" {
                    let (row, col) = at(texts[0]);
                    assert!(row < board.len() && col < board.len(), "{steps:?}");
                    happens.push(if row > 8 { "a row of two digits" } else { "a position" });
                    continue;
                }
                assert!(last.is_some() || !*turned, "a second turn is not fixed: {steps:?}");
                assert!(last != Some(texts[0]), "a player moves twice: {steps:?}");
                assert!(!full_line(board), "play after a win: {steps:?}");
                happens.push(if last.is_some() { "turns follow" } else { "a turn" });
                shift(board, texts[0].chars().next().unwrap(), at(texts[1]), at(texts[2]));
                happens.extend(full_line(board).then_some("a full line"));
                last = Some(texts[0]);
                *turned = true;
            }
        }
    }
    happens.extend((boards.len() > 1).then_some("several boards"));
    happens
}

/// The board of these arguments; `None` if they are refused.
fn made(given: &str) -> Option<Vec<Vec<char>>> {
    let (size, faces) = given.split_once(", ").map_or((given, None), |(size, faces)| (size, Some(faces)));
    let size: f64 = size.parse().unwrap();
    assert!(size <= 26.0, "{given}");
    if size < 1.0 || size.fract() != 0.0 {
        return None;
    }
    let size = size as usize;
    let faces = faces.map_or("-".repeat(size * size), |faces| faces.trim_matches('\'').to_owned());
    let faces: Vec<char> = faces.chars().collect();
    let good = faces.len() == size * size && faces.iter().all(|face| "XO-".contains(*face));
    good.then(|| faces.chunks(size).map(<[char]>::to_vec).collect())
}

fn at(name: &str) -> (usize, usize) {
    (name[1..].parse::<usize>().unwrap() - 1, usize::from(name.as_bytes()[0] - b'A'))
}

/// Plays a turn, which must be legal.
fn shift(board: &mut [Vec<char>], symbol: char, from: (usize, usize), to: (usize, usize)) {
    let last = board.len() - 1;
    let edge = |at: usize| at == 0 || at == last;
    assert!(edge(from.0) || edge(from.1), "an inner die");
    assert!(
        ["-".to_owned(), symbol.to_string()].contains(&board[from.0][from.1].to_string()),
        "not the player's die"
    );
    assert!(from != to && (from.0 == to.0 && edge(to.1) || from.1 == to.1 && edge(to.0)), "no other end");
    let path: Vec<(usize, usize)> = match (from.0 == to.0, from.0 < to.0, from.1 < to.1) {
        (true, _, true) => (from.1..=to.1).map(|col| (from.0, col)).collect(),
        (true, _, false) => (to.1..=from.1).rev().map(|col| (from.0, col)).collect(),
        (false, true, _) => (from.0..=to.0).map(|row| (row, from.1)).collect(),
        (false, false, _) => (to.0..=from.0).rev().map(|row| (row, from.1)).collect(),
    };
    for pair in path.windows(2) {
        board[pair[0].0][pair[0].1] = board[pair[1].0][pair[1].1];
    }
    board[to.0][to.1] = symbol;
}

fn full_line(board: &[Vec<char>]) -> bool {
    let size = board.len();
    let rows = (0..size).map(|row| (0..size).map(|col| board[row][col]).collect::<String>());
    let cols = (0..size).map(|col| (0..size).map(|row| board[row][col]).collect());
    let diagonals =
        [(0..size).map(|at| board[at][at]).collect(), (0..size).map(|at| board[at][size - 1 - at]).collect()];
    let full = [&"X".repeat(size), &"O".repeat(size)];
    rows.chain(cols).chain(diagonals).any(|line| full.contains(&&line))
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
            ("a board is refused", 150),
            ("a full line", 200),
            ("a position", 500),
            ("a row of two digits", 40),
            ("a turn", 1000),
            ("several boards", 800),
            ("turns follow", 500),
        ],
    );
}
