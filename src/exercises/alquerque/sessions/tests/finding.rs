//! Looks in random games for positions in which wrong searches go wrong.

use super::accepted;
use super::players::{right, wrong};
use crate::exercises::alquerque::rules::{Board, Move};
use crate::exercises::alquerque::sessions::positions::{Position, looked_at};
use crate::exercises::alquerque::sessions::session::{Judge, Search};
use crate::exercises::alquerque::sessions::{LONG, Temper, game};
use crate::value::random::Random;
use std::collections::BTreeMap;

/// The positions that a plain minimax may look at for one move: its reference answers at once, a slow one in Python
/// within a second.
pub(super) const MOST_LOOKED_AT: u64 = 2_000;
/// The games that are looked through.
const GAMES: usize = 6_000;
/// The positions for each mistake, depth and oracle: those of the shortest games.
const EACH: usize = 5;

/// What the file begins with.
const HEADER: &str = "\
# Positions in which a search that is wrong chooses a wrong move: depth, oracle and game. Written by
# KEUR_BLESS=1 cargo test --release --lib alquerque::sessions
";

/// The mistakes that show in `board` at a search: every move that such a search thinks best is refused, and no move
/// that a right one thinks best.
pub(super) fn shown(board: &Board, search: Search) -> Vec<&'static str> {
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
    let mut buckets: BTreeMap<(u32, &str, &str), Vec<Position>> = BTreeMap::new();
    for _ in 0..GAMES {
        let temper = Temper::any(&mut random);
        let moves = game(Board::start(), LONG, temper, &mut random);
        let mut board = Board::start();
        for (played, step) in moves.iter().enumerate() {
            for depth in (1..=6).take_while(|depth| looked_at(&board, *depth) <= MOST_LOOKED_AT) {
                for judge in [Judge::Winning, Judge::Sound] {
                    let search = Search { depth, judge, copy: false };
                    if accepted(&board, search).len() == board.legal_moves().len() {
                        continue;
                    }
                    let position = Position { game: moves[..played].to_vec(), search };
                    for mistake in shown(&board, search) {
                        keep(buckets.entry((depth, judge.oracle(), mistake)).or_default(), &position);
                    }
                }
            }
            board.play(*step).unwrap();
        }
    }
    for (bucket, positions) in &buckets {
        println!("{bucket:?}: {}", positions.len());
    }
    let mut lines: Vec<String> = buckets.into_values().flatten().map(|position| written(&position)).collect();
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    format!("{HEADER}{}\n", lines.join("\n"))
}

/// Keeps `position` if it is one of the shortest, and no other of the same game.
fn keep(bucket: &mut Vec<Position>, position: &Position) {
    let begins_alike = |known: &Position| {
        let (short, long) =
            if known.game.len() < position.game.len() { (known, position) } else { (position, known) };
        long.game.starts_with(&short.game)
    };
    if bucket.iter().any(|known| known.game.len() <= position.game.len() && begins_alike(known)) {
        return;
    }
    bucket.push(position.clone());
    bucket.sort_by_key(|position| position.game.len());
    bucket.truncate(EACH);
}

fn written(position: &Position) -> String {
    let search = position.search;
    let steps =
        position.game.iter().map(|step| format!(" {}-{}", step.source.number(), step.target.number()));
    format!("{} {}{}", search.depth, search.judge.oracle(), steps.collect::<String>())
}
