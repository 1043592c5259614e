//! Codenames against a second formulation that keeps only the key and a log, and derives everything from
//! them.

use crate::exercises::codenames::rules::{Card, Codenames, IllegalAction, Status, Team};
use crate::exercises::codenames::sessions::SESSIONS;
use crate::exercises::grid::Pos;
use crate::exercises::session_checks::{check_counts, check_sessions};
use crate::exercises::sessions::{Look, RandomStep};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
enum Action {
    Pass,
    Reveal(usize, usize),
}

/// A game as its key and its accepted actions. Teams and cards are their letters.
#[derive(Clone, Debug)]
struct Log {
    rows: usize,
    cols: usize,
    key: Vec<char>,
    done: Vec<Action>,
}

impl Log {
    fn letter(&self, row: usize, col: usize) -> char {
        self.key[row * self.cols + col]
    }

    fn open(&self, row: usize, col: usize) -> bool {
        self.done.iter().any(|action| matches!(action, Action::Reveal(r, k) if (*r, *k) == (row, col)))
    }

    fn first(&self) -> char {
        let balance: i32 = self
            .key
            .iter()
            .map(|letter| match letter {
                'R' => 1,
                'B' => -1,
                _ => 0,
            })
            .sum();
        if balance > 0 { 'R' } else { 'B' }
    }

    /// The team to play after the first `count` actions, found by going back to the last one that determines
    /// it.
    fn turn_after(&self, count: usize) -> char {
        let Some(last) = count.checked_sub(1) else { return self.first() };
        let before = self.turn_after(last);
        let other = if before == 'R' { 'B' } else { 'R' };
        match self.done[last] {
            Action::Pass => other,
            Action::Reveal(row, col) if self.letter(row, col) == before => before,
            Action::Reveal(..) => other,
        }
    }

    fn all_found(&self, team: char) -> bool {
        let hidden = |index: usize| !self.open(index / self.cols, index % self.cols);
        !self.key.iter().enumerate().any(|(index, letter)| *letter == team && hidden(index))
    }

    fn winner(&self) -> Option<char> {
        let assassin = self
            .done
            .iter()
            .position(|action| matches!(action, Action::Reveal(row, col) if self.letter(*row, *col) == 'X'));
        match assassin {
            Some(when) if self.turn_after(when) == 'R' => Some('B'),
            Some(_) => Some('R'),
            None => ['R', 'B'].into_iter().find(|team| self.all_found(*team)),
        }
    }

    fn text(&self) -> String {
        let row = |row: usize| -> String {
            let cells: Vec<String> = (0..self.cols)
                .map(|col| if self.open(row, col) { self.letter(row, col).into() } else { "?".into() })
                .collect();
            cells.join(" ")
        };
        (0..self.rows).map(row).collect::<Vec<String>>().join("\n")
    }
}

#[track_caller]
fn check_same(game: &Codenames, log: &Log) {
    let expected = match log.winner() {
        Some(winner) => (true, winner),
        None => (false, log.turn_after(log.done.len())),
    };
    let found = match game.status() {
        Status::Won(team) => (true, team.letter()),
        Status::Turn(team) => (false, team.letter()),
    };
    assert_eq!(found, expected, "{log:?}");
    assert_eq!(game.to_string(), log.text(), "{log:?}");
}

/// A board and a valid key in a random order; a team may have no spy at all.
fn games() -> impl Strategy<Value = Log> {
    (1usize..6, 1usize..6)
        .prop_filter("a key has an assassin and a spy", |(rows, cols)| rows * cols >= 2)
        .prop_flat_map(|(rows, cols)| {
            let size = rows * cols;
            (Just((rows, cols)), 0..size / 2, any::<bool>())
        })
        .prop_flat_map(|((rows, cols), fewer, red)| {
            let (more, less) = if red { ('R', 'B') } else { ('B', 'R') };
            let mut key = vec!['X'];
            key.extend(std::iter::repeat_n(more, fewer + 1));
            key.extend(std::iter::repeat_n(less, fewer));
            key.resize(rows * cols, '-');
            (Just((rows, cols)), Just(key).prop_shuffle())
        })
        .prop_map(|((rows, cols), key)| Log { rows, cols, key, done: Vec::new() })
}

