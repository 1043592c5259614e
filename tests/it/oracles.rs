//! Oracles: a reference that judges answers if several are right, and follows the submission from there.

use crate::grading;
use crate::running::{assert_says, folder, root};
use keur_core::adapter::Launcher;
use keur_core::case::{Loaded, Matcher, StepNo};
use keur_core::compare::{JudgedMistake, Mistake, ValueMistake, Verdict};
use keur_core::event::{CaseReport, RunError};
use keur_core::grade::Worker;
use keur_core::judge::{CheckError, check_case, reference_adapter};
use keur_core::languages::Interpreters;
use keur_core::value::oracle::Refusal;
use keur_sandbox::Tier;
use std::fs;

/// White to move; black's last piece can be taken at once, from 21 over 16.
const WON: &str = r#"
title = "A win"
[[step]]
do = [
    "b = make_board()",
    "move(make_move(17, 13), b)", "move(make_move(12, 17), b)",
    "move(make_move(22, 12), b)", "move(make_move(11, 17), b)",
    "move(make_move(12, 22), b)", "move(make_move(6, 11), b)",
    "move(make_move(16, 6), b)", "move(make_move(7, 11), b)",
    "move(make_move(6, 16), b)", "move(make_move(3, 7), b)",
    "move(make_move(15, 3), b)", "move(make_move(5, 9), b)",
    "move(make_move(13, 5), b)", "move(make_move(7, 11), b)",
    "move(make_move(16, 6), b)", "move(make_move(2, 7), b)",
    "move(make_move(3, 13), b)", "move(make_move(7, 11), b)",
    "move(make_move(5, 15), b)", "move(make_move(4, 9), b)",
    "move(make_move(15, 3), b)", "move(make_move(1, 7), b)",
    "move(make_move(13, 1), b)", "move(make_move(11, 16), b)",
]
"#;

/// The submission's moves and black's plainest answers, which the reference must follow.
const GAME: &str = r#"
title = "A game"
[[step]]
do = "b = make_board()"
[[step]]
do = "m = next_move(b, 2)"
returns = { oracle = "sound_move", of = "b", depth = 2 }
[[step]]
do = "move(m, b)"
[[step]]
do = "m = next_move(b, 2)"
returns = { oracle = "sound_move", of = "b", depth = 2 }
[[step]]
do = "move(m, b)"
[[step]]
do = "b"
returns = { reference = true }
[[step]]
do = "white_plays(b)"
returns = true
"#;

/// The exercise with `case` as its only one.
pub(crate) fn loaded(case: &str) -> Result<Loaded, String> {
    let exercise = fs::read_to_string(root().join("cases/alquerque/exercise.toml")).unwrap();
    grading::load(folder(&[("alquerque/exercise.toml", &exercise), ("alquerque/case.toml", case)]).path())
}

/// Checks the first case on the reference.
fn checked(loaded: &Loaded) -> Result<(), CheckError> {
    let Loaded { exercise, cases } = loaded;
    let mut launcher = Launcher::new(Tier::default(), 0);
    let mut adapter = reference_adapter(exercise).unwrap();
    check_case(exercise, &cases[0], &mut adapter, &Interpreters::default(), &mut launcher)
}

/// The result of the case with this `minimax.py` and otherwise correct modules.
pub(crate) fn grade(case: &str, minimax: &str) -> CaseReport {
    let loaded = loaded(case).unwrap();
    checked(&loaded).unwrap();
    let folder = folder(&[("minimax.py", minimax)]);
    let correct = root().join("fixtures/submissions/alquerque/python/correct_tuple");
    for file in ["move.py", "board.py"] {
        fs::copy(correct.join(file), folder.path().join(file)).unwrap();
    }
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    let report = grading::grade(&loaded, folder.path(), &mut worker, &Interpreters::default()).unwrap();
    report.cases.into_iter().next().unwrap()
}

/// The result of the case with this body of `next_move`.
fn grade_move(case: &str, next_move: &str) -> CaseReport {
    grade(case, &format!("from board import *\n\ndef next_move(b, depth=3):\n    {next_move}\n"))
}

fn with_last(oracle: &str) -> String {
    format!("{WON}[[step]]\ndo = \"next_move(b, 2)\"\nreturns = {{ {oracle} }}\n")
}

#[track_caller]
fn accepted(case: &str, next_move: &str) {
    let report = grade_move(case, next_move);
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.finding);
}

#[track_caller]
fn refused(case: &str, next_move: &str, step: usize, mistake: Mistake) -> CaseReport {
    let report = grade_move(case, next_move);
    let finding = report.finding.as_deref().unwrap();
    assert_eq!((finding.verdict, finding.step), (Verdict::WrongValue, StepNo::new(step)), "{finding:?}");
    assert_eq!(finding.mistake, mistake);
    report
}

