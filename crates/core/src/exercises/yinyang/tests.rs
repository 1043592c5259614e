//! Yin-Yang against a board of characters that recomputes everything each time, and its solver against brute
//! force.

use crate::exercises::grid::{Grid, Pos};
use crate::exercises::yinyang::rules::{Cell, Colour, YinYang};
use crate::exercises::yinyang::solver::{self, Solutions};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The puzzle as the text that the assignment prints.
#[derive(Clone, Debug, PartialEq)]
struct Naive {
    rows: Vec<Vec<char>>,
}

impl Naive {
    /// `None` for givens that break a condition.
    fn new(size: usize, white: &[Pos], black: &[Pos]) -> Option<Naive> {
        let off_grid = |pos: &Pos| pos.row >= size || pos.col >= size;
        if white.iter().any(|pos| black.contains(pos)) || white.iter().chain(black).any(off_grid) {
            return None;
        }
        let mut rows = vec![vec!['-'; size]; size];
        white.iter().for_each(|pos| rows[pos.row][pos.col] = 'W');
        black.iter().for_each(|pos| rows[pos.row][pos.col] = 'B');
        let naive = Naive { rows };
        (!naive.has_square()).then_some(naive)
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn at(&self, pos: Pos) -> Option<char> {
        Some(*self.rows.get(pos.row)?.get(pos.col)?)
    }

    fn has_square(&self) -> bool {
        self.rows.windows(2).any(|two| {
            (1..self.size()).any(|col| {
                let square = [two[0][col - 1], two[0][col], two[1][col - 1], two[1][col]];
                let all = |colour: &str| square.iter().all(|cell| colour.contains(*cell));
                all("Ww") || all("Bb")
            })
        })
    }

    /// The board after `action`; `None` if it is not allowed.
    fn after(&self, action: Action) -> Option<Naive> {
        let Action(pos, symbol) = action;
        let may = match self.at(pos)? {
            '-' => symbol != '-',
            'w' | 'b' => symbol == '-',
            _ => false,
        };
        let mut next = self.clone();
        next.rows[pos.row][pos.col] = symbol;
        (may && !next.has_square()).then_some(next)
    }

    /// Every cell starts with a unique number; neighbours of one colour take the smaller one until nothing
    /// changes.
    fn numbers(&self) -> Vec<usize> {
        let size = self.size();
        let colour = |index: usize| self.rows[index / size][index % size].to_ascii_lowercase();
        let mut numbers: Vec<usize> = (0..size * size).collect();
        loop {
            let before = numbers.clone();
            for index in 0..numbers.len() {
                let right = (index % size + 1 < size).then_some(index + 1);
                let below = (index + size < numbers.len()).then_some(index + size);
                for near in [right, below].into_iter().flatten().filter(|near| colour(*near) == colour(index))
                {
                    let least = numbers[index].min(numbers[near]);
                    (numbers[index], numbers[near]) = (least, least);
                }
            }
            if numbers == before {
                return numbers;
            }
        }
    }

    fn region(&self, pos: Pos) -> BTreeSet<Pos> {
        if self.at(pos).is_none_or(|cell| cell == '-') {
            return BTreeSet::new();
        }
        let (numbers, size) = (self.numbers(), self.size());
        let here = numbers[pos.row * size + pos.col];
        let same = (0..numbers.len()).filter(|index| numbers[*index] == here);
        same.map(|index| Pos::new(index / size, index % size)).collect()
    }

    fn is_solved(&self) -> bool {
        let cells: String = self.rows.iter().flatten().collect();
        let numbers = self.numbers();
        let regions = |colour: &str| {
            let cells = cells.chars().zip(&numbers).filter(|(cell, _)| colour.contains(*cell));
            cells.map(|(_, number)| number).collect::<BTreeSet<_>>().len()
        };
        !cells.contains('-') && !self.has_square() && regions("Ww") <= 1 && regions("Bb") <= 1
    }

    /// The solved boards among all ways to fill the empty cells.
    fn solutions(&self) -> BTreeSet<String> {
        let empty: Vec<Pos> = positions(self.size()).filter(|pos| self.at(*pos) == Some('-')).collect();
        let fillings = (0..1_u32 << empty.len()).map(|bits| {
            let mut filled = self.clone();
            for (bit, pos) in empty.iter().enumerate() {
                filled.rows[pos.row][pos.col] = if bits >> bit & 1 == 0 { 'w' } else { 'b' };
            }
            filled
        });
        fillings.filter(Naive::is_solved).map(|solved| solved.text()).collect()
    }

    fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// The new content of a cell: `w`, `b` or `-`.
#[derive(Clone, Copy, Debug)]
struct Action(Pos, char);

/// Whether the puzzle accepts the action.
fn act(puzzle: &mut YinYang, Action(pos, symbol): Action) -> bool {
    match symbol {
        'w' => puzzle.fill(pos, Colour::White).is_ok(),
        'b' => puzzle.fill(pos, Colour::Black).is_ok(),
        _ => puzzle.clear(pos).is_ok(),
    }
}

fn positions(size: usize) -> impl Iterator<Item = Pos> {
    (0..size * size).map(move |index| Pos::new(index / size, index % size))
}

/// A position on a grid of `size`, now and then just off it.
fn any_pos(size: usize) -> impl Strategy<Value = Pos> {
    let number = prop_oneof![20 => 0..size, 1 => Just(size), 1 => Just(usize::MAX)];
    (number.clone(), number).prop_map(|(row, col)| Pos::new(row, col))
}

fn any_action(size: usize) -> impl Strategy<Value = Action> {
    (any_pos(size), prop::sample::select(vec!['w', 'w', 'b', 'b', '-']))
        .prop_map(|(pos, symbol)| Action(pos, symbol))
}

/// A size, givens of which some break a condition, and actions of which many are refused.
fn any_play() -> impl Strategy<Value = (usize, Vec<Pos>, Vec<Pos>, Vec<Action>)> {
    (1..6_usize).prop_flat_map(|size| {
        let given = || prop::collection::vec(any_pos(size), 0..=size);
        (Just(size), given(), given(), prop::collection::vec(any_action(size), 0..5 * size * size))
    })
}

/// A puzzle of at most 4 rows, together with the naive one, with at most twelve empty cells.
fn any_small_puzzle() -> impl Strategy<Value = (YinYang, Naive)> {
    let cells = |size: usize| {
        prop::collection::vec(prop::sample::select(vec!['W', 'B', 'w', 'b', '-', '-', '-']), size * size)
    };
    let naive = (1..5_usize).prop_flat_map(move |size| (Just(size), cells(size)));
    naive.prop_filter_map("a square, or too many ways to fill it", |(size, cells)| {
        let naive = Naive { rows: cells.chunks(size).map(<[char]>::to_vec).collect() };
        let empty = cells.iter().filter(|cell| **cell == '-').count();
        (empty <= 12 && !naive.has_square()).then(|| (of_text(&naive.text()), naive))
    })
}

/// The puzzle that prints `text`.
fn of_text(text: &str) -> YinYang {
    let rows: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
    let at = |symbol: char| {
        positions(rows.len()).filter(|pos| rows[pos.row][pos.col] == symbol).collect::<Vec<_>>()
    };
    let mut puzzle = YinYang::new(rows.len(), at('W'), at('B')).expect("a square of givens");
    for symbol in ['w', 'b'] {
        assert!(at(symbol).into_iter().all(|pos| act(&mut puzzle, Action(pos, symbol))), "{text}");
    }
    puzzle
}

/// The puzzle with its empty cells filled as in `solution`.
fn filled(puzzle: &YinYang, solution: &Grid<Colour>) -> YinYang {
    let mut filled = puzzle.clone();
    for pos in puzzle.positions() {
        let colour = *solution.get(pos).expect("a solution of another size");
        match puzzle.cell(pos).expect("a position off the grid") {
            Cell::Empty => assert!(filled.fill(pos, colour).is_ok(), "{solution:?}"),
            Cell::Given(fixed) | Cell::Made(fixed) => assert_eq!(fixed, colour),
        }
    }
    filled
}

proptest! {
    #[test]
    fn play_agrees_with_the_naive_board((size, white, black, actions) in any_play()) {
        let puzzle = YinYang::new(size, white.clone(), black.clone());
        let naive = Naive::new(size, &white, &black);
        prop_assert_eq!(puzzle.is_ok(), naive.is_some());
        let (Ok(mut puzzle), Some(mut naive)) = (puzzle, naive) else { return Ok(()) };
        for action in actions {
            let after = naive.after(action);
            prop_assert_eq!(act(&mut puzzle, action), after.is_some(), "{:?}", action);
            naive = after.unwrap_or(naive);
            prop_assert_eq!(puzzle.to_string(), naive.text());
            prop_assert_eq!(puzzle.region(action.0), naive.region(action.0));
            prop_assert_eq!(puzzle.is_solved(), naive.is_solved());
        }
    }

    #[test]
    fn exactly_the_allowed_actions_are_accepted((puzzle, naive) in any_small_puzzle()) {
        for pos in positions(naive.size() + 1) {
            for symbol in ['w', 'b', '-'] {
                let mut acted = puzzle.clone();
                let after = naive.after(Action(pos, symbol));
                prop_assert_eq!(act(&mut acted, Action(pos, symbol)), after.is_some());
                prop_assert_eq!(acted.to_string(), after.unwrap_or(naive.clone()).text());
            }
        }
    }

    #[test]
    fn play_leaves_no_trace_but_the_board((size, white, black, actions) in any_play()) {
        let Ok(mut puzzle) = YinYang::new(size, white, black) else { return Ok(()) };
        for action in actions {
            act(&mut puzzle, action);
        }
        prop_assert_eq!(&of_text(&puzzle.to_string()), &puzzle);
    }

    #[test]
    fn the_solver_finds_what_trying_all_finds((puzzle, naive) in any_small_puzzle()) {
        let tried = naive.solutions();
        let solutions = Solutions::of(&puzzle).unwrap();
        let found: Vec<String> = solutions.iter().map(|solution| filled(&puzzle, &solution).to_string()).collect();
        prop_assert_eq!(solver::count(&puzzle), Ok(tried.len() as u128));
        prop_assert_eq!(found.len(), tried.len());
        prop_assert_eq!(&found.into_iter().collect::<BTreeSet<_>>(), &tried);
        prop_assert_eq!(solver::unique(&puzzle).unwrap().is_some(), tried.len() == 1);
    }
}

#[test]
fn every_solution_of_an_empty_grid_is_accepted() {
    for size in 1..=5 {
        let empty = YinYang::new(size, [], []).unwrap();
        for solution in Solutions::of(&empty).unwrap().iter() {
            assert!(filled(&empty, &solution).is_solved(), "{solution:?}");
        }
    }
    let empty = YinYang::new(7, [], []).unwrap();
    let solutions = Solutions::of(&empty).unwrap();
    for index in (0..solutions.count()).step_by(4_001) {
        assert!(filled(&empty, &solutions.get(index).unwrap()).is_solved());
    }
}

/// The positions in the list that follows `name` in the text of a case.
fn givens(case: &str, name: &str) -> Vec<Pos> {
    let (_, list) = case.split_once(name).expect("no such list");
    let (list, _) = list.split_once(']').expect("a list without an end");
    let numbers: Vec<usize> = list
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse().expect("a number too large"))
        .collect();
    numbers.chunks(2).map(|pair| Pos::new(pair[0], pair[1])).collect()
}

/// Checks that the puzzle of a case has one solution, and that the case reaches it.
#[track_caller]
fn check_case(size: usize, case: &str) {
    assert!(case.contains(&format!("dimensie={size},")));
    let puzzle = YinYang::new(size, givens(case, "wit=["), givens(case, "zwart=[")).expect("not a puzzle");
    let solution = solver::unique(&puzzle).expect("too large").expect("not exactly one solution");
    let solved = filled(&puzzle, &solution);
    assert!(solved.is_solved());
    assert!(case.contains(&solved.to_string()), "the case does not reach\n{solved}");
}

#[test]
fn the_puzzles_of_the_cases_have_one_solution() {
    check_case(4, include_str!("../../../../../cases/yinyang/solved_4x4.toml"));
    check_case(5, include_str!("../../../../../cases/yinyang/solved_5x5.toml"));
    check_case(6, include_str!("../../../../../cases/yinyang/spec_session.toml"));
    check_case(7, include_str!("../../../../../cases/yinyang/solved_7x7.toml"));
    check_case(8, include_str!("../../../../../cases/yinyang/solved_8x8.toml"));
    check_case(9, include_str!("../../../../../cases/yinyang/solved_9x9.toml"));
    check_case(10, include_str!("../../../../../cases/yinyang/solved_10x10.toml"));
}
