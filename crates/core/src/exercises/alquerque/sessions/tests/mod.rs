//! Sessions ask only what is fixed, and find searches that are wrong.

mod finding;
mod players;

use super::positions::{self, looked_at};
use super::session::{SearchJudge, SearchTask};
use super::short::short;
use super::{is_capture, random};
use crate::exercises::alquerque::rules::{Board, Field, Move};
use crate::exercises::alquerque::search::{sound_moves, winning_moves};
use crate::exercises::session_checks::{check_counts, check_sessions, sessions};
use crate::exercises::sessions::{Look, RandomStep};
use finding::MOST_LOOKED_AT;
use players::Searching;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::{env, fs};

/// The sessions within which a search that is wrong must have chosen a wrong move.
const SOON: usize = 200;

/// The moves that the oracle of a search accepts.
fn accepted(board: &Board, search: SearchTask) -> Vec<Move> {
    let depth = NonZeroU32::new(search.depth).unwrap();
    let good = match search.judge {
        SearchJudge::Sound => sound_moves(board, depth),
        SearchJudge::Winning => winning_moves(board, depth),
    };
    if good.is_empty() { board.legal_moves() } else { good }
}

/// Plays a session, and returns the searches that it asks for, each with its board.
#[track_caller]
fn played(steps: &[RandomStep]) -> Vec<(Board, SearchTask)> {
    let mut boards: BTreeMap<&str, Board> = BTreeMap::new();
    let mut searches = Vec::new();
    for step in steps {
        for line in &step.lines {
            let names: Vec<&str> =
                line.split(['(', ')', ',', ' ', '=']).filter(|word| !word.is_empty()).collect();
            let fields: Vec<u8> = names.iter().filter_map(|word| word.parse().ok()).collect();
            let field = |index: usize| Field::new(fields[index]).unwrap();
            match names[..] {
                [name, "make_board"] => drop(boards.insert(name, Board::start())),
                [to, "copy", from] => drop(boards.insert(to, boards[from])),
                ["move", .., name] => {
                    boards.get_mut(name).unwrap().play(Move::new(field(0), field(1))).unwrap()
                }
                ["is_legal", "make_move", _, _, name] => {
                    assert_eq!(step.look, Look::Value);
                    let _ = (boards[name], field(0), field(1));
                }
                ["next_move", .., name, _] => {
                    let Look::Oracle { oracle, of, depth: Some(depth) } = &step.look else {
                        panic!("{step:?}")
                    };
                    assert_eq!((of.as_str(), *depth), (name, u32::from(fields[0])));
                    let judge =
                        if *oracle == "sound_move" { SearchJudge::Sound } else { SearchJudge::Winning };
                    assert_eq!(*oracle, judge.oracle());
                    assert!(boards[name].outcome().is_none() && judge.may_ask(*depth));
                    searches.push((boards[name], SearchTask { depth: *depth, judge, copy: false }));
                }
                ["white" | "black" | "white_plays" | "legal_moves" | "is_game_over", name] => {
                    assert_eq!(step.look, Look::Value);
                    let _ = boards[name];
                }
                _ => panic!("{line}"),
            }
        }
        assert!(step.lines.len() == 1 || step.look == Look::Nothing);
    }
    searches
}

/// The functions that a session asks.
fn asked(steps: &[RandomStep]) -> Vec<&'static str> {
    const FUNCTIONS: [&str; 8] = [
        "black(", "copy(", "is_game_over(", "is_legal(", "legal_moves(", "next_move(", "white(",
        "white_plays(",
    ];
    let lines = || steps.iter().flat_map(|step| &step.lines);
    let mut asked: Vec<&str> =
        FUNCTIONS.into_iter().filter(|name| lines().any(|line| line.contains(name))).collect();
    let mut last = None;
    for line in lines() {
        let numbers = line.split(|ch: char| !ch.is_ascii_digit()).filter_map(|word| word.parse().ok());
        let fields: Vec<Field> = numbers.filter_map(Field::new).collect();
        let [source, target] = fields[..] else { continue };
        let step = Move::new(source, target);
        if line.starts_with("move(") {
            last = is_capture(step).then_some(target);
        } else if last == Some(source) && is_capture(step) {
            asked.push("is_legal( of a second jump");
        }
    }
    asked
}

#[test]
fn a_session_asks_only_what_is_fixed() {
    check_sessions(random, |steps| drop(played(steps)));
}

#[test]
fn short_sessions_make_so_many_calls_and_ask_only_what_is_fixed() {
    for calls in 0..=8 {
        let mut sessions = 0;
        for session in short(calls) {
            played(&session);
            let lines = session.iter().flat_map(|step| &step.lines);
            let made = lines.filter(|line| line.starts_with("move(") || line.contains("= copy("));
            assert_eq!(made.count(), calls, "{session:?}");
            sessions += 1;
        }
        assert!(sessions > 0, "{calls}");
    }
}

#[test]
fn every_function_is_asked_often() {
    check_counts(
        random,
        asked,
        &[
            ("black(", 600),
            ("copy(", 400),
            ("is_game_over(", 400),
            ("is_legal(", 600),
            ("is_legal( of a second jump", 100),
            ("legal_moves(", 400),
            ("next_move(", 500),
            ("white(", 600),
            ("white_plays(", 600),
        ],
    );
}

/// Whether the search goes wrong at one of these, whatever best move it chooses.
fn goes_wrong(player: Searching, searches: &[(Board, SearchTask)]) -> bool {
    searches.iter().any(|(board, search)| {
        let accepted = accepted(board, *search);
        player.best(board, search.depth).iter().all(|step| !accepted.contains(step))
    })
}

#[test]
fn searches_that_are_wrong_are_found_soon_and_right_ones_never() {
    let searches: Vec<_> = sessions(random).take(SOON).flat_map(|session| played(&session)).collect();
    // That a search stops just short of the greatest depth shows in few positions, which take their time.
    for (mistake, player) in players::wrong(5) {
        assert!(goes_wrong(player, &searches), "{mistake}");
    }
    for (board, search) in &searches {
        let accepted = accepted(board, *search);
        for player in players::right() {
            let best = player.best(board, search.depth);
            assert!(best.iter().all(|step| accepted.contains(step)), "{player:?} on {board:?}, {search:?}");
        }
    }
}

/// `KEUR_BLESS=1` looks for other positions first, which takes minutes even in a release build.
#[test]
fn remembered_positions_show_every_mistake_and_are_fair() {
    if env::var_os("KEUR_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/exercises/alquerque/sessions/positions.txt");
        assert!(env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
        fs::write(path, finding::found()).unwrap();
        return;
    }
    let mut mistakes: BTreeMap<&str, usize> = BTreeMap::new();
    for position in positions::all() {
        let mut board = Board::start();
        for step in &position.game {
            board.play(*step).unwrap();
        }
        assert_eq!(position.looked_at, looked_at(&board, position.search.depth));
        assert!(position.looked_at <= MOST_LOOKED_AT, "{position:?}");
        let shown = finding::shown(&board, position.search);
        assert!(!shown.is_empty(), "{position:?}");
        for mistake in shown {
            *mistakes.entry(mistake).or_default() += 1;
        }
    }
    for (mistake, _) in players::wrong(6) {
        assert!(mistakes.get(mistake).is_some_and(|count| *count >= 5), "{mistake}: {mistakes:?}");
    }
}
