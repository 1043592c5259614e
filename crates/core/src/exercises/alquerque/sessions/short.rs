//! Every short game, to prove that a session is the shortest.

use super::PLAIN;
use super::questions::MoveKind;
use super::session::{Act, BoardName, BoardQuestion, GameSession, SearchJudge, SearchTask};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::sessions::RandomStep;
use std::collections::HashSet;

/// A move is searched for so deep only, which every program does at once.
const DEPTH: u32 = 1;

/// Every session of `calls` calls on a board, with questions at its end: games of as many moves that lead to
/// different positions, and copies.
pub(super) fn short(calls: usize) -> Box<dyn Iterator<Item = Vec<RandomStep>>> {
    let copied = calls.checked_sub(1).map(games).into_iter().flatten().flat_map(|(board, moves)| {
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
    let played = games(calls).into_iter().map(|(board, moves)| {
        let mut session = GameSession::begun(BoardName::B);
        for step in moves {
            session.play(BoardName::B, step);
        }
        asked(&mut session, BoardName::B, &board);
        session.steps()
    });
    Box::new(played.chain(copied))
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

/// Asks everything about a board, and about one move of each kind.
fn asked(session: &mut GameSession, name: BoardName, board: &Board) {
    for question in PLAIN {
        session.ask(name, question);
    }
    for (_, moves) in MoveKind::of_all(board) {
        session.acts.extend(moves.first().map(|step| Act::Ask(name, BoardQuestion::IsLegal(*step))));
    }
    if board.outcome().is_none() {
        let search = SearchTask { depth: DEPTH, judge: SearchJudge::Sound, copy: false };
        session.ask(name, BoardQuestion::NextMove(search));
    }
}
