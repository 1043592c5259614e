//! Random sessions of Alquerque: games with questions in between.
//!
//! Asked is only what the course fixes: never `is_legal` off the board, never `move` with an illegal move,
//! nor `next_move` without a depth or when the game is over. [`session`] is what a session does and
//! [`written`] its lines, [`questions`] which moves are asked about, [`simpler`] how it gets shorter, and
//! [`positions`] where the depth of a search matters.

mod early;
mod positions;
mod questions;
mod session;
mod simpler;
#[cfg(test)]
mod tests;
mod written;

use super::rules::{Board, Field, Move, Outcome};
use crate::exercises::sessions::RandomSession;
use crate::value::random::Random;
use questions::MoveKind;
use session::{Act, BoardName, BoardQuestion, GameSession};

/// The most games played in search of one that somebody wins: random games are nearly always drawn.
const ATTEMPTS: usize = 40;
/// The questions about moves at one position.
const MOVES_ASKED: usize = 4;

/// A random session.
pub(super) fn random(random: &mut Random) -> Box<dyn RandomSession> {
    let session = match random.below(20) {
        0..7 => visits(random),
        7..9 => to_the_end(random),
        9 => won(random),
        10..12 => copied(random),
        12..14 => two_boards(random),
        14 => positions::at_random(random),
        _ => positions::remembered(random),
    };
    Box::new(session)
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
        let index = random.below(moves.len());
        moves.get(index).copied()
    }
}

/// Whether a legal move captures.
fn is_capture(step: Move) -> bool {
    [2, 8, 10, 12].contains(&step.source.number().abs_diff(step.target.number()))
}

/// Up to `most` moves from `board` on.
fn game(mut board: Board, most: usize, temper: Temper, random: &mut Random) -> Vec<Move> {
    let mut moves = Vec::new();
    while moves.len() < most
        && let Some(step) = temper.choose(&board, random)
        && board.play(step).is_ok()
    {
        moves.push(step);
    }
    moves
}

/// More moves than most games have.
const LONG: usize = 60;

/// A game up to some point, with questions there and at one or two points before.
fn visits(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let length = random.below(45);
    let moves = game(Board::start(), length, temper, random);
    let mut stops: Vec<usize> = (0..random.below(3)).map(|_| random.below(moves.len() + 1)).collect();
    stops.push(moves.len());
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
        ask(&mut session, BoardName::B, &board, random);
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
    let plain = [
        BoardQuestion::White,
        BoardQuestion::Black,
        BoardQuestion::WhitePlays,
        BoardQuestion::LegalMoves,
        BoardQuestion::IsGameOver,
    ];
    for asked in plain {
        if random.below(3) == 0 {
            session.ask(name, asked);
        }
    }
    let mut kinds = MoveKind::of_all(board);
    random.shuffle(&mut kinds);
    for (_, moves) in kinds.iter().take(MOVES_ASKED) {
        session.ask(name, BoardQuestion::IsLegal(moves[random.below(moves.len())]));
    }
}

/// A whole game, with everything asked at its end and some of it shortly before.
fn to_the_end(random: &mut Random) -> GameSession {
    let moves = game(Board::start(), LONG, Temper::any(random), random);
    ended(&moves, random)
}

/// A game that somebody wins, if one is found.
fn won(random: &mut Random) -> GameSession {
    let mut last = Vec::new();
    for _ in 0..ATTEMPTS {
        let mut board = Board::start();
        last.clear();
        // The winner captures, the loser does not.
        let winner = random.below(2);
        while let Some(step) = hunted(&board, last.len() % 2 == winner, random) {
            let _ = board.play(step);
            last.push(step);
        }
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
    wanted.get(random.below(wanted.len())).copied()
}

/// Plays `moves` and asks, mostly at the end.
fn ended(moves: &[Move], random: &mut Random) -> GameSession {
    let mut session = GameSession::begun(BoardName::B);
    let mut board = Board::start();
    let before = moves.len().saturating_sub(1 + random.below(3));
    for (index, step) in moves.iter().enumerate() {
        if index == before {
            session.ask(BoardName::B, BoardQuestion::IsGameOver);
            session.ask(BoardName::B, BoardQuestion::LegalMoves);
        }
        session.play(BoardName::B, *step);
        let _ = board.play(*step);
    }
    for asked in [
        BoardQuestion::IsGameOver,
        BoardQuestion::LegalMoves,
        BoardQuestion::White,
        BoardQuestion::Black,
        BoardQuestion::WhitePlays,
    ] {
        session.ask(BoardName::B, asked);
    }
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
    let length = random.below(24);
    play_on(&mut session, BoardName::B, &mut boards[0], length, temper, random);
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
    let length = random.below(8);
    play_on(&mut session, BoardName::B, &mut boards[0], length, temper, random);
    session.acts.push(Act::Make(BoardName::C));
    interleaved(&mut session, boards, temper, random);
    session
}

/// Moves on two boards by turns, and questions about both.
fn interleaved(session: &mut GameSession, mut boards: [Board; 2], temper: Temper, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let index = random.below(2);
        let name = [BoardName::B, BoardName::C][index];
        let length = 1 + random.below(3);
        play_on(session, name, &mut boards[index], length, temper, random);
    }
    for (name, board) in [BoardName::B, BoardName::C].into_iter().zip(&boards) {
        session.ask(name, BoardQuestion::White);
        session.ask(name, BoardQuestion::Black);
        session.ask(name, BoardQuestion::WhitePlays);
        if random.below(2) == 0 {
            ask(session, name, board, random);
        }
    }
}

fn play_on(
    session: &mut GameSession,
    name: BoardName,
    board: &mut Board,
    most: usize,
    temper: Temper,
    random: &mut Random,
) {
    for step in game(*board, most, temper, random) {
        session.play(name, step);
        let _ = board.play(step);
    }
}