/// Positions on the board and some beyond it; now and then a pass.
fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        1 => Just(Action::Pass),
        5 => (0usize..7, 0usize..7).prop_map(|(row, col)| Action::Reveal(row, col)),
    ];
    prop::collection::vec(action, 0..40)
}

fn start(log: &Log) -> Codenames {
    Codenames::new(log.rows, log.cols, &log.key.iter().collect::<String>())
        .expect("the strategy makes valid keys")
}

/// The result of an action by the naive rules: it is refused only after the end and off the board.
fn expected(log: &Log, action: Action) -> Result<(), IllegalAction> {
    match action {
        _ if log.winner().is_some() => Err(IllegalAction::Over),
        Action::Reveal(row, col) if row >= log.rows || col >= log.cols => {
            Err(IllegalAction::OffBoard(Pos::new(row, col)))
        }
        Action::Reveal(..) | Action::Pass => Ok(()),
    }
}

fn act(game: &mut Codenames, action: Action) -> Result<(), IllegalAction> {
    match action {
        Action::Pass => game.pass(),
        Action::Reveal(row, col) => game.reveal(Pos::new(row, col)).map(|_| ()),
    }
}

proptest! {
    #[test]
    fn a_game_agrees_with_its_log(mut log in games(), actions in actions()) {
        let mut game = start(&log);
        check_same(&game, &log);
        for action in actions {
            let before = game.clone();
            let answer = act(&mut game, action);
            prop_assert_eq!(answer, expected(&log, action));
            match answer {
                Ok(()) => log.done.push(action),
                Err(_) => prop_assert_eq!(&game, &before),
            }
            check_same(&game, &log);
        }
    }

    #[test]
    fn the_hidden_and_the_shown_cards_make_up_the_key(log in games(), actions in actions()) {
        let mut game = start(&log);
        for action in actions {
            let _ = act(&mut game, action);
            for (team, letter) in [(Team::Red, 'R'), (Team::Blue, 'B')] {
                let shown = (0..log.rows)
                    .flat_map(|row| (0..log.cols).map(move |col| Pos::new(row, col)))
                    .filter(|pos| game.shown(*pos) == Some(Card::Spy(team)))
                    .count();
                let total = log.key.iter().filter(|card| **card == letter).count();
                prop_assert_eq!(shown + game.spies_left(team), total);
            }
        }
    }

    #[test]
    fn every_game_ends_once_each_card_was_pointed_at(
        log in games(),
        passes in prop::collection::vec(any::<bool>(), 36),
    ) {
        let mut game = start(&log);
        let cards = (0..log.rows).flat_map(|row| (0..log.cols).map(move |col| (row, col)));
        for ((row, col), pass) in cards.zip(passes) {
            if pass {
                let _ = act(&mut game, Action::Pass);
            }
            let _ = act(&mut game, Action::Reveal(row, col));
        }
        prop_assert!(matches!(game.status(), Status::Won(_)));
    }

    #[test]
    fn no_key_and_no_size_makes_it_panic(
        rows in prop_oneof![0usize..5, any::<usize>()],
        cols in 0usize..5,
        key in "[RBX-]{0,12}|.{0,6}",
    ) {
        if let Ok(game) = Codenames::new(rows, cols, &key) {
            prop_assert_eq!(rows.checked_mul(cols), Some(key.chars().count()));
            prop_assert!(!game.to_string().contains(['R', 'B', 'X', '-']));
        }
    }
}