#[test]
fn a_legal_move_is_accepted_whatever_it_is_and_an_illegal_one_is_not() {
    let case = with_last(r#"oracle = "legal_move", of = "b""#);
    accepted(&case, "return legal_moves(b)[-1]");
    accepted(&case, "return legal_moves(b)[0]");
    refused(&case, "return make_move(17, 15)", 2, Mistake::Judged(JudgedMistake::Refused(Refusal::Illegal)));
    refused(&case, "return None", 2, Mistake::Value(ValueMistake::NoneReturned));
}

#[test]
fn a_win_must_be_taken() {
    let case = with_last(r#"oracle = "winning_move", of = "b", depth = 1"#);
    accepted(&case, "return make_move(21, 11)");
    let report = refused(
        &case,
        "return make_move(18, 13)",
        2,
        Mistake::Judged(JudgedMistake::Refused(Refusal::WinMissed)),
    );
    assert_eq!(report.finding.unwrap().expected.as_deref(), Some("[21, 11]"));
}

#[test]
fn the_reference_follows_the_submissions_moves() {
    accepted(GAME, "return legal_moves(b)[0]");
    accepted(GAME, "return legal_moves(b)[-1]");
}

#[test]
fn where_the_oracle_refuses_the_rest_is_not_run() {
    let report =
        refused(GAME, "return make_move(1, 2)", 2, Mistake::Judged(JudgedMistake::Refused(Refusal::Illegal)));
    let rest: Vec<(usize, Verdict)> =
        report.consequences.iter().map(|later| (later.step.get(), later.verdict)).collect();
    assert_eq!(rest, (3..=7).map(|step| (step, Verdict::NotRun)).collect::<Vec<_>>());
}

#[test]
fn a_board_that_is_not_what_the_moves_made_is_found() {
    // The step after the second move compares the board with the reference's own.
    let report = grade_move(GAME, "b['sorte'].discard(1); return legal_moves(b)[0]");
    assert_eq!(report.finding.and_then(|finding| finding.step), StepNo::new(6));
}

#[track_caller]
fn wrong(oracle: &str, expected: &str) {
    let error = loaded(&with_last(oracle)).map(drop).unwrap_err();
    assert_says(&error, expected);
}

#[test]
fn errors_in_a_question_have_a_place() {
    wrong(r#"oracle = "legal_moves", of = "b""#, "did you mean `legal_move`?");
    wrong(r#"oracle = "perfect_move", of = "b""#, "use `winning_move` or `sound_move`");
    wrong(r#"oracle = "legal_move""#, "an oracle needs `of`");
    wrong(r#"oracle = "legal_move", of = "c""#, "`c` is used before it is bound");
    wrong(r#"oracle = "legal_move", of = "b", depth = 2"#, "`legal_move` takes no `depth`");
    wrong(r#"oracle = "sound_move", of = "b""#, "`sound_move` needs a `depth`, 1 to 6");
    wrong(r#"oracle = "sound_move", of = "b", depth = 7"#, "a whole number, 1 to 6");
    wrong(r#"oracle = "sound_move", of = "b", depth = 1.5"#, "a whole number, 1 to 6");
    wrong(r#"matches = "a", of = "b""#, "`of` needs `oracle`");
}

#[test]
fn an_oracle_that_the_reference_lacks_is_an_error_of_the_case() {
    let game =
        "[[step]]\nplay = \"next_move(b, 1)\"\non = \"b = make_board()\"\nagainst = \"random\"\ngames = 1\n";
    for case in [with_last(r#"oracle = "legal_move", of = "b""#), format!("title = \"A match\"\n{game}")] {
        let mut loaded = loaded(&case).unwrap();
        let case = &mut loaded.cases[0];
        let expect = case.expect.last_mut().unwrap();
        match expect.value.as_mut().map(|returns| &mut returns.matcher) {
            Some(Matcher::Oracle(asked)) => asked.oracle = "gone".to_owned(),
            _ => expect.games.moves = Some(("gone".to_owned(), None)),
        }
        let error = checked(&loaded).unwrap_err();
        assert_says(&error.to_string(), "the reference has no oracle `gone`");

        let correct = root().join("fixtures/submissions/alquerque/python/correct_tuple");
        let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
        let error = grading::grade(&loaded, &correct, &mut worker, &Interpreters::default()).unwrap_err();
        // The exit code is that of an error in a case, not of a fault.
        assert!(matches!(RunError::from(error.clone()), RunError::Exercise(_)), "{error:?}");
        assert_says(&error.to_string(), "the reference has no oracle `gone`");
    }
}
