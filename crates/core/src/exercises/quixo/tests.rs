//! Quixo against a second formulation that works on text alone.
//!
//! A line is a string, a turn removes a character and inserts one.

use crate::exercises::grid::Pos;
use crate::exercises::quixo::rules::{Outcome, Quixo, Symbol, Turn};
use proptest::prelude::*;

/// A board as the strings of its rows.
type Rows = Vec<String>;

/// A size with as many faces as its board has dice.
fn boards() -> impl Strategy<Value = (usize, String)> {
    (1usize..=7).prop_flat_map(|size| (Just(size), faces(size, "[-XO]")))
}

/// Boards that are close to full lines: few blanks, and long runs of a symbol.
fn crowded() -> impl Strategy<Value = (usize, String)> {
    (1usize..=4).prop_flat_map(|size| (Just(size), faces(size, "[-XXXOOO]")))
}

fn faces(size: usize, of: &str) -> impl Strategy<Value = String> + use<> {
    proptest::string::string_regex(&format!("{of}{{{}}}", size * size)).expect("a valid pattern")
}

fn rows(board: &Quixo) -> Rows {
    board.to_string().lines().map(str::to_owned).collect()
}

fn transposed(rows: &Rows) -> Rows {
    (0..rows.len()).map(|col| rows.iter().filter_map(|row| row.chars().nth(col)).collect()).collect()
}

/// The rows after a turn, or `None` if it is not legal, by cases of where the die is.
fn naive_turn(rows: &Rows, turn: Turn) -> Option<Rows> {
    let last = rows.len() - 1;
    let Turn { symbol, from, to } = turn;
    if [from.row, from.col, to.row, to.col].iter().any(|at| *at > last) || from == to {
        return None;
    }
    if from.row != to.row {
        let turned = Turn { symbol, from: Pos::new(from.col, from.row), to: Pos::new(to.col, to.row) };
        return (from.col == to.col)
            .then(|| naive_turn(&transposed(rows), turned))
            .flatten()
            .map(|rows| transposed(&rows));
    }
    let on_ring = from.row == 0 || from.row == last || from.col == 0 || from.col == last;
    let at_end = to.col == 0 || to.col == last;
    let mut after = rows.clone();
    let taken = after[from.row].remove(from.col);
    after[from.row].insert(to.col, symbol.as_char());
    let free = taken == '-' || taken == symbol.as_char();
    (on_ring && at_end && free).then_some(after)
}

fn naive_outcome(rows: &Rows) -> Option<Outcome> {
    let size = rows.len();
    let text: String = rows.concat();
    let mut lines: Vec<String> = [rows.clone(), transposed(rows)].concat();
    lines.push(text.chars().step_by(size + 1).take(size).collect());
    lines.push(text.chars().skip(size - 1).step_by((size - 1).max(1)).take(size).collect());
    let full = |mark: &str| lines.contains(&mark.repeat(size));
    match (full("X"), full("O")) {
        (true, true) => Some(Outcome::Draw),
        (true, false) => Some(Outcome::Win(Symbol::Cross)),
        (false, true) => Some(Outcome::Win(Symbol::Circle)),
        (false, false) => None,
    }
}

/// Every turn that can be written, including those one place off the board.
fn all_turns(size: usize) -> impl Iterator<Item = Turn> {
    let places = move || (0..=size).flat_map(move |row| (0..=size).map(move |col| Pos::new(row, col)));
    Symbol::BOTH.into_iter().flat_map(move |symbol| {
        places().flat_map(move |from| places().map(move |to| Turn { symbol, from, to }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn text_and_faces_are_each_others_inverse((size, faces) in boards()) {
        let board = Quixo::with_faces(size, &faces).unwrap();
        prop_assert_eq!(rows(&board).concat(), faces);
        prop_assert_eq!(rows(&board).len(), size);
    }

    #[test]
    fn the_generated_turns_are_those_that_are_accepted((size, faces) in boards()) {
        let board = Quixo::with_faces(size, &faces).unwrap();
        let generated: Vec<Turn> = Symbol::BOTH.iter().flat_map(|symbol| board.turns(*symbol)).collect();
        for turn in all_turns(size) {
            let mut after = board.clone();
            let accepted = after.play(turn).is_ok();
            let times = generated.iter().filter(|found| **found == turn).count();
            prop_assert_eq!(times, usize::from(accepted), "{:?}", turn);
            match naive_turn(&rows(&board), turn) {
                Some(expected) => prop_assert_eq!(rows(&after), expected),
                None => prop_assert_eq!(&after, &board, "a refused turn changed the board: {:?}", turn),
            }
            prop_assert_eq!(accepted, naive_turn(&rows(&board), turn).is_some());
        }
    }

    #[test]
    fn a_new_board_is_judged_as_its_text((size, faces) in crowded()) {
        let board = Quixo::with_faces(size, &faces).unwrap();
        prop_assert_eq!(board.outcome(), naive_outcome(&rows(&board)));
    }

    #[test]
    fn a_game_has_the_outcome_of_its_first_full_line(
        size in 1usize..=4,
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let mut board = Quixo::new(size).unwrap();
        let mut expected = None;
        for (choice, symbol) in choices.iter().zip(Symbol::BOTH.into_iter().cycle()) {
            let turns: Vec<Turn> = board.turns(symbol).collect();
            if turns.is_empty() {
                break;
            }
            board.play(*choice.get(&turns)).unwrap();
            expected = expected.or(naive_outcome(&rows(&board)));
            prop_assert_eq!(board.outcome(), expected);
        }
    }

    #[test]
    fn every_name_of_a_place_is_read_back(size in 1usize..=26, row in 0usize..30, col in 0u8..26) {
        let board = Quixo::new(size).unwrap();
        let name = format!("{}{}", char::from(b'A' + col), row + 1);
        let place = Pos::new(row, usize::from(col));
        let on_board = place.row < size && place.col < size;
        prop_assert_eq!(board.position(&name).ok(), on_board.then_some(place));
    }

    #[test]
    fn no_text_makes_a_place_or_a_board_panic(size in any::<usize>(), text in ".{0,12}") {
        let _ = Quixo::with_faces(size, &text);
        let _ = Quixo::new(size % 40);
        let _ = Quixo::new(9).map(|board| board.position(&text));
    }
}