/// Follows a session with logs, and says what happens in it. Nothing may depend on a ruling.
fn happens(steps: &[RandomStep]) -> Vec<&'static str> {
    let mut logs: BTreeMap<&str, Log> = BTreeMap::new();
    let mut happens = Vec::new();
    for step in steps {
        for (index, line) in step.lines.iter().enumerate() {
            let last = index + 1 == step.lines.len();
            if let Some((name, key)) = line.split_once(" = ") {
                logs.insert(name, new_log(key));
                continue;
            }
            let mut calls = line.split('.');
            let name = calls.next().unwrap();
            let log = logs.get_mut(name).expect("a board that was made");
            let calls: Vec<&str> = calls.collect();
            for (index, call) in calls.iter().enumerate() {
                let refused = log.winner().is_some() && *call != "isafgelopen()";
                assert!(!refused || last && index + 1 == calls.len(), "{steps:?}");
                let compared = last && index + 1 == calls.len();
                let value = refused || ["beurt()", "isafgelopen()"].contains(call);
                match &step.look {
                    Look::Same(of) => assert!(!compared || of == name && !value, "{steps:?}"),
                    Look::Value => assert!(!compared || value, "{steps:?}"),
                    Look::Text => assert!(!compared || !value, "{steps:?}"),
                    Look::Prints | Look::Nothing => assert!(!refused, "{steps:?}"),
                    Look::Oracle { .. } => panic!("{steps:?}"),
                }
                happens.extend(follow(log, call));
            }
        }
    }
    happens.extend((logs.len() > 1).then_some("several boards"));
    happens
}

fn new_log(call: &str) -> Log {
    let arguments = call.strip_prefix("Spelbord(").and_then(|rest| rest.strip_suffix("')")).unwrap();
    let [rows, cols, key] = arguments.splitn(3, ", ").collect::<Vec<_>>().try_into().unwrap();
    let key: Vec<char> = key[1..].chars().collect();
    let count = |letter| key.iter().filter(|card| **card == letter).count();
    let log =
        Log { rows: rows.parse().unwrap(), cols: cols.parse().unwrap(), key: key.clone(), done: Vec::new() };
    assert_eq!(log.rows * log.cols, key.len());
    assert_eq!((count('X'), count('R').abs_diff(count('B'))), (1, 1));
    assert!(count('R') > 0 && count('B') > 0);
    log
}

fn follow(log: &mut Log, call: &str) -> Option<&'static str> {
    let over = log.winner().is_some();
    let action = match call {
        "isafgelopen()" => return over.then_some("an ended game is asked"),
        "beurt()" => return over.then_some("beurt is refused"),
        "stoppen()" if over => return Some("stoppen is refused"),
        "stoppen()" => Action::Pass,
        _ => {
            let arguments = call.strip_prefix("aanduiden(").and_then(|rest| rest.strip_suffix(')')).unwrap();
            let (row, col) = arguments.split_once(", ").unwrap();
            let (row, col): (usize, usize) = (row.parse().unwrap(), col.parse().unwrap());
            assert!(row < log.rows && col < log.cols && !log.open(row, col), "{call} on {log:?}");
            if over {
                return Some("aanduiden is refused");
            }
            Action::Reveal(row, col)
        }
    };
    let before = log.turn_after(log.done.len());
    log.done.push(action);
    match (action, log.winner()) {
        (Action::Pass, _) => Some("a team stops"),
        (Action::Reveal(row, col), Some(_)) if log.letter(row, col) == 'X' => Some("the assassin is found"),
        (Action::Reveal(..), Some(winner)) if winner == before => Some("a team finds its last spy"),
        (Action::Reveal(..), Some(_)) => Some("a team finds the other's last spy"),
        (Action::Reveal(row, _), None) if row > 9 => Some("a row of two digits"),
        (Action::Reveal(row, col), None) if log.letter(row, col) == '-' => Some("a bystander is found"),
        (Action::Reveal(..), None) => None,
    }
}

#[test]
fn sessions_keep_to_what_is_fixed() {
    check_sessions(SESSIONS.random, |steps| {
        happens(steps);
    });
}

#[test]
fn sessions_reach_every_kind_of_state() {
    check_counts(
        SESSIONS.random,
        happens,
        &[
            ("a bystander is found", 400),
            ("a row of two digits", 50),
            ("a team finds its last spy", 300),
            ("a team finds the other's last spy", 200),
            ("a team stops", 600),
            ("aanduiden is refused", 300),
            ("an ended game is asked", 500),
            ("beurt is refused", 300),
            ("several boards", 400),
            ("stoppen is refused", 300),
            ("the assassin is found", 100),
        ],
    );
}
