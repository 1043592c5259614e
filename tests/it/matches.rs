//! Matches: a submission plays against the reference, and every failed game can be replayed.

use crate::oracles::{grade, loaded};
use crate::running::{assert_says, keur};
use keur_core::compare::{JudgedMistake, MatchMistake, Mistake, RaiseMistake, ValueMistake, Verdict};
use keur_core::event::Finding;
use keur_core::value::oracle::Refusal;

const CASE: &str = r#"
title = "A match"
[[step]]
play = "next_move(b, 2)"
on = "b = make_board()"
against = "random"
games = 4
seed = 1
"#;

/// The problem in a match of this `next_move`, in each tier; `None` if all is well.
fn play(case: &str, next_move: &str) -> Option<Finding> {
    let text = format!(
        "from board import *\ncount = 0\n\ndef next_move(b, depth=3):\n    global count\n    count += 1\n    {next_move}\n"
    );
    let case = grade(case, &text);
    assert_eq!(case.verdict == Verdict::Passed, case.finding.is_none());
    case.finding.map(|finding| *finding)
}

#[track_caller]
fn check(next_move: &str, verdict: Verdict, mistake: Mistake) -> Finding {
    let finding = play(CASE, next_move).unwrap();
    assert_eq!((finding.verdict, &finding.mistake), (verdict, &mistake), "{finding:?}");
    finding
}

#[test]
fn a_player_that_only_makes_legal_moves_may_lose() {
    let case = CASE.to_owned() + "not_lost = 0\n";
    assert_eq!(play(&case, "return legal_moves(b)[0]"), None);
}

#[test]
fn games_that_are_not_won_show_the_first_of_them() {
    let finding = play(&(CASE.to_owned() + "not_lost = 0\nwon = 4\n"), "return legal_moves(b)[0]").unwrap();
    assert!(
        matches!(finding.mistake, Mistake::Match(MatchMistake::Games { games: 4, needed: 4, .. })),
        "{finding:?}"
    );
    assert!(finding.session.iter().any(|line| line.text == ">>> b = make_board()"), "{finding:?}");
    assert!(finding.session.last().unwrap().text.starts_with(">>> move(make_move("), "{finding:?}");
    assert_eq!(finding.call, None);
}

#[test]
fn a_finding_of_a_match_has_values_of_the_submissions_language() {
    let wrong = "fixtures/submissions/alquerque/javascript/white_starts_on_13";
    let out = keur(&["grade", wrong, "--case", "next_move_beats_chance", "--format", "json"]).out;
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["submissions"][0]["cases"][0]["finding"]["got"], "null", "{out}");
}

#[test]
fn games_that_are_lost_show_the_first_of_them() {
    let against = CASE.replace("\"random\"", "{ depth = 2 }").replace("(b, 2)", "(b, 6)");
    let finding = play(&against, "return legal_moves(b)[0]").unwrap();
    assert!(
        matches!(finding.mistake, Mistake::Match(MatchMistake::GamesLost { games: 4, .. })),
        "{finding:?}"
    );
}

#[test]
fn an_illegal_move_ends_the_match_with_the_game_so_far() {
    let illegal = "return make_move(1, 25) if count == 3 else legal_moves(b)[0]";
    let finding =
        check(illegal, Verdict::WrongValue, Mistake::Judged(JudgedMistake::Refused(Refusal::Illegal)));
    let moves = finding.session.iter().filter(|line| line.text.starts_with(">>> move(make_move("));
    assert_eq!(moves.count(), 4, "{finding:?}");
    assert_eq!(finding.session.last().unwrap().text, ">>> next_move(b, 2)");
    assert_eq!(finding.got.as_deref(), Some("[1, 25]"));
}

#[test]
fn a_player_that_returns_nothing_is_asked_for_its_return() {
    let finding = check("legal_moves(b)", Verdict::WrongValue, Mistake::Value(ValueMistake::NoneReturned));
    assert_eq!(finding.call.as_deref(), Some("next_move"));
}

#[test]
fn a_changed_board_is_found_and_shown() {
    let changing = "m = legal_moves(b)[0]; move(m, b) if count == 2 else None; return m";
    let finding = check(changing, Verdict::WrongValue, Mistake::Match(MatchMistake::Changed));
    assert_eq!(finding.session.last().unwrap().text, ">>> b");
}

#[test]
fn an_exception_and_an_endless_loop_are_found_where_they_happen() {
    check("return [][0]", Verdict::Raised, Mistake::Raise(RaiseMistake::Unexpected));
    let limits = CASE.replace("[[step]]", "limits = { cpu = \"300ms\" }\n[[step]]");
    let looping = "\n    while count == 2: pass\n    return legal_moves(b)[0]";
    let finding = play(&limits, looping).unwrap();
    assert_eq!(
        (finding.verdict, finding.session.last().unwrap().text.as_str()),
        (Verdict::TimeLimit, ">>> next_move(b, 2)")
    );
}

#[test]
fn the_limits_hold_for_each_move_and_not_for_all_together() {
    let limits = CASE.replace("[[step]]", "limits = { cpu = \"500ms\" }\n[[step]]") + "not_lost = 0\n";
    // Each of some thirty moves takes twenty milliseconds.
    let slow = "import time; end = time.process_time() + 0.02\n    while time.process_time() < end: pass\n    return legal_moves(b)[0]";
    assert_eq!(play(&limits, slow), None);
}

#[track_caller]
fn wrong(from: &str, to: &str, expected: &str) {
    let error = loaded(&CASE.replace(from, to)).map(drop).unwrap_err();
    assert_says(&error, expected);
}

#[test]
fn errors_in_a_match_are_reported() {
    wrong("games = 4", "games = 0", "`games` is a whole number, 1 to 1000");
    wrong("games = 4", "", "a match needs `games`");
    wrong("games = 4", "games = 4\nwon = 5", "`won` is a whole number, 0 to 4");
    wrong("\"random\"", "\"chance\"", "random");
    wrong("\"random\"", "{ depth = 0 }", "`depth` is a whole number, 1 to 8");
    wrong("\"b = make_board()\"", "\"make_board()\"", "`on` binds no name");
    wrong("next_move(b, 2)", "next_move(c, 2)", "`c` is used before it is bound");
    wrong("seed = 1", "returns = 1", "`returns` goes with `do`");
    wrong("seed = 1", "do = \"make_board()\"", "a step has either `do` or `play`");
    wrong("seed = 1", "moves = { oracle = \"sound_move\" }", "needs a `depth`");
}
