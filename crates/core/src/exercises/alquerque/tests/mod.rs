//! Alquerque against a second formulation of its rules: lists of the lines drawn on the board.

use crate::exercises::alquerque::rules::{Board, Field, Leaves, Move, Outcome, Player, perft};
use crate::exercises::alquerque::search::{choose, next_move};
use crate::exercises::score::Score;
use crate::exercises::search::{Searchable, WON};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

/// Games of 1, 2, 3 … moves from the start, as counted by the course that has this exercise.
const PERFT: [u64; 12] =
    [3, 6, 19, 82, 352, 1_648, 8_560, 49_033, 286_624, 1_836_854, 11_716_511, 81_027_967];

/// The lines of the board, each as the fields on it in order.
const LINES: [&[u8]; 16] = [
    &[1, 2, 3, 4, 5],
    &[6, 7, 8, 9, 10],
    &[11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20],
    &[21, 22, 23, 24, 25],
    &[1, 6, 11, 16, 21],
    &[2, 7, 12, 17, 22],
    &[3, 8, 13, 18, 23],
    &[4, 9, 14, 19, 24],
    &[5, 10, 15, 20, 25],
    &[1, 7, 13, 19, 25],
    &[5, 9, 13, 17, 21],
    &[3, 7, 11],
    &[3, 9, 15],
    &[11, 17, 23],
    &[15, 19, 23],
];

/// A position as the two players' fields.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Naive {
    white: BTreeSet<u8>,
    black: BTreeSet<u8>,
    white_plays: bool,
}

impl Naive {
    fn of(board: &Board) -> Naive {
        let fields = |player| board.pieces_of(player).map(Field::number).collect();
        Naive {
            white: fields(Player::White),
            black: fields(Player::Black),
            white_plays: board.to_move() == Player::White,
        }
    }

    /// Every legal move with the field that it captures.
    fn moves(&self) -> BTreeSet<(u8, u8, Option<u8>)> {
        let (mine, theirs) =
            if self.white_plays { (&self.white, &self.black) } else { (&self.black, &self.white) };
        let empty = |field: &u8| !mine.contains(field) && !theirs.contains(field);
        let row = |field: u8| (field - 1) / 5;
        let mut moves = BTreeSet::new();
        for line in LINES {
            let backwards: Vec<u8> = line.iter().rev().copied().collect();
            for line in [line, backwards.as_slice()] {
                for pair in line.windows(2) {
                    let forward = if self.white_plays {
                        row(pair[1]) < row(pair[0])
                    } else {
                        row(pair[1]) > row(pair[0])
                    };
                    if forward && mine.contains(&pair[0]) && empty(&pair[1]) {
                        moves.insert((pair[0], pair[1], None));
                    }
                }
                for triple in line.windows(3) {
                    if mine.contains(&triple[0]) && theirs.contains(&triple[1]) && empty(&triple[2]) {
                        moves.insert((triple[0], triple[2], Some(triple[1])));
                    }
                }
            }
        }
        moves
    }

    fn play(&self, source: u8, target: u8, captured: Option<u8>) -> Naive {
        let mut after = self.clone();
        let (mine, theirs) = if self.white_plays {
            (&mut after.white, &mut after.black)
        } else {
            (&mut after.black, &mut after.white)
        };
        mine.remove(&source);
        mine.insert(target);
        if let Some(captured) = captured {
            theirs.remove(&captured);
        }
        after.white_plays = !self.white_plays;
        after
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.white.is_empty(), self.black.is_empty()) {
            (true, _) => Some(Outcome::Win(Player::Black)),
            (_, true) => Some(Outcome::Win(Player::White)),
            (false, false) => self.moves().is_empty().then_some(Outcome::Draw),
        }
    }
}

/// The board turned upside down with the colours exchanged: the same game for the other player.
fn turned(board: &Board) -> Board {
    let turn = |field: Field| Field::new(26 - field.number()).unwrap();
    Board::with_pieces(
        board.pieces_of(Player::Black).map(turn),
        board.pieces_of(Player::White).map(turn),
        board.to_move().opponent(),
    )
    .unwrap()
}

/// Positions reached by random play.
fn played() -> impl Strategy<Value = Board> {
    prop::collection::vec(any::<Index>(), 0..50).prop_map(|choices| {
        let mut board = Board::start();
        for choice in choices {
            let moves = board.legal_moves();
            if !moves.is_empty() {
                board.play(*choice.get(&moves)).unwrap();
            }
        }
        board
    })
}

/// Positions of any pieces anywhere.
fn arranged() -> impl Strategy<Value = Board> {
    let field = prop_oneof![4 => Just(None), 3 => Just(Some(Player::White)), 3 => Just(Some(Player::Black))];
    let to_move = prop_oneof![Just(Player::White), Just(Player::Black)];
    (prop::collection::vec(field, 25), to_move).prop_filter_map("nobody moved last", |(pieces, to_move)| {
        let of = |player| Field::all().zip(&pieces).filter(move |(_, piece)| **piece == Some(player));
        let fields = |player| of(player).map(|(field, _)| field).collect::<Vec<_>>();
        Board::with_pieces(fields(Player::White), fields(Player::Black), to_move).ok()
    })
}

fn positions() -> impl Strategy<Value = Board> {
    prop_oneof![played(), arranged()]
}

/// Plain minimax over the game's public API: the value to the player to move, nearer wins first.
fn minimax(board: &Board, depth: u32) -> i32 {
    match board.outcome() {
        Some(Outcome::Win(winner)) => return if winner == board.to_move() { WON } else { -WON },
        Some(Outcome::Draw) => return 0,
        None if depth == 0 => return board.estimate(),
        None => {}
    }
    board
        .legal_moves()
        .into_iter()
        .map(|next| {
            let mut after = *board;
            after.play(next).unwrap();
            one_move_later(-minimax(&after, depth - 1))
        })
        .max()
        .unwrap()
}

