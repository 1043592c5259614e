//! Random sessions of Yin-Yang, read as text.

use super::session;
use crate::exercises::grid::Pos;
use crate::exercises::session_checks::{calls, check_counts, check_sessions};
use crate::exercises::sessions::{Look, RandomStep};
use crate::exercises::yinyang::rules::{ActionError, Colour, YinYang};
use std::collections::{BTreeMap, BTreeSet};

/// Follows a session on the rules, and says what happens in it. Nothing may depend on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut puzzles: BTreeMap<&str, YinYang> = BTreeMap::new();
    let mut named: Vec<&str> = Vec::new();
    let mut happens = Vec::new();
    for step in steps {
        for (index, line) in step.lines.iter().enumerate() {
            let compared = index + 1 == step.lines.len();
            let (name, value) = line.split_once(" = ").unwrap_or(("", line));
            if let Some(given) = value.strip_prefix("YinYang(").and_then(|given| given.strip_suffix(')')) {
                match puzzle(given) {
                    Some(puzzle) => {
                        assert!(!name.is_empty(), "{steps:?}");
                        puzzles.insert(name, puzzle);
                    }
                    None => {
                        assert!(name.is_empty() && compared && step.look == Look::Value, "{steps:?}");
                        happens.push("a puzzle is refused");
                    }
                }
                continue;
            }
            if !name.is_empty() {
                named.push(name);
            }
            let (on, calls) = calls(line);
            let Some(puzzle) = puzzles.get_mut(on) else {
                assert!(named.contains(&line.as_str()) || named.contains(&name), "{steps:?}");
                happens.push("a value is looked at again");
                continue;
            };
            for (index, (call, arguments)) in calls.iter().enumerate() {
                let last = compared && index + 1 == calls.len();
                happens.extend(follow(puzzle, call, arguments, last));
            }
        }
    }
    happens.extend((puzzles.len() > 1).then_some("several puzzles"));
    happens
}

/// The puzzle of these arguments; `None` if they are refused.
fn puzzle(given: &str) -> Option<YinYang> {
    let numbers = |text: &str| -> Vec<i64> {
        text.split(|ch: char| !ch.is_ascii_digit() && ch != '-')
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let size = numbers(given)[0];
    assert!(size > 0, "{given}");
    if given.contains("=wit") || given.contains("=zwart") {
        // Its lists have names; what they hold is not needed.
        return YinYang::new(size as usize, [], []).ok();
    }
    let end = given.find("zwart=").unwrap_or_else(|| middle(given));
    let (white, black) = given.split_at(end);
    let white = &numbers(white)[1..];
    let cells =
        |numbers: &[i64]| -> Vec<(i64, i64)> { numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect() };
    let white = cells(white);
    let black = cells(&numbers(black));
    for cells in [&white, &black] {
        assert_eq!(
            cells.iter().collect::<BTreeSet<_>>().len(),
            cells.len(),
            "a cell is given twice: {given}"
        );
    }
    let positions =
        |cells: Vec<(i64, i64)>| -> Option<Vec<Pos>> { cells.into_iter().map(position).collect() };
    YinYang::new(size as usize, positions(white)?, positions(black)?).ok()
}

/// Where the black cells begin, if the arguments have no names.
fn middle(given: &str) -> usize {
    let mut open = 0;
    let commas = given.char_indices().filter(|(_, ch)| {
        open += i32::from("([{".contains(*ch)) - i32::from(")]}".contains(*ch));
        open == 0 && *ch == ','
    });
    commas.map(|(place, _)| place).nth(1).unwrap()
}

fn position((row, col): (i64, i64)) -> Option<Pos> {
    Some(Pos::new(usize::try_from(row).ok()?, usize::try_from(col).ok()?))
}

fn follow(puzzle: &mut YinYang, call: &str, arguments: &str, last: bool) -> Option<&'static str> {
    if call == "isopgelost" {
        let coloured = puzzle.positions().any(|pos| puzzle.colour_at(pos).is_some());
        assert!(puzzle.size() > 1 || !coloured, "whether one cell is solved depends on a ruling");
        return Some(if puzzle.is_solved() { "a puzzle is solved" } else { "a puzzle is not solved" });
    }
    let (row, col) = arguments[1..arguments.len() - 1].split_once(", ").unwrap();
    let pos = position((row.parse().unwrap(), col.parse().unwrap()));
    if call == "aaneengesloten_gebied" {
        return Some(if pos.is_none() { "a region is asked off the grid" } else { "a region is asked" });
    }
    let played = pos.map(|pos| match call {
        "maak_wit" => puzzle.fill(pos, Colour::White).map(|_| ()),
        "maak_zwart" => puzzle.fill(pos, Colour::Black).map(|_| ()),
        _ => puzzle.clear(pos).map(|_| ()),
    });
    assert!(played == Some(Ok(())) || last, "only the last call of a step may raise");
    match played {
        Some(Ok(())) => Some("a cell is changed"),
        None | Some(Err(ActionError::OffGrid(_))) => Some("an action off the grid is refused"),
        Some(Err(ActionError::Filled(_))) => Some("a full cell is refused"),
        Some(Err(ActionError::Square(_))) => Some("a square is refused"),
        Some(Err(ActionError::Empty(_))) => Some("an empty cell is not emptied"),
        Some(Err(ActionError::Given(_))) => Some("a given cell is not emptied"),
    }
}

#[test]
fn sessions_keep_to_what_is_fixed() {
    check_sessions(session, |steps| {
        // The rules do not know what the named lists hold.
        if !steps
            .iter()
            .any(|step| step.lines.iter().any(|line| line.contains("=wit") || line.contains("=zwart")))
        {
            happens(steps);
        }
    });
}

#[test]
fn sessions_reach_every_kind_of_state() {
    check_counts(
        session,
        |steps| {
            let named = steps.iter().any(|step| step.lines.iter().any(|line| line.starts_with("wit = ")));
            if named { vec!["lists have names"] } else { happens(steps) }
        },
        &[
            ("a cell is changed", 1000),
            ("a full cell is refused", 300),
            ("a given cell is not emptied", 80),
            ("a puzzle is not solved", 400),
            ("a puzzle is refused", 100),
            ("a puzzle is solved", 200),
            ("a region is asked", 500),
            ("a region is asked off the grid", 30),
            ("a square is refused", 150),
            ("a value is looked at again", 100),
            ("an action off the grid is refused", 200),
            ("an empty cell is not emptied", 200),
            ("lists have names", 50),
            ("several puzzles", 100),
        ],
    );
}
