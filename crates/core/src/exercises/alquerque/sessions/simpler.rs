//! Sessions that are a little simpler than a given one.

use super::early::{self, Early};
use super::positions;
use super::questions::MoveKind;
use super::session::{Act, BoardName, BoardQuestion, GameSession, SearchTask};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::sessions::without_some;

/// The number of positions of one kind that are offered.
const OFFERED: usize = 4;
/// The moves of the first positions that are offered whatever was asked.
const FIRST: usize = 2;

/// Simpler sessions, the simplest first.
pub(super) fn of(session: &GameSession) -> Vec<GameSession> {
    let asks: Vec<usize> =
        (0..session.acts.len()).filter(|index| matches!(session.acts[*index], Act::Ask(..))).collect();
    let mut found = Vec::new();
    if asks.len() > 1 {
        found.extend(asks.iter().map(|index| alone(session, *index)));
        found.extend(asks.iter().map(|index| GameSession { acts: session.acts[..=*index].to_vec() }));
    } else if let Some((game, asked)) = single(session) {
        found.extend(elsewhere(&game, asked));
        found.extend((0..game.len()).map(|moves| written(&game[..moves], asked)));
    }
    found.extend(without_some(&session.acts).map(|acts| GameSession { acts }));
    found.extend(without_pairs(session));
    found.extend(easier(session));
    found.retain(|simpler| simpler.acts.len() <= session.acts.len() && simpler != session);
    found.retain(|simpler| simpler.replayed().is_some());
    found
}

/// The question at `index` without the others.
fn alone(session: &GameSession, index: usize) -> GameSession {
    let before = session.acts[..index].iter().filter(|act| !matches!(act, Act::Ask(..)));
    GameSession { acts: before.chain(&session.acts[index..=index]).copied().collect() }
}

/// The moves and the question of a session that has one game and one question at its end.
fn single(session: &GameSession) -> Option<(Vec<Move>, BoardQuestion)> {
    let [Act::Make(BoardName::B), plays @ .., Act::Ask(BoardName::B, asked)] = session.acts.as_slice() else {
        return None;
    };
    let step = |act: &Act| match act {
        Act::Play(BoardName::B, step) => Some(*step),
        Act::Play(BoardName::C, _) | Act::Make(_) | Act::Copy { .. } | Act::Ask(..) => None,
    };
    Some((plays.iter().map(step).collect::<Option<_>>()?, *asked))
}

fn written(game: &[Move], asked: BoardQuestion) -> GameSession {
    let plays = game.iter().map(|step| Act::Play(BoardName::B, *step));
    let acts = std::iter::once(Act::Make(BoardName::B))
        .chain(plays)
        .chain([Act::Ask(BoardName::B, asked)])
        .collect();
    GameSession { acts }
}

/// The same question after a shorter game, where the same rules decide it.
fn elsewhere(moves: &[Move], asked: BoardQuestion) -> Vec<GameSession> {
    let mut board = Board::start();
    if moves.iter().any(|step| board.play(*step).is_err()) {
        return Vec::new();
    }
    let shorter = || early::positions().iter().take_while(|early| early.moves < moves.len());
    let offer = |early: &Early, asked| written(&early::game(early), asked);
    let same_turn = |early: &&Early| early.board.to_move() == board.to_move();
    match asked {
        BoardQuestion::NextMove(search) => positions::shorter(moves.len(), search)
            .map(|position| {
                written(
                    &position.game,
                    BoardQuestion::NextMove(SearchTask { copy: search.copy, ..position.search }),
                )
            })
            .collect(),
        BoardQuestion::IsLegal(wanted) => {
            let kind = MoveKind::of(&board, wanted);
            let same = shorter().filter(same_turn).filter(|early| MoveKind::of(&early.board, wanted) == kind);
            let same = same.take(OFFERED).map(|early| offer(early, asked));
            let others = shorter().filter(same_turn).filter_map(|early| {
                let kinds = MoveKind::of_all(&early.board);
                let (_, moves) = kinds.into_iter().find(|(known, _)| *known == kind)?;
                Some(offer(early, BoardQuestion::IsLegal(*moves.first()?)))
            });
            same.chain(others.take(OFFERED)).collect()
        }
        BoardQuestion::LegalMoves => {
            let kinds = MoveKind::of_all(&board);
            let first = |kind: MoveKind| {
                let mut same = shorter().filter(same_turn);
                same.find(|early| MoveKind::of_all(&early.board).iter().any(|(known, _)| *known == kind))
            };
            let mut found: Vec<&Early> = kinds
                .iter()
                .filter(|(kind, _)| *kind != MoveKind::Absurd)
                .filter_map(|(kind, _)| first(*kind))
                .collect();
            found.sort_by_key(|early| early.moves);
            found.into_iter().map(|early| offer(early, asked)).collect()
        }
        _ => shorter().filter(|early| early.moves <= FIRST).map(|early| offer(early, asked)).collect(),
    }
}

/// Two moves of one board less, those that are close together first: without one alone the other player would
/// be to move.
fn without_pairs(session: &GameSession) -> Vec<GameSession> {
    let plays: Vec<usize> =
        (0..session.acts.len()).filter(|index| matches!(session.acts[*index], Act::Play(..))).collect();
    let mut found = Vec::new();
    for apart in (1..plays.len()).step_by(2) {
        for pair in plays.windows(apart + 1).rev() {
            let (first, second) = (pair[0], pair[apart]);
            let kept = |(index, act): (usize, &Act)| (index != first && index != second).then_some(*act);
            found.push(GameSession { acts: session.acts.iter().enumerate().filter_map(kept).collect() });
        }
    }
    found
}

/// The same session with easier questions for a move: a search less deep, and on the board itself.
fn easier(session: &GameSession) -> Vec<GameSession> {
    let mut found = Vec::new();
    for (index, act) in session.acts.iter().enumerate() {
        let Act::Ask(name, BoardQuestion::NextMove(search)) = *act else { continue };
        let shallower = (1..search.depth)
            .filter(|depth| search.judge.may_ask(*depth))
            .map(|depth| SearchTask { depth, ..search });
        let uncopied = search.copy.then_some(SearchTask { copy: false, ..search });
        for search in shallower.chain(uncopied) {
            let mut acts = session.acts.clone();
            acts[index] = Act::Ask(name, BoardQuestion::NextMove(search));
            found.push(GameSession { acts });
        }
    }
    found
}
