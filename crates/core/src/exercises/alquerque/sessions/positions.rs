//! Positions in which a search must look as far as it is told.
//!
//! [`REMEMBERED`] was found in random games, and is written by a test (see `tests/finding.rs`).

use super::session::{Act, BoardName, BoardQuestion, GameSession, SearchJudge, SearchTask};
use super::{Temper, game, plainly};
use crate::exercises::alquerque::rules::{Board, Field, Leaves, Move, perft};
use crate::value::random::Random;
use std::sync::OnceLock;

/// The positions that a plain minimax may look at for one move in a position of a random game, of which there
/// are many.
const FEW_LOOKED_AT: u64 = 120;
/// Of so many remembered positions at most, the one is asked where a search looks at the fewest.
const DRAWN: usize = 3;
/// The depth of a search in a position of a random game.
const DEPTHS_AT_RANDOM: u32 = 3;

/// A line for each position: depth, oracle and game.
pub(super) const REMEMBERED: &str = include_str!("positions.txt");

/// A game, and what to ask at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SharpPosition {
    pub(super) game: Vec<Move>,
    pub(super) search: SearchTask,
    /// The number of positions that a plain minimax looks at there.
    pub(super) looked_at: u64,
}

impl SharpPosition {
    /// The session that plays the game and asks for a move.
    pub(super) fn session(&self) -> GameSession {
        let mut session = GameSession::begun(BoardName::B);
        session.acts.extend(self.game.iter().map(|step| Act::Play(BoardName::B, *step)));
        session.ask(BoardName::B, BoardQuestion::NextMove(self.search));
        session
    }

    /// The position of a line of [`REMEMBERED`]; `None` for a comment.
    pub(super) fn parse(line: &str) -> Option<SharpPosition> {
        let mut words = line.split(' ');
        let depth = words.next()?.parse().ok()?;
        let judge = words.next().and_then(|name| {
            [SearchJudge::Sound, SearchJudge::Winning].into_iter().find(|judge| judge.oracle() == name)
        })?;
        let field = |number: &str| Field::new(number.parse().ok()?);
        let step = |word: &str| {
            let (source, target) = word.split_once('-')?;
            Some(Move::new(field(source)?, field(target)?))
        };
        let game: Vec<Move> = words.map(step).collect::<Option<_>>()?;
        let mut board = Board::start();
        game.iter().try_for_each(|step| board.play(*step)).ok()?;
        Some(SharpPosition {
            game,
            search: SearchTask { depth, judge, copy: false },
            looked_at: looked_at(&board, depth),
        })
    }
}

/// The remembered positions, those of shorter games first.
pub(super) fn all() -> &'static [SharpPosition] {
    static POSITIONS: OnceLock<Vec<SharpPosition>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let mut positions: Vec<SharpPosition> = REMEMBERED.lines().filter_map(SharpPosition::parse).collect();
        positions.sort_by_key(|position| position.game.len());
        positions
    })
}

/// The number of positions that a plain minimax looks at, `depth` moves ahead.
pub(super) fn looked_at(board: &Board, depth: u32) -> u64 {
    (1..=depth).map(|moves| perft(board, moves, Leaves::Counted)).sum()
}

/// A session about one of the remembered positions.
pub(super) fn remembered(random: &mut Random) -> GameSession {
    let drawn = (0..=random.below(DRAWN)).filter_map(|_| all().get(random.below(all().len())));
    match drawn.min_by_key(|position| position.looked_at) {
        Some(position) => asked(position.clone(), random),
        None => at_random(random),
    }
}

/// A session about a position of a random game.
pub(super) fn at_random(random: &mut Random) -> GameSession {
    let temper = Temper::any(random);
    let mut moves = game(Board::start(), |random| random.below(45), temper, random);
    let mut board = Board::start();
    let over = moves.iter().all(|step| board.play(*step).is_ok()) && board.outcome().is_some();
    if over && let Some(last) = moves.pop() {
        board = Board::start();
        let _ = moves.iter().try_for_each(|step| board.play(*step));
        debug_assert!(board.check(last).is_ok());
    }
    let wanted = 1 + random.below(DEPTHS_AT_RANDOM as usize) as u32;
    let depth = (1..=wanted).rev().find(|depth| looked_at(&board, *depth) <= FEW_LOOKED_AT).unwrap_or(1);
    let search = SearchTask { depth, judge: SearchJudge::Sound, copy: false };
    asked(SharpPosition { game: moves, search, looked_at: looked_at(&board, depth) }, random)
}

/// Plays a game and asks for a move at its end; sometimes what the search did to the board.
fn asked(mut position: SharpPosition, random: &mut Random) -> GameSession {
    position.search.copy = random.below(2) == 1;
    let mut session = position.session();
    if random.below(4) == 3 {
        plainly(&mut session, BoardName::B, random);
    }
    session
}
