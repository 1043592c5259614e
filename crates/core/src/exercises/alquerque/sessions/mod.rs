//! Random sessions of Alquerque: games with questions in between.
//!
//! Asked is only what the course fixes: never `is_legal` off the board, never `move` with an illegal move,
//! nor `next_move` without a depth or when the game is over. [`session`] is what a session does and
//! [`written`] its lines, [`questions`] which moves are asked about, and [`positions`] where the depth of a
//! search matters.

mod positions;
mod questions;
mod session;
mod short;
#[cfg(test)]
mod tests;
mod written;

use super::rules::{Board, Field, Move, Outcome};
use crate::exercises::sessions::{RandomStep, Sessions};
use crate::value::random::Random;
use questions::MoveKind;
use session::{Act, BoardName, BoardQuestion, GameSession};

/// The most games played in search of one that somebody wins: random games are nearly always drawn.
const ATTEMPTS: usize = 40;
/// The different questions that are asked again and again.
const WATCHED: usize = 3;
/// The questions about a board alone.
const PLAIN: [BoardQuestion; 5] = [
    BoardQuestion::White,
    BoardQuestion::Black,
    BoardQuestion::WhitePlays,
    BoardQuestion::LegalMoves,
    BoardQuestion::IsGameOver,
];
/// The questions about moves at one position.
const MOVES_ASKED: usize = 4;

/// The sessions.
pub(super) const SESSIONS: Sessions = Sessions { random, short: short::short };

/// A random session.
fn random(random: &mut Random) -> Vec<RandomStep> {
    let session = match random.below(24) {
        0..8 => visits(random),
        8..10 => to_the_end(random),
        10 => won(random),
        11..13 => copied(random),
        13..15 => two_boards(random),
        15..17 => watched(random),
        17 => positions::at_random(random),
        _ => positions::remembered(random),
    };
    session.steps()
}

/// The way in which the moves of a game are chosen.
#[derive(Clone, Copy)]
struct Temper {
    /// Of ten moves, how many are captures where there is one.
    greed: usize,
}

impl Temper {
    fn any(random: &mut Random) -> Temper {
        Temper { greed: [0, 3, 9][random.below(3)] }
    }

    /// A legal move; `None` if there is none.
    fn choose(self, board: &Board, random: &mut Random) -> Option<Move> {
        let mut moves = board.legal_moves();
        if random.below(10) < self.greed {
            let captures: Vec<Move> = moves.iter().copied().filter(|step| is_capture(*step)).collect();
            if !captures.is_empty() {
                moves = captures;
            }
        }
        random.one_of(moves, |step| number(*step))
    }
}

/// The number of a move among all moves.
fn number(step: Move) -> usize {
    usize::from(step.source.number()) * 25 + usize::from(step.target.number())
}

/// Whether a legal move captures.
fn is_capture(step: Move) -> bool {
    [2, 8, 10, 12].contains(&step.source.number().abs_diff(step.target.number()))
}

/// Moves from `board` on, about as many as `length` says.
fn game(
    mut board: Board,
    length: impl FnOnce(&mut Random) -> usize,
    temper: Temper,
    random: &mut Random,
) -> Vec<Move> {
    let mut moves = Vec::new();
    random.list(length, |random| {
        if let Some(step) = temper.choose(&board, random)
            && board.play(step).is_ok()
        {
            moves.push(step);
        }
    });
    moves
}

/// More moves than most games have.
const LONG: usize = 60;

/// A game up to some point, with questions there and at one or two points before.
fn visits(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let moves = game(Board::start(), |random| random.below(45), temper, random);
    let mut stops = vec![moves.len()];
    random.list(|random| random.below(3), |random| stops.push(random.below(moves.len() + 1)));
    let seconds = second_jumps(&moves);
    if !seconds.is_empty() {
        stops.push(seconds[random.below(seconds.len())].0);
    }
    stops.sort_unstable();
    let mut session = GameSession::begun(BoardName::B);
    let mut board = Board::start();
    let mut played = 0;
    for stop in stops {
        for step in &moves[played..stop] {
            session.play(BoardName::B, *step);
            let _ = board.play(*step);
        }
        played = stop;
        for (_, jump) in seconds.iter().filter(|(after, _)| *after == stop) {
            session.ask(BoardName::B, BoardQuestion::IsLegal(*jump));
        }
        random.part(|random| ask(&mut session, BoardName::B, &board, random));
    }
    session
}

/// A game in which the same is asked again and again: what is remembered of a board must change with it.
fn watched(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let mut board = Board::start();
    let kinds = MoveKind::of_all(&board);
    let mut asked = Vec::new();
    random.list(
        |_| WATCHED,
        |random| {
            asked.push(match PLAIN.get(random.below(PLAIN.len() + 2)) {
                Some(question) => *question,
                None => {
                    let (_, moves) = &kinds[random.below(kinds.len())];
                    BoardQuestion::IsLegal(moves[random.below(moves.len())])
                }
            });
        },
    );
    let mut session = GameSession::begun(BoardName::B);
    random.list(
        |random| 2 + random.below(12),
        |random| {
            random.list(
                |random| random.below(3),
                |random| {
                    if let Some(question) = asked.get(random.below(asked.len())) {
                        session.ask(BoardName::B, *question);
                    }
                },
            );
            play_on(&mut session, BoardName::B, &mut board, 3, temper, random);
        },
    );
    for question in asked {
        random.list(|_| 1, |_| session.ask(BoardName::B, question));
    }
    session
}

