//! Random sessions of Yin-Yang, read as text.

use super::session;
use crate::exercises::grid::Pos;
use crate::exercises::session_checks::{calls, check_counts, check_sessions};
use crate::exercises::sessions::{Look, RandomStep};
use crate::exercises::yinyang::rules::{ActionError, Colour, YinYang};
use std::collections::{BTreeMap, BTreeSet};

/// The events of a session, which is followed on the rules. Panics if something in it depends on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut puzzles: BTreeMap<&str, YinYang> = BTreeMap::new();
    let mut named: BTreeMap<&str, &str> = BTreeMap::new();
    let mut regions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut events = Vec::new();
    for step in steps {
        for (index, line) in step.lines.iter().enumerate() {
            let compared = index + 1 == step.lines.len();
            let (name, value) = line.split_once(" = ").unwrap_or(("", line));
            if let Some(given) = value.strip_prefix("YinYang(").and_then(|given| given.strip_suffix(')')) {
                match puzzle(given, &named) {
                    Some(puzzle) => {
                        assert!(!name.is_empty(), "a puzzle without a name: {steps:?}");
                        puzzles.insert(name, puzzle);
                    }
                    None => {
                        let looked_at = name.is_empty() && compared && step.look == Look::Value;
                        assert!(looked_at, "nobody looks at the refusal: {steps:?}");
                        events.push("a puzzle is refused");
                    }
                }
                continue;
            }
            if !name.is_empty() {
                named.insert(name, value);
            }
            let (on, calls) = calls(line);
            let Some(puzzle) = puzzles.get_mut(on) else {
                if !name.is_empty() {
                    assert!(value.starts_with('['), "{value} is no list: {steps:?}");
                    events.push("a list has a name");
                } else {
                    assert!(named.contains_key(line.as_str()), "nothing has this name: {steps:?}");
                    events.push("a value is looked at again");
                }
                continue;
            };
            for (index, (call, arguments)) in calls.iter().enumerate() {
                let may_raise = compared && index + 1 == calls.len();
                events.push(follow(puzzle, call, arguments, may_raise));
                let cell = cells(arguments).first().copied().and_then(position);
                if let Some(cell) = cell.filter(|_| *call == "aaneengesloten_gebied") {
                    let now = puzzle.region(cell).len();
                    if regions.insert((on, arguments), now).is_some_and(|before| 0 < now && now < before) {
                        events.push("a smaller region is asked again");
                    }
                }
            }
        }
    }
    if puzzles.len() > 1 {
        events.push("several puzzles");
    }
    events
}

/// The puzzle of the constructor's arguments, which may be names of lists; `None` if they are refused.
fn puzzle(given: &str, named: &BTreeMap<&str, &str>) -> Option<YinYang> {
    let [size, white, black] = arguments(given)[..] else { panic!("not three arguments: {given}") };
    let cells = |argument: &str| -> Option<Vec<Pos>> {
        let cells = cells(named.get(argument).copied().unwrap_or(argument));
        let different: BTreeSet<_> = cells.iter().collect();
        assert_eq!(different.len(), cells.len(), "a cell is given twice: {given}");
        cells.into_iter().map(position).collect()
    };
    let size = size.parse().unwrap();
    assert!(size > 0, "whether there is a grid without rows depends on a ruling");
    YinYang::new(size, cells(white)?, cells(black)?).ok()
}

/// The values of the arguments, with or without their names.
fn arguments(given: &str) -> Vec<&str> {
    let mut open = 0;
    let arguments = given.split(|ch| {
        open += i32::from("([{".contains(ch)) - i32::from(")]}".contains(ch));
        open == 0 && ch == ','
    });
    arguments.map(|argument| argument.split_once('=').map_or(argument, |(_, value)| value).trim()).collect()
}

/// The rows and columns in a collection of cells.
fn cells(collection: &str) -> Vec<(i64, i64)> {
    let words = collection.split(|ch: char| !ch.is_ascii_digit() && ch != '-');
    let numbers: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn position((row, col): (i64, i64)) -> Option<Pos> {
    Some(Pos::new(usize::try_from(row).ok()?, usize::try_from(col).ok()?))
}

/// The event of a call on a puzzle.
fn follow(puzzle: &mut YinYang, call: &str, arguments: &str, may_raise: bool) -> &'static str {
    if call == "isopgelost" {
        let coloured = puzzle.positions().any(|pos| puzzle.colour_at(pos).is_some());
        assert!(puzzle.size() > 1 || !coloured, "whether one cell is solved depends on a ruling");
        return if puzzle.is_solved() { "a puzzle is solved" } else { "a puzzle is not solved" };
    }
    let [cell] = cells(arguments)[..] else { panic!("not one cell: {arguments}") };
    let pos = position(cell);
    let played = match call {
        "aaneengesloten_gebied" => {
            return if pos.is_none() { "a region is asked off the grid" } else { "a region is asked" };
        }
        "maak_wit" => pos.map(|pos| puzzle.fill(pos, Colour::White).map(|_| ())),
        "maak_zwart" => pos.map(|pos| puzzle.fill(pos, Colour::Black).map(|_| ())),
        "maak_leeg" => pos.map(|pos| puzzle.clear(pos).map(|_| ())),
        _ => panic!("no such method: {call}"),
    };
    assert!(played == Some(Ok(())) || may_raise, "only the last call of a step may raise");
    match played {
        Some(Ok(())) => "a cell is changed",
        None | Some(Err(ActionError::OffGrid(_))) => "an action off the grid is refused",
        Some(Err(ActionError::Filled(_))) => "a full cell is refused",
        Some(Err(ActionError::Square(_))) => "a square is refused",
        Some(Err(ActionError::Empty(_))) => "an empty cell is not emptied",
        Some(Err(ActionError::Given(_))) => "a given cell is not emptied",
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
            ("a cell is changed", 1000),
            ("a full cell is refused", 300),
            ("a given cell is not emptied", 80),
            ("a list has a name", 50),
            ("a puzzle is not solved", 400),
            ("a puzzle is refused", 100),
            ("a puzzle is solved", 200),
            ("a region is asked", 500),
            ("a region is asked off the grid", 30),
            ("a smaller region is asked again", 30),
            ("a square is refused", 150),
            ("a value is looked at again", 100),
            ("an action off the grid is refused", 200),
            ("an empty cell is not emptied", 200),
            ("several puzzles", 100),
        ],
    );
}
