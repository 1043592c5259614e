//! Every short game, to prove that a session is the shortest.

use super::questions::MoveKind;
use super::session::{Act, BoardName, BoardQuestion, GameSession, SearchJudge, SearchTask};
use super::{PLAIN, positions};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::sessions::RandomStep;
use std::collections::{BTreeMap, HashSet};

/// A move is searched for so deep only, which every program does at once.
const DEPTH: u32 = 1;

/// The most moves in sessions of every game. After so many, there are 1,250 positions.
const MOST_MOVES: usize = 6;

/// The most moves after a copy.
const MOST_COPIED: usize = 3;

/// Every session of `calls` calls on a board, with questions at its end: games of as many moves that lead to
/// different positions, copies, and the remembered positions after so many moves.
pub(super) fn short(calls: usize) -> Box<dyn Iterator<Item = Vec<RandomStep>>> {
    let remembered = positions::all().iter().filter(move |position| position.game.len() == calls);
    let remembered = remembered.map(|position| position.session().steps());
    let moves = calls.checked_sub(1).filter(|moves| *moves <= MOST_COPIED);
    let copied = moves.map(games).into_iter().flatten().flat_map(|(board, moves)| {
        [(BoardName::B, BoardName::C), (BoardName::C, BoardName::B)].map(|(on, other)| {
            let mut session = GameSession::begun(BoardName::B);
            session.acts.push(Act::Copy { from: BoardName::B, to: BoardName::C });
            for step in &moves {
                session.play(on, *step);
            }
            asked(&mut session, other, &Board::start());
            asked(&mut session, on, &board);
            session.steps()
        })
    });
    let played = if calls > MOST_MOVES { Vec::new() } else { games(calls) };
    let played = played.into_iter().map(|(board, moves)| {
        let mut session = GameSession::begun(BoardName::B);
        for step in moves {
            session.play(BoardName::B, step);
        }
        asked(&mut session, BoardName::B, &board);
        session.steps()
    });
    Box::new(played.chain(copied).chain(remembered))
}

/// A game of this many moves to every position that there is after so many.
fn games(count: usize) -> Vec<(Board, Vec<Move>)> {
    let mut games = vec![(Board::start(), Vec::new())];
    for _ in 0..count {
        let mut seen = HashSet::new();
        let mut longer = Vec::new();
        for (board, moves) in games {
            for step in board.legal_moves() {
                let mut after = board;
                if after.play(step).is_ok() && seen.insert(after) {
                    longer.push((after, moves.iter().copied().chain([step]).collect()));
                }
            }
        }
        games = longer;
    }
    games
}

/// Asks everything about a board, and about two moves of each kind: from an odd and from an even field.
fn asked(session: &mut GameSession, name: BoardName, board: &Board) {
    for question in PLAIN {
        session.ask(name, question);
    }
    for (_, moves) in MoveKind::of_all(board) {
        let moves = moves.into_iter().map(|step| (step.source.number() % 2, step));
        let each: BTreeMap<u8, Move> = moves.rev().collect();
        session.acts.extend(each.into_values().map(|step| Act::Ask(name, BoardQuestion::IsLegal(step))));
    }
    if board.outcome().is_none() {
        let search = SearchTask { depth: DEPTH, judge: SearchJudge::Sound, copy: false };
        session.ask(name, BoardQuestion::NextMove(search));
    }
}