/// The jumps with which a piece that has just captured could capture again, if it were still its turn: after
/// how many of the moves, and the jump.
fn second_jumps(moves: &[Move]) -> Vec<(usize, Move)> {
    let mut board = Board::start();
    let mut found = Vec::new();
    for (played, step) in (1..).zip(moves) {
        let _ = board.play(*step);
        if is_capture(*step) {
            let jumps = Field::all().map(|target| Move::new(step.target, target));
            let jumps =
                jumps.filter(|jump| is_capture(*jump) && MoveKind::of(&board, *jump) == MoveKind::Theirs);
            found.extend(jumps.map(|jump| (played, jump)));
        }
    }
    found
}

/// Some questions about `board`, which is bound to `name`.
fn ask(session: &mut GameSession, name: BoardName, board: &Board, random: &mut Random) {
    for asked in PLAIN {
        random.list(|random| random.below(3) / 2, |_| session.ask(name, asked));
    }
    let mut kinds = MoveKind::of_all(board);
    random.list(
        |_| MOVES_ASKED,
        |random| {
            if let Some((_, moves)) = random.take(&mut kinds) {
                session.ask(name, BoardQuestion::IsLegal(moves[random.below(moves.len())]));
            }
        },
    );
}

/// A whole game, with everything asked at its end and some of it shortly before.
fn to_the_end(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let moves = game(Board::start(), |_| LONG, temper, random);
    ended(&moves, random)
}

/// A game that somebody wins, if one is found.
fn won(random: &mut Random) -> GameSession {
    let mut last = Vec::new();
    for _ in 0..ATTEMPTS {
        let mut board = Board::start();
        last.clear();
        // The winner captures, the loser does not.
        random.part(|random| {
            let winner = random.below(2);
            while let Some(step) = hunted(&board, last.len() % 2 == winner, random) {
                let _ = board.play(step);
                last.push(step);
            }
        });
        if matches!(board.outcome(), Some(Outcome::Win(_))) {
            break;
        }
    }
    ended(&last, random)
}

/// A move of the player who captures, or of the one who is captured and never captures if there is a choice.
fn hunted(board: &Board, winner: bool, random: &mut Random) -> Option<Move> {
    if winner {
        return Temper { greed: 10 }.choose(board, random);
    }
    let moves = board.legal_moves();
    let gifts: Vec<Move> = moves.iter().copied().filter(|step| !is_capture(*step)).collect();
    // A move after which the opponent can capture.
    let offers = |step: &Move| {
        let mut after = *board;
        after.play(*step).is_ok() && after.legal_moves().into_iter().any(is_capture)
    };
    let offered: Vec<Move> = gifts.iter().copied().filter(offers).collect();
    let wanted = [offered, gifts, moves].into_iter().find(|moves| !moves.is_empty())?;
    random.one_of(wanted, |step| number(*step))
}

/// Plays `moves` and asks, mostly at the end.
fn ended(moves: &[Move], random: &mut Random) -> GameSession {
    let mut session = GameSession::begun(BoardName::B);
    let mut board = Board::start();
    let before = moves.len().saturating_sub(1 + random.below(3));
    for (index, step) in moves.iter().enumerate() {
        if index == before {
            for asked in [BoardQuestion::IsGameOver, BoardQuestion::LegalMoves] {
                random.list(|_| 1, |_| session.ask(BoardName::B, asked));
            }
        }
        session.play(BoardName::B, *step);
        let _ = board.play(*step);
    }
    for asked in [BoardQuestion::IsGameOver, BoardQuestion::LegalMoves] {
        random.list(|_| 1, |_| session.ask(BoardName::B, asked));
    }
    plainly(&mut session, BoardName::B, random);
    if let Some((_, moves)) = MoveKind::of_all(&board).first() {
        session.ask(BoardName::B, BoardQuestion::IsLegal(moves[random.below(moves.len())]));
    }
    session
}

/// A copy, and moves on one of the two or on both.
fn copied(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let mut session = GameSession::begun(BoardName::B);
    let mut boards = [Board::start(); 2];
    play_on(&mut session, BoardName::B, &mut boards[0], 24, temper, random);
    session.acts.push(Act::Copy { from: BoardName::B, to: BoardName::C });
    boards[1] = boards[0];
    interleaved(&mut session, boards, temper, random);
    session
}

/// Two boards from the start, and moves on both.
fn two_boards(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let mut session = GameSession::begun(BoardName::B);
    let mut boards = [Board::start(); 2];
    play_on(&mut session, BoardName::B, &mut boards[0], 8, temper, random);
    session.acts.push(Act::Make(BoardName::C));
    interleaved(&mut session, boards, temper, random);
    session
}

/// Moves on two boards by turns, and questions about both.
fn interleaved(session: &mut GameSession, mut boards: [Board; 2], temper: Temper, random: &mut Random) {
    random.list(
        |random| 1 + random.below(3),
        |random| {
            let index = random.below(2);
            let name = [BoardName::B, BoardName::C][index];
            play_on(session, name, &mut boards[index], 4, temper, random);
        },
    );
    for (name, board) in [BoardName::B, BoardName::C].into_iter().zip(&boards) {
        plainly(session, name, random);
        random.list(|random| random.below(2), |random| ask(session, name, board, random));
    }
}

/// Asks who stands where, and who plays.
fn plainly(session: &mut GameSession, name: BoardName, random: &mut Random) {
    for asked in [BoardQuestion::White, BoardQuestion::Black, BoardQuestion::WhitePlays] {
        random.list(|_| 1, |_| session.ask(name, asked));
    }
}

/// Plays fewer than `limit` moves.
fn play_on(
    session: &mut GameSession,
    name: BoardName,
    board: &mut Board,
    limit: usize,
    temper: Temper,
    random: &mut Random,
) {
    for step in game(*board, |random| random.below(limit), temper, random) {
        session.play(name, step);
        let _ = board.play(step);
    }
}
