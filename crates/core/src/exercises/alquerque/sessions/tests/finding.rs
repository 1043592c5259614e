//! Looks in random games for positions in which wrong searches go wrong.

use super::accepted;
use super::players::{Searching, right, wrong};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::alquerque::sessions::positions::{SharpPosition, looked_at};
use crate::exercises::alquerque::sessions::session::{SearchJudge, SearchTask};
use crate::exercises::alquerque::sessions::{LONG, Temper, game};
use crate::value::random::Random;
use std::collections::BTreeMap;

/// The positions that a plain minimax may look at for one move: its reference answers at once, a slow one in
/// Python within a second or two.
pub(super) const MOST_LOOKED_AT: u64 = 2_500;
/// The same where there are many positions to choose from.
const MOST_AT_FIRST: u64 = 1_000;
/// The same where every move loses.
const FEW_WHEN_LOST: u64 = 200;
/// The games that are looked through.
const GAMES: usize = 1_500;
/// The positions for each mistake, depth and oracle: those that cost least.
const EACH: usize = 5;
/// The cost of a move of the game before: as much as this many positions that a search looks at.
const A_MOVE: u64 = 10;
/// The greatest depth.
const DEEPEST: u32 = 6;

/// The beginning of the file.
const HEADER: &str = "\
# Positions in which a search that is wrong chooses a wrong move: depth, oracle and game. Written by
# KEUR_BLESS=1 cargo test --release -p keur-core --lib alquerque::sessions
";

/// The mistakes that show in `board` at a search: every move that such a search thinks best is refused, and
/// no move that a right one thinks best.
pub(super) fn shown(board: &Board, search: SearchTask) -> Vec<&'static str> {
    let accepted = accepted(board, search);
    let all = |best: Vec<Move>, good: bool| best.iter().all(|step| accepted.contains(step) == good);
    let shown: Vec<&str> = wrong(search.depth)
        .into_iter()
        .filter(|(_, player)| all(player.best(board, search.depth), false))
        .map(|(name, _)| name)
        .collect();
    let fair =
        shown.is_empty() || right().into_iter().all(|player| all(player.best(board, search.depth), true));
    if fair { shown } else { Vec::new() }
}

/// The text of a new file of positions.
pub(super) fn found() -> String {
    let mut random = Random::new(1);
    let mut buckets: BTreeMap<(u32, &str, &str), Vec<SharpPosition>> = BTreeMap::new();
    for _ in 0..GAMES {
        for (moves, board) in visited(&mut random) {
            for depth in (1..=DEEPEST).take_while(|depth| looked_at(&board, *depth) <= MOST_AT_FIRST) {
                for judge in [SearchJudge::Winning, SearchJudge::Sound]
                    .into_iter()
                    .filter(|judge| judge.may_ask(depth))
                {
                    let search = SearchTask { depth, judge, copy: false };
                    if accepted(&board, search).len() == board.legal_moves().len() {
                        continue;
                    }
                    let looked_at = looked_at(&board, depth);
                    let position = SharpPosition { game: moves.clone(), search, looked_at };
                    for mistake in shown(&board, search) {
                        keep(buckets.entry((depth, judge.oracle(), mistake)).or_default(), &position);
                    }
                }
            }
        }
    }
    let mut positions: Vec<SharpPosition> = buckets.into_values().flatten().collect();
    positions.extend(deepest(&mut random));
    let mut random = Random::new(2);
    positions.extend([2, 4].into_iter().flat_map(|depth| lost(depth, &mut random)));
    let mut lines: Vec<String> = positions.iter().map(written).collect();
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    format!("{HEADER}{}\n", lines.join("\n"))
}

/// The positions of a random game, each with the moves before it.
fn visited(random: &mut Random) -> Vec<(Vec<Move>, Board)> {
    let temper = Temper::any(random);
    let moves = game(Board::start(), |_| LONG, temper, random);
    let mut board = Board::start();
    let mut visited = Vec::new();
    for (played, step) in moves.iter().enumerate() {
        visited.push((moves[..played].to_vec(), board));
        board.play(*step).unwrap();
    }
    visited
}

/// Positions in which even the last move of the greatest depth matters, which are rare.
fn deepest(random: &mut Random) -> Vec<SharpPosition> {
    let search = SearchTask { depth: DEEPEST, judge: SearchJudge::Sound, copy: false };
    let mut found = Vec::new();
    while found.len() < EACH {
        for (moves, board) in visited(random) {
            let looked_at = looked_at(&board, DEEPEST);
            if looked_at > MOST_LOOKED_AT {
                continue;
            }
            let [short, best] = [DEEPEST - 1, DEEPEST].map(|depth| Searching::RIGHT.best(&board, depth));
            let differs = short.iter().all(|step| !best.contains(step));
            if differs && shown(&board, search).contains(&"looks 5 ahead") {
                found.push(SharpPosition { game: moves, search, looked_at });
            }
        }
    }
    found
}

/// Positions in which every move loses, and any will do.
fn lost(depth: u32, random: &mut Random) -> Vec<SharpPosition> {
    let search = SearchTask { depth, judge: SearchJudge::Sound, copy: false };
    let mut found = Vec::new();
    while found.len() < EACH {
        for (moves, board) in visited(random) {
            let looked_at = looked_at(&board, depth);
            if looked_at <= FEW_WHEN_LOST && shown(&board, search).contains(&"has no move when it is lost") {
                found.push(SharpPosition { game: moves, search, looked_at });
            }
        }
    }
    found
}

/// Keeps a position if it costs less than others, and only one of those that a game goes through.
fn keep(bucket: &mut Vec<SharpPosition>, position: &SharpPosition) {
    let cost = |position: &SharpPosition| position.looked_at + A_MOVE * position.game.len() as u64;
    let alike = |known: &SharpPosition| {
        position.game.starts_with(&known.game) || known.game.starts_with(&position.game)
    };
    if bucket.iter().any(|known| cost(known) <= cost(position) && alike(known)) {
        return;
    }
    bucket.retain(|known| !alike(known));
    bucket.push(position.clone());
    bucket.sort_by_key(cost);
    bucket.truncate(EACH);
}

fn written(position: &SharpPosition) -> String {
    let search = position.search;
    let steps =
        position.game.iter().map(|step| format!(" {}-{}", step.source.number(), step.target.number()));
    format!("{} {}{}", search.depth, search.judge.oracle(), steps.collect::<String>())
}