/// Values of won and lost games get one nearer to zero with each move until the end.
fn one_move_later(value: i32) -> i32 {
    const FAR_FROM_ANY_END: i32 = 100_000;
    if value > FAR_FROM_ANY_END {
        value - 1
    } else if value < -FAR_FROM_ANY_END {
        value + 1
    } else {
        value
    }
}

fn depth(depth: u32) -> NonZeroU32 {
    NonZeroU32::new(depth).unwrap()
}

#[test]
fn perft_counts_as_many_games_from_the_start_as_published() {
    for (moves, count) in (1..).zip(PERFT) {
        assert_eq!(perft(&Board::start(), moves, Leaves::Played), count, "{moves} moves");
        assert_eq!(perft(&Board::start(), moves, Leaves::Counted), count, "{moves} moves, the last counted");
    }
    assert_eq!(perft(&Board::start(), 0, Leaves::Counted), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn masks_and_lines_give_the_same_moves_and_outcome(board in positions()) {
        let naive = Naive::of(&board);
        let moves: Vec<Move> = board.legal_moves();
        let found: BTreeSet<(u8, u8)> =
            moves.iter().map(|found| (found.source.number(), found.target.number())).collect();
        prop_assert_eq!(found.len(), moves.len(), "a move is generated twice");
        let expected: BTreeSet<(u8, u8)> =
            naive.moves().into_iter().map(|(source, target, _)| (source, target)).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(board.outcome(), naive.outcome());
    }

    #[test]
    fn a_move_changes_the_masks_as_it_changes_the_fields(board in positions()) {
        let naive = Naive::of(&board);
        for (source, target, captured) in naive.moves() {
            let mut after = board;
            after.play(Move::new(Field::new(source).unwrap(), Field::new(target).unwrap())).unwrap();
            prop_assert_eq!(Naive::of(&after), naive.play(source, target, captured));
        }
    }

    #[test]
    fn exactly_the_generated_moves_are_accepted_and_the_others_change_nothing(board in positions()) {
        let moves = board.legal_moves();
        for source in Field::all() {
            for target in Field::all() {
                let wanted = Move::new(source, target);
                let mut after = board;
                prop_assert_eq!(after.play(wanted).is_ok(), moves.contains(&wanted), "{}", wanted);
                prop_assert_eq!(board.check(wanted).is_ok(), moves.contains(&wanted), "{}", wanted);
                prop_assert_eq!(after != board, moves.contains(&wanted), "{}", wanted);
            }
        }
    }

    #[test]
    fn the_game_is_the_same_from_both_sides(board in positions()) {
        let other = turned(&board);
        prop_assert_eq!(perft(&board, 4, Leaves::Counted), perft(&other, 4, Leaves::Played));
        prop_assert_eq!((board.lead(), board.estimate()), (other.lead(), other.estimate()));
        prop_assert_eq!(
            choose(&board, depth(3)).map(|choice| choice.value),
            choose(&other, depth(3)).map(|choice| choice.value)
        );
    }

    #[test]
    fn the_search_finds_what_plain_minimax_finds_in_games_six_moves_ahead(board in played()) {
        finds_what_minimax_finds(board, 6)?;
    }

    #[test]
    fn the_search_finds_what_plain_minimax_finds_anywhere(board in arranged(), looking in 1u32..=5) {
        finds_what_minimax_finds(board, looking)?;
    }
}

/// Compares the search with [`minimax`]: the value, and the first of the best moves.
fn finds_what_minimax_finds(board: Board, looking: u32) -> Result<(), TestCaseError> {
    let before = board;
    let Some(found) = choose(&board, depth(looking)) else {
        prop_assert!(board.outcome().is_some());
        return Ok(());
    };
    let values = board.legal_moves().into_iter().map(|next| {
        let mut after = board;
        after.play(next).unwrap();
        (next, one_move_later(-minimax(&after, looking - 1)))
    });
    let first_best = values.reduce(|best, next| if next.1 > best.1 { next } else { best });
    prop_assert_eq!(Some((found.best, found.value)), first_best);
    prop_assert_eq!(next_move(&board, depth(looking)), Some(found.best));
    prop_assert_eq!(found.line.first(), Some(&found.best));
    prop_assert_eq!(board, before);
    let mut end = board;
    for next in &found.line {
        end.play(*next).unwrap();
    }
    match found.score {
        Score::Win(moves) | Score::Loss(moves) => {
            prop_assert_eq!(moves, found.line.len() as u32);
            prop_assert!(matches!(end.outcome(), Some(Outcome::Win(_))));
        }
        Score::Draw => prop_assert_eq!(found.value, 0),
        Score::Estimate(value) => prop_assert_eq!(found.value, value),
    }
    Ok(())
}

#[test]
fn the_automatic_player_beats_a_random_one() {
    // A small linear congruential generator: the games are the same in every run.
    let mut state = 20_230_914_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut wins = 0;
    for game in 0..20 {
        let automatic = if game % 2 == 0 { Player::White } else { Player::Black };
        let mut board = Board::start();
        let outcome = loop {
            if let Some(outcome) = board.outcome() {
                break outcome;
            }
            let moves = board.legal_moves();
            let next = if board.to_move() == automatic {
                next_move(&board, depth(3)).unwrap()
            } else {
                moves[random(moves.len())]
            };
            board.play(next).unwrap();
        };
        assert_ne!(outcome, Outcome::Win(automatic.opponent()), "game {game}");
        wins += usize::from(outcome == Outcome::Win(automatic));
    }
    assert!(wins >= 15, "{wins} wins of 20");
}
